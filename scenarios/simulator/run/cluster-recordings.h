/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_RUN_CLUSTER_RECORDINGS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_RUN_CLUSTER_RECORDINGS_H

#include "helper/cluster.h"
#include "scenarios/simulator/config/scenario-config.h"
#include "scenarios/simulator/setup/workload-input.h"
#include "workload/replay/server-restarts.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A section's workload and the clients that have it.
struct Population
{
    std::string section;
    std::set<uint32_t> clients;
};

/// \return those of \p config.
[[nodiscard]] std::vector<Population> ListPopulations(const ScenarioConfig& config);

/// The recordings that the clients of a cluster replay, and what they ask of the cluster.
class ClusterRecordings
{
  public:
    /// All outlive this.
    ClusterRecordings(const ScenarioConfig& config,
                      const WorkloadInput& input,
                      const std::vector<Population>& populations);

    /// \return the version of NFS that a recording is of, unless the user said otherwise.
    [[nodiscard]] std::string ResolveNfsVersion() const;
    /// \return the recording that a client replays, or null.
    [[nodiscard]] const Recording* Find(uint32_t client) const;
    /// \return the name of a client's export: of the first that is recorded, for others made of it.
    [[nodiscard]] std::string GetExportName(uint32_t client) const;
    /// Tells workloads the handles of objects that may be used without having been looked up, and
    /// has done again what was done at the recorded server's own host: files changed, nfsd
    /// restarted.
    void Prepare(const Cluster& cluster) const;

  private:
    [[nodiscard]] std::string FindSection(uint32_t client) const;
    void AddLocalChanges(const Cluster& cluster, uint32_t client) const;
    void AddRestarts(const Cluster& cluster, uint32_t client) const;
    /// \return those of \p server, made when there were none.
    [[nodiscard]] Ptr<ServerRestarts> GetRestarts(const NfsRdmaServer& server) const;

    const ScenarioConfig& m_config;
    const WorkloadInput& m_input;
    const std::vector<Population>& m_populations;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_RUN_CLUSTER_RECORDINGS_H
