/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ipv4-frame-head.h"

#include "wire/byte-reader.h"
#include "wire/byte-writer.h"
#include "wire/internet-checksum.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint8_t VERSION_4_WITHOUT_OPTIONS = 0x45;
constexpr uint16_t MORE_FRAGMENTS_OR_OFFSET = 0x3fff;
constexpr uint32_t OCTET = 8;
constexpr uint32_t HALF_WORD = 16;

void
ReadAddress(ByteReader& reader, Ipv4FrameHead::HardwareAddress& address)
{
    const ByteSpan octets = reader.ReadBytes(address.size());
    std::copy(octets.begin(), octets.end(), address.begin());
}

} // namespace

uint16_t
Ipv4FrameHead::ComputeChecksum() const
{
    InternetChecksum sum;
    sum.AddU16(static_cast<uint16_t>(VERSION_4_WITHOUT_OPTIONS << OCTET | typeOfService));
    sum.AddU16(totalLength);
    sum.AddU16(identification);
    sum.AddU16(fragmentFlags);
    sum.AddU16(static_cast<uint16_t>(timeToLive << OCTET | protocol));
    for (const uint32_t address : {source, destination})
    {
        sum.AddU16(static_cast<uint16_t>(address >> HALF_WORD));
        sum.AddU16(static_cast<uint16_t>(address));
    }
    return sum.Finish();
}

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
    writer.WriteU16(checksum);
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
    head.checksum = reader.ReadU16();
    head.source = reader.ReadU32();
    head.destination = reader.ReadU32();
    if ((head.fragmentFlags & MORE_FRAGMENTS_OR_OFFSET) != 0 || head.totalLength < IPV4_SIZE)
    {
        return std::nullopt;
    }
    return head;
}

} // namespace ns3::nfsrdma
