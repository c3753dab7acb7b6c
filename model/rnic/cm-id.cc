/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/cm-id.h"

#include "ddp/ddp-segmenter.h"
#include "ddp/ddp-untagged-queue.h"
#include "rdmap/terminate-message.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(CmId);

const char*
ToString(CmEventType type)
{
    switch (type)
    {
    case CmEventType::CONNECT_REQUEST:
        return "CONNECT_REQUEST";
    case CmEventType::ESTABLISHED:
        return "ESTABLISHED";
    case CmEventType::REJECTED:
        return "REJECTED";
    case CmEventType::CONNECT_ERROR:
        return "CONNECT_ERROR";
    case CmEventType::UNREACHABLE:
        return "UNREACHABLE";
    case CmEventType::DISCONNECTED:
        return "DISCONNECTED";
    }
    return "unknown";
}

TypeId
CmId::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::CmId")
                            .SetParent<Object>()
                            .SetGroupName("NfsRdma")
                            .AddTraceSource("Event",
                                            "An event is reported to the consumer.",
                                            MakeTraceSourceAccessor(&CmId::m_eventTrace),
                                            "ns3::nfsrdma::CmId::EventTracedCallback");
    return tid;
}

CmId::CmId() = default;
CmId::~CmId() = default;

Ptr<CmId>
CmId::Create(Ptr<RnicDevice> device)
{
    auto id = CreateObject<CmId>();
    id->m_device = device;
    return id;
}

void
CmId::DoDispose()
{
    m_delivery.Cancel();
    m_events.clear();
    m_callback = EventCallback();
    if (m_connection)
    {
        m_connection->Dispose();
        m_connection = nullptr;
    }
    if (m_pair)
    {
        m_pair->SetDisconnectedCallback(QueuePair::DisconnectedCallback());
        m_pair = nullptr;
    }
    m_listener = nullptr;
    m_device = nullptr;
    m_state = State::CLOSED;
    Object::DoDispose();
}

void
CmId::SetEventCallback(EventCallback callback)
{
    m_callback = callback;
}

bool
CmId::Listen(uint16_t port)
{
    if (m_state != State::IDLE ||
        !m_device->GetTransport()->Listen(port, MakeCallback(&CmId::HandleStream, this)))
    {
        return false;
    }
    m_port = port;
    Enter(State::LISTENING);
    return true;
}

void
CmId::HandleStream(Ptr<ByteStream> stream)
{
    auto id = Create(m_device);
    id->m_callback = m_callback;
    id->StartResponder(stream, Ptr<CmId>(this));
}

void
CmId::StartResponder(Ptr<ByteStream> stream, Ptr<CmId> listener)
{
    m_listener = listener;
    m_peer = stream->GetPeerAddress();
    Enter(State::AWAITING_REQUEST);
    UseConnection(m_device->CreateConnection());
    m_connection->StartResponder(stream);
}

void
CmId::UseConnection(Ptr<MpaConnection> connection)
{
    m_connection = connection;
    connection->SetRequestCallback(MakeCallback(&CmId::HandleRequest, this));
    connection->SetOperationalCallback(MakeCallback(&CmId::HandleOperational, this));
    connection->SetRejectedCallback(MakeCallback(&CmId::HandleRejected, this));
    connection->SetErrorCallback(MakeCallback(&CmId::HandleError, this));
    connection->SetClosedCallback(MakeCallback(&CmId::HandleClosed, this));
    connection->TraceConnectWithoutContext("StartupFrame",
                                           MakeCallback(&CmId::HandleStartupFrame, this));
    connection->TraceConnectWithoutContext("StartupFailed",
                                           MakeCallback(&CmId::HandleStartupFailed, this));
}

void
CmId::ReleaseConnection()
{
    m_connection->SetRequestCallback(MpaConnection::RequestCallback());
    m_connection->SetOperationalCallback(MpaConnection::OperationalCallback());
    m_connection->SetRejectedCallback(MpaConnection::RejectedCallback());
    m_connection->SetErrorCallback(MpaConnection::ErrorCallback());
    m_connection->SetClosedCallback(MpaConnection::ClosedCallback());
    m_connection->TraceDisconnectWithoutContext("StartupFrame",
                                                MakeCallback(&CmId::HandleStartupFrame, this));
    m_connection->TraceDisconnectWithoutContext("StartupFailed",
                                                MakeCallback(&CmId::HandleStartupFailed, this));
    m_connection = nullptr;
}

bool
CmId::ClaimPair(Ptr<QueuePair> pair)
{
    m_pair = pair;
    return m_pair && m_pair->GetState() == QueuePairState::IDLE;
}

