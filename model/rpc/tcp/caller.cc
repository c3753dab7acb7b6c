/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/tcp/caller.h"

#include "mpa/internet-address.h"
#include "mpa/stream-tcp-socket.h"
#include "rpc/flatten.h"
#include "rpc/message.h"
#include "rpc/tcp/host-record-connection.h"
#include "rpc/tcp/local-port.h"
#include "rpc/tcp/record-connection.h"
#include "rpc/xdr-reader.h"
#include "rpc/xdr-writer.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RpcTcpClient);

#define SETTINGS_OF RpcTcpClient::Settings
#define SETTINGS_FILE "rpc/tcp/caller.def"
#include "settings/rows.def"

TypeId
RpcTcpClient::GetTypeId()
{
    static TypeId tid = AddAttributes(
        TypeId("ns3::nfsrdma::RpcTcpClient")
            .SetParent<RpcClientTransport>()
            .SetGroupName("NfsRdma")
            .AddConstructor<RpcTcpClient>()
            .AddTraceSource("Connected",
                            "A connection is established: its local port.",
                            MakeTraceSourceAccessor(&RpcTcpClient::m_connectedTrace),
                            "ns3::nfsrdma::RpcTcpClient::ConnectedTracedCallback")
            .AddTraceSource("Disconnected",
                            "The connection has ended, or could not be made.",
                            MakeTraceSourceAccessor(&RpcTcpClient::m_disconnectedTrace),
                            "ns3::nfsrdma::RpcTcpClient::DisconnectedTracedCallback")
            .AddTraceSource("CallSent",
                            "A call was handed to TCP.",
                            MakeTraceSourceAccessor(&RpcTcpClient::m_callSentTrace),
                            "ns3::nfsrdma::RpcTcpClient::CallSentTracedCallback")
            .AddTraceSource("TimedOut",
                            "A call has waited too long; its connection is being closed.",
                            MakeTraceSourceAccessor(&RpcTcpClient::m_timedOutTrace),
                            "ns3::nfsrdma::RpcTcpClient::TimedOutTracedCallback")
            .AddTraceSource("Retry",
                            "An attempt to connect has failed, or the connection is lost: how long "
                            "until the next.",
                            MakeTraceSourceAccessor(&RpcTcpClient::m_retryTrace),
                            "ns3::nfsrdma::RpcTcpClient::RetryTracedCallback"),
        Settings::GetRows(),
        &RpcTcpClient::m_settings);
    return tid;
}

void
RpcTcpClient::DoDispose()
{
    m_connectEvent.Cancel();
    m_timer.Cancel();
    m_idleTimer.Cancel();
    m_tlsTimer.Cancel();
    m_connection = nullptr;
    m_calls.clear();
    m_backlog.clear();
    m_sockets = nullptr;
    m_reverseServer = nullptr;
    m_byXid.clear();
    m_node = nullptr;
    m_memory = nullptr;
    RpcClientTransport::DoDispose();
}

std::vector<std::string>
RpcTcpClient::DescribeWaiting() const
{
    std::vector<std::string> lines;
    for (const auto& [order, pending] : m_calls)
    {
        lines.push_back("XID " + std::to_string(pending.call->record.xid) + " waits for " +
                        (pending.sent ? "its reply by TCP" : "a TCP connection"));
    }
    for (const auto& call : m_backlog)
    {
        lines.push_back("XID " + std::to_string(call->record.xid) + " waits for a slot");
    }
    return lines;
}

void
RpcTcpClient::Submit(std::unique_ptr<RpcTransportCall> call)
{
    call->record.handed = Simulator::Now();
    NS_ABORT_MSG_UNLESS(m_node, "RpcTcpClient has no node");
    m_idleTimer.Cancel();
    m_leaving = false;
    ++m_statistics.submitted;
    if (m_calls.size() >= m_settings.slots || !m_backlog.empty())
    {
        m_backlog.push_back(std::move(call));
        return;
    }
    Admit(std::move(call));
}

void
RpcTcpClient::AdmitNext()
{
    while (!m_backlog.empty() && m_calls.size() < m_settings.slots)
    {
        std::unique_ptr<RpcTransportCall> next = std::move(m_backlog.front());
        m_backlog.pop_front();
        Admit(std::move(next));
    }
}

