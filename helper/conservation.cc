/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/conservation.h"

#include "helper/cluster.h"
#include "link/ethernet-channel.h"
#include "mpa/host-tcp.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

struct NamedPort
{
    std::string name;
    Ptr<EthernetNetDevice> device;
};

std::vector<NamedPort>
ListPorts(const Cluster& cluster)
{
    const auto& network = cluster.GetNetwork();
    std::vector<NamedPort> ports;
    for (uint32_t host = 0; host < network.devices.size(); ++host)
    {
        for (std::size_t port = 0; port < network.hostPorts[host].size(); ++port)
        {
            ports.push_back({network.hostPorts[host].size() > 1
                                 ? cluster.GetHostName(host) + " port " + std::to_string(port + 1)
                                 : cluster.GetHostName(host),
                             network.hostPorts[host][port]});
        }
    }
    for (const auto& port : network.ports)
    {
        ports.push_back({network.switchNames[port.ethernetSwitch] + " to " + port.peer,
                         network.switches[port.ethernetSwitch]->GetPort(port.port)});
    }
    for (std::size_t box = 0; box < network.middleboxes.size(); ++box)
    {
        for (std::size_t port = 0; network.middleboxes[box] && port < ResegmentingMiddlebox::PORTS;
             ++port)
        {
            ports.push_back({"middlebox of " + cluster.GetHostName(static_cast<uint32_t>(box)) +
                                 ", port " + std::to_string(port),
                             network.middleboxes[box]->GetPort(port)});
        }
    }
    return ports;
}

/// A line when it does not add up.
void
Compare(const std::string& place,
        uint64_t sent,
        uint64_t delivered,
        uint64_t dropped,
        uint64_t inFlight,
        LayerBalance& balance)
{
    balance.sent += sent;
    balance.delivered += delivered;
    balance.dropped += dropped;
    balance.inFlight += inFlight;
    if (sent != delivered + dropped + inFlight)
    {
        balance.broken.push_back(place + ": " + std::to_string(sent) + " " + balance.unit +
                                 " sent, " + std::to_string(delivered) + " delivered, " +
                                 std::to_string(dropped) + " dropped, " + std::to_string(inFlight) +
                                 " in flight");
    }
}

LayerBalance
BalancePorts(const std::vector<NamedPort>& ports)
{
    LayerBalance balance{"ports", 0, 0, 0, 0, {}, "octets"};
    for (const auto& [name, device] : ports)
    {
        const auto& counters = device->GetCounters();
        Compare(name,
                counters.octetsGiven,
                counters.octetsSent,
                counters.octetsDropped,
                device->GetHeldOctets(),
                balance);
    }
    return balance;
}

LayerBalance
BalanceCables(const std::vector<NamedPort>& ports)
{
    LayerBalance balance{"cables", 0, 0, 0, 0, {}, "octets"};
    for (const auto& [name, device] : ports)
    {
        const auto channel = DynamicCast<EthernetChannel>(device->GetChannel());
        if (!channel || !channel->IsComplete())
        {
            continue;
        }
        const auto first = DynamicCast<EthernetNetDevice>(channel->GetDevice(0));
        const auto peer =
            first == device ? DynamicCast<EthernetNetDevice>(channel->GetDevice(1)) : first;
        const auto& arrived = peer->GetCounters();
        Compare("cable from " + name,
                device->GetCounters().octetsOnCable,
                arrived.octetsArrived - arrived.octetsDamaged,
                arrived.octetsDamaged,
                channel->GetGiven(*device) - device->GetAheadOctets(),
                balance);
    }
    return balance;
}

LayerBalance
BalanceMessages(const Cluster& cluster, const ConservationLimits& limits)
{
    LayerBalance balance{"messages", 0, 0, 0, 0, {}, "octets"};
    for (uint32_t host = 0; host < cluster.GetHostCount(); ++host)
    {
        const auto& counters = cluster.GetDevice(host)->GetCounters();
        balance.sent += counters.messageOctetsPosted;
        balance.delivered += counters.messageOctetsReceived;
    }
    const bool lost = balance.sent > balance.delivered;
    const bool fromNowhere = balance.sent < balance.delivered && !limits.foreign;
    if (fromNowhere || (lost && !limits.connectionsEnd))
    {
        balance.broken.push_back("Sends: " + std::to_string(balance.sent) + " octets posted, " +
                                 std::to_string(balance.delivered) + " received");
    }
    balance.dropped = lost ? balance.sent - balance.delivered : 0;
    return balance;
}

void
CompareWork(const std::string& host, RnicDevice& device, LayerBalance& balance)
{
    const auto& counters = device.GetCounters();
    Compare("send queues of " + host,
            counters.sendsPosted,
            counters.sendsDone,
            counters.sendsFlushed + counters.sendsAbandoned,
            device.GetCensus().outstandingSends,
            balance);
}

