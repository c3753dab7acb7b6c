/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/sweep/command.h"

#include "scenarios/simulator/config/user-file.h"
#include "scenarios/simulator/report/console-summary.h"
#include "scenarios/simulator/report/histogram-documents.h"
#include "scenarios/simulator/report/output-directory.h"
#include "scenarios/simulator/sweep/adversaries.h"
#include "scenarios/simulator/sweep/directory-lock.h"
#include "scenarios/simulator/sweep/point-run.h"
#include "scenarios/simulator/sweep/record.h"
#include "scenarios/simulator/sweep/runner.h"
#include "scenarios/simulator/sweep/summary.h"
#include "scenarios/simulator/sweep/table.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>

namespace ns3::nfsrdma
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* BEGIN_ANEW = " (--fresh begins anew, --out puts results elsewhere)";

void
WriteFile(const std::string& directory, const std::string& name, const std::string& text)
{
    OutputDirectory output(directory, OutputDirectory::Placement::INTO);
    output.Write(name, text);
    output.Commit();
}

/// Throws ScenarioError when \p out has unfinished results, or those of a shard, of another sweep.
/// \return whether it has any of this one
bool
HasResultsOf(const SweepRecord& record, const std::string& out)
{
    for (const auto* name : {SweepRecord::UNFINISHED, SweepRecord::SHARD})
    {
        const auto file = out + "/" + name;
        if (!fs::exists(file))
        {
            continue;
        }
        const auto earlier = SweepRecord::Load(file);
        if (earlier.GetShard().ToText() != record.GetShard().ToText())
        {
            throw ScenarioError(file,
                                "shard",
                                record.GetShard().ToText(),
                                earlier.GetShard().ToText() + BEGIN_ANEW);
        }
        record.RequireSame(earlier, file, BEGIN_ANEW);
        return true;
    }
    return false;
}

/// Throws ScenarioError unless what \p out has may stay: nothing unfinished but of this very sweep.
void
CheckDirectory(const std::string& out, const SweepRecord& record)
{
    if (!HasResultsOf(record, out))
    {
        OutputDirectory::RemoveRuns(out);
        OutputDirectory::RemoveEarlier(out, {});
    }
}

/// \return the reason that a run left in \p directory when it ended without results, if it did.
std::optional<std::string>
ReadFailure(const std::string& directory)
{
    const auto file = directory + "/" + SweepRecord::FAILURE;
    if (!fs::exists(file))
    {
        return std::nullopt;
    }
    const auto failure =
        nlohmann::ordered_json::parse(ReadUserFile(file, "what became of a run"), nullptr, false);
    const auto reason = failure.is_object() ? failure.find("reason") : failure.end();
    return reason != failure.end() && reason->is_string() ? reason->get<std::string>() : "unknown";
}

void
Discard(const std::string& out)
{
    fs::remove(out + "/" + SweepRecord::UNFINISHED);
    fs::remove(out + "/" + SweepRecord::SHARD);
}

/// Carries out what is not done yet of a shard.
void
ExecuteRuns(const LoadedScenario& scenario,
            const SweepShard& shard,
            const std::string& out,
            const CommandLineRequest& request)
{
    const auto& plan = scenario.GetPlan();
    std::vector<std::size_t> places;
    std::size_t all = 0;
    for (std::size_t place = 0; place < plan.GetRuns().size(); ++place)
    {
        if (!shard.Has(place))
        {
            continue;
        }
        ++all;
        const auto directory = GetRunDirectory(out, plan.GetRuns()[place].GetName());
        if (!IsRunComplete(directory))
        {
            OutputDirectory::Remove(directory);
            places.push_back(place);
        }
    }
    if (places.size() < all)
    {
        std::cerr << out << ": " << all - places.size() << " of " << all
                  << " runs are done already\n";
    }
    const auto ended = [&out](const SweepRun& run, const std::string& reason) {
        const auto directory = GetRunDirectory(out, run.GetName());
        if (!IsRunComplete(directory))
        {
            OutputDirectory::Remove(directory);
            const nlohmann::ordered_json failure{
                {"exit_status", static_cast<int>(RunStatus::FAILED)},
                {"reason", reason.empty() ? "ended without results" : reason}};
            WriteFile(directory, SweepRecord::FAILURE, ToFileText(failure));
        }
    };
    SweepRunner runner(
        plan,
        std::move(places),
        request.jobs,
        [&](const SweepRun& run) {
            return RunPoint(scenario, run, GetRunDirectory(out, run.GetName()));
        },
        ended);
    runner.Execute(request.progressInterval);
}