void
RpcTcpClient::Admit(std::unique_ptr<RpcTransportCall> call)
{
    call->record.slot = Simulator::Now();
    call->order = m_nextOrder++;
    m_settings.timeout.Start(call->times, Simulator::Now());
    m_byXid[call->record.xid] = call->order;
    Pending& pending = m_calls[call->order];
    pending.call = std::move(call);
    m_statistics.mostSlots = std::max<uint64_t>(m_statistics.mostSlots, m_calls.size());
    if (m_state == State::CONNECTED)
    {
        SendCall(pending);
        StartTimer();
    }
    else if (m_state == State::IDLE)
    {
        Connect();
    }
}

void
RpcTcpClient::Connect()
{
    if (m_state == State::IDLE && !m_down)
    {
        m_eager = m_calls.empty();
        m_state = State::CONNECTING;
        Simulator::ScheduleWithContext(m_node->GetId(), Time(0), [self = Ptr<RpcTcpClient>(this)] {
            self->MakeConnection();
        });
    }
}

void
RpcTcpClient::MakeConnection()
{
    if (!m_node || m_down || (m_calls.empty() && !m_eager))
    {
        m_state = State::IDLE;
        return;
    }
    m_state = State::CONNECTING;
    m_connectStart = Simulator::Now();
    ++m_statistics.binds;
    if (m_sockets)
    {
        OpenHostSocket();
    }
    else
    {
        OpenSocket();
    }
}

void
RpcTcpClient::OpenSocket()
{
    const Ptr<StreamTcpSocket> socket = StreamTcpSocket::Create(m_node, m_server);
    m_connection = RpcTcpConnection::Create(socket, false, m_settings.records, MakeEvents());
    if (!Bind(socket) || socket->Connect(m_server) != 0)
    {
        m_connection->Fail(RpcTcpEnd::FAILED);
    }
}

RpcRecordCarrier::Events
RpcTcpClient::MakeEvents()
{
    RpcRecordCarrier::Events events;
    events.connected = [this] { HandleConnected(); };
    events.record = [this](ByteVector&& record) { HandleRecord(std::move(record)); };
    events.ended = [this](RpcTcpEnd end) { HandleEnd(end); };
    events.secured = [this] { HandleReady(); };
    return events;
}

void
RpcTcpClient::OpenHostSocket()
{
    const auto stream = m_sockets->Connect(m_server, GetPorts());
    if (!stream)
    {
        HandleEnd(RpcTcpEnd::FAILED);
        return;
    }
    m_connection = HostRecordConnection::Create(stream,
                                                m_sockets->GetCpu(),
                                                HostRecordConnection::Side::CLIENT,
                                                m_settings.records,
                                                MakeEvents());
    if (m_reverseServer)
    {
        m_reverseConnection = m_reverseServer->OpenConnection();
    }
}

std::optional<LocalPorts>
RpcTcpClient::GetPorts() const
{
    if (m_settings.localPort != 0)
    {
        return LocalPorts{m_settings.localPort, m_settings.localPort};
    }
    return m_settings.reservedPort
               ? std::make_optional(LocalPorts{MIN_RESERVED_PORT, m_settings.firstReservedPort})
               : std::nullopt;
}

bool
RpcTcpClient::Bind(Ptr<Socket> socket) const
{
    if (m_settings.localPort == 0 && m_settings.reservedPort)
    {
        return BindReservedPort(m_node, socket, m_server, m_settings.firstReservedPort);
    }
    return BindPort(socket, m_server, m_settings.localPort);
}

void
RpcTcpClient::HandleConnected()
{
    ++m_statistics.connects;
    m_statistics.connectTime += Simulator::Now() - m_connectStart;
    m_connectedTrace(m_connection->GetLocalPort());
    if (const auto tls = GetTls(); tls && tls->IsAskedFor())
    {
        MakeTlsProbe();
        return;
    }
    HandleReady();
}

Ptr<RpcTls>
RpcTcpClient::GetTls() const
{
    return m_sockets ? m_sockets->GetTls() : nullptr;
}

void
RpcTcpClient::MakeTlsProbe()
{
    constexpr uint32_t NFS_PROGRAM_NUMBER = 100003;
    constexpr uint32_t NFS_VERSION = 3;
    m_state = State::SECURING;
    m_tlsXid = TakeXid();
    m_tlsAsked = true;
    RpcCallHeader probe;
    probe.xid = m_tlsXid;
    probe.program =
        m_calls.empty() ? NFS_PROGRAM_NUMBER : m_calls.begin()->second.call->record.program;
    probe.version = m_calls.empty() ? NFS_VERSION : m_calls.begin()->second.call->record.version;
    probe.flavor = RpcAuthFlavor::TLS;
    XdrWriter writer;
    probe.Encode(writer);
    m_tlsProbe = writer.Take();
    m_settings.timeout.Start(m_tlsTimes, Simulator::Now());
    SendTlsProbe();
}

