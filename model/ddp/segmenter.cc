/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ddp/segmenter.h"

namespace ns3::nfsrdma
{

void
DdpSegment::EncodeHeader(ByteWriter& writer) const
{
    std::visit([&writer](const auto& alternative) { alternative.Encode(writer); }, header);
}

DdpSegmenter::DdpSegmenter(uint8_t version)
    : m_version(version)
{
}

void
DdpSegmenter::StartTagged(uint8_t rsvdUlp, Stag stag, uint64_t taggedOffset, uint32_t length)
{
    DdpTaggedHeader header;
    header.rsvdUlp = rsvdUlp;
    header.stag = stag;
    header.version = m_version;
    m_header = header;
    m_taggedStart = taggedOffset;
    Start(DdpTaggedHeader::SIZE, length);
}

void
DdpSegmenter::StartUntagged(uint8_t rsvdUlp,
                            uint32_t rsvdUlpWord,
                            uint32_t queueNumber,
                            uint32_t msn,
                            uint32_t length)
{
    DdpUntaggedHeader header;
    header.rsvdUlp = rsvdUlp;
    header.rsvdUlpWord = rsvdUlpWord;
    header.queueNumber = queueNumber;
    header.messageSequenceNumber = msn;
    header.version = m_version;
    m_header = header;
    Start(DdpUntaggedHeader::SIZE, length);
}

void
DdpSegmenter::Start(uint32_t headerSize, uint32_t length)
{
    m_headerSize = headerSize;
    m_length = length;
    m_offset = 0;
    m_active = true;
}

DdpSegment
DdpSegmenter::Next(uint32_t mulpdu)
{
    const uint32_t room = mulpdu - m_headerSize;
    const uint32_t left = m_length - m_offset;
    const bool last = left <= room;
    if (auto* tagged = std::get_if<DdpTaggedHeader>(&m_header))
    {
        tagged->last = last;
        tagged->taggedOffset = m_taggedStart + m_offset;
    }
    else
    {
        auto& untagged = *std::get_if<DdpUntaggedHeader>(&m_header);
        untagged.last = last;
        untagged.messageOffset = m_offset;
    }
    DdpSegment segment;
    segment.header = m_header;
    segment.headerSize = m_headerSize;
    segment.messageOffset = m_offset;
    segment.payloadLength = last ? left : room & ~3U;
    segment.last = last;
    m_offset += segment.payloadLength;
    m_active = !last;
    return segment;
}

} // namespace ns3::nfsrdma
