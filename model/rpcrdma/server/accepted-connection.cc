/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/accepted-connection.h"

#include "rpcrdma/connection-end.h"

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
SvcRdmaConnection::Accept(const CmEvent& request, uint64_t number, Closed closed)
{
    m_number = number;
    const RpcRdmaPrivateData peer =
        DecodePrivateDataOrDefault(request.privateData, m_settings->privateDataPlace);
    const ReadChunkExtension extension = DecodeReadChunkExtensionOrNone(request.privateData);
    const bool answers = AgreeOnReadChunks(extension);
    const uint32_t reads =
        std::min({request.ord, m_device->GetSettings().maxOrd, m_settings->maxOutboundReads});
    m_thresholds = ChooseThresholds(peer);
    const uint32_t threshold = m_settings->honoursSizes
                                   ? std::min(m_thresholds.send, peer.receiveSize)
                                   : m_thresholds.send;
    if (reads == 0)
    {
        m_endReason = "refused: no RDMA Reads are possible (the client's rnic.max_ird and "
                      "client_responder_resources and the server's rnic.max_ord)";
    }
    else if (!Prepare(threshold,
                      peer.remoteInvalidation && m_device->GetSettings().sendWithInvalidate))
    {
        m_endReason = "refused: " + DescribeMissingObjects(*m_device) + " or no receive for it";
    }
    if (!m_endReason.empty())
    {
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
    const bool invalidates =
        m_settings->remoteInvalidation && m_device->GetSettings().sendWithInvalidate;
    parameters.privateData =
        RpcRdmaPrivateData{invalidates, m_thresholds.send, m_thresholds.receive}.EncodeWithin(
            m_device->GetSettings().maxPrivateData);
    if (answers)
    {
        const ByteVector answer = EncodeReadChunkAnswer(invalidates);
        parameters.privateData.insert(parameters.privateData.end(), answer.begin(), answer.end());
        parameters.responderResources =
            std::min(request.ird, m_settings->readChunks->responderResources);
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
    const uint32_t needed = 1 + m_doneReceives;
    const uint32_t size = ChooseThresholds(DecodePrivateDataOrDefault(request.privateData,
                                                                      m_settings->privateDataPlace))
                              .receive;
    return !pool.HasRoomFor(needed, size) && pool.CanEverHold(needed, size);
}

InlineThresholds
SvcRdmaConnection::ChooseThresholds(const RpcRdmaPrivateData& peer) const
{
    const SvcRdmaCreditPool& pool = *m_settings->creditPool;
    InlineSituation situation;
    situation.maximum = {m_settings->inlineSend, m_settings->inlineReceive};
    situation.peer = {peer.sendSize, peer.receiveSize};
    situation.receives = pool.GrantFirst() + GetExtraReceives() + GetReceiveBatch();
    situation.memoryLeft = pool.GetMemoryLeft();
    return m_settings->thresholds->Choose(situation);
}

bool
SvcRdmaConnection::AgreeOnReadChunks(const ReadChunkExtension& peer)
{
    const SvcReadChunkSettings& settings = *m_settings->readChunks;
    const bool answers = settings.supported && peer.requester &&
                         ReadChunkExtension::Fits(m_device->GetSettings().maxPrivateData);
    m_exposes = settings.withoutAgreement ? settings.policy->IsEnabled() : answers;
    m_doneReceives = m_exposes ? BoundDoneReceives() : 0;
    m_noticesOnCalls = answers && ReadChunkAgreement::Agree(peer, settings.extension).piggyback;
    return answers;
}

ByteVector
SvcRdmaConnection::EncodeReadChunkAnswer(bool remoteInvalidation) const
{
    ReadChunkExtension extension = m_settings->readChunks->extension;
    extension.remoteInvalidation = extension.remoteInvalidation && remoteInvalidation &&
                                   m_registrar->AllowsRemoteInvalidation();
    extension.doneReceives = static_cast<uint16_t>(m_doneReceives);
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
SvcRdmaConnection::Prepare(uint32_t sendThreshold, bool requesterInvalidates)
{
    SvcRdmaCreditPool& pool = *m_settings->creditPool;
    QueuePairCapabilities sizes;
    sizes.sendDepth = m_settings->sendQueueDepth;
    sizes.receiveDepth =
        std::max(pool.GetMaximum(), m_settings->creditCeiling) +
        std::max(GetExtraReceives(), m_settings->backchannelCredits + m_doneReceives) +
        m_settings->receiveBatch;
    const uint32_t deepest = GetDeepestQueue();
    m_fewReceives = sizes.receiveDepth > deepest;
    sizes.sendDepth = std::min(sizes.sendDepth, deepest);
    sizes.receiveDepth = std::min(sizes.receiveDepth, deepest);
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
                                                  m_thresholds.receive,
                                                  &pool.GetBudget());
    m_registrar =
        ChunkRegistrar::Create(m_device, m_endpoint->GetDomain(), m_settings->registration);
    m_registrar->SetThread(m_endpoint->GetQueuePair()->GetThread(), m_settings->mapCost);
    m_sendQueue = std::make_unique<SvcRdmaSendQueue>(
        [pair = m_endpoint->GetQueuePair()](const auto& chain) { return pair->PostSend(chain); },
        sizes.sendDepth,
        m_statistics);
    m_sendQueue->SetRefused([this] { Close("the send queue refuses work"); });
    m_puller =
        std::make_unique<SvcRdmaReadPuller>(memory, *m_registrar, *m_sendQueue, m_statistics);
    m_writer = std::make_unique<SvcRdmaReplyWriter>(
        memory,
        *m_registrar,
        *m_sendQueue,
        m_settings,
        m_statistics,
        ReplyWriterLimits{sendThreshold,
                          requesterInvalidates,
                          m_device->GetSettings().maxElements});
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
    if (!m_receives->Post(1 + GetExtraReceives()))
    {
        SetGranted(1);
        return false;
    }
    SetGranted(1);
    SetGranted(PostForGrant(pool.GrantFirst()));
    ReportMemory();
    return true;
}

void
SvcRdmaConnection::Close(const std::string& reason)
{
    if (m_endReason.empty())
    {
        m_endReason = reason;
    }
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

const std::string&
SvcRdmaConnection::GetEndReason() const
{
    return m_endReason;
}

void
SvcRdmaConnection::InjectError()
{
    if (m_endpoint)
    {
        m_endReason = m_endReason.empty() ? "the queue pair has failed" : m_endReason;
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

bool
SvcRdmaConnection::HasReverseReceive()
{
    SvcRdmaCreditPool& pool = *m_settings->creditPool;
    if (!pool.IsBounded() || !m_receives)
    {
        return true;
    }
    const uint32_t needed = m_granted + GetExtraReceives() + 1;
    if (m_receives->GetPosted() < needed)
    {
        m_receives->Post(needed - m_receives->GetPosted());
        ReportMemory();
    }
    const bool has = m_receives->GetPosted() >= needed;
    if (!has && !m_awaitsReceive)
    {
        m_awaitsReceive = true;
        pool.AwaitReceive([self = Ptr<SvcRdmaConnection>(this)] {
            self->m_awaitsReceive = !(!self->m_reverse || self->m_reverse->Resume());
            return !self->m_awaitsReceive;
        });
    }
    return has;
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

uint32_t
SvcRdmaConnection::GetWaitingForRegions() const
{
    return m_puller ? m_puller->GetWaiting() + m_writer->GetWaiting() : 0;
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
    if (m_endReason.empty())
    {
        m_endReason = DescribeEnd(event);
    }
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
        m_settings->creditPool->ChangeGrant(m_granted, 0);
        m_settings->creditPool->RemoveConnection();
        m_receives.reset();
        ReportMemory();
    }
    m_endpoint.reset();
    m_cm = nullptr;
}

void
SvcRdmaConnection::PostReceives()
{
    const uint32_t reverse = m_reverse ? m_reverse->GetOutstanding() : 0;
    const uint32_t others = m_fewReceives ? GetExtraReceives() : m_doneReceives + reverse;
    if (m_receives->GetPosted() < m_granted + others)
    {
        m_receives->Post(std::max(GetReceiveBatch(), 1U));
    }
    m_receives->Trim(m_granted + GetExtraReceives() + GetReceiveBatch());
    ReportMemory();
}

uint32_t
SvcRdmaConnection::GetExtraReceives() const
{
    if (m_settings->creditPool->IsBounded())
    {
        return m_doneReceives + (m_reverse ? m_reverse->GetOutstanding() : 0);
    }
    return m_settings->backchannelCredits + m_doneReceives;
}

uint32_t
SvcRdmaConnection::GetReceiveBatch() const
{
    return m_settings->creditPool->IsBounded() ? 0 : m_settings->receiveBatch;
}

void
SvcRdmaConnection::ReportMemory()
{
    const SvcRdmaReceiveBudget& budget = m_settings->creditPool->GetBudget();
    m_statistics->receiveOctets = budget.GetOctets();
    m_statistics->receiveOctetsPeak = budget.GetPeakOctets();
}

void
SvcRdmaConnection::HandleTerminateSent(const TerminateMessage& message)
{
    m_settings->terminates->Add(TerminateWay::SENT, message);
    if (m_endReason.empty())
    {
        m_endReason = "terminate sent: " + message.reason.ToString();
    }
    if (message.reason == TerminateReason::From(DdpError::UNTAGGED_NO_BUFFER))
    {
        ++m_statistics->overruns;
    }
}

void
SvcRdmaConnection::HandleTerminateReceived(const TerminateMessage& message)
{
    m_settings->terminates->Add(TerminateWay::RECEIVED, message);
    if (m_endReason.empty())
    {
        m_endReason = "terminate received: " + message.reason.ToString();
    }
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

} // namespace ns3::nfsrdma
