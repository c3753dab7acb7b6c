/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SWEEP_TABLE_H
#define NFSRDMA_SCENARIOS_SWEEP_TABLE_H

#include "scenario-config.h"
#include "sweep-plan.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// One finished run of a sweep.
struct SweepResult
{
    const SweepRun* run{nullptr};
    std::vector<ScenarioValue> values; ///< Of the swept keys, in the plan's order.
    nlohmann::ordered_json summary;    ///< summary.json of the run.
};

/// \return sweep.csv: a header row, then a row for each run in the plan's order. Swept values are
/// in base units (octets, bit/s, seconds).
std::string MakeSweepCsv(const std::vector<std::string>& keys,
                         const std::vector<SweepResult>& results);

/// \return workloads.csv of a sweep: that of each run with its point and seed before; empty when no
/// workload measures.
std::string MakeSweepWorkloadsCsv(const std::vector<SweepResult>& results);

/// \return a table for the terminal: for each point the means over its seeds.
std::string MakeSweepSummary(const std::vector<std::string>& keys,
                             const std::vector<SweepResult>& results);

/// \return the digest over the digests of all runs, in the plan's order.
std::string DigestResults(const std::vector<SweepResult>& results);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SWEEP_TABLE_H
