/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ipsec/ip-packet.h"

#include "wire/internet-checksum.h"

#include <algorithm>
#include <array>
#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t WORD = 4;
constexpr unsigned VERSION_SHIFT = 4;
constexpr unsigned IPV4 = 4;
constexpr unsigned IPV6 = 6;
constexpr uint8_t WORDS_MASK = 0x0f;
constexpr uint8_t ECN_MASK = 0x03;
constexpr uint8_t CE = 0x03;
constexpr uint8_t HOP_LIMIT = 64;

// Of IPv4.
constexpr std::size_t TRAFFIC_CLASS = 1;
constexpr std::size_t TOTAL_LENGTH = 2;
constexpr std::size_t FRAGMENT = 6;
constexpr uint16_t FRAGMENT_MASK = 0x3fff;
constexpr uint8_t DONT_FRAGMENT = 0x40;
constexpr std::size_t TIME_TO_LIVE = 8;
constexpr std::size_t PROTOCOL = 9;
constexpr std::size_t CHECKSUM = 10;
constexpr std::size_t IPV4_SOURCE = 12;
constexpr std::size_t IPV4_DESTINATION = 16;

// Of IPv6.
constexpr std::size_t PAYLOAD_LENGTH = 4;
constexpr std::size_t NEXT_HEADER = 6;
constexpr std::size_t HOPS = 7;
constexpr std::size_t IPV6_SOURCE = 8;
constexpr std::size_t IPV6_DESTINATION = 24;
constexpr uint8_t FRAGMENT_HEADER = 44;
constexpr uint8_t ROUTER_SOLICITATION = 133;
constexpr uint8_t REDIRECT = 137;
constexpr unsigned CLASS_SHIFT = 4; ///< The traffic class lies over the first two octets.

unsigned
VersionOf(ByteSpan packet)
{
    return packet.empty() ? 0U : unsigned{packet[0]} >> VERSION_SHIFT;
}

IpAddress
ReadIpv6(ByteSpan packet, std::size_t at)
{
    IpAddress::Octets octets{};
    const auto field = packet.subspan(at, octets.size());
    std::copy(field.begin(), field.end(), octets.begin());
    return IpAddress(octets);
}

std::optional<IpPacket>
ReadIpv4Packet(ByteSpan packet)
{
    if (packet.size() < IpPacket::IPV4_SIZE)
    {
        return std::nullopt;
    }
    IpPacket read;
    read.headerSize = (packet[0] & WORDS_MASK) * WORD;
    read.length = boost::endian::load_big_u16(packet.data() + TOTAL_LENGTH);
    read.protocol = packet[PROTOCOL];
    read.source = IpAddress(boost::endian::load_big_u32(packet.data() + IPV4_SOURCE));
    read.destination = IpAddress(boost::endian::load_big_u32(packet.data() + IPV4_DESTINATION));
    read.isFragment = (boost::endian::load_big_u16(packet.data() + FRAGMENT) & FRAGMENT_MASK) != 0;
    const bool isSound = read.headerSize >= IpPacket::IPV4_SIZE && read.length >= read.headerSize &&
                         read.length <= packet.size();
    return isSound ? std::optional(read) : std::nullopt;
}

std::optional<IpPacket>
ReadIpv6Packet(ByteSpan packet)
{
    if (packet.size() < IpPacket::IPV6_SIZE)
    {
        return std::nullopt;
    }
    IpPacket read;
    read.headerSize = IpPacket::IPV6_SIZE;
    read.length = IpPacket::IPV6_SIZE + boost::endian::load_big_u16(packet.data() + PAYLOAD_LENGTH);
    read.protocol = packet[NEXT_HEADER];
    read.source = ReadIpv6(packet, IPV6_SOURCE);
    read.destination = ReadIpv6(packet, IPV6_DESTINATION);
    read.isFragment = read.protocol == FRAGMENT_HEADER;
    if (read.length > packet.size())
    {
        return std::nullopt;
    }
    if (read.protocol == IpPacket::ICMPV6 && read.length > read.headerSize)
    {
        const uint8_t type = packet[read.headerSize];
        read.isDiscovery = type >= ROUTER_SOLICITATION && type <= REDIRECT;
    }
    return read;
}

