/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/accepted-connection.h"

#include "mpa/internet-address.h"
#include "rpc/service-times.h"
#include "rpcrdma/message/pull-notice-list.h"
#include "wire/spare-octets.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaSvcRdmaConnection");

namespace
{

/// Elements that a Send needs for a part of a reply: its header, and what it carries.
constexpr uint32_t PART_ELEMENTS = 2;

/// \return octets that the Read chunks of a call have together.
uint64_t
CountOctets(const std::vector<RpcRdmaReadSegment>& readList)
{
    uint64_t octets = 0;
    for (const RpcRdmaReadSegment& segment : readList)
    {
        octets += segment.target.length;
    }
    return octets;
}

} // namespace

SvcRdmaConnection::SvcRdmaConnection(Ptr<RnicDevice> device,
                                     Ptr<RpcServer> rpcServer,
                                     std::shared_ptr<const SvcRdmaSettings> settings,
                                     std::shared_ptr<SvcRdmaStatistics> statistics)
    : m_device(device),
      m_rpcServer(rpcServer),
      m_settings(std::move(settings)),
      m_statistics(std::move(statistics)),
      m_credits(m_settings,
                m_statistics,
                [this] { return m_reverse ? m_reverse->GetOutstanding() : 0; }),
      m_check(m_settings->rules, m_settings->GetCallLimits()),
      m_calls(m_settings->failedCalls, m_settings->rules.discardDuplicates),
      m_end(m_settings->terminates)
{
}

SvcRdmaConnection::~SvcRdmaConnection()
{
    TearDown();
}

bool
SvcRdmaConnection::Accept(const CmEvent& request, uint64_t number, Closed closed)
{
    m_number = number;
    const RpcRdmaPrivateData peer =
        DecodePrivateDataOrDefault(request.privateData, m_settings->GetPrivateDataPlace());
    const ReadChunkExtension extension = DecodeReadChunkExtensionOrNone(request.privateData);
    const bool answers = AgreeOnReadChunks(extension);
    const bool continues = AgreeOnContinuation(extension);
    const uint32_t reads =
        std::min({request.ord, m_device->GetSettings().maxOrd, m_settings->maxOutboundReads});
    m_thresholds = ChooseThresholds(peer);
    const uint32_t threshold =
        m_settings->honourSizes ? std::min(m_thresholds.send, peer.receiveSize) : m_thresholds.send;
    if (reads == 0)
    {
        m_end.Note("refused: no RDMA Reads are possible (the client's rnic.max_ird and "
                   "client_responder_resources and the server's rnic.max_ord)");
    }
    else if (!Prepare(GetHostOf(request.newId->GetPeerAddress()),
                      threshold,
                      peer.remoteInvalidation && m_device->GetSettings().sendWithInvalidate))
    {
        m_end.Note("refused: " + DescribeMissingObjects(*m_device) + " or no receive for it");
    }
    if (!m_end.GetReason().empty())
    {
        TearDown();
        request.newId->Reject({});
        return false;
    }
    m_closed = std::move(closed);
    m_cm = request.newId;
    // Without the port, which is another one after a reconnection (svc_rdma_accept()).
    m_source = GetPeer();
    m_cm->SetEventCallback(MakeCallback(&SvcRdmaConnection::HandleEvent, this));
    CmConnectionParameters parameters;
    const bool invalidates =
        m_settings->remoteInvalidation && m_device->GetSettings().sendWithInvalidate;
    parameters.privateData =
        RpcRdmaPrivateData{invalidates, m_thresholds.send, m_thresholds.receive}.EncodeWithin(
            m_device->GetSettings().maxPrivateData);
    if (answers || continues)
    {
        const ByteVector answer = EncodeExtension(answers, invalidates);
        parameters.privateData.insert(parameters.privateData.end(), answer.begin(), answer.end());
    }
    if (answers)
    {
        parameters.responderResources =
            std::min(request.ird, m_settings->readChunks->readChunkReads);
    }
    parameters.initiatorDepth = reads;
    m_rpcServer->SetReverseLimit(m_number,
                                 std::min({threshold, m_thresholds.receive, peer.sendSize}) -
                                     RpcRdmaHeader::MINIMUM_SIZE);
    m_cm->Accept(m_endpoint->GetQueuePair(), parameters);
    return true;
}

