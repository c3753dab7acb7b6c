/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_KEYS_KEY_MAKERS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_KEYS_KEY_MAKERS_H

#include "scenarios/simulator/keys/scenario-value.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

// Short names for constraints in the tables of keys. A maximum of 0 means none.

/// Numbers that no key says a maximum of have 32 bits, as most attributes.
constexpr double MAX_INTEGER = 4294967295.0;
/// 1000 h in ns: sums and multiples of longer times do not fit ns-3's Time.
constexpr double MAX_DURATION = 3.6e15;

inline ScenarioConstraint
Integer(double minimum, double maximum = MAX_INTEGER)
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
Duration(double minimum = 0, double maximum = MAX_DURATION)
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

#endif // NFSRDMA_SCENARIOS_SIMULATOR_KEYS_KEY_MAKERS_H
