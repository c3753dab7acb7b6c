/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pcap-format.h"

#include "link-type.h"

#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t HEADER_AFTER_MAGIC = 20;
constexpr std::size_t LINK_TYPE_AFTER_MAGIC = 16;
constexpr std::size_t RECORD_HEADER_SIZE = 16;

constexpr uint32_t MAGIC_MICROSECONDS = 0xa1b2c3d4;
constexpr uint32_t MAGIC_NANOSECONDS = 0xa1b23c4d;
constexpr uint32_t FCS_LENGTH_PRESENT = 0x04000000;
constexpr uint32_t FCS_LENGTH_SHIFT = 28; // In units of 16 bits.

constexpr int64_t SECOND = 1000000000;
constexpr int64_t MICROSECOND = 1000;

} // namespace

bool
PcapFormat::Recognizes(ByteSpan start)
{
    for (const uint32_t magic : {MAGIC_MICROSECONDS, MAGIC_NANOSECONDS})
    {
        if (boost::endian::load_big_u32(start.data()) == magic ||
            boost::endian::load_little_u32(start.data()) == magic)
        {
            return true;
        }
    }
    return false;
}

tl::expected<std::unique_ptr<CaptureFormat>, PcapError>
PcapFormat::Create(ByteSpan start, CaptureSource& source)
{
    auto format = std::make_unique<PcapFormat>();
    const uint32_t magic = boost::endian::load_big_u32(start.data());
    format->m_bigEndian = magic == MAGIC_MICROSECONDS || magic == MAGIC_NANOSECONDS;
    format->m_nanoseconds = format->ReadWord(start.data()) == MAGIC_NANOSECONDS;
    const auto header = source.Take(HEADER_AFTER_MAGIC);
    if (!header)
    {
        return tl::make_unexpected(MakePcapError(PcapError::Kind::UNREADABLE, 0, header.error()));
    }
    if (header->size() < HEADER_AFTER_MAGIC)
    {
        return tl::make_unexpected(MakePcapError(PcapError::Kind::HEADER_CUT));
    }
    const uint32_t word = format->ReadWord(header->data() + LINK_TYPE_AFTER_MAGIC);
    format->m_linkType = word & LINK_TYPE_MASK;
    format->m_fcsOctets =
        (word & FCS_LENGTH_PRESENT) != 0 ? std::size_t{2} * (word >> FCS_LENGTH_SHIFT) : 0;
    if (!IsKnownLinkType(format->m_linkType))
    {
        PcapError error = MakePcapError(PcapError::Kind::LINK_TYPE);
        error.linkType = format->m_linkType;
        return tl::make_unexpected(error);
    }
    return std::unique_ptr<CaptureFormat>(std::move(format));
}

uint32_t
PcapFormat::ReadWord(const uint8_t* octets) const
{
    return m_bigEndian ? boost::endian::load_big_u32(octets)
                       : boost::endian::load_little_u32(octets);
}

NextFrame
PcapFormat::Next(CaptureSource& source, uint64_t number)
{
    const auto header = source.Take(RECORD_HEADER_SIZE);
    if (!header)
    {
        return tl::make_unexpected(
            MakePcapError(PcapError::Kind::UNREADABLE, number, header.error()));
    }
    if (header->empty())
    {
        return std::nullopt;
    }
    if (header->size() < RECORD_HEADER_SIZE)
    {
        return tl::make_unexpected(MakePcapError(PcapError::Kind::FRAME_CUT, number));
    }
    CapturedFrame frame;
    frame.number = number;
    frame.linkType = m_linkType;
    frame.time = int64_t{ReadWord(header->data())} * SECOND +
                 int64_t{ReadWord(header->data() + 4)} * (m_nanoseconds ? 1 : MICROSECOND);
    const uint32_t length = ReadWord(header->data() + 8);
    frame.wireLength = ReadWord(header->data() + 12);
    if (auto error = CheckFrameLengths(number, length, frame.wireLength))
    {
        return tl::make_unexpected(*std::move(error));
    }
    const auto octets = source.Take(length);
    if (!octets)
    {
        return tl::make_unexpected(
            MakePcapError(PcapError::Kind::UNREADABLE, number, octets.error()));
    }
    if (octets->size() < length)
    {
        return tl::make_unexpected(MakePcapError(PcapError::Kind::FRAME_CUT, number));
    }
    frame.octets = *octets;
    frame.RemoveFcs(m_fcsOctets);
    return frame;
}

} // namespace ns3::nfsrdma
