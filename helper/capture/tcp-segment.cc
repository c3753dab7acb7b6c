/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tcp-segment.h"

#include "wire/byte-reader.h"

#include <algorithm>
#include <arpa/inet.h>
#include <tuple>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint8_t PROTOCOL_TCP = 6;
constexpr uint8_t HOP_BY_HOP = 0;
constexpr uint8_t ROUTING = 43;
constexpr uint8_t FRAGMENT = 44;
constexpr uint8_t AUTHENTICATION = 51;
constexpr uint8_t DESTINATION = 60;

constexpr std::size_t IPV4_HEADER_SIZE = 20;
constexpr std::size_t IPV4_ADDRESS_SIZE = 4;
constexpr std::size_t IPV6_HEADER_SIZE = 40;
constexpr std::size_t IPV6_ADDRESS_SIZE = 16;
constexpr std::size_t TCP_HEADER_SIZE = 20;
constexpr uint16_t FRAGMENT_MASK = 0x3fff; // More fragments, and the offset.

constexpr uint8_t FLAG_FIN = 0x01;
constexpr uint8_t FLAG_SYN = 0x02;
constexpr uint8_t FLAG_RST = 0x04;
constexpr uint8_t FLAG_ACK = 0x10;

/// What IP says of the segment that follows.
struct IpHeader
{
    TcpEndpoint source;
    TcpEndpoint destination;
    std::size_t headerLength{0};
    std::size_t totalLength{0}; ///< 0: not said, as for segments to be cut by the device.
};

void
ReadAddress(ByteReader& reader, std::size_t size, TcpEndpoint& endpoint)
{
    const ByteSpan octets = reader.ReadBytes(size);
    std::copy(octets.begin(), octets.end(), endpoint.address.begin());
    endpoint.ipv6 = size == IPV6_ADDRESS_SIZE;
}

tl::unexpected<FrameMiss>
Miss(FrameMiss::Kind kind)
{
    return tl::make_unexpected(FrameMiss{kind, 0});
}

tl::expected<IpHeader, FrameMiss>
ReadIpv4(ByteSpan packet)
{
    constexpr uint8_t VERSION = 4;
    ByteReader reader(packet);
    IpHeader header;
    const uint8_t first = reader.ReadU8();
    header.headerLength = (first & 0x0f) * std::size_t{4};
    reader.Skip(1);
    header.totalLength = reader.ReadU16();
    reader.Skip(2);
    const uint16_t fragment = reader.ReadU16();
    reader.Skip(1);
    const uint8_t protocol = reader.ReadU8();
    reader.Skip(2);
    ReadAddress(reader, IPV4_ADDRESS_SIZE, header.source);
    ReadAddress(reader, IPV4_ADDRESS_SIZE, header.destination);
    if (!reader.Ok())
    {
        return Miss(FrameMiss::Kind::CUT);
    }
    if (first >> 4 != VERSION || header.headerLength < IPV4_HEADER_SIZE ||
        (header.totalLength != 0 && header.totalLength < header.headerLength))
    {
        return Miss(FrameMiss::Kind::MALFORMED);
    }
    if (protocol != PROTOCOL_TCP)
    {
        return Miss(FrameMiss::Kind::NOT_TCP);
    }
    if ((fragment & FRAGMENT_MASK) != 0)
    {
        return Miss(FrameMiss::Kind::FRAGMENT);
    }
    return header;
}

tl::expected<IpHeader, FrameMiss>
ReadIpv6(ByteSpan packet)
{
    constexpr uint8_t VERSION = 6;
    ByteReader reader(packet);
    IpHeader header;
    const uint8_t first = reader.ReadU8();
    reader.Skip(3);
    const uint16_t payloadLength = reader.ReadU16();
    header.totalLength = payloadLength == 0 ? 0 : IPV6_HEADER_SIZE + payloadLength;
    uint8_t next = reader.ReadU8();
    reader.Skip(1);
    ReadAddress(reader, IPV6_ADDRESS_SIZE, header.source);
    ReadAddress(reader, IPV6_ADDRESS_SIZE, header.destination);
    while (reader.Ok() &&
           (next == HOP_BY_HOP || next == ROUTING || next == DESTINATION || next == AUTHENTICATION))
    {
        const bool isAuthentication = next == AUTHENTICATION;
        next = reader.ReadU8();
        const std::size_t units = reader.ReadU8();
        // RFC 4302 counts words of four octets, less two, where RFC 8200 counts eight, less one.
        reader.Skip(isAuthentication ? units * 4 + 6 : units * 8 + 6);
    }
    header.headerLength = reader.Position();
    if (!reader.Ok())
    {
        return Miss(FrameMiss::Kind::CUT);
    }
    if (first >> 4 != VERSION)
    {
        return Miss(FrameMiss::Kind::MALFORMED);
    }
    if (next != PROTOCOL_TCP)
    {
        return Miss(next == FRAGMENT ? FrameMiss::Kind::FRAGMENT : FrameMiss::Kind::NOT_TCP);
    }
    return header;
}

