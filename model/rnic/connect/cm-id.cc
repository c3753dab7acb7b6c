/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/connect/cm-id.h"

#include "rnic/connect/kept-streams.h"
#include "rnic/connect/startup-terminate.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

void
CountTerminate(Ptr<ConnectionAdmission> admission, Address peer, const TerminateMessage& message)
{
    if (!(message.reason == TerminateReason::From(RdmapError::LOCAL_CATASTROPHIC)))
    {
        admission->CountFault(peer, Simulator::Now());
    }
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(CmId);

TypeId
CmId::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::CmId")
                            .SetParent<Object>()
                            .SetGroupName("NfsRdma")
                            .AddTraceSource("Event",
                                            "An event is reported to the consumer.",
                                            MakeTraceSourceAccessor(&CmId::m_eventTrace),
                                            "ns3::nfsrdma::CmId::EventTracedCallback")
                            .AddTraceSource("PeerSilent",
                                            "No FPDU has come within MpaFirstFpduTimeout: the "
                                            "connection is closed.",
                                            MakeTraceSourceAccessor(&CmId::m_peerSilentTrace),
                                            "ns3::nfsrdma::CmId::PeerTracedCallback");
    return tid;
}

CmId::CmId()
    : m_events([this](const CmEvent& event) { Deliver(event); })
{
}

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
    m_silence.Cancel();
    m_step.Cancel();
    m_events.Clear();
    m_callback = EventCallback();
    if (m_streaming)
    {
        (void)m_streaming->Take();
        m_streaming = nullptr;
    }
    if (m_connection)
    {
        m_connection->Dispose();
        m_connection = nullptr;
    }
    if (m_pair)
    {
        m_pair->SetDisconnectedCallback(QueuePair::ConnectionCallback());
        m_pair->SetOpenedCallback(QueuePair::ConnectionCallback());
        m_pair = nullptr;
    }
    m_listener = nullptr;
    m_admission = nullptr;
    m_device = nullptr;
    m_state = State::CLOSED;
    Object::DoDispose();
}

bool
CmId::Listen(uint16_t port, uint32_t backlog)
{
    if (m_state != State::IDLE ||
        (!m_device->GetFaults().HasFailed() &&
         !m_device->GetTransport()->Listen({port, m_bound},
                                           MakeCallback(&CmId::HandleStream, this))))
    {
        return false;
    }
    m_port = port;
    m_backlog = backlog == 0 ? m_device->GetSettings().listenBacklog : backlog;
    if (const AdmissionLimits limits(m_device->GetDefences()); limits.IsAny())
    {
        m_admission = ns3::Create<ConnectionAdmission>(limits);
    }
    Enter(State::LISTENING);
    return true;
}

void
CmId::HandleStream(Ptr<ByteStream> stream)
{
    TakePeer({stream, {}});
}

void
CmId::TakePeer(MpaConnection::Released stream)
{
    if (m_waiting >= m_backlog)
    {
        m_device->Counters().connectionsRefused++;
        stream.stream->Abort();
        return;
    }
    if (!Admit(stream.stream->GetPeerAddress()))
    {
        stream.stream->Abort();
        return;
    }
    auto id = Create(m_device);
    id->m_callback = m_callback;
    id->m_streamingMode = m_streamingMode;
    id->StartResponder(std::move(stream), Ptr<CmId>(this));
}

bool
CmId::Admit(const Address& peer)
{
    if (!m_admission)
    {
        return true;
    }
    const auto verdict = m_admission->Admit(ConnectionAdmission::GetHost(peer), Simulator::Now());
    ++m_device->Counters().admissions.at(static_cast<std::size_t>(verdict));
    return verdict == AdmissionVerdict::ADMIT;
}

void
CmId::StartResponder(MpaConnection::Released stream, Ptr<CmId> listener)
{
    m_listener = listener;
    m_listener->m_waiting++;
    m_admission = listener->m_admission;
    m_peer = stream.stream->GetPeerAddress();
    Enter(State::AWAITING_REQUEST);
    UseConnection(m_device->CreateConnection());
    StartMpa(std::move(stream), false);
}

