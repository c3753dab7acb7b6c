/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_RUN_CLUSTER_RECORDINGS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_RUN_CLUSTER_RECORDINGS_H

#include "helper/cluster.h"
#include "scenarios/simulator/setup/cluster-plan.h"
#include "workload/replay/server-restarts.h"

#include <cstdint>
#include <string>

namespace ns3::nfsrdma
{

/// The recordings that the clients of a cluster replay, and what they ask of the cluster.
class ClusterRecordings
{
  public:
    /// \param plan outlives this
    explicit ClusterRecordings(const ClusterPlan& plan);

    /// \return the name of a client's export: of the first that is recorded, for others made of it.
    [[nodiscard]] std::string GetExportName(uint32_t client) const;
    /// Tells workloads the handles of objects that may be used without having been looked up, and
    /// has done again what was done at the recorded server's own host: files changed, nfsd
    /// restarted.
    void Prepare(const Cluster& cluster) const;

  private:
    static void AddLocalChanges(const Cluster& cluster,
                                uint32_t client,
                                const WorkloadPlan& replay);
    void AddRestarts(const Cluster& cluster, uint32_t client, const Trace& trace) const;
    /// \return those of \p server, made when there were none.
    [[nodiscard]] Ptr<ServerRestarts> GetRestarts(const NfsRdmaServer& server) const;

    const ClusterPlan& m_plan;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_RUN_CLUSTER_RECORDINGS_H
