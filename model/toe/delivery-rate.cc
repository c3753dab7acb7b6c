/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/delivery-rate.h"

#include <algorithm>

namespace ns3::nfsrdma
{

void
DeliveryRate::Send(Position end, uint64_t size, uint64_t inFlight, Time now)
{
    if (inFlight <= size)
    {
        m_firstSentAt = now;
        m_deliveredAt = now;
    }
    Mark mark;
    mark.end = end;
    mark.sentAt = now;
    mark.firstSentAt = m_firstSentAt;
    mark.deliveredAt = m_deliveredAt;
    mark.delivered = m_delivered;
    mark.lost = m_lost;
    mark.inFlight = inFlight;
    mark.limited = IsApplicationLimited();
    if (Mark* const before = Find(end))
    {
        *before = mark;
    }
    else if (m_marks.empty() || m_marks.back().end < end)
    {
        m_marks.push_back(mark);
    }
}

void
DeliveryRate::NoteApplicationLimit(uint64_t inFlight)
{
    m_limitedUntil = std::max<uint64_t>(m_delivered + inFlight, 1);
}

DeliveryRate::Mark*
DeliveryRate::Find(Position end)
{
    const auto found =
        std::lower_bound(m_marks.begin(),
                         m_marks.end(),
                         end,
                         [](const Mark& mark, Position position) { return mark.end < position; });
    return found == m_marks.end() || found->end != end ? nullptr : &*found;
}

void
DeliveryRate::Begin()
{
    m_newest.reset();
    m_deliveredBefore = m_delivered;
}

void
DeliveryRate::Deliver(const SentSegment& segment, Time now)
{
    m_delivered += segment.GetSize();
    m_deliveredAt = now;
    Mark* const mark = Find(segment.end);
    if (mark == nullptr || mark->arrived)
    {
        return;
    }
    mark->arrived = true;
    const bool isNewer = !m_newest || mark->sentAt > m_newest->sentAt ||
                         (mark->sentAt == m_newest->sentAt && mark->end > m_newest->end);
    if (isNewer)
    {
        m_newest = *mark;
        m_firstSentAt = mark->sentAt;
    }
}

DeliverySample
DeliveryRate::Finish(std::optional<Time> least, Position unacknowledged)
{
    if (m_limitedUntil != 0 && m_delivered > m_limitedUntil)
    {
        m_limitedUntil = 0;
    }
    while (!m_marks.empty() && m_marks.front().end <= unacknowledged)
    {
        m_marks.pop_front();
    }
    DeliverySample sample;
    sample.total = m_delivered;
    sample.newlyDelivered = m_delivered - m_deliveredBefore;
    sample.newlyLost = m_lost - m_lostBefore;
    m_lostBefore = m_lost;
    if (!m_newest)
    {
        return sample;
    }
    sample.priorDelivered = m_newest->delivered;
    sample.delivered = m_delivered - m_newest->delivered;
    sample.lost = m_lost - m_newest->lost;
    sample.sentInFlight = m_newest->inFlight;
    sample.applicationLimited = m_newest->limited;
    const Time interval =
        std::max(m_newest->sentAt - m_newest->firstSentAt, m_deliveredAt - m_newest->deliveredAt);
    if (interval.IsStrictlyPositive() && (!least || interval >= *least))
    {
        sample.rate = static_cast<double>(sample.delivered) / interval.GetSeconds();
    }
    return sample;
}

std::optional<LostSegment>
DeliveryRate::Lose(const SentSegment& segment)
{
    m_lost += segment.GetSize();
    const Mark* const mark = Find(segment.end);
    if (mark == nullptr)
    {
        return std::nullopt;
    }
    return LostSegment{segment.begin,
                       segment.end,
                       m_lost - mark->lost,
                       mark->inFlight,
                       m_delivered,
                       mark->limited};
}

} // namespace ns3::nfsrdma
