/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_CLIENT_LIST_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_CLIENT_LIST_H

#include "scenarios/simulator/config/scenario-config.h"

#include <cstdint>
#include <set>
#include <string>

namespace ns3::nfsrdma
{

/// \return the clients that run the workload of a section ("workload", "workload NAME"): what its
/// key clients says: all; numbers and ranges "0-3,7"; or, of the clients that no section above has,
/// the lowest numbers first: "25%" of all clients, "next 4", or the "rest". Throws ScenarioError:
/// no such form, a client twice, a client that the cluster has not, more than are left.
std::set<uint32_t> ResolveClients(const ScenarioConfig& config, const std::string& section);

/// \return the clients that cluster.tcp_clients has mount over TCP. Throws as ResolveClients(), and
/// when all are, or none could be over RDMA.
std::set<uint32_t> ResolveTcpClients(const ScenarioConfig& config);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_CLIENT_LIST_H
