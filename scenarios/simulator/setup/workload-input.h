/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_WORKLOAD_INPUT_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_WORKLOAD_INPUT_H

#include "helper/topology/topology.h"
#include "scenarios/simulator/config/scenario-config.h"
#include "workload/replay/trace.h"
#include "workload/replay/tree-reader.h"

#include <map>
#include <memory>
#include <string>

namespace ns3::nfsrdma
{

/// A recording and the tree it begins with.
struct Recording
{
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const Tree> tree;
};

/// What a run reads from files: the recordings of workloads, and the topology.
struct WorkloadInput
{
    std::shared_ptr<const Topology> topology;
    std::map<std::string, Recording> recordings; ///< Of sections that replay one, by section.
    /// Of sections whose requests arrive as a file says, by section.
    std::map<std::string, std::shared_ptr<const std::vector<Time>>> arrivals;

    /// Reads what \p config asks for. Throws ScenarioError.
    static WorkloadInput Load(const ScenarioConfig& config, const ScenarioPath& path);

    /// \return the version of NFS that a recording is of, unless the user of \p config said
    /// otherwise.
    [[nodiscard]] std::string ResolveNfsVersion(const ScenarioConfig& config) const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_WORKLOAD_INPUT_H
