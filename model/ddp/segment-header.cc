/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ddp/segment-header.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint8_t CONTROL_TAGGED = 0x80;
constexpr uint8_t CONTROL_LAST = 0x40;
constexpr uint8_t CONTROL_VERSION_MASK = 0x03;

uint8_t
Control(bool tagged, bool last, uint8_t version)
{
    return static_cast<uint8_t>((tagged ? CONTROL_TAGGED : 0) | (last ? CONTROL_LAST : 0) |
                                (version & CONTROL_VERSION_MASK));
}

} // namespace

void
DdpTaggedHeader::Encode(ByteWriter& writer) const
{
    writer.WriteU8(Control(true, last, version));
    writer.WriteU8(rsvdUlp);
    writer.WriteU32(stag);
    writer.WriteU64(taggedOffset);
}

void
DdpUntaggedHeader::Encode(ByteWriter& writer) const
{
    writer.WriteU8(Control(false, last, version));
    writer.WriteU8(rsvdUlp);
    writer.WriteU32(rsvdUlpWord);
    writer.WriteU32(queueNumber);
    writer.WriteU32(messageSequenceNumber);
    writer.WriteU32(messageOffset);
}

Decoded<DdpHeader>
DecodeDdpHeader(ByteReader& reader, uint8_t version)
{
    ByteReader ahead(reader);
    const uint8_t control = ahead.ReadU8();
    if (ahead.Ok() && (control & CONTROL_VERSION_MASK) != version)
    {
        return tl::make_unexpected(WireError::BAD_VERSION);
    }
    return DecodeAnyDdpHeader(reader);
}

Decoded<DdpHeader>
DecodeAnyDdpHeader(ByteReader& reader)
{
    const uint8_t control = reader.ReadU8();
    const uint8_t version = control & CONTROL_VERSION_MASK;
    const bool last = (control & CONTROL_LAST) != 0;
    const uint8_t rsvdUlp = reader.ReadU8();
    if ((control & CONTROL_TAGGED) != 0)
    {
        DdpTaggedHeader header;
        header.last = last;
        header.rsvdUlp = rsvdUlp;
        header.stag = reader.ReadU32();
        header.taggedOffset = reader.ReadU64();
        header.version = version;
        if (reader.Ok())
        {
            return header;
        }
    }
    else
    {
        DdpUntaggedHeader header;
        header.last = last;
        header.rsvdUlp = rsvdUlp;
        header.rsvdUlpWord = reader.ReadU32();
        header.queueNumber = reader.ReadU32();
        header.messageSequenceNumber = reader.ReadU32();
        header.messageOffset = reader.ReadU32();
        header.version = version;
        if (reader.Ok())
        {
            return header;
        }
    }
    return tl::make_unexpected(WireError::TRUNCATED);
}

bool
IsLastSegment(ByteSpan segment)
{
    return (segment[0] & CONTROL_LAST) != 0;
}

} // namespace ns3::nfsrdma
