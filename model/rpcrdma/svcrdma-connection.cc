/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/svcrdma-connection.h"

#include "rpcrdma/private-data.h"
#include "rpcrdma/pull-notice-list.h"

#include "ns3/inet-socket-address.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaSvcRdmaConnection");

SvcRdmaConnection::SvcRdmaConnection(Ptr<RnicDevice> device,
                                     Ptr<RpcServer> rpcServer,
                                     std::shared_ptr<const SvcRdmaSettings> settings,
                                     std::shared_ptr<SvcRdmaStatistics> statistics)
    : m_device(device),
      m_rpcServer(rpcServer),
      m_settings(std::move(settings)),
      m_statistics(std::move(statistics)),
      m_check(m_settings->headerRules, m_settings->callLimits)
{
}

SvcRdmaConnection::~SvcRdmaConnection()
{
    TearDown();
}

bool
SvcRdmaConnection::Accept(const CmEvent& request, Closed closed)
{
    const RpcRdmaPrivateData peer = DecodePrivateDataOrDefault(request.privateData);
    const ReadChunkExtension extension = DecodeReadChunkExtensionOrNone(request.privateData);
    const ByteVector answer = AgreeOnReadChunks(extension);
    const uint32_t reads =
        std::min({request.ord, m_device->GetMaxOrd(), m_settings->maxOutboundReads});
    if (reads == 0 || !Prepare(std::min(m_settings->inlineSend, peer.receiveSize),
                               peer.remoteInvalidation && m_device->HasSendWithInvalidate()))
    {
        NS_LOG_LOGIC("refuses a connection");
        TearDown();
        request.newId->Reject({});
        return false;
    }
    m_closed = std::move(closed);
    m_cm = request.newId;
    // Without the port, which is another one after a reconnection (svc_rdma_accept()).
    m_source = InetSocketAddress::IsMatchingType(m_cm->GetPeerAddress())
                   ? InetSocketAddress::ConvertFrom(m_cm->GetPeerAddress()).GetIpv4().Get()
                   : 0;
    m_cm->SetEventCallback(MakeCallback(&SvcRdmaConnection::HandleEvent, this));
    CmConnectionParameters parameters;
    parameters.privateData =
        RpcRdmaPrivateData{m_settings->remoteInvalidation && m_device->HasSendWithInvalidate(),
                           m_settings->inlineSend,
                           m_settings->inlineReceive}
            .EncodeWithin(m_device->GetMaxPrivateData());
    parameters.privateData.insert(parameters.privateData.end(), answer.begin(), answer.end());
    parameters.responderResources =
        answer.empty() ? 0 : std::min(request.ird, m_settings->readChunks->responderResources);
    parameters.initiatorDepth = reads;
    m_cm->Accept(m_endpoint->GetQueuePair(), parameters);
    return true;
}

ByteVector
SvcRdmaConnection::AgreeOnReadChunks(const ReadChunkExtension& peer)
{
    const SvcReadChunkSettings& settings = *m_settings->readChunks;
    const bool answers = settings.supported && peer.requester &&
                         ReadChunkExtension::Fits(m_device->GetMaxPrivateData());
    m_exposes = settings.withoutAgreement ? settings.policy->IsEnabled() : answers;
    m_doneReceives = m_exposes ? settings.extension.doneReceives : 0;
    m_noticesOnCalls = answers && ReadChunkAgreement::Agree(peer, settings.extension).piggyback;
    return answers ? settings.extension.Encode() : ByteVector();
}