MpaStartupParameters
CmId::GetLocal(const CmConnectionParameters& parameters) const
{
    MpaStartupParameters local;
    local.ird = std::min(parameters.responderResources, m_device->GetMaxIrd());
    local.ord = std::min(parameters.initiatorDepth, m_device->GetMaxOrd());
    local.privateData = parameters.privateData;
    return local;
}

void
CmId::Connect(Ptr<QueuePair> pair,
              const InetSocketAddress& remote,
              const CmConnectionParameters& parameters)
{
    m_peer = remote;
    Enter(State::CONNECTING);
    if (!ClaimPair(pair))
    {
        Finish({CmEventType::CONNECT_ERROR, nullptr, {}, 0, 0});
        return;
    }
    m_local = GetLocal(parameters);
    UseConnection(m_device->CreateConnection());
    m_connection->StartInitiator(m_device->GetTransport()->Connect(remote), m_local);
}

void
CmId::Accept(Ptr<QueuePair> pair, const CmConnectionParameters& parameters)
{
    if (m_state != State::REQUESTED)
    {
        return;
    }
    if (!ClaimPair(pair))
    {
        const Ptr<MpaConnection> connection = m_connection;
        connection->Reject({});
        connection->Close();
        Finish({CmEventType::CONNECT_ERROR, nullptr, {}, 0, 0});
        return;
    }
    m_connection->Accept(GetLocal(parameters));
}

void
CmId::Reject(ByteSpan privateData)
{
    if (m_state != State::REQUESTED)
    {
        return;
    }
    const Ptr<MpaConnection> connection = m_connection;
    ReleaseConnection();
    connection->Reject(privateData);
    connection->Close();
    Enter(State::CLOSED);
}

void
CmId::Disconnect()
{
    switch (m_state)
    {
    case State::LISTENING:
        m_device->GetTransport()->StopListening(m_port);
        Enter(State::CLOSED);
        break;
    case State::REQUESTED:
        Reject({});
        break;
    case State::CONNECTING: {
        const Ptr<MpaConnection> connection = m_connection;
        connection->Abort();
        Finish({CmEventType::CONNECT_ERROR, nullptr, {}, 0, 0});
        break;
    }
    case State::CONNECTED:
        m_pair->Disconnect();
        break;
    case State::IDLE:
    case State::AWAITING_REQUEST:
    case State::CLOSED:
        break;
    }
}

void
CmId::HandleStartupFrame(const MpaStartupFrame& /* frame */, bool sent)
{
    m_reached = m_reached || sent;
}

void
CmId::HandleRequest(const MpaStartupParameters& peer)
{
    const Ptr<CmId> listener = std::exchange(m_listener, nullptr);
    if (!listener->IsListening())
    {
        const Ptr<MpaConnection> connection = m_connection;
        ReleaseConnection();
        connection->Reject({});
        connection->Close();
        Enter(State::CLOSED);
        return;
    }
    m_callback = listener->m_callback;
    Enter(State::REQUESTED);
    CmEvent event;
    event.type = CmEventType::CONNECT_REQUEST;
    event.newId = this;
    event.privateData = peer.privateData;
    event.ird = std::min<uint32_t>(peer.ord, m_device->GetMaxIrd());
    event.ord = std::min<uint32_t>(peer.ird, m_device->GetMaxOrd());
    listener->Raise(std::move(event));
}

void
CmId::HandleOperational(const MpaStartupParameters& agreed)
{
    const Ptr<MpaConnection> connection = m_connection;
    ReleaseConnection();
    if (!m_pair->Attach(connection, agreed.ird, agreed.ord))
    {
        HandleStartupFailed(MpaError::LOCAL_CATASTROPHIC);
        SendTerminate(*connection, MpaError::LOCAL_CATASTROPHIC);
        connection->Close();
        Finish({CmEventType::CONNECT_ERROR, nullptr, {}, 0, 0});
        return;
    }
    m_pair->SetDisconnectedCallback(MakeCallback(&CmId::HandleDisconnected, this));
    Enter(State::CONNECTED);
    Raise({CmEventType::ESTABLISHED, nullptr, agreed.privateData, agreed.ird, agreed.ord});
}

void
CmId::HandleRejected(ByteSpan privateData)
{
    m_connection->Close();
    Finish(
        {CmEventType::REJECTED, nullptr, ByteVector(privateData.begin(), privateData.end()), 0, 0});
}

void
CmId::HandleError(MpaError error)
{
    if (m_connection->GetState() == MpaConnection::State::OBSTRUCTED)
    {
        SendTerminate(*m_connection, error);
        m_connection->Close();
    }
    if (error == MpaError::LLP_LOST && RetryWithRevision1())
    {
        return;
    }
    const bool unreachable =
        m_state == State::CONNECTING && error == MpaError::LLP_LOST && !m_reached;
    Finish(
        {unreachable ? CmEventType::UNREACHABLE : CmEventType::CONNECT_ERROR, nullptr, {}, 0, 0});
}

