/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/context-store.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t PAGE_BITS = 40; // Of the number of a translation: those of the page.
constexpr uint64_t PAGE_MASK = (uint64_t{1} << PAGE_BITS) - 1;

} // namespace

uint32_t
ContextStore::GetSize(CachedContext kind) const
{
    switch (kind)
    {
    case CachedContext::QUEUE_PAIR:
        return m_settings.contextCacheSize;
    case CachedContext::TCP:
        return m_settings.tcpCacheSize;
    case CachedContext::COMPLETION_QUEUE:
        return m_settings.cqCacheSize;
    case CachedContext::RECEIVE_QUEUE:
        return m_settings.receiveCacheSize;
    case CachedContext::STAG:
        return m_settings.stagCacheSize;
    case CachedContext::TRANSLATION:
        return m_settings.translationCacheSize;
    }
    return 0;
}

bool
ContextStore::IsBounded() const
{
    constexpr std::array<CachedContext, KINDS> ALL{CachedContext::QUEUE_PAIR,
                                                   CachedContext::TCP,
                                                   CachedContext::COMPLETION_QUEUE,
                                                   CachedContext::RECEIVE_QUEUE,
                                                   CachedContext::STAG,
                                                   CachedContext::TRANSLATION};
    return std::any_of(ALL.begin(), ALL.end(), [this](CachedContext kind) {
        return GetSize(kind) != 0;
    });
}

Time
ContextStore::Fetch(Time from)
{
    m_counters.contextMisses++;
    m_fetches.resize(std::max<std::size_t>(m_settings.contextFetches, 1));
    const Time now = Simulator::Now();
    Time& place = *std::min_element(m_fetches.begin(), m_fetches.end());
    const Time start = m_fetched.GetStart(now, std::max(place, from), 1, 0);
    place = m_settings.contextOctets == 0
                ? start + m_settings.contextMiss
                : m_pcie.Read(now, start, m_settings.contextOctets, m_settings.contextMiss);
    m_fetched.Add(1, start, place);
    return place;
}

Time
ContextStore::Use(CachedContext kind, uint64_t number, Time from)
{
    const bool isThere = GetCache(kind).Use(
        number,
        {GetSize(kind), m_settings.contextCacheWays, m_settings.contextReplacement});
    m_counters.contextHits += isThere ? 1 : 0;
    return isThere ? from : Fetch(from);
}

Time
ContextStore::UseNear(uint32_t queuePair, Time from)
{
    m_counters.contextUses++;
    const bool hasNear = m_settings.contextNearSize != 0;
    if (hasNear &&
        m_near.Use(queuePair, {m_settings.contextNearSize, 0, m_settings.contextReplacement}))
    {
        m_counters.contextHits++;
        return from;
    }
    Time there = Use(CachedContext::QUEUE_PAIR, queuePair, from);
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
ContextStore::UseQueuePair(uint32_t queuePair, Time from)
{
    const Time there = UseNear(queuePair, from);
    return m_settings.tcpCacheSize == 0
               ? there
               : std::max(there, UseOther(CachedContext::TCP, queuePair, from));
}

Time
ContextStore::UseOther(CachedContext kind, uint64_t number, Time from)
{
    if (GetSize(kind) == 0)
    {
        return from;
    }
    m_counters.contextUses++;
    return Use(kind, number, from);
}

Time
ContextStore::UseStag(uint32_t index, Time from)
{
    m_counters.contextUses++;
    return Use(CachedContext::STAG, index, from);
}

Time
ContextStore::UseTranslations(uint32_t index, uint64_t offset, uint64_t octets, Time from)
{
    Time there = from;
    if (m_settings.translationCacheSize == 0 || octets == 0)
    {
        return there;
    }
    const uint64_t last = (offset + octets - 1) / m_settings.translationPage;
    for (uint64_t page = offset / m_settings.translationPage; page <= last; ++page)
    {
        const uint64_t number = uint64_t{index} << PAGE_BITS | (page & PAGE_MASK);
        there = std::max(there, UseOther(CachedContext::TRANSLATION, number, from));
    }
    return there;
}

Time
ContextStore::UseCompletionQueue(uint32_t number, Time from)
{
    return UseOther(CachedContext::COMPLETION_QUEUE, number, from);
}

Time
ContextStore::UseReceiveQueue(uint32_t number, bool shared, Time from)
{
    return UseOther(CachedContext::RECEIVE_QUEUE, uint64_t{number} << 1U | (shared ? 1 : 0), from);
}

void
ContextStore::ForgetQueuePair(uint32_t queuePair)
{
    m_near.Remove(queuePair);
    GetCache(CachedContext::QUEUE_PAIR).Remove(queuePair);
    GetCache(CachedContext::TCP).Remove(queuePair);
    GetCache(CachedContext::RECEIVE_QUEUE).Remove(uint64_t{queuePair} << 1U);
}

} // namespace ns3::nfsrdma
