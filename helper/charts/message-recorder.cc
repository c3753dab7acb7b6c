/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/charts/message-recorder.h"

#include "helper/rpc-operation.h"
#include "mpa/connection.h"
#include "mpa/internet-address.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr Stag KEY_MASK = 0xff;

TcpSegment::Flow
GetReverse(const TcpSegment::Flow& flow)
{
    const auto& [source, destination, sourcePort, destinationPort] = flow;
    return {destination, source, destinationPort, sourcePort};
}

/// \return the flow of what \p pair sends; none when it has no connection any more.
std::optional<TcpSegment::Flow>
GetFlow(const QueuePair& pair)
{
    if (!pair.HasConnection())
    {
        return std::nullopt;
    }
    const auto from = ReadSocketAddress(pair.GetConnection().GetLocalAddress());
    const auto to = ReadSocketAddress(pair.GetConnection().GetPeerAddress());
    if (!from || !to)
    {
        return std::nullopt;
    }
    return TcpSegment::Flow{from->address, to->address, from->port, to->port};
}

uint64_t
GetLength(const SendWorkRequest& request)
{
    uint64_t length = 0;
    for (const auto& element : request.elements)
    {
        length += element.length;
    }
    return length;
}

} // namespace

MessageRecorder::MessageRecorder(const Cluster& cluster,
                                 uint16_t nfsPort,
                                 MessageSelection selection,
                                 std::ostream& stream)
    : m_cluster(cluster),
      m_nfsPort(nfsPort),
      m_selection(std::move(selection)),
      m_stream(stream),
      m_views(cluster.GetHostCount())
{
    m_stream << "requester,responder,xid,operation,time_ns,end_ns,host,event,connection,number,"
                "message,text\n";
    for (uint32_t host = 0; host < cluster.GetHostCount(); ++host)
    {
        for (const auto& address : cluster.ListAddresses(host))
        {
            m_hosts[address] = host;
        }
        WatchQueuePairs(host, cluster.GetDevice(host), {true, false}, *this);
    }
    for (uint32_t client = 0; client < cluster.GetClients().size(); ++client)
    {
        WatchClient(client);
    }
    for (uint32_t server = 0; server < cluster.GetServers().size(); ++server)
    {
        cluster.GetServers()[server].rpc->TraceConnectWithoutContext(
            "CallTaken",
            Callback<void, const RpcCallHeader&, Time, uint64_t>(
                [this, server](const RpcCallHeader& header, Time queued, uint64_t) {
                    TakeThread(m_cluster.GetServerHost(server), header.xid, queued);
                }));
    }
}

void
MessageRecorder::WatchClient(uint32_t client)
{
    for (const auto& transport : m_cluster.GetClients()[client].stack.transports)
    {
        transport->TraceConnectWithoutContext(
            "Connected",
            Callback<void, uint32_t, uint32_t>(
                [this, client](uint32_t, uint32_t) { TellClient(client, "connected"); }));
        transport->TraceConnectWithoutContext(
            "Disconnected",
            Callback<void, CmEventType>([this, client](CmEventType reason) {
                TellClient(client, std::string("connection lost: ") + ToString(reason));
            }));
        transport->TraceConnectWithoutContext(
            "Retry",
            Callback<void, Time>([this, client](Time delay) {
                TellClient(client,
                           "connects again in " + std::to_string(delay.GetMicroSeconds()) + " us");
            }));
    }
}

void
MessageRecorder::TellClient(uint32_t client, const std::string& text)
{
    if (m_finished)
    {
        return;
    }
    const auto now = Simulator::Now();
    const auto host = m_cluster.GetClientHost(client);
    AddToAll(host, std::nullopt, {now, now, host, "local", "", 0, "connection", text});
}

std::optional<uint32_t>
MessageRecorder::FindHost(const IpAddress& address) const
{
    const auto found = m_hosts.find(address);
    return found == m_hosts.end() ? std::nullopt : std::make_optional(found->second);
}

void
MessageRecorder::TakeFrame(uint32_t host, const Ptr<const Packet>& frame)
{
    ByteVector octets(frame->GetSize());
    frame->CopyData(octets.data(), frame->GetSize());
    const auto segment = TcpSegment::Decode(octets);
    if (!segment || (segment->sourcePort != m_nfsPort && segment->destinationPort != m_nfsPort) ||
        !FindHost(segment->source) || !FindHost(segment->destination))
    {
        return;
    }
    auto& connection = FindConnection(m_views[host], *segment);
    const std::size_t side = segment->GetFlow() == connection.opener ? 0 : 1;
    for (const auto& message : connection.follower.Take(side, *segment, Simulator::Now()))
    {
        TakeMessage(host, *segment, connection, message);
    }
    if ((segment->flags & (TcpSegment::FIN | TcpSegment::RST)) != 0)
    {
        TakeEnd(host, *segment, connection);
    }
}

