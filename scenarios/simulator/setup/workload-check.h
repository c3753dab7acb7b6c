/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_WORKLOAD_CHECK_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_WORKLOAD_CHECK_H

#include "scenarios/simulator/config/scenario-config.h"
#include "scenarios/simulator/setup/attribute-text.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Throws ScenarioError when the keys of [workload] or a [workload NAME] do not fit the workload
/// they are for, or the workloads do not fit together.
void CheckWorkload(const ScenarioConfig& config);

/// \return the attributes of its kind's class that keys of \p section ("workload", "workload NAME")
/// stand for.
std::vector<AttributeText> ListWorkloadAttributes(const ScenarioConfig& config,
                                                  const std::string& section);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_WORKLOAD_CHECK_H
