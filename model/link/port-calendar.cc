/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/port-calendar.h"

#include <algorithm>

namespace ns3::nfsrdma
{

std::optional<PortCalendar::Slot>
PortCalendar::Reserve(Time arrives, uint32_t octets, uint32_t wireOctets, uint32_t gap)
{
    if (arrives < m_idleFrom)
    {
        const uint64_t waiting = GetWaiting(arrives);
        const uint64_t needed =
            m_size.GetUnit() == QueueSizeUnit::BYTES ? waiting + octets : m_waiting.size() + 1;
        if (needed > m_size.GetValue())
        {
            return std::nullopt;
        }
    }
    return ReserveAgain(arrives, octets, wireOctets, gap);
}

PortCalendar::Slot
PortCalendar::ReserveAgain(Time arrives, uint32_t octets, uint32_t wireOctets, uint32_t gap)
{
    const bool waits = arrives < m_idleFrom;
    if (arrives > m_idleFrom)
    {
        m_clock.StartRun();
    }
    Slot slot;
    slot.waits = waits;
    slot.starts = std::max(arrives, m_idleFrom);
    slot.lastOctet = NanoSeconds(m_clock.Peek(wireOctets));
    slot.busy = NanoSeconds(m_clock.Advance(wireOctets + gap));
    m_idleFrom = slot.starts + slot.busy;
    if (waits)
    {
        m_waiting.push_back({slot.starts, octets});
        m_octets += octets;
    }
    return slot;
}

void
PortCalendar::Restart(Time idleFrom)
{
    m_clock.StartRun();
    m_idleFrom = idleFrom;
    m_waiting.clear();
    m_octets = 0;
}

uint64_t
PortCalendar::GetWaiting(Time at)
{
    while (!m_waiting.empty() && m_waiting.front().starts <= at)
    {
        m_octets -= m_waiting.front().octets;
        m_waiting.pop_front();
    }
    return m_octets;
}

void
PortCalendar::Cut(Time from)
{
    while (!m_waiting.empty() && m_waiting.back().starts > from)
    {
        m_idleFrom = m_waiting.back().starts;
        m_octets -= m_waiting.back().octets;
        m_waiting.pop_back();
    }
}

} // namespace ns3::nfsrdma
