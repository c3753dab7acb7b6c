/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_RPCRDMA_CHECK_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_RPCRDMA_CHECK_H

#include "scenarios/simulator/setup/host-settings.h"

#include <vector>

namespace ns3::nfsrdma
{

/// Looks for values of [rpcrdma] and [rpcrdma NAME] that contradict each other, the RNICs or NFS,
/// and for keys of [rpcrdma NAME] that none of its hosts has: client_... without a client,
/// server_... without a server. Throws the ScenarioError that names one of them.
void CheckRpcRdma(const ScenarioConfig& config, const std::vector<HostSettings>& hosts);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_RPCRDMA_CHECK_H
