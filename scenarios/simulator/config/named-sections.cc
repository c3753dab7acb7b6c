/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/named-sections.h"

#include "scenarios/simulator/keys/scenario-schema.h"

#include <algorithm>

namespace ns3::nfsrdma
{

const NamedSections::Section*
NamedSections::FindSection(const std::string& name) const
{
    const auto found = std::find_if(m_sections.begin(), m_sections.end(), [&](const auto& one) {
        return one.name == name;
    });
    return found == m_sections.end() ? nullptr : &*found;
}

void
NamedSections::Set(const std::string& section, std::size_t index, ScenarioSetting setting)
{
    auto found = std::find_if(m_sections.begin(), m_sections.end(), [&](const auto& one) {
        return one.name == section;
    });
    if (found == m_sections.end())
    {
        found = m_sections.insert(found, Section{section, {}});
    }
    found->settings[index] = std::move(setting);
}

const ScenarioSetting*
NamedSections::Find(const std::string& section, std::size_t index) const
{
    const auto* found = FindSection(section);
    if (found == nullptr)
    {
        return nullptr;
    }
    const auto setting = found->settings.find(index);
    return setting == found->settings.end() ? nullptr : &setting->second;
}

std::vector<std::string>
NamedSections::List(const std::string& base) const
{
    std::vector<std::string> names;
    for (const auto& section : m_sections)
    {
        if (GetBaseSection(section.name) == base)
        {
            names.push_back(section.name);
        }
    }
    return names;
}

std::vector<std::size_t>
NamedSections::GetKeysOf(const std::string& section) const
{
    std::vector<std::size_t> keys;
    if (const auto* found = FindSection(section))
    {
        for (const auto& [index, setting] : found->settings)
        {
            keys.push_back(index);
        }
    }
    return keys;
}

} // namespace ns3::nfsrdma
