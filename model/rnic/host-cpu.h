/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_HOST_CPU_H
#define NFSRDMA_RNIC_HOST_CPU_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/simple-ref-count.h"

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
 * \brief The processor of a host: threads share its cores, in the order in which work is given.
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

    [[nodiscard]] uint32_t GetCores() const;
    /// \return time all cores have worked, or are to work.
    [[nodiscard]] Time GetUsed() const;

  private:
    void SetCores(uint32_t cores);

    std::vector<Time> m_cores; ///< When each is free.
    Time m_used;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_HOST_CPU_H
