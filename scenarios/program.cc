/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "program.h"

#include "check-capture.h"
#include "command-line.h"
#include "console-summary.h"
#include "output-directory.h"
#include "run-documents.h"
#include "scenario-check.h"
#include "scenario-run.h"
#include "sweep-plan.h"
#include "sweep-runner.h"
#include "sweep-table.h"
#include "workload-check.h"
#include "workload-documents.h"
#include "workload-input.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

namespace ns3::nfsrdma
{

namespace
{

/// A scenario as the user gave it, with what it names.
struct Scenario
{
    ScenarioSchema schema{ScenarioSchema::Standard()};
    ScenarioIdentity identity;
    ScenarioPath path;
    std::unique_ptr<SweepPlan> plan;
    std::map<std::string, WorkloadInput> inputs; ///< By what names files.

    ScenarioConfig Resolve(const std::vector<ScenarioEntry>& entries) const
    {
        return {schema, path, entries};
    }

    static std::string GetInputKey(const ScenarioConfig& config)
    {
        const auto& schema = config.GetSchema();
        std::string key;
        for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
        {
            const auto& name = schema.GetFullName(index);
            if (name.rfind("topology.", 0) == 0 || name == "cluster.clients" ||
                name == "cluster.servers")
            {
                key += config.Get(index).ToText() + "\n";
            }
        }
        for (const auto& section : config.GetWorkloadSections())
        {
            key += section + " " + config.Get(section + ".kind").AsText() + " " +
                   config.Get(section + ".trace").AsText() + "\n";
        }
        return key;
    }

