/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/new-reno.h"

#include <algorithm>

namespace ns3::nfsrdma
{

void
NewReno::Avoid(CongestionWindow& window, uint64_t octets, Time /* now */, Time /* smoothed */)
{
    m_acknowledged += octets;
    while (m_acknowledged >= window.window)
    {
        m_acknowledged -= window.window;
        window.window += window.segment;
    }
}

uint64_t
NewReno::ReduceForLoss(const CongestionWindow& window, Time /* now */)
{
    m_acknowledged = 0;
    return std::max(window.window / 2, window.GetLeastThreshold());
}

} // namespace ns3::nfsrdma