bool
SvcRdmaConnection::Prepare(uint32_t sendThreshold, bool requesterInvalidates)
{
    SvcRdmaCreditPool& pool = *m_settings->creditPool;
    QueuePairCapabilities sizes;
    sizes.sendDepth = m_settings->sendQueueDepth;
    sizes.receiveDepth = std::max(pool.GetMaximum(), m_settings->creditCeiling) +
                         GetExtraReceives() + m_settings->receiveBatch;
    m_endpoint = VerbsEndpoint::Create(
        m_device,
        sizes,
        [this](const WorkCompletion& completion) { m_sendQueue->HandleCompletion(completion); },
        [this](const WorkCompletion& completion) { HandleReceive(completion); });
    if (!m_endpoint)
    {
        return false;
    }
    m_sendThreshold = sendThreshold;
    const Ptr<HostMemory> memory = m_device->GetHostMemory();
    m_receives = std::make_unique<ReceiveBuffers>(memory,
                                                  m_endpoint->GetQueuePair(),
                                                  m_settings->inlineReceive);
    m_registrar = std::make_unique<ChunkRegistrar>(m_device,
                                                   m_endpoint->GetDomain(),
                                                   m_settings->regionPages,
                                                   RegistrationPolicy::Create("shared-fifo"));
    m_registrar->SetMapCost(m_endpoint->GetQueuePair()->GetThread(), m_settings->mapCost);
    m_sendQueue = std::make_unique<SvcRdmaSendQueue>(m_endpoint->GetQueuePair(),
                                                     m_settings->sendQueueDepth,
                                                     m_statistics);
    m_sendQueue->SetRefused([this] { Close(); });
    m_puller =
        std::make_unique<SvcRdmaReadPuller>(memory, *m_registrar, *m_sendQueue, m_statistics);
    m_writer = std::make_unique<SvcRdmaReplyWriter>(
        memory,
        *m_sendQueue,
        m_settings,
        m_statistics,
        ReplyWriterLimits{sendThreshold, requesterInvalidates, m_device->GetMaxElements()});
    if (m_exposes)
    {
        m_exposer = std::make_unique<SvcRdmaReplyExposer>(memory,
                                                          *m_registrar,
                                                          *m_sendQueue,
                                                          m_settings->readChunks,
                                                          m_statistics);
        m_writer->ProvideReadChunks(*m_exposer);
    }
    m_endpoint->GetQueuePair()->TraceConnectWithoutContext(
        "TerminateSent",
        MakeCallback(&SvcRdmaConnection::HandleTerminateSent, this));
    m_endpoint->GetQueuePair()->TraceConnectWithoutContext(
        "TerminateReceived",
        MakeCallback(&SvcRdmaConnection::HandleTerminateReceived, this));
    pool.AddConnection();
    m_granted = pool.GrantFirst();
    const bool posted = m_receives->Post(m_granted + GetExtraReceives());
    ReportMemory();
    return posted;
}

