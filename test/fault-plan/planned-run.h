/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_FAULT_PLAN_PLANNED_RUN_H
#define NFSRDMA_TEST_FAULT_PLAN_PLANNED_RUN_H

#include "scenarios/simulator/report/run-report.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma::test
{

/// What is told of a run.
struct PlannedRun
{
    RunReport report;
    std::string faultsCsv;
};

/// Runs the scenario \p ini, in a simulator of its own.
PlannedRun RunPlanned(const std::string& ini);

/// \return a small cluster's scenario for a version of NFS, "3" or "4.1", with a section [faults]
/// of \p faults, which may be empty.
std::string MakeScenario(const std::string& version, const std::vector<std::string>& faults);

/// \return the fault \p name of the report.
const FaultOutcome& FindFault(const RunReport& report, const std::string& name);

} // namespace ns3::nfsrdma::test

#endif // NFSRDMA_TEST_FAULT_PLAN_PLANNED_RUN_H