bool
SvcRdmaConnection::MustWait(const CmEvent& request)
{
    const SvcRdmaCreditPool& pool = *m_settings->creditPool;
    if (!pool.IsBounded())
    {
        return false;
    }
    AgreeOnReadChunks(DecodeReadChunkExtensionOrNone(request.privateData));
    const uint32_t needed = 1 + m_credits.GetDoneReceives();
    const uint32_t size =
        ChooseThresholds(
            DecodePrivateDataOrDefault(request.privateData, m_settings->GetPrivateDataPlace()))
            .receive;
    return !pool.HasRoomFor(needed, size) && pool.CanEverHold(needed, size);
}

InlineThresholds
SvcRdmaConnection::ChooseThresholds(const RpcRdmaPrivateData& peer) const
{
    InlineSituation situation;
    situation.maximum = {m_settings->inlineSend, m_settings->inlineReceive};
    situation.peer = {peer.sendSize, peer.receiveSize};
    situation.receives = m_credits.CountFirstReceives();
    situation.memoryLeft = m_settings->creditPool->GetMemoryLeft();
    return m_settings->thresholds->Choose(situation);
}

bool
SvcRdmaConnection::AgreeOnReadChunks(const ReadChunkExtension& peer)
{
    const SvcReadChunkSettings& settings = *m_settings->readChunks;
    const bool answers = settings.readChunkExtension && peer.requester &&
                         ReadChunkExtension::Fits(m_device->GetSettings().maxPrivateData);
    m_exposes = settings.readChunksWithoutAgreement ? settings.policy->IsEnabled() : answers;
    m_credits.SetDoneReceives(m_exposes ? BoundDoneReceives() : 0);
    m_noticesOnCalls = answers && ReadChunkAgreement::Agree(peer, settings.extension).piggyback;
    return answers;
}

bool
SvcRdmaConnection::AgreeOnContinuation(const ReadChunkExtension& peer)
{
    ReadChunkExtension own;
    own.continuation = m_settings->messageContinuation &&
                       m_device->GetSettings().maxElements >= PART_ELEMENTS &&
                       ReadChunkExtension::Fits(m_device->GetSettings().maxPrivateData);
    m_replyMessages = AgreeOnReplyMessages(peer, own);
    return m_replyMessages > 1;
}

ByteVector
SvcRdmaConnection::EncodeExtension(bool readChunks, bool remoteInvalidation) const
{
    ReadChunkExtension extension =
        readChunks ? m_settings->readChunks->extension : ReadChunkExtension();
    extension.continuation = m_replyMessages > 1;
    extension.remoteInvalidation = extension.remoteInvalidation && remoteInvalidation &&
                                   m_registrar->AllowsRemoteInvalidation();
    extension.doneReceives = static_cast<uint16_t>(m_credits.GetDoneReceives());
    return extension.Encode();
}

uint16_t
SvcRdmaConnection::BoundDoneReceives() const
{
    const uint32_t share = m_settings->creditPool->GetShare(m_settings->inlineReceive) / 2;
    const uint32_t others = 1 + m_settings->backchannelCredits;
    const uint32_t deepest = GetDeepestQueue();
    const uint32_t left = std::min(share, deepest > others ? deepest - others : 0);
    return static_cast<uint16_t>(
        std::min<uint32_t>(m_settings->readChunks->extension.doneReceives, std::max(left, 1U)));
}

uint32_t
SvcRdmaConnection::GetDeepestQueue() const
{
    return std::min(m_device->GetSettings().maxQueueDepth, m_device->GetSettings().maxCqDepth);
}

