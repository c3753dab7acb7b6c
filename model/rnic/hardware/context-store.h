/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_CONTEXT_STORE_H
#define NFSRDMA_RNIC_HARDWARE_CONTEXT_STORE_H

#include "rnic/hardware/context-cache.h"
#include "rnic/hardware/counters.h"
#include "rnic/hardware/flow-credits.h"
#include "rnic/hardware/profile.h"
#include "rnic/hardware/reservation-calendar.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The contexts that an adapter works with, and what it takes to have one at hand.
 *
 *     engines <- near the engines     <- memory of the device     <- memory of the host
 *                (ContextNearSize)       (ContextCacheSize,          (all of them)
 *                                         StagCacheSize)
 *                        one at a time, ContextLoad      ContextFetches at a time, ContextMiss each
 *
 * An engine does not wait for a context: it serves others meanwhile. So many queue pairs cost
 * nothing until what fetches contexts is busy all the time, and then bound the rate by degrees.
 */
class ContextStore
{
  public:
    /// \param settings and \param counters outlive this
    ContextStore(const RnicSettings& settings, RnicCounters& counters)
        : m_settings(settings),
          m_counters(counters)
    {
    }

    /// An engine needs the context of \p queuePair from \p from on, now or later.
    /// \return when it has it
    Time UseQueuePair(uint32_t queuePair, Time from);
    /// The same of an STag's index.
    Time UseStag(uint32_t index, Time from);

    /// The context of \p queuePair is no more.
    void ForgetQueuePair(uint32_t queuePair)
    {
        m_near.Remove(queuePair);
        m_queuePairs.Remove(queuePair);
    }

    /// \return fetches from the host.
    [[nodiscard]] FlowCredits& GetFetches()
    {
        return m_fetched;
    }

  private:
    [[nodiscard]] CacheGeometry MakeGeometry(uint32_t entries) const;
    /// \return when a fetch from the host that may begin at \p from is over.
    Time Fetch(Time from);

    const RnicSettings& m_settings;
    RnicCounters& m_counters;
    ContextCache m_near;
    ContextCache m_queuePairs;
    ContextCache m_stags;
    ReservationCalendar m_port;  ///< Between the device's memory and the engines; in nanoseconds.
    std::vector<Time> m_fetches; ///< When each place for a fetch is free.
    FlowCredits m_fetched;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_CONTEXT_STORE_H
