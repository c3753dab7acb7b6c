/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/path-mtu.h"

#include "link/ethernet-numbers.h"
#include "wire/byte-reader.h"
#include "wire/byte-writer.h"
#include "wire/internet-checksum.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t ETHERNET_SIZE = 14;
constexpr std::size_t IP_HEADER = 20;
constexpr uint16_t DONT_FRAGMENT = 0x4000;
constexpr uint16_t MORE_FRAGMENTS = 0x2000;
constexpr uint8_t PROTOCOL_ICMP = 1;
constexpr uint8_t ICMP_UNREACHABLE = 3;
constexpr uint8_t ICMP_FRAGMENTATION_NEEDED = 4;
constexpr std::size_t ICMP_HEADER = 8;
constexpr std::size_t QUOTED_DATA = 8;
constexpr uint8_t TIME_TO_LIVE = 64;
constexpr std::size_t IPV6_HEADER = 40;
constexpr std::size_t IPV6_NEXT_HEADER = 6;
constexpr std::size_t IPV6_SOURCE = 8;
constexpr std::size_t IPV6_DESTINATION = 24;
constexpr std::size_t IPV6_ADDRESS = 16;
constexpr uint8_t NEXT_HEADER_ICMPV6 = 58;
constexpr uint8_t ICMPV6_PACKET_TOO_BIG = 2;
constexpr uint8_t FIRST_INFORMATION = 128; // Smaller types of ICMPv6 are errors.
constexpr std::size_t LEAST_IPV6_MTU = 1280;

/// The fields of an IPv4 header that matter here.
struct Ipv4Packet
{
    std::size_t headerSize;
    std::size_t totalLength;
    uint16_t fragment;
    uint8_t protocol;
    ByteSpan octets; ///< The packet.
};

/// \return the packet in \p frame; one of length 0 when there is none.
Ipv4Packet
FindPacket(ByteSpan frame)
{
    ByteReader reader(frame);
    reader.Skip(ETHERNET_SIZE - 2);
    const auto type = reader.ReadU16();
    const auto versionAndLength = reader.ReadU8();
    reader.Skip(1);
    Ipv4Packet packet{};
    packet.totalLength = reader.ReadU16();
    reader.Skip(2);
    packet.fragment = reader.ReadU16();
    reader.Skip(1);
    packet.protocol = reader.ReadU8();
    packet.headerSize = (versionAndLength & 0x0fU) * std::size_t{4};
    if (!reader.Ok() || type != ETHERTYPE_IPV4 || versionAndLength >> 4 != 4 ||
        packet.headerSize < IP_HEADER || packet.totalLength < packet.headerSize ||
        frame.size() < ETHERNET_SIZE + packet.totalLength)
    {
        return {};
    }
    packet.octets = frame.subspan(ETHERNET_SIZE, packet.totalLength);
    return packet;
}

/// \return the IPv6 packet in \p frame; an empty one when there is none.
ByteSpan
FindIpv6Packet(ByteSpan frame)
{
    ByteReader reader(frame);
    reader.Skip(ETHERNET_SIZE - 2);
    const auto type = reader.ReadU16();
    const auto version = reader.ReadU32() >> 28;
    const std::size_t total = IPV6_HEADER + reader.ReadU16();
    if (!reader.Ok() || type != ETHERTYPE_IPV6 || version != 6 ||
        frame.size() < ETHERNET_SIZE + total)
    {
        return {};
    }
    return frame.subspan(ETHERNET_SIZE, total);
}

PathMtu::Verdict
JudgeIpv6(ByteSpan packet, uint32_t mtu)
{
    if (packet.size() <= mtu)
    {
        return PathMtu::Verdict::FITS;
    }
    const bool isError = packet[IPV6_NEXT_HEADER] == NEXT_HEADER_ICMPV6 &&
                         packet.size() > IPV6_HEADER && packet[IPV6_HEADER] < FIRST_INFORMATION;
    return isError ? PathMtu::Verdict::DROP : PathMtu::Verdict::REFUSE;
}

ByteVector
MakePacketTooBig(ByteSpan frame, ByteSpan packet, uint16_t mtu)
{
    const auto quoted = packet.subspan(
        0,
        std::min<std::size_t>(packet.size(), LEAST_IPV6_MTU - IPV6_HEADER - ICMP_HEADER));
    const std::size_t length = ICMP_HEADER + quoted.size();
    ByteVector message(ETHERNET_SIZE + IPV6_HEADER + length);
    ByteWriter writer(message);
    writer.WriteBytes(frame.subspan(ETHERNET_ADDRESS_SIZE, ETHERNET_ADDRESS_SIZE));
    writer.WriteBytes(frame.subspan(0, ETHERNET_ADDRESS_SIZE));
    writer.WriteU16(ETHERTYPE_IPV6);
    writer.WriteU32(uint32_t{6} << 28);
    writer.WriteU16(static_cast<uint16_t>(length));
    writer.WriteU8(NEXT_HEADER_ICMPV6);
    writer.WriteU8(TIME_TO_LIVE);
    writer.WriteBytes(packet.subspan(IPV6_DESTINATION, IPV6_ADDRESS));
    writer.WriteBytes(packet.subspan(IPV6_SOURCE, IPV6_ADDRESS));
    writer.WriteU8(ICMPV6_PACKET_TOO_BIG);
    writer.WriteU8(0);
    writer.WriteU16(0);
    writer.WriteU32(mtu);
    writer.WriteBytes(quoted);
    const auto octets = ByteSpan(message).subspan(ETHERNET_SIZE);
    InternetChecksum checksum;
    checksum.Add(octets.subspan(IPV6_SOURCE, 2 * IPV6_ADDRESS));
    checksum.AddU16(static_cast<uint16_t>(length));
    checksum.AddU16(NEXT_HEADER_ICMPV6);
    checksum.Add(octets.subspan(IPV6_HEADER));
    boost::endian::store_big_u16(&message[ETHERNET_SIZE + IPV6_HEADER + 2], checksum.Finish());
    return message;
}