bool
SvcRdmaConnection::Prepare(IpAddress peer, uint32_t sendThreshold, bool requesterInvalidates)
{
    QueuePairCapabilities sizes;
    const uint32_t deepest = GetDeepestQueue();
    sizes.sendDepth = std::min(m_settings->sendQueueDepth, deepest);
    sizes.receiveDepth = std::min(m_credits.GetQueueDepth(), deepest);
    const HostCosts& costs = m_device->GetHostCpu()->GetCosts();
    VerbsEndpoint::Handling handling;
    handling.context = costs.serverCompletions;
    handling.send.Then(costs.serverSendDoneCost);
    m_endpoint = VerbsEndpoint::Create(
        m_device,
        sizes,
        handling,
        [this](const WorkCompletion& completion) { m_sendQueue->HandleCompletion(completion); },
        [this](const WorkCompletion& completion) { HandleReceive(completion); });
    if (!m_endpoint)
    {
        return false;
    }
    PrepareReceiving(costs);
    m_sendThreshold = sendThreshold;
    const Ptr<HostMemory> memory = m_device->GetHostMemory();
    m_memoryAccount = memory->OpenAccount(peer);
    if (m_settings->memory)
    {
        m_settings->memory->Add(m_memoryAccount);
        if (!m_settings->memory->Allows(uint64_t{m_credits.CountFirstReceives()} *
                                        m_thresholds.receive))
        {
            m_end.Note("refused: no memory for its receives (server_memory_limit)");
            return false;
        }
    }
    m_endpoint->GetQueuePair()->SetMemoryAccount(m_memoryAccount);
    m_registrar =
        ChunkRegistrar::Create(m_device, m_endpoint->GetDomain(), m_settings->GetRegistration());
    m_registrar->SetThread(m_endpoint->GetQueuePair()->GetThread(), m_settings->mapCost);
    m_sendQueue = std::make_unique<SvcRdmaSendQueue>(
        [pair = m_endpoint->GetQueuePair()](const auto& chain) { return pair->PostSend(chain); },
        sizes.sendDepth,
        m_statistics);
    m_sendQueue->SetTurns(m_settings->sendTurns);
    m_sendQueue->SetRefused([this] { Close("the send queue refuses work"); });
    m_puller = std::make_unique<SvcRdmaReadPuller>(memory,
                                                   *m_registrar,
                                                   *m_sendQueue,
                                                   m_statistics,
                                                   m_memoryAccount);
    m_writer = std::make_unique<SvcRdmaReplyWriter>(
        memory,
        *m_registrar,
        *m_sendQueue,
        m_settings,
        m_statistics,
        ReplyWriterLimits{sendThreshold,
                          m_replyMessages,
                          requesterInvalidates,
                          m_device->GetSettings().maxElements,
                          m_memoryAccount,
                          [this](const std::string& reason) { Close(reason); }});
    if (m_exposes)
    {
        m_exposer = std::make_unique<SvcRdmaReplyExposer>(memory,
                                                          *m_registrar,
                                                          *m_sendQueue,
                                                          m_settings->readChunks,
                                                          m_statistics,
                                                          m_memoryAccount);
        m_writer->ProvideReadChunks(*m_exposer);
    }
    m_endpoint->GetQueuePair()->TraceConnectWithoutContext(
        "TerminateSent",
        MakeCallback(&SvcRdmaConnection::HandleTerminateSent, this));
    m_endpoint->GetQueuePair()->TraceConnectWithoutContext(
        "TerminateReceived",
        MakeCallback(&SvcRdmaConnection::HandleTerminateReceived, this));
    return m_credits.Start(memory,
                           m_endpoint->GetQueuePair(),
                           m_thresholds.receive,
                           m_memoryAccount);
}

void
SvcRdmaConnection::PrepareReceiving(const HostCosts& costs)
{
    const Ptr<CompletionQueue> queue = m_endpoint->GetReceiveCompletions();
    if (const auto core = queue->GetThread()->GetCore())
    {
        m_rpcServer->SetReceivingCore(m_number, *core);
    }
    HostWork receive(costs.serverReceiveCost);
    receive.Under(m_rpcServer->GetQueueLock(m_number), costs.GetPutHold());
    queue->SetWork(receive);
}

void
SvcRdmaConnection::Close(const std::string& reason)
{
    m_end.Note(reason);
    if (m_cm)
    {
        m_cm->Disconnect();
    }
}

void
SvcRdmaConnection::Age()
{
    if (m_old && m_delivered == 0)
    {
        Close("nothing was received for server_age_period");
    }
    m_old = true;
}

