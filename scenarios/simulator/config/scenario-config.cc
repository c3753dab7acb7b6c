/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/scenario-config.h"

#include "fault/adversary/registry.h"
#include "scenarios/simulator/config/key-use.h"
#include "scenarios/simulator/config/named-section-check.h"
#include "workload/life.h"

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
const char* const KERNEL = "kernel";
/// Sections with profiles of their own.
const std::array<const char*, 5> PROFILED{"rnic", "rpcrdma", "storage", "host", "tls"};
/// Sections that a kernel's profile may have keys of.
const std::array<std::string, 6> OF_KERNEL{"tcp", "rnic", "host", "rpcrdma", "nfs", "storage"};
const char* const FAULTS = "faults.";
const char* const WORKLOAD = "workload";
const std::string ROLES = "adversary";
/// Before a key that does nothing in the scenario.
const std::string UNUSED = "# not used: ";
/// Before the default of a key of which NFSv2 allows less, so that it is read back with any
/// version.
const std::string NARROWED = "# the default, of which NFSv2 takes 8KiB: ";
const std::string TRANSFER_SIZE = "nfs.transfer_size";

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
    if (key == PLUGINS_KEY)
    {
        std::string files;
        for (const auto& file : SplitList(value))
        {
            files.append(files.empty() ? "" : ", ").append(LocateFile(path, file, ""));
        }
        return files;
    }
    return key == "topology.file" ? LocateFile(path, value, "") : value;
}

/// \return where a key whose full name is in \p text was written; a default when none was.
ScenarioOrigin
FindOriginOfNamed(const ScenarioConfig& config, const std::string& text)
{
    const auto isWord = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    for (std::size_t index = 0; index < config.GetSchema().GetKeyCount(); ++index)
    {
        const auto& name = config.GetSchema().GetFullName(index);
        const auto place = text.find(name);
        const auto end = place + name.size();
        if (place != std::string::npos && (end == text.size() || !isWord(text[end])) &&
            config.GetOrigin(name).source != ScenarioOrigin::DEFAULT)
        {
            return config.GetOrigin(name);
        }
    }
    return {ScenarioOrigin::DEFAULT, 0};
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
        Apply(entry, false);
    }
    for (std::size_t index = 0; index < schema.GetKeyCount(); ++index)
    {
        if (IsWritten(index))
        {
            m_writtenOfAll.insert(index);
        }
    }
    ApplyProfiles(path, false);
    ApplyKernel(path, KERNEL);
    for (const auto& section : m_named.List(KERNEL))
    {
        ApplyKernel(path, section);
    }
    ApplyProfiles(path, true);
    for (const auto& entry : entries)
    {
        Apply(entry, false);
    }
    FollowPort();
    const auto kind = m_schema.Find("workload.kind").value();
    if (!m_named.List(WORKLOAD).empty() &&
        m_settings[kind].origin.source == ScenarioOrigin::DEFAULT)
    {
        m_settings[kind].value = m_schema.ParseValue(kind, "none", ScenarioOrigin::DEFAULT);
    }
    CheckNamedSections(*this);
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
    return m_named.List(base);
}

std::vector<std::size_t>
ScenarioConfig::GetKeysOf(const std::string& section) const
{
    return m_named.GetKeysOf(section);
}

bool
ScenarioConfig::IsWritten(std::size_t index) const
{
    const auto& setting = m_settings.at(index);
    return setting.origin.source != ScenarioOrigin::DEFAULT && !setting.ofProfile;
}

