/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/sweep/record.h"

#include "scenarios/simulator/config/user-file.h"
#include "scenarios/simulator/report/fingerprint.h"
#include "scenarios/simulator/report/histogram-documents.h"
#include "scenarios/simulator/sweep/record-check.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

namespace ns3::nfsrdma
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr const char* FORMAT = "nfsrdma-sweep-1";
constexpr const char* MANIFEST_FILE = "/manifest.json";
constexpr const char* SUMMARY_FILE = "/summary.json";

/// \return "a.b" of "/a/b".
std::string
ToKey(std::string pointer)
{
    std::replace(pointer.begin(), pointer.end(), '/', '.');
    return pointer.empty() ? pointer : pointer.substr(1);
}

std::string
Show(const Json& values, const std::string& pointer)
{
    const auto found = values.find(pointer);
    if (found == values.end())
    {
        return "nothing";
    }
    return Quote(found->is_string() ? found->get<std::string>() : found->dump());
}

/// Where two documents differ first.
struct Difference
{
    std::string key;
    std::string mine;
    std::string others;
};

std::optional<Difference>
FindDifference(const Json& mine, const Json& others)
{
    const Json first = mine.flatten();
    const Json second = others.flatten();
    for (const auto* side : {&first, &second})
    {
        for (const auto& [pointer, value] : side->items())
        {
            const auto one = Show(first, pointer);
            const auto other = Show(second, pointer);
            if (one != other)
            {
                return Difference{ToKey(pointer), one, other};
            }
        }
    }
    return std::nullopt;
}

Json
DescribeRuns(const LoadedScenario& scenario)
{
    const auto& plan = scenario.GetPlan();
    Json runs = Json::array();
    std::vector<std::string> values;
    std::vector<std::string> texts;
    std::string inputs;
    const SweepRun* previous = nullptr;
    for (const auto& run : plan.GetRuns())
    {
        if (previous == nullptr || previous->point != run.point)
        {
            const auto config = scenario.Resolve(run.entries);
            inputs = FingerprintConfig(config, scenario.GetPath());
            values.clear();
            texts.clear();
            for (const auto& key : plan.GetKeys())
            {
                values.push_back(SweepPlan::GetValue(config, key));
                texts.push_back(SweepPlan::GetText(config, key));
            }
        }
        previous = &run;
        runs.push_back({{"name", run.GetName()},
                        {"point", run.point},
                        {"seed", run.seed},
                        {"values", values},
                        {"texts", texts},
                        {"inputs", inputs}});
    }
    return runs;
}

} // namespace

SweepResult::SweepResult() = default;

SweepRecord::SweepRecord() = default;

SweepRecord::SweepRecord(const LoadedScenario& scenario, const SweepShard& shard)
    : m_shard(shard)
{
    const auto& plan = scenario.GetPlan();
    const auto base = scenario.Resolve(plan.GetBaseEntries());
    m_document = {
        {"format", FORMAT},
        {"shard", shard.ToText()},
        {"program", FingerprintProgram()},
        {"manifest", nfsrdma::MakeManifest(scenario.GetIdentity(), base, &plan, {}, "", {})},
        {"runs", DescribeRuns(scenario)}};
}

SweepRecord
SweepRecord::Load(const std::string& file)
{
    return Parse(file, ReadUserFile(file, "the record of a sweep"));
}

SweepRecord
SweepRecord::Parse(const std::string& file, const std::string& text)
{
    SweepRecord record;
    record.m_document = Json::parse(text, nullptr, false);
    CheckSweepRecord(file, FORMAT, record.m_document);
    record.m_shard = *SweepShard::Parse(record.m_document["shard"].get<std::string>());
    return record;
}

const SweepShard&
SweepRecord::GetShard() const
{
    return m_shard;
}

std::vector<std::string>
SweepRecord::GetKeys() const
{
    return m_document["manifest"]["sweep"]["keys"].get<std::vector<std::string>>();
}

std::size_t
SweepRecord::GetSeedCount() const
{
    return m_document["manifest"]["sweep"]["seeds"].size();
}

std::string
SweepRecord::GetName() const
{
    return m_document["manifest"]["name"].get<std::string>();
}

std::vector<SweepResult>
SweepRecord::ListRuns() const
{
    std::vector<SweepResult> runs;
    for (const auto& run : m_document["runs"])
    {
        SweepResult result;
        result.name = run["name"].get<std::string>();
        result.point = run["point"].get<std::size_t>();
        result.seed = run["seed"].get<uint64_t>();
        result.values = run["values"].get<std::vector<std::string>>();
        result.texts = run["texts"].get<std::vector<std::string>>();
        runs.push_back(std::move(result));
    }
    return runs;
}

std::string
SweepRecord::ToText() const
{
    return ToFileText(m_document);
}

void
SweepRecord::RequireSame(const SweepRecord& other,
                         const std::string& where,
                         const std::string& remedy) const
{
    const auto refuse = [&](const Difference& difference, const std::string& key) {
        throw ScenarioError(where, key, difference.mine, difference.others + remedy);
    };
    if (m_shard.count != other.m_shard.count)
    {
        refuse({"", m_shard.ToText(), other.m_shard.ToText()}, "shard");
    }
    auto mine = m_document["manifest"];
    auto others = other.m_document["manifest"];
    // One scenario can be asked for in many ways.
    mine.erase("command");
    others.erase("command");
    if (const auto difference = FindDifference(mine["config"], others["config"]))
    {
        refuse(*difference, difference->key);
    }
    if (const auto difference = FindDifference(mine, others))
    {
        refuse(*difference, difference->key);
    }
    if (const auto difference = FindDifference(m_document["runs"], other.m_document["runs"]))
    {
        refuse(*difference, "runs." + difference->key);
    }
    if (m_document["program"] != other.m_document["program"])
    {
        refuse({"", "another build", "the one of the results there"}, "program");
    }
}

nlohmann::ordered_json
SweepRecord::MakeManifest(const std::vector<SweepResult>& results,
                          const std::string& digest,
                          const std::vector<std::string>& outputs) const
{
    std::map<std::string, uint64_t> unsupported;
    for (const auto& result : results)
    {
        if (result.summary.is_null())
        {
            continue;
        }
        for (const auto& [name, count] : result.summary["unsupported"].items())
        {
            unsupported[name] += count.get<uint64_t>();
        }
    }
    Json manifest = m_document["manifest"];
    manifest["unsupported"] = unsupported;
    manifest["digest"] = digest;
    manifest["outputs"] = outputs;
    return manifest;
}

std::string
GetRunDirectory(const std::string& sweep, const std::string& name)
{
    return sweep + "/points/" + name;
}

bool
IsRunComplete(const std::string& directory)
{
    // The last file that a run gives its name.
    return std::filesystem::exists(directory + MANIFEST_FILE);
}

LatencyDistributions
ReadRunHistograms(const std::string& directory)
{
    const auto file = directory + "/" + HISTOGRAMS_FILE;
    return ParseHistograms(file, ReadUserFile(file, "the histograms of a run"));
}

void
ReadRunResult(const std::string& directory, SweepResult& result)
{
    if (!IsRunComplete(directory))
    {
        result.status = RunStatus::FAILED;
        return;
    }
    const auto file = directory + SUMMARY_FILE;
    result.summary = Json::parse(ReadUserFile(file, "the summary of a run"), nullptr, false);
    CheckRunSummary(file, result.summary);
    result.status = static_cast<RunStatus>(result.summary["exit_status"].get<int>());
}

} // namespace ns3::nfsrdma
