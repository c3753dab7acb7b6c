/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/charts/trace-event-recorder.h"

#include "helper/charts/exchange-tracker.h"
#include "helper/rpc-operation.h"

#include "ns3/data-rate.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

const Time MERGE_GAP = MicroSeconds(1);
const Time COUNTER_PERIOD = MicroSeconds(1);

// Numbers of tracks, which are shown in this order.
constexpr uint32_t CONNECTION_TRACK = 1;
constexpr uint32_t LINK_TRACK = 2;
constexpr uint32_t FIRST_FAULT_TRACK = 3;
constexpr uint32_t FIRST_RPC_TRACK = 100;
constexpr uint32_t FIRST_FURTHER_LINK_TRACK = 99'000;
constexpr uint32_t FIRST_THREAD_TRACK = 100'000;
constexpr uint32_t THREADS_OF_SERVER = 65'536; ///< At most, of one of several on a host.
constexpr uint32_t FIRST_PAIR_TRACK = 1'000'000;
constexpr uint32_t TRACKS_OF_PAIR = 10'000;

const char*
ToText(WorkCompletionOpcode kind)
{
    switch (kind)
    {
    case WorkCompletionOpcode::SEND:
        return "Send";
    case WorkCompletionOpcode::RDMA_WRITE:
        return "RDMA Write";
    case WorkCompletionOpcode::RDMA_READ:
        return "RDMA Read";
    case WorkCompletionOpcode::REGISTER_MR:
        return "register";
    case WorkCompletionOpcode::LOCAL_INVALIDATE:
        return "invalidate";
    case WorkCompletionOpcode::BIND_WINDOW:
        return "bind";
    case WorkCompletionOpcode::RECEIVE:
        return "receive";
    case WorkCompletionOpcode::FETCH_AND_ADD:
        return "fetch and add";
    case WorkCompletionOpcode::COMPARE_AND_SWAP:
        return "compare and swap";
    }
    return "unknown";
}

uint32_t
GetProcess(uint32_t host)
{
    return host + 1;
}

} // namespace

TraceEventRecorder::TraceEventRecorder(const Cluster& cluster, std::ostream& stream)
    : m_cluster(cluster),
      m_writer(stream),
      m_rpcs(cluster.GetClients().size()),
      m_servers(cluster.GetServers().size())
{
    const auto hosts = cluster.GetHostCount();
    for (uint32_t host = 0; host < hosts; ++host)
    {
        m_writer.NameProcess(GetProcess(host), cluster.GetHostName(host));
        WatchQueuePairs(host, cluster.GetDevice(host), {false, true}, *this);
        for (uint32_t port = 0; port < cluster.GetNetwork().hostPorts[host].size(); ++port)
        {
            WatchPort(host, port);
        }
    }
    const auto& network = cluster.GetNetwork();
    for (std::size_t i = 0; i < network.switches.size(); ++i)
    {
        m_writer.NameProcess(GetProcess(hosts + static_cast<uint32_t>(i)), network.switchNames[i]);
    }
    for (const auto& port : network.ports)
    {
        WatchQueue(network.switches[port.ethernetSwitch]->GetPort(port.port),
                   GetProcess(hosts + port.ethernetSwitch),
                   "queue to " + port.peer);
    }
    for (uint32_t client = 0; client < m_rpcs.size(); ++client)
    {
        WatchClient(client);
    }
    for (uint32_t server = 0; server < m_servers.size(); ++server)
    {
        WatchServer(server);
    }
}

void
TraceEventRecorder::WatchClient(uint32_t client)
{
    const TraceTrack track{GetProcess(m_cluster.GetClientHost(client)), CONNECTION_TRACK};
    AddTrack(track, "connection");
    const auto tell = [this, track](const std::string& text) {
        if (!m_finished)
        {
            m_writer.AddInstant(track, "connection", text, Simulator::Now());
        }
    };
    for (const auto& transport : m_cluster.GetClients()[client].stack.transports)
    {
        transport->TraceConnectWithoutContext(
            "Connected",
            Callback<void, uint32_t, uint32_t>([tell](uint32_t, uint32_t) { tell("connected"); }));
        transport->TraceConnectWithoutContext(
            "Disconnected",
            Callback<void, CmEventType>([tell](CmEventType reason) {
                tell(std::string("connection lost: ") + ToString(reason));
            }));
        transport->TraceConnectWithoutContext(
            "TimedOut",
            Callback<void, const RpcRecord&>([tell](const RpcRecord& record) {
                tell("timed out: " + GetOperationName(record));
            }));
    }
}

