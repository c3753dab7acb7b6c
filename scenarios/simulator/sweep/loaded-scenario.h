/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_LOADED_SCENARIO_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_LOADED_SCENARIO_H

#include "scenarios/simulator/config/command-line.h"
#include "scenarios/simulator/config/key-use.h"
#include "scenarios/simulator/config/scenario-config.h"
#include "scenarios/simulator/config/sweep-plan.h"
#include "scenarios/simulator/report/run-documents.h"
#include "scenarios/simulator/setup/cluster-plan.h"
#include "scenarios/simulator/setup/workload-input.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A scenario as the user gave it, with what it names; every run of it can be made.
class LoadedScenario
{
  public:
    /// Reads the file and the options of \p request. Throws ScenarioError.
    explicit LoadedScenario(const CommandLineRequest& request);

    /// \return every key that what \p request names may have: those of its plugins, too.
    [[nodiscard]] static ScenarioSchema LoadSchema(const CommandLineRequest& request);

    [[nodiscard]] const ScenarioIdentity& GetIdentity() const;
    [[nodiscard]] const ScenarioPath& GetPath() const;
    [[nodiscard]] const SweepPlan& GetPlan() const;
    [[nodiscard]] ScenarioConfig Resolve(const std::vector<ScenarioEntry>& entries) const;
    [[nodiscard]] ClusterPlan MakePlan(const ScenarioConfig& config) const;
    /// \return what clients speak in \p config: the version of a recording, if one is replayed.
    [[nodiscard]] std::string GetNfsVersion(const ScenarioConfig& config) const;

  private:
    /// Reads the file of \p request, if it has one, for identity and path. \return its entries.
    std::vector<ScenarioEntry> ReadFile(const CommandLineRequest& request);

    LoadedScenario();

    /// \return what names files in \p config.
    static std::string GetInputKey(const ScenarioConfig& config);
    /// Throws ScenarioError unless every run can be made, and every key is used in one.
    /// \param ofFile what the file says, if the command line says more; else empty
    void CheckRuns(const std::vector<ScenarioEntry>& ofFile);
    /// Has \p unused look at the runs of the file alone; what is wrong with it then does not
    /// matter.
    void AddFile(const std::vector<ScenarioEntry>& ofFile, UnusedKeys& unused) const;

    ScenarioIdentity m_identity;
    ScenarioPath m_path;
    ScenarioSchema m_schema; ///< With the keys of plugins.
    std::unique_ptr<SweepPlan> m_plan;
    std::map<std::string, WorkloadInput> m_inputs; ///< By GetInputKey().
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_LOADED_SCENARIO_H