void
SvcRdmaConnection::Close()
{
    if (m_cm)
    {
        m_cm->Disconnect();
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

Ipv4Address
SvcRdmaConnection::GetPeer() const
{
    return m_cm ? GetIpv4(m_cm->GetPeerAddress()) : Ipv4Address::GetAny();
}

Ipv4Address
SvcRdmaConnection::GetIpv4(const Address& address)
{
    return InetSocketAddress::IsMatchingType(address)
               ? InetSocketAddress::ConvertFrom(address).GetIpv4()
               : Ipv4Address::GetAny();
}

uint32_t
SvcRdmaConnection::GetReverseThreshold() const
{
    return m_sendThreshold;
}

void
SvcRdmaConnection::SendReverse(ByteVector&& message)
{
    const auto length = static_cast<uint32_t>(message.size());
    const auto buffer = std::make_shared<HostBuffer>(m_device->GetHostMemory(), length);
    buffer->Write(0, message);
    SendWorkRequest send;
    send.opcode = WorkRequestOpcode::SEND;
    send.elements.push_back({buffer->GetAddress(), length});
    std::vector<SendWorkRequest> chain;
    chain.push_back(std::move(send));
    m_sendQueue->Post(std::move(chain), [buffer] {});
}

uint32_t
SvcRdmaConnection::GetCallsInService() const
{
    return m_inService;
}

uint32_t
SvcRdmaConnection::GetGranted() const
{
    return m_granted;
}

uint32_t
SvcRdmaConnection::GetPostedReceives() const
{
    return m_receives ? m_receives->GetPosted() : 0;
}

uint32_t
SvcRdmaConnection::GetWaitingWork() const
{
    return m_sendQueue ? m_sendQueue->GetWaiting() : 0;
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
    NS_LOG_LOGIC("connection ended: " << ToString(event.type));
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
    if (m_receives)
    {
        m_receives.reset();
        ReportMemory();
        m_settings->creditPool->RemoveConnection();
    }
    m_endpoint.reset();
    m_cm = nullptr;
}

void
SvcRdmaConnection::PostReceives()
{
    const uint32_t reverse = m_reverse ? m_reverse->GetOutstanding() : 0;
    if (m_receives->GetPosted() < m_granted + m_doneReceives + reverse)
    {
        m_receives->Post(std::max(m_settings->receiveBatch, 1U));
    }
    m_receives->Trim(m_granted + GetExtraReceives() + m_settings->receiveBatch);
    ReportMemory();
}

uint32_t
SvcRdmaConnection::GetExtraReceives() const
{
    return m_settings->backchannelCredits + m_doneReceives;
}

void
SvcRdmaConnection::ReportMemory()
{
    const uint64_t octets = m_receives ? m_receives->GetOctets() : 0;
    if (octets != m_receiveOctets)
    {
        SvcRdmaCreditPool& pool = *m_settings->creditPool;
        pool.ChangeMemory(m_receiveOctets, octets);
        m_receiveOctets = octets;
        m_statistics->receiveOctets = pool.GetMemory();
        m_statistics->receiveOctetsPeak = pool.GetPeakMemory();
    }
}

void
SvcRdmaConnection::HandleTerminateSent(const TerminateMessage& message)
{
    if (message.reason == TerminateReason::From(DdpError::UNTAGGED_NO_BUFFER))
    {
        ++m_statistics->overruns;
    }
}

void
SvcRdmaConnection::HandleTerminateReceived(const TerminateMessage& message)
{
    std::optional<Stag> named;
    if (message.readRequest)
    {
        named = message.readRequest->sourceStag;
    }
    else if (message.ddpHeader && std::holds_alternative<DdpTaggedHeader>(*message.ddpHeader))
    {
        named = std::get<DdpTaggedHeader>(*message.ddpHeader).stag;
    }
    for (const auto& call : m_recentCalls)
    {
        if (!named || call->chunks.Names(*named))
        {
            m_settings->failedCalls->Add(m_source, call->xid);
        }
    }
    m_recentCalls.clear();
}

void
SvcRdmaConnection::Remember(const std::shared_ptr<SvcRdmaCall>& call)
{
    const uint32_t capacity = m_settings->failedCalls->GetCapacity();
    if (capacity == 0 || call->chunks.IsEmpty())
    {
        return;
    }
    if (m_recentCalls.size() == capacity)
    {
        m_recentCalls.pop_front();
    }
    m_recentCalls.push_back(call);
}

void
SvcRdmaConnection::HandleReceive(const WorkCompletion& completion)
{
    if (completion.status != WorkCompletionStatus::SUCCESS)
    {
        return;
    }
    ++m_statistics->recv;
    m_receives->Take(completion, m_message);
    PostReceives();
    if (m_exposer)
    {
        TakeNotices(completion);
    }
    HandleMessage();
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
            return;
        }
        Refuse(checked.fixed, checked.verdict, checked.fault);
        break;
    case CallVerdict::ERROR:
        if (m_reverse && m_reverse->HandleError(checked.fixed))
        {
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
    if (!m_reverse->HandleReply(checked.fixed, payload))
    {
        ++m_statistics->dropped;
    }
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
                            Grant(header.credit),
                            verdict == CallVerdict::ERR_VERS ? RpcRdmaErrorCode::ERR_VERS
                                                             : RpcRdmaErrorCode::ERR_CHUNK);
    }
    else
    {
        ++m_statistics->dropped;
    }
    if (m_settings->refused)
    {
        m_settings->refused(header.xid, verdict, fault);
    }
}

