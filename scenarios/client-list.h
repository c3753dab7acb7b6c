/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_CLIENT_LIST_H
#define NFSRDMA_SCENARIOS_CLIENT_LIST_H

#include "scenario-config.h"

#include <cstdint>
#include <set>
#include <string>

namespace ns3::nfsrdma
{

/// \return the clients that run the workload of a section ("workload", "workload NAME"): what its
/// key clients says, all or numbers and ranges "0-3,7". Throws ScenarioError: no such list, a
/// client twice, a client that the cluster has not.
std::set<uint32_t> ResolveClients(const ScenarioConfig& config, const std::string& section);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_CLIENT_LIST_H
