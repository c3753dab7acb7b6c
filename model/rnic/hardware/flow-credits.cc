/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/flow-credits.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace ns3::nfsrdma
{

void
FlowCredits::Retire()
{
    m_outstanding -= m_transfers.front().units;
    m_returned += m_transfers.front().units;
    if (m_ended > 0)
    {
        --m_ended;
        m_endedUnits -= m_transfers.front().units;
    }
    m_transfers.pop_front();
}

Time
FlowCredits::GetStart(Time now, Time earliest, uint64_t units, uint64_t credits)
{
    GetReturned(std::min(now, earliest));
    Time start = earliest;
    while (credits != 0 && !m_transfers.empty() && m_outstanding + units > credits)
    {
        start = std::max(start, m_transfers.front().end);
        Retire();
    }
    m_waited += start - earliest;
    return start;
}

void
FlowCredits::Add(uint64_t units, Time start, Time end)
{
    m_given += units;
    m_area += (end - start) * static_cast<int64_t>(units);
    CountEnded(start);
    m_peak = std::max(m_peak, m_outstanding + units - m_endedUnits);
    m_outstanding += units;
    const auto place = m_transfers.InsertInOrder({end, units}, &Transfer::end);
    if (place - m_transfers.begin() < static_cast<std::ptrdiff_t>(m_ended))
    {
        ++m_ended;
        m_endedUnits += units;
    }
}

void
FlowCredits::CountEnded(Time at)
{
    if (at < m_endedAt)
    {
        m_ended = 0;
        m_endedUnits = 0;
    }
    m_endedAt = at;
    for (; m_ended < m_transfers.size() && m_transfers[m_ended].end <= at; ++m_ended)
    {
        m_endedUnits += m_transfers[m_ended].units;
    }
}

Time
FlowCredits::GetTimeOf(uint64_t units) const
{
    uint64_t outstanding = m_outstanding;
    Time at;
    for (auto next = m_transfers.begin(); next != m_transfers.end() && outstanding > units; ++next)
    {
        outstanding -= next->units;
        at = next->end;
    }
    return at;
}

double
FlowCredits::GetMean(Time now) const
{
    return now.IsZero() ? 0 : m_area.GetDouble() / now.GetDouble();
}

uint64_t
FlowCredits::GetReturned(Time now)
{
    while (!m_transfers.empty() && m_transfers.front().end <= now)
    {
        Retire();
    }
    return m_returned;
}

uint64_t
FlowCredits::GetOutstanding() const
{
    return std::accumulate(
        m_transfers.begin(),
        m_transfers.end(),
        uint64_t{0},
        [](uint64_t sum, const Transfer& transfer) { return sum + transfer.units; });
}

} // namespace ns3::nfsrdma