MessageRecorder::Connection&
MessageRecorder::FindConnection(View& view, const TcpSegment& segment)
{
    const auto flow = segment.GetFlow();
    const auto reverse = GetReverse(flow);
    auto [entry, isNew] = view.connections.try_emplace(std::min(flow, reverse));
    auto& connection = entry->second;
    const bool opens = (segment.flags & (TcpSegment::SYN | TcpSegment::ACK)) == TcpSegment::SYN;
    if (isNew || (opens && segment.sequence != connection.synSequence))
    {
        connection = {MessageFollower(), flow, segment.sequence};
        view.sends.erase(flow);
        view.sends.erase(reverse);
    }
    return connection;
}

void
MessageRecorder::TakeMessage(uint32_t host,
                             const TcpSegment& segment,
                             const Connection& connection,
                             const WireMessage& message)
{
    auto& view = m_views[host];
    const auto from = *FindHost(segment.source);
    const auto to = *FindHost(segment.destination);
    const auto read = view.tracker.Take(message, from, to);
    const bool isSent = from == host;
    std::optional<Row> posted;
    if (isSent && read.name.rfind("Send", 0) == 0)
    {
        auto& sends = view.sends[segment.GetFlow()];
        if (!sends.empty())
        {
            posted = sends.front();
            sends.pop_front();
        }
    }
    Row row{message.begin,
            message.end,
            host,
            isSent ? "sent" : "received",
            NameConnection(connection),
            message.number,
            read.name,
            read.text};
    for (const auto& key : read.exchanges)
    {
        if (isSent && read.isCall)
        {
            m_exchanges[key].operation = read.procedure;
        }
        if (isSent)
        {
            AddRegistrations(host, key);
        }
        if (posted)
        {
            Add(key, *posted);
        }
        Add(key, row);
    }
}

std::string
MessageRecorder::NameConnection(const Connection& connection)
{
    return std::to_string(std::get<2>(connection.opener)) + ":" + ShortHex(connection.synSequence);
}

void
MessageRecorder::TakeEnd(uint32_t host, const TcpSegment& segment, const Connection& connection)
{
    const auto from = *FindHost(segment.source);
    const auto to = *FindHost(segment.destination);
    const auto now = Simulator::Now();
    const bool isReset = (segment.flags & TcpSegment::RST) != 0;
    const Row row{now,
                  now,
                  host,
                  from == host ? "sent" : "received",
                  NameConnection(connection),
                  segment.EndSequence(),
                  isReset ? "TCP RST" : "TCP FIN",
                  ""};
    AddToAll(host, from == host ? to : from, row);
}

void
MessageRecorder::TakeThread(uint32_t host, uint32_t xid, Time queued)
{
    const auto now = Simulator::Now();
    std::optional<ExchangeKey> only;
    for (const auto& [key, exchange] : m_exchanges)
    {
        if (key.responder == host && key.xid == xid && !exchange.written)
        {
            if (only)
            {
                return; // Of whose clients, the trace source does not say.
            }
            only = key;
        }
    }
    if (only)
    {
        const auto text = queued.IsZero() ? std::string("thread takes the call")
                                          : "thread takes the call after " +
                                                std::to_string(queued.GetNanoSeconds()) + " ns";
        Add(*only, {now, now, host, "local", "", 0, "thread", text});
    }
}

void
MessageRecorder::TakeState(uint32_t host,
                           const QueuePair& pair,
                           QueuePairState before,
                           QueuePairState after)
{
    auto& peers = m_views[host].peers;
    if (before == QueuePairState::IDLE && after == QueuePairState::RTS)
    {
        const auto flow = GetFlow(pair);
        const auto peer = flow ? FindHost(std::get<1>(*flow)) : std::nullopt;
        if (peer)
        {
            peers[pair.GetNumber()] = *peer;
        }
        return;
    }
    const auto peer = peers.find(pair.GetNumber());
    if (peer == peers.end())
    {
        return;
    }
    const auto now = Simulator::Now();
    AddToAll(host,
             peer->second,
             {now,
              now,
              host,
              "local",
              "",
              0,
              "qp",
              std::string("queue pair: ") + ToString(before) + " to " + ToString(after)});
}

