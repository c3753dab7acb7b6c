/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_MEASURE_DOCUMENTS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_MEASURE_DOCUMENTS_H

#include "scenarios/simulator/report/run-report.h"

#include <nlohmann/json.hpp>
#include <string>

namespace ns3::nfsrdma
{

/// \return "latency_stack" of summary.json: RPCs, the mean time from arrival to completion, and of
/// each stage, in microseconds, for all and by operation and form.
[[nodiscard]] nlohmann::ordered_json DescribeStacks(const LatencyStacks& stacks);
/// \return latency-stack.csv: a row for each operation and form, sums in whole nanoseconds.
[[nodiscard]] std::string MakeStackCsv(const LatencyStacks& stacks);

/// \return "fairness" of summary.json.
[[nodiscard]] nlohmann::ordered_json DescribeFairness(const FairnessReport& fairness);

/// \return "utilisation" of summary.json: of each kind of resource the busiest one, and the mean.
[[nodiscard]] nlohmann::ordered_json DescribeUtilisation(const std::vector<Utilisation>& all);
/// \return utilisation.csv: a row for each resource.
[[nodiscard]] std::string MakeUtilisationCsv(const std::vector<Utilisation>& all);

/// \return "memory" of summary.json: by kind the sums over servers and over clients of the means,
/// and the largest peak.
[[nodiscard]] nlohmann::ordered_json DescribeMemory(const RunReport& report);
/// \return memory.csv: a row for each host and kind, and for what its connections hold of it.
[[nodiscard]] std::string MakeMemoryCsv(const std::vector<MemoryUse>& memory);
/// \return counters.csv: a row for each counter of each host.
[[nodiscard]] std::string MakeCountersCsv(const std::vector<HostCounter>& counters);
/// \return lockstat.csv: a row for each class of locks of each host.
[[nodiscard]] std::string MakeLockstatCsv(const std::vector<LockUse>& locks);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_MEASURE_DOCUMENTS_H
