/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/trigger.h"

#include <utility>

namespace ns3::nfsrdma
{

FaultTrigger::FaultTrigger(FaultWhen when, Draw draw)
    : m_when(std::move(when)),
      m_draw(std::move(draw))
{
}

bool
FaultTrigger::Take(const FaultEvent& event, Time now)
{
    if (m_when.mode == FaultWhen::Mode::AT || now < m_when.after || IsOver(now) ||
        !m_when.event.Matches(event))
    {
        return false;
    }
    ++m_occurrences;
    if (!Chooses())
    {
        return false;
    }
    ++m_firings;
    return true;
}

bool
FaultTrigger::Chooses()
{
    switch (m_when.mode)
    {
    case FaultWhen::Mode::NTH:
        return m_occurrences == m_when.number;
    case FaultWhen::Mode::EVERY:
        return m_occurrences % m_when.number == 0;
    case FaultWhen::Mode::PROBABILITY:
        return m_draw() < m_when.probability;
    case FaultWhen::Mode::AT:
        break;
    }
    return false;
}

std::optional<Time>
FaultTrigger::TakeTime()
{
    ++m_occurrences;
    ++m_firings;
    if (m_when.interval.IsZero() || (m_when.times != 0 && m_firings >= m_when.times))
    {
        return std::nullopt;
    }
    return m_when.interval;
}

bool
FaultTrigger::IsOver(Time now) const
{
    return (m_when.times != 0 && m_firings >= m_when.times) ||
           (m_when.before && now >= *m_when.before);
}

} // namespace ns3::nfsrdma
