/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/frame-head.h"

#include "link/ethernet-numbers.h"
#include "wire/internet-checksum.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint16_t ETHERTYPE_ARP = 0x0806;
constexpr uint16_t ARP_REQUEST = 1;
constexpr uint8_t PROTOCOL_UDP = 17;
constexpr uint8_t IPV4_WITHOUT_OPTIONS = 0x45;
constexpr uint16_t FRAGMENT = 0x3fff; ///< More fragments, and the offset.

// Offsets in the frame.
constexpr std::size_t TYPE = 12;
constexpr std::size_t IP = FrameHead::ETHERNET_SIZE;
constexpr std::size_t TYPE_OF_SERVICE = IP + 1;
constexpr std::size_t FRAGMENT_FLAGS = IP + 6;
constexpr std::size_t PROTOCOL = IP + 9;
constexpr std::size_t CHECKSUM = IP + 10;
constexpr std::size_t ADDRESSES = IP + 12;
constexpr std::size_t PORTS = IP + 20;
constexpr std::size_t NEXT_HEADER = IP + 6;
constexpr std::size_t DESTINATION = IP + 16;
constexpr std::size_t DESTINATION_OF_IPV6 = IP + 24;
constexpr std::size_t ADDRESSES_OF_IPV6 = IP + 8;
constexpr std::size_t PORTS_OF_IPV6 = IP + 40;
constexpr std::size_t ARP_OPERATION = IP + 6;
constexpr std::size_t ARP_TARGET = IP + 24;

constexpr uint8_t ECN_MASK = 3;
constexpr unsigned ECN_SHIFT_OF_IPV6 = 4; // In the second octet, behind half the traffic class.

uint64_t
ReadNumber(ByteSpan octets, std::size_t offset, std::size_t size)
{
    uint64_t number = 0;
    for (std::size_t i = 0; i < size; ++i)
    {
        number = number << 8 | octets[offset + i];
    }
    return number;
}

uint16_t
ReadU16(ByteSpan octets, std::size_t offset)
{
    return static_cast<uint16_t>(ReadNumber(octets, offset, 2));
}

bool
IsIpv4(ByteSpan frame)
{
    return frame.size() >= FrameHead::IP_HEAD_SIZE && ReadU16(frame, TYPE) == ETHERTYPE_IPV4;
}

bool
IsIpv6(ByteSpan frame)
{
    return frame.size() >= FrameHead::IP_HEAD_SIZE && ReadU16(frame, TYPE) == ETHERTYPE_IPV6;
}

/// The finaliser of SplitMix64: every bit of the input changes each bit of the output with
/// probability one half.
uint64_t
Mix(uint64_t value)
{
    value += 0x9e3779b97f4a7c15U;
    value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
    return value ^ (value >> 31U);
}

} // namespace

uint64_t
FrameHead::GetDestination(ByteSpan frame)
{
    return frame.size() < TYPE ? 0 : ReadNumber(frame, 0, 6);
}

uint64_t
FrameHead::GetSource(ByteSpan frame)
{
    return frame.size() < TYPE ? 0 : ReadNumber(frame, 6, 6);
}

std::optional<uint32_t>
FrameHead::GetArpTarget(ByteSpan frame)
{
    if (frame.size() < ARP_TARGET + 4 || ReadU16(frame, TYPE) != ETHERTYPE_ARP ||
        ReadU16(frame, ARP_OPERATION) != ARP_REQUEST)
    {
        return std::nullopt;
    }
    return static_cast<uint32_t>(ReadNumber(frame, ARP_TARGET, 4));
}

std::optional<IpAddress>
FrameHead::GetIpDestination(ByteSpan frame)
{
    if (IsIpv4(frame))
    {
        return IpAddress(static_cast<uint32_t>(ReadNumber(frame, DESTINATION, 4)));
    }
    IpAddress::Octets address{};
    if (!IsIpv6(frame) || frame.size() < DESTINATION_OF_IPV6 + address.size())
    {
        return std::nullopt;
    }
    const ByteSpan octets = frame.subspan(DESTINATION_OF_IPV6, address.size());
    std::copy(octets.begin(), octets.end(), address.begin());
    return IpAddress(address);
}

