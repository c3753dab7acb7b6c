/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_RUN_CLUSTER_FROM_PLAN_H
#define NFSRDMA_SCENARIOS_SIMULATOR_RUN_CLUSTER_FROM_PLAN_H

#include "helper/cluster-helper.h"
#include "scenarios/simulator/setup/cluster-plan.h"

#include <memory>

namespace ns3::nfsrdma
{

/// Binds the simulator's global values (scheduler, checksums, seed) as \p plan says. To be called
/// before any object of the simulation is made.
void ConfigureSimulator(const ClusterPlan& plan);

/// Builds the cluster that \p plan describes.
std::unique_ptr<Cluster> BuildCluster(const ClusterPlan& plan);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_RUN_CLUSTER_FROM_PLAN_H
