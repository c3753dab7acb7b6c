/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/neighbour-discovery.h"

#include "ns3/boolean.h"
#include "ns3/ipv6-interface.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/ipv6-static-routing.h"
#include "ns3/ndisc-cache.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(NeighbourDiscovery);

TypeId
NeighbourDiscovery::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::NeighbourDiscovery")
            .SetParent<Icmpv6L4Protocol>()
            .SetGroupName("NfsRdma")
            .AddConstructor<NeighbourDiscovery>()
            .AddTraceSource("Lost",
                            "Packets are lost that waited for a neighbour.",
                            MakeTraceSourceAccessor(&NeighbourDiscovery::m_lostTrace),
                            "ns3::nfsrdma::NeighbourDiscovery::LostTracedCallback");
    return tid;
}

void
NeighbourDiscovery::InstallIpv6(const Ptr<Node>& node)
{
    const auto ipv6 = CreateObject<Ipv6L3Protocol>();
    const auto discovery = CreateObject<NeighbourDiscovery>();
    discovery->SetAttribute("DAD", BooleanValue(false));
    discovery->SetAttribute("SolicitationJitter",
                            StringValue("ns3::ConstantRandomVariable[Constant=0.0]"));
    node->AggregateObject(ipv6);
    node->AggregateObject(discovery);
    ipv6->SetRoutingProtocol(CreateObject<Ipv6StaticRouting>());
    ipv6->RegisterExtensions();
    ipv6->RegisterOptions();
}

void
NeighbourDiscovery::FunctionDadTimeout(Ipv6Interface* interface, Ipv6Address address)
{
    interface->SetState(address, Ipv6InterfaceAddress::PREFERRED);
}

NeighbourDiscovery::RxStatus
NeighbourDiscovery::Receive(Ptr<Packet> packet,
                            const Ipv6Header& header,
                            Ptr<Ipv6Interface> interface)
{
    const auto status = Icmpv6L4Protocol::Receive(packet, header, interface);
    if (!m_waiting.empty())
    {
        // A neighbour that has not answered is forgotten only after the message about it.
        Simulator::ScheduleNow(&NeighbourDiscovery::Settle, Ptr<NeighbourDiscovery>(this));
    }
    return status;
}

bool
NeighbourDiscovery::Lookup(Ptr<Packet> packet,
                           const Ipv6Header& header,
                           Ipv6Address neighbour,
                           Ptr<NetDevice> device,
                           Ptr<NdiscCache> cache,
                           Address* hardwareAddress)
{
    Settle();
    if (Icmpv6L4Protocol::Lookup(packet, header, neighbour, device, cache, hardwareAddress))
    {
        return true;
    }
    auto& waiting = m_waiting[neighbour];
    waiting.cache = cache;
    if (waiting.packets < cache->GetUnresQlen())
    {
        ++waiting.packets;
    }
    else
    {
        ++m_discarded;
        m_lostTrace(QUEUE_FULL, 1);
    }
    return false;
}

void
NeighbourDiscovery::Settle()
{
    for (auto asked = m_waiting.begin(); asked != m_waiting.end();)
    {
        const auto& [cache, packets] = asked->second;
        const auto* const entry = cache->Lookup(asked->first);
        if (entry != nullptr && (entry->IsIncomplete() || entry->IsProbe()))
        {
            ++asked;
            continue;
        }
        if (entry == nullptr)
        {
            m_lostTrace(UNANSWERED, packets);
        }
        asked = m_waiting.erase(asked);
    }
}

} // namespace ns3::nfsrdma
