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

std::optional<IpHeader>
ReadIpv4(ByteSpan packet)
{
    ByteReader reader(packet);
    IpHeader header;
    header.headerLength = (reader.ReadU8() & 0x0f) * std::size_t{4};
    reader.Skip(1);
    header.totalLength = reader.ReadU16();
    reader.Skip(2);
    const uint16_t fragment = reader.ReadU16();
    reader.Skip(1);
    const uint8_t protocol = reader.ReadU8();
    reader.Skip(2);
    ReadAddress(reader, IPV4_ADDRESS_SIZE, header.source);
    ReadAddress(reader, IPV4_ADDRESS_SIZE, header.destination);
    if (!reader.Ok() || header.headerLength < IPV4_HEADER_SIZE || protocol != PROTOCOL_TCP ||
        (fragment & FRAGMENT_MASK) != 0)
    {
        return std::nullopt;
    }
    return header;
}

std::optional<IpHeader>
ReadIpv6(ByteSpan packet)
{
    ByteReader reader(packet);
    IpHeader header;
    reader.Skip(4);
    const uint16_t payloadLength = reader.ReadU16();
    header.totalLength = payloadLength == 0 ? 0 : IPV6_HEADER_SIZE + payloadLength;
    uint8_t next = reader.ReadU8();
    reader.Skip(1);
    ReadAddress(reader, IPV6_ADDRESS_SIZE, header.source);
    ReadAddress(reader, IPV6_ADDRESS_SIZE, header.destination);
    while (reader.Ok() && (next == HOP_BY_HOP || next == ROUTING || next == DESTINATION))
    {
        next = reader.ReadU8();
        const std::size_t units = reader.ReadU8();
        reader.Skip(units * 8 + 6);
    }
    header.headerLength = reader.Position();
    if (!reader.Ok() || next != PROTOCOL_TCP)
    {
        return std::nullopt;
    }
    return header;
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

std::optional<CapturedSegment>
DecodeTcpSegment(uint32_t linkType, const CapturedFrame& frame)
{
    const auto network = FindNetworkLayer(linkType, frame.octets);
    if (!network)
    {
        return std::nullopt;
    }
    const auto ip = network->ipv6 ? ReadIpv6(network->octets) : ReadIpv4(network->octets);
    if (!ip || network->octets.size() < ip->headerLength)
    {
        return std::nullopt;
    }
    ByteReader reader(network->octets.subspan(ip->headerLength));
    CapturedSegment segment;
    segment.source = ip->source;
    segment.destination = ip->destination;
    segment.source.port = reader.ReadU16();
    segment.destination.port = reader.ReadU16();
    segment.sequence = reader.ReadU32();
    reader.Skip(4);
    const std::size_t headerLength = (reader.ReadU8() >> 4) * std::size_t{4};
    const uint8_t flags = reader.ReadU8();
    if (!reader.Ok() || headerLength < TCP_HEADER_SIZE)
    {
        return std::nullopt;
    }
    segment.syn = (flags & FLAG_SYN) != 0;
    segment.fin = (flags & FLAG_FIN) != 0;
    segment.rst = (flags & FLAG_RST) != 0;
    segment.ack = (flags & FLAG_ACK) != 0;

    const std::size_t linkOctets = frame.octets.size() - network->octets.size();
    const std::size_t wireOctets =
        std::max<std::size_t>(frame.wireLength, frame.octets.size()) - linkOctets;
    const std::size_t packetOctets = ip->totalLength == 0 ? wireOctets : ip->totalLength;
    const std::size_t begin = ip->headerLength + headerLength;
    if (packetOctets > begin)
    {
        const std::size_t kept = std::min(network->octets.size(), packetOctets);
        if (kept > begin)
        {
            segment.payload = network->octets.subspan(begin, kept - begin);
        }
        segment.cutOctets = static_cast<uint32_t>(packetOctets - begin - segment.payload.size());
    }
    return segment;
}

} // namespace ns3::nfsrdma
