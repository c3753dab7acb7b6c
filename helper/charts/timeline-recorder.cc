/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/charts/timeline-recorder.h"

#include "helper/rpc-operation.h"
#include "mpa/engine-byte-stream.h"
#include "mpa/internet-address.h"
#include "mpa/tcp-byte-stream.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ns3::nfsrdma
{

namespace
{

/// Operations that set up or recover what a client has at its server.
constexpr std::array<std::string_view, 11> RECOVERY{"EXCHANGE_ID",
                                                    "CREATE_SESSION",
                                                    "DESTROY_SESSION",
                                                    "DESTROY_CLIENTID",
                                                    "BIND_CONN_TO_SESSION",
                                                    "RECLAIM_COMPLETE",
                                                    "SETCLIENTID",
                                                    "SETCLIENTID_CONFIRM",
                                                    "OPEN",
                                                    "OPEN_NOATTR",
                                                    "LOCK"};

/// \return \p state by the name that ns-3's TCP has for it.
std::string
GetNs3Name(TcpState state)
{
    if (state == TcpState::SYN_RECEIVED)
    {
        return TcpSocket::TcpStateName[TcpSocket::SYN_RCVD];
    }
    std::string name = ToString(state);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

} // namespace

TimelineRecorder::TimelineRecorder(const Cluster& cluster,
                                   uint16_t nfsPort,
                                   Time period,
                                   std::ostream& timeline,
                                   std::ostream& events)
    : m_cluster(cluster),
      m_nfsPort(nfsPort),
      m_period(period),
      m_timeline(timeline),
      m_events(events),
      m_counts(cluster.GetClients().size())
{
    m_timeline << "time_ns,client,credits,in_use,pending,rpcs,received_octets,sent_octets,"
                  "client_retransmissions,server_retransmissions,client_window,server_window\n";
    m_events << "time_ns,host,client,kind,connection,what\n";
    for (uint32_t host = 0; host < cluster.GetHostCount(); ++host)
    {
        WatchQueuePairs(host, cluster.GetDevice(host), {}, *this);
    }
    for (uint32_t server = 0; server < cluster.GetServers().size(); ++server)
    {
        WatchServer(server);
    }
    for (uint32_t client = 0; client < m_counts.size(); ++client)
    {
        m_clients[cluster.GetAddress(cluster.GetClientHost(client))] = client;
        WatchClient(client);
    }
    m_next = Simulator::Schedule(Time(0), &TimelineRecorder::Sample, this);
}

TimelineRecorder::~TimelineRecorder()
{
    m_next.Cancel();
}

void
TimelineRecorder::WatchServer(uint32_t server)
{
    m_cluster.GetServers()[server].transport->TraceConnectWithoutContext(
        "ConnectionEnded",
        Callback<void, IpAddress, const std::string&>(
            [this, server](IpAddress peer, const std::string& reason) {
                const auto client = m_clients.find(peer);
                if (client != m_clients.end())
                {
                    WriteEvent(m_cluster.GetServerHost(server),
                               client->second,
                               "connection",
                               "",
                               "closed: " + reason);
                }
            }));
}

void
TimelineRecorder::WatchClient(uint32_t client)
{
    const auto host = m_cluster.GetClientHost(client);
    for (const auto& transport : m_cluster.GetClients()[client].stack.transports)
    {
        transport->TraceConnectWithoutContext(
            "Connected",
            Callback<void, uint32_t, uint32_t>([this, host, client](uint32_t, uint32_t) {
                WriteEvent(host, client, "connection", "", "connected");
            }));
        transport->TraceConnectWithoutContext(
            "ConnectionEnded",
            Callback<void, const std::string&>([this, host, client](const std::string& reason) {
                WriteEvent(host, client, "connection", "", "lost: " + reason);
            }));
        transport->TraceConnectWithoutContext(
            "Retry",
            Callback<void, Time>([this, host, client](Time delay) {
                WriteEvent(host,
                           client,
                           "connection",
                           "",
                           "retry in " + std::to_string(delay.GetMicroSeconds()) + " us");
            }));
        transport->TraceConnectWithoutContext(
            "TimedOut",
            Callback<void, const RpcRecord&>([this, host, client](const RpcRecord& record) {
                WriteEvent(host, client, "timeout", "", GetOperationName(record));
            }));
    }
}

void
TimelineRecorder::TakeFrame(uint32_t host, const Ptr<const Packet>& frame)
{
    ByteVector octets(frame->GetSize());
    frame->CopyData(octets.data(), frame->GetSize());
    const auto segment = TcpSegment::Decode(octets);
    if (!segment)
    {
        return;
    }
    const auto from = m_clients.find(segment->source);
    const auto to = m_clients.find(segment->destination);
    const auto isAt = [this, host](const auto& client) {
        return client != m_clients.end() && m_cluster.GetClientHost(client->second) == host;
    };
    if (isAt(from))
    {
        m_counts[from->second].sentOctets += octets.size();
    }
    else if (isAt(to))
    {
        m_counts[to->second].receivedOctets += octets.size();
    }
    const bool leaves = m_cluster.GetAddress(host) == segment->source;
    const bool fromServer = segment->sourcePort == m_nfsPort;
    const auto& client = fromServer ? to : from;
    if (!leaves || client == m_clients.end() ||
        (!fromServer && segment->destinationPort != m_nfsPort))
    {
        return;
    }
    const bool syn = (segment->flags & TcpSegment::SYN) != 0;
    auto [entry, isNew] = m_sent.try_emplace(segment->GetFlow(), segment->EndSequence());
    const auto ahead = static_cast<int32_t>(segment->EndSequence() - entry->second);
    if (syn || ahead > 0)
    {
        entry->second = segment->EndSequence();
    }
    else if (!isNew && !segment->payload.empty())
    {
        auto& counts = m_counts[client->second];
        (fromServer ? counts.serverRetransmissions : counts.clientRetransmissions)++;
    }
}

void
TimelineRecorder::TakeRpc(uint32_t client, const RpcRecord& record)
{
    m_counts.at(client).rpcs++;
    const auto name = GetOperationName(record);
    if (std::find(RECOVERY.begin(), RECOVERY.end(), name) != RECOVERY.end())
    {
        WriteEvent(m_cluster.GetClientHost(client),
                   client,
                   "recovery",
                   "",
                   name + (IsError(record) ? " failed" : ""));
    }
}

void
TimelineRecorder::TakeState(uint32_t host,
                            const QueuePair& pair,
                            QueuePairState before,
                            QueuePairState after)
{
    if (m_stopped)
    {
        return;
    }
    const EndKey key{host, pair.GetNumber()};
    if (before == QueuePairState::IDLE && after == QueuePairState::RTS)
    {
        const auto servers = m_cluster.GetServerHostCount();
        if (host >= servers)
        {
            m_ends[key].client = host - servers;
        }
        else
        {
            const auto client = m_clients.find(GetHostOf(pair.GetConnection().GetPeerAddress()));
            if (client == m_clients.end())
            {
                return;
            }
            m_ends[key].client = client->second;
        }
        WatchSocket(key, pair);
    }
    const auto end = m_ends.find(key);
    if (end == m_ends.end())
    {
        return;
    }
    WriteEvent(host, end->second.client, "qp", std::to_string(key.second), ToString(after));
    if (after == QueuePairState::ERROR)
    {
        m_ends.erase(end);
    }
}

void
TimelineRecorder::TakeTerminate(uint32_t host,
                                const QueuePair& pair,
                                TerminateWay way,
                                const TerminateMessage& message)
{
    const auto end = m_ends.find({host, pair.GetNumber()});
    if (end != m_ends.end())
    {
        WriteEvent(host,
                   end->second.client,
                   "terminate",
                   std::to_string(pair.GetNumber()),
                   TerminateTally::GetText(way, message.reason));
    }
}

void
TimelineRecorder::WatchSocket(const EndKey& key, const QueuePair& pair)
{
    const auto tcp = pair.GetConnection().GetStream();
    if (const auto offloaded = DynamicCast<EngineByteStream>(tcp))
    {
        WatchEngine(key, pair, *offloaded);
        return;
    }
    const auto stream = DynamicCast<TcpByteStream>(tcp);
    if (!stream)
    {
        return;
    }
    const auto socket = stream->GetSocket();
    UintegerValue initial;
    socket->GetAttribute("InitialCwnd", initial);
    m_ends[key].window = static_cast<uint32_t>(initial.Get()) * socket->GetEmss();
    socket->TraceConnectWithoutContext(
        "CongestionWindow",
        Callback<void, uint32_t, uint32_t>([this, key](uint32_t, uint32_t now) {
            const auto end = m_ends.find(key);
            if (end != m_ends.end())
            {
                end->second.window = now;
            }
        }));
    const auto client = m_ends[key].client;
    const auto number = std::to_string(key.second);
    WriteEvent(key.first, client, "tcp", number, TcpSocket::TcpStateName[socket->GetState()]);
    socket->TraceConnectWithoutContext(
        "State",
        Callback<void, TcpSocket::TcpStates_t, TcpSocket::TcpStates_t>(
            [this, key, client, number](TcpSocket::TcpStates_t, TcpSocket::TcpStates_t now) {
                WriteEvent(key.first, client, "tcp", number, TcpSocket::TcpStateName[now]);
            }));
}

void
TimelineRecorder::WatchEngine(const EndKey& key, const QueuePair& pair, EngineByteStream& stream)
{
    const auto client = m_ends[key].client;
    const auto number = std::to_string(pair.GetNumber());
    m_ends[key].window =
        static_cast<uint32_t>(stream.GetMachine().GetSendSide().GetCongestionWindow().window);
    stream.TraceConnectWithoutContext(
        "CongestionWindow",
        Callback<void, uint64_t, uint64_t>([this, key](uint64_t, uint64_t now) {
            const auto end = m_ends.find(key);
            if (end != m_ends.end())
            {
                end->second.window = static_cast<uint32_t>(now);
            }
        }));
    WriteEvent(key.first, client, "tcp", number, GetNs3Name(stream.GetMachine().GetState()));
    stream.TraceConnectWithoutContext(
        "State",
        Callback<void, TcpState, TcpState>([this, key, client, number](TcpState, TcpState now) {
            WriteEvent(key.first, client, "tcp", number, GetNs3Name(now));
        }));
}

void
TimelineRecorder::Sample()
{
    for (uint32_t client = 0; client < m_counts.size(); ++client)
    {
        uint32_t credits = 0;
        uint32_t inUse = 0;
        uint32_t pending = 0;
        for (const auto& transport : m_cluster.GetClients()[client].stack.transports)
        {
            credits += transport->IsConnected() ? transport->GetCredits() : 0;
            inUse += transport->GetOutstanding();
            pending += transport->GetPending();
        }
        uint64_t clientWindow = 0;
        uint64_t serverWindow = 0;
        for (const auto& [key, end] : m_ends)
        {
            if (end.client == client)
            {
                const bool isClient = key.first == m_cluster.GetClientHost(client);
                (isClient ? clientWindow : serverWindow) += end.window;
            }
        }
        const auto& counts = m_counts[client];
        m_timeline << Simulator::Now().GetNanoSeconds() << ",client-" << client << ',' << credits
                   << ',' << inUse << ',' << pending << ',' << counts.rpcs << ','
                   << counts.receivedOctets << ',' << counts.sentOctets << ','
                   << counts.clientRetransmissions << ',' << counts.serverRetransmissions << ','
                   << clientWindow << ',' << serverWindow << '\n';
    }
    m_next = Simulator::Schedule(m_period, &TimelineRecorder::Sample, this);
}

void
TimelineRecorder::Stop()
{
    m_next.Cancel();
    Sample();
    m_next.Cancel();
    m_stopped = true;
}

void
TimelineRecorder::WriteEvent(uint32_t host,
                             uint32_t client,
                             const char* kind,
                             const std::string& connection,
                             const std::string& what)
{
    if (m_stopped)
    {
        return;
    }
    m_events << Simulator::Now().GetNanoSeconds() << ',' << m_cluster.GetHostName(host)
             << ",client-" << client << ',' << kind << ',' << connection << ',' << what << '\n';
}

} // namespace ns3::nfsrdma
