/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tcp-conversation.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3::nfsrdma
{

TcpConversation::TcpConversation(const CapturedSegment& first)
    : m_begunBefore(!first.syn)
{
    const bool answered = first.syn && first.ack;
    m_directions[0].source = answered ? first.destination : first.source;
    m_directions[1].source = answered ? first.source : first.destination;
}

void
TcpConversation::Record(TcpEvent::Kind kind, std::size_t side, const CapturedFrame& frame)
{
    TcpEvent event;
    event.kind = kind;
    event.side = side;
    event.frame = frame.number;
    event.time = frame.time;
    m_events.push_back(event);
}

void
TcpConversation::Add(const CapturedSegment& segment, const CapturedFrame& frame)
{
    const std::size_t side = segment.source == m_directions[0].source ? 0 : 1;
    Direction& direction = m_directions[side];
    ++direction.frames;
    direction.cutOctets += segment.cutOctets;
    uint32_t sequence = segment.sequence;
    if (segment.syn)
    {
        direction.order.Open(sequence);
        ++sequence;
    }
    const ByteVector ready = direction.order.Add(sequence, segment.payload);
    if (!ready.empty())
    {
        Record(TcpEvent::Kind::OCTETS, side, frame);
        m_events.back().offset = direction.octets.size();
        m_events.back().length = ready.size();
        direction.octets.insert(direction.octets.end(), ready.begin(), ready.end());
    }
    if (segment.fin)
    {
        direction.order.Close(sequence + static_cast<uint32_t>(segment.payload.size()) +
                              segment.cutOctets);
    }
    if (!m_finished[side] && direction.order.IsComplete())
    {
        m_finished[side] = true;
        Record(TcpEvent::Kind::FIN, side, frame);
    }
    if (segment.rst)
    {
        Record(TcpEvent::Kind::RST, side, frame);
    }
}

bool
TcpConversation::IsEndedBy(const CapturedSegment& segment) const
{
    if (!segment.syn || segment.ack)
    {
        return false;
    }
    const std::size_t side = segment.source == m_directions[0].source ? 0 : 1;
    return !m_directions[side].order.IsOpenAt(segment.sequence);
}

bool
TcpConversation::IsBegunBefore() const
{
    return m_begunBefore;
}

const TcpConversation::Direction&
TcpConversation::GetDirection(std::size_t side) const
{
    return m_directions[side];
}

const std::vector<TcpEvent>&
TcpConversation::GetEvents() const
{
    return m_events;
}

tl::expected<TcpCapture, PcapError>
TcpCapture::Read(ByteSpan file)
{
    auto reader = PcapReader::Create(file);
    if (!reader)
    {
        return tl::make_unexpected(reader.error());
    }
    TcpCapture capture;
    std::map<std::pair<TcpEndpoint, TcpEndpoint>, std::size_t> current;
    for (;;)
    {
        const auto frame = reader->Next();
        if (!frame)
        {
            return tl::make_unexpected(frame.error());
        }
        if (!*frame)
        {
            return capture;
        }
        ++capture.frames;
        const auto segment = DecodeTcpSegment(reader->GetLinkType(), **frame);
        if (!segment)
        {
            continue;
        }
        const auto ends = std::minmax(segment->source, segment->destination);
        const auto [place, isNew] =
            current.emplace(std::make_pair(ends.first, ends.second), capture.conversations.size());
        if (isNew || capture.conversations[place->second].IsEndedBy(*segment))
        {
            place->second = capture.conversations.size();
            capture.conversations.emplace_back(*segment);
        }
        capture.conversations[place->second].Add(*segment, **frame);
    }
}

} // namespace ns3::nfsrdma
