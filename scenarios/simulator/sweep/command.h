/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_COMMAND_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_COMMAND_H

#include "scenarios/simulator/config/command-line.h"
#include "scenarios/simulator/report/run-report.h"
#include "scenarios/simulator/sweep/loaded-scenario.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Carries a sweep out, or its shard, and writes its tables; prints a summary.
 *
 * A sweep that was interrupted goes on: runs whose results are complete are not done again, and
 * the files are those of a sweep that was not interrupted. Runs that fail do not stop the others.
 * \param out the directory, which is there
 * \return the worst status of a run
 * Throws ScenarioError when \p out has unfinished results of another sweep, or is in use.
 */
RunStatus RunSweep(const LoadedScenario& scenario,
                   const CommandLineRequest& request,
                   const std::string& out);

/**
 * \brief Says how far a shard has come; changes nothing.
 * \param out the directory of its results, which need not be there
 * \param fresh what is there does not count
 * \return scenario; sweep_runs, the runs of all shards; runs, those of this shard; done, those of
 * them with complete results; failed, those that ended without, each with run and reason
 * Throws ScenarioError when \p out has results of another sweep, another shard or another build.
 */
nlohmann::ordered_json DescribeShard(const LoadedScenario& scenario,
                                     const SweepShard& shard,
                                     const std::string& out,
                                     bool fresh);

/**
 * \brief Puts the results of all shards of a sweep together in \p out: its files are those of the
 * sweep that was not divided.
 * \return the worst status of a run
 * Throws ScenarioError when the shards are not those of one sweep, each once and finished.
 */
RunStatus MergeShards(const std::vector<std::string>& shards, const std::string& out);

/// \return the name of the sweep that \p shard is of. Throws ScenarioError.
std::string GetSweepName(const std::string& shard);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_COMMAND_H
