/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/arp-updates.h"

#include "link/aggregate-once.h"

#include "ns3/arp-cache.h"
#include "ns3/arp-header.h"
#include "ns3/arp-l3-protocol.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/packet.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ArpUpdates);

TypeId
ArpUpdates::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::ArpUpdates")
                            .SetParent<Object>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<ArpUpdates>();
    return tid;
}

void
ArpUpdates::Install(const Ptr<Node>& node)
{
    if (const auto updates = AggregateOnce<ArpUpdates>(node))
    {
        updates->m_node = node;
        node->RegisterProtocolHandler(MakeCallback(&ArpUpdates::Receive, PeekPointer(updates)),
                                      ArpL3Protocol::PROT_NUMBER,
                                      nullptr);
    }
}

void
ArpUpdates::DoDispose()
{
    m_node = nullptr;
    Object::DoDispose();
}

void
ArpUpdates::Receive(Ptr<NetDevice> device,
                    Ptr<const Packet> packet,
                    uint16_t /* protocol */,
                    const Address& /* from */,
                    const Address& /* to */,
                    NetDevice::PacketType /* type */)
{
    const auto ipv4 = m_node ? m_node->GetObject<Ipv4L3Protocol>() : nullptr;
    const int32_t interface = ipv4 ? ipv4->GetInterfaceForDevice(device) : -1;
    ArpHeader arp;
    if (interface < 0 || packet->GetSize() < arp.GetSerializedSize() ||
        packet->PeekHeader(arp) == 0)
    {
        return;
    }
    const auto cache = ipv4->GetInterface(static_cast<uint32_t>(interface))->GetArpCache();
    auto* const known = cache ? cache->Lookup(arp.GetSourceIpv4Address()) : nullptr;
    if (known != nullptr && known->IsAlive() &&
        known->GetMacAddress() != arp.GetSourceHardwareAddress())
    {
        known->SetMacAddress(arp.GetSourceHardwareAddress());
        known->UpdateSeen();
    }
}

} // namespace ns3::nfsrdma
