/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/context-store.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

CacheGeometry
ContextStore::MakeGeometry(uint32_t entries) const
{
    return {entries, m_settings.contextCacheWays, m_settings.contextReplacement};
}

Time
ContextStore::Fetch(Time from)
{
    m_counters.contextMisses++;
    m_fetches.resize(std::max<std::size_t>(m_settings.contextFetches, 1));
    Time& place = *std::min_element(m_fetches.begin(), m_fetches.end());
    const Time start = m_fetched.GetStart(Simulator::Now(), std::max(place, from), 1, 0);
    place = start + m_settings.contextMiss;
    m_fetched.Add(1, start, place);
    return place;
}

Time
ContextStore::UseQueuePair(uint32_t queuePair, Time from)
{
    m_counters.contextUses++;
    const bool hasNear = m_settings.contextNearSize != 0;
    if (hasNear &&
        m_near.Use(queuePair, {m_settings.contextNearSize, 0, m_settings.contextReplacement}))
    {
        m_counters.contextHits++;
        return from;
    }
    const bool onDevice = m_queuePairs.Use(queuePair, MakeGeometry(m_settings.contextCacheSize));
    m_counters.contextHits += onDevice ? 1 : 0;
    Time there = onDevice ? from : Fetch(from);
    if (!hasNear)
    {
        return there;
    }
    m_counters.contextLoads++;
    return NanoSeconds(m_port.Reserve(Simulator::Now().GetNanoSeconds(),
                                      there.GetNanoSeconds(),
                                      m_settings.contextLoad.GetNanoSeconds()));
}

Time
ContextStore::UseStag(uint32_t index, Time from)
{
    m_counters.contextUses++;
    if (m_stags.Use(index, MakeGeometry(m_settings.stagCacheSize)))
    {
        m_counters.contextHits++;
        return from;
    }
    return Fetch(from);
}

} // namespace ns3::nfsrdma
