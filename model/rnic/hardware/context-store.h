/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HARDWARE_CONTEXT_STORE_H
#define NFSRDMA_RNIC_HARDWARE_CONTEXT_STORE_H

#include "host/context-cache.h"
#include "rnic/hardware/counters.h"
#include "rnic/hardware/flow-credits.h"
#include "rnic/hardware/pcie-transactions.h"
#include "rnic/hardware/profile.h"
#include "rnic/hardware/reservation-calendar.h"

#include "ns3/nstime.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/// What an engine needs of a kind of object, and the device has a cache for.
enum class CachedContext
{
    QUEUE_PAIR,
    TCP,              ///< State of the connection of a queue pair.
    COMPLETION_QUEUE, ///< Where the next entry goes.
    RECEIVE_QUEUE,    ///< The next work requests of a receive queue, shared or not.
    STAG,
    TRANSLATION ///< Where a page of an STag's memory is.
};

/**
 * \brief The contexts that an adapter works with, and what it takes to have one at hand.
 *
 *     engines <- near the engines     <- memory of the device     <- memory of the host
 *                (ContextNearSize:       (a cache of each            (all of them)
 *                 queue pairs)            CachedContext)
 *                        one at a time, ContextLoad      ContextFetches at a time, ContextMiss
 * each, ContextOctets of the host bus
 *
 * An engine does not wait for a context: it serves others meanwhile. So many queue pairs cost
 * nothing until what fetches contexts is busy all the time, and then bound the rate by degrees.
 */
class ContextStore
{
  public:
    /// \p settings, \p counters and \p pcie outlive this.
    ContextStore(const RnicSettings& settings, RnicCounters& counters, PcieTransactions& pcie)
        : m_settings(settings),
          m_counters(counters),
          m_pcie(pcie)
    {
    }

    /// An engine needs the context of \p queuePair, and that of its connection, from \p from on,
    /// now or later. \return when it has them
    Time UseQueuePair(uint32_t queuePair, Time from);
    /// The same of an STag's index.
    Time UseStag(uint32_t index, Time from);
    /// The same of the pages that \p octets (0: none) at \p offset of an STag's index are in.
    Time UseTranslations(uint32_t index, uint64_t offset, uint64_t octets, Time from);
    /// The same of a completion queue.
    Time UseCompletionQueue(uint32_t number, Time from);
    /// The same of a receive queue. \param shared whether \p number is a shared receive queue's,
    /// not a queue pair's
    Time UseReceiveQueue(uint32_t number, bool shared, Time from);

    /// The contexts of \p queuePair are no more.
    void ForgetQueuePair(uint32_t queuePair);

    /// \return whether a context may have to be fetched from the host.
    [[nodiscard]] bool IsBounded() const;

    /// \return fetches from the host.
    [[nodiscard]] FlowCredits& GetFetches()
    {
        return m_fetched;
    }

  private:
    static constexpr std::size_t KINDS = 6;

    [[nodiscard]] uint32_t GetSize(CachedContext kind) const;

    [[nodiscard]] ContextCache& GetCache(CachedContext kind)
    {
        return m_caches.at(static_cast<std::size_t>(kind));
    }

    /// \return when the context is on the device.
    Time Use(CachedContext kind, uint64_t number, Time from);
    /// As Use(), of a kind that all are on the device of without a size, which counts nothing.
    Time UseOther(CachedContext kind, uint64_t number, Time from);
    Time UseNear(uint32_t queuePair, Time from);
    /// \return when a fetch from the host that may begin at \p from is over.
    Time Fetch(Time from);

    const RnicSettings& m_settings;
    RnicCounters& m_counters;
    PcieTransactions& m_pcie;
    ContextCache m_near;
    std::array<ContextCache, KINDS> m_caches;
    ReservationCalendar m_port;  ///< Between the device's memory and the engines; in nanoseconds.
    std::vector<Time> m_fetches; ///< When each place for a fetch is free.
    FlowCredits m_fetched;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HARDWARE_CONTEXT_STORE_H
