/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_NFS_CHECK_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_NFS_CHECK_H

#include "scenarios/simulator/config/scenario-config.h"

#include <string>

namespace ns3::nfsrdma
{

/// \return whether a workload of \p kind runs.
[[nodiscard]] bool HasWorkload(const ScenarioConfig& config, const std::string& kind);

/// \return whether hosts run lock managers: locks of NFSv2 or v3 are not all local.
[[nodiscard]] bool HasLockManagers(const ScenarioConfig& config);

/// For a run over NFSv2: throws ScenarioError for what that cannot do (RFC 1094): handles of more
/// than 32 octets, transfers of more than 8 KiB, files of more than 2^31 - 1 octets.
void CheckNfs2(const ScenarioConfig& config);

/// Throws ScenarioError for several servers on a host where that cannot be.
void CheckServersPerHost(const ScenarioConfig& config);

/// Throws ScenarioError for times of clients' caches of which the least is more than the most.
void CheckCaches(const ScenarioConfig& config);

/// Throws ScenarioError for locks and their ports that do not go together.
void CheckLocks(const ScenarioConfig& config);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_NFS_CHECK_H
