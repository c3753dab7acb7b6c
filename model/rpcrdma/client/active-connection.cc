/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/active-connection.h"

#include "rpcrdma/connection-end.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaRpcRdmaConnection");

namespace
{

/// Region number space of the connection itself: its write pad belongs to no slot.
constexpr uint32_t NO_SLOT = 0;
/// No write pad is registered when one in so many of a device's regions is in use already, or a
/// connection has no more than so many, since it keeps its region as long as the connection lasts.
constexpr uint32_t PADS_PART = 4;
/// RPCRDMA_BACKWARD_WRS and one for draining.
constexpr uint32_t EXTRA_WORK_REQUESTS = 33;
/// Registration and invalidation of head, item and tail, and the Send (frwr_query_device).
constexpr uint32_t WORK_REQUESTS_PER_CALL = 7;
/// Registration and invalidation of a Read chunk's pad.
constexpr uint32_t PAD_WORK_REQUESTS = 2;

} // namespace

RpcRdmaConnection::RpcRdmaConnection(Ptr<RnicDevice> device,
                                     RpcRdmaConnectionSettings settings,
                                     const CallFormPolicy& callForms,
                                     ReplyMechanismPolicy& replyMechanism,
                                     XprtRdmaStatistics& statistics,
                                     RpcRdmaConnectionOwner& owner)
    : m_device(device),
      m_settings(std::move(settings)),
      m_callForms(callForms),
      m_replyMechanism(replyMechanism),
      m_statistics(statistics),
      m_owner(owner),
      m_window(m_settings.slots, m_settings.reservedCredits),
      m_sendCount(m_settings.slots / SEND_BATCHES),
      m_check(m_settings.replyRules)
{
    m_window.SetObserver([this](uint32_t calls) { m_owner.HandleOutstanding(calls); });
}

RpcRdmaConnection::~RpcRdmaConnection()
{
    TearDown();
}

