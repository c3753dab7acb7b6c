/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/options.h"

#include "wire/byte-reader.h"

namespace ns3::nfsrdma
{

namespace
{

enum OptionKind : uint8_t
{
    OPTION_END = 0,
    OPTION_NOTHING = 1,
    OPTION_SEGMENT_SIZE = 2,
    OPTION_WINDOW_SCALE = 3,
    OPTION_SACK_PERMITTED = 4,
    OPTION_SACK = 5,
    OPTION_TIMESTAMPS = 8,
};

constexpr uint8_t KIND_AND_LENGTH = 2;
constexpr uint8_t SEGMENT_SIZE_LENGTH = 4;
constexpr uint8_t WINDOW_SCALE_LENGTH = 3;
constexpr uint8_t SACK_PERMITTED_LENGTH = 2;
constexpr uint8_t TIMESTAMPS_LENGTH = 10;
constexpr uint8_t SACK_RANGE_LENGTH = 8;
constexpr uint32_t ALIGNED_PREFIX = 4; // Two of nothing, kind and length.

bool
ReadSack(ByteReader& reader, SackRanges& ranges)
{
    const std::size_t count = reader.Remaining() / SACK_RANGE_LENGTH;
    if (count == 0 || reader.Remaining() % SACK_RANGE_LENGTH != 0)
    {
        return false;
    }
    ranges = {};
    for (std::size_t i = 0; i < count; ++i)
    {
        const uint32_t begin = reader.ReadU32();
        ranges.Add({begin, reader.ReadU32()});
    }
    return true;
}

/// \return whether the length of \p body is that of its kind.
bool
ReadOption(uint8_t kind, ByteSpan body, TcpOptions& options)
{
    ByteReader reader(body);
    switch (kind)
    {
    case OPTION_SEGMENT_SIZE:
        options.maximumSegmentSize = reader.ReadU16();
        break;
    case OPTION_WINDOW_SCALE:
        options.windowScale = reader.ReadU8();
        break;
    case OPTION_SACK_PERMITTED:
        options.sackPermitted = true;
        break;
    case OPTION_SACK:
        return ReadSack(reader, options.sack);
    case OPTION_TIMESTAMPS: {
        const uint32_t value = reader.ReadU32();
        options.timestamps = TcpTimestamps{value, reader.ReadU32()};
        break;
    }
    default:
        return true;
    }
    return reader.Ok() && reader.Remaining() == 0;
}

void
WriteAligned(ByteWriter& writer, uint8_t kind, uint8_t length)
{
    writer.WriteU8(OPTION_NOTHING);
    writer.WriteU8(OPTION_NOTHING);
    writer.WriteU8(kind);
    writer.WriteU8(length);
}

} // namespace

uint32_t
TcpOptions::GetSize() const
{
    const uint32_t ranges = sack.GetSize() * SACK_RANGE_LENGTH;
    return (maximumSegmentSize ? SEGMENT_SIZE_LENGTH : 0) + (timestamps ? TIMESTAMP_OCTETS : 0) +
           (sackPermitted && !timestamps ? ALIGNED_PREFIX : 0) +
           (windowScale ? RoundUp4(WINDOW_SCALE_LENGTH) : 0) +
           (ranges > 0 ? ALIGNED_PREFIX + ranges : 0);
}

uint32_t
TcpOptions::MostSackRanges(bool timestamps)
{
    return (MOST_OCTETS - (timestamps ? TIMESTAMP_OCTETS : 0) - ALIGNED_PREFIX) / SACK_RANGE_LENGTH;
}

Decoded<TcpOptions>
TcpOptions::Decode(ByteSpan octets)
{
    TcpOptions options;
    ByteReader reader(octets);
    while (reader.Remaining() > 0)
    {
        const uint8_t kind = reader.ReadU8();
        if (kind == OPTION_END)
        {
            break;
        }
        if (kind == OPTION_NOTHING)
        {
            continue;
        }
        const uint8_t length = reader.ReadU8();
        if (reader.Ok() && length < KIND_AND_LENGTH)
        {
            return tl::make_unexpected(WireError::BAD_VALUE);
        }
        const ByteSpan body = reader.ReadBytes(static_cast<std::size_t>(length - KIND_AND_LENGTH));
        if (!reader.Ok())
        {
            return tl::make_unexpected(WireError::TRUNCATED);
        }
        if (!ReadOption(kind, body, options))
        {
            return tl::make_unexpected(WireError::BAD_VALUE);
        }
    }
    return options;
}

void
TcpOptions::Encode(ByteWriter& writer) const
{
    if (maximumSegmentSize)
    {
        writer.WriteU8(OPTION_SEGMENT_SIZE);
        writer.WriteU8(SEGMENT_SIZE_LENGTH);
        writer.WriteU16(*maximumSegmentSize);
    }
    if (sackPermitted && timestamps)
    {
        writer.WriteU8(OPTION_SACK_PERMITTED);
        writer.WriteU8(SACK_PERMITTED_LENGTH);
        writer.WriteU8(OPTION_TIMESTAMPS);
        writer.WriteU8(TIMESTAMPS_LENGTH);
    }
    else if (sackPermitted)
    {
        WriteAligned(writer, OPTION_SACK_PERMITTED, SACK_PERMITTED_LENGTH);
    }
    else if (timestamps)
    {
        WriteAligned(writer, OPTION_TIMESTAMPS, TIMESTAMPS_LENGTH);
    }
    if (timestamps)
    {
        writer.WriteU32(timestamps->value);
        writer.WriteU32(timestamps->echo);
    }
    if (windowScale)
    {
        writer.WriteU8(OPTION_NOTHING);
        writer.WriteU8(OPTION_WINDOW_SCALE);
        writer.WriteU8(WINDOW_SCALE_LENGTH);
        writer.WriteU8(*windowScale);
    }
    if (sack.GetSize() > 0)
    {
        WriteAligned(writer,
                     OPTION_SACK,
                     static_cast<uint8_t>(KIND_AND_LENGTH + sack.GetSize() * SACK_RANGE_LENGTH));
        for (const SackRange& range : sack)
        {
            writer.WriteU32(range.begin);
            writer.WriteU32(range.end);
        }
    }
}

} // namespace ns3::nfsrdma
