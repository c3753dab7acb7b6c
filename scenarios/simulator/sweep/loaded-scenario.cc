/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/sweep/loaded-scenario.h"

#include "scenarios/simulator/config/plugins.h"
#include "scenarios/simulator/config/scenario-catalogue.h"
#include "scenarios/simulator/config/scenarios-directory.h"
#include "scenarios/simulator/setup/scenario-check.h"
#include "scenarios/simulator/setup/workload-check.h"

#include <filesystem>
#include <tuple>

namespace ns3::nfsrdma
{

LoadedScenario::LoadedScenario()
    : m_identity{"default", "", "", {}},
      m_schema(std::vector<ScenarioSection>())
{
}

LoadedScenario::LoadedScenario(const CommandLineRequest& request)
    : LoadedScenario()
{
    auto entries = ReadFile(request);
    const auto ofFile = request.overrides.empty() ? std::vector<ScenarioEntry>() : entries;
    entries.insert(entries.end(), request.overrides.begin(), request.overrides.end());
    m_identity.plugins = LoadPlugins(entries, m_path);
    m_schema = ScenarioSchema::Standard();
    m_plan = std::make_unique<SweepPlan>(m_schema, m_path, entries);
    CheckRuns(ofFile);
}

ScenarioSchema
LoadedScenario::LoadSchema(const CommandLineRequest& request)
{
    LoadedScenario scenario;
    auto entries = scenario.ReadFile(request);
    entries.insert(entries.end(), request.overrides.begin(), request.overrides.end());
    std::ignore = LoadPlugins(entries, scenario.m_path);
    return ScenarioSchema::Standard();
}

std::vector<ScenarioEntry>
LoadedScenario::ReadFile(const CommandLineRequest& request)
{
    std::vector<ScenarioEntry> entries;
    if (!request.file.empty())
    {
        const auto file = ScenarioFile::Load(ScenarioCatalogue().Find(request.file));
        entries = file.GetEntries();
        const auto name = file.GetStem() + ".ini";
        m_identity = {file.GetStem(), name, request.GetCommand(name), {}};
        m_path.directories.push_back(file.GetDirectory());
    }
    m_path.directories.emplace_back(".");
    m_path.directories.push_back(GetScenariosDirectory());
    return entries;
}

const ScenarioIdentity&
LoadedScenario::GetIdentity() const
{
    return m_identity;
}

const ScenarioPath&
LoadedScenario::GetPath() const
{
    return m_path;
}

const SweepPlan&
LoadedScenario::GetPlan() const
{
    return *m_plan;
}

ScenarioConfig
LoadedScenario::Resolve(const std::vector<ScenarioEntry>& entries) const
{
    return {m_schema, m_path, entries};
}

ClusterPlan
LoadedScenario::MakePlan(const ScenarioConfig& config) const
{
    return ClusterPlan::Resolve(config, m_inputs.at(GetInputKey(config)));
}

std::string
LoadedScenario::GetNfsVersion(const ScenarioConfig& config) const
{
    const auto input = m_inputs.find(GetInputKey(config));
    return input == m_inputs.end() ? config.Get("nfs.version").AsText()
                                   : input->second.ResolveNfsVersion(config);
}

std::string
LoadedScenario::GetInputKey(const ScenarioConfig& config)
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

void
LoadedScenario::CheckRuns(const std::vector<ScenarioEntry>& ofFile)
{
    UnusedKeys unused;
    const SweepRun* previous = nullptr;
    for (const auto& run : m_plan->GetRuns())
    {
        if (previous != nullptr && previous->point == run.point)
        {
            continue;
        }
        previous = &run;
        const auto config = Resolve(run.entries);
        CheckCombinations(config);
        CheckWorkload(config);
        const auto key = GetInputKey(config);
        if (m_inputs.count(key) == 0)
        {
            m_inputs.emplace(key, WorkloadInput::Load(config, m_path));
        }
        unused.Add(config, GetNfsVersion(config));
    }
    if (!ofFile.empty())
    {
        AddFile(ofFile, unused);
    }
    unused.Check();
}

void
LoadedScenario::AddFile(const std::vector<ScenarioEntry>& ofFile, UnusedKeys& unused) const
{
    try
    {
        const SweepPlan plan(m_schema, m_path, ofFile);
        for (const auto& run : plan.GetRuns())
        {
            if (run.seed == plan.GetSeeds().front())
            {
                const auto config = Resolve(run.entries);
                unused.AddFile(config, GetNfsVersion(config));
            }
        }
    }
    catch (const ScenarioError&)
    {
        // The command line has mended it.
        return;
    }
}

} // namespace ns3::nfsrdma
