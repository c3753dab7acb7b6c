/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/scenario-key.h"

#include <algorithm>

namespace ns3::nfsrdma
{

bool
IsTargetOf(const std::string& target, TypeId type)
{
    TypeId owner;
    return TypeId::LookupByNameFailSafe("ns3::nfsrdma::" + target.substr(0, target.find("::")),
                                        &owner) &&
           (type == owner || type.IsChildOf(owner));
}

bool
ScenarioKey::Sets(TypeId type) const
{
    return std::any_of(targets.begin(), targets.end(), [type](const std::string& target) {
        return IsTargetOf(target, type);
    });
}

const char*
ScenarioKey::GetUnit() const
{
    switch (constraint.type)
    {
    case ScenarioType::TIME:
        return "h, min, s, ms, us, ns";
    case ScenarioType::RATE:
        return "Tbps, Gbps, Mbps, kbps, bps";
    case ScenarioType::SIZE:
        return "B, KiB, MiB, GiB, TiB";
    default:
        return "-";
    }
}

} // namespace ns3::nfsrdma
