/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-config.h"

#include <filesystem>
#include <set>

namespace ns3::nfsrdma
{

namespace
{

const char* const NO_PROFILE = "none";

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

/// \return \p name with its directory, so that it is found from everywhere; as it is when there is
/// no such trace.
std::string
LocateTrace(const ScenarioPath& path, const std::string& name)
{
    const std::string suffix = ".trace.csv";
    const auto file = path.Find(name + suffix);
    if (file.empty())
    {
        return name;
    }
    std::error_code error;
    const auto whole = std::filesystem::canonical(file, error).string();
    return error ? name : whole.substr(0, whole.size() - suffix.size());
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
    for (const auto& entry : entries)
    {
        Apply(entry);
    }
    FollowPort();
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
    const auto where = entry.origin.ToText();
    const auto index = m_schema.Require(entry.key, where);
    m_settings[index] = {m_schema.ParseValue(index, entry.value, where), entry.origin};
}

void
ScenarioConfig::ApplyProfile(const ScenarioPath& path, const std::string& section)
{
    const auto profileKey = section + ".profile";
    const auto name = Get(profileKey).AsText();
    const auto file = path.Find("profiles/" + section + "/" + name + ".ini");
    if (file.empty() || name.empty())
    {
        const auto available = ListProfiles(path, section);
        std::string known;
        for (const auto& one : available)
        {
            known += (known.empty() ? "" : ", ") + one;
        }
        throw ScenarioError(GetOrigin(profileKey).ToText(),
                            profileKey,
                            Quote(name),
                            "a profile of profiles/" + section + ": " + known);
    }
    const auto profile = ScenarioFile::Load(file);
    for (const auto& entry : profile.GetEntries())
    {
        if (entry.key.rfind(section + ".", 0) != 0 || entry.key == profileKey)
        {
            throw ScenarioError(entry.origin.ToText(),
                                entry.key,
                                Quote(entry.value),
                                "keys of section " + section + " in its profile");
        }
        Apply(entry);
    }
}

const ScenarioValue&
ScenarioConfig::Get(const std::string& fullName) const
{
    return m_settings.at(m_schema.Find(fullName).value()).value;
}

const ScenarioValue&
ScenarioConfig::Get(std::size_t index) const
{
    return m_settings.at(index).value;
}

const ScenarioOrigin&
ScenarioConfig::GetOrigin(const std::string& fullName) const
{
    return m_settings.at(m_schema.Find(fullName).value()).origin;
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
                    (name == "workload.trace" ? LocateTrace(path, value) : value) + "\n";
            ++index;
        }
        if (section.name == std::string("sweep"))
        {
            text += sweepLists;
        }
    }
    return text;
}

} // namespace ns3::nfsrdma
