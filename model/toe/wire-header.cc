/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/wire-header.h"

#include "wire/byte-reader.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t OFFSET_SHIFT = 12;
constexpr uint32_t OCTETS_OF_OFFSET = 4;
constexpr uint16_t WIRE_FLAGS = 0x0fff;

} // namespace

bool
TcpWireHeader::Encode(MutableByteSpan segment) const
{
    ByteWriter writer(segment);
    const uint32_t offset = GetSize() / OCTETS_OF_OFFSET;
    writer.WriteU16(sourcePort);
    writer.WriteU16(destinationPort);
    writer.WriteU32(sequence);
    writer.WriteU32(acknowledgment);
    writer.WriteU16(static_cast<uint16_t>(offset << OFFSET_SHIFT | (flags & WIRE_FLAGS)));
    writer.WriteU16(window);
    writer.WriteU16(0);
    writer.WriteU16(urgentPointer);
    options.Encode(writer);
    return writer.Ok() && options.GetSize() <= TcpOptions::MOST_OCTETS;
}

Decoded<ReceivedTcpSegment>
ReceivedTcpSegment::Decode(ByteSpan segment)
{
    ByteReader reader(segment);
    ReceivedTcpSegment received;
    TcpWireHeader& header = received.header;
    header.sourcePort = reader.ReadU16();
    header.destinationPort = reader.ReadU16();
    header.sequence = reader.ReadU32();
    header.acknowledgment = reader.ReadU32();
    const uint16_t offsetAndFlags = reader.ReadU16();
    header.flags = offsetAndFlags & WIRE_FLAGS;
    header.window = reader.ReadU16();
    received.checksum = reader.ReadU16();
    header.urgentPointer = reader.ReadU16();
    received.headerSize = (offsetAndFlags >> OFFSET_SHIFT) * OCTETS_OF_OFFSET;
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::TRUNCATED);
    }
    if (received.headerSize < TcpWireHeader::FIXED_OCTETS)
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    const ByteSpan octets = reader.ReadBytes(received.headerSize - TcpWireHeader::FIXED_OCTETS);
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::TRUNCATED);
    }
    const auto options = TcpOptions::Decode(octets);
    if (!options)
    {
        return tl::make_unexpected(options.error());
    }
    header.options = *options;
    received.payload = reader.Rest();
    return received;
}

} // namespace ns3::nfsrdma