bool
RpcRdmaConnection::Connect(const InetSocketAddress& server)
{
    m_cancelPolicy = CancelPolicy::Create(m_settings.cancelPolicyName);
    NS_ABORT_MSG_UNLESS(m_cancelPolicy, "no cancel policy " << m_settings.cancelPolicyName);
    uint32_t& regionPages = m_settings.registration.regionPages;
    regionPages = std::min(
        {regionPages, m_settings.maxDataPages, m_device->GetSettings().maxFastRegisterPages});
    const uint32_t segments =
        InlineLimits::GetMaxSegments(m_settings.maxDataPages, regionPages, m_settings.maxSegments);
    const uint32_t chunks = std::max(m_settings.maxReadChunks + m_settings.maxWriteChunks, 2U) - 1;
    QueuePairCapabilities sizes;
    sizes.sendDepth =
        m_settings.slots * std::max(WORK_REQUESTS_PER_CALL, 2 * segments * chunks + 1) +
        EXTRA_WORK_REQUESTS;
    sizes.sendDepth += m_settings.readPad == READ_PAD_NONE
                           ? 0
                           : m_settings.slots * PAD_WORK_REQUESTS * m_settings.maxReadChunks;
    sizes.sendDepth += m_settings.replyPull.IsEnabled() ? ReplyPullSession::WORK_REQUESTS : 0;
    m_reverseReceives = RpcRdmaReverseResponder::GetReceives(m_settings.backchannelCredits);
    sizes.receiveDepth = m_settings.slots + m_reverseReceives + m_settings.receiveBatch + 1;
    FitToDevice(sizes);
    m_endpoint = VerbsEndpoint::Create(
        m_device,
        sizes,
        [this](const WorkCompletion& completion) { HandleSendCompletion(completion); },
        [this](const WorkCompletion& completion) { HandleReceive(completion); });
    if (!m_endpoint)
    {
        m_state = State::ENDED;
        return false;
    }
    m_room = std::make_unique<RpcRdmaSendRoom>(m_endpoint->GetQueuePair(), sizes.sendDepth, [this] {
        Disconnect("the queue pair refuses work");
    });
    m_endpoint->GetQueuePair()->TraceConnectWithoutContext(
        "TerminateSent",
        MakeCallback(&RpcRdmaConnection::HandleTerminateSent, this));
    m_endpoint->GetQueuePair()->TraceConnectWithoutContext(
        "TerminateReceived",
        MakeCallback(&RpcRdmaConnection::HandleTerminateReceived, this));
    m_limits.segments = segments;
    m_registrar =
        ChunkRegistrar::Create(m_device, m_endpoint->GetDomain(), m_settings.registration);
    NS_ABORT_MSG_UNLESS(m_registrar,
                        "no registration strategy " << m_settings.registration.strategy);
    m_registrar->SetThread(m_endpoint->GetQueuePair()->GetThread(), m_settings.mapCost);
    m_receives = std::make_unique<ReceiveBuffers>(m_device->GetHostMemory(),
                                                  m_endpoint->GetQueuePair(),
                                                  m_settings.inlineReceive);
    const uint32_t reverseReceives =
        m_settings.reverse.server ? RpcRdmaReverseResponder::GetReceives(m_settings.reverse.credits)
                                  : 0;
    m_receives->Post(1 + std::min(reverseReceives, m_reverseReceives));

    CmConnectionParameters parameters;
    parameters.privateData = GetPrivateData().EncodeWithin(m_device->GetSettings().maxPrivateData);
    parameters.responderResources =
        std::min(m_settings.responderResources, m_device->GetSettings().maxIrd);
    parameters.initiatorDepth = 0;
    ReplyPullSettings& pull = m_settings.replyPull;
    pull.supported =
        pull.supported && ReadChunkExtension::Fits(m_device->GetSettings().maxPrivateData);
    pull.remoteInvalidation = pull.remoteInvalidation && GetPrivateData().remoteInvalidation;
    if (pull.supported)
    {
        const ByteVector extension = pull.MakeExtension().Encode();
        parameters.privateData.insert(parameters.privateData.end(),
                                      extension.begin(),
                                      extension.end());
        parameters.initiatorDepth = std::min(pull.reads, m_device->GetSettings().maxOrd);
    }
    m_cm = CmId::Create(m_device);
    m_cm->SetEventCallback(MakeCallback(&RpcRdmaConnection::HandleEvent, this));
    m_cm->Connect(m_endpoint->GetQueuePair(), server, parameters);
    return true;
}

void
RpcRdmaConnection::FitToDevice(QueuePairCapabilities& sizes)
{
    const uint32_t deepest =
        std::min(m_device->GetSettings().maxQueueDepth, m_device->GetSettings().maxCqDepth);
    sizes.sendDepth = std::min(sizes.sendDepth, deepest);
    if (sizes.receiveDepth <= deepest)
    {
        return;
    }
    sizes.receiveDepth = deepest;
    m_reverseReceives = std::min(m_reverseReceives, deepest / 2);
    if (m_settings.reverse.server)
    {
        m_settings.reverse.credits =
            std::clamp(m_reverseReceives / 2, 1U, m_settings.reverse.credits);
    }
    m_settings.slots = std::min(m_settings.slots, deepest - m_reverseReceives);
    m_settings.reservedCredits = std::min(m_settings.reservedCredits, m_settings.slots - 1);
    m_sendCount = m_settings.slots / SEND_BATCHES;
    m_window = CreditWindow(m_settings.slots, m_settings.reservedCredits);
    m_window.SetObserver([this](uint32_t calls) { m_owner.HandleOutstanding(calls); });
}

void
RpcRdmaConnection::NoteEnd(const std::string& reason)
{
    m_endReason = m_endReason.empty() ? reason : m_endReason;
}

void
RpcRdmaConnection::Disconnect(const std::string& reason)
{
    if (m_state == State::ESTABLISHED)
    {
        NoteEnd(reason);
        m_state = State::CLOSING;
        m_cm->Disconnect();
    }
}

