/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/adversary/registry.h"
#include "scenarios/simulator/config/scenario-config.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

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

} // namespace ns3::nfsrdma