void
TraceEventRecorder::WatchServer(uint32_t server)
{
    auto& books = m_servers[server];
    const auto& rpc = m_cluster.GetServers()[server].rpc;
    rpc->TraceConnectWithoutContext(
        "CallTaken",
        Callback<void, const RpcCallHeader&, Time, uint64_t>(
            [&books](const RpcCallHeader& header, Time, uint64_t thread) {
                books.threads[thread] = {header.xid, thread, Simulator::Now(), std::nullopt};
            }));
    const auto pool = rpc->GetThreadPool();
    pool->TraceConnectWithoutContext(
        "Released",
        Callback<void, uint64_t, Time>([&books](uint64_t thread, Time) {
            const auto found = books.threads.find(thread);
            if (found != books.threads.end())
            {
                found->second.released = Simulator::Now();
                books.done.emplace(found->second.xid, found->second);
                books.threads.erase(found);
            }
        }));
}

void
TraceEventRecorder::WatchPort(uint32_t host, uint32_t port)
{
    const auto& ports = m_cluster.GetNetwork().hostPorts[host];
    const std::string number = ports.size() == 1 ? "" : " " + std::to_string(port + 1);
    m_bursts.emplace_back();
    auto* const burst = &m_bursts.back();
    burst->track = {GetProcess(host), port == 0 ? LINK_TRACK : FIRST_FURTHER_LINK_TRACK + port};
    AddTrack(burst->track, "link" + number);
    WatchQueue(ports[port], GetProcess(host), "queue" + number);
    const auto* const device = PeekPointer(ports[port]);
    ports[port]->TraceConnectWithoutContext(
        "PhyTxBegin",
        Callback<void, Ptr<const Packet>>([this, burst, device](Ptr<const Packet> frame) {
            DataRateValue rate;
            device->GetAttribute("DataRate", rate);
            const auto now = Simulator::Now();
            SendFrame(*burst,
                      now,
                      now + rate.Get().CalculateBytesTxTime(frame->GetSize()),
                      frame->GetSize());
        }));
}

void
TraceEventRecorder::WatchQueue(const Ptr<EthernetNetDevice>& device,
                               uint32_t process,
                               const std::string& name)
{
    m_counters.push_back(std::make_unique<Counter>());
    auto* const counter = m_counters.back().get();
    counter->process = process;
    counter->name = name;
    device->TraceConnectWithoutContext(
        "QueueOctets",
        Callback<void, uint32_t, uint32_t>(
            [this, counter](uint32_t, uint32_t now) { SetQueue(*counter, now); }));
}

void
TraceEventRecorder::SetQueue(Counter& counter, uint32_t octets)
{
    const auto now = Simulator::Now();
    if (m_finished)
    {
        return;
    }
    if (!counter.written || octets == 0 || now - counter.latest >= COUNTER_PERIOD)
    {
        counter.latest = now;
        counter.written = true;
        m_writer.AddCounter(counter.process, counter.name, now, "octets", octets);
    }
}

void
TraceEventRecorder::SendFrame(Burst& burst, Time begin, Time end, uint32_t octets)
{
    if (burst.frames != 0 && begin > burst.end + MERGE_GAP)
    {
        WriteBurst(burst);
    }
    if (burst.frames == 0)
    {
        burst.begin = begin;
    }
    burst.frames++;
    burst.octets += octets;
    burst.end = std::max(end, burst.end);
}

void
TraceEventRecorder::WriteBurst(Burst& burst)
{
    m_writer.AddSlice(burst.track,
                      "link",
                      std::to_string(burst.frames) + (burst.frames == 1 ? " frame" : " frames"),
                      burst.begin,
                      burst.end,
                      {{"octets", std::to_string(burst.octets)}});
    burst.frames = 0;
    burst.octets = 0;
    burst.end = Time();
}

void
TraceEventRecorder::TakeState(uint32_t host,
                              const QueuePair& pair,
                              QueuePairState before,
                              QueuePairState after)
{
    if (m_finished)
    {
        return;
    }
    const TraceTrack track{GetProcess(host),
                           FIRST_PAIR_TRACK + (pair.GetNumber() * TRACKS_OF_PAIR)};
    AddTrack(track, "QP " + std::to_string(pair.GetNumber()));
    m_writer.AddInstant(track,
                        "qp",
                        std::string(ToString(before)) + " to " + ToString(after),
                        Simulator::Now());
}

