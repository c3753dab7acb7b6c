/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/adversary-registry.h"
#include "scenario-config.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

const char* const ADVERSARY = "adversary.";

/// \return true when \p target, "Class::Attribute", is of the role's class or one it comes from.
bool
IsOfRole(const std::string& target, const AdversaryEntry* entry)
{
    TypeId type;
    return entry != nullptr &&
           TypeId::LookupByNameFailSafe("ns3::nfsrdma::" + target.substr(0, target.find("::")),
                                        &type) &&
           (entry->getTypeId() == type || entry->getTypeId().IsChildOf(type));
}

} // namespace

bool
ScenarioConfig::IsKeyOfRole(std::size_t index, const std::string& role) const
{
    const auto& targets = m_schema.GetKey(index).targets;
    const auto* entry = AdversaryRegistry::Find(role);
    return targets.empty() ||
           std::any_of(targets.begin(), targets.end(), [entry](const std::string& target) {
               return IsOfRole(target, entry);
           });
}

std::string
ScenarioConfig::ListKeysOfRole(const std::string& role) const
{
    std::string keys;
    for (std::size_t index = 0; index < m_settings.size(); ++index)
    {
        if (m_schema.GetFullName(index).rfind(ADVERSARY, 0) == 0 && IsKeyOfRole(index, role))
        {
            keys += (keys.empty() ? "" : ", ") + std::string(m_schema.GetKey(index).name);
        }
    }
    return keys;
}

void
ScenarioConfig::CheckAdversary(const Instance& instance) const
{
    for (const char* needed : {"role", "hosts"})
    {
        if (instance.settings.count(m_schema.Find(std::string(ADVERSARY) + needed).value()) == 0)
        {
            throw ScenarioError(instance.settings.begin()->second.origin.ToText(),
                                instance.section,
                                std::string("no key ") + needed,
                                "role = NAME and hosts = client-0..3, server-1, ...");
        }
    }
    const auto role = Get(instance.section + ".role").AsText();
    for (const auto& [index, setting] : instance.settings)
    {
        if (role != "none" && !IsKeyOfRole(index, role))
        {
            throw ScenarioError(setting.origin.ToText(),
                                instance.section + "." + m_schema.GetKey(index).name,
                                Quote(setting.value.ToText()),
                                "keys of role " + role + ": " + ListKeysOfRole(role));
        }
    }
}

void
ScenarioConfig::CheckNoAdversary() const
{
    for (std::size_t index = 0; index < m_settings.size(); ++index)
    {
        const auto& name = m_schema.GetFullName(index);
        if (name.rfind(ADVERSARY, 0) == 0 &&
            m_settings[index].value.ToText() != m_defaults[index].value.ToText())
        {
            Refuse(name, "this key in sections [adversary NAME] alone");
        }
    }
}

} // namespace ns3::nfsrdma
