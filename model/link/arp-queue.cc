/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/arp-queue.h"

#include "link/aggregate-once.h"

#include "ns3/arp-cache.h"
#include "ns3/arp-l3-protocol.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/packet.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ArpQueue);

TypeId
ArpQueue::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::ArpQueue")
                            .SetParent<Object>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<ArpQueue>();
    return tid;
}

void
ArpQueue::Install(const Ptr<Node>& node)
{
    if (const auto queue = AggregateOnce<ArpQueue>(node))
    {
        queue->m_node = node;
        node->GetObject<ArpL3Protocol>()->TraceConnectWithoutContext(
            "Drop",
            MakeCallback(&ArpQueue::HandleDrop, PeekPointer(queue)));
    }
}

void
ArpQueue::DoDispose()
{
    m_node = nullptr;
    Object::DoDispose();
}

void
ArpQueue::HandleDrop(Ptr<const Packet> packet)
{
    Ipv4Header header;
    const auto ipv4 = m_node ? m_node->GetObject<Ipv4L3Protocol>() : nullptr;
    if (!ipv4 || packet->GetSize() < header.GetSerializedSize())
    {
        return;
    }
    const auto newest = packet->Copy();
    newest->RemoveHeader(header);
    if (Node::ChecksumEnabled())
    {
        header.EnableChecksum();
    }
    for (uint32_t interface = 0; interface < ipv4->GetNInterfaces(); ++interface)
    {
        const auto cache = ipv4->GetInterface(interface)->GetArpCache();
        auto* const entry = cache ? cache->Lookup(header.GetDestination()) : nullptr;
        if (entry != nullptr && entry->IsWaitReply())
        {
            ++m_discarded;
            entry->DequeuePending();
            entry->UpdateWaitReply({newest, header});
            return;
        }
    }
}

} // namespace ns3::nfsrdma
