/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-config.h"

#include "workload/workload.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <set>

namespace ns3::nfsrdma
{

namespace
{

const char* const NO_PROFILE = "none";
const char* const NO_FAULT = "none";
const char* const FAULTS = "faults.";
const char* const WORKLOAD = "workload";
const char* const ADVERSARY = "adversary";
/// What may be different from host to host.
const std::array<std::string, 5> GROUP_LINK_KEYS{"hosts",
                                                 "rate",
                                                 "delay",
                                                 "host_queue",
                                                 "switch_queue"};

/// \return names of the profiles of \p section, sorted.
std::vector<std::string>
ListProfiles(const ScenarioPath& path, const std::string& section)
{
    std::set<std::string> names;
    for (const auto& directory : path.directories)
    {
        std::error_code error;
        const auto folder = std::filesystem::path(directory) / "profiles" / section;
        for (const auto& item : std::filesystem::directory_iterator(folder, error))
        {
            if (item.path().extension() == ".ini")
            {
                names.insert(item.path().stem().string());
            }
        }
    }
    return {names.begin(), names.end()};
}

const std::string TRACE_SUFFIX = ".trace.csv";

/// \return \p name with its directory, so that it is found from everywhere; as it is when there is
/// no file of that name and \p suffix.
std::string
LocateFile(const ScenarioPath& path, const std::string& name, const std::string& suffix)
{
    const auto file = name.empty() ? name : path.Find(name + suffix);
    if (file.empty())
    {
        return name;
    }
    std::error_code error;
    const auto whole = std::filesystem::canonical(file, error).string();
    return error ? name : whole.substr(0, whole.size() - suffix.size());
}

/// \return what to print for a key: with its directory when it names a file.
std::string
Locate(const ScenarioPath& path, const std::string& key, const std::string& value)
{
    if (key == "workload.trace")
    {
        return LocateFile(path, value, TRACE_SUFFIX);
    }
    return key == "topology.file" ? LocateFile(path, value, "") : value;
}

} // namespace

std::string
ScenarioPath::Find(const std::string& name) const
{
    std::error_code error;
    if (std::filesystem::path(name).is_absolute())
    {
        return std::filesystem::exists(name, error) ? name : std::string();
    }
    for (const auto& directory : directories)
    {
        const auto candidate = std::filesystem::path(directory) / name;
        if (std::filesystem::exists(candidate, error))
        {
            return candidate.string();
        }
    }
    return {};
}

ScenarioConfig::ScenarioConfig(const ScenarioSchema& schema,
                               const ScenarioPath& path,
                               const std::vector<ScenarioEntry>& entries)
    : m_schema(schema)
{
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        const auto value =
            schema.ParseValue(index, schema.GetKey(index).defaultText, ScenarioOrigin::DEFAULT);
        m_settings.push_back({value, {ScenarioOrigin::DEFAULT, 0}});
    }
    m_defaults = m_settings;
    for (const auto& entry : entries)
    {
        Apply(entry);
    }
    ApplyProfile(path, "rnic");
    ApplyProfile(path, "rpcrdma");
    if (Get("storage.profile").AsText() != NO_PROFILE)
    {
        ApplyProfile(path, "storage");
    }
    for (const auto& instance : m_instances)
    {
        const auto base = GetBaseSection(instance.section);
        const auto profile = m_schema.Find(base + ".profile");
        if (base == "rnic" && instance.settings.count(profile.value()) != 0)
        {
            ApplyProfile(path, instance.section);
        }
    }
    for (const auto& entry : entries)
    {
        Apply(entry);
    }
    FollowPort();
    const auto kind = m_schema.Find("workload.kind").value();
    const bool hasPopulations =
        std::any_of(m_instances.begin(), m_instances.end(), [](const auto& instance) {
            return GetBaseSection(instance.section) == WORKLOAD;
        });
    if (hasPopulations && m_settings[kind].origin.source == ScenarioOrigin::DEFAULT)
    {
        m_settings[kind].value = m_schema.ParseValue(kind, "none", ScenarioOrigin::DEFAULT);
    }
    CheckInstances();
}

