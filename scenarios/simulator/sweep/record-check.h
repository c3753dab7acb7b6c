/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_RECORD_CHECK_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_RECORD_CHECK_H

#include <nlohmann/json.hpp>
#include <string>

namespace ns3::nfsrdma
{

/// Throws the ScenarioError that says where \p document, which \p file holds, is not the record of
/// a sweep in \p format.
void CheckSweepRecord(const std::string& file,
                      const std::string& format,
                      const nlohmann::ordered_json& document);

/// Throws the ScenarioError that says where \p summary, which \p file holds, is not summary.json of
/// a run as the tables of a sweep need it.
void CheckRunSummary(const std::string& file, const nlohmann::ordered_json& summary);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_RECORD_CHECK_H
