/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-plan/planned-run.h"

#include "scenarios/simulator/run/scenario-run.h"
#include "scenarios/simulator/setup/scenario-check.h"
#include "scenarios/simulator/setup/workload-input.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

namespace ns3::nfsrdma::test
{

PlannedRun
RunPlanned(const std::string& ini)
{
    namespace fs = std::filesystem;
    const auto schema = ScenarioSchema::Standard();
    const ScenarioPath path{{NFSRDMA_SOURCE_DIR "/scenarios"}};
    const ScenarioConfig config(schema, path, ScenarioFile::Parse("test.ini", ini).GetEntries());
    CheckCombinations(config);
    const auto plan = ClusterPlan::Resolve(config, WorkloadInput::Load(config, path));
    const auto folder = fs::temp_directory_path() / ("fault-plan-" + std::to_string(getpid()));
    PlannedRun run;
    {
        OutputDirectory directory(folder.string(), OutputDirectory::Placement::WHOLE);
        ScenarioRun simulation(plan, directory, RunDetail{true, false});
        run.report = simulation.Execute();
        directory.Commit();
    }
    std::ostringstream csv;
    csv << std::ifstream(folder / "faults.csv").rdbuf();
    run.faultsCsv = csv.str();
    fs::remove_all(folder);
    return run;
}

std::string
MakeScenario(const std::string& version, const std::vector<std::string>& faults)
{
    // A server may have lost a connection that its client takes for good; the client gives it up
    // when an RPC has waited for 60 s.
    std::string ini = "[cluster]\nclients = 2\nservers = 1\nstall_limit = 300s\n"
                      "[link]\nrate = 25Gbps\n"
                      "[rnic]\nmpa_crc = true\n";
    if (version == "3")
    {
        ini += "[workload]\nkind = mix\noperations = 60\nfiles = 4\nfile_size = 32KiB\n";
    }
    else
    {
        ini += "[nfs]\nversion = " + version +
               "\n[workload]\nkind = fio\nreadwrite = randrw\nbssplit = 4096:6,16384:2\n"
               "size = 128KiB\nnrfiles = 2\nnumjobs = 1\niodepth = 4\nrequests = 40\n"
               "direct = true\n";
    }
    if (!faults.empty())
    {
        ini += "[faults]\n";
    }
    for (std::size_t i = 0; i < faults.size(); ++i)
    {
        ini += "f" + std::to_string(i) + " = " + faults[i] + "\n";
    }
    return ini;
}

const FaultOutcome&
FindFault(const RunReport& report, const std::string& name)
{
    const auto& outcomes = report.faults.outcomes;
    return *std::find_if(outcomes.begin(), outcomes.end(), [&name](const auto& outcome) {
        return outcome.name == name;
    });
}

} // namespace ns3::nfsrdma::test
