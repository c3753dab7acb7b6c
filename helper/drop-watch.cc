/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/drop-watch.h"

#include "helper/ethernet-network.h"
#include "link/impairment.h"

#include "ns3/arp-l3-protocol.h"
#include "ns3/ipv4-interface.h"
#include "ns3/node.h"

namespace ns3::nfsrdma
{

DropWatch::DropWatch(const EthernetNetwork& network)
    : m_counts(network.devices.size())
{
    for (std::size_t host = 0; host < network.devices.size(); ++host)
    {
        const auto node = network.devices[host]->GetNode();
        for (const auto& port : network.hostPorts[host])
        {
            port->TraceConnectWithoutContext(
                "MacTxDrop",
                MakeCallback(&DropWatch::Count, this, host, HOST_TRANSMIT));
            port->TraceConnectWithoutContext(
                "PhyRxDrop",
                MakeCallback(&DropWatch::Count, this, host, HOST_RECEIVE));
        }
        if (const auto& bond = network.bonds[host])
        {
            bond->TraceConnectWithoutContext(
                "MacTxDrop",
                MakeCallback(&DropWatch::Count, this, host, HOST_TRANSMIT));
        }
        const auto ipv4 = node->GetObject<Ipv4L3Protocol>();
        for (const auto& device : network.GetInterfaces(host))
        {
            const int32_t interface = ipv4->GetInterfaceForDevice(device);
            if (interface < 0)
            {
                continue;
            }
            const auto arpCache =
                ipv4->GetInterface(static_cast<uint32_t>(interface))->GetArpCache();
            node->GetObject<ArpL3Protocol>()->TraceConnectWithoutContext(
                "Drop",
                MakeCallback(&DropWatch::CountArp, this, host, PeekPointer(arpCache)));
            arpCache->TraceConnectWithoutContext(
                "Drop",
                MakeCallback(&DropWatch::Count, this, host, ARP_TIMEOUT));
        }
        ipv4->TraceConnectWithoutContext("Drop", MakeCallback(&DropWatch::CountIpv4, this, host));
        if (const auto ipv6 = node->GetObject<Ipv6L3Protocol>())
        {
            m_hasIpv6 = true;
            ipv6->TraceConnectWithoutContext("Drop",
                                             MakeCallback(&DropWatch::CountIpv6, this, host));
            node->GetObject<NeighbourDiscovery>()->TraceConnectWithoutContext(
                "Lost",
                MakeCallback(&DropWatch::CountNeighbour, this, host));
        }
        if (const auto tcp = node->GetObject<HostTcp>())
        {
            tcp->TraceConnectWithoutContext("Lost", MakeCallback(&DropWatch::CountTcp, this, host));
        }
    }
}

void
DropWatch::Count(std::size_t host, Place place, Ptr<const Packet> /* packet */)
{
    ++m_counts[host][place];
}

void
DropWatch::CountArp(std::size_t host, ArpCache* cache, Ptr<const Packet> packet)
{
    // An answer has lost its header, which is all that it had; what is sent has got its own.
    Ipv4Header header;
    if (packet->GetSize() < header.GetSerializedSize())
    {
        ++m_counts[host][ARP_UNASKED];
        return;
    }
    packet->PeekHeader(header);
    auto* const entry = cache->Lookup(header.GetDestination());
    ++m_counts[host][entry != nullptr && entry->IsDead() ? ARP_TIMEOUT : ARP_QUEUE];
}

void
DropWatch::CountTcp(std::size_t host, Ptr<const Packet> /* segment */, HostTcp::Loss loss)
{
    switch (loss)
    {
    case HostTcp::Loss::CHECKSUM:
        ++m_counts[host][TCP_CHECKSUM];
        break;
    case HostTcp::Loss::BUFFER:
        ++m_counts[host][PACKET_BUFFER];
        break;
    case HostTcp::Loss::FPDU:
        ++m_counts[host][TCP_FPDU];
        break;
    }
}

void
DropWatch::CountIpv4(std::size_t host,
                     const Ipv4Header& /* header */,
                     Ptr<const Packet> /* packet */,
                     Ipv4L3Protocol::DropReason reason,
                     Ptr<Ipv4> /* ipv4 */,
                     uint32_t /* interface */)
{
    switch (reason)
    {
    case Ipv4L3Protocol::DROP_BAD_CHECKSUM:
        ++m_counts[host][IPV4_CHECKSUM];
        break;
    case Ipv4L3Protocol::DROP_FRAGMENT_TIMEOUT:
        ++m_counts[host][IPV4_FRAGMENTS];
        break;
    default:
        ++m_counts[host][IPV4];
        break;
    }
}

void
DropWatch::CountIpv6(std::size_t host,
                     const Ipv6Header& /* header */,
                     Ptr<const Packet> /* packet */,
                     Ipv6L3Protocol::DropReason /* reason */,
                     Ptr<Ipv6> /* ipv6 */,
                     uint32_t /* interface */)
{
    ++m_counts[host][IPV6];
}

void
DropWatch::CountNeighbour(std::size_t host, NeighbourDiscovery::Loss loss, uint32_t packets)
{
    m_counts[host][loss == NeighbourDiscovery::QUEUE_FULL ? ARP_QUEUE : ARP_TIMEOUT] += packets;
}

const char*
DropWatch::ToString(Place place)
{
    static constexpr std::array<const char*, PLACES> NAMES{"arp-queue",
                                                           "arp-timeout",
                                                           "arp-unasked",
                                                           "ipv4-checksum",
                                                           "ipv4-fragments",
                                                           "ipv4",
                                                           "ipv6",
                                                           "packet-buffer",
                                                           "tcp-checksum",
                                                           "tcp-fpdu",
                                                           "host-transmit",
                                                           "host-receive"};
    return NAMES.at(place);
}

std::vector<std::string>
DropWatch::ListPlaces()
{
    std::vector<std::string> places;
    for (std::size_t place = 0; place < PLACES; ++place)
    {
        if (place != IPV6)
        {
            places.emplace_back(ToString(static_cast<Place>(place)));
        }
    }
    places.emplace_back(SWITCH);
    places.emplace_back(MIDDLEBOX);
    return places;
}

DropWatch::Counts
DropWatch::GetHostCounts(std::size_t host) const
{
    Counts counts;
    for (std::size_t place = 0; place < PLACES; ++place)
    {
        if (m_counts[host][place] > 0)
        {
            counts.emplace_back(ToString(static_cast<Place>(place)), m_counts[host][place]);
        }
    }
    return counts;
}

DropWatch::Counts
DropWatch::GetCounts(const EthernetNetwork& network) const
{
    Counts counts;
    for (std::size_t place = 0; place < PLACES; ++place)
    {
        if (place == IPV6 && !m_hasIpv6)
        {
            continue;
        }
        uint64_t sum = 0;
        for (const auto& host : m_counts)
        {
            sum += host[place];
        }
        counts.emplace_back(ToString(static_cast<Place>(place)), sum);
    }
    uint64_t switches = 0;
    for (const auto& port : network.ports)
    {
        switches += network.switches[port.ethernetSwitch]->GetPortCounters(port.port).dropped;
    }
    uint64_t middleboxes = 0;
    for (const auto& middlebox : network.middleboxes)
    {
        if (!middlebox)
        {
            continue;
        }
        const auto& counters = middlebox->GetCounters();
        middleboxes += counters.tooLarge - counters.fragmented - counters.refused + counters.unsent;
        for (std::size_t from = 0; from < ResegmentingMiddlebox::PORTS; ++from)
        {
            if (const auto impairment = middlebox->GetImpairment(from))
            {
                middleboxes += impairment->GetCounters().dropped;
            }
        }
    }
    counts.emplace_back(SWITCH, switches);
    counts.emplace_back(MIDDLEBOX, middleboxes);
    return counts;
}

} // namespace ns3::nfsrdma