RunStatus
PrintStatuses(const std::vector<SweepResult>& results)
{
    RunStatus worst = RunStatus::OK;
    for (const auto& result : results)
    {
        worst = std::max(worst, result.status);
        if (result.status != RunStatus::OK)
        {
            std::cout << "run " << result.name << " ended with status "
                      << static_cast<int>(result.status) << "\n";
        }
    }
    return worst;
}

/// \return the runs of \p record with what they left in \p out; of one shard only, if \p shard.
std::vector<SweepResult>
GatherResults(const SweepRecord& record, const SweepShard& shard, const std::string& out)
{
    auto runs = record.ListRuns();
    std::vector<SweepResult> results;
    for (std::size_t place = 0; place < runs.size(); ++place)
    {
        if (shard.Has(place))
        {
            ReadRunResult(GetRunDirectory(out, runs[place].name), runs[place]);
            results.push_back(std::move(runs[place]));
        }
    }
    return results;
}

/// \return the histograms of all runs that came to their end, by point.
PointLatencies
GatherLatencies(const std::vector<SweepResult>& results, const std::string& out)
{
    PointLatencies points;
    for (const auto& result : results)
    {
        if (HasEnded(result))
        {
            points[result.point].Add(ReadRunHistograms(GetRunDirectory(out, result.name)));
        }
    }
    return points;
}

std::string
MakeSweepHistogramsCsv(const PointLatencies& points)
{
    std::string csv = "point," + GetHistogramsHead();
    for (const auto& [point, latencies] : points)
    {
        csv += MakeHistogramRows(latencies, std::to_string(point) + ",");
    }
    return csv;
}

/// Writes the tables of a sweep whose runs are all in \p out.
RunStatus
WriteTables(const SweepRecord& record, const std::string& out)
{
    const auto keys = record.GetKeys();
    const auto results = GatherResults(record, SweepShard{}, out);
    const auto digest = DigestResults(results);
    OutputDirectory directory(out, OutputDirectory::Placement::INTO);
    directory.Write("sweep.csv", MakeSweepCsv(keys, results));
    const auto latencies = GatherLatencies(results, out);
    directory.Write("sweep-summary.csv", MakeSweepSummaryCsv(keys, results, latencies));
    directory.Write(HISTOGRAMS_FILE, MakeSweepHistogramsCsv(latencies));
    if (const auto workloads = MakeSweepWorkloadsCsv(results); !workloads.empty())
    {
        directory.Write("workloads.csv", workloads);
    }
    if (const auto adversaries = MakeSweepAdversariesCsv(keys, results); !adversaries.empty())
    {
        directory.Write("adversaries.csv", adversaries);
    }
    auto outputs = directory.GetNames();
    outputs.insert(outputs.begin(), "manifest.json");
    outputs.emplace_back("points");
    directory.Write("manifest.json", ToFileText(record.MakeManifest(results, digest, outputs)));
    directory.Commit();

    std::cout << record.GetName() << ": " << results.size() << " runs, " << record.GetSeedCount()
              << " seeds each; means over the seeds\n\n"
              << MakeSweepSummary(keys, results) << DescribeSteadyStates(results)
              << DescribeFaultsThatNeverHappened(results);
    const auto worst = PrintStatuses(results);
    std::cout << "digest          " << digest << "\n";
    PrintOutputs(std::cout, out, {"manifest.json", "sweep.csv", "sweep-summary.csv", "points/"});
    return worst;
}

/// The shards of a sweep, by index.
using Shards = std::map<std::size_t, std::string>;

Shards
CollectShards(const std::vector<std::string>& directories, const SweepRecord& first)
{
    Shards shards;
    for (const auto& directory : directories)
    {
        const auto file = directory + "/" + SweepRecord::SHARD;
        const auto record = SweepRecord::Load(file);
        record.RequireSame(first, file, ", as in " + directories.front());
        const auto shard = record.GetShard();
        const auto [other, isNew] = shards.emplace(shard.index, directory);
        if (!isNew)
        {
            throw ScenarioError(file,
                                "shard",
                                shard.ToText(),
                                "each shard once (it is also in " + other->second + ")");
        }
    }
    std::string missing;
    for (std::size_t index = 1; index <= first.GetShard().count; ++index)
    {
        if (shards.count(index) == 0)
        {
            missing +=
                (missing.empty() ? "" : ", ") + SweepShard{index, first.GetShard().count}.ToText();
        }
    }
    if (!missing.empty())
    {
        throw ScenarioError("merge",
                            "",
                            std::to_string(shards.size()) + " of " +
                                std::to_string(first.GetShard().count) + " shards",
                            "also " + missing);
    }
    return shards;
}