void
MakeChecksum(MutableByteSpan header)
{
    boost::endian::store_big_u16(header.data() + CHECKSUM, 0);
    InternetChecksum sum;
    sum.Add(header);
    boost::endian::store_big_u16(header.data() + CHECKSUM, sum.Finish());
}

/// \return whether \p packet, of IPv4, has the right checksum, which may be 0 as any other.
bool
HasChecksum(ByteSpan packet)
{
    InternetChecksum sum;
    sum.Add(packet.first((packet[0] & WORDS_MASK) * WORD));
    return sum.Finish() == 0;
}

void
SetIpv4Payload(MutableByteSpan packet, uint8_t protocol, bool withChecksum)
{
    packet[PROTOCOL] = protocol;
    boost::endian::store_big_u16(packet.data() + TOTAL_LENGTH,
                                 static_cast<uint16_t>(packet.size()));
    if (withChecksum)
    {
        MakeChecksum(packet.first((packet[0] & WORDS_MASK) * WORD));
    }
}

uint8_t
GetEcn(ByteSpan packet)
{
    const bool isIpv4 = VersionOf(packet) == IPV4;
    return isIpv4 ? packet[TRAFFIC_CLASS] & ECN_MASK
                  : (packet[TRAFFIC_CLASS] >> CLASS_SHIFT) & ECN_MASK;
}

} // namespace

std::optional<IpPacket>
IpPacket::Read(ByteSpan packet)
{
    switch (VersionOf(packet))
    {
    case IPV4:
        return ReadIpv4Packet(packet);
    case IPV6:
        return ReadIpv6Packet(packet);
    default:
        return std::nullopt;
    }
}

void
IpPacket::SetPayload(MutableByteSpan packet, std::size_t headerSize, uint8_t protocol)
{
    if (VersionOf(packet) == IPV6)
    {
        packet[NEXT_HEADER] = protocol;
        boost::endian::store_big_u16(packet.data() + PAYLOAD_LENGTH,
                                     static_cast<uint16_t>(packet.size() - headerSize));
        return;
    }
    SetIpv4Payload(packet, protocol, HasChecksum(packet));
}

void
IpPacket::WriteOuter(MutableByteSpan packet, ByteSpan inner)
{
    std::copy_n(inner.data(), VersionOf(inner) == IPV4 ? IPV4_SIZE : IPV6_SIZE, packet.data());
    if (VersionOf(inner) == IPV6)
    {
        packet[HOPS] = HOP_LIMIT;
        SetPayload(packet, IPV6_SIZE, ESP);
        return;
    }
    packet[0] = IPV4 << VERSION_SHIFT | static_cast<uint8_t>(IPV4_SIZE / WORD);
    packet[FRAGMENT] &= DONT_FRAGMENT;
    packet[FRAGMENT + 1] = 0;
    packet[TIME_TO_LIVE] = HOP_LIMIT;
    SetIpv4Payload(packet, ESP, HasChecksum(inner));
}

bool
IpPacket::LeaveTunnel(ByteSpan outer, MutableByteSpan inner)
{
    if (GetEcn(outer) != CE)
    {
        return true;
    }
    if (GetEcn(inner) == 0)
    {
        return false;
    }
    if (VersionOf(inner) == IPV6)
    {
        inner[TRAFFIC_CLASS] |= CE << CLASS_SHIFT;
        return true;
    }
    const bool hasChecksum = HasChecksum(inner);
    inner[TRAFFIC_CLASS] |= CE;
    if (hasChecksum)
    {
        MakeChecksum(inner.first((inner[0] & WORDS_MASK) * WORD));
    }
    return true;
}

} // namespace ns3::nfsrdma
