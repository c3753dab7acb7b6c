/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_RUN_PENDING_WORK_H
#define NFSRDMA_SCENARIOS_SIMULATOR_RUN_PENDING_WORK_H

#include "helper/cluster.h"
#include "scenarios/simulator/run/client-timers.h"
#include "scenarios/simulator/run/fault-run.h"
#include "scenarios/simulator/setup/cluster-plan.h"

#include <memory>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Finds what is pending in a run that may get an operation further which waits: timeouts of
 * calls and attempts to connect of clients, faults that begin or end and the grace periods after
 * them, requests under way in storage, workloads that are still to start, sections under a lock,
 * mounts.
 */
class PendingWork
{
  public:
    /// \param cluster outlives this
    /// \param faults null: none; outlives this
    PendingWork(const ClusterPlan& plan, const Cluster& cluster, const FaultRun* faults);

    [[nodiscard]] std::vector<PendingTimer> Find() const;
    /// \return octets that have been placed in memory of all hosts so far.
    [[nodiscard]] uint64_t CountOctets() const;

  private:
    void AddClient(std::vector<PendingTimer>& pending, uint32_t client) const;
    void AddServer(std::vector<PendingTimer>& pending, uint32_t server) const;
    void AddFaults(std::vector<PendingTimer>& pending) const;

    const Cluster& m_cluster;
    const FaultRun* m_faults;
    Time m_grace; ///< The longer one, of NFSv4 or of the lock manager.
    std::vector<std::unique_ptr<ClientTimers>> m_timers;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_RUN_PENDING_WORK_H
