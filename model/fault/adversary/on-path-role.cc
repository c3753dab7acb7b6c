/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/on-path-role.h"

#include "ddp/segment-header.h"
#include "link/ethernet-numbers.h"
#include "link/frame-head.h"

#include "ns3/double.h"
#include "ns3/node.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <utility>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(OnPathRole);

namespace
{

constexpr std::size_t IPV4_HEADER = 20;
constexpr std::size_t IPV4_PROTOCOL = FrameHead::ETHERNET_SIZE + 9;
constexpr std::size_t IPV4_SOURCE = FrameHead::ETHERNET_SIZE + 12;
constexpr std::size_t IPV4_ADDRESS = 4;
constexpr std::size_t IPV6_NEXT_HEADER = FrameHead::ETHERNET_SIZE + 6;
constexpr std::size_t IPV6_SOURCE = FrameHead::ETHERNET_SIZE + 8;
constexpr std::size_t ETHER_TYPE = 12;
constexpr uint8_t IHL_MASK = 0x0f;
constexpr std::size_t IHL_UNIT = 4;
/// Calls whose offers are remembered: far more than credits.
constexpr std::size_t MAX_OFFERS = 65536;

ByteVector
GetOctets(const Packet& frame)
{
    ByteVector octets(frame.GetSize());
    frame.CopyData(octets.data(), frame.GetSize());
    return octets;
}

bool
IsIpv6(ByteSpan frame)
{
    return boost::endian::load_big_u16(frame.subspan(ETHER_TYPE).data()) == ETHERTYPE_IPV6;
}

bool
IsEsp(ByteSpan frame)
{
    if (frame.size() < FrameHead::ETHERNET_SIZE + IPV4_HEADER)
    {
        return false;
    }
    const auto type = boost::endian::load_big_u16(frame.subspan(ETHER_TYPE).data());
    return (type == ETHERTYPE_IPV4 && frame[IPV4_PROTOCOL] == IP_PROTOCOL_ESP) ||
           (type == ETHERTYPE_IPV6 &&
            frame.size() >= FrameHead::ETHERNET_SIZE + TcpSegment::IPV6_HEADER &&
            frame[IPV6_NEXT_HEADER] == IP_PROTOCOL_ESP);
}

IpAddress
ReadIpv4Address(ByteSpan frame, std::size_t at)
{
    return IpAddress(boost::endian::load_big_u32(frame.subspan(at).data()));
}

IpAddress
ReadIpv6Address(ByteSpan frame, std::size_t at)
{
    IpAddress::Octets octets{};
    const auto address = frame.subspan(at, octets.size());
    std::copy(address.begin(), address.end(), octets.begin());
    return IpAddress(octets);
}

/// \return the RPC-over-RDMA header that \p fpdu begins; nothing when it is something else.
std::optional<RpcRdmaHeader>
ReadHeader(const FollowedFpdu& fpdu)
{
    ByteVector octets = fpdu.octets;
    const auto ulpdu = fpdu.framing.Open(octets, fpdu.position);
    if (!ulpdu)
    {
        return std::nullopt;
    }
    ByteReader reader(*ulpdu);
    if (!DecodeDdpHeader(reader, DDP_VERSION))
    {
        return std::nullopt;
    }
    const auto header = RpcRdmaHeader::Decode(reader);
    return header ? std::optional(*header) : std::nullopt;
}

} // namespace

