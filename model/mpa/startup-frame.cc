/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/startup-frame.h"

#include "wire/byte-reader.h"
#include "wire/byte-writer.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t KEY_SIZE = 16;
using Key = std::array<uint8_t, KEY_SIZE>;

constexpr Key
    REQUEST_KEY{'M', 'P', 'A', ' ', 'I', 'D', ' ', 'R', 'e', 'q', ' ', 'F', 'r', 'a', 'm', 'e'};
constexpr Key
    REPLY_KEY{'M', 'P', 'A', ' ', 'I', 'D', ' ', 'R', 'e', 'p', ' ', 'F', 'r', 'a', 'm', 'e'};

constexpr uint8_t FLAG_MARKERS = 0x80;
constexpr uint8_t FLAG_CRC = 0x40;
constexpr uint8_t FLAG_REJECTED = 0x20;
constexpr uint8_t FLAG_ENHANCED = 0x10;

constexpr uint16_t DEPTH_MASK = 0x3fff;
constexpr uint16_t HIGH_FLAG = 0x8000;
constexpr uint16_t LOW_FLAG = 0x4000;

const Key&
KeyOf(MpaStartupFrame::Kind kind)
{
    return kind == MpaStartupFrame::Kind::REQUEST ? REQUEST_KEY : REPLY_KEY;
}

uint8_t
FlagIf(bool set, uint8_t flag)
{
    return set ? flag : uint8_t{0};
}

uint16_t
DepthWord(bool high, bool low, uint16_t depth)
{
    return static_cast<uint16_t>((high ? HIGH_FLAG : 0) | (low ? LOW_FLAG : 0) |
                                 (depth & DEPTH_MASK));
}

} // namespace

ByteVector
MpaStartupFrame::Encode() const
{
    ByteVector octets(EncodedSize());
    ByteWriter writer(octets);
    writer.WriteBytes(KeyOf(kind));
    writer.WriteU8(FlagIf(markers, FLAG_MARKERS) | FlagIf(crc, FLAG_CRC) |
                   FlagIf(rejected, FLAG_REJECTED) | FlagIf(enhanced, FLAG_ENHANCED));
    writer.WriteU8(revision);
    writer.WriteU16(static_cast<uint16_t>(privateData.size()));
    writer.WriteBytes(privateData);
    return octets;
}

Decoded<std::optional<std::size_t>>
MpaStartupFrame::FrameSize(ByteSpan octets, Kind kind)
{
    const ByteSpan key = octets.first(std::min(octets.size(), KEY_SIZE));
    if (!std::equal(key.begin(), key.end(), KeyOf(kind).begin()))
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    ByteReader reader(octets);
    reader.Skip(KEY_SIZE + 2);
    const std::size_t privateDataLength = reader.ReadU16();
    if (!reader.Ok())
    {
        return std::nullopt;
    }
    if (privateDataLength > MAX_PRIVATE_DATA)
    {
        return tl::make_unexpected(WireError::TOO_LONG);
    }
    return HEADER_SIZE + privateDataLength;
}

Decoded<MpaStartupFrame>
MpaStartupFrame::Decode(ByteSpan octets, Kind kind)
{
    const auto size = FrameSize(octets, kind);
    if (!size)
    {
        return tl::make_unexpected(size.error());
    }
    if (!size->has_value() || octets.size() < **size)
    {
        return tl::make_unexpected(WireError::TRUNCATED);
    }
    if (octets.size() > **size)
    {
        return tl::make_unexpected(WireError::TRAILING_DATA);
    }
    ByteReader reader(octets);
    reader.Skip(KEY_SIZE);
    const uint8_t flags = reader.ReadU8();
    MpaStartupFrame frame;
    frame.kind = kind;
    frame.markers = (flags & FLAG_MARKERS) != 0;
    frame.crc = (flags & FLAG_CRC) != 0;
    frame.rejected = kind == Kind::REPLY && (flags & FLAG_REJECTED) != 0;
    frame.enhanced = (flags & FLAG_ENHANCED) != 0;
    frame.revision = reader.ReadU8();
    const ByteSpan privateOctets = reader.ReadBytes(reader.ReadU16());
    frame.privateData.assign(privateOctets.begin(), privateOctets.end());
    return frame;
}

Decoded<MpaEnhancedBlock>
MpaStartupFrame::GetEnhancedBlock() const
{
    if (!enhanced)
    {
        return tl::make_unexpected(WireError::BAD_VALUE);
    }
    ByteReader reader(privateData);
    const uint16_t irdWord = reader.ReadU16();
    const uint16_t ordWord = reader.ReadU16();
    if (!reader.Ok())
    {
        return tl::make_unexpected(WireError::TRUNCATED);
    }
    MpaEnhancedBlock block;
    block.peerToPeer = (irdWord & HIGH_FLAG) != 0;
    block.rtrSend = (irdWord & LOW_FLAG) != 0;
    block.rtrWrite = (ordWord & HIGH_FLAG) != 0;
    block.rtrRead = (ordWord & LOW_FLAG) != 0;
    block.ird = irdWord & DEPTH_MASK;
    block.ord = ordWord & DEPTH_MASK;
    return block;
}

void
MpaStartupFrame::SetEnhancedPrivateData(const MpaEnhancedBlock& block, ByteSpan consumerData)
{
    enhanced = true;
    privateData.resize(MpaEnhancedBlock::SIZE + consumerData.size());
    ByteWriter writer(privateData);
    writer.WriteU16(DepthWord(block.peerToPeer, block.rtrSend, block.ird));
    writer.WriteU16(DepthWord(block.rtrWrite, block.rtrRead, block.ord));
    writer.WriteBytes(consumerData);
}

ByteSpan
MpaStartupFrame::GetConsumerPrivateData() const
{
    const ByteSpan all(privateData);
    if (!enhanced)
    {
        return all;
    }
    return all.subspan(std::min(all.size(), MpaEnhancedBlock::SIZE));
}

} // namespace ns3::nfsrdma