StreamingMode
CmId::GetStreamingMode() const
{
    return m_streamingMode ? *m_streamingMode
                           : StreamingMode::OfSize(m_device->GetSettings().streamingPreamble);
}

void
CmId::StartMpa(MpaConnection::Released stream, bool initiator)
{
    StreamingMode mode = GetStreamingMode();
    const MpaSettings::Values& settings = m_device->GetMpaSettings()->GetValues();
    if (!mode.IsImmediate())
    {
        m_streaming = std::make_unique<StreamingExchange>(
            std::move(stream),
            std::move(mode),
            initiator,
            initiator ? settings.replyTimeout : settings.requestTimeout,
            [this](StreamingExchange::Outcome outcome) { HandleStreamed(outcome); });
    }
    else if (initiator)
    {
        m_connection->StartInitiator(stream.stream, m_local, stream.unread);
    }
    else
    {
        m_connection->StartResponder(stream.stream, stream.unread);
    }
}

void
CmId::HandleStreamed(StreamingExchange::Outcome outcome)
{
    const Ptr<CmId> self(this);
    const auto exchange = std::move(m_streaming);
    const MpaConnection::Released stream = exchange->Take();
    if (outcome == StreamingExchange::Outcome::DONE)
    {
        if (exchange->IsInitiator())
        {
            m_connection->StartInitiator(stream.stream, m_local, stream.unread);
        }
        else
        {
            m_connection->StartResponder(stream.stream, stream.unread);
        }
        return;
    }
    stream.stream->Close();
    const bool lost = outcome == StreamingExchange::Outcome::LOST;
    HandleStartupFailed(lost ? MpaError::LLP_LOST : MpaError::INVALID_STARTUP);
    const bool unreachable = lost && exchange->IsInitiator() && !exchange->IsConnected();
    Finish(unreachable ? CmEventType::UNREACHABLE : CmEventType::CONNECT_ERROR,
           {},
           exchange->GetStreamEnd());
}

void
CmId::UseConnection(Ptr<MpaConnection> connection)
{
    m_connection = connection;
    connection->GetCallbacks().request = MakeCallback(&CmId::HandleRequest, this);
    connection->GetCallbacks().operational = MakeCallback(&CmId::HandleOperational, this);
    connection->GetCallbacks().rejected = MakeCallback(&CmId::HandleRejected, this);
    connection->GetCallbacks().error = MakeCallback(&CmId::HandleError, this);
    connection->GetCallbacks().closed = MakeCallback(&CmId::HandleClosed, this);
    connection->TraceConnectWithoutContext("StartupFrame",
                                           MakeCallback(&CmId::HandleStartupFrame, this));
    connection->TraceConnectWithoutContext("StartupFailed",
                                           MakeCallback(&CmId::HandleStartupFailed, this));
}

void
CmId::ReleaseConnection()
{
    m_step.Cancel();
    m_connection->GetCallbacks() = {};
    m_connection->TraceDisconnectWithoutContext("StartupFrame",
                                                MakeCallback(&CmId::HandleStartupFrame, this));
    m_connection->TraceDisconnectWithoutContext("StartupFailed",
                                                MakeCallback(&CmId::HandleStartupFailed, this));
    m_connection = nullptr;
}

bool
CmId::MayAnswer(std::size_t privateData) const
{
    return m_state == State::REQUESTED && privateData <= m_connection->GetMaxPrivateData() &&
           privateData <= m_device->GetSettings().maxPrivateData;
}

bool
CmId::IsMine(Ptr<QueuePair> pair) const
{
    return pair && (pair->GetState() != QueuePairState::IDLE ||
                    &pair->GetDevice() == PeekPointer(m_device));
}

bool
CmId::ClaimPair(Ptr<QueuePair> pair)
{
    m_pair = pair;
    m_pair->Claim();
    m_device->GetFaults().Adopt(*this);
    return m_pair->GetState() == QueuePairState::IDLE;
}

