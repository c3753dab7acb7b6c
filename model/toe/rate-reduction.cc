/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/rate-reduction.h"

#include <algorithm>

namespace ns3::nfsrdma
{

void
RateReduction::Begin(uint64_t flight)
{
    m_flight = std::max<uint64_t>(flight, 1);
    m_delivered = 0;
    m_sent = 0;
}

uint64_t
RateReduction::Acknowledge(uint64_t pipe,
                           uint64_t delivered,
                           uint64_t threshold,
                           uint32_t segment,
                           bool progress)
{
    m_delivered += delivered;
    uint64_t more = 0;
    if (pipe > threshold)
    {
        const uint64_t share = (m_delivered * threshold + m_flight - 1) / m_flight;
        more = share > m_sent ? share - m_sent : 0;
    }
    else
    {
        const uint64_t behind = m_delivered > m_sent ? m_delivered - m_sent : 0;
        more = std::min(threshold - pipe, std::max(behind, delivered) + (progress ? segment : 0));
    }
    return pipe + std::max<uint64_t>(more, m_sent == 0 ? segment : 0);
}

} // namespace ns3::nfsrdma
