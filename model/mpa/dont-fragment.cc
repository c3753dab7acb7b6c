/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/dont-fragment.h"

#include "ns3/ipv4-header.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/socket.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(DontFragment);

TypeId
DontFragment::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::DontFragment").SetParent<Object>().SetGroupName("NfsRdma");
    return tid;
}

void
DontFragment::Install(Ptr<Node> node)
{
    auto tcp = node->GetObject<TcpL4Protocol>();
    auto ipv4 = node->GetObject<Ipv4>();
    if (!tcp || !ipv4 || node->GetObject<DontFragment>())
    {
        return;
    }
    auto sender = CreateObject<DontFragment>();
    sender->m_ipv4 = ipv4;
    sender->m_withoutRoute = tcp->GetDownTarget();
    UintegerValue ttl;
    if (ipv4->GetAttributeFailSafe("DefaultTtl", ttl))
    {
        sender->m_ttl = static_cast<uint8_t>(ttl.Get());
    }
    node->AggregateObject(sender);
    tcp->SetDownTarget(MakeCallback(&DontFragment::Send, PeekPointer(sender)));
}

void
DontFragment::DoDispose()
{
    m_ipv4 = nullptr;
    m_withoutRoute.Nullify();
    Object::DoDispose();
}

void
DontFragment::Send(Ptr<Packet> packet,
                   Ipv4Address source,
                   Ipv4Address destination,
                   uint8_t protocol,
                   Ptr<Ipv4Route> route)
{
    if (!m_ipv4)
    {
        return;
    }
    if (!route)
    {
        m_withoutRoute(packet, source, destination, protocol, route);
        return;
    }
    Ipv4Header header;
    SocketIpTtlTag ttl;
    header.SetTtl(packet->RemovePacketTag(ttl) ? ttl.GetTtl() : m_ttl);
    SocketIpTosTag tos;
    if (packet->RemovePacketTag(tos))
    {
        header.SetTos(tos.GetTos());
    }
    header.SetSource(source);
    header.SetDestination(destination);
    header.SetProtocol(protocol);
    header.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
    header.SetIdentification(m_identification++);
    header.SetDontFragment();
    m_ipv4->SendWithHeader(packet, header, route);
}

} // namespace ns3::nfsrdma