void
RpcTcpClient::SendTlsProbe()
{
    const Time now = Simulator::Now();
    GetTls()->NoteProbe();
    const Time wait = m_settings.timeout.initial.IsZero()
                          ? GetTls()->GetSettings().handshakeTimeout
                          : RpcTimeout::GetDeadline(m_tlsTimes, now) - now;
    m_tlsTimer = Simulator::Schedule(wait, &RpcTcpClient::HandleTlsTimer, this);
    m_connection->Send(m_tlsProbe);
}

void
RpcTcpClient::HandleTlsTimer()
{
    if (!m_settings.timeout.Expire(m_tlsTimes, Simulator::Now()))
    {
        SendTlsProbe();
        return;
    }
    GetTls()->NoteTimeout();
    m_connection->Fail(RpcTcpEnd::TLS_TIMED_OUT);
}

void
RpcTcpClient::DropSpurious()
{
    if (GetTls()->NoteSpurious())
    {
        m_connection->Fail(RpcTcpEnd::TLS_SPURIOUS);
    }
}

void
RpcTcpClient::HandleTlsReply(const ByteVector& record)
{
    m_tlsAsked = false;
    m_tlsTimer.Cancel();
    XdrReader reader(record);
    const auto reply = RpcReplyHeader::Decode(reader);
    const auto tls = GetTls();
    if (reply && reply->startTls)
    {
        std::static_pointer_cast<HostRecordConnection>(m_connection)->StartTls(tls, m_serverName);
        return;
    }
    tls->NoteRefusal();
    if (tls->GetSettings().mode == RpcTlsSettings::OPPORTUNISTIC)
    {
        HandleReady();
        return;
    }
    m_connection->Fail(RpcTcpEnd::TLS_REFUSED);
}

void
RpcTcpClient::HandleReady()
{
    m_tlsTimer.Cancel();
    m_state = State::CONNECTED;
    m_eager = false;
    SendAll();
    if (m_calls.empty())
    {
        StartIdleTimer();
    }
}

void
RpcTcpClient::SendAll()
{
    for (auto& [order, pending] : m_calls)
    {
        SendCall(pending);
    }
    StartTimer();
}

void
RpcTcpClient::SendCall(Pending& pending)
{
    RpcTransportCall& call = *pending.call;
    if (call.record.transmissions > 0 && call.reencode)
    {
        call.reencode(call);
    }
    const bool flat = call.call.items.empty();
    const ByteVector flattened = flat ? ByteVector() : Flatten(call.call, m_memory);
    const ByteVector& message = flat ? call.call.octets : flattened;
    m_statistics.requests += m_statistics.sends - m_statistics.receives;
    m_statistics.backlog += m_backlog.size();
    m_statistics.pending += m_calls.size();
    ++m_statistics.sends;
    m_statistics.repeated += call.record.transmissions > 0 ? 1 : 0;
    ++call.record.transmissions;
    m_lastUsed = Simulator::Now();
    call.record.sent = Simulator::Now();
    if (call.record.transmissions <= 1)
    {
        call.record.connected = call.record.sent;
        call.record.credit = call.record.sent;
        call.record.firstSent = call.record.sent;
    }
    call.record.callInlineBytes = message.size() + RpcFragmentHeader::SIZE;
    pending.sent = true;
    m_connection->Send(message);
    m_callSentTrace(call.record);
}

void
RpcTcpClient::HandleRecord(ByteVector&& record)
{
    const auto octets = static_cast<uint32_t>(record.size());
    XdrReader reader(record);
    const uint32_t xid = reader.ReadU32();
    const uint32_t type = reader.ReadU32();
    m_lastUsed = Simulator::Now();
    if (m_state == State::SECURING)
    {
        if (m_tlsAsked && reader.Ok() && type == RPC_MSG_REPLY && xid == m_tlsXid)
        {
            HandleTlsReply(record);
            return;
        }
        DropSpurious();
        return;
    }
    if (reader.Ok() && type == RPC_MSG_CALL && m_reverseServer)
    {
        HandleReverseCall(std::move(record));
        return;
    }
    if (!reader.Ok() || type != RPC_MSG_REPLY)
    {
        ++m_statistics.badReplies;
        m_connection->Fail(RpcTcpEnd::NO_RPC);
        return;
    }
    const auto found = m_byXid.find(xid);
    if (found == m_byXid.end())
    {
        ++m_statistics.badXids;
        return;
    }
    ++m_statistics.receives;
    RpcRecord& ended = m_calls.at(found->second).call->record;
    ended.replied = Simulator::Now();
    ended.replyInlineBytes = octets + RpcFragmentHeader::SIZE;
    RpcReceivedMessage message;
    message.octets = std::move(record);
    Finish(xid, RpcOutcome::SUCCESS, std::move(message));
}