void
SvcRdmaConnection::InjectError()
{
    if (m_endpoint)
    {
        m_end.Note("the queue pair has failed");
        m_endpoint->GetQueuePair()->MoveToError();
    }
}

void
SvcRdmaConnection::Abort()
{
    m_closed = nullptr;
    TearDown();
}

void
SvcRdmaConnection::CarryReverse(Ptr<SvcRdmaReverseTransport> reverse)
{
    m_reverse = reverse;
    if (m_established)
    {
        m_reverse->Attach(*this);
    }
}

IpAddress
SvcRdmaConnection::GetPeer() const
{
    return m_cm ? GetHostOf(m_cm->GetPeerAddress()) : IpAddress();
}

bool
SvcRdmaConnection::HasReverseReceive()
{
    return m_credits.HasReverseReceive([self = Ptr<SvcRdmaConnection>(this)] {
        return !self->m_reverse || self->m_reverse->Resume();
    });
}

void
SvcRdmaConnection::SendReverse(ByteVector&& message)
{
    const auto length = static_cast<uint32_t>(message.size());
    const auto buffer = std::make_shared<HostBuffer>(m_device->GetHostMemory(), length);
    m_registrar->ChargeCopy(length - RpcRdmaHeader::MINIMUM_SIZE);
    buffer->Write(0, message);
    SendWorkRequest send;
    send.opcode = WorkRequestOpcode::SEND;
    send.elements.push_back({buffer->GetAddress(), length});
    std::vector<SendWorkRequest> chain;
    chain.push_back(std::move(send));
    m_sendQueue->Begin();
    m_sendQueue->Post(std::move(chain), [buffer] {});
}

void
SvcRdmaConnection::HandleEvent(Ptr<CmId> /*id*/, const CmEvent& event)
{
    if (event.type == CmEventType::ESTABLISHED)
    {
        m_established = true;
        if (m_reverse)
        {
            m_reverse->Attach(*this);
        }
        return;
    }
    if (event.type == CmEventType::ADDR_CHANGE)
    {
        return; // As svc_rdma_cma_handler() of Linux.
    }
    NS_LOG_LOGIC("connection ended: " << ToString(event.type));
    m_end.Note(DescribeEnd(event));
    Simulator::ScheduleNow([self = Ptr<SvcRdmaConnection>(this)] {
        self->TearDown();
        if (self->m_closed)
        {
            const Closed closed = std::move(self->m_closed);
            self->m_closed = nullptr;
            closed();
        }
    });
}

void
SvcRdmaConnection::TearDown()
{
    if (m_cm)
    {
        m_cm->SetEventCallback(CmId::EventCallback());
    }
    m_statistics->abandoned += GetUnanswered();
    m_tornDown = true;
    m_established = false;
    if (m_reverse)
    {
        m_reverse->Detach(*this);
        m_reverse = nullptr;
    }
    m_writer.reset();
    m_puller.reset();
    m_sendQueue.reset();
    m_registrar.reset();
    m_exposer.reset();
    m_credits.End();
    m_endpoint.reset();
    if (const auto memory = m_device->GetHostMemory())
    {
        memory->CloseAccount(std::exchange(m_memoryAccount, 0));
    }
    m_cm = nullptr;
}

void
SvcRdmaConnection::HandleReceive(const WorkCompletion& completion)
{
    if (completion.status != WorkCompletionStatus::SUCCESS)
    {
        return;
    }
    ++m_statistics->recv;
    m_old = false;
    m_arrived = completion.arrived;
    m_credits.Take(completion, m_message);
    if (m_exposer)
    {
        TakeNotices(completion);
    }
    HandleMessage();
    SpareOctets::Give(std::move(m_message));
}

void
SvcRdmaConnection::TakeNotices(const WorkCompletion& completion)
{
    if (completion.withInvalidate)
    {
        m_exposer->HandleInvalidated(completion.invalidatedStag);
    }
    if (!m_noticesOnCalls || !PullNoticeList::IsIn(m_message))
    {
        return;
    }
    if (const auto notices = PullNoticeList::TakeFrom(m_message))
    {
        for (const uint32_t xid : notices->xids)
        {
            m_exposer->HandleDone(xid);
        }
    }
}