void
MessageRecorder::TakePost(uint32_t host, const QueuePair& pair, const SendWorkRequest& request)
{
    auto& view = m_views[host];
    const auto now = Simulator::Now();
    Row row{now, now, host, "local", "", 0, "post", "", m_nextOrder++};
    std::optional<ExchangeKey> owner;
    switch (request.opcode)
    {
    case WorkRequestOpcode::REGISTER_MR: {
        const auto stag = (request.region->GetStag() & ~KEY_MASK) | request.registration.key;
        row.message = "register";
        row.text = "register " + ShortHex(stag) + " " + std::to_string(request.registration.length);
        view.tracker.Release(host, stag);
        view.registrations[stag] = row;
        return;
    }
    case WorkRequestOpcode::LOCAL_INVALIDATE:
        row.message = "invalidate";
        row.text = "invalidate " + ShortHex(request.invalidateStag);
        owner = view.tracker.FindOwner(host, request.invalidateStag);
        break;
    case WorkRequestOpcode::RDMA_WRITE:
    case WorkRequestOpcode::RDMA_READ: {
        const auto peer = view.peers.find(pair.GetNumber());
        if (peer != view.peers.end())
        {
            owner = view.tracker.FindOwner(peer->second, request.remoteStag);
        }
        row.text =
            std::string("post ") +
            (request.opcode == WorkRequestOpcode::RDMA_WRITE ? "RDMA Write " : "RDMA Read ") +
            std::to_string(GetLength(request));
        break;
    }
    case WorkRequestOpcode::SEND:
    case WorkRequestOpcode::SEND_WITH_INVALIDATE:
        if (const auto flow = GetFlow(pair))
        {
            row.text = "post Send";
            view.sends[*flow].push_back(row);
        }
        return;
    default:
        return;
    }
    if (owner)
    {
        Add(*owner, row);
    }
}

void
MessageRecorder::AddRegistrations(uint32_t host, const ExchangeKey& key)
{
    auto& view = m_views[host];
    for (auto entry = view.registrations.begin(); entry != view.registrations.end();)
    {
        if (view.tracker.FindOwner(host, entry->first) == key)
        {
            Add(key, entry->second);
            entry = view.registrations.erase(entry);
        }
        else
        {
            ++entry;
        }
    }
}

void
MessageRecorder::AddToAll(uint32_t host, std::optional<uint32_t> peer, const Row& row)
{
    for (auto& [key, exchange] : m_exchanges)
    {
        const bool calls = key.requester == host && (!peer || key.responder == *peer);
        const bool serves = key.responder == host && (!peer || key.requester == *peer);
        if (!exchange.written && (calls || serves))
        {
            exchange.rows.push_back(row);
            exchange.rows.back().order = m_nextOrder++;
        }
    }
}

void
MessageRecorder::Add(const ExchangeKey& key, Row row)
{
    const auto found = m_exchanges.find(key);
    if (found == m_exchanges.end())
    {
        return;
    }
    if (found->second.written)
    {
        Write(key, found->second, row);
    }
    else
    {
        row.order = row.order == 0 ? m_nextOrder++ : row.order;
        found->second.rows.push_back(std::move(row));
    }
}

void
MessageRecorder::TakeRpc(uint32_t client, const RpcRecord& record)
{
    const auto host = m_cluster.GetClientHost(client);
    const ExchangeKey key{host,
                          m_cluster.GetServerHost(m_cluster.GetClients()[client].server),
                          record.xid};
    m_views[key.requester].tracker.Forget(key);
    m_views[key.responder].tracker.Forget(key);
    const auto found = m_exchanges.find(key);
    if (found == m_exchanges.end())
    {
        return;
    }
    auto& exchange = found->second;
    exchange.operation = GetOperationName(record);
    if (!m_selection.Take(record.xid, exchange.operation))
    {
        m_exchanges.erase(found);
        return;
    }
    const Row submit{record.submitted, record.submitted, host, "local", "", 0, "submit", "call"};
    const Row complete{record.completed,
                       record.completed,
                       host,
                       "local",
                       "",
                       0,
                       "complete",
                       std::string("complete: ") + ToString(record.outcome) + "; status " +
                           std::to_string(record.programStatus)};
    exchange.rows.push_back(complete);
    exchange.rows.back().order = m_nextOrder++;
    exchange.rows.push_back(submit);
    WriteAll(key, exchange);
    exchange.rows.clear();
    exchange.written = true;
}

void
MessageRecorder::Finish()
{
    for (auto& [key, exchange] : m_exchanges)
    {
        if (!exchange.written && m_selection.Take(key.xid, exchange.operation))
        {
            WriteAll(key, exchange);
        }
    }
    m_exchanges.clear();
    m_finished = true;
}

void
MessageRecorder::WriteAll(const ExchangeKey& key, Exchange& exchange)
{
    std::sort(exchange.rows.begin(), exchange.rows.end(), [](const Row& a, const Row& b) {
        return std::tie(a.time, a.order) < std::tie(b.time, b.order);
    });
    for (const auto& row : exchange.rows)
    {
        Write(key, exchange, row);
    }
}

void
MessageRecorder::Write(const ExchangeKey& key, const Exchange& exchange, const Row& row)
{
    auto text = row.text;
    std::replace(text.begin(), text.end(), ',', ' ');
    m_stream << m_cluster.GetHostName(key.requester) << ',' << m_cluster.GetHostName(key.responder)
             << ',' << ShortHex(key.xid) << ',' << exchange.operation << ','
             << row.time.GetNanoSeconds() << ',' << row.end.GetNanoSeconds() << ','
             << m_cluster.GetHostName(row.host) << ',' << row.event << ',' << row.connection << ','
             << row.number << ',' << row.message << ',' << text << '\n';
}

} // namespace ns3::nfsrdma