void
RpcTcpClient::HandleReverseCall(ByteVector&& record)
{
    RpcReceivedMessage message;
    message.octets = std::move(record);
    const bool isCall = m_reverseServer->Receive(
        std::move(message),
        [self = Ptr<RpcTcpClient>(this), held = std::weak_ptr(m_connection)](RpcPayload&& reply) {
            const auto connection = held.lock();
            if (connection && !reply.octets.empty())
            {
                ++self->m_statistics.reverseReplies;
                connection->Send(reply.items.empty() ? reply.octets
                                                     : Flatten(reply, self->m_memory));
            }
        },
        GetHostOf(m_server),
        m_reverseConnection);
    if (!isCall)
    {
        ++m_statistics.badReplies;
        m_connection->Fail(RpcTcpEnd::NO_RPC);
    }
}

RpcTcpClientStatistics
RpcTcpClient::GetStatistics() const
{
    auto statistics = m_statistics;
    statistics.port = m_connection ? m_connection->GetLocalPort() : 0;
    statistics.idleTime = Simulator::Now() - m_lastUsed;
    return statistics;
}

std::string
RpcTcpClientStatistics::Format() const
{
    const std::array<uint64_t, 13> values{port,
                                          binds,
                                          connects,
                                          static_cast<uint64_t>(connectTime.GetSeconds()),
                                          static_cast<uint64_t>(idleTime.GetSeconds()),
                                          sends,
                                          receives,
                                          badXids,
                                          requests,
                                          backlog,
                                          mostSlots,
                                          sending,
                                          pending};
    std::ostringstream line;
    line << "\txprt:\ttcp";
    for (const uint64_t value : values)
    {
        line << ' ' << value;
    }
    return line.str();
}

void
RpcTcpClient::Finish(uint32_t xid, RpcOutcome outcome, RpcReceivedMessage&& message)
{
    const auto found = m_byXid.find(xid);
    const auto entry = m_calls.find(found->second);
    const std::unique_ptr<RpcTransportCall> call = std::move(entry->second.call);
    m_calls.erase(entry);
    m_byXid.erase(found);
    ++(outcome == RpcOutcome::SUCCESS     ? m_statistics.succeeded
       : outcome == RpcOutcome::CANCELLED ? m_statistics.cancelled
                                          : m_statistics.failed);
    AdmitNext();
    if (m_calls.empty() && m_state == State::CONNECTED)
    {
        StartIdleTimer();
    }
    StartTimer();
    call->record.outcome = outcome;
    call->record.completed = Simulator::Now();
    call->completed(call->record, std::move(message));
    if (m_leaving && m_calls.empty())
    {
        m_leaving = false;
        Leave(RpcTcpEnd::LOCAL);
    }
}

void
RpcTcpClient::FinishAll(RpcOutcome outcome)
{
    std::vector<uint32_t> xids;
    for (const auto& [order, pending] : m_calls)
    {
        xids.push_back(pending.call->record.xid);
    }
    for (const uint32_t xid : xids)
    {
        if (m_byXid.count(xid) > 0)
        {
            Finish(xid, outcome, {});
        }
    }
}

bool
RpcTcpClient::Cancel(uint32_t xid)
{
    const auto waits = std::find_if(m_backlog.begin(), m_backlog.end(), [xid](const auto& call) {
        return call->record.xid == xid;
    });
    if (waits != m_backlog.end())
    {
        const std::unique_ptr<RpcTransportCall> call = std::move(*waits);
        m_backlog.erase(waits);
        ++m_statistics.cancelled;
        call->record.outcome = RpcOutcome::CANCELLED;
        call->record.completed = Simulator::Now();
        call->completed(call->record, {});
        return true;
    }
    if (m_byXid.count(xid) == 0)
    {
        return false;
    }
    Finish(xid, RpcOutcome::CANCELLED, {});
    return true;
}