Time
CmId::GetCommandTime() const
{
    const RnicSettings& settings = m_device->GetSettings();
    if ((settings.hostCreateQp + settings.hostModifyQp + settings.hostDestroyQp).IsZero())
    {
        return Time(0);
    }
    return m_device->GetHostCpu()->GetAvailable(m_device->GetControlThread()) - Simulator::Now();
}

void
CmId::AfterCommands(std::function<void()> step)
{
    const Time wait = GetCommandTime();
    if (wait.IsZero())
    {
        step();
        return;
    }
    m_step = Simulator::Schedule(wait, std::move(step));
}

void
CmId::LeaveBacklog()
{
    if (const auto listener = std::exchange(m_listener, nullptr))
    {
        listener->m_waiting--;
        if (m_admission)
        {
            m_admission->EndStartup(ConnectionAdmission::GetHost(m_peer));
        }
    }
}

MpaStartupParameters
CmId::GetLocal(const CmConnectionParameters& parameters) const
{
    MpaStartupParameters local;
    local.ird = std::min(parameters.responderResources, m_device->GetSettings().maxIrd);
    local.ord = std::min(parameters.initiatorDepth, m_device->GetSettings().maxOrd);
    local.privateData = parameters.privateData;
    return local;
}

tl::expected<void, VerbsError>
CmId::Connect(Ptr<QueuePair> pair, const Address& remote, const CmConnectionParameters& parameters)
{
    const uint8_t revision = m_device->GetMpaSettings()->GetValues().policy.revision;
    if (m_state != State::IDLE || !IsMine(pair) ||
        parameters.privateData.size() > MpaStartup::MaxConsumerData(revision) ||
        parameters.privateData.size() > m_device->GetSettings().maxPrivateData)
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    if (pair->IsClaimed())
    {
        return tl::make_unexpected(VerbsError::BUSY);
    }
    m_peer = remote;
    Enter(State::CONNECTING);
    if (!ClaimPair(pair))
    {
        Finish(CmEventType::CONNECT_ERROR);
        return {};
    }
    m_local = GetLocal(parameters);
    UseConnection(m_device->CreateConnection());
    AfterCommands([this] {
        auto kept = m_device->GetKeptStreams().Take(m_peer);
        StartMpa(kept ? std::move(*kept)
                      : MpaConnection::Released{m_device->GetTransport()->Connect(m_peer), {}},
                 true);
    });
    return {};
}

tl::expected<void, VerbsError>
CmId::Accept(Ptr<QueuePair> pair, const CmConnectionParameters& parameters)
{
    if (!MayAnswer(parameters.privateData.size()) || !IsMine(pair))
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    if (pair->IsClaimed())
    {
        return tl::make_unexpected(VerbsError::BUSY);
    }
    LeaveBacklog();
    if (!ClaimPair(pair))
    {
        const Ptr<MpaConnection> connection = m_connection;
        connection->Reject({});
        connection->Close();
        Finish(CmEventType::CONNECT_ERROR);
        return {};
    }
    AfterCommands([this, local = GetLocal(parameters)] { m_connection->Accept(local); });
    return {};
}

tl::expected<void, VerbsError>
CmId::Reject(ByteSpan privateData)
{
    if (!MayAnswer(privateData.size()))
    {
        return tl::make_unexpected(VerbsError::INVALID_ARGUMENT);
    }
    const Ptr<MpaConnection> connection = m_connection;
    const Ptr<CmId> listener = m_listener;
    ReleaseConnection();
    connection->Reject(privateData);
    const bool stands = m_device->GetSettings().rejectedStreamTime.IsStrictlyPositive() &&
                        listener && listener->IsListening() && !connection->HasPendingFrame();
    Enter(State::CLOSED);
    if (stands)
    {
        listener->TakePeer(connection->ReleaseStream());
    }
    else
    {
        connection->Close();
    }
    return {};
}

