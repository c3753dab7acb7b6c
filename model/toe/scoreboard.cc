/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/scoreboard.h"

#include <algorithm>

namespace ns3::nfsrdma
{

void
Scoreboard::Add(Position begin, Position end, bool fin, Time now)
{
    m_segments.push_back({begin, end, fin, false, false, false, 1, now});
    m_out += m_segments.back().GetSize();
}

void
Scoreboard::Repeat(SentSegment& segment, Time now)
{
    if (!segment.repeating)
    {
        segment.repeating = true;
        m_repeating += segment.GetSize();
    }
    ++segment.transmissions;
    segment.sentAt = now;
}

void
Scoreboard::Forget(const SentSegment& segment)
{
    const uint64_t size = segment.GetSize();
    m_lost -= segment.lost ? size : 0;
    m_repeating -= segment.repeating ? size : 0;
    m_sacked -= segment.sacked ? size : 0;
    m_sackedSegments -= segment.sacked ? 1 : 0;
}

void
Scoreboard::Acknowledge(Position position, std::vector<SentSegment>& arrived)
{
    m_forward = std::max(m_forward, position);
    while (!m_segments.empty() && m_segments.front().end <= position)
    {
        const SentSegment& segment = m_segments.front();
        Forget(segment);
        m_out -= segment.GetSize();
        if (!segment.sacked)
        {
            arrived.push_back(segment);
        }
        m_segments.pop_front();
    }
    if (!m_segments.empty() && m_segments.front().begin < position)
    {
        SentSegment& segment = m_segments.front();
        const auto gone = static_cast<uint64_t>(position - segment.begin);
        m_out -= gone;
        m_lost -= segment.lost ? gone : 0;
        m_repeating -= segment.repeating ? gone : 0;
        m_sacked -= segment.sacked ? gone : 0;
        segment.begin = position;
    }
}

void
Scoreboard::Sack(Position begin, Position end, std::vector<SentSegment>& arrived)
{
    auto segment = std::lower_bound(
        m_segments.begin(),
        m_segments.end(),
        begin,
        [](const SentSegment& each, Position position) { return each.begin < position; });
    for (; segment != m_segments.end() && segment->end <= end; ++segment)
    {
        m_forward = std::max(m_forward, segment->end);
        if (segment->sacked)
        {
            continue;
        }
        arrived.push_back(*segment);
        Forget(*segment);
        segment->lost = false;
        segment->repeating = false;
        segment->sacked = true;
        m_sacked += segment->GetSize();
        ++m_sackedSegments;
    }
}

void
Scoreboard::CountDuplicate(uint32_t size)
{
    m_duplicates += size;
}

void
Scoreboard::MarkLost(SentSegment& segment)
{
    if (m_keepsLost && (!segment.lost || segment.repeating))
    {
        m_newlyLost.push_back(segment);
    }
    if (!segment.lost)
    {
        segment.lost = true;
        m_lost += segment.GetSize();
    }
    if (segment.repeating)
    {
        segment.repeating = false;
        m_repeating -= segment.GetSize();
    }
}

bool
Scoreboard::UnmarkLost()
{
    const bool any = m_lost > 0;
    for (SentSegment& segment : m_segments)
    {
        segment.lost = false;
    }
    m_lost = 0;
    return any;
}

void
Scoreboard::ForgetSacks()
{
    for (SentSegment& segment : m_segments)
    {
        segment.sacked = false;
    }
    m_sacked = 0;
    m_sackedSegments = 0;
    m_forward = m_segments.empty() ? m_forward : m_segments.front().begin;
}

void
Scoreboard::Split(uint32_t most)
{
    std::deque<SentSegment> pieces;
    for (const SentSegment& segment : m_segments)
    {
        SentSegment piece = segment;
        while (piece.end - piece.begin > static_cast<Position>(most) + (segment.fin ? 1 : 0))
        {
            SentSegment first = piece;
            first.end = first.begin + most;
            first.fin = false;
            piece.begin = first.end;
            m_sackedSegments += first.sacked ? 1 : 0;
            pieces.push_back(first);
        }
        pieces.push_back(piece);
    }
    m_segments = std::move(pieces);
}

SentSegment*
Scoreboard::NextLost()
{
    if (m_lost == 0)
    {
        return nullptr;
    }
    const auto segment =
        std::find_if(m_segments.begin(), m_segments.end(), [](const SentSegment& each) {
            return each.lost && !each.repeating;
        });
    return segment == m_segments.end() ? nullptr : &*segment;
}

uint64_t
Scoreboard::GetPipe() const
{
    const uint64_t left = m_sacked + m_lost;
    const uint64_t pipe = (m_out > left ? m_out - left : 0) + m_repeating;
    return pipe > m_duplicates ? pipe - m_duplicates : 0;
}

} // namespace ns3::nfsrdma
