/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/dctcp.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t GAIN = 16; // 1 / g of RFC 8257 section 4.2.

} // namespace

uint64_t
Dctcp::ReduceForMark(const CongestionWindow& window, Time /* now */)
{
    const uint64_t less = window.window * m_alpha / (2 * static_cast<uint64_t>(MOST_ALPHA));
    return std::max(window.window - less, window.GetLeastThreshold());
}

void
Dctcp::Observe(Position acknowledged, Position sentEnd, uint64_t octets, bool echo)
{
    m_octets += octets;
    m_marked += echo ? octets : 0;
    if (acknowledged < m_windowEnd)
    {
        return;
    }
    if (m_octets > 0)
    {
        const uint32_t fallen = m_alpha / GAIN;
        m_alpha -= fallen > 0 ? fallen : m_alpha;
        m_alpha = std::min<uint32_t>(
            m_alpha + static_cast<uint32_t>(m_marked * MOST_ALPHA / GAIN / m_octets),
            MOST_ALPHA);
    }
    m_octets = 0;
    m_marked = 0;
    m_windowEnd = sentEnd;
}

} // namespace ns3::nfsrdma
