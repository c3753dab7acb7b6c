/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/unit-queue.h"

#include <algorithm>

namespace ns3::nfsrdma
{

void
UnitQueue::Add(uint32_t size)
{
    m_end += size;
    if (m_aligned)
    {
        m_ends.push_back(m_end);
    }
}

uint32_t
UnitQueue::NextSize(Position from, uint32_t most)
{
    if (!m_aligned)
    {
        return static_cast<uint32_t>(std::min<Position>(most, m_end - from));
    }
    while (!m_ends.empty() && m_ends.front() <= from)
    {
        m_unitBegin = m_ends.front();
        m_ends.pop_front();
    }
    if (m_ends.empty())
    {
        return 0;
    }
    Position end = std::min(m_ends.front(), from + most);
    if (m_packing && from == m_unitBegin && end == m_ends.front())
    {
        const auto beyond = std::upper_bound(m_ends.begin(), m_ends.end(), from + most);
        end = *std::prev(beyond);
    }
    return static_cast<uint32_t>(end - from);
}

uint32_t
UnitQueue::GetUnitRoom(Position from, uint32_t most) const
{
    if (!m_aligned || !m_packing)
    {
        return most;
    }
    auto unit = std::upper_bound(m_ends.begin(), m_ends.end(), from);
    bool beginsUnit = unit != m_ends.begin() || from == m_unitBegin;
    Position begin = from;
    uint32_t room = 0;
    while (unit != m_ends.end())
    {
        if (*unit - begin > most)
        {
            begin += most;
            beginsUnit = false;
            continue;
        }
        const auto beyond =
            beginsUnit ? std::upper_bound(unit, m_ends.end(), begin + most) : std::next(unit);
        const Position end = *std::prev(beyond);
        room = beginsUnit ? most - static_cast<uint32_t>(end - begin) : 0;
        begin = end;
        beginsUnit = true;
        unit = beyond;
    }
    return room == 0 ? most : room;
}

} // namespace ns3::nfsrdma
