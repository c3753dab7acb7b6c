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

constexpr uint32_t PPP = 9;
constexpr uint32_t LOOPBACK_BIG_ENDIAN = 108;

constexpr uint16_t TYPE_IPV4 = 0x0800;
constexpr uint16_t TYPE_IPV6 = 0x86dd;
constexpr uint16_t TYPE_VLAN = 0x8100;
constexpr uint16_t TYPE_SERVICE_VLAN = 0x88a8;
constexpr uint16_t TYPE_OLD_SERVICE_VLAN = 0x9100;
constexpr uint16_t TYPE_MPLS = 0x8847;
constexpr uint16_t TYPE_MPLS_MULTICAST = 0x8848;
constexpr uint16_t TYPE_PPPOE_SESSION = 0x8864;
constexpr uint16_t FIRST_TYPE = 0x0600; // Below: a length of IEEE 802.3.

constexpr uint16_t PPP_IPV4 = 0x0021;
constexpr uint16_t PPP_IPV6 = 0x0057;
constexpr uint16_t PPP_ADDRESS_AND_CONTROL = 0xff03;

constexpr std::size_t ETHERNET_ADDRESSES = 12;
constexpr std::size_t COOKED_BEFORE_TYPE = 14;
constexpr std::size_t COOKED_2_AFTER_TYPE = 18;
constexpr std::size_t PPPOE_HEADER = 6;

using FoundLayer = tl::expected<NetworkLayer, FrameMiss>;

FoundLayer
Miss(FrameMiss::Kind kind, uint32_t type = 0)
{
    return tl::make_unexpected(FrameMiss{kind, type});
}

FoundLayer
ByVersion(ByteSpan packet, uint32_t type = 0)
{
    if (packet.empty())
    {
        return Miss(FrameMiss::Kind::CUT);
    }
    constexpr uint8_t VERSION_4 = 4;
    constexpr uint8_t VERSION_6 = 6;
    const uint8_t version = packet[0] >> 4;
    if (version != VERSION_4 && version != VERSION_6)
    {
        return Miss(FrameMiss::Kind::NOT_IP, type);
    }
    return NetworkLayer{version == VERSION_6, packet};
}

FoundLayer
BehindLabels(ByteReader& reader, uint16_t type)
{
    constexpr uint32_t BOTTOM_OF_STACK = 0x100;
    while (reader.Ok() && (reader.ReadU32() & BOTTOM_OF_STACK) == 0)
    {
    }
    return reader.Ok() ? ByVersion(reader.Rest(), type) : Miss(FrameMiss::Kind::CUT);
}

FoundLayer
BehindPpp(ByteReader& reader)
{
    uint16_t protocol = reader.ReadU16();
    if (protocol == PPP_ADDRESS_AND_CONTROL)
    {
        protocol = reader.ReadU16();
    }
    if (!reader.Ok())
    {
        return Miss(FrameMiss::Kind::CUT);
    }
    if (protocol != PPP_IPV4 && protocol != PPP_IPV6)
    {
        return Miss(FrameMiss::Kind::NOT_IP);
    }
    return NetworkLayer{protocol == PPP_IPV6, reader.Rest()};
}

FoundLayer
ByType(uint16_t type, ByteReader& reader)
{
    while (type == TYPE_VLAN || type == TYPE_SERVICE_VLAN || type == TYPE_OLD_SERVICE_VLAN)
    {
        reader.Skip(2);
        type = reader.ReadU16();
    }
    if (!reader.Ok())
    {
        return Miss(FrameMiss::Kind::CUT);
    }
    switch (type)
    {
    case TYPE_IPV4:
    case TYPE_IPV6:
        return NetworkLayer{type == TYPE_IPV6, reader.Rest()};
    case TYPE_MPLS:
    case TYPE_MPLS_MULTICAST:
        return BehindLabels(reader, type);
    case TYPE_PPPOE_SESSION:
        reader.Skip(PPPOE_HEADER);
        return BehindPpp(reader);
    default:
        return Miss(FrameMiss::Kind::NOT_IP, type < FIRST_TYPE ? 0 : type);
    }
}

} // namespace

bool
IsKnownLinkType(uint32_t linkType)
{
    switch (linkType)
    {
    case LOOPBACK:
    case LOOPBACK_BIG_ENDIAN:
    case ETHERNET:
    case PPP:
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

tl::expected<NetworkLayer, FrameMiss>
FindNetworkLayer(uint32_t linkType, ByteSpan frame)
{
    ByteReader reader(frame);
    switch (linkType)
    {
    case LOOPBACK: // The address family, in an order and with values that depend on the host.
    case LOOPBACK_BIG_ENDIAN:
        reader.Skip(4);
        return ByVersion(reader.Ok() ? reader.Rest() : ByteSpan());
    case ETHERNET:
        reader.Skip(ETHERNET_ADDRESSES);
        return ByType(reader.ReadU16(), reader);
    case PPP:
        return BehindPpp(reader);
    case LINUX_COOKED:
        reader.Skip(COOKED_BEFORE_TYPE);
        return ByType(reader.ReadU16(), reader);
    case LINUX_COOKED_2: {
        const uint16_t type = reader.ReadU16();
        reader.Skip(COOKED_2_AFTER_TYPE);
        return ByType(type, reader);
    }
    default:
        return IsKnownLinkType(linkType) ? ByVersion(frame)
                                         : Miss(FrameMiss::Kind::LINK_TYPE, linkType);
    }
}

} // namespace ns3::nfsrdma
