/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_TOPOLOGY_FROM_CONFIG_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_TOPOLOGY_FROM_CONFIG_H

#include "helper/topology/topology.h"
#include "scenarios/simulator/config/scenario-config.h"

namespace ns3::nfsrdma
{

/// Throws ScenarioError for keys of [topology] and of switches' queues that do not fit together.
void CheckTopology(const ScenarioConfig& config);

/// \return who is connected to whom, as [topology] says. Throws ScenarioError for a file that is
/// wrong. \param path where the file is looked for
Topology MakeTopology(const ScenarioConfig& config, const ScenarioPath& path);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_TOPOLOGY_FROM_CONFIG_H