void
CompareContexts(const std::string& host, RnicDevice& device, LayerBalance& balance)
{
    const auto& counters = device.GetCounters();
    auto& fetches = device.GetClocks().GetContexts().GetFetches();
    const uint64_t fetched = fetches.GetReturned(Simulator::Now());
    Compare("contexts of " + host,
            counters.contextUses,
            counters.contextHits + fetched,
            0,
            fetches.GetOutstanding(),
            balance);
}

void
CompareReads(const std::string& host, RnicDevice& device, LayerBalance& balance)
{
    auto& reads = device.GetClocks().GetPcie().GetCompletions();
    const uint64_t come = reads.GetReturned(Simulator::Now());
    Compare("reads on the bus of " + host,
            device.GetClocks().GetPcie().GetOctetsAsked(),
            come,
            0,
            reads.GetOutstanding(),
            balance);
}

void
CompareReceiveBuffer(const std::string& host, RnicDevice& device, LayerBalance& balance)
{
    ReceiveBuffer& buffer = device.GetReceiveBuffer();
    const uint64_t left = buffer.GetLeft();
    Compare("receive buffer of " + host,
            device.GetCounters().fpduOctetsReceived,
            left,
            0,
            buffer.GetMeter().GetCurrent(),
            balance);
}

void
ComparePostedWrites(const std::string& host, RnicDevice& device, LayerBalance& balance)
{
    auto& writes = device.GetClocks().GetPostedWrites();
    const uint64_t through = writes.GetReturned(Simulator::Now());
    const bool bus = !device.GetSettings().engineOnHost;
    Compare("writes on the bus of " + host,
            bus ? device.GetCounters().payloadReceived : 0,
            through,
            0,
            writes.GetOutstanding(),
            balance);
}

void
CompareHostMemory(const std::string& host, RnicDevice& device, LayerBalance& balance)
{
    const HostMemory& memory = *device.GetHostMemory();
    const auto& posts = memory.GetPostCounters();
    Compare("memory of " + host,
            device.GetCounters().payloadReceived,
            posts.written,
            posts.lost,
            memory.GetPostedOctets(),
            balance);
}

LayerBalance
BalanceDevices(const Cluster& cluster,
               const std::string& layer,
               void (*compare)(const std::string&, RnicDevice&, LayerBalance&),
               const std::string& unit = "octets")
{
    LayerBalance balance{layer, 0, 0, 0, 0, {}, unit};
    for (uint32_t host = 0; host < cluster.GetHostCount(); ++host)
    {
        compare(cluster.GetHostName(host), *cluster.GetDevice(host), balance);
    }
    return balance;
}

} // namespace

TcpCounters
SumUpTcp(const Cluster& cluster)
{
    TcpCounters sum;
    for (const auto& device : cluster.GetNetwork().devices)
    {
        if (const auto tcp = device->GetNode()->GetObject<HostTcp>())
        {
            sum += tcp->GetCounters();
        }
    }
    return sum;
}

LayerBalance
BalanceTcp(const TcpCounters& counters, bool foreign)
{
    LayerBalance balance{"tcp", counters.given, counters.delivered, 0, 0, {}, "octets"};
    const auto describe = [&counters](const std::string& what) {
        return what + ": " + std::to_string(counters.given) + " octets given, " +
               std::to_string(counters.acknowledged) + " acknowledged, " +
               std::to_string(counters.held) + " held, " + std::to_string(counters.abandoned) +
               " abandoned, " + std::to_string(counters.delivered) + " delivered";
    };
    if (counters.given != counters.acknowledged + counters.held + counters.abandoned)
    {
        balance.broken.push_back(describe("TCP senders"));
    }
    if (!foreign && counters.delivered < counters.acknowledged)
    {
        balance.broken.push_back(describe("TCP has acknowledged what has not come"));
    }
    if (!foreign && counters.delivered > counters.given)
    {
        balance.broken.push_back(describe("TCP has delivered what was not given"));
    }
    const uint64_t missing =
        counters.given > counters.delivered ? counters.given - counters.delivered : 0;
    balance.inFlight = std::min(missing, counters.held);
    balance.dropped = missing - balance.inFlight;
    return balance;
}

std::vector<LayerBalance>
CheckConservation(const Cluster& cluster, const ConservationLimits& limits)
{
    const auto ports = ListPorts(cluster);
    return {BalancePorts(ports),
            BalanceCables(ports),
            BalanceTcp(SumUpTcp(cluster), limits.foreign),
            BalanceMessages(cluster, limits),
            BalanceDevices(cluster, "work_requests", &CompareWork, "work_requests"),
            BalanceDevices(cluster, "contexts", &CompareContexts, "contexts"),
            BalanceDevices(cluster, "bus_reads", &CompareReads),
            BalanceDevices(cluster, "receive_buffers", &CompareReceiveBuffer),
            BalanceDevices(cluster, "posted_writes", &ComparePostedWrites),
            BalanceDevices(cluster, "host_memory", &CompareHostMemory)};
}

} // namespace ns3::nfsrdma
