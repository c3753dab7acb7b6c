/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_RUN_CLUSTER_FROM_CONFIG_H
#define NFSRDMA_SCENARIOS_SIMULATOR_RUN_CLUSTER_FROM_CONFIG_H

#include "helper/cluster-helper.h"
#include "scenarios/simulator/config/scenario-config.h"
#include "scenarios/simulator/setup/workload-input.h"

#include <memory>

namespace ns3::nfsrdma
{

/// Binds the simulator's global values (scheduler, checksums, seed) as \p config says. To be called
/// before any object of the simulation is made.
void ConfigureSimulator(const ScenarioConfig& config);

/// Builds the cluster that \p config describes.
std::unique_ptr<Cluster> BuildCluster(const ScenarioConfig& config, const WorkloadInput& input);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_RUN_CLUSTER_FROM_CONFIG_H