void
CmId::HandleStartupFailed(MpaError error)
{
    ++m_device->Counters().startupFailures.at(static_cast<std::size_t>(error));
}

void
CmId::SendTerminate(MpaConnection& connection, MpaError error)
{
    if (!connection.CanSend())
    {
        return;
    }
    TerminateMessage message;
    message.reason = TerminateReason::From(error);
    const uint8_t version = connection.GetAgreement().headerVersion;
    DdpSegmenter segmenter(version);
    segmenter.StartUntagged(EncodeRdmapControl(RdmapOpcode::TERMINATE, version),
                            0,
                            static_cast<uint32_t>(DdpQueue::TERMINATE),
                            DdpUntaggedQueue::FIRST_MSN,
                            message.EncodedSize());
    const DdpSegment segment = segmenter.Next(connection.GetMulpdu());
    ByteWriter writer(connection.BeginUlpdu(segment.Size()));
    segment.EncodeHeader(writer);
    message.Encode(writer);
    connection.CommitUlpdu();
    ++m_device->Counters().terminatesSent;
}

bool
CmId::RetryWithRevision1()
{
    if (m_state != State::CONNECTING || !m_reached || m_retried ||
        !m_device->GetMpaSettings()->HasRevisionFallback())
    {
        return false;
    }
    m_retried = true;
    m_reached = false;
    ReleaseConnection();
    constexpr bool REVISION_1 = true;
    UseConnection(m_device->CreateConnection(REVISION_1));
    m_connection->StartInitiator(
        m_device->GetTransport()->Connect(InetSocketAddress::ConvertFrom(m_peer)),
        m_local);
    return true;
}

void
CmId::HandleClosed()
{
    Finish({CmEventType::CONNECT_ERROR, nullptr, {}, 0, 0});
}

void
CmId::HandleDisconnected()
{
    Finish({CmEventType::DISCONNECTED, nullptr, {}, 0, 0});
}

void
CmId::Finish(CmEvent event)
{
    const bool reported = m_state != State::AWAITING_REQUEST;
    if (m_connection)
    {
        ReleaseConnection();
    }
    m_listener = nullptr;
    if (m_pair)
    {
        m_pair->MoveToError();
    }
    if (reported)
    {
        Raise(std::move(event));
    }
    Enter(State::CLOSED);
}

void
CmId::Enter(State state)
{
    m_state = state;
    if (state != State::CLOSED && m_handle == 0)
    {
        m_handle = m_device->AddId(Ptr<CmId>(this));
    }
    LeaveDevice();
}

void
CmId::LeaveDevice()
{
    if (m_state == State::CLOSED && m_events.empty() && m_handle != 0)
    {
        const Ptr<CmId> self(this);
        m_device->RemoveId(std::exchange(m_handle, 0));
    }
}

void
CmId::Raise(CmEvent event)
{
    Time due = Simulator::Now() + m_device->GetInterruptLatency();
    if (m_pair)
    {
        due = std::max(due, m_pair->GetLastCompletion());
    }
    if (!m_events.empty())
    {
        due = std::max(due, m_events.back().due);
    }
    m_events.push_back({std::move(event), due});
    if (!m_delivery.IsRunning())
    {
        m_delivery = Simulator::Schedule(due - Simulator::Now(), &CmId::Deliver, this);
    }
}

void
CmId::Deliver()
{
    const Ptr<CmId> self(this);
    const CmEvent event = std::move(m_events.front().event);
    m_events.pop_front();
    if (!m_events.empty())
    {
        m_delivery =
            Simulator::Schedule(m_events.front().due - Simulator::Now(), &CmId::Deliver, this);
    }
    m_eventTrace(event);
    if (!m_callback.IsNull())
    {
        const EventCallback callback = m_callback;
        callback(self, event);
    }
    LeaveDevice();
}

Ptr<QueuePair>
CmId::GetQueuePair() const
{
    return m_pair;
}

Address
CmId::GetPeerAddress() const
{
    return m_peer;
}

bool
CmId::IsListening() const
{
    return m_state == State::LISTENING;
}

bool
CmId::IsConnected() const
{
    return m_state == State::CONNECTED;
}

bool
CmId::IsActive() const
{
    return m_state == State::AWAITING_REQUEST || m_state == State::REQUESTED ||
           m_state == State::CONNECTING || m_state == State::CONNECTED;
}

} // namespace ns3::nfsrdma
