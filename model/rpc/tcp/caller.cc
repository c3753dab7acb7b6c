/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/tcp/caller.h"

#include "mpa/stream-tcp-socket.h"
#include "rpc/flatten.h"
#include "rpc/message.h"
#include "rpc/tcp/local-port.h"
#include "rpc/xdr-reader.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <algorithm>

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
                            "ns3::nfsrdma::RpcTcpClient::TimedOutTracedCallback"),
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
    m_connection = nullptr;
    m_socket = nullptr;
    m_calls.clear();
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
    return lines;
}

void
RpcTcpClient::Submit(std::unique_ptr<RpcTransportCall> call)
{
    call->record.handed = Simulator::Now();
    call->record.slot = call->record.handed;
    NS_ABORT_MSG_UNLESS(m_node, "RpcTcpClient has no node");
    m_idleTimer.Cancel();
    m_leaving = false;
    call->order = m_nextOrder++;
    m_settings.timeout.Start(call->times, Simulator::Now());
    m_byXid[call->record.xid] = call->order;
    Pending& pending = m_calls[call->order];
    pending.call = std::move(call);
    if (m_state == State::CONNECTED)
    {
        SendCall(pending);
        StartTimer();
    }
    else if (m_state == State::IDLE)
    {
        m_state = State::CONNECTING;
        Simulator::ScheduleWithContext(m_node->GetId(), Time(0), [self = Ptr<RpcTcpClient>(this)] {
            self->Connect();
        });
    }
}

void
RpcTcpClient::Connect()
{
    if (!m_node || m_calls.empty())
    {
        m_state = State::IDLE;
        return;
    }
    m_state = State::CONNECTING;
    m_connectStart = Simulator::Now();
    m_socket = StreamTcpSocket::Create(m_node, m_server);
    RpcTcpConnection::Events events;
    events.connected = [this] { HandleConnected(); };
    events.record = [this](ByteVector&& record) { HandleRecord(std::move(record)); };
    events.ended = [this](RpcTcpEnd end) { HandleEnd(end); };
    m_connection = RpcTcpConnection::Create(m_socket, false, m_settings.records, std::move(events));
    if (!Bind(m_socket) || m_socket->Connect(m_server) != 0)
    {
        m_connection->Fail(RpcTcpEnd::FAILED);
    }
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
    m_state = State::CONNECTED;
    ++m_statistics.connects;
    m_connectedTrace(GetLocalPort(m_socket));
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
    ++m_statistics.sends;
    ++call.record.transmissions;
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
RpcTcpClient::Finish(uint32_t xid, RpcOutcome outcome, RpcReceivedMessage&& message)
{
    const auto found = m_byXid.find(xid);
    const auto entry = m_calls.find(found->second);
    const std::unique_ptr<RpcTransportCall> call = std::move(entry->second.call);
    m_calls.erase(entry);
    m_byXid.erase(found);
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
    if (m_byXid.count(xid) == 0)
    {
        return false;
    }
    Finish(xid, RpcOutcome::CANCELLED, {});
    return true;
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
    m_state = State::IDLE;
    if (m_connection)
    {
        const auto connection = std::move(m_connection);
        m_connection = nullptr;
        m_socket = nullptr;
        connection->Close();
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
    }
    if (m_calls.empty())
    {
        return;
    }
    if (!made && m_settings.timeout.soft)
    {
        FinishAll(RpcOutcome::DISCONNECTED);
        return;
    }
    const Time now = Simulator::Now();
    const Time next =
        made ? std::max(m_connectStart + m_settings.retryDelay, now) : now + m_settings.retryDelay;
    m_state = State::WAITING;
    m_connectEvent = Simulator::Schedule(next - now, &RpcTcpClient::Connect, this);
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
        Connect();
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
