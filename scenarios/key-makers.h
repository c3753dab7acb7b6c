/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_KEY_MAKERS_H
#define NFSRDMA_SCENARIOS_KEY_MAKERS_H

#include "scenario-value.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

// Short names for constraints in the tables of keys. A maximum of 0 means none.

inline ScenarioConstraint
Integer(double minimum, double maximum = 0)
{
    return {ScenarioType::INTEGER, minimum, maximum, {}};
}

inline ScenarioConstraint
Real(double minimum, double maximum = 0)
{
    return {ScenarioType::REAL, minimum, maximum, {}};
}

inline ScenarioConstraint
Boolean()
{
    return {ScenarioType::BOOLEAN, 0, 0, {}};
}

/// Bounds in ns.
inline ScenarioConstraint
Duration(double minimum = 0, double maximum = 0)
{
    return {ScenarioType::TIME, minimum, maximum, {}};
}

/// Bounds in bit/s.
inline ScenarioConstraint
Rate(double minimum, double maximum = 0)
{
    return {ScenarioType::RATE, minimum, maximum, {}};
}

/// Bounds in octets.
inline ScenarioConstraint
Size(double minimum = 0, double maximum = 0)
{
    return {ScenarioType::SIZE, minimum, maximum, {}};
}

inline ScenarioConstraint
Choice(std::vector<std::string> choices)
{
    return {ScenarioType::CHOICE, 0, 0, std::move(choices)};
}

inline ScenarioConstraint
Text()
{
    return {ScenarioType::TEXT, 0, 0, {}};
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_KEY_MAKERS_H
