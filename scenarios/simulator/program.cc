/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/program.h"

#include "helper/version.h"
#include "scenarios/simulator/check-capture.h"
#include "scenarios/simulator/config/command-line.h"
#include "scenarios/simulator/config/key-use.h"
#include "scenarios/simulator/explore/command.h"
#include "scenarios/simulator/report/console-summary.h"
#include "scenarios/simulator/report/output-directory.h"
#include "scenarios/simulator/report/run-documents.h"
#include "scenarios/simulator/setup/scenario-check.h"
#include "scenarios/simulator/sweep/command.h"
#include "scenarios/simulator/sweep/loaded-scenario.h"
#include "scenarios/simulator/sweep/point-run.h"
#include "scenarios/simulator/sweep/record.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// \return whether swept \p key does something in a run of \p scenario.
bool
IsUsed(const LoadedScenario& scenario, const std::string& key)
{
    const auto& runs = scenario.GetPlan().GetRuns();
    return std::any_of(runs.begin(), runs.end(), [&](const SweepRun& run) {
        const auto config = scenario.Resolve(run.entries);
        const auto index = config.GetSchema().Find(key);
        return !index || KeyUse(config, scenario.GetNfsVersion(config))
                             .IsUsed(key.substr(0, key.rfind('.')), *index);
    });
}

int
PrintConfig(const CommandLineRequest& request)
{
    const LoadedScenario scenario(request);
    const auto config = scenario.Resolve(scenario.GetPlan().GetBaseEntries());
    std::cout << config.ToIni(scenario.GetPath(),
                              scenario.GetPlan().GetListsAsIni([&scenario](const std::string& key) {
                                  return IsUsed(scenario, key);
                              }),
                              scenario.GetNfsVersion(config));
    return 0;
}

RunStatus
RunOnce(const LoadedScenario& scenario, const CommandLineRequest& request, const std::string& out)
{
    for (const auto* name : {SweepRecord::UNFINISHED, SweepRecord::SHARD})
    {
        if (std::filesystem::exists(out + "/" + name))
        {
            throw ScenarioError("--out",
                                "",
                                Quote(out + "/" + name),
                                "no unfinished results there");
        }
    }
    if (const auto other = OutputDirectory::FindOther(out);
        request.checkpointInterval.IsStrictlyPositive() && !other.empty())
    {
        throw ScenarioError("--checkpoint-interval",
                            "",
                            Quote(out + "/" + other),
                            "nothing but results of a run in --out, which partial results replace");
    }
    if (request.checkpointInterval.IsStrictlyPositive() && !OutputDirectory::CanBeReplaced(out))
    {
        throw ScenarioError("--checkpoint-interval",
                            "",
                            Quote(out),
                            "neither the working directory nor a mount point in --out: partial "
                            "results replace the directory");
    }
    const auto config = scenario.Resolve(scenario.GetPlan().GetRuns().front().entries);
    const auto plan = scenario.MakePlan(config);
    std::cout << plan.path.Describe() << std::flush;
    RunDetail detail;
    detail.progressInterval = request.progressInterval;
    detail.checkpointInterval = request.checkpointInterval;
    const auto finished = CarryOut(scenario.GetIdentity(), config, plan, out, detail);
    PrintRunSummary(std::cout, scenario.GetIdentity(), plan, finished.report);
    PrintOutputs(std::cout, out, finished.outputs);
    PrintNotConserved(std::cerr, finished.report);
    if (finished.report.status == RunStatus::STALLED)
    {
        std::cout.flush();
        PrintStall(std::cerr, finished.report);
    }
    return finished.report.status;
}

/// The directory of the results; one that was not there before goes again if it stays empty.
class ResultsDirectory
{
  public:
    /// Makes it, or throws ScenarioError.
    explicit ResultsDirectory(std::string path)
        : m_path(std::move(path)),
          m_isNew(!std::filesystem::exists(m_path))
    {
        CheckWritable(m_path, "--out");
        std::error_code error;
        std::filesystem::create_directories(m_path, error);
        if (error)
        {
            throw ScenarioError("--out",
                                "",
                                Quote(m_path),
                                "a directory that can be made (" + error.message() + ")");
        }
    }

