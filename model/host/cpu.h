/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HOST_CPU_H
#define NFSRDMA_HOST_CPU_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/simple-ref-count.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/// A thread of a host: what it does, it does one after the other.
class HostThread : public SimpleRefCount<HostThread>
{
  public:
    /// \return when it has done all it was given.
    [[nodiscard]] Time GetFree() const
    {
        return m_free;
    }

    /// \return time it has run on a core.
    [[nodiscard]] Time GetUsed() const
    {
        return m_used;
    }

  private:
    friend class HostCpu;

    Time m_free;
    Time m_used;
};

/**
 * \brief The processor of a host: threads share its cores, in the order in which work is given; and
 * what the calls of the verbs cost it.
 *
 * Aggregated to the node. Work starts when the thread is through with what it had, and a core is
 * free; of several free cores the one that became free last takes it.
 */
class HostCpu : public Object
{
  public:
    static TypeId GetTypeId();

    /// Gives \p thread work of \p cost, not before now. \return when it is done
    Time Run(HostThread& thread, Time cost);
    /// As above, not before \p earliest.
    Time Run(HostThread& thread, Time earliest, Time cost);
    /// As above, for work that was there to be done since \p since, which may be past: it takes the
    /// time that thread and core have had nothing to do since then. \return when it is, or was,
    /// done
    Time Settle(HostThread& thread, Time since, Time cost);

    /// \return when work of \p thread could start, given now.
    [[nodiscard]] Time GetAvailable(const HostThread& thread) const;

    /// \return of a call that posts \p requests, \p inlineOctets of data in them.
    [[nodiscard]] Time GetPostCost(uint32_t requests, uint64_t inlineOctets) const
    {
        return m_postCost + m_postPerRequest * int64_t{requests} + GetCopyTime(inlineOctets);
    }

    /// \return of a completion polled.
    [[nodiscard]] Time GetPollCost() const
    {
        return m_pollCost;
    }

    /// \return of an interrupt taken.
    [[nodiscard]] Time GetInterruptCost() const
    {
        return m_interruptCost;
    }

    /// \return to make a sleeping thread run.
    [[nodiscard]] Time GetWakeUp() const
    {
        return m_wakeUp;
    }

    /// \return to copy \p octets.
    [[nodiscard]] Time GetCopyTime(uint64_t octets) const;

    [[nodiscard]] uint32_t GetCores() const
    {
        return m_cores.size();
    }

    /// \return time all cores have worked, or are to work.
    [[nodiscard]] Time GetUsed() const
    {
        return m_used;
    }

    /// Signature of the Work trace source.
    using WorkTracedCallback = void (*)(Time start, Time end);

  private:
    void SetCores(uint32_t cores)
    {
        m_cores.assign(cores, Time(0));
    }

    Time Occupy(HostThread& thread, Time ready, Time cost);

    Time m_postCost;
    Time m_postPerRequest;
    Time m_pollCost;
    Time m_interruptCost;
    Time m_wakeUp;
    DataRate m_copyRate;
    std::vector<Time> m_cores; ///< When each is free.
    Time m_used;
    TracedCallback<Time, Time> m_workTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_CPU_H
