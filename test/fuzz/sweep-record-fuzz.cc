/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "scenarios/simulator/keys/scenario-error.h"
#include "scenarios/simulator/report/histogram-documents.h"
#include "scenarios/simulator/sweep/adversaries.h"
#include "scenarios/simulator/sweep/record-check.h"
#include "scenarios/simulator/sweep/record.h"
#include "scenarios/simulator/sweep/summary.h"
#include "scenarios/simulator/sweep/table.h"

namespace ns3::nfsrdma
{

namespace
{

/// What is taken as a record says the same when it is written and read again.
void
CheckRecord(const std::string& text)
{
    const auto record = SweepRecord::Parse("fuzz.json", text);
    const auto again = SweepRecord::Parse("fuzz.json", record.ToText());
    FuzzExpect(again.ToText() == record.ToText());
    record.RequireSame(again, "fuzz.json", "");
    FuzzExpect(record.GetShard().index <= record.GetShard().count);
    for (const auto& run : record.ListRuns())
    {
        FuzzExpect(run.name.find('/') == std::string::npos);
        FuzzExpect(run.values.size() == record.GetKeys().size());
    }
    FuzzExpect(record.MakeManifest({}, "", {}).is_object());
}

/// What is taken as the summary of a run gives tables.
void
CheckSummary(const std::string& text)
{
    SweepResult result;
    result.name = "0-s1";
    result.summary = nlohmann::ordered_json::parse(text, nullptr, false);
    CheckRunSummary("fuzz.json", result.summary);
    result.status = static_cast<RunStatus>(result.summary["exit_status"].get<int>());
    const std::vector<SweepResult> results{result};
    FuzzExpect(!MakeSweepCsv({}, results).empty());
    FuzzExpect(!MakeSweepSummaryCsv({}, results, {}).empty());
    FuzzExpect(!MakeSweepSummary({}, results).empty());
    FuzzExpect(!DigestResults(results).empty());
    const bool hasWorkloads = !MakeSweepWorkloadsCsv(results).empty();
    FuzzExpect(!hasWorkloads || !result.summary["workloads"].empty());
    const bool hasAdversaries = !MakeSweepAdversariesCsv({}, results).empty();
    FuzzExpect(!hasAdversaries || result.summary.contains("adversaries"));
}

/// What is taken as the histograms of a run is written as it was read.
void
CheckHistograms(const std::string& text)
{
    const auto latencies = ParseHistograms("fuzz.csv", text);
    const auto rows = GetHistogramsHead() + MakeHistogramRows(latencies, "");
    FuzzExpect(GetHistogramsHead() + MakeHistogramRows(ParseHistograms("fuzz.csv", rows), "") ==
               rows);
}

} // namespace

/// The first octet: 0 for the record of a sweep, 2 for histograms.csv of a run, else its
/// summary.json; its text follows.
void
FuzzOne(ByteSpan input)
{
    const FuzzText chosen(input);
    try
    {
        chosen.choice == 0   ? CheckRecord(chosen.text)
        : chosen.choice == 2 ? CheckHistograms(chosen.text)
                             : CheckSummary(chosen.text);
    }
    catch (const ScenarioError& error)
    {
        FuzzExpect(std::string(error.what()).find('\n') == std::string::npos);
    }
}

} // namespace ns3::nfsrdma
