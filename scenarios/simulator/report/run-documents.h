/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_RUN_DOCUMENTS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_RUN_DOCUMENTS_H

#include "helper/plugin.h"
#include "scenarios/simulator/config/scenario-config.h"
#include "scenarios/simulator/config/sweep-plan.h"
#include "scenarios/simulator/report/run-report.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Which scenario a document is about.
struct ScenarioIdentity
{
    std::string name;    ///< File name without directory and extension.
    std::string file;    ///< File name without directory.
    std::string command; ///< CommandLineRequest::GetCommand().
    std::vector<Plugin> plugins;
};

/**
 * \brief manifest.json: what was run, so that it can be run again.
 * \param plan given for a sweep as a whole, null for a single run
 */
nlohmann::ordered_json MakeManifest(const ScenarioIdentity& identity,
                                    const ScenarioConfig& config,
                                    const SweepPlan* plan,
                                    const std::map<std::string, uint64_t>& unsupported,
                                    const std::string& digest,
                                    const std::vector<std::string>& outputs);

/// summary.json of a run. Times are in microseconds (…_us) or seconds (…_s) of simulated time.
nlohmann::ordered_json MakeSummary(const ScenarioIdentity& identity, const RunReport& report);

/// \return a JSON document as it is written to a file.
std::string ToFileText(const nlohmann::ordered_json& document);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_RUN_DOCUMENTS_H