void
ScenarioConfig::CheckInstances() const
{
    for (const auto* base : {"link", "rnic", "host"})
    {
        const auto key = std::string(base) + ".hosts";
        if (Get(key).AsText() != "all")
        {
            Refuse(key, "this key in sections [" + std::string(base) + " NAME] alone");
        }
    }
    for (const auto& instance : m_instances)
    {
        const auto base = GetBaseSection(instance.section);
        if (base == WORKLOAD)
        {
            CheckPopulation(instance);
        }
        else if (base == ADVERSARY)
        {
            CheckAdversary(instance);
        }
        else
        {
            CheckGroup(instance);
        }
    }
    CheckNoAdversary();
}

void
ScenarioConfig::CheckPopulation(const Instance& instance) const
{
    const auto kind = Get(instance.section + ".kind").AsText();
    const auto own = instance.section.substr(instance.section.find(' ') + 1);
    if (kind == "none")
    {
        Refuse(instance.section + ".kind", "a kind that does something");
    }
    if (own == Get("workload.kind").AsText())
    {
        throw ScenarioError(instance.settings.begin()->second.origin.ToText(),
                            instance.section,
                            Quote(own),
                            "another name than the kind of [workload], whose directory has it");
    }
    for (const auto& [index, setting] : instance.settings)
    {
        const std::string key = m_schema.GetKey(index).name;
        if (key == "start_spread" || !IsKeyOfKind(index, kind))
        {
            throw ScenarioError(setting.origin.ToText(),
                                instance.section + "." + key,
                                Quote(setting.value.ToText()),
                                key == "start_spread" ? "this key in [workload] alone"
                                                      : "keys of kind " + kind);
        }
    }
}

void
ScenarioConfig::CheckGroup(const Instance& instance) const
{
    const auto base = GetBaseSection(instance.section);
    const auto hosts = m_schema.Find(base + ".hosts").value();
    if (instance.settings.count(hosts) == 0)
    {
        throw ScenarioError(instance.settings.begin()->second.origin.ToText(),
                            instance.section,
                            "no key hosts",
                            "hosts = client-0..3, server-1, clients or servers");
    }
    for (const auto& [index, setting] : instance.settings)
    {
        const std::string key = m_schema.GetKey(index).name;
        const bool forAll =
            (base == "link" && std::find(GROUP_LINK_KEYS.begin(), GROUP_LINK_KEYS.end(), key) ==
                                   GROUP_LINK_KEYS.end()) ||
            key == "server_cores";
        if (forAll)
        {
            throw ScenarioError(setting.origin.ToText(),
                                instance.section + "." + key,
                                Quote(setting.value.ToText()),
                                "this key in [" + base + "] alone");
        }
    }
}

std::vector<std::string>
ScenarioConfig::GetWorkloadSections() const
{
    std::vector<std::string> sections;
    if (Get("workload.kind").AsText() != "none")
    {
        sections.emplace_back("workload");
    }
    const auto named = GetGroupSections(WORKLOAD);
    sections.insert(sections.end(), named.begin(), named.end());
    return sections;
}

std::vector<std::string>
ScenarioConfig::GetGroupSections(const std::string& base) const
{
    std::vector<std::string> sections;
    for (const auto& instance : m_instances)
    {
        if (GetBaseSection(instance.section) == base)
        {
            sections.push_back(instance.section);
        }
    }
    return sections;
}

std::vector<std::size_t>
ScenarioConfig::GetKeysOf(const std::string& section) const
{
    std::vector<std::size_t> keys;
    for (const auto& instance : m_instances)
    {
        if (instance.section == section)
        {
            for (const auto& [index, setting] : instance.settings)
            {
                keys.push_back(index);
            }
        }
    }
    return keys;
}

