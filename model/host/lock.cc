/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/lock.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

Time
HostLock::Acquire(Time wanted, Time hold, uint32_t socket)
{
    const Time now = Simulator::Now();
    while (!m_holders.empty() && m_holders.front().end <= now)
    {
        m_holders.pop_front();
    }
    Time begin = wanted;
    Time taken = wanted;
    auto next = m_holders.begin();
    for (; next != m_holders.end() && begin + hold > next->begin; ++next)
    {
        if (next->end > begin)
        {
            taken = next->end;
            begin = taken + (next->socket == socket ? m_handover : m_remoteHandover);
        }
    }
    m_holders.insert(next, {taken, begin + hold, socket});
    const Time wait = begin - wanted;
    ++m_statistics->acquisitions;
    m_statistics->contentions += wait.IsZero() ? 0 : 1;
    m_statistics->waitTotal += wait;
    m_statistics->waitMax = std::max(m_statistics->waitMax, wait);
    m_statistics->holdTotal += hold;
    return begin;
}

} // namespace ns3::nfsrdma
