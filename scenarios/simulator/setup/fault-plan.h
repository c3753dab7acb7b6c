/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_FAULT_PLAN_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_FAULT_PLAN_H

#include "fault/scene.h"
#include "scenarios/simulator/config/scenario-config.h"
#include "scenarios/simulator/setup/host-settings.h"

#include <vector>

namespace ns3::nfsrdma
{

/// \return what the cluster of \p config has that faults can be about.
[[nodiscard]] FaultScene GetFaultScene(const ScenarioConfig& config,
                                       const std::vector<HostSettings>& settings);

/// \return the faults of section [faults], in the order of the file. Throws ScenarioError for a
/// line that cannot be read, or makes no sense in \p scene.
[[nodiscard]] std::vector<FaultSpec> ResolveFaults(const ScenarioConfig& config,
                                                   const FaultScene& scene);

/// Throws the ScenarioError that says what is wrong with fault \p name.
[[noreturn]] void RefuseFault(const ScenarioConfig& config,
                              const std::string& name,
                              const FaultError& error);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_FAULT_PLAN_H
