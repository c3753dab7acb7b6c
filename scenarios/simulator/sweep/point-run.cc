/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/sweep/point-run.h"

#include "scenarios/simulator/report/console-summary.h"
#include "scenarios/simulator/report/histogram-documents.h"
#include "scenarios/simulator/report/measure-documents.h"
#include "scenarios/simulator/report/output-directory.h"
#include "scenarios/simulator/report/workload-documents.h"

#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace ns3::nfsrdma
{

namespace
{

/// Carries out a run. \return in the copies that write partial results, too
FinishedRun
CarryOutAll(const ScenarioIdentity& identity,
            const ScenarioConfig& config,
            const ClusterPlan& plan,
            const std::string& out,
            const RunDetail& detail)
{
    OutputDirectory directory(out,
                              detail.checkpointInterval.IsZero()
                                  ? OutputDirectory::Placement::WHOLE
                                  : OutputDirectory::Placement::REPLACE);
    FinishedRun finished;
    auto& report = finished.report;
    {
        const auto& order = plan.explore.order;
        const auto simulation =
            order.empty()
                ? std::make_unique<ScenarioRun>(plan, directory, detail)
                : std::make_unique<ScenarioRun>(plan, directory, detail, RunOrder{order, nullptr});
        report = simulation->Execute();
    }
    directory.Write("summary.json", ToFileText(MakeSummary(identity, report)));
    directory.Write(HISTOGRAMS_FILE, GetHistogramsHead() + MakeHistogramRows(report.latencies, ""));
    if (detail.tables)
    {
        directory.Write("latency-stack.csv", MakeStackCsv(report.stacks));
        directory.Write("utilisation.csv", MakeUtilisationCsv(report.utilisation));
        directory.Write("memory.csv", MakeMemoryCsv(report.memory));
        directory.Write("counters.csv", MakeCountersCsv(report.counters));
        if (!report.locks.empty())
        {
            directory.Write("lockstat.csv", MakeLockstatCsv(report.locks));
        }
    }
    if (plan.output.ports)
    {
        directory.Write("ports.csv", MakePortsCsv(report.ports));
    }
    if (!report.workloads.empty())
    {
        directory.Write("workloads.csv",
                        GetWorkloadsCsvHead() + MakeWorkloadsCsv(DescribeWorkloads(report), ""));
    }
    finished.outputs = directory.GetNames();
    finished.outputs.insert(finished.outputs.begin(), "manifest.json");
    auto manifest = MakeManifest(identity,
                                 config,
                                 nullptr,
                                 report.unsupported,
                                 report.digest,
                                 finished.outputs);
    if (report.isPartial)
    {
        manifest["partial"] = {{"simulated_s", report.simulated.GetSeconds()}};
    }
    directory.Write("manifest.json", ToFileText(manifest));
    directory.Commit();
    return finished;
}

} // namespace

FinishedRun
CarryOut(const ScenarioIdentity& identity,
         const ScenarioConfig& config,
         const ClusterPlan& plan,
         const std::string& out,
         const RunDetail& detail)
{
    const pid_t run = getpid();
    try
    {
        FinishedRun finished = CarryOutAll(identity, config, plan, out, detail);
        if (getpid() != run)
        {
            std::_Exit(EXIT_SUCCESS);
        }
        return finished;
    }
    catch (const std::exception& error)
    {
        if (getpid() != run)
        {
            std::cerr << error.what() << "\n";
            std::_Exit(EXIT_FAILURE);
        }
        throw;
    }
}

RunStatus
RunPoint(const LoadedScenario& scenario, const SweepRun& run, const std::string& out)
{
    const auto config = scenario.Resolve(run.entries);
    // A table for each run of a sweep is much, and wanted by who says so.
    RunDetail detail;
    detail.tables = false;
    detail.rpcs = config.GetOrigin("output.rpc_csv").source != ScenarioOrigin::DEFAULT;
    detail.progress = false;
    const auto report =
        CarryOut(scenario.GetIdentity(), config, scenario.MakePlan(config), out, detail).report;
    if (report.status == RunStatus::STALLED)
    {
        std::cerr << "run " << run.GetName() << " ";
        PrintStall(std::cerr, report);
    }
    PrintNotConserved(std::cerr, report);
    return report.status;
}

} // namespace ns3::nfsrdma
