/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ipv4-frame-head.h"

#include "wire/byte-reader.h"
#include "wire/byte-writer.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint8_t VERSION_4_WITHOUT_OPTIONS = 0x45;
constexpr uint16_t MORE_FRAGMENTS_OR_OFFSET = 0x3fff;
constexpr std::size_t CHECKSUM_SIZE = 2;

void
ReadAddress(ByteReader& reader, Ipv4FrameHead::HardwareAddress& address)
{
    const ByteSpan octets = reader.ReadBytes(address.size());
    std::copy(octets.begin(), octets.end(), address.begin());
}

} // namespace

void
Ipv4FrameHead::Encode(MutableByteSpan frame) const
{
    ByteWriter writer(frame);
    writer.WriteBytes(hardwareDestination);
    writer.WriteBytes(hardwareSource);
    writer.WriteU16(ETHERTYPE_IPV4);
    writer.WriteU8(VERSION_4_WITHOUT_OPTIONS);
    writer.WriteU8(typeOfService);
    writer.WriteU16(totalLength);
    writer.WriteU16(identification);
    writer.WriteU16(fragmentFlags);
    writer.WriteU8(timeToLive);
    writer.WriteU8(protocol);
    writer.WriteZeros(CHECKSUM_SIZE);
    writer.WriteU32(source);
    writer.WriteU32(destination);
}

std::optional<Ipv4FrameHead>
Ipv4FrameHead::Decode(ByteSpan frame)
{
    if (frame.size() < SIZE)
    {
        return std::nullopt;
    }
    ByteReader reader(frame);
    Ipv4FrameHead head;
    ReadAddress(reader, head.hardwareDestination);
    ReadAddress(reader, head.hardwareSource);
    if (reader.ReadU16() != ETHERTYPE_IPV4 || reader.ReadU8() != VERSION_4_WITHOUT_OPTIONS)
    {
        return std::nullopt;
    }
    head.typeOfService = reader.ReadU8();
    head.totalLength = reader.ReadU16();
    head.identification = reader.ReadU16();
    head.fragmentFlags = reader.ReadU16();
    head.timeToLive = reader.ReadU8();
    head.protocol = reader.ReadU8();
    reader.Skip(CHECKSUM_SIZE);
    head.source = reader.ReadU32();
    head.destination = reader.ReadU32();
    if ((head.fragmentFlags & MORE_FRAGMENTS_OR_OFFSET) != 0 || head.totalLength < IPV4_SIZE)
    {
        return std::nullopt;
    }
    return head;
}

} // namespace ns3::nfsrdma