void
RpcRdmaConnection::HandleTerminateSent(const TerminateMessage& message)
{
    m_settings.terminates->Add(TerminateWay::SENT, message);
    NoteEnd("terminate sent: " + message.reason.ToString());
}

void
RpcRdmaConnection::HandleTerminateReceived(const TerminateMessage& message)
{
    m_settings.terminates->Add(TerminateWay::RECEIVED, message);
    NoteEnd("terminate received: " + message.reason.ToString());
}

const std::string&
RpcRdmaConnection::GetEndReason() const
{
    return m_endReason;
}

void
RpcRdmaConnection::Drop(const std::string& reason)
{
    if (m_state == State::ENDED || !m_cm)
    {
        return;
    }
    NoteEnd(reason);
    m_state = State::CLOSING;
    const Ptr<CmId> cm = m_cm;
    cm->SetEventCallback(CmId::EventCallback());
    cm->Destroy();
    Simulator::ScheduleNow(
        [self = Ptr<RpcRdmaConnection>(this)] { self->HandleEnd(CmEventType::DISCONNECTED); });
}

void
RpcRdmaConnection::InjectError()
{
    if (m_endpoint)
    {
        NoteEnd("the queue pair has failed");
        m_endpoint->GetQueuePair()->MoveToError();
    }
}

void
RpcRdmaConnection::Abort()
{
    m_state = State::ENDED;
    TearDown();
}

bool
RpcRdmaConnection::IsEstablished() const
{
    return m_state == State::ESTABLISHED;
}

const InlineLimits&
RpcRdmaConnection::GetInlineLimits() const
{
    return m_limits;
}

uint64_t
RpcRdmaConnection::GetLargestRoom(const RpcReplyEstimate& reply) const
{
    return m_encoder ? m_encoder->GetLargestRoom(reply) : UINT64_MAX;
}

const CreditWindow&
RpcRdmaConnection::GetWindow() const
{
    return m_window;
}

const std::string&
RpcRdmaConnection::DescribeRefusal() const
{
    return m_encoder->DescribeRefusal();
}

uint32_t
RpcRdmaConnection::GetRequestCount() const
{
    return m_requests.size() + m_fencing.size() - m_setAside;
}

void
RpcRdmaConnection::ForEachCall(const std::function<void(RpcTransportCall&)>& visit) const
{
    for (const auto& [xid, request] : m_requests)
    {
        if (request->cancellation == RpcCancellation::NONE)
        {
            visit(*request->call);
        }
    }
}

Time
RpcRdmaConnection::GetOldestOwed() const
{
    Time oldest = Time::Max();
    for (const auto& [xid, sent] : m_owed)
    {
        oldest = std::min(oldest, sent);
    }
    return oldest;
}

Time
RpcRdmaConnection::GetLastUsed() const
{
    return m_lastUsed;
}

Time
RpcRdmaConnection::GetLastHeard() const
{
    return m_lastHeard;
}

bool
RpcRdmaConnection::IsWaitingForRegions() const
{
    return m_waitingForRegions;
}

void
RpcRdmaConnection::HandleEvent(Ptr<CmId> /*id*/, const CmEvent& event)
{
    if (event.type == CmEventType::ESTABLISHED)
    {
        HandleEstablished(event);
        return;
    }
    Simulator::ScheduleNow([self = Ptr<RpcRdmaConnection>(this), event] {
        self->NoteEnd(DescribeEnd(event));
        self->HandleEnd(event.type);
    });
}

