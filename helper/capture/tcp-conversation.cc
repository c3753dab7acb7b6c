/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tcp-conversation.h"

#include "mpa/startup-frame.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// Of a connection as such, with its places in tables.
constexpr std::size_t CONNECTION_MEMORY = 1024;
/// Of an event, or of a piece that waits.
constexpr std::size_t EVENT_MEMORY = 96;
/// What one side may say while the other has not begun; an MPA initiator waits for the Reply.
constexpr std::size_t MAX_UNANSWERED = std::size_t{1} << 20;

bool
BeginsAsMpa(ByteSpan octets)
{
    using Kind = MpaStartupFrame::Kind;
    return MpaStartupFrame::FrameSize(octets, Kind::REQUEST).has_value() ||
           MpaStartupFrame::FrameSize(octets, Kind::REPLY).has_value();
}

} // namespace

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
        direction.synSequence = direction.synSequence.value_or(sequence);
        ++sequence;
    }
    if (m_foreign)
    {
        return;
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
    ForgetIfForeign();
}

void
TcpConversation::ForgetIfForeign()
{
    bool spoken = true;
    std::size_t octets = 0;
    for (const Direction& direction : m_directions)
    {
        if (!direction.octets.empty() && BeginsAsMpa(direction.octets))
        {
            return;
        }
        spoken = spoken && !direction.octets.empty();
        octets += direction.octets.size() + direction.order.GetWaitingOctets();
    }
    if (!spoken && octets <= MAX_UNANSWERED)
    {
        return;
    }
    m_foreign = true;
    for (Direction& direction : m_directions)
    {
        direction.octets = {};
        direction.order = {};
    }
    m_events = {};
}

bool
TcpConversation::IsForeign() const
{
    return m_foreign;
}

std::size_t
TcpConversation::GetMemory() const
{
    std::size_t memory = CONNECTION_MEMORY + m_events.size() * EVENT_MEMORY;
    for (const Direction& direction : m_directions)
    {
        memory += direction.octets.size() + direction.order.GetWaitingOctets() +
                  direction.order.GetWaitingParts() * EVENT_MEMORY;
    }
    return memory;
}

bool
TcpConversation::IsEndedBy(const CapturedSegment& segment) const
{
    if (!segment.syn || segment.ack)
    {
        return false;
    }
    const std::size_t side = segment.source == m_directions[0].source ? 0 : 1;
    return m_directions[side].synSequence != segment.sequence;
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
    return Read(std::make_unique<CaptureOctets>(file));
}

tl::expected<TcpCapture, PcapError>
TcpCapture::Read(std::unique_ptr<CaptureSource> source)
{
    auto reader = PcapReader::Create(std::move(source));
    if (!reader)
    {
        return tl::make_unexpected(reader.error());
    }
    TcpCapture capture;
    std::map<std::pair<TcpEndpoint, TcpEndpoint>, std::size_t> current;
    std::size_t memory = 0;
    for (;;)
    {
        const auto frame = reader->Next();
        if (!frame)
        {
            return tl::make_unexpected(frame.error());
        }
        if (!*frame)
        {
            break;
        }
        ++capture.frames;
        const auto segment = DecodeTcpSegment((*frame)->linkType, **frame);
        if (!segment)
        {
            capture.misses.Add(segment.error());
            continue;
        }
        const auto ends = std::minmax(segment->source, segment->destination);
        const auto [place, isNew] =
            current.emplace(std::make_pair(ends.first, ends.second), capture.conversations.size());
        if (isNew || capture.conversations[place->second].IsEndedBy(*segment))
        {
            place->second = capture.conversations.size();
            memory += capture.conversations.emplace_back(*segment).GetMemory();
        }
        TcpConversation& conversation = capture.conversations[place->second];
        memory -= conversation.GetMemory();
        conversation.Add(*segment, **frame);
        memory += conversation.GetMemory();
        if (memory > MAX_MEMORY)
        {
            PcapError error;
            error.kind = PcapError::Kind::TOO_LARGE;
            error.reason = "its connections take more than " + std::to_string(MAX_MEMORY >> 20) +
                           " MiB of memory, up to frame " + std::to_string((*frame)->number) +
                           ": cut it in parts with editcap -c";
            return tl::make_unexpected(error);
        }
    }
    if (capture.frames > 0 && capture.misses.GetCount(FrameMiss::Kind::LINK_TYPE) == capture.frames)
    {
        PcapError error;
        error.kind = PcapError::Kind::LINK_TYPE;
        error.linkType = reader->GetLinkType();
        return tl::make_unexpected(error);
    }
    return capture;
}

} // namespace ns3::nfsrdma
