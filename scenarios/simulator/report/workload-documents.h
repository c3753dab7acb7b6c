/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_WORKLOAD_DOCUMENTS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_WORKLOAD_DOCUMENTS_H

#include "scenarios/simulator/report/run-report.h"

#include <nlohmann/json.hpp>
#include <string>

namespace ns3::nfsrdma
{

/// \return "workloads" of summary.json: for each workload that measures, its items over all its
/// clients, and those of each client.
nlohmann::ordered_json DescribeWorkloads(const RunReport& report);

/// \return the first line of workloads.csv, without what comes before in a sweep.
std::string GetWorkloadsCsvHead();
/// \return its rows: for each workload and item one of all clients (client "all"), then one of
/// each. \param workloads as DescribeWorkloads() gave them \param prefix to begin each row with
std::string MakeWorkloadsCsv(const nlohmann::ordered_json& workloads, const std::string& prefix);

/// \return a table for the console; empty when no workload measures.
std::string MakeWorkloadsTable(const RunReport& report);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_WORKLOAD_DOCUMENTS_H