TypeId
OnPathRole::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::OnPathRole")
            .SetParent<AdversaryRole>()
            .SetGroupName("NfsRdma")
            .AddAttribute("Probability",
                          "Of a message or segment to be acted on (0 to 1). Default: one in a "
                          "hundred.",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(&OnPathRole::m_probability),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Count",
                          "Rules broken at most (count); 0: any number. Default: 0.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&OnPathRole::m_count),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

OnPathRole::OnPathRole()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

int64_t
OnPathRole::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

void
OnPathRole::HandleHost()
{
    m_tap = std::make_unique<LinkTap>(GetHost().linkEnds,
                                      [this](const LinkTap::Passage& passage,
                                             const Ptr<Packet>& frame) { Take(passage, frame); });
}

void
OnPathRole::DoDispose()
{
    m_tap.reset();
    m_connections.Clear();
    AdversaryRole::DoDispose();
}

bool
OnPathRole::Chooses()
{
    return IsActive() && (m_count == 0 || GetBroken() < m_count) &&
           m_random->GetValue() < m_probability;
}

void
OnPathRole::Note(const std::string& what, const IpAddress& sender)
{
    NoteBroken(what, sender);
}

IpAddress
OnPathRole::GetSender(ByteSpan frame)
{
    return IsIpv6(frame) ? ReadIpv6Address(frame, IPV6_SOURCE)
                         : ReadIpv4Address(frame, IPV4_SOURCE);
}

IpAddress
OnPathRole::GetReceiver(ByteSpan frame)
{
    return IsIpv6(frame) ? ReadIpv6Address(frame, IPV6_SOURCE + IpAddress::Octets().size())
                         : ReadIpv4Address(frame, IPV4_SOURCE + IPV4_ADDRESS);
}

std::size_t
OnPathRole::FindEsp(ByteSpan frame)
{
    return FrameHead::ETHERNET_SIZE +
           (IsIpv6(frame) ? TcpSegment::IPV6_HEADER
                          : (frame[FrameHead::ETHERNET_SIZE] & IHL_MASK) * IHL_UNIT);
}

void
OnPathRole::Send(const LinkTap::Passage& passage, const ByteVector& frame) const
{
    m_tap->Pass(passage, Create<Packet>(frame.data(), static_cast<uint32_t>(frame.size())));
}

void
OnPathRole::Take(const LinkTap::Passage& passage, const Ptr<Packet>& frame)
{
    auto octets = GetOctets(*frame);
    if (auto segment = TcpSegment::Decode(octets))
    {
        TakeSegment(passage, *segment, frame);
    }
    else if (IsEsp(octets))
    {
        TakeSealed(passage, std::move(octets), frame);
    }
    else
    {
        m_tap->Pass(passage, frame);
    }
}

void
OnPathRole::TakeSegment(const LinkTap::Passage& passage,
                        TcpSegment& segment,
                        const Ptr<Packet>& frame)
{
    const auto found = m_connections.Find(segment, [] {
        return Connection{std::make_unique<ConnectionFollower>(true), {}, {}};
    });
    auto& connection = found.state;
    auto& direction = connection.directions[found.side];
    auto& reverse = connection.directions[1 - found.side];
    const auto content = connection.follower->Take(found.side, segment);
    const bool isInOrder = !direction.end || *direction.end == segment.sequence;
    const bool opens = (segment.flags & TcpSegment::SYN) != 0;
    const uint32_t end = segment.EndSequence() + (opens ? 1 : 0);
    if (!direction.end || static_cast<int32_t>(end - *direction.end) > 0)
    {
        direction.end = end;
    }
    Remember(connection, content);
    const auto fate = MeetSegment({passage, content, connection, found.side, isInOrder}, segment);
    if (fate == Fate::STOPPED)
    {
        return;
    }
    if (fate == Fate::PASSES && !direction.splice.IsUsed() && !reverse.splice.IsUsed())
    {
        m_tap->Pass(passage, frame);
        return;
    }
    reverse.splice.Backward(segment);
    for (const auto& piece : direction.splice.Forward(segment))
    {
        Send(passage, piece.Encode(Node::ChecksumEnabled()));
    }
}

void
OnPathRole::TakeSealed(const LinkTap::Passage& passage, ByteVector octets, const Ptr<Packet>& frame)
{
    switch (MeetSealed(passage, octets))
    {
    case Fate::PASSES:
        m_tap->Pass(passage, frame);
        break;
    case Fate::CHANGED:
        Send(passage, octets);
        break;
    case Fate::STOPPED:
        break;
    }
}

void
OnPathRole::Remember(Connection& connection, const FollowedFrame& content)
{
    for (const auto& event : content.events)
    {
        if (!event.fpdu || !event.xid ||
            (event.kind != FaultEventKind::RDMA_MSG && event.kind != FaultEventKind::RDMA_NOMSG) ||
            connection.offered.count(*event.xid) != 0)
        {
            continue;
        }
        const auto header = ReadHeader(content.fpdus[*event.fpdu]);
        if (!header || connection.offered.size() == MAX_OFFERS)
        {
            continue;
        }
        const auto& chunks = header->chunks;
        const bool hasWrites = !chunks.writeList.empty();
        const auto& chunk =
            hasWrites ? chunks.writeList.front() : chunks.replyChunk.value_or(RpcRdmaWriteChunk());
        if (!chunk.empty())
        {
            connection.offered[*event.xid] = chunk.front();
        }
    }
}

} // namespace ns3::nfsrdma
