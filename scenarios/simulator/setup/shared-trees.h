/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_SHARED_TREES_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_SHARED_TREES_H

#include "scenarios/simulator/config/scenario-config.h"

#include <cstdint>
#include <map>
#include <string>

namespace ns3::nfsrdma
{

/// \return of each client that works in one export with others, as the keys "exports" of its
/// workloads say, the name of that export; clients of one server with one name share it. "shared":
/// all such clients of a server; "shared by N": of those that say so, N by N in order. Throws
/// ScenarioError: no such form, a replay that shares, a client whose workloads differ.
std::map<uint32_t, std::string> ResolveSharedTrees(const ScenarioConfig& config);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_SHARED_TREES_H
