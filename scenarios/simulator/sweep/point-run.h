/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_POINT_RUN_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_POINT_RUN_H

#include "scenarios/simulator/report/run-report.h"
#include "scenarios/simulator/run/scenario-run.h"
#include "scenarios/simulator/sweep/loaded-scenario.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What one run gave, and the files that it wrote.
struct FinishedRun
{
    RunReport report;
    std::vector<std::string> outputs;
};

/// Carries out one run and writes its files to \p out, manifest.json last.
/// \param plan of \p config
FinishedRun CarryOut(const ScenarioIdentity& identity,
                     const ScenarioConfig& config,
                     const ClusterPlan& plan,
                     const std::string& out,
                     const RunDetail& detail);

/// One run of a sweep, in its own process.
RunStatus RunPoint(const LoadedScenario& scenario, const SweepRun& run, const std::string& out);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_POINT_RUN_H
