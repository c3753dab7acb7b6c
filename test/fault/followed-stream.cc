/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/followed-stream.h"

#include "mpa/marked-fpdu.h"

namespace ns3::nfsrdma::test
{

FollowedStream::FollowedStream(FpduFraming framing, const ByteVector& preamble, uint32_t rejections)
    : m_framing(framing)
{
    for (std::size_t side = 0; side < ConnectionFollower::SIDES; ++side)
    {
        TcpSegment syn;
        syn.flags = TcpSegment::SYN | (side == 0 ? 0 : TcpSegment::ACK);
        syn.sequence = m_next[side]++;
        Take(side, syn);
    }
    MpaStartupFrame request;
    request.crc = framing.crc;
    MpaStartupFrame reply;
    reply.kind = MpaStartupFrame::Kind::REPLY;
    reply.crc = framing.crc;
    reply.markers = framing.markers;
    for (uint32_t attempt = 0; attempt <= rejections; ++attempt)
    {
        if (!preamble.empty())
        {
            Take(0, MakeSegment(0, preamble));
            Take(1, MakeSegment(1, preamble));
        }
        Take(0, MakeSegment(0, request.Encode()));
        reply.rejected = attempt < rejections;
        Take(1, MakeSegment(1, reply.Encode()));
    }
}

TcpSegment
FollowedStream::MakeSegment(std::size_t side, ByteSpan octets)
{
    TcpSegment segment;
    segment.source = static_cast<uint32_t>(side);
    segment.sequence = m_next[side];
    segment.payload.assign(octets.begin(), octets.end());
    m_next[side] += static_cast<uint32_t>(octets.size());
    return segment;
}

ByteVector
FollowedStream::MakeWrite(std::size_t size, bool last)
{
    ByteVector ulpdu(DdpTaggedHeader::SIZE + size, 0x5a);
    ByteWriter writer(ulpdu);
    DdpTaggedHeader header;
    header.last = last;
    header.rsvdUlp = EncodeRdmapControl(RdmapOpcode::WRITE);
    header.stag = 0x01020304;
    header.Encode(writer);
    const auto octets = m_framing.markers ? MarkedFpdu::Encode(ulpdu, m_position, m_framing.crc)
                                          : Fpdu::Encode(ulpdu, m_framing.crc);
    m_position += octets.size();
    return octets;
}

std::vector<std::string>
FollowedStream::Take(std::size_t side, const TcpSegment& segment)
{
    frame = follower.Take(side, segment);
    std::vector<std::string> names;
    for (const auto& event : frame.events)
    {
        names.emplace_back(ToString(event.kind));
    }
    return names;
}

} // namespace ns3::nfsrdma::test