bool
IsIcmpError(const Ipv4Packet& packet)
{
    if (packet.protocol != PROTOCOL_ICMP || packet.octets.size() <= packet.headerSize)
    {
        return false;
    }
    const auto type = packet.octets[packet.headerSize];
    return type != 0 && type != 8; // Echo reply and echo.
}

void
FillChecksum(ByteVector& frame, std::size_t field, std::size_t offset, std::size_t length)
{
    InternetChecksum checksum;
    checksum.Add(ByteSpan(frame).subspan(offset, length));
    boost::endian::store_big_u16(&frame[field], checksum.Finish());
}

} // namespace

PathMtu::Verdict
PathMtu::Judge(ByteSpan frame, uint32_t mtu)
{
    if (const auto ipv6 = FindIpv6Packet(frame); !ipv6.empty())
    {
        return JudgeIpv6(ipv6, mtu);
    }
    const auto packet = FindPacket(frame);
    if (packet.totalLength <= mtu)
    {
        return Verdict::FITS;
    }
    if ((packet.fragment & DONT_FRAGMENT) != 0)
    {
        return IsIcmpError(packet) ? Verdict::DROP : Verdict::REFUSE;
    }
    return packet.headerSize > IP_HEADER ? Verdict::DROP : Verdict::FRAGMENT;
}

ByteVector
PathMtu::TellTooLarge(ByteSpan frame, uint16_t nextHopMtu, bool checksums)
{
    if (const auto ipv6 = FindIpv6Packet(frame); !ipv6.empty())
    {
        return MakePacketTooBig(frame, ipv6, nextHopMtu);
    }
    const auto packet = FindPacket(frame);
    const auto quoted = packet.octets.subspan(
        0,
        std::min<std::size_t>(packet.octets.size(), packet.headerSize + QUOTED_DATA));
    const std::size_t total = IP_HEADER + ICMP_HEADER + quoted.size();
    ByteVector message(ETHERNET_SIZE + total);
    ByteWriter writer(message);
    writer.WriteBytes(frame.subspan(ETHERNET_ADDRESS_SIZE, ETHERNET_ADDRESS_SIZE));
    writer.WriteBytes(frame.subspan(0, ETHERNET_ADDRESS_SIZE));
    writer.WriteU16(ETHERTYPE_IPV4);
    writer.WriteU8(0x45);
    writer.WriteU8(0);
    writer.WriteU16(static_cast<uint16_t>(total));
    writer.WriteU16(0);
    writer.WriteU16(0);
    writer.WriteU8(TIME_TO_LIVE);
    writer.WriteU8(PROTOCOL_ICMP);
    writer.WriteU16(0);
    writer.WriteBytes(packet.octets.subspan(16, 4));
    writer.WriteBytes(packet.octets.subspan(12, 4));
    writer.WriteU8(ICMP_UNREACHABLE);
    writer.WriteU8(ICMP_FRAGMENTATION_NEEDED);
    writer.WriteU16(0);
    writer.WriteU16(0);
    writer.WriteU16(nextHopMtu);
    writer.WriteBytes(quoted);
    if (checksums)
    {
        FillChecksum(message, ETHERNET_SIZE + 10, ETHERNET_SIZE, IP_HEADER);
        FillChecksum(message,
                     ETHERNET_SIZE + IP_HEADER + 2,
                     ETHERNET_SIZE + IP_HEADER,
                     ICMP_HEADER + quoted.size());
    }
    return message;
}

std::vector<ByteVector>
PathMtu::Fragment(ByteSpan frame, uint32_t mtu, bool checksums)
{
    const auto packet = FindPacket(frame);
    const std::size_t room = (mtu - IP_HEADER) / 8 * 8;
    auto rest = packet.octets.subspan(packet.headerSize);
    const auto head = frame.subspan(0, ETHERNET_SIZE + IP_HEADER);
    uint16_t fragment = packet.fragment;
    std::vector<ByteVector> fragments;
    while (!rest.empty())
    {
        const bool last = rest.size() <= mtu - IP_HEADER;
        const auto part = rest.subspan(0, last ? rest.size() : room);
        ByteVector octets(head.begin(), head.end());
        octets.insert(octets.end(), part.begin(), part.end());
        const auto flags = static_cast<uint16_t>(last ? fragment : fragment | MORE_FRAGMENTS);
        boost::endian::store_big_u16(&octets[ETHERNET_SIZE + 2],
                                     static_cast<uint16_t>(IP_HEADER + part.size()));
        boost::endian::store_big_u16(&octets[ETHERNET_SIZE + 6], flags);
        boost::endian::store_big_u16(&octets[ETHERNET_SIZE + 10], 0);
        if (checksums)
        {
            FillChecksum(octets, ETHERNET_SIZE + 10, ETHERNET_SIZE, IP_HEADER);
        }
        fragments.push_back(std::move(octets));
        fragment = static_cast<uint16_t>(fragment + part.size() / 8);
        rest = rest.subspan(part.size());
    }
    return fragments;
}

} // namespace ns3::nfsrdma
