/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/rack.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t DUPLICATE_THRESHOLD = 3;
constexpr uint32_t RECOVERIES_TO_PERSIST = 16;
constexpr int64_t PARTS_OF_ROUND_TRIP = 4;

} // namespace

void
Rack::Deliver(const SentSegment& segment, Time now, const Circumstances& circumstances)
{
    const Time roundTrip = now - segment.sentAt;
    if (segment.transmissions > 1 && circumstances.least && roundTrip < *circumstances.least)
    {
        return;
    }
    if (!m_any || segment.sentAt > m_sentAt || (segment.sentAt == m_sentAt && segment.end > m_end))
    {
        m_any = true;
        m_sentAt = segment.sentAt;
        m_end = segment.end;
        m_roundTrip = roundTrip;
    }
}

void
Rack::NoteSpurious(Position acknowledged, Position sentEnd)
{
    if (m_roundEnd && acknowledged < *m_roundEnd)
    {
        return;
    }
    m_roundEnd = sentEnd;
    ++m_multiple;
    m_persists = RECOVERIES_TO_PERSIST;
}

void
Rack::NoteRecovered()
{
    m_persists -= m_persists > 0 ? 1 : 0;
    if (m_persists == 0)
    {
        m_multiple = 1;
    }
}

Time
Rack::GetReorderingWindow(const Scoreboard& scoreboard, const Circumstances& circumstances) const
{
    if (!m_reorderingSeen &&
        (circumstances.recovering || scoreboard.GetSackedSegments() >= DUPLICATE_THRESHOLD))
    {
        return Time(0);
    }
    const Time least = circumstances.least.value_or(Time(0));
    return std::min(least * static_cast<int64_t>(m_multiple) / PARTS_OF_ROUND_TRIP,
                    circumstances.smoothed.value_or(least));
}

bool
Rack::IsSentBefore(const SentSegment& segment) const
{
    return segment.sentAt < m_sentAt || (segment.sentAt == m_sentAt && segment.end < m_end);
}

Time
Rack::GetPatience(const SentSegment& segment,
                  Time now,
                  const Scoreboard& scoreboard,
                  const Circumstances& circumstances) const
{
    return segment.sentAt + m_roundTrip + GetReorderingWindow(scoreboard, circumstances) - now;
}

Time
Rack::Detect(Scoreboard& scoreboard, Time now, const Circumstances& circumstances) const
{
    Time longest(0);
    if (!m_any)
    {
        return longest;
    }
    const Time window = GetReorderingWindow(scoreboard, circumstances);
    for (SentSegment& segment : scoreboard.GetSegments())
    {
        if (segment.sacked || (segment.lost && !segment.repeating))
        {
            continue;
        }
        if (!IsSentBefore(segment))
        {
            if (segment.transmissions == 1)
            {
                break;
            }
            continue;
        }
        const Time remaining = segment.sentAt + m_roundTrip + window - now;
        if (remaining <= Time(0))
        {
            scoreboard.MarkLost(segment);
        }
        else
        {
            longest = std::max(longest, remaining);
        }
    }
    return longest;
}

} // namespace ns3::nfsrdma