void
RpcRdmaConnection::HandleEstablished(const CmEvent& event)
{
    const uint32_t segments = m_limits.segments;
    RpcRdmaPrivateData own = GetPrivateData();
    own.receiveSize = own.GetAdvertised(m_device->GetSettings().maxPrivateData).receiveSize;
    const RpcRdmaPrivateData peer =
        DecodePrivateDataOrDefault(event.privateData,
                                   m_settings.privateDataAtFront ? PrivateDataPlace::FRONT
                                                                 : PrivateDataPlace::ANYWHERE);
    m_limits = InlineLimits::Negotiate(own, peer, segments);
    m_invalidatesRemotely = own.remoteInvalidation && peer.remoteInvalidation;
    m_state = State::ESTABLISHED;
    m_lastUsed = Simulator::Now();
    m_lastHeard = m_lastUsed;

    m_registrar->Grow(segments);
    CallEncoderSettings settings;
    settings.limits = m_limits;
    settings.credits = m_settings.slots;
    settings.elements = m_device->GetSettings().maxElements;
    settings.bufferSize = m_settings.bufferSize;
    settings.maxReadChunks = m_settings.maxReadChunks;
    settings.maxWriteChunks = m_settings.maxWriteChunks;
    settings.maxChunkSegments = m_settings.maxChunkSegments;
    settings.readPad = m_settings.readPad;
    settings.ownWritePads = m_settings.writePadSegment && m_invalidatesRemotely;
    if (m_settings.writePadSegment && !settings.ownWritePads)
    {
        RegisterWritePad(settings);
    }
    settings.peerGivesReadChunks = m_settings.replyPull.IsEnabled() && StartPullSession(event);
    m_encoder = std::make_unique<RpcRdmaCallEncoder>(m_device->GetHostMemory(),
                                                     *m_registrar,
                                                     m_callForms,
                                                     m_replyMechanism,
                                                     m_statistics,
                                                     settings);
    if (m_settings.reverse.server)
    {
        m_reverse = Create<RpcRdmaReverseResponder>(
            m_settings.reverse,
            m_device->GetHostMemory(),
            m_endpoint->GetQueuePair(),
            *m_room,
            m_limits.send,
            m_settings.reverseStatistics,
            [this](const std::string& reason) { Disconnect(reason); });
    }
    m_owner.HandleEstablished();
}

RpcRdmaPrivateData
RpcRdmaConnection::GetPrivateData() const
{
    const bool hasTagToKeep = m_settings.writePadSegment && m_settings.protectWritePad;
    const bool invalidates = m_settings.remoteInvalidation && !hasTagToKeep &&
                             m_registrar->AllowsRemoteInvalidation() &&
                             m_device->GetSettings().sendWithInvalidate;
    return {invalidates, m_settings.inlineSend, m_settings.inlineReceive};
}

bool
RpcRdmaConnection::StartPullSession(const CmEvent& event)
{
    PullNotifier::Limits limits;
    if (m_settings.replyPull.supported && event.ord > 0)
    {
        limits.agreement =
            ReadChunkAgreement::Agree(m_settings.replyPull.MakeExtension(),
                                      DecodeReadChunkExtensionOrNone(event.privateData));
        limits.agreement.remoteInvalidation &= m_invalidatesRemotely;
    }
    if (limits.agreement.active)
    {
        m_check.AllowReadChunks();
        m_registrar->GetBroker()->ExpectSinks();
        m_solo = m_registrar->GetBroker()->IsSolo();
    }
    limits.sendSize = m_limits.send;
    limits.elements = m_device->GetSettings().maxElements;
    m_pull =
        std::make_unique<ReplyPullSession>(ReplyPullSession::Resources{m_device->GetHostMemory(),
                                                                       *m_room,
                                                                       GetSinkRegistrar(),
                                                                       m_window,
                                                                       m_settings.replyPull},
                                           limits);
    return limits.agreement.active;
}

ChunkRegistrar&
RpcRdmaConnection::GetSinkRegistrar()
{
    RegistrationSettings settings = m_settings.registration;
    settings.strategy = ChunkRegistrar::GetSinkStrategy(settings.strategy);
    if (settings.strategy == m_settings.registration.strategy)
    {
        return *m_registrar;
    }
    m_sinkRegistrar = ChunkRegistrar::Create(m_device, m_endpoint->GetDomain(), settings);
    m_sinkRegistrar->SetThread(m_endpoint->GetQueuePair()->GetThread(), m_settings.mapCost);
    return *m_sinkRegistrar;
}

