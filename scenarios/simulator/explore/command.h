/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_EXPLORE_COMMAND_H
#define NFSRDMA_SCENARIOS_SIMULATOR_EXPLORE_COMMAND_H

#include "scenarios/simulator/report/run-report.h"
#include "scenarios/simulator/sweep/loaded-scenario.h"

#include <string>

namespace ns3::nfsrdma
{

/// Throws ScenarioError when the scenario is a sweep, or says an order.
void CheckExplorable(const LoadedScenario& scenario);

/**
 * \brief Tries the orders of events of a scenario that its section [explore] bounds, and prints
 * what was tried and what does not hold. In \p out are then explore.json, and for each thing that
 * does not hold a scenario that runs into it, violation-N.ini.
 * \param scenario has passed CheckExplorable()
 * \return FAILED when something does not hold
 */
RunStatus Explore(const LoadedScenario& scenario, unsigned jobs, const std::string& out);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_EXPLORE_COMMAND_H