/// Throws ScenarioError unless each shard has readable results of all its runs.
void
RequireFinished(const SweepRecord& record, const Shards& shards)
{
    const auto runs = record.ListRuns();
    for (const auto& [index, directory] : shards)
    {
        const SweepShard shard{index, record.GetShard().count};
        for (std::size_t place = 0; place < runs.size(); ++place)
        {
            if (!shard.Has(place))
            {
                continue;
            }
            auto run = runs[place];
            const auto folder = GetRunDirectory(directory, run.name);
            if (!IsRunComplete(folder) && !fs::exists(folder + "/" + SweepRecord::FAILURE))
            {
                throw ScenarioError(directory,
                                    "",
                                    "no results of run " + run.name,
                                    "a finished shard: run shard " + shard.ToText() + " again");
            }
            ReadRunResult(folder, run);
            if (!run.summary.is_null())
            {
                (void)ReadRunHistograms(folder);
            }
        }
    }
}

} // namespace

RunStatus
RunSweep(const LoadedScenario& scenario, const CommandLineRequest& request, const std::string& out)
{
    const auto shard = request.shard;
    const DirectoryLock lock(out);
    if (request.fresh)
    {
        Discard(out);
    }
    const SweepRecord record(scenario, shard);
    CheckDirectory(out, record);
    const auto* name = shard.IsWhole() ? SweepRecord::UNFINISHED : SweepRecord::SHARD;
    WriteFile(out, name, record.ToText());
    ExecuteRuns(scenario, shard, out, request);
    if (shard.IsWhole())
    {
        const auto worst = WriteTables(record, out);
        fs::remove(out + "/" + name);
        return worst;
    }
    const auto results = GatherResults(record, shard, out);
    std::cout << record.GetName() << ": shard " << shard.ToText() << ", " << results.size()
              << " of " << record.ListRuns().size() << " runs\n";
    const auto worst = PrintStatuses(results);
    PrintOutputs(std::cout, out, {SweepRecord::SHARD, "points/"});
    return worst;
}

nlohmann::ordered_json
DescribeShard(const LoadedScenario& scenario,
              const SweepShard& shard,
              const std::string& out,
              bool fresh)
{
    const SweepRecord record(scenario, shard);
    const bool isStarted = !fresh && HasResultsOf(record, out);
    const auto runs = record.ListRuns();
    std::size_t all = 0;
    std::size_t done = 0;
    auto failed = nlohmann::ordered_json::array();
    for (std::size_t place = 0; place < runs.size(); ++place)
    {
        if (!shard.Has(place))
        {
            continue;
        }
        ++all;
        const auto directory = GetRunDirectory(out, runs[place].name);
        if (!isStarted)
        {
            continue;
        }
        if (IsRunComplete(directory))
        {
            ++done;
        }
        else if (const auto reason = ReadFailure(directory))
        {
            failed.push_back({{"run", runs[place].name}, {"reason", *reason}});
        }
    }
    return {{"scenario", record.GetName()},
            {"sweep_runs", runs.size()},
            {"runs", all},
            {"done", done},
            {"failed", failed}};
}

RunStatus
MergeShards(const std::vector<std::string>& shards, const std::string& out)
{
    const auto first = SweepRecord::Load(shards.front() + "/" + SweepRecord::SHARD);
    const auto places = CollectShards(shards, first);
    RequireFinished(first, places);
    fs::create_directories(out);
    const DirectoryLock lock(out);
    for (const auto* name : {SweepRecord::UNFINISHED, SweepRecord::SHARD})
    {
        if (fs::exists(out + "/" + name))
        {
            throw ScenarioError("--out",
                                "",
                                Quote(out + "/" + name),
                                "no unfinished results there");
        }
    }
    OutputDirectory::RemoveRuns(out);
    OutputDirectory::RemoveEarlier(out, {});
    const auto runs = first.ListRuns();
    for (std::size_t place = 0; place < runs.size(); ++place)
    {
        const auto& shard = places.at(place % first.GetShard().count + 1);
        const auto& name = runs[place].name;
        fs::create_directories(GetRunDirectory(out, name));
        fs::copy(GetRunDirectory(shard, name),
                 GetRunDirectory(out, name),
                 fs::copy_options::recursive);
    }
    return WriteTables(first, out);
}

std::string
GetSweepName(const std::string& shard)
{
    return SweepRecord::Load(shard + "/" + SweepRecord::SHARD).GetName();
}

} // namespace ns3::nfsrdma