CallFault
SvcRdmaConnection::CheckService(const CheckedCall& checked) const
{
    if (m_settings->headerRules.discardDuplicates && m_xidsInService.count(checked.header.xid) != 0)
    {
        return CallFault::DUPLICATE_XID;
    }
    if (!m_settings->failedCalls->IsEmpty() &&
        m_settings->failedCalls->Take(m_source, checked.header.xid))
    {
        return CallFault::FAILED_BEFORE;
    }
    if (m_settings->programLimits && !checked.header.chunks.IsEmpty())
    {
        const ByteSpan payload = ByteSpan(m_message).subspan(checked.payloadOffset);
        return CallHeaderCheck::CheckSizes(checked.header.chunks,
                                           m_rpcServer->GetMessageLimits(payload));
    }
    return CallFault::NONE;
}

uint32_t
SvcRdmaConnection::Grant(uint32_t requested)
{
    const uint32_t grant = m_settings->creditPool->Grant(requested, m_granted, m_inService);
    m_granted = grant > m_granted ? PostForGrant(grant) : grant;
    return m_granted;
}

uint32_t
SvcRdmaConnection::PostForGrant(uint32_t grant)
{
    const uint32_t needed = grant + GetExtraReceives();
    if (m_receives->GetPosted() < needed)
    {
        m_receives->Post(needed - m_receives->GetPosted());
        ReportMemory();
    }
    return std::max(std::min(grant, m_receives->GetPosted()), m_granted);
}

void
SvcRdmaConnection::HandleCall(RpcRdmaHeader&& header, std::size_t payloadOffset)
{
    auto call = std::make_shared<SvcRdmaCall>();
    call->xid = header.xid;
    call->requested = header.credit;
    call->chunks = std::move(header.chunks);
    ByteVector inlineMessage(m_message.begin() + static_cast<std::ptrdiff_t>(payloadOffset),
                             m_message.end());
    ++m_inService;
    Remember(call);
    if (m_settings->headerRules.discardDuplicates)
    {
        m_xidsInService.insert(call->xid);
    }
    if (call->chunks.readList.empty())
    {
        RpcReceivedMessage message;
        message.octets = std::move(inlineMessage);
        Deliver(call, std::move(message));
        return;
    }
    const bool pulled = m_puller->Pull(
        call->chunks.readList,
        std::move(inlineMessage),
        [this, call](RpcReceivedMessage&& message) { Deliver(call, std::move(message)); });
    if (!pulled)
    {
        NS_LOG_WARN("no memory region for the chunks of XID " << call->xid);
        EndService(*call);
        Close();
    }
}

void
SvcRdmaConnection::Deliver(std::shared_ptr<SvcRdmaCall> call, RpcReceivedMessage&& message)
{
    const bool isCall =
        m_rpcServer->Receive(std::move(message),
                             [self = Ptr<SvcRdmaConnection>(this), call](RpcPayload&& payload) {
                                 if (payload.octets.empty())
                                 {
                                     ++self->m_statistics->dropped;
                                 }
                                 else if (self->m_writer)
                                 {
                                     call->credits = self->Grant(call->requested);
                                     self->m_writer->Reply(*call, std::move(payload));
                                 }
                                 self->EndService(*call);
                             });
    if (!isCall)
    {
        EndService(*call);
        ++m_statistics->dropped;
    }
}

void
SvcRdmaConnection::EndService(const SvcRdmaCall& call)
{
    --m_inService;
    m_xidsInService.erase(call.xid);
}

} // namespace ns3::nfsrdma
