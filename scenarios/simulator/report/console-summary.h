/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_CONSOLE_SUMMARY_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_CONSOLE_SUMMARY_H

#include "scenarios/simulator/report/run-documents.h"
#include "scenarios/simulator/report/run-report.h"
#include "scenarios/simulator/setup/cluster-plan.h"

#include <ostream>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Prints what a run gave, for a reader who sees it for the first time.
void PrintRunSummary(std::ostream& stream,
                     const ScenarioIdentity& identity,
                     const ClusterPlan& plan,
                     const RunReport& report);

/// A line for each place where octets are missing or came from nowhere: an error of the model.
void PrintNotConserved(std::ostream& stream, const RunReport& report);

/// Prints what a stalled run waits for.
void PrintStall(std::ostream& stream, const RunReport& report);

/// Prints where the results are.
void PrintOutputs(std::ostream& stream,
                  const std::string& directory,
                  const std::vector<std::string>& names);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_CONSOLE_SUMMARY_H