void
RpcTcpClient::Crash()
{
    const Ptr<RpcTcpClient> self(this);
    m_down = true;
    m_eager = m_eager || m_state == State::CONNECTED || m_state == State::SECURING;
    if (const auto host = std::dynamic_pointer_cast<HostRecordConnection>(m_connection))
    {
        host->Abort();
    }
    Leave(RpcTcpEnd::LOCAL);
    while (!m_backlog.empty())
    {
        Cancel(m_backlog.back()->record.xid);
    }
    FinishAll(RpcOutcome::CANCELLED);
}

void
RpcTcpClient::Boot()
{
    m_down = false;
    if (m_eager || !m_calls.empty())
    {
        Connect();
    }
}

void
RpcTcpClient::Disconnect()
{
    m_leaving = !m_calls.empty();
    if (!m_leaving && m_connection)
    {
        Leave(RpcTcpEnd::LOCAL);
    }
}

void
RpcTcpClient::Leave(RpcTcpEnd end)
{
    m_timer.Cancel();
    m_idleTimer.Cancel();
    m_connectEvent.Cancel();
    m_tlsTimer.Cancel();
    m_tlsAsked = false;
    m_state = State::IDLE;
    if (m_connection)
    {
        const auto connection = std::move(m_connection);
        m_connection = nullptr;
        connection->Close();
        if (m_reverseServer && m_reverseConnection != 0)
        {
            m_reverseServer->EndConnection(m_reverseConnection);
            m_reverseConnection = 0;
        }
        m_disconnectedTrace(end);
    }
}

void
RpcTcpClient::HandleEnd(RpcTcpEnd end)
{
    const Ptr<RpcTcpClient> self(this);
    const bool made = m_state == State::CONNECTED;
    Leave(end);
    for (auto& [order, pending] : m_calls)
    {
        pending.sent = false;
        ++pending.call->record.reconnects;
    }
    if (m_calls.empty())
    {
        return;
    }
    const bool isDenied = end == RpcTcpEnd::TLS_REFUSED || end == RpcTcpEnd::TLS_FAILED;
    if (isDenied || (!made && m_settings.timeout.soft))
    {
        FinishAll(RpcOutcome::DISCONNECTED);
        return;
    }
    const Time now = Simulator::Now();
    const Time next =
        made ? std::max(m_connectStart + m_settings.retryDelay, now) : now + m_settings.retryDelay;
    m_state = State::WAITING;
    m_retryTrace(next - now);
    m_connectEvent = Simulator::Schedule(next - now, &RpcTcpClient::MakeConnection, this);
}

void
RpcTcpClient::StartTimer()
{
    m_timer.Cancel();
    if (m_settings.timeout.initial.IsZero() || m_state != State::CONNECTED)
    {
        return;
    }
    Time first = Time::Max();
    for (const auto& [order, pending] : m_calls)
    {
        first = std::min(first,
                         RpcTimeout::GetDeadline(pending.call->times, pending.call->record.sent));
    }
    if (first != Time::Max())
    {
        m_timer = Simulator::Schedule(std::max(first - Simulator::Now(), Time(0)),
                                      &RpcTcpClient::HandleTimer,
                                      this);
    }
}

void
RpcTcpClient::HandleTimer()
{
    const Ptr<RpcTcpClient> self(this);
    const Time now = Simulator::Now();
    std::vector<uint32_t> over;
    for (auto& [order, pending] : m_calls)
    {
        RpcTransportCall& call = *pending.call;
        if (RpcTimeout::GetDeadline(call.times, call.record.sent) > now)
        {
            continue;
        }
        ++m_statistics.timeouts;
        m_timedOutTrace(call.record);
        if (m_settings.timeout.Expire(call.times, now) && m_settings.timeout.soft)
        {
            over.push_back(call.record.xid);
        }
    }
    Leave(RpcTcpEnd::LOCAL);
    for (auto& [order, pending] : m_calls)
    {
        pending.sent = false;
    }
    for (const uint32_t xid : over)
    {
        if (m_byXid.count(xid) > 0)
        {
            Finish(xid, RpcOutcome::TIMED_OUT, {});
        }
    }
    if (!m_calls.empty() && m_state == State::IDLE)
    {
        MakeConnection();
    }
}

void
RpcTcpClient::StartIdleTimer()
{
    m_idleTimer.Cancel();
    if (!m_settings.idleTimeout.IsZero())
    {
        m_idleTimer = Simulator::Schedule(m_settings.idleTimeout,
                                          &RpcTcpClient::Leave,
                                          this,
                                          RpcTcpEnd::LOCAL);
    }
}

} // namespace ns3::nfsrdma
