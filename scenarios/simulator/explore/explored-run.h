/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_EXPLORE_EXPLORED_RUN_H
#define NFSRDMA_SCENARIOS_SIMULATOR_EXPLORE_EXPLORED_RUN_H

#include "helper/explore/exploration.h"
#include "scenarios/simulator/explore/forked-tasks.h"
#include "scenarios/simulator/setup/cluster-plan.h"

#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief Runs \p plan in \p order, says what came of it and ends the process: at the end, or as
 * soon as the run, its moves made, enters a state of \p known.
 * \param directory for what the run needs meanwhile; nothing stays there
 * \param longest events after which a run is taken for one that never ends; 0: none
 */
[[noreturn]] void RunExplored(const ClusterPlan& plan,
                              const EventOrder& order,
                              const Exploration::States& known,
                              uint64_t longest,
                              const std::string& directory,
                              TaskOutput& output);

/// \return what the process of RunExplored() has said.
[[nodiscard]] ExploredRun ReadExplored(const TaskResult& result);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_EXPLORE_EXPLORED_RUN_H
