/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CPU_WATCH_H
#define NFSRDMA_HELPER_CPU_WATCH_H

#include "host/cpu.h"

#include "ns3/nstime.h"

#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief How busy the processors of some hosts are over a span of time.
 */
class CpuWatch
{
  public:
    /// Begins at once.
    explicit CpuWatch(std::vector<Ptr<HostCpu>> processors);

    /// Begins anew.
    void Restart();
    /// Ends here.
    void Stop();
    /// \return the share of the time of all its cores that processor \p index has worked from the
    /// beginning to the end, or until now: 0 to 1.
    [[nodiscard]] double GetBusyShare(std::size_t index) const;
    /// \return the time that all cores of processor \p index have worked in that span, together.
    [[nodiscard]] Time GetCoreTime(std::size_t index) const;

  private:
    std::vector<Ptr<HostCpu>> m_processors;
    std::vector<Time> m_usedBefore;
    Time m_began;
    std::optional<Time> m_ended;
    std::vector<Time> m_usedAfter; ///< When it has ended.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CPU_WATCH_H