void
SvcRdmaConnection::HandleMessage()
{
    CheckedCall checked = m_check.Check(m_message);
    switch (checked.verdict)
    {
    case CallVerdict::REPLY:
        if (m_reverse)
        {
            HandleReverseReply(checked);
            return;
        }
        [[fallthrough]];
    case CallVerdict::CALL:
        if (const CallFault fault = CheckService(checked); fault != CallFault::NONE)
        {
            const bool silent = fault == CallFault::DUPLICATE_XID;
            Refuse(checked.fixed, silent ? CallVerdict::DISCARD : CallVerdict::ERR_CHUNK, fault);
            return;
        }
        HandleCall(std::move(checked.header), checked.payloadOffset);
        break;
    case CallVerdict::DONE:
        if (m_exposer && m_exposer->HandleDone(checked.fixed.xid))
        {
            ++m_statistics->notices;
            return;
        }
        Refuse(checked.fixed, checked.verdict, checked.fault);
        break;
    case CallVerdict::ERROR:
        if (m_reverse && m_reverse->HandleError(checked.fixed))
        {
            ++m_statistics->reverseReplies;
            return;
        }
        [[fallthrough]];
    case CallVerdict::ERR_VERS:
    case CallVerdict::ERR_CHUNK:
    case CallVerdict::DISCARD:
        Refuse(checked.fixed, checked.verdict, checked.fault);
        break;
    }
}

void
SvcRdmaConnection::HandleReverseReply(const CheckedCall& checked)
{
    const ByteSpan payload = ByteSpan(m_message).subspan(checked.payloadOffset);
    if (m_reverse->HandleReply(checked.fixed, payload))
    {
        ++m_statistics->reverseReplies;
        return;
    }
    ++m_statistics->unknownReplies;
    ++m_statistics->dropped;
}

void
SvcRdmaConnection::Refuse(const RpcRdmaFixedHeader& header, CallVerdict verdict, CallFault fault)
{
    NS_LOG_LOGIC("XID " << header.xid << ": " << ToString(verdict) << ", " << ToString(fault));
    ++m_statistics->faults.at(static_cast<std::size_t>(fault));
    if (verdict == CallVerdict::ERR_VERS || verdict == CallVerdict::ERR_CHUNK)
    {
        m_writer->SendError(header.xid,
                            header.version,
                            m_credits.Grant(header.credit, m_calls.GetCount()),
                            verdict == CallVerdict::ERR_VERS ? RpcRdmaErrorCode::ERR_VERS
                                                             : RpcRdmaErrorCode::ERR_CHUNK);
    }
    else
    {
        ++m_statistics->discarded.at(static_cast<std::size_t>(fault));
        ++m_statistics->dropped;
    }
    if (m_settings->refused)
    {
        m_settings->refused(header.xid, verdict, fault);
    }
    const bool isBad = verdict != CallVerdict::DONE && verdict != CallVerdict::ERROR;
    if (isBad && ++m_badMessages == m_settings->badMessageLimit)
    {
        ++m_statistics->badMessagesClosed;
        Close("messages that cannot be served (server_bad_message_limit)");
    }
}

CallFault
SvcRdmaConnection::CheckService(const CheckedCall& checked) const
{
    if (const CallFault fault = m_calls.Check(m_source, checked.header.xid);
        fault != CallFault::NONE)
    {
        return fault;
    }
    if (m_settings->programLimits && !checked.header.chunks.IsEmpty())
    {
        const ByteSpan payload = ByteSpan(m_message).subspan(checked.payloadOffset);
        return CallHeaderCheck::CheckSizes(checked.header.chunks,
                                           m_rpcServer->GetMessageLimits(payload));
    }
    return CallFault::NONE;
}

