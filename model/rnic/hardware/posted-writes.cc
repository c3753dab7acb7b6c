/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/posted-writes.h"

#include <algorithm>
#include <iterator>

namespace ns3::nfsrdma
{

void
PostedWrites::Retire()
{
    m_outstanding -= m_writes.front().octets;
    m_writes.pop_front();
}

Time
PostedWrites::GetStart(Time now, Time earliest, uint64_t octets, uint64_t credits)
{
    Time start = std::max(now, earliest);
    while (!m_writes.empty() && m_writes.front().end <= start)
    {
        Retire();
    }
    if (credits == 0)
    {
        return start;
    }
    while (!m_writes.empty() && m_outstanding + octets > credits)
    {
        start = std::max(start, m_writes.front().end);
        Retire();
    }
    m_waited += start - std::max(now, earliest);
    return start;
}

void
PostedWrites::Add(uint64_t octets, Time start, Time end)
{
    auto place = m_writes.end();
    while (place != m_writes.begin() && std::prev(place)->end > end)
    {
        --place;
    }
    m_writes.insert(place, {end, octets});
    m_outstanding += octets;
    m_peak = std::max(m_peak, m_outstanding);
    m_area += static_cast<double>(octets) * static_cast<double>((end - start).GetNanoSeconds());
}

double
PostedWrites::GetMean(Time now) const
{
    return now.IsZero() ? 0 : m_area / static_cast<double>(now.GetNanoSeconds());
}

} // namespace ns3::nfsrdma