void
RpcRdmaConnection::RegisterWritePad(CallEncoderSettings& settings)
{
    const RnicCensus census = m_device->GetCensus();
    if (census.memoryRegions >= m_device->GetSettings().maxMrs / PADS_PART ||
        m_registrar->GetMost() <= PADS_PART)
    {
        return;
    }
    const uint32_t padLength = 4;
    m_writePad = HostBuffer(m_device->GetHostMemory(), padLength);
    std::vector<SendWorkRequest> chain;
    const auto registration = m_registrar->Register(NO_SLOT,
                                                    m_writePad.GetAddress(),
                                                    padLength,
                                                    ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE,
                                                    0,
                                                    chain);
    if (!registration)
    {
        return;
    }
    for (SendWorkRequest& request : chain)
    {
        request.id = UNTRACKED_WORK;
    }
    if (chain.empty() || m_room->Post(std::move(chain)))
    {
        settings.writePad = registration->segment;
    }
}

void
RpcRdmaConnection::HandleEnd(CmEventType reason)
{
    if (m_state == State::ENDED)
    {
        return;
    }
    NS_LOG_LOGIC("connection ended: " << ToString(reason));
    m_state = State::ENDED;
    TearDown();
    EndSends(nullptr);
    m_owner.HandleEnd(reason);
}

void
RpcRdmaConnection::TearDown()
{
    m_refresh.Cancel();
    if (m_cm)
    {
        m_cm->SetEventCallback(CmId::EventCallback());
    }
    if (m_registrar)
    {
        m_registrar->GetBroker()->Cancel(this);
    }
    m_encoder.reset();
    if (m_reverse)
    {
        m_reverse->Close();
        m_reverse = nullptr;
    }
    m_pull.reset();
    if (m_registrar)
    {
        m_statistics.mrsAllocated += m_registrar->GetAllocated();
    }
    m_registrar.reset();
    m_sinkRegistrar.reset();
    m_receives.reset();
    m_room.reset();
    m_endpoint.reset();
    m_writePad = HostBuffer();
    m_cm = nullptr;
}

std::vector<RpcRdmaRequest*>
RpcRdmaConnection::TakeRequests()
{
    std::vector<RpcRdmaRequest*> requests(std::move(m_fencing));
    for (const auto& [xid, request] : m_requests)
    {
        requests.push_back(request);
    }
    for (RpcRdmaRequest* request : requests)
    {
        request->registrations.clear();
        request->invalidationPending = false;
        request->hostPending = false;
        request->replied = false;
        request->pullPending = false;
        request->pulled.reset();
    }
    m_fencing.clear();
    m_requests.clear();
    m_requestOfSlot.clear();
    m_owed.clear();
    m_givenUp.clear();
    m_setAside = 0;
    m_window.Reset();
    return requests;
}

void
RpcRdmaConnection::AddLiveStatistics(XprtRdmaStatistics& statistics) const
{
    if (m_registrar)
    {
        statistics.mrsAllocated += m_registrar->GetAllocated();
    }
    if (IsEstablished())
    {
        statistics.idleTime =
            static_cast<uint64_t>((Simulator::Now() - m_lastUsed).ToInteger(Time::S));
    }
}

std::vector<std::string>
RpcRdmaConnection::DescribeWaiting() const
{
    std::vector<std::string> lines;
    for (const auto& [xid, request] : m_requests)
    {
        std::string what = "reply";
        if (request->cancellation != RpcCancellation::NONE)
        {
            what = "late reply, given up";
        }
        else if (request->replied)
        {
            what = request->pullPending
                       ? std::string("its Read chunk being pulled")
                       : "invalidation of " + std::to_string(request->registrations.size()) +
                             " chunk segments";
        }
        lines.push_back(DescribeXid(xid) + ": " + what);
    }
    if (const uint32_t waiting = m_room ? m_room->GetWaiting() : 0; waiting > 0)
    {
        lines.push_back("room in the send queue: " + std::to_string(waiting) + " work requests");
    }
    return lines;
}

} // namespace ns3::nfsrdma
