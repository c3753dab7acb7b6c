/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/explore/command.h"

#include "helper/explore/exploration.h"
#include "helper/progress-meter.h"
#include "scenarios/simulator/config/key-use.h"
#include "scenarios/simulator/explore/explored-run.h"
#include "scenarios/simulator/report/output-directory.h"

#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

/// A run that takes so many times as many events as the one in the order of times never ends.
constexpr uint64_t LONGEST = 200;

/// \return a scenario that is run in \p order.
std::string
MakeScenario(const LoadedScenario& scenario, const Exploration::Violation& violation)
{
    std::ostringstream text;
    text << "# An order of events of " << scenario.GetIdentity().file << " after which:\n# "
         << violation.what << "\n#\n#   ./start run FILE --pcap all\n";
    const auto config = scenario.Resolve(scenario.GetPlan().GetRuns().front().entries);
    const KeyUse use(config, scenario.GetNfsVersion(config));
    std::vector<std::string> sections;
    std::map<std::string, std::map<std::string, std::string>> values;
    for (const auto& entry : scenario.GetPlan().GetBaseEntries())
    {
        const auto dot = entry.key.rfind('.');
        const auto section = entry.key.substr(0, dot);
        const auto index = config.GetSchema().Find(entry.key);
        if (index && !use.IsUsed(section, *index))
        {
            continue; // Of the file, and the command line has put another value in its way.
        }
        if (values.count(section) == 0 && section != "explore")
        {
            sections.push_back(section);
        }
        values[section][entry.key.substr(dot + 1)] = entry.value;
    }
    sections.emplace_back("explore");
    auto& explore = values["explore"];
    for (const auto* bound :
         {"moves", "reach", "runs", "hold", "losses", "duplicates", "completions", "setup"})
    {
        explore.erase(bound);
    }
    explore["order"] = ToText(violation.order);
    for (const auto& section : sections)
    {
        text << "\n[" << section << "]\n";
        for (const auto& [key, value] : values[section])
        {
            text << key << " = " << value << "\n";
        }
    }
    return text.str();
}

std::string
GetFile(std::size_t violation)
{
    return "violation-" + std::to_string(violation + 1) + ".ini";
}

nlohmann::ordered_json
MakeDocument(const LoadedScenario& scenario, const Exploration& exploration)
{
    nlohmann::ordered_json document;
    document["scenario"] = scenario.GetIdentity().file;
    document["events"] = exploration.GetSteps();
    document["runs"] = exploration.GetRuns();
    document["states"] = exploration.GetStates();
    auto& levels = document["orders"] = nlohmann::ordered_json::array();
    for (std::size_t moves = 0; moves < exploration.GetLevels().size(); ++moves)
    {
        const auto& level = exploration.GetLevels()[moves];
        levels.push_back({{"moves", moves},
                          {"runs", level.runs},
                          {"joined", level.joined},
                          {"not_tried", level.left}});
    }
    auto& violations = document["violations"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < exploration.GetViolations().size(); ++i)
    {
        const auto& violation = exploration.GetViolations()[i];
        violations.push_back({{"what", violation.what},
                              {"runs", violation.runs},
                              {"order", ToText(violation.order)},
                              {"scenario", GetFile(i)}});
    }
    return document;
}

void
Print(std::ostream& stream, const Exploration& exploration)
{
    stream << exploration.GetSteps() << " events in the order of times; " << exploration.GetRuns()
           << " orders tried, " << exploration.GetStates() << " states\n";
    for (std::size_t moves = 0; moves < exploration.GetLevels().size(); ++moves)
    {
        const auto& level = exploration.GetLevels()[moves];
        stream << "  " << moves << (moves == 1 ? " move:  " : " moves: ") << level.runs
               << " orders, " << level.joined << " of them left in a known state";
        if (level.left > 0)
        {
            stream << "; " << level.left << " not tried (explore.runs)";
        }
        stream << "\n";
    }
    if (exploration.GetViolations().empty())
    {
        stream << "all that has to hold does, in every order\n";
    }
    for (std::size_t i = 0; i < exploration.GetViolations().size(); ++i)
    {
        const auto& violation = exploration.GetViolations()[i];
        stream << "does not hold in " << violation.runs << " orders: " << violation.what << "\n  "
               << GetFile(i) << ": " << ToText(violation.order) << "\n";
    }
}

} // namespace

void
CheckExplorable(const LoadedScenario& scenario)
{
    const bool isSweep = scenario.GetPlan().IsSweep();
    const auto config = scenario.Resolve(scenario.GetPlan().GetRuns().front().entries);
    const auto order = config.Get("explore.order").AsText();
    if (isSweep || order != "none")
    {
        throw ScenarioError(scenario.GetIdentity().file,
                            isSweep ? "sweep" : "explore.order",
                            isSweep ? "several runs" : Quote(order),
                            "one run, whose order nothing says: explore tries them");
    }
}

RunStatus
Explore(const LoadedScenario& scenario, unsigned jobs, const std::string& out)
{
    const auto config = scenario.Resolve(scenario.GetPlan().GetRuns().front().entries);
    const auto plan = scenario.MakePlan(config);
    const auto runs = out + "/.runs";
    uint64_t longest = 0;
    const auto runBatch = [&](const std::vector<EventOrder>& orders,
                              const Exploration::States& known) {
        const auto results =
            RunForked(orders.size(), jobs, [&](std::size_t order, TaskOutput& output) {
                std::ostringstream directory;
                directory << runs << "/" << order;
                RunExplored(plan, orders[order], known, longest, directory.str(), output);
            });
        std::filesystem::remove_all(runs);
        std::vector<ExploredRun> explored;
        explored.reserve(results.size());
        for (const auto& result : results)
        {
            explored.push_back(ReadExplored(result));
        }
        longest = longest == 0 ? explored.front().steps * LONGEST : longest;
        return explored;
    };
    ProgressMeter progress("orders", 0);
    Exploration exploration(plan.explore.bounds, runBatch, [&progress](uint64_t done) {
        progress.Update(done);
    });
    exploration.Execute();
    progress.Finish();

    OutputDirectory files(out, OutputDirectory::Placement::WHOLE);
    for (std::size_t i = 0; i < exploration.GetViolations().size(); ++i)
    {
        files.Write(GetFile(i), MakeScenario(scenario, exploration.GetViolations()[i]));
    }
    files.Write("explore.json", ToFileText(MakeDocument(scenario, exploration)));
    auto outputs = files.GetNames();
    outputs.insert(outputs.begin(), "manifest.json");
    files.Write("manifest.json",
                ToFileText(MakeManifest(scenario.GetIdentity(), config, nullptr, {}, "", outputs)));
    files.Commit();
    Print(std::cout, exploration);
    return exploration.GetViolations().empty() ? RunStatus::OK : RunStatus::FAILED;
}

} // namespace ns3::nfsrdma
