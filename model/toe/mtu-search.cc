/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/mtu-search.h"

#include <algorithm>

namespace ns3::nfsrdma
{

void
MtuSearch::Begin(uint32_t low, uint32_t ceiling, Time now)
{
    m_low = std::min(low, ceiling);
    m_high = ceiling;
    m_ceiling = ceiling;
    m_since = now;
    Cancel();
}

uint32_t
MtuSearch::Limit(uint32_t most)
{
    m_high = std::min(m_high, most);
    m_low = std::min(m_low, most);
    return m_low;
}

uint32_t
MtuSearch::Next(Time now)
{
    if (!IsOn() || IsUnderWay())
    {
        return 0;
    }
    if (m_high < m_low + m_settings.probeThreshold)
    {
        if (now - m_since < m_settings.probeInterval)
        {
            return 0;
        }
        m_since = now;
        m_high = m_ceiling;
    }
    const uint32_t middle = m_low + (m_high - m_low) / 2;
    return m_high < m_low + m_settings.probeThreshold ? 0 : middle;
}

void
MtuSearch::Send(Position begin, Position end)
{
    m_begin = begin;
    m_end = end;
}

uint32_t
MtuSearch::Succeed()
{
    m_low = static_cast<uint32_t>(m_end - m_begin);
    m_high = std::max(m_high, m_low);
    Cancel();
    return m_low;
}

void
MtuSearch::Fail()
{
    m_high = std::max(static_cast<uint32_t>(m_end - m_begin) - 1, m_low);
    Cancel();
}

void
MtuSearch::Cancel()
{
    m_begin = 0;
    m_end = 0;
}

} // namespace ns3::nfsrdma
