/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_SCENARIO_CHECK_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_SCENARIO_CHECK_H

#include "helper/charts/message-selection.h"
#include "scenarios/simulator/config/scenario-config.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Throws ScenarioError for values that are right each for itself but impossible together.
void CheckCombinations(const ScenarioConfig& config);

/// \return the hosts output.pcap names, numbered servers first. Throws ScenarioError for a host
/// that the cluster does not have.
std::vector<uint32_t> ResolvePcapHosts(const ScenarioConfig& config);

/// \return the messages output.messages names. Throws ScenarioError for what MessageSelection does
/// not take.
MessageSelection ResolveMessages(const ScenarioConfig& config);

/// \return payload octets of a TCP segment that fills link.mtu.
uint64_t GetSegmentSize(const ScenarioConfig& config);

/// Throws ScenarioError when \p directory cannot be made or written to; makes nothing.
/// \param where the option or key that named it
void CheckWritable(const std::string& directory, const std::string& where);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_SCENARIO_CHECK_H