bool
ScenarioConfig::IsKeyOfKind(std::size_t index, const std::string& kind) const
{
    const auto& key = m_schema.GetKey(index);
    if (m_schema.GetFullName(index) == "workload.trace")
    {
        return kind == "replay";
    }
    const auto workload = Workload::Create(kind);
    return key.targets.empty() ||
           std::any_of(key.targets.begin(), key.targets.end(), [&](const std::string& target) {
               TypeId type;
               return workload != nullptr &&
                      TypeId::LookupByNameFailSafe("ns3::nfsrdma::" +
                                                       target.substr(0, target.find("::")),
                                                   &type) &&
                      (workload->GetInstanceTypeId() == type ||
                       workload->GetInstanceTypeId().IsChildOf(type));
           });
}

void
ScenarioConfig::FollowPort()
{
    const auto link = m_schema.Find("link.rate").value();
    const auto port = m_schema.Find("rnic.port_rate").value();
    if (m_settings[link].origin.source == ScenarioOrigin::DEFAULT &&
        m_settings[link].value.AsRate() > m_settings[port].value.AsRate())
    {
        m_settings[link] = m_settings[port];
    }
}

void
ScenarioConfig::Apply(const ScenarioEntry& entry)
{
    if (entry.key.rfind(FAULTS, 0) == 0)
    {
        ApplyFault(entry);
        return;
    }
    const auto where = entry.origin.ToText();
    const auto index = m_schema.Require(entry.key, where);
    const auto section = GetNamedSection(entry.key);
    if (section.empty())
    {
        m_settings[index] = {m_schema.ParseValue(index, entry.value, where), entry.origin};
        return;
    }
    auto instance = std::find_if(m_instances.begin(),
                                 m_instances.end(),
                                 [&section](const auto& one) { return one.section == section; });
    if (instance == m_instances.end())
    {
        m_instances.push_back({section, {}});
        instance = std::prev(m_instances.end());
    }
    instance->settings[index] = {m_schema.ParseValue(index, entry.value, where), entry.origin};
}

void
ScenarioConfig::ApplyFault(const ScenarioEntry& entry)
{
    const auto name = entry.key.substr(std::string(FAULTS).size());
    const bool valid = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '-' || c == '_';
    });
    if (!valid)
    {
        throw ScenarioError(entry.origin.ToText(),
                            entry.key,
                            Quote(name),
                            "a name of letters, digits, '-' and '_'");
    }
    const auto same = std::find_if(m_faults.begin(), m_faults.end(), [&name](const auto& line) {
        return line.name == name;
    });
    if (entry.value == NO_FAULT)
    {
        m_faults.erase(same, same == m_faults.end() ? same : std::next(same));
    }
    else if (same != m_faults.end())
    {
        *same = {name, entry.value, entry.origin};
    }
    else
    {
        m_faults.push_back({name, entry.value, entry.origin});
    }
}

const std::vector<FaultLine>&
ScenarioConfig::GetFaults() const
{
    return m_faults;
}

void
ScenarioConfig::ApplyProfile(const ScenarioPath& path, const std::string& section)
{
    const auto profileKey = section + ".profile";
    const auto name = Get(profileKey).AsText();
    const auto base = GetBaseSection(section);
    const auto file = path.Find("profiles/" + base + "/" + name + ".ini");
    if (file.empty() || name.empty())
    {
        const auto available = ListProfiles(path, base);
        std::string known;
        for (const auto& one : available)
        {
            known += (known.empty() ? "" : ", ") + one;
        }
        throw ScenarioError(GetOrigin(profileKey).ToText(),
                            profileKey,
                            Quote(name),
                            "a profile of profiles/" + base + ": " + known);
    }
    const auto profile = ScenarioFile::Load(file);
    for (const auto& entry : profile.GetEntries())
    {
        if (entry.key.rfind(base + ".", 0) != 0 || entry.key == base + ".profile")
        {
            throw ScenarioError(entry.origin.ToText(),
                                entry.key,
                                Quote(entry.value),
                                "keys of section " + base + " in its profile");
        }
        Apply({section + entry.key.substr(base.size()), entry.value, entry.origin});
    }
}

