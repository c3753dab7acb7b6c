/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/tcp-segment.h"

#include "link/ethernet-numbers.h"
#include "wire/byte-reader.h"
#include "wire/byte-writer.h"
#include "wire/internet-checksum.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint16_t FRAGMENT_BITS = 0x3fff; // More fragments, and the offset.
constexpr std::size_t IP_CHECKSUM = TcpSegment::ETHERNET_SIZE + 10;
constexpr std::size_t TCP_CHECKSUM = 16;
constexpr uint16_t FLAG_BITS = 0x0fff;
constexpr uint32_t VERSION_6 = 0x60000000U;
constexpr unsigned FLOW_LABEL_SIZE = 20; // Bits.
constexpr uint32_t FLOW_LABEL_BITS = 0xfffff;
constexpr std::size_t OCTETS_THAT_TELL = 4; // Version and, of IPv4, length.

ByteVector
ToVector(ByteSpan octets)
{
    return {octets.begin(), octets.end()};
}

void
StoreChecksum(ByteVector& frame, std::size_t offset, const InternetChecksum& checksum)
{
    boost::endian::store_big_u16(&frame[offset], checksum.Finish());
}

} // namespace

namespace
{

/// What IP says of a packet.
struct PacketBounds
{
    std::size_t header{0}; ///< Octets.
    std::size_t total{0};  ///< Octets, the header included.
    uint8_t protocol{0};
    bool whole{true};
};

PacketBounds
ReadIpv4(ByteReader& reader, TcpSegment& segment)
{
    PacketBounds bounds;
    bounds.header = (reader.ReadU8() & 0x0fU) * std::size_t{4};
    segment.typeOfService = reader.ReadU8();
    bounds.total = reader.ReadU16();
    segment.identification = reader.ReadU16();
    segment.fragmentFlags = reader.ReadU16();
    segment.timeToLive = reader.ReadU8();
    bounds.protocol = reader.ReadU8();
    reader.Skip(2);
    segment.source = reader.ReadU32();
    segment.destination = reader.ReadU32();
    bounds.whole = (segment.fragmentFlags & FRAGMENT_BITS) == 0;
    return bounds;
}

IpAddress
ReadIpv6Address(ByteReader& reader)
{
    IpAddress::Octets address{};
    const ByteSpan octets = reader.ReadBytes(address.size());
    std::copy(octets.begin(), octets.end(), address.begin());
    return IpAddress(address);
}

PacketBounds
ReadIpv6(ByteReader& reader, TcpSegment& segment)
{
    PacketBounds bounds;
    const uint32_t first = reader.ReadU32();
    segment.typeOfService = static_cast<uint8_t>(first >> FLOW_LABEL_SIZE);
    segment.flowLabel = first & FLOW_LABEL_BITS;
    bounds.header = TcpSegment::IPV6_HEADER;
    bounds.total = bounds.header + reader.ReadU16();
    bounds.protocol = reader.ReadU8();
    segment.timeToLive = reader.ReadU8();
    segment.source = ReadIpv6Address(reader);
    segment.destination = ReadIpv6Address(reader);
    return bounds;
}

} // namespace

Decoded<TcpSegment>
TcpSegment::Decode(ByteSpan frame)
{
    ByteReader outer(frame);
    TcpSegment segment;
    const auto ethernet = outer.ReadBytes(ETHERNET_SIZE);
    const auto packet = outer.Rest();
    if (!outer.Ok() || packet.size() < OCTETS_THAT_TELL)
    {
        return tl::make_unexpected(WireError::TRUNCATED);
    }
    std::copy(ethernet.begin(), ethernet.end(), segment.ethernet.begin());
    const auto type = ByteReader(ethernet.subspan(ETHERNET_SIZE - 2)).ReadU16();
    const auto version = packet[0] >> 4U;
    const bool isIpv4 = type == ETHERTYPE_IPV4 && version == 4;
    const bool isIpv6 = type == ETHERTYPE_IPV6 && version == 6;
    if (!isIpv4 && !isIpv6)
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    ByteReader ip(packet);
    const PacketBounds bounds = isIpv4 ? ReadIpv4(ip, segment) : ReadIpv6(ip, segment);
    if (isIpv4 && bounds.header < MIN_IP_HEADER)
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    if (!ip.Ok() || bounds.total < bounds.header + MIN_TCP_HEADER || packet.size() < bounds.total)
    {
        return tl::make_unexpected(WireError::TRUNCATED);
    }
    if (isIpv4)
    {
        segment.ipOptions = ToVector(packet.subspan(MIN_IP_HEADER, bounds.header - MIN_IP_HEADER));
    }

    ByteReader reader(packet.subspan(bounds.header, bounds.total - bounds.header));
    segment.sourcePort = reader.ReadU16();
    segment.destinationPort = reader.ReadU16();
    segment.sequence = reader.ReadU32();
    segment.acknowledgment = reader.ReadU32();
    const auto offsetAndFlags = reader.ReadU16();
    segment.flags = offsetAndFlags & FLAG_BITS;
    segment.window = reader.ReadU16();
    reader.Skip(2);
    segment.urgentPointer = reader.ReadU16();
    const uint32_t tcpHeader = (offsetAndFlags >> 12) * 4U;
    if (bounds.protocol != IP_PROTOCOL_TCP || !bounds.whole || tcpHeader < MIN_TCP_HEADER)
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    segment.options = ToVector(reader.ReadBytes(tcpHeader - MIN_TCP_HEADER));
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::TRUNCATED);
    }
    segment.payload = ToVector(reader.Rest());
    return segment;
}

