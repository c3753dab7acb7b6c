/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ipv6-frame-head.h"

#include "wire/byte-reader.h"
#include "wire/byte-writer.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t VERSION = 6;
constexpr unsigned VERSION_SHIFT = 28;
constexpr unsigned TRAFFIC_CLASS_SHIFT = 20;
constexpr uint32_t FLOW_LABEL_MASK = 0xfffff;

template <typename Octets>
Octets
ReadOctets(ByteReader& reader)
{
    Octets read{};
    const ByteSpan octets = reader.ReadBytes(read.size());
    std::copy(octets.begin(), octets.end(), read.begin());
    return read;
}

} // namespace

void
Ipv6FrameHead::Encode(MutableByteSpan frame) const
{
    ByteWriter writer(frame);
    writer.WriteBytes(hardwareDestination);
    writer.WriteBytes(hardwareSource);
    writer.WriteU16(ETHERTYPE_IPV6);
    writer.WriteU32(VERSION << VERSION_SHIFT | uint32_t{trafficClass} << TRAFFIC_CLASS_SHIFT |
                    (flowLabel & FLOW_LABEL_MASK));
    writer.WriteU16(payloadLength);
    writer.WriteU8(nextHeader);
    writer.WriteU8(hopLimit);
    writer.WriteBytes(source.GetOctets());
    writer.WriteBytes(destination.GetOctets());
}

std::optional<Ipv6FrameHead>
Ipv6FrameHead::Decode(ByteSpan frame)
{
    ByteReader reader(frame);
    Ipv6FrameHead head;
    head.hardwareDestination = ReadOctets<HardwareAddress>(reader);
    head.hardwareSource = ReadOctets<HardwareAddress>(reader);
    const uint16_t type = reader.ReadU16();
    const uint32_t first = reader.ReadU32();
    head.trafficClass = static_cast<uint8_t>(first >> TRAFFIC_CLASS_SHIFT);
    head.flowLabel = first & FLOW_LABEL_MASK;
    head.payloadLength = reader.ReadU16();
    head.nextHeader = reader.ReadU8();
    head.hopLimit = reader.ReadU8();
    head.source = IpAddress(ReadOctets<IpAddress::Octets>(reader));
    head.destination = IpAddress(ReadOctets<IpAddress::Octets>(reader));
    if (!reader.Ok() || type != ETHERTYPE_IPV6 || first >> VERSION_SHIFT != VERSION)
    {
        return std::nullopt;
    }
    return head;
}

} // namespace ns3::nfsrdma