    const WorkloadInput& GetInput(const ScenarioConfig& config) const
    {
        return inputs.at(GetInputKey(config));
    }
};

/// Throws ScenarioError unless every run of the scenario can be made.
void
CheckRuns(Scenario& scenario)
{
    const SweepRun* previous = nullptr;
    for (const auto& run : scenario.plan->GetRuns())
    {
        if (previous != nullptr && previous->point == run.point)
        {
            continue;
        }
        previous = &run;
        const auto config = scenario.Resolve(run.entries);
        CheckCombinations(config);
        CheckWorkload(config);
        const auto key = Scenario::GetInputKey(config);
        if (scenario.inputs.count(key) == 0)
        {
            scenario.inputs.emplace(key, WorkloadInput::Load(config, scenario.path));
        }
    }
}

Scenario
LoadScenario(const CommandLineRequest& request)
{
    Scenario scenario;
    std::vector<ScenarioEntry> entries;
    scenario.identity = {"default", ""};
    if (!request.file.empty())
    {
        const auto file = ScenarioFile::Load(request.file);
        entries = file.GetEntries();
        scenario.identity = {file.GetStem(),
                             std::filesystem::path(request.file).filename().string()};
        scenario.path.directories.push_back(file.GetDirectory());
    }
    scenario.path.directories.emplace_back(".");
    scenario.path.directories.emplace_back(NFSRDMA_SCENARIOS_DIR);
    entries.insert(entries.end(), request.overrides.begin(), request.overrides.end());
    scenario.plan = std::make_unique<SweepPlan>(scenario.schema, scenario.path, entries);
    CheckRuns(scenario);
    return scenario;
}

int
PrintConfig(const CommandLineRequest& request)
{
    const auto scenario = LoadScenario(request);
    std::cout << scenario.Resolve(scenario.plan->GetBaseEntries())
                     .ToIni(scenario.path, scenario.plan->GetListsAsIni());
    return 0;
}

int
RunOnce(const Scenario& scenario, const std::string& out)
{
    const auto& run = scenario.plan->GetRuns().front();
    const auto config = scenario.Resolve(run.entries);
    OutputDirectory directory(out);
    RunReport report;
    {
        ScenarioRun simulation(config, scenario.GetInput(config), directory, RunDetail{});
        report = simulation.Execute();
    }
    directory.Write("summary.json", ToFileText(MakeSummary(scenario.identity, report)));
    if (config.Get("output.ports").AsBoolean())
    {
        directory.Write("ports.csv", MakePortsCsv(report.ports));
    }
    if (!report.workloads.empty())
    {
        directory.Write("workloads.csv",
                        GetWorkloadsCsvHead() + MakeWorkloadsCsv(DescribeWorkloads(report), ""));
    }
    auto outputs = directory.GetNames();
    outputs.insert(outputs.begin(), "manifest.json");
    directory.Write("manifest.json",
                    ToFileText(MakeManifest(scenario.identity,
                                            config,
                                            nullptr,
                                            report.unsupported,
                                            report.digest,
                                            outputs)));
    directory.Commit();
    PrintRunSummary(std::cout, scenario.identity, config, report);
    PrintOutputs(std::cout, out, outputs);
    if (report.status == RunStatus::STALLED)
    {
        std::cout.flush();
        PrintStall(std::cerr, report);
    }
    return static_cast<int>(report.status);
}

std::string
GetPointDirectory(const std::string& out, const SweepRun& run)
{
    return out + "/points/" + run.GetName();
}

/// One run of a sweep, in its own process.
RunStatus
RunPoint(const Scenario& scenario, const std::string& out, const SweepRun& run)
{
    const auto config = scenario.Resolve(run.entries);
    OutputDirectory directory(GetPointDirectory(out, run));
    RunReport report;
    {
        ScenarioRun simulation(config,
                               scenario.GetInput(config),
                               directory,
                               RunDetail{false, false});
        report = simulation.Execute();
    }
    directory.Write("summary.json", ToFileText(MakeSummary(scenario.identity, report)));
    if (config.Get("output.ports").AsBoolean())
    {
        directory.Write("ports.csv", MakePortsCsv(report.ports));
    }
    if (!report.workloads.empty())
    {
        directory.Write("workloads.csv",
                        GetWorkloadsCsvHead() + MakeWorkloadsCsv(DescribeWorkloads(report), ""));
    }
    auto outputs = directory.GetNames();
    outputs.insert(outputs.begin(), "manifest.json");
    directory.Write("manifest.json",
                    ToFileText(MakeManifest(scenario.identity,
                                            config,
                                            nullptr,
                                            report.unsupported,
                                            report.digest,
                                            outputs)));
    directory.Commit();
    if (report.status == RunStatus::STALLED)
    {
        std::cerr << "run " << run.GetName() << " ";
        PrintStall(std::cerr, report);
    }
    return report.status;
}

std::vector<SweepResult>
GatherResults(const Scenario& scenario, const std::string& out)
{
    std::vector<SweepResult> results;
    for (const auto& run : scenario.plan->GetRuns())
    {
        std::ifstream stream(GetPointDirectory(out, run) + "/summary.json");
        if (!stream)
        {
            continue;
        }
        SweepResult result{&run, {}, nlohmann::ordered_json::parse(stream)};
        const auto config = scenario.Resolve(run.entries);
        for (const auto& key : scenario.plan->GetKeys())
        {
            result.values.push_back(config.Get(key));
        }
        results.push_back(std::move(result));
    }
    return results;
}

/// \return what the runs could not replay, summed.
std::map<std::string, uint64_t>
SumUnsupported(const std::vector<SweepResult>& results)
{
    std::map<std::string, uint64_t> unsupported;
    for (const auto& result : results)
    {
        for (const auto& [name, count] : result.summary["unsupported"].items())
        {
            unsupported[name] += count.get<uint64_t>();
        }
    }
    return unsupported;
}

int
RunSweep(const Scenario& scenario, const std::string& out, unsigned jobs)
{
    const auto& plan = *scenario.plan;
    OutputDirectory directory(out);
    for (const auto& run : plan.GetRuns())
    {
        std::filesystem::remove(GetPointDirectory(out, run) + "/summary.json");
    }
    SweepRunner runner(plan, jobs, [&](const SweepRun& run) {
        return RunPoint(scenario, out, run);
    });
    const auto statuses = runner.Execute();
    const auto worst = *std::max_element(statuses.begin(), statuses.end());

    const auto results = GatherResults(scenario, out);
    directory.Write("sweep.csv", MakeSweepCsv(plan.GetKeys(), results));
    if (const auto workloads = MakeSweepWorkloadsCsv(results); !workloads.empty())
    {
        directory.Write("workloads.csv", workloads);
    }
    const auto base = scenario.Resolve(plan.GetBaseEntries());
    const auto digest = DigestResults(results);
    directory.Write("manifest.json",
                    ToFileText(MakeManifest(scenario.identity,
                                            base,
                                            &plan,
                                            SumUnsupported(results),
                                            digest,
                                            {"manifest.json", "sweep.csv", "points"})));
    directory.Commit();

    std::cout << scenario.identity.name << ": " << plan.GetRuns().size() << " runs, "
              << plan.GetSeeds().size() << " seeds each; means over the seeds\n\n"
              << MakeSweepSummary(plan.GetKeys(), results);
    for (std::size_t i = 0; i < statuses.size(); ++i)
    {
        if (statuses[i] != RunStatus::OK)
        {
            std::cout << "run " << plan.GetRuns()[i].GetName() << " ended with status "
                      << static_cast<int>(statuses[i]) << "\n";
        }
    }
    std::cout << "digest          " << digest << "\n";
    PrintOutputs(std::cout, out, {"manifest.json", "sweep.csv", "points/"});
    return static_cast<int>(worst);
}

/// Makes the directory of the results, or throws ScenarioError.
void
MakeDirectory(const std::string& out)
{
    CheckWritable(out, "--out");
    std::error_code error;
    std::filesystem::create_directories(out, error);
    if (error)
    {
        throw ScenarioError("--out",
                            "",
                            Quote(out),
                            "a directory that can be made (" + error.message() + ")");
    }
}

int
Run(const CommandLineRequest& request)
{
    const auto scenario = LoadScenario(request);
    const auto out = request.out.empty() ? "results/" + scenario.identity.name : request.out;
    MakeDirectory(out);
    return scenario.plan->IsSweep() ? RunSweep(scenario, out, request.jobs)
                                    : RunOnce(scenario, out);
}

int
Dispatch(const CommandLineRequest& request)
{
    switch (request.action)
    {
    case CommandLineRequest::Action::HELP:
        std::cout << CommandLineRequest::GetHelp();
        return 0;
    case CommandLineRequest::Action::VERSION:
        std::cout << "nfsrdma-sim " << NFSRDMA_VERSION << " (ns-3 " << NFSRDMA_NS3_VERSION << ")\n";
        return 0;
    case CommandLineRequest::Action::LIST_KEYS:
        std::cout << ScenarioSchema::Standard().DescribeKeys();
        return 0;
    case CommandLineRequest::Action::CHECK_CAPTURE:
        return static_cast<int>(CheckCaptures(request.captures, std::cout, std::cerr));
    case CommandLineRequest::Action::PRINT_CONFIG:
        return PrintConfig(request);
    case CommandLineRequest::Action::RUN:
        break;
    }
    return Run(request);
}

} // namespace

int
RunProgram(const std::vector<std::string>& arguments)
{
    try
    {
        return Dispatch(CommandLineRequest::Parse(arguments));
    }
    catch (const ScenarioError& error)
    {
        std::cerr << error.what() << "\n";
        return static_cast<int>(RunStatus::USER);
    }
}

} // namespace ns3::nfsrdma
