/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/transmit-hash.h"

#include "link/ethernet-numbers.h"

#include <optional>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t ETHERNET = 14;
constexpr std::size_t IPV4 = 20;
constexpr std::size_t IPV6 = 40;
constexpr std::size_t PORTS = 4;
constexpr uint32_t ETHERTYPE_IPV4 = 0x0800;
constexpr uint32_t ETHERTYPE_IPV6 = 0x86dd;
constexpr uint8_t TCP_PROTOCOL = 6;
constexpr uint8_t UDP_PROTOCOL = 17;

/// What Linux's flow dissector finds.
struct FlowKeys
{
    uint32_t source{0};
    uint32_t destination{0};
    uint32_t ports{0};
};

uint32_t
ReadLittleEndian(ByteSpan octets, std::size_t at)
{
    return static_cast<uint32_t>(octets[at]) | static_cast<uint32_t>(octets[at + 1]) << 8U |
           static_cast<uint32_t>(octets[at + 2]) << 16U |
           static_cast<uint32_t>(octets[at + 3]) << 24U;
}

uint32_t
ReadType(ByteSpan frame)
{
    return static_cast<uint32_t>(frame[12]) << 8U | frame[13];
}

uint32_t
HashEthernet(ByteSpan frame)
{
    const auto type = static_cast<uint32_t>(frame[13]) << 8U | frame[12];
    return frame[5] ^ frame[11] ^ type;
}

void
ReadPorts(ByteSpan frame, std::size_t at, uint8_t protocol, FlowKeys& keys)
{
    if ((protocol == TCP_PROTOCOL || protocol == UDP_PROTOCOL) && frame.size() >= at + PORTS)
    {
        keys.ports = ReadLittleEndian(frame, at);
    }
}

/// \return the XOR of the words of an IPv6 address: ipv6_addr_hash().
uint32_t
FoldAddress(ByteSpan frame, std::size_t at)
{
    return ReadLittleEndian(frame, at) ^ ReadLittleEndian(frame, at + 4) ^
           ReadLittleEndian(frame, at + 8) ^ ReadLittleEndian(frame, at + 12);
}

std::optional<FlowKeys>
Dissect(ByteSpan frame)
{
    FlowKeys keys;
    if (ReadType(frame) == ETHERTYPE_IPV4 && frame.size() >= ETHERNET + IPV4)
    {
        constexpr uint32_t OFFSET_AND_MORE = 0x3fff;
        const std::size_t size = (frame[ETHERNET] & 0x0fU) * std::size_t{4};
        const uint32_t fragment =
            static_cast<uint32_t>(frame[ETHERNET + 6]) << 8U | frame[ETHERNET + 7];
        keys.source = ReadLittleEndian(frame, ETHERNET + 12);
        keys.destination = ReadLittleEndian(frame, ETHERNET + 16);
        if ((fragment & OFFSET_AND_MORE) == 0)
        {
            ReadPorts(frame, ETHERNET + size, frame[ETHERNET + 9], keys);
        }
        return keys;
    }
    if (ReadType(frame) == ETHERTYPE_IPV6 && frame.size() >= ETHERNET + IPV6)
    {
        keys.source = FoldAddress(frame, ETHERNET + 8);
        keys.destination = FoldAddress(frame, ETHERNET + 24);
        ReadPorts(frame, ETHERNET + IPV6, frame[ETHERNET + 6], keys);
        return keys;
    }
    return std::nullopt;
}

} // namespace

uint32_t
HashTransmit(ByteSpan frame, TransmitHashPolicy policy)
{
    if (frame.size() < ETHERNET)
    {
        return 0;
    }
    const auto keys =
        policy == TransmitHashPolicy::LAYER2 ? std::optional<FlowKeys>{} : Dissect(frame);
    if (!keys)
    {
        return HashEthernet(frame);
    }
    const bool hasPorts = policy == TransmitHashPolicy::LAYER3_4;
    uint32_t hash = hasPorts ? keys->ports : HashEthernet(frame);
    hash ^= keys->destination ^ keys->source;
    hash ^= hash >> 16U;
    hash ^= hash >> 8U;
    return hasPorts ? hash >> 1U : hash;
}

} // namespace ns3::nfsrdma
