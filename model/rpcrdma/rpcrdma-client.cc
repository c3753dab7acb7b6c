/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/rpcrdma-client.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaRpcRdmaClient");

namespace
{

/// Region number space of the connection itself: its write pad belongs to no slot.
constexpr uint32_t NO_SLOT = 0;
/// RPCRDMA_BACKWARD_WRS and one for draining.
constexpr uint32_t EXTRA_WORK_REQUESTS = 33;
/// Registration and invalidation of head, item and tail, and the Send (frwr_query_device).
constexpr uint32_t WORK_REQUESTS_PER_CALL = 7;

std::string
DescribeXid(uint32_t xid)
{
    std::ostringstream text;
    text << "XID 0x" << std::hex << std::setw(8) << std::setfill('0') << xid;
    return text.str();
}

} // namespace

RpcRdmaClient::RpcRdmaClient()
    : m_server(Ipv4Address::GetAny(), 0)
{
}

RpcRdmaClient::~RpcRdmaClient() = default;

void
RpcRdmaClient::DoDispose()
{
    m_refresh.Cancel();
    if (m_cm)
    {
        m_cm->SetEventCallback(CmId::EventCallback());
    }
    TearDown();
    m_queue.clear();
    m_requests.clear();
    m_slotOfXid.clear();
    m_device = nullptr;
    Object::DoDispose();
}

void
RpcRdmaClient::SetDevice(Ptr<RnicDevice> device)
{
    m_device = device;
}

void
RpcRdmaClient::SetServer(const InetSocketAddress& server)
{
    m_server = server;
}

bool
RpcRdmaClient::IsConnected() const
{
    return m_state == State::CONNECTED;
}

bool
RpcRdmaClient::IsIdle() const
{
    return m_state == State::IDLE;
}

const InlineLimits&
RpcRdmaClient::GetInlineLimits() const
{
    return m_limits;
}

uint32_t
RpcRdmaClient::GetCredits() const
{
    return m_window.GetGranted();
}

uint32_t
RpcRdmaClient::GetOutstanding() const
{
    return m_window.GetOutstanding();
}

uint32_t
RpcRdmaClient::GetPending() const
{
    return m_queue.size() + m_slotOfXid.size();
}

XprtRdmaStatistics
RpcRdmaClient::GetStatistics() const
{
    XprtRdmaStatistics statistics = m_statistics;
    if (m_registrar)
    {
        statistics.mrsAllocated += m_registrar->GetAllocated();
    }
    if (m_state == State::CONNECTED)
    {
        statistics.idleTime =
            static_cast<uint64_t>((Simulator::Now() - m_lastUsed).ToInteger(Time::S));
    }
    return statistics;
}

void
RpcRdmaClient::Connect()
{
    if (m_state != State::IDLE)
    {
        return;
    }
    NS_ABORT_MSG_UNLESS(m_device, "RpcRdmaClient has no device");
    m_replyMechanism = ReplyMechanismPolicy::Create(m_replyMechanismName);
    auto registration = RegistrationPolicy::Create(m_registrationName);
    NS_ABORT_MSG_UNLESS(m_replyMechanism, "no reply mechanism policy " << m_replyMechanismName);
    NS_ABORT_MSG_UNLESS(registration, "no registration policy " << m_registrationName);

    m_state = State::CONNECTING;
    m_disconnectWhenIdle = false;
    m_waitingForRegions = false;
    m_reclaimed = false;
    m_connectStart = Simulator::Now();
    m_window = CreditWindow(m_slots);
    m_credits = m_window.GetGranted();
    m_unsignaledLeft = m_slots / 8;

    const uint32_t regionPages =
        std::min({m_regionPages, m_maxDataPages, m_device->GetMaxFastRegisterPages()});
    const uint32_t segments =
        InlineLimits::GetMaxSegments(m_maxDataPages, regionPages, m_maxSegments);
    QueuePairCapabilities sizes;
    sizes.sendDepth =
        m_slots * std::max(WORK_REQUESTS_PER_CALL, 2 * segments + 1) + EXTRA_WORK_REQUESTS;
    sizes.receiveDepth = m_slots + 2 * m_backchannelCredits + m_receiveBatch + 1;
    m_endpoint = VerbsEndpoint::Create(
        m_device,
        sizes,
        [this](const WorkCompletion& completion) { HandleSendCompletion(completion); },
        [this](const WorkCompletion& completion) { HandleReceive(completion); });
    if (!m_endpoint)
    {
        HandleEnd(CmEventType::CONNECT_ERROR);
        return;
    }
    m_limits.segments = segments;
    m_registrar = std::make_unique<ChunkRegistrar>(m_device,
                                                   m_endpoint->GetDomain(),
                                                   regionPages,
                                                   std::move(registration));
    m_registrar->SetMapCost(m_endpoint->GetQueuePair()->GetThread(), m_mapCost);
    m_receives = std::make_unique<ReceiveBuffers>(m_device->GetHostMemory(),
                                                  m_endpoint->GetQueuePair(),
                                                  m_inlineReceive);
    m_receives->Post(1);

    CmConnectionParameters parameters;
    parameters.privateData =
        RpcRdmaPrivateData{m_remoteInvalidation, m_inlineSend, m_inlineReceive}.Encode();
    parameters.responderResources = std::min(m_responderResources, m_device->GetMaxIrd());
    parameters.initiatorDepth = 0;
    m_cm = CmId::Create(m_device);
    m_cm->SetEventCallback(MakeCallback(&RpcRdmaClient::HandleEvent, this));
    m_cm->Connect(m_endpoint->GetQueuePair(), m_server, parameters);
}

