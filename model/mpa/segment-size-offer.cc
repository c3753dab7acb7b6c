/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/segment-size-offer.h"

#include "link/aggregate-once.h"
#include "mpa/internet-address.h"
#include "mpa/octet-header.h"
#include "toe/pseudo-header.h"
#include "toe/wire-header.h"

#include "ns3/ipv4-route.h"
#include "ns3/ipv6-route.h"
#include "ns3/packet.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-l4-protocol.h"

#include <array>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(SegmentSizeOffer);

namespace
{

constexpr std::size_t MOST_SYN_HEADER = TcpWireHeader::FIXED_OCTETS + TcpOptions::MOST_OCTETS;
constexpr uint32_t IPV4_AND_TCP = 40;
constexpr uint32_t IPV6_AND_TCP = 60;

/// Puts the offer of \p mss octets into \p segment, if it is a SYN that has none.
void
Offer(const Ptr<Packet>& segment, uint32_t mss, const TcpPseudoHeader& addresses)
{
    std::array<uint8_t, MOST_SYN_HEADER> octets{};
    const std::size_t size = segment->CopyData(octets.data(), static_cast<uint32_t>(octets.size()));
    const auto read = ReceivedTcpSegment::Decode(ByteSpan(octets.data(), size));
    if (!read || !read->header.Has(TcpWireHeader::SYN) || read->header.options.maximumSegmentSize)
    {
        return;
    }
    TcpWireHeader header = read->header;
    header.options.maximumSegmentSize = static_cast<uint16_t>(mss);
    segment->RemoveAtStart(static_cast<uint32_t>(read->headerSize));
    ByteVector whole(header.GetSize() + segment->GetSize());
    std::ignore = header.Encode(MutableByteSpan(whole.data(), header.GetSize()));
    segment->CopyData(whole.data() + header.GetSize(), segment->GetSize());
    if (Node::ChecksumEnabled())
    {
        addresses.Seal(whole);
    }
    segment->AddHeader(OctetHeader(ByteSpan(whole.data(), header.GetSize())));
}

} // namespace

TypeId
SegmentSizeOffer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::nfsrdma::SegmentSizeOffer")
                            .SetParent<Object>()
                            .SetGroupName("NfsRdma")
                            .AddConstructor<SegmentSizeOffer>();
    return tid;
}

void
SegmentSizeOffer::Install(const Ptr<Node>& node)
{
    if (const auto offer = AggregateOnce<SegmentSizeOffer>(node))
    {
        const auto tcp = node->GetObject<TcpL4Protocol>();
        offer->m_ipv4 = tcp->GetDownTarget();
        offer->m_ipv6 = tcp->GetDownTarget6();
        tcp->SetDownTarget(MakeCallback(&SegmentSizeOffer::SendIpv4, PeekPointer(offer)));
        tcp->SetDownTarget6(MakeCallback(&SegmentSizeOffer::SendIpv6, PeekPointer(offer)));
    }
}

void
SegmentSizeOffer::DoDispose()
{
    m_ipv4.Nullify();
    m_ipv6.Nullify();
    Object::DoDispose();
}

void
SegmentSizeOffer::SendIpv4(Ptr<Packet> segment,
                           Ipv4Address source,
                           Ipv4Address destination,
                           uint8_t protocol,
                           Ptr<Ipv4Route> route)
{
    if (route)
    {
        Offer(segment,
              route->GetOutputDevice()->GetMtu() - IPV4_AND_TCP,
              TcpPseudoHeader::OfIpv4(source.Get(), destination.Get()));
    }
    if (!m_ipv4.IsNull())
    {
        m_ipv4(segment, source, destination, protocol, route);
    }
}

void
SegmentSizeOffer::SendIpv6(Ptr<Packet> segment,
                           Ipv6Address source,
                           Ipv6Address destination,
                           uint8_t protocol,
                           Ptr<Ipv6Route> route)
{
    if (route)
    {
        Offer(segment,
              route->GetOutputDevice()->GetMtu() - IPV6_AND_TCP,
              TcpPseudoHeader::OfIpv6(ToIpAddress(source).GetOctets(),
                                      ToIpAddress(destination).GetOctets()));
    }
    if (!m_ipv6.IsNull())
    {
        m_ipv6(segment, source, destination, protocol, route);
    }
}

} // namespace ns3::nfsrdma