void
CmId::Disconnect()
{
    switch (m_state)
    {
    case State::LISTENING:
        m_device->GetTransport()->StopListening({m_port, m_bound});
        Enter(State::CLOSED);
        break;
    case State::REQUESTED:
        Reject({});
        break;
    case State::CONNECTING: {
        const Ptr<MpaConnection> connection = m_connection;
        connection->Abort();
        Finish(CmEventType::CONNECT_ERROR);
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
CmId::Destroy()
{
    const Ptr<CmId> self(this);
    m_callback = EventCallback();
    for (const CmEvent& event : m_events.Clear())
    {
        if (event.newId)
        {
            event.newId->Destroy();
        }
    }
    if (m_state == State::CONNECTED)
    {
        m_pair->SetDisconnectedCallback(QueuePair::ConnectionCallback());
        m_pair->SetOpenedCallback(QueuePair::ConnectionCallback());
        m_pair->MoveToError();
        Enter(State::CLOSED);
    }
    else
    {
        Disconnect();
        m_events.Clear();
        Enter(State::CLOSED);
    }
}

void
CmId::HandleRemoval()
{
    const Ptr<CmId> self(this);
    switch (m_state)
    {
    case State::LISTENING:
        m_device->GetTransport()->StopListening({m_port, m_bound});
        break;
    case State::AWAITING_REQUEST:
    case State::REQUESTED:
    case State::CONNECTING: {
        const Ptr<MpaConnection> connection = m_connection;
        connection->Abort();
        Finish(CmEventType::DEVICE_REMOVAL);
        break;
    }
    case State::CONNECTED:
        m_pair->SetDisconnectedCallback(QueuePair::ConnectionCallback());
        m_pair->SetOpenedCallback(QueuePair::ConnectionCallback());
        m_pair->Abort();
        Finish(CmEventType::DEVICE_REMOVAL);
        break;
    case State::IDLE:
    case State::CLOSED:
        break;
    }
}

void
CmId::HandleLeaving()
{
    if (m_state != State::CONNECTED)
    {
        HandleRemoval();
        return;
    }
    const Ptr<CmId> self(this);
    m_pair->SetDisconnectedCallback(QueuePair::ConnectionCallback());
    m_pair->SetOpenedCallback(QueuePair::ConnectionCallback());
    m_pair->Disconnect();
    Finish(CmEventType::DEVICE_REMOVAL);
}

void
CmId::HandleAddressChange()
{
    if (m_state != State::IDLE && m_state != State::CLOSED)
    {
        CmEvent event;
        event.type = CmEventType::ADDR_CHANGE;
        m_events.Add(std::move(event), Simulator::Now());
    }
}

void
CmId::HandleReturn()
{
    if (m_state == State::LISTENING)
    {
        m_device->GetTransport()->Listen({m_port, m_bound},
                                         MakeCallback(&CmId::HandleStream, this));
    }
}

void
CmId::HandleRequest(const MpaStartupParameters& peer)
{
    const Ptr<CmId> listener = m_listener;
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
    event.ird = std::min<uint32_t>(peer.ord, m_device->GetSettings().maxIrd);
    event.ord = std::min<uint32_t>(peer.ird, m_device->GetSettings().maxOrd);
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
        Finish(CmEventType::CONNECT_ERROR);
        return;
    }
    m_pair->SetDisconnectedCallback(MakeCallback(&CmId::HandleDisconnected, this));
    if (m_admission)
    {
        m_pair->TraceConnectWithoutContext(
            "TerminateSent",
            MakeBoundCallback(&CountTerminate, m_admission, ConnectionAdmission::GetHost(m_peer)));
    }
    Enter(State::CONNECTED);
    const Time due = m_device->GetDefences().mpaFirstFpduTimeout;
    if (due.IsStrictlyPositive() && !connection->IsInitiator())
    {
        m_silence = Simulator::Schedule(due, &CmId::CheckSilence, this);
    }
    CmEvent established;
    established.type = CmEventType::ESTABLISHED;
    established.privateData = agreed.privateData;
    established.ird = agreed.ird;
    established.ord = agreed.ord;
    const bool atFirstFpdu = m_device->GetSettings().established == RnicSettings::FIRST_FPDU ||
                             connection->GetAgreement().rtr != ReadyToReceive::NONE;
    if (atFirstFpdu && !connection->IsInitiator())
    {
        m_established = std::move(established);
        m_pair->SetOpenedCallback(MakeCallback(&CmId::HandleOpened, this));
        return;
    }
    Raise(std::move(established));
}

void
CmId::CheckSilence()
{
    if (m_pair->IsPeerSilent())
    {
        ++m_device->Counters().silentPeers;
        m_peerSilentTrace(m_peer);
        CountFault();
        m_pair->MoveToError();
    }
}

void
CmId::HandleOpened()
{
    Raise(std::move(*m_established));
    m_established.reset();
}

void
CmId::HandleRejected(ByteSpan privateData)
{
    const Time time = m_device->GetSettings().rejectedStreamTime;
    ByteVector said(privateData.begin(), privateData.end());
    if (time.IsStrictlyPositive())
    {
        m_device->GetKeptStreams().Keep(m_peer, m_connection->ReleaseStream(), time);
    }
    else
    {
        m_connection->Close();
    }
    Finish(CmEventType::REJECTED, std::move(said));
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
    Finish(unreachable ? CmEventType::UNREACHABLE : CmEventType::CONNECT_ERROR);
}

void
CmId::HandleStartupFailed(MpaError error)
{
    ++m_device->Counters().startupFailures.at(static_cast<std::size_t>(error));
    if (error != MpaError::LLP_LOST && error != MpaError::LOCAL_CATASTROPHIC)
    {
        CountFault();
    }
}

void
CmId::CountFault()
{
    if (m_admission)
    {
        m_admission->CountFault(ConnectionAdmission::GetHost(m_peer), Simulator::Now());
    }
}

void
CmId::SendTerminate(MpaConnection& connection, MpaError error)
{
    m_device->Counters().terminatesSent += SendStartupTerminate(connection, error) ? 1 : 0;
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
    constexpr bool INITIATOR = true;
    StartMpa({m_device->GetTransport()->Connect(m_peer), {}}, INITIATOR);
    return true;
}

void
CmId::HandleClosed()
{
    Finish(CmEventType::CONNECT_ERROR);
}

void
CmId::HandleDisconnected()
{
    Finish(m_established ? CmEventType::CONNECT_ERROR : CmEventType::DISCONNECTED);
}

void
CmId::Finish(CmEventType type, ByteVector privateData, std::optional<StreamEnd> end)
{
    CmEvent event;
    event.type = type;
    event.privateData = std::move(privateData);
    event.streamEnd = end;
    const bool reported = m_state != State::AWAITING_REQUEST;
    m_streaming = nullptr;
    if (m_connection)
    {
        event.streamEnd = end ? end : m_connection->GetStreamEnd();
        ReleaseConnection();
    }
    if (m_pair)
    {
        event.streamEnd = event.streamEnd ? event.streamEnd : m_pair->GetStreamEnd();
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
    const State before = std::exchange(m_state, state);
    if (state == State::CLOSED)
    {
        m_silence.Cancel();
        LeaveBacklog();
        if (m_admission && before != State::LISTENING && before != State::CLOSED)
        {
            m_admission->End(ConnectionAdmission::GetHost(m_peer), Simulator::Now());
        }
    }
    else if (m_handle == 0)
    {
        m_handle = m_device->AddId(Ptr<CmId>(this));
    }
    LeaveDevice();
}

void
CmId::LeaveDevice()
{
    if (m_state == State::CLOSED && m_events.IsEmpty() && m_handle != 0)
    {
        const Ptr<CmId> self(this);
        m_device->RemoveId(std::exchange(m_handle, 0));
    }
}

void
CmId::Raise(CmEvent event)
{
    Time due = Simulator::Now() + m_device->GetSettings().interruptLatency;
    if (m_pair)
    {
        due = std::max(due, m_pair->GetLastCompletion());
    }
    m_events.Add(std::move(event), due);
}

void
CmId::Deliver(const CmEvent& event)
{
    const Ptr<CmId> self(this);
    m_eventTrace(event);
    if (!m_callback.IsNull())
    {
        const EventCallback callback = m_callback;
        callback(self, event);
    }
    LeaveDevice();
}

} // namespace ns3::nfsrdma