tl::expected<CapturedSegment, FrameMiss>
ReadSegment(const NetworkLayer& network, std::size_t wireOctets)
{
    const auto ip = network.ipv6 ? ReadIpv6(network.octets) : ReadIpv4(network.octets);
    if (!ip)
    {
        return tl::make_unexpected(ip.error());
    }
    if (network.octets.size() < ip->headerLength)
    {
        return Miss(FrameMiss::Kind::CUT);
    }
    ByteReader reader(network.octets.subspan(ip->headerLength));
    CapturedSegment segment;
    segment.source = ip->source;
    segment.destination = ip->destination;
    segment.source.port = reader.ReadU16();
    segment.destination.port = reader.ReadU16();
    segment.sequence = reader.ReadU32();
    reader.Skip(4);
    const std::size_t headerLength = (reader.ReadU8() >> 4) * std::size_t{4};
    const uint8_t flags = reader.ReadU8();
    if (!reader.Ok())
    {
        return Miss(FrameMiss::Kind::CUT);
    }
    const std::size_t packetOctets = ip->totalLength == 0 ? wireOctets : ip->totalLength;
    const std::size_t begin = ip->headerLength + headerLength;
    if (headerLength < TCP_HEADER_SIZE || begin > packetOctets)
    {
        return Miss(FrameMiss::Kind::MALFORMED);
    }
    segment.syn = (flags & FLAG_SYN) != 0;
    segment.fin = (flags & FLAG_FIN) != 0;
    segment.rst = (flags & FLAG_RST) != 0;
    segment.ack = (flags & FLAG_ACK) != 0;
    const std::size_t kept = std::min<std::size_t>(network.octets.size(), packetOctets);
    if (kept > begin)
    {
        segment.payload = network.octets.subspan(begin, kept - begin);
    }
    segment.cutOctets = static_cast<uint32_t>(packetOctets - begin - segment.payload.size());
    return segment;
}

} // namespace

bool
TcpEndpoint::operator==(const TcpEndpoint& other) const
{
    return std::tie(ipv6, address, port) == std::tie(other.ipv6, other.address, other.port);
}

bool
TcpEndpoint::operator<(const TcpEndpoint& other) const
{
    return std::tie(ipv6, address, port) < std::tie(other.ipv6, other.address, other.port);
}

std::string
TcpEndpoint::ToString() const
{
    std::array<char, INET6_ADDRSTRLEN> text{};
    inet_ntop(ipv6 ? AF_INET6 : AF_INET, address.data(), text.data(), text.size());
    const std::string host(text.data());
    return (ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

tl::expected<CapturedSegment, FrameMiss>
DecodeTcpSegment(uint32_t linkType, const CapturedFrame& frame)
{
    const bool isWhole = frame.octets.size() >= frame.wireLength;
    const auto network = FindNetworkLayer(linkType, frame.octets);
    const std::size_t linkOctets = network ? frame.octets.size() - network->octets.size() : 0;
    const std::size_t wireOctets =
        std::max<std::size_t>(frame.wireLength, frame.octets.size()) - linkOctets;
    auto segment = network
                       ? ReadSegment(*network, wireOctets)
                       : tl::expected<CapturedSegment, FrameMiss>(tl::unexpect, network.error());
    if (!segment && segment.error().kind == FrameMiss::Kind::CUT && isWhole)
    {
        segment.error().kind = FrameMiss::Kind::MALFORMED;
    }
    return segment;
}

} // namespace ns3::nfsrdma
