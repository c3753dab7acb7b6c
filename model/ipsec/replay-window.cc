/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ipsec/replay-window.h"

#include <algorithm>

namespace ns3::nfsrdma
{

ReplayWindow::ReplayWindow(uint32_t size, bool extended)
    : m_size(size),
      m_isExtended(extended),
      m_seen(size)
{
}

uint64_t
ReplayWindow::Extend(uint32_t low) const
{
    constexpr unsigned LOW_BITS = 32;
    if (!m_isExtended)
    {
        return low;
    }
    const auto highestLow = static_cast<uint32_t>(m_highest);
    const uint64_t high = m_highest >> LOW_BITS;
    const auto size = static_cast<uint32_t>(std::max<uint64_t>(m_size, 1));
    const uint32_t bottom = highestLow - size + 1;
    const bool windowSpansTwo = highestLow < size - 1;
    uint64_t itsHigh = high;
    if (windowSpansTwo)
    {
        itsHigh = low >= bottom && high > 0 ? high - 1 : high;
    }
    else if (low < bottom)
    {
        itsHigh = high + 1;
    }
    return itsHigh << LOW_BITS | low;
}

std::optional<uint64_t>
ReplayWindow::Check(uint32_t low) const
{
    const uint64_t sequence = Extend(low);
    if (sequence == 0)
    {
        return std::nullopt;
    }
    if (m_size == 0 || sequence > m_highest)
    {
        return sequence;
    }
    const bool isOld = m_highest - sequence >= m_size;
    return isOld || m_seen[sequence % m_size] ? std::nullopt : std::optional(sequence);
}

void
ReplayWindow::Accept(uint64_t sequence)
{
    if (m_size == 0)
    {
        m_highest = std::max(m_highest, sequence);
        return;
    }
    if (sequence > m_highest)
    {
        const uint64_t passed = std::min(sequence - m_highest, m_size);
        for (uint64_t i = 1; i <= passed; ++i)
        {
            m_seen[(sequence - passed + i) % m_size] = false;
        }
        m_highest = sequence;
    }
    m_seen[sequence % m_size] = true;
}

} // namespace ns3::nfsrdma