ByteVector
TcpSegment::Encode(bool checksums) const
{
    const bool isIpv4 = source.IsIpv4();
    const std::size_t tcpHeader = MIN_TCP_HEADER + options.size();
    const std::size_t ipHeader = HeaderSize() - tcpHeader;
    const std::size_t tcp = ETHERNET_SIZE + ipHeader;
    const std::size_t length = tcpHeader + payload.size();
    ByteVector frame(tcp + length);
    ByteWriter writer(frame);
    writer.WriteBytes(ethernet);
    if (isIpv4)
    {
        writer.WriteU8(static_cast<uint8_t>(0x40 | ipHeader / 4));
        writer.WriteU8(typeOfService);
        writer.WriteU16(static_cast<uint16_t>(ipHeader + length));
        writer.WriteU16(identification);
        writer.WriteU16(fragmentFlags);
        writer.WriteU8(timeToLive);
        writer.WriteU8(IP_PROTOCOL_TCP);
        writer.WriteU16(0);
        writer.WriteU32(source.GetIpv4());
        writer.WriteU32(destination.GetIpv4());
        writer.WriteBytes(ipOptions);
    }
    else
    {
        writer.WriteU32(VERSION_6 | uint32_t{typeOfService} << FLOW_LABEL_SIZE |
                        (flowLabel & FLOW_LABEL_BITS));
        writer.WriteU16(static_cast<uint16_t>(length));
        writer.WriteU8(IP_PROTOCOL_TCP);
        writer.WriteU8(timeToLive);
        writer.WriteBytes(source.GetOctets());
        writer.WriteBytes(destination.GetOctets());
    }
    writer.WriteU16(sourcePort);
    writer.WriteU16(destinationPort);
    writer.WriteU32(sequence);
    writer.WriteU32(acknowledgment);
    writer.WriteU16(static_cast<uint16_t>(tcpHeader / 4 << 12 | flags));
    writer.WriteU16(window);
    writer.WriteU16(0);
    writer.WriteU16(urgentPointer);
    writer.WriteBytes(options);
    writer.WriteBytes(payload);
    if (checksums)
    {
        const ByteSpan octets(frame);
        if (isIpv4)
        {
            InternetChecksum ip;
            ip.Add(octets.subspan(ETHERNET_SIZE, ipHeader));
            StoreChecksum(frame, IP_CHECKSUM, ip);
        }
        const std::size_t addresses = isIpv4 ? 2 * sizeof(uint32_t) : 2 * sizeof(IpAddress::Octets);
        const std::size_t offset = isIpv4 ? MIN_IP_HEADER : IPV6_HEADER;
        InternetChecksum pseudo;
        pseudo.Add(octets.subspan(ETHERNET_SIZE + offset - addresses, addresses));
        pseudo.AddU16(IP_PROTOCOL_TCP);
        pseudo.AddU16(static_cast<uint16_t>(length));
        pseudo.Add(octets.subspan(tcp));
        StoreChecksum(frame, tcp + TCP_CHECKSUM, pseudo);
    }
    return frame;
}

uint32_t
TcpSegment::HeaderSize() const
{
    const std::size_t ip = source.IsIpv4() ? MIN_IP_HEADER + ipOptions.size() : IPV6_HEADER;
    return static_cast<uint32_t>(ip + MIN_TCP_HEADER + options.size());
}

} // namespace ns3::nfsrdma
