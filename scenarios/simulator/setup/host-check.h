/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_HOST_CHECK_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_HOST_CHECK_H

#include "scenarios/simulator/config/scenario-config.h"
#include "scenarios/simulator/setup/host-settings.h"

#include <vector>

namespace ns3::nfsrdma
{

/// Throws ScenarioError for sockets without a core, and for servers with fewer threads than pools
/// of them: a pool without a thread would never serve its connections.
void CheckHosts(const ScenarioConfig& config, const std::vector<HostSettings>& hosts);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_HOST_CHECK_H
