/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "ini-text.h"
#include "scenarios/simulator/config/sweep-plan.h"
#include "scenarios/simulator/setup/scenario-check.h"
#include "scenarios/simulator/setup/workload-check.h"

#include <algorithm>
#include <tuple>

namespace ns3::nfsrdma
{

namespace
{

/// More runs take long and show nothing new.
constexpr std::size_t MAX_RUNS = 8;

/// What is taken is taken again, and is the same, from the file that says it in full.
void
CheckPrinted(const ScenarioSchema& schema, const ScenarioPath& path, const SweepPlan& plan)
{
    const ScenarioConfig config(schema, path, plan.GetBaseEntries());
    const auto text = config.ToIni(path, plan.GetListsAsIni());
    const auto printed = ScenarioFile::Parse("printed.ini", text);
    const SweepPlan again(schema, path, printed.GetEntries());
    const ScenarioConfig same(schema, path, again.GetBaseEntries());
    FuzzExpect(WithoutComments(same.ToIni(path, again.GetListsAsIni())) == WithoutComments(text));
    FuzzExpect(again.GetRuns().size() == plan.GetRuns().size());
}

} // namespace

/// Input: a scenario file. Each of its runs can be made, or one line says what is wrong.
void
FuzzOne(ByteSpan input)
{
    static const auto schema = ScenarioSchema::Standard();
    static const ScenarioPath path{{NFSRDMA_SCENARIOS_DIR}};
    const std::string text(input.begin(), input.end());
    try
    {
        const auto file = ScenarioFile::Parse("fuzz.ini", text);
        const SweepPlan plan(schema, path, file.GetEntries());
        const auto& runs = plan.GetRuns();
        FuzzExpect(!runs.empty());
        for (std::size_t i = 0; i < std::min(runs.size(), MAX_RUNS); ++i)
        {
            const ScenarioConfig config(schema, path, runs[i].entries);
            CheckCombinations(config);
            CheckWorkload(config);
            for (const auto& key : plan.GetKeys())
            {
                std::ignore = SweepPlan::GetText(config, key);
                std::ignore = SweepPlan::GetValue(config, key);
            }
        }
        CheckPrinted(schema, path, plan);
    }
    catch (const ScenarioError& error)
    {
        const std::string line = error.what();
        FuzzExpect(line.find('\n') == std::string::npos);
        FuzzExpect(line.find("printed.ini") == std::string::npos);
        FuzzExpect(line.find(", expected ") != std::string::npos);
    }
}

} // namespace ns3::nfsrdma