void
SvcRdmaConnection::HandleCall(RpcRdmaHeader&& header, std::size_t payloadOffset)
{
    if (m_settings->enforceCredits && m_calls.GetCount() >= m_credits.GetMostGranted())
    {
        m_statistics->creditOverruns += m_overrun ? 0 : 1;
        ++m_statistics->uncredited;
        m_overrun = true;
        Close("more calls than credits (server_enforce_credits)");
        return;
    }
    auto call = std::make_shared<SvcRdmaCall>();
    call->xid = header.xid;
    call->client = m_source;
    call->requested = header.credit;
    call->chunks = std::move(header.chunks);
    if (m_settings->isTimed && m_settings->isTimed())
    {
        call->times = std::make_shared<RpcServiceTimes>();
        call->times->xid = call->xid;
        call->times->client = m_source;
        call->times->connection = m_number;
        call->times->arrived = m_arrived;
        call->times->received = Simulator::Now();
    }
    ByteVector inlineMessage(m_message.begin() + static_cast<std::ptrdiff_t>(payloadOffset),
                             m_message.end());
    m_calls.Add(call);
    if (call->chunks.readList.empty())
    {
        RpcReceivedMessage message;
        message.octets = std::move(inlineMessage);
        Deliver(call, std::move(message));
        return;
    }
    m_rpcServer->Receive(
        [self = Ptr<SvcRdmaConnection>(this), call, inlineMessage = std::move(inlineMessage)](
            RpcServer::Fetched fetched) mutable {
            self->Pull(call, std::move(inlineMessage), std::move(fetched));
        },
        MakeReply(call),
        m_source,
        m_number);
}

void
SvcRdmaConnection::Pull(const std::shared_ptr<SvcRdmaCall>& call,
                        ByteVector&& inlineMessage,
                        RpcServer::Fetched fetched)
{
    if (m_tornDown)
    {
        m_calls.End(*call);
        return;
    }
    if (m_settings->memory && !m_settings->memory->Allows(CountOctets(call->chunks.readList)))
    {
        ++m_statistics->abandoned;
        m_calls.End(*call);
        Close("no memory for RDMA Reads (server_memory_limit)");
        return;
    }
    m_puller->Pull(
        call->chunks.readList,
        std::move(inlineMessage),
        [this, call, fetched = std::move(fetched)](RpcReceivedMessage&& message) {
            ++m_delivered;
            message.times = call->times;
            if (!fetched(std::move(message)))
            {
                DropNoCall(*call);
            }
        },
        [this, call](const std::string& reason) {
            NS_LOG_WARN("XID " << call->xid << " cannot be pulled: it needs " << reason);
            m_writer->SendError(call->xid,
                                RpcRdmaHeader::VERSION,
                                m_credits.Grant(call->requested, m_calls.GetCount()),
                                RpcRdmaErrorCode::ERR_CHUNK);
            m_calls.End(*call);
        });
}

void
SvcRdmaConnection::Deliver(const std::shared_ptr<SvcRdmaCall>& call, RpcReceivedMessage&& message)
{
    ++m_delivered;
    message.times = call->times;
    if (!m_rpcServer->Receive(std::move(message), MakeReply(call), m_source, m_number))
    {
        DropNoCall(*call);
    }
}

RpcServer::Reply
SvcRdmaConnection::MakeReply(const std::shared_ptr<SvcRdmaCall>& call)
{
    return [self = Ptr<SvcRdmaConnection>(this), call](RpcPayload&& payload) {
        --self->m_delivered;
        if (self->m_tornDown)
        {
            self->m_calls.End(*call);
            return;
        }
        if (payload.octets.empty())
        {
            ++self->m_statistics->unanswered;
            ++self->m_statistics->dropped;
        }
        else
        {
            call->credits = self->m_credits.Grant(call->requested, self->m_calls.GetCount());
            self->m_writer->Reply(*call, std::move(payload));
        }
        self->m_calls.End(*call);
    };
}

void
SvcRdmaConnection::DropNoCall(const SvcRdmaCall& call)
{
    --m_delivered;
    m_calls.End(call);
    ++m_statistics->noCalls;
    ++m_statistics->dropped;
}

void
SvcRdmaConnection::HandleTerminateSent(const TerminateMessage& message)
{
    m_end.HandleTerminateSent(message);
    if (message.reason == TerminateReason::From(DdpError::UNTAGGED_NO_BUFFER))
    {
        ++m_statistics->overruns;
    }
}

void
SvcRdmaConnection::HandleTerminateReceived(const TerminateMessage& message)
{
    m_end.HandleTerminateReceived(message);
    m_calls.HandleTerminate(message);
}

} // namespace ns3::nfsrdma