void
TraceEventRecorder::TakeDone(uint32_t host,
                             const QueuePair& pair,
                             WorkCompletionOpcode kind,
                             WorkCompletionStatus status,
                             const WorkTimeline& timeline)
{
    if (m_finished || kind == WorkCompletionOpcode::RECEIVE)
    {
        return;
    }
    const auto number = pair.GetNumber();
    const auto begin = timeline.GetStart();
    const auto end = timeline.GetLatest();
    const auto lane = m_work[{host, number}].Take(begin, end);
    const TraceTrack track{GetProcess(host), FIRST_PAIR_TRACK + (number * TRACKS_OF_PAIR) + lane};
    AddTrack(track, "QP " + std::to_string(number));
    TraceEventWriter::Arguments arguments;
    if (status != WorkCompletionStatus::SUCCESS)
    {
        arguments.emplace_back("status", ToString(status));
    }
    m_writer.AddSlice(track, "work", ToText(kind), begin, end, arguments);
}

void
TraceEventRecorder::TakeRpc(uint32_t client, const RpcRecord& record)
{
    const auto server = m_cluster.GetClients()[client].server;
    const auto name = GetOperationName(record);
    const auto lane = m_rpcs[client].Take(record.submitted, record.completed);
    const TraceTrack track{GetProcess(m_cluster.GetClientHost(client)), FIRST_RPC_TRACK + lane};
    AddTrack(track, "RPC " + std::to_string(lane));
    m_writer.AddSlice(track,
                      "rpc",
                      name,
                      record.submitted,
                      record.completed,
                      {{"xid", ShortHex(record.xid)},
                       {"form", record.GetForm()},
                       {"outcome", ToString(record.outcome)}});
    std::optional<Served> latest;
    auto& done = m_servers[server].done;
    const auto [first, last] = done.equal_range(record.xid);
    for (auto entry = first; entry != last; ++entry)
    {
        latest = entry->second;
        WriteServed(server, entry->second, name);
    }
    done.erase(first, last);
    if (record.sent.IsZero())
    {
        return;
    }
    std::vector<std::pair<const char*, Time>> phases{{"to call", record.sent}};
    if (!record.replied.IsZero())
    {
        if (latest)
        {
            phases.insert(phases.end(), {{"call", latest->taken}, {"server", *latest->released}});
        }
        phases.emplace_back(latest ? "reply" : "call and reply", record.replied);
    }
    phases.emplace_back("completion", record.completed);
    Time from = record.submitted;
    for (const auto& [phase, until] : phases)
    {
        const auto to = std::clamp(until, from, record.completed);
        if (to > from)
        {
            m_writer.AddSlice(track, "rpc", phase, from, to);
        }
        from = to;
    }
}

void
TraceEventRecorder::WriteServed(uint32_t server, const Served& served, const std::string& name)
{
    const auto instance = server / m_cluster.GetServerHostCount();
    const TraceTrack track{GetProcess(m_cluster.GetServerHost(server)),
                           FIRST_THREAD_TRACK + instance * THREADS_OF_SERVER +
                               static_cast<uint32_t>(served.thread)};
    const auto number = std::to_string(served.thread);
    AddTrack(track,
             m_cluster.GetServers().size() > m_cluster.GetServerHostCount()
                 ? "thread " + number + " of " + m_cluster.GetServerName(server)
                 : "thread " + number);
    m_writer.AddSlice(track,
                      "server",
                      name,
                      served.taken,
                      *served.released,
                      {{"xid", ShortHex(served.xid)}});
}

void
TraceEventRecorder::AddFaults(const std::vector<FaultFiring>& firings)
{
    for (const auto& firing : firings)
    {
        uint32_t process = GetProcess(0);
        for (uint32_t host = 0; host < m_cluster.GetHostCount(); ++host)
        {
            if (m_cluster.GetHostName(host) == firing.host)
            {
                process = GetProcess(host);
            }
        }
        const auto name = firing.name + ": " + firing.what;
        const TraceTrack track{process, CONNECTION_TRACK};
        AddTrack(track, "connection");
        m_writer.AddInstant(track, "fault", name, firing.time, true);
        if (firing.until > firing.time)
        {
            const uint32_t lane = m_faults[process].Take(firing.time, firing.until);
            const TraceTrack lasting{process, FIRST_FAULT_TRACK + lane};
            AddTrack(lasting, "faults");
            m_writer.AddSlice(lasting, "fault", name, firing.time, firing.until);
        }
    }
}

void
TraceEventRecorder::Finish()
{
    for (auto& burst : m_bursts)
    {
        if (burst.frames != 0)
        {
            WriteBurst(burst);
        }
    }
    for (uint32_t server = 0; server < m_servers.size(); ++server)
    {
        for (const auto& [xid, served] : m_servers[server].done)
        {
            WriteServed(server, served, "call without an end");
        }
    }
    m_writer.Finish();
    m_finished = true;
}

void
TraceEventRecorder::AddTrack(TraceTrack track, const std::string& name)
{
    if (m_tracks.emplace(track.process, track.track).second)
    {
        m_writer.NameTrack(track, name);
    }
}

} // namespace ns3::nfsrdma
