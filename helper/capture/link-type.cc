/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link-type.h"

#include "wire/byte-reader.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t LOOPBACK = 0;
constexpr uint32_t ETHERNET = 1;
constexpr uint32_t RAW_BSD = 12;
constexpr uint32_t RAW_OPENBSD = 14;
constexpr uint32_t RAW = 101;
constexpr uint32_t LINUX_COOKED = 113;
constexpr uint32_t RAW_IPV4 = 228;
constexpr uint32_t RAW_IPV6 = 229;
constexpr uint32_t LINUX_COOKED_2 = 276;

constexpr uint16_t TYPE_IPV4 = 0x0800;
constexpr uint16_t TYPE_IPV6 = 0x86dd;
constexpr uint16_t TYPE_VLAN = 0x8100;
constexpr uint16_t TYPE_SERVICE_VLAN = 0x88a8;

constexpr std::size_t ETHERNET_ADDRESSES = 12;
constexpr std::size_t COOKED_BEFORE_TYPE = 14;
constexpr std::size_t COOKED_2_AFTER_TYPE = 18;

std::optional<NetworkLayer>
ByVersion(ByteSpan packet)
{
    if (packet.empty())
    {
        return std::nullopt;
    }
    constexpr uint8_t VERSION_4 = 4;
    constexpr uint8_t VERSION_6 = 6;
    const uint8_t version = packet[0] >> 4;
    if (version != VERSION_4 && version != VERSION_6)
    {
        return std::nullopt;
    }
    return NetworkLayer{version == VERSION_6, packet};
}

std::optional<NetworkLayer>
ByType(uint16_t type, ByteReader& reader)
{
    while (type == TYPE_VLAN || type == TYPE_SERVICE_VLAN)
    {
        reader.Skip(2);
        type = reader.ReadU16();
    }
    if (!reader.Ok() || (type != TYPE_IPV4 && type != TYPE_IPV6))
    {
        return std::nullopt;
    }
    return NetworkLayer{type == TYPE_IPV6, reader.Rest()};
}

} // namespace

bool
IsKnownLinkType(uint32_t linkType)
{
    switch (linkType)
    {
    case LOOPBACK:
    case ETHERNET:
    case RAW_BSD:
    case RAW_OPENBSD:
    case RAW:
    case LINUX_COOKED:
    case RAW_IPV4:
    case RAW_IPV6:
    case LINUX_COOKED_2:
        return true;
    default:
        return false;
    }
}

std::optional<NetworkLayer>
FindNetworkLayer(uint32_t linkType, ByteSpan frame)
{
    ByteReader reader(frame);
    switch (linkType)
    {
    case LOOPBACK: // The address family, in an order and with values that depend on the host.
        reader.Skip(4);
        return ByVersion(reader.Ok() ? reader.Rest() : ByteSpan());
    case ETHERNET:
        reader.Skip(ETHERNET_ADDRESSES);
        return ByType(reader.ReadU16(), reader);
    case LINUX_COOKED:
        reader.Skip(COOKED_BEFORE_TYPE);
        return ByType(reader.ReadU16(), reader);
    case LINUX_COOKED_2: {
        const uint16_t type = reader.ReadU16();
        reader.Skip(COOKED_2_AFTER_TYPE);
        return ByType(type, reader);
    }
    default:
        return IsKnownLinkType(linkType) ? ByVersion(frame) : std::nullopt;
    }
}

} // namespace ns3::nfsrdma
