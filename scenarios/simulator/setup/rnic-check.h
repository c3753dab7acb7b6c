/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_RNIC_CHECK_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_RNIC_CHECK_H

#include "scenarios/simulator/setup/host-settings.h"

#include <vector>

namespace ns3::nfsrdma
{

/// Looks for values of [rnic] that contradict each other, the link or the size of the cluster.
/// Throws the ScenarioError that names one of them.
void CheckRnic(const ScenarioConfig& config, const std::vector<HostSettings>& hosts);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_RNIC_CHECK_H
