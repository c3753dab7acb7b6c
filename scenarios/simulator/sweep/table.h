/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_TABLE_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_TABLE_H

#include "scenarios/simulator/sweep/record.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A number of sweep.csv: its column, and where summary.json has it.
struct SweepMeasure
{
    std::string name;
    nlohmann::ordered_json::json_pointer pointer;
    bool mayBeUntold{false}; ///< A run may have null, since nobody asked or nothing was found.

    /// \return the number that \p summary has, of true 1 and of false 0; none: it tells none.
    [[nodiscard]] std::optional<nlohmann::ordered_json> Find(
        const nlohmann::ordered_json& summary) const;
};

/// \return all in the order of the columns.
const std::vector<SweepMeasure>& GetSweepMeasures();

/// \return whether the run came to its end, so that its measures are those of the whole run.
bool HasEnded(const SweepResult& result);

/// \return the names of all faults that any of the runs planned, in the order of the first.
std::vector<std::string> ListFaults(const std::vector<SweepResult>& results);

/// \return how often fault \p name happened in the run; 0 when it was not planned.
uint64_t CountFirings(const SweepResult& result, const std::string& name);

/// \return a line for the terminal for each fault that some of the runs planned and never met, or
/// nothing.
std::string DescribeFaultsThatNeverHappened(const std::vector<SweepResult>& results);

/// \return a line for the terminal when runs looked for a steady state: in how many of them there
/// was none, and at which points.
std::string DescribeSteadyStates(const std::vector<SweepResult>& results);

/// \return sweep.csv: a header row, then a row for each run in the plan's order, with the exit
/// status of the run; firings_NAME says how often fault NAME happened. Where output.resources is
/// set, there is the memory of the servers' RPC-over-RDMA, and NAME_number and NAME_stay_us of each
/// resource: how many were in it at all hosts, and how long each was, with NAME_longest_stay_us.
/// Swept values are in base units (octets, bit/s, seconds). A run without results has empty fields.
std::string MakeSweepCsv(const std::vector<std::string>& keys,
                         const std::vector<SweepResult>& results);

/// \return workloads.csv of a sweep: that of each run with its point and seed before; empty when no
/// workload measures.
std::string MakeSweepWorkloadsCsv(const std::vector<SweepResult>& results);

/// \return a table for the terminal: for each point the means over its seeds; with columns for the
/// steady state, loss and congestion when any run has something to say of them.
std::string MakeSweepSummary(const std::vector<std::string>& keys,
                             const std::vector<SweepResult>& results);

/// \return the digest over the digests of all runs, in the plan's order.
std::string DigestResults(const std::vector<SweepResult>& results);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_TABLE_H