bool
ScenarioConfig::IsWrittenIn(const std::string& section, std::size_t index) const
{
    const auto* setting = m_named.Find(section, index);
    return setting != nullptr && !setting->ofProfile;
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
    return key.targets.empty() || (workload != nullptr && key.Sets(workload->GetInstanceTypeId()));
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
ScenarioConfig::Apply(const ScenarioEntry& entry, bool ofProfile)
{
    if (entry.key.rfind(FAULTS, 0) == 0)
    {
        ApplyFault(entry);
        return;
    }
    const auto where = entry.origin.ToText();
    const auto index = m_schema.Require(entry.key, where);
    const auto section = GetNamedSection(entry.key);
    ScenarioSetting setting{m_schema.ParseValue(index, entry.value, where),
                            entry.origin,
                            ofProfile};
    if (section.empty())
    {
        m_settings[index] = std::move(setting);
    }
    else
    {
        m_named.Set(section, index, std::move(setting));
    }
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

bool
ScenarioConfig::HasProfile(const std::string& section, bool written) const
{
    const auto index = m_schema.Find(section + ".profile").value();
    const bool isNamed = section.find(' ') != std::string::npos;
    const auto* const setting = isNamed ? m_named.Find(section, index) : &m_settings[index];
    if (setting == nullptr || setting->ofProfile ||
        (setting->origin.source != ScenarioOrigin::DEFAULT) != written)
    {
        return false;
    }
    return m_schema.GetKey(index).defaultText != NO_PROFILE ||
           setting->value.AsText() != NO_PROFILE;
}

ScenarioFile
ScenarioConfig::LoadProfile(const ScenarioPath& path, const std::string& section) const
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
    return ScenarioFile::Load(file);
}

void
ScenarioConfig::ApplyProfile(const ScenarioPath& path, const std::string& section, bool ofKernel)
{
    const auto base = GetBaseSection(section);
    const auto profile = LoadProfile(path, section);
    for (const auto& entry : profile.GetEntries())
    {
        if (entry.key.rfind(base + ".", 0) != 0 || entry.key == base + ".profile")
        {
            throw ScenarioError(entry.origin.ToText(),
                                entry.key,
                                Quote(entry.value),
                                "keys of section " + base + " in its profile");
        }
        ApplyOfProfile({section + entry.key.substr(base.size()), entry.value, entry.origin},
                       ofKernel);
    }
}

void
ScenarioConfig::ApplyOfProfile(const ScenarioEntry& entry, bool ofKernel)
{
    const bool isNamed = !GetNamedSection(entry.key).empty();
    const auto index = m_schema.Require(entry.key, entry.origin.ToText());
    if (!ofKernel || !isNamed || m_writtenOfAll.count(index) == 0)
    {
        Apply(entry, true);
    }
}

void
ScenarioConfig::ApplyProfiles(const ScenarioPath& path, bool written)
{
    for (const auto* base : PROFILED)
    {
        auto sections = m_named.List(base);
        sections.insert(sections.begin(), base);
        for (const auto& section : sections)
        {
            if (HasProfile(section, written))
            {
                ApplyProfile(path, section, false);
            }
        }
    }
}

void
ScenarioConfig::ApplyKernel(const ScenarioPath& path, const std::string& section)
{
    if (!HasProfile(section, true))
    {
        return;
    }
    const auto profile = LoadProfile(path, section);
    const auto isProfile = [](const ScenarioEntry& entry) {
        return entry.key.substr(entry.key.find('.') + 1) == "profile";
    };
    for (const bool first : {true, false})
    {
        for (const auto& entry : profile.GetEntries())
        {
            if (isProfile(entry) == first)
            {
                ApplyKernelEntry(path, section, entry);
            }
        }
    }
}

void
ScenarioConfig::ApplyKernelEntry(const ScenarioPath& path,
                                 const std::string& section,
                                 const ScenarioEntry& entry)
{
    const auto base = entry.key.substr(0, entry.key.find('.'));
    const auto key = entry.key.substr(base.size());
    if (std::find(OF_KERNEL.begin(), OF_KERNEL.end(), base) == OF_KERNEL.end() || key == ".hosts")
    {
        throw ScenarioError(entry.origin.ToText(),
                            entry.key,
                            Quote(entry.value),
                            "keys of sections tcp, rnic, host, rpcrdma, nfs and storage in a "
                            "profile of a kernel, and none called hosts");
    }
    const bool isForAll = section == KERNEL;
    const bool hasGroups =
        std::find(GROUP_SECTIONS.begin(), GROUP_SECTIONS.end(), base) != GROUP_SECTIONS.end();
    if (!isForAll && !hasGroups)
    {
        const auto where = entry.origin.ToText();
        static_cast<void>(
            m_schema.ParseValue(m_schema.Require(entry.key, where), entry.value, where));
        return;
    }
    const auto own = base + section.substr(std::string(KERNEL).size());
    if (!isForAll)
    {
        Apply({own + ".hosts", Get(section + ".hosts").AsText(), GetOrigin(section + ".hosts")},
              true);
    }
    if (key != ".profile")
    {
        ApplyOfProfile({own + key, entry.value, entry.origin}, true);
        return;
    }
    const bool isWritten = HasProfile(own, true);
    const auto written = isWritten ? Get(own + key).AsText() : "";
    const auto origin = GetOrigin(own + key);
    Apply({own + key, entry.value, entry.origin}, true);
    ApplyProfile(path, own, true);
    if (isWritten)
    {
        Apply({own + key, written, origin}, false);
    }
}

const ScenarioSetting&
ScenarioConfig::Find(const std::string& fullName) const
{
    const auto index = m_schema.Find(fullName).value();
    const auto section = GetNamedSection(fullName);
    if (section.empty())
    {
        return m_settings.at(index);
    }
    if (const auto* setting = m_named.Find(section, index))
    {
        return *setting;
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

const ScenarioValue&
ScenarioConfig::GetDefault(std::size_t index) const
{
    return m_defaults.at(index).value;
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
    const auto& own = GetOrigin(fullName);
    const bool isDefault = own.source == ScenarioOrigin::DEFAULT;
    const auto origin = isDefault ? FindOriginOfNamed(*this, expected) : own;
    throw ScenarioError(origin.ToText(),
                        fullName,
                        Quote(Get(fullName).ToText()) + (isDefault ? ", the default" : ""),
                        expected);
}

std::string
ScenarioConfig::PopulationToIni(const ScenarioPath& path,
                                const KeyUse& use,
                                bool isSweep,
                                const std::string& section) const
{
    std::string text;
    for (std::size_t index = 0; index < m_schema.GetKeyCount(); ++index)
    {
        const auto& name = m_schema.GetFullName(index);
        const std::string key = m_schema.GetKey(index).name;
        if (name != "workload." + key || key == "start_spread" ||
            !(use.IsUsed(section, index) || (isSweep && IsWrittenIn(section, index))))
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
ScenarioConfig::NamedToIni(const ScenarioPath& path,
                           const KeyUse& use,
                           bool isSweep,
                           const std::string& base) const
{
    std::string text;
    for (const auto& section : m_named.List(base))
    {
        text += "\n[" + section + "]\n";
        if (base == WORKLOAD)
        {
            text += PopulationToIni(path, use, isSweep, section);
            continue;
        }
        for (const auto index : m_named.GetKeysOf(section))
        {
            const bool isUsed =
                use.IsUsed(section, index) || (isSweep && IsWrittenIn(section, index));
            text += (isUsed ? "" : UNUSED) + m_schema.GetKey(index).name + " = " +
                    m_named.Find(section, index)->value.ToText() + "\n";
        }
    }
    return text;
}

std::string
ScenarioConfig::ToIni(const ScenarioPath& path,
                      const std::string& sweepLists,
                      const std::string& nfsVersion) const
{
    const auto version = nfsVersion.empty() ? Get("nfs.version").AsText() : nfsVersion;
    const KeyUse use(*this, version);
    const bool isSweep = !sweepLists.empty();
    const bool mayBeNfs2 = version == "2" || sweepLists.find("nfs.version") != std::string::npos;
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
            const bool isUsed = section.name != ROLES &&
                                (use.IsUsed(section.name, index) || (isSweep && IsWritten(index)));
            const bool isNarrowed = name == TRANSFER_SIZE && !IsWritten(index) && mayBeNfs2;
            text += std::string("# ") + key.meaning + "\n" +
                    (!isUsed      ? UNUSED
                     : isNarrowed ? NARROWED
                                  : "") +
                    key.name + " = " + Locate(path, name, value) + "\n";
            ++index;
        }
        text += NamedToIni(path, use, isSweep, section.name);
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

bool
ScenarioConfig::IsKeyOfRole(std::size_t index, const std::string& role) const
{
    const auto& key = m_schema.GetKey(index);
    const auto* entry = GetAdversaryRoles().Find(role);
    return key.targets.empty() || (entry != nullptr && key.Sets(entry->GetType()));
}

} // namespace ns3::nfsrdma