    ~ResultsDirectory()
    {
        std::error_code notEmpty;
        if (m_isNew)
        {
            std::filesystem::remove(m_path, notEmpty);
        }
    }

    ResultsDirectory(const ResultsDirectory&) = delete;
    ResultsDirectory& operator=(const ResultsDirectory&) = delete;

    [[nodiscard]] const std::string& GetPath() const
    {
        return m_path;
    }

  private:
    std::string m_path;
    bool m_isNew;
};

std::string
GetDirectory(const CommandLineRequest& request, const std::string& name)
{
    if (!request.out.empty())
    {
        return request.out;
    }
    const auto& shard = request.shard;
    return "results/" + name +
           (shard.IsWhole()
                ? std::string()
                : "-shard-" + std::to_string(shard.index) + "-of-" + std::to_string(shard.count));
}

/// Throws ScenarioError for a shard of a scenario that is no sweep.
void
RequireSweep(const LoadedScenario& scenario, const SweepShard& shard)
{
    if (!scenario.GetPlan().IsSweep())
    {
        throw ScenarioError("--shard", "", shard.ToText(), "a scenario with section [sweep]");
    }
}

int
PrintStatus(const CommandLineRequest& request)
{
    if (request.shard.IsWhole())
    {
        throw ScenarioError("--status", "", request.shard.ToText(), "a --shard I/N, N at least 2");
    }
    const LoadedScenario scenario(request);
    RequireSweep(scenario, request.shard);
    const auto out = GetDirectory(request, scenario.GetIdentity().name);
    std::cout << ToFileText(DescribeShard(scenario, request.shard, out, request.fresh));
    return 0;
}

int
Run(const CommandLineRequest& request)
{
    const LoadedScenario scenario(request);
    const bool isSweep = scenario.GetPlan().IsSweep();
    if (!request.shard.IsWhole())
    {
        RequireSweep(scenario, request.shard);
    }
    if (isSweep && request.checkpointInterval.IsStrictlyPositive())
    {
        throw ScenarioError(
            "--checkpoint-interval",
            "",
            scenario.GetIdentity().name,
            "a scenario without section [sweep]: a sweep keeps the runs that have ended");
    }
    const ResultsDirectory directory(GetDirectory(request, scenario.GetIdentity().name));
    const auto& out = directory.GetPath();
    return static_cast<int>(isSweep ? RunSweep(scenario, request, out)
                                    : RunOnce(scenario, request, out));
}

int
ExploreOrders(const CommandLineRequest& request)
{
    const LoadedScenario scenario(request);
    CheckExplorable(scenario);
    const ResultsDirectory directory(
        GetDirectory(request, "explore-" + scenario.GetIdentity().name));
    return static_cast<int>(Explore(scenario, request.jobs, directory.GetPath()));
}

int
Merge(const CommandLineRequest& request)
{
    const auto out = GetDirectory(request, GetSweepName(request.shards.front()));
    CheckWritable(out, "--out");
    return static_cast<int>(MergeShards(request.shards, out));
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
        std::cout << LoadedScenario::LoadSchema(request).DescribeKeys();
        return 0;
    case CommandLineRequest::Action::CHECK_CAPTURE:
        return static_cast<int>(CheckCaptures(request.captures, std::cout, std::cerr));
    case CommandLineRequest::Action::MERGE:
        return Merge(request);
    case CommandLineRequest::Action::EXPLORE:
        return ExploreOrders(request);
    case CommandLineRequest::Action::PRINT_CONFIG:
        return PrintConfig(request);
    case CommandLineRequest::Action::PRINT_STATUS:
        return PrintStatus(request);
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
