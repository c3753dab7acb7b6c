/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_HOST_SETTINGS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_HOST_SETTINGS_H

#include "helper/topology/topology-shapes.h"
#include "scenarios/simulator/config/scenario-config.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// The sections that speak of a host: [link], or the [link NAME] that names it, and so on.
struct HostSettings
{
    std::string kernelSection{"kernel"};
    std::string linkSection{"link"};
    std::string rnicSection{"rnic"};
    std::string hostSection{"host"};
    std::string rpcrdmaSection{"rpcrdma"};
    /// What [link NAME] says; otherwise link.rate, at most the port's of [rnic NAME].
    DataRate linkRate;
    DataRate portRate;
    uint16_t mtu{0};   ///< Octets.
    uint32_t ports{1}; ///< Of its RNIC.
};

/// \return the cluster's hosts.
ClusterHosts GetClusterHosts(const ScenarioConfig& config);

/// \return the hosts that key hosts of \p section names, ascending, servers first: a list of
/// clients, servers, all, client-2 and client-0..3. Throws ScenarioError: no such list, a host
/// twice, one that the cluster has not.
std::vector<uint32_t> ResolveHosts(const ScenarioConfig& config, const std::string& section);

/// \return the settings of every host. Throws ScenarioError as ResolveHosts(), and when two
/// sections [link NAME], or rnic, host, rpcrdma or kernel, name the same one, or [kernel NAME]
/// names a server.
std::vector<HostSettings> ResolveHostSettings(const ScenarioConfig& config);

/// \return connections of \p host: a client's to its server, a server's with the clients that mount
/// it; \p settings are those of every host.
uint64_t CountConnections(const ScenarioConfig& config,
                          const std::vector<HostSettings>& settings,
                          std::size_t host);
/// \return the same of the one of its servers that has most.
[[nodiscard]] uint64_t CountServerConnections(const ScenarioConfig& config,
                                              const std::vector<HostSettings>& settings,
                                              std::size_t host);

/// \return what [link NAME] says of the link of \p host, and its rate when its port is slower.
LinkTraits MakeHostLink(const ScenarioConfig& config, const HostSettings& host);

/// \return the largest MTU of \p hosts, octets.
uint16_t GetLargestMtu(const std::vector<HostSettings>& hosts);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_HOST_SETTINGS_H
