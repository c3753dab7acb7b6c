/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/reservation-calendar.h"

#include <algorithm>
#include <iterator>

namespace ns3::nfsrdma
{

int64_t
ReservationCalendar::Reserve(int64_t now, int64_t earliest, int64_t duration)
{
    while (!m_busy.empty() && m_busy.front().end < now)
    {
        m_busy.pop_front();
    }
    int64_t end = std::max(now, earliest);
    if (duration <= 0)
    {
        return end;
    }
    if (m_busy.empty() || m_busy.back().end < end)
    {
        m_busy.push_back({end, end + duration});
        return end + duration;
    }
    const auto first =
        std::lower_bound(m_busy.begin(), m_busy.end(), end, [](const Interval& busy, int64_t from) {
            return busy.end < from;
        });
    Interval merged{end, end};
    auto next = first;
    int64_t left = duration;
    while (left > 0 && next != m_busy.end())
    {
        const int64_t free = std::max<int64_t>(next->begin - merged.end, 0);
        if (left < free)
        {
            break;
        }
        left -= free;
        end = merged.end + free;
        merged.begin = std::min(merged.begin, next->begin);
        merged.end = next->end;
        ++next;
    }
    if (left > 0)
    {
        merged.end += left;
        end = merged.end;
    }
    if (first == next)
    {
        m_busy.insert(first, merged);
    }
    else
    {
        *first = merged;
        m_busy.erase(std::next(first), next);
    }
    return end;
}

} // namespace ns3::nfsrdma
