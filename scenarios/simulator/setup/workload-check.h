/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_WORKLOAD_CHECK_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_WORKLOAD_CHECK_H

#include "scenarios/simulator/config/scenario-config.h"
#include "workload/life.h"

#include <string>

namespace ns3::nfsrdma
{

/// Throws ScenarioError when the keys of [workload] or a [workload NAME] do not fit the workload
/// they are for, or the workloads do not fit together.
void CheckWorkload(const ScenarioConfig& config);

/// Sets the attributes of \p workload that keys of \p section ("workload", "workload NAME") stand
/// for.
void ApplyWorkloadKeys(const ScenarioConfig& config,
                       const std::string& section,
                       const Ptr<Workload>& workload);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_WORKLOAD_CHECK_H