std::optional<EcnCodepoint>
FrameHead::GetEcn(ByteSpan frame)
{
    if (IsIpv6(frame))
    {
        return static_cast<EcnCodepoint>(frame[TYPE_OF_SERVICE] >> ECN_SHIFT_OF_IPV6 & ECN_MASK);
    }
    if (!IsIpv4(frame))
    {
        return std::nullopt;
    }
    return static_cast<EcnCodepoint>(frame[TYPE_OF_SERVICE] & ECN_MASK);
}

namespace
{

/// \return whether the checksum of the IPv4 header is right.
bool
HasRightChecksum(ByteSpan frame)
{
    constexpr uint8_t WORDS_MASK = 0x0f;
    constexpr std::size_t WORD = 4;
    const std::size_t length = (frame[IP] & WORDS_MASK) * WORD;
    if (frame.size() < IP + length)
    {
        return false;
    }
    InternetChecksum sum;
    sum.Add(frame.subspan(IP, length));
    return sum.Finish() == 0;
}

} // namespace

bool
FrameHead::MarkCongestion(gsl::span<uint8_t> frame)
{
    if (IsIpv6(frame))
    {
        frame[TYPE_OF_SERVICE] |= static_cast<uint8_t>(ECN_MASK << ECN_SHIFT_OF_IPV6);
        return true;
    }
    if (!IsIpv4(frame))
    {
        return false;
    }
    const uint16_t before = ReadU16(frame, IP);
    const uint16_t checksum = ReadU16(frame, CHECKSUM);
    // One right checksum of 65536 is 0, as is one that was never computed.
    const bool isPresent = checksum != 0 || HasRightChecksum(frame);
    frame[TYPE_OF_SERVICE] |= ECN_MASK;
    if (isPresent)
    {
        uint32_t sum = uint32_t{static_cast<uint16_t>(~checksum)} +
                       uint32_t{static_cast<uint16_t>(~before)} + ReadU16(frame, IP);
        sum = (sum & 0xffffU) + (sum >> 16U);
        sum = (sum & 0xffffU) + (sum >> 16U);
        const auto updated = static_cast<uint16_t>(~sum);
        frame[CHECKSUM] = static_cast<uint8_t>(updated >> 8U);
        frame[CHECKSUM + 1] = static_cast<uint8_t>(updated);
    }
    return true;
}

namespace
{

/// Takes what tells flows of IPv6 apart into \p hash.
uint32_t
HashFlowOfIpv6(ByteSpan frame, uint64_t hash)
{
    constexpr std::size_t WORD = 8;
    for (std::size_t at = ADDRESSES_OF_IPV6; at < PORTS_OF_IPV6; at += WORD)
    {
        hash = Mix(hash ^ ReadNumber(frame, at, WORD));
    }
    const uint8_t protocol = frame[NEXT_HEADER];
    const bool hasPorts = frame.size() >= PORTS_OF_IPV6 + 4 &&
                          (protocol == IP_PROTOCOL_TCP || protocol == PROTOCOL_UDP);
    const uint64_t ports = hasPorts ? ReadNumber(frame, PORTS_OF_IPV6, 4) : 0;
    return static_cast<uint32_t>(Mix(hash ^ (uint64_t{protocol} << 32U | ports)) >> 32U);
}

} // namespace

uint32_t
FrameHead::HashFlow(ByteSpan frame, uint32_t seed)
{
    uint64_t hash = Mix(seed);
    if (IsIpv6(frame) && frame.size() >= PORTS_OF_IPV6)
    {
        return HashFlowOfIpv6(frame, hash);
    }
    if (!IsIpv4(frame))
    {
        hash = Mix(hash ^ GetDestination(frame));
        return static_cast<uint32_t>(Mix(hash ^ GetSource(frame)) >> 32U);
    }
    hash = Mix(hash ^ ReadNumber(frame, ADDRESSES, 8));
    const uint8_t protocol = frame[PROTOCOL];
    const bool hasPorts = frame.size() >= PORTS + 4 && frame[IP] == IPV4_WITHOUT_OPTIONS &&
                          (protocol == IP_PROTOCOL_TCP || protocol == PROTOCOL_UDP) &&
                          (ReadU16(frame, FRAGMENT_FLAGS) & FRAGMENT) == 0;
    const uint64_t ports = hasPorts ? ReadNumber(frame, PORTS, 4) : 0;
    return static_cast<uint32_t>(Mix(hash ^ (uint64_t{protocol} << 32U | ports)) >> 32U);
}

} // namespace ns3::nfsrdma
