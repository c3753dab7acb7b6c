/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/lock.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

Time
HostLock::GetHandover(const Holder& holder, uint32_t core, uint32_t socket) const
{
    if (holder.core == core)
    {
        return Time(0);
    }
    return holder.socket == socket ? m_handover : m_remoteHandover;
}

Time
HostLock::Acquire(Time wanted, Time hold, uint32_t core, uint32_t socket)
{
    const Time now = Simulator::Now();
    while (!m_holders.empty() && m_holders.front().end <= now)
    {
        m_past = m_holders.front();
        m_holders.pop_front();
    }
    Time taken = wanted;
    Time begin = wanted;
    const auto follow = [&](const Holder& holder) {
        taken = std::max(wanted, holder.end);
        begin = taken + GetHandover(holder, core, socket);
    };
    if (m_past)
    {
        follow(*m_past);
    }
    auto next = m_holders.begin();
    for (; next != m_holders.end() && begin + hold > next->begin; ++next)
    {
        follow(*next);
    }
    m_holders.insert(next, {taken, begin + hold, core, socket});
    ++m_statistics->acquisitions;
    if (taken > wanted)
    {
        const Time wait = begin - wanted;
        ++m_statistics->contentions;
        m_statistics->waitTotal += wait;
        m_statistics->waitMax = std::max(m_statistics->waitMax, wait);
    }
    m_statistics->holdTotal += hold;
    return begin;
}

} // namespace ns3::nfsrdma