const ScenarioConfig::Setting&
ScenarioConfig::Find(const std::string& fullName) const
{
    const auto index = m_schema.Find(fullName).value();
    const auto section = GetNamedSection(fullName);
    if (section.empty())
    {
        return m_settings.at(index);
    }
    for (const auto& instance : m_instances)
    {
        const auto found = instance.settings.find(index);
        if (instance.section == section && found != instance.settings.end())
        {
            return found->second;
        }
    }
    return GetBaseSection(section) == WORKLOAD ? m_defaults.at(index) : m_settings.at(index);
}

const ScenarioValue&
ScenarioConfig::Get(const std::string& fullName) const
{
    return Find(fullName).value;
}

const ScenarioValue&
ScenarioConfig::Get(std::size_t index) const
{
    return m_settings.at(index).value;
}

const ScenarioOrigin&
ScenarioConfig::GetOrigin(const std::string& fullName) const
{
    return Find(fullName).origin;
}

const ScenarioSchema&
ScenarioConfig::GetSchema() const
{
    return m_schema;
}

void
ScenarioConfig::Refuse(const std::string& fullName, const std::string& expected) const
{
    throw ScenarioError(GetOrigin(fullName).ToText(),
                        fullName,
                        Quote(Get(fullName).ToText()),
                        expected);
}

std::string
ScenarioConfig::PopulationToIni(const ScenarioPath& path, const std::string& section) const
{
    std::string text;
    const auto kind = Get(section + ".kind").AsText();
    for (std::size_t index = 0; index < m_schema.GetKeyCount(); ++index)
    {
        const auto& name = m_schema.GetFullName(index);
        const std::string key = m_schema.GetKey(index).name;
        if (name != "workload." + key || key == "start_spread" || !IsKeyOfKind(index, kind))
        {
            continue;
        }
        const auto value = Get(std::string{section}.append(".").append(key)).ToText();
        text.append(key).append(" = ");
        text.append(key == "trace" ? LocateFile(path, value, TRACE_SUFFIX) : value).append("\n");
    }
    return text;
}

std::string
ScenarioConfig::InstancesToIni(const ScenarioPath& path, const std::string& base) const
{
    std::string text;
    for (const auto& instance : m_instances)
    {
        if (GetBaseSection(instance.section) != base)
        {
            continue;
        }
        text += "\n[" + instance.section + "]\n";
        if (base == WORKLOAD)
        {
            text += PopulationToIni(path, instance.section);
            continue;
        }
        for (const auto& [index, setting] : instance.settings)
        {
            text +=
                std::string(m_schema.GetKey(index).name) + " = " + setting.value.ToText() + "\n";
        }
    }
    return text;
}

std::string
ScenarioConfig::ToIni(const ScenarioPath& path, const std::string& sweepLists) const
{
    std::string text;
    std::size_t index = 0;
    for (const auto& section : m_schema.GetSections())
    {
        text += (text.empty() ? "" : "\n") + std::string("# ") + section.meaning + "\n[" +
                section.name + "]\n";
        for (const auto& key : section.keys)
        {
            const auto& name = m_schema.GetFullName(index);
            const auto value = Get(index).ToText();
            text += std::string("# ") + key.meaning + "\n" + key.name + " = " +
                    Locate(path, name, value) + "\n";
            ++index;
        }
        text += InstancesToIni(path, section.name);
        if (section.name == std::string("faults"))
        {
            for (const auto& line : m_faults)
            {
                text += std::string(line.name).append(" = ").append(line.sentence).append("\n");
            }
        }
        if (section.name == std::string("sweep"))
        {
            text += sweepLists;
        }
    }
    return text;
}

} // namespace ns3::nfsrdma
