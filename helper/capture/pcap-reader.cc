/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pcap-reader.h"

#include "pcap-format.h"
#include "pcapng-format.h"

#include <array>
#include <string_view>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t MAGIC_SIZE = 4;

/// What a file is that begins so, and what makes a capture of it.
struct OtherFormat
{
    std::string_view start;
    const char* reason;
};

using namespace std::string_view_literals;

constexpr std::array<OtherFormat, 16> OTHER_FORMATS{
    {{"\xfd"
      "7zX"sv,
      "compressed by xz; uncompress it first: xz -d"},
     {"BZh"sv, "compressed by bzip2; uncompress it first: bzip2 -d"},
     {"\x28\xb5\x2f\xfd"sv, "compressed by zstd; uncompress it first: zstd -d"},
     {"\x04\x22\x4d\x18"sv, "compressed by lz4; uncompress it first: lz4 -d"},
     {"PK\x03\x04"sv, "a zip archive; unpack it first: unzip"},
     {"\x1f\x8b"sv, "compressed by gzip twice; uncompress it first: gzip -d"},
     {"snoo"sv, "a snoop file (RFC 1761); convert it: editcap -F pcap IN OUT"},
     {"btsn"sv, "a btsnoop file, of Bluetooth"},
     {"\xa1\xb2\xcd\x34"sv,
      "a pcap file of a modified libpcap; convert it: editcap -F pcap IN OUT"},
     {"\x34\xcd\xb2\xa1"sv,
      "a pcap file of a modified libpcap; convert it: editcap -F pcap IN OUT"},
     {"RTSS"sv, "a Network Monitor file; convert it: editcap -F pcap IN OUT"},
     {"GMBU"sv, "a Network Monitor file; convert it: editcap -F pcap IN OUT"},
     {"TRSN"sv, "a Sniffer file; convert it: editcap -F pcap IN OUT"},
     {"XCP\0"sv, "a NetXRay file; convert it: editcap -F pcap IN OUT"},
     {"\x0a\x0d\x0d"sv, "the capture is cut short within its file header"},
     {"# nf"sv, "a trace of the simulator, not a capture"}}};

PcapError
DescribeOther(ByteSpan start)
{
    const std::string text(start.begin(), start.end());
    std::string reason;
    for (const OtherFormat& format : OTHER_FORMATS)
    {
        if (text.compare(0, format.start.size(), format.start) == 0)
        {
            reason = format.reason;
            break;
        }
    }
    if (start.empty())
    {
        reason = "is empty";
    }
    return MakePcapError(PcapError::Kind::NOT_A_CAPTURE, 0, reason);
}

} // namespace

PcapReader::PcapReader(std::unique_ptr<CaptureSource> source, std::unique_ptr<CaptureFormat> format)
    : m_source(std::move(source)),
      m_format(std::move(format))
{
}

tl::expected<PcapReader, PcapError>
PcapReader::Create(ByteSpan file)
{
    return Create(std::make_unique<CaptureOctets>(file));
}

tl::expected<PcapReader, PcapError>
PcapReader::Create(std::unique_ptr<CaptureSource> source)
{
    const auto taken = source->Take(MAGIC_SIZE);
    if (!taken)
    {
        return tl::make_unexpected(MakePcapError(PcapError::Kind::UNREADABLE, 0, taken.error()));
    }
    const ByteVector start(taken->begin(), taken->end());
    const bool isWhole = start.size() == MAGIC_SIZE;
    if (!isWhole || (!PcapFormat::Recognizes(start) && !PcapngFormat::Recognizes(start)))
    {
        return tl::make_unexpected(DescribeOther(start));
    }
    auto format = PcapFormat::Recognizes(start) ? PcapFormat::Create(start, *source)
                                                : PcapngFormat::Create(*source);
    if (!format)
    {
        return tl::make_unexpected(format.error());
    }
    return PcapReader(std::move(source), *std::move(format));
}

uint32_t
PcapReader::GetLinkType() const
{
    return m_format->GetLinkType();
}

NextFrame
PcapReader::Next()
{
    auto frame = m_format->Next(*m_source, m_frames + 1);
    m_frames += frame && *frame ? 1 : 0;
    return frame;
}

} // namespace ns3::nfsrdma