void
RpcRdmaClient::Disconnect()
{
    if (m_state == State::CONNECTING || m_state == State::CONNECTED)
    {
        m_disconnectWhenIdle = true;
        DisconnectIfIdle();
    }
}

void
RpcRdmaClient::DisconnectIfIdle()
{
    if (m_disconnectWhenIdle && m_state == State::CONNECTED && GetPending() == 0)
    {
        m_state = State::CLOSING;
        m_cm->Disconnect();
    }
}

void
RpcRdmaClient::HandleEvent(Ptr<CmId> /*id*/, const CmEvent& event)
{
    if (event.type == CmEventType::ESTABLISHED)
    {
        HandleEstablished(event);
        return;
    }
    const CmEventType reason = event.type;
    Simulator::ScheduleNow([self = Ptr<RpcRdmaClient>(this), reason] { self->HandleEnd(reason); });
}

void
RpcRdmaClient::HandleEstablished(const CmEvent& event)
{
    const uint32_t segments = m_limits.segments;
    const RpcRdmaPrivateData own{m_remoteInvalidation, m_inlineSend, m_inlineReceive};
    m_limits =
        InlineLimits::Negotiate(own, DecodePrivateDataOrDefault(event.privateData), segments);
    m_state = State::CONNECTED;
    ++m_statistics.connectCount;
    m_statistics.connectTime +=
        static_cast<uint64_t>((Simulator::Now() - m_connectStart).ToInteger(Time::S));
    m_lastUsed = Simulator::Now();

    m_registrar->Grow(segments);
    CallEncoderSettings settings;
    settings.limits = m_limits;
    settings.credits = m_slots;
    settings.elements = m_device->GetMaxElements();
    settings.bufferSize = m_bufferSize;
    if (m_writePadSegment)
    {
        RegisterWritePad(settings);
    }
    m_encoder = std::make_unique<RpcRdmaCallEncoder>(m_device->GetHostMemory(),
                                                     *m_registrar,
                                                     *m_replyMechanism,
                                                     m_statistics,
                                                     settings);
    m_connectedTrace(m_limits.send, m_limits.receive);
    Pump();
    DisconnectIfIdle();
}

void
RpcRdmaClient::RegisterWritePad(CallEncoderSettings& settings)
{
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
    chain.back().id = UNTRACKED_WORK;
    if (m_endpoint->GetQueuePair()->PostSend(chain))
    {
        settings.writePad = registration->segment;
    }
}

void
RpcRdmaClient::HandleEnd(CmEventType reason)
{
    if (m_state == State::IDLE)
    {
        return;
    }
    NS_LOG_LOGIC("connection ended: " << ToString(reason));
    m_state = State::IDLE;
    m_disconnectWhenIdle = false;
    TearDown();
    m_disconnectedTrace(reason);
    std::vector<std::unique_ptr<RpcTransportCall>> lost;
    for (const auto& [xid, slot] : m_slotOfXid)
    {
        RpcRdmaRequest& request = *m_requests[slot];
        request.registrations.clear();
        lost.push_back(std::move(request.call));
        ReleaseSlot(request);
    }
    m_slotOfXid.clear();
    m_window.Reset();
    for (const auto& call : lost)
    {
        call->record.outcome = RpcOutcome::DISCONNECTED;
        call->record.completed = Simulator::Now();
        call->completed(call->record, {});
    }
}

void
RpcRdmaClient::TearDown()
{
    m_refresh.Cancel();
    m_encoder.reset();
    if (m_registrar)
    {
        m_statistics.mrsAllocated += m_registrar->GetAllocated();
    }
    m_registrar.reset();
    m_receives.reset();
    m_endpoint.reset();
    m_writePad = HostBuffer();
    m_cm = nullptr;
}

std::vector<std::string>
RpcRdmaClient::DescribeWaiting() const
{
    std::vector<std::string> lines;
    for (const auto& [xid, slot] : m_slotOfXid)
    {
        const RpcRdmaRequest& request = *m_requests[slot];
        std::string what = "reply";
        if (request.replied)
        {
            what = request.invalidationPending
                       ? "invalidation of " + std::to_string(request.registrations.size()) +
                             " chunk segments"
                       : "completion of its Send";
        }
        lines.push_back(DescribeXid(xid) + ": " + what);
    }
    std::string queued = "credit (" + std::to_string(m_window.GetOutstanding()) + " of " +
                         std::to_string(m_window.GetGranted()) + " used)";
    if (m_state != State::CONNECTED)
    {
        queued = m_state == State::CONNECTING ? "connection being made" : "connection";
    }
    else if (m_waitingForRegions)
    {
        queued = "memory regions";
    }
    for (const auto& call : m_queue)
    {
        lines.push_back(DescribeXid(call->record.xid) + ": " + queued);
    }
    return lines;
}

} // namespace ns3::nfsrdma
