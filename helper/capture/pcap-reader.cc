/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pcap-reader.h"

#include "link-type.h"

#include <boost/endian/conversion.hpp>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t FILE_HEADER_SIZE = 24;
constexpr std::size_t RECORD_HEADER_SIZE = 16;
constexpr std::size_t LINK_TYPE_POSITION = 20;
constexpr uint32_t LINK_TYPE_MASK = 0x0fffffff;

constexpr uint32_t MAGIC_MICROSECONDS = 0xa1b2c3d4;
constexpr uint32_t MAGIC_NANOSECONDS = 0xa1b23c4d;
constexpr uint32_t MAGIC_PCAPNG = 0x0a0d0d0a;

constexpr int64_t SECOND = 1000000000;
constexpr int64_t MICROSECOND = 1000;

tl::unexpected<PcapError>
Fail(PcapError::Kind kind)
{
    PcapError error;
    error.kind = kind;
    return tl::make_unexpected(error);
}

} // namespace

std::string
PcapError::ToString() const
{
    switch (kind)
    {
    case Kind::NOT_A_CAPTURE:
        return "not a capture: a file in libpcap's format (.pcap), plain or gzip, is expected";
    case Kind::PCAPNG:
        return "a pcapng file; convert it to libpcap's format: editcap -F pcap IN OUT";
    case Kind::HEADER_CUT:
        return "the capture is cut short within its file header";
    case Kind::FRAME_CUT:
        return "the capture is cut short within frame " + std::to_string(frame);
    case Kind::LINK_TYPE:
        return "link type " + std::to_string(linkType) +
               " is not read; known are Ethernet (1), Linux cooked (113, 276), raw IP (101) and "
               "loopback (0)";
    }
    return "unreadable";
}

PcapReader::PcapReader(ByteSpan file)
    : m_file(file),
      m_position(FILE_HEADER_SIZE)
{
}

tl::expected<PcapReader, PcapError>
PcapReader::Create(ByteSpan file)
{
    PcapReader reader(file);
    if (file.size() < sizeof(uint32_t))
    {
        return Fail(PcapError::Kind::NOT_A_CAPTURE);
    }
    const uint32_t magic = boost::endian::load_big_u32(file.data());
    const uint32_t reversed = boost::endian::load_little_u32(file.data());
    if (magic == MAGIC_PCAPNG)
    {
        return Fail(PcapError::Kind::PCAPNG);
    }
    reader.m_bigEndian = magic == MAGIC_MICROSECONDS || magic == MAGIC_NANOSECONDS;
    reader.m_nanoseconds = magic == MAGIC_NANOSECONDS || reversed == MAGIC_NANOSECONDS;
    if (!reader.m_bigEndian && reversed != MAGIC_MICROSECONDS && reversed != MAGIC_NANOSECONDS)
    {
        return Fail(PcapError::Kind::NOT_A_CAPTURE);
    }
    if (file.size() < FILE_HEADER_SIZE)
    {
        return Fail(PcapError::Kind::HEADER_CUT);
    }
    reader.m_linkType = reader.ReadWord(LINK_TYPE_POSITION) & LINK_TYPE_MASK;
    if (!IsKnownLinkType(reader.m_linkType))
    {
        PcapError error;
        error.kind = PcapError::Kind::LINK_TYPE;
        error.linkType = reader.m_linkType;
        return tl::make_unexpected(error);
    }
    return reader;
}

uint32_t
PcapReader::ReadWord(std::size_t position) const
{
    const uint8_t* octets = m_file.data() + position;
    return m_bigEndian ? boost::endian::load_big_u32(octets)
                       : boost::endian::load_little_u32(octets);
}

tl::expected<std::optional<CapturedFrame>, PcapError>
PcapReader::Next()
{
    const std::size_t left = m_file.size() - m_position;
    if (left == 0)
    {
        return std::nullopt;
    }
    const uint64_t number = m_frames + 1;
    if (left < RECORD_HEADER_SIZE || ReadWord(m_position + 8) > left - RECORD_HEADER_SIZE)
    {
        PcapError error;
        error.kind = PcapError::Kind::FRAME_CUT;
        error.frame = number;
        return tl::make_unexpected(error);
    }
    CapturedFrame frame;
    frame.number = number;
    frame.time = int64_t{ReadWord(m_position)} * SECOND +
                 int64_t{ReadWord(m_position + 4)} * (m_nanoseconds ? 1 : MICROSECOND);
    const std::size_t length = ReadWord(m_position + 8);
    frame.wireLength = ReadWord(m_position + 12);
    frame.octets = m_file.subspan(m_position + RECORD_HEADER_SIZE, length);
    m_position += RECORD_HEADER_SIZE + length;
    m_frames = number;
    return frame;
}

} // namespace ns3::nfsrdma
