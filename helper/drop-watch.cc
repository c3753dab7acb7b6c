/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/drop-watch.h"

#include "helper/ethernet-network.h"
#include "link/link-impairment.h"

#include "ns3/arp-cache.h"
#include "ns3/arp-l3-protocol.h"
#include "ns3/ipv4-interface.h"
#include "ns3/node.h"

namespace ns3::nfsrdma
{

DropWatch::DropWatch(const EthernetNetwork& network)
{
    for (const auto& device : network.devices)
    {
        device->TraceConnectWithoutContext("MacTxDrop",
                                           MakeCallback(&DropWatch::Count<HOST_TRANSMIT>, this));
        device->TraceConnectWithoutContext("PhyRxDrop",
                                           MakeCallback(&DropWatch::Count<HOST_RECEIVE>, this));
        const auto node = device->GetNode();
        node->GetObject<ArpL3Protocol>()->TraceConnectWithoutContext(
            "Drop",
            MakeCallback(&DropWatch::Count<ARP_QUEUE>, this));
        const auto ipv4 = node->GetObject<Ipv4L3Protocol>();
        ipv4->TraceConnectWithoutContext("Drop", MakeCallback(&DropWatch::CountIpv4, this));
        const auto interface = static_cast<uint32_t>(ipv4->GetInterfaceForDevice(device));
        ipv4->GetInterface(interface)->GetArpCache()->TraceConnectWithoutContext(
            "Drop",
            MakeCallback(&DropWatch::Count<ARP_TIMEOUT>, this));
    }
}

template <DropWatch::Place place>
void
DropWatch::Count(Ptr<const Packet> /* packet */)
{
    ++m_counts[place];
}

void
DropWatch::CountIpv4(const Ipv4Header& /* header */,
                     Ptr<const Packet> /* packet */,
                     Ipv4L3Protocol::DropReason /* reason */,
                     Ptr<Ipv4> /* ipv4 */,
                     uint32_t /* interface */)
{
    ++m_counts[IPV4];
}

std::vector<std::pair<std::string, uint64_t>>
DropWatch::GetCounts(const EthernetNetwork& network) const
{
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
        middleboxes += counters.tooLarge - counters.fragmented - counters.refused;
        for (std::size_t from = 0; from < ResegmentingMiddlebox::PORTS; ++from)
        {
            if (const auto impairment = middlebox->GetImpairment(from))
            {
                middleboxes += impairment->GetCounters().dropped;
            }
        }
    }
    return {{"arp-queue", m_counts[ARP_QUEUE]},
            {"arp-timeout", m_counts[ARP_TIMEOUT]},
            {"ipv4", m_counts[IPV4]},
            {"host-transmit", m_counts[HOST_TRANSMIT]},
            {"host-receive", m_counts[HOST_RECEIVE]},
            {"switch", switches},
            {"middlebox", middleboxes}};
}

} // namespace ns3::nfsrdma
