/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SCENARIO_KEY_H
#define NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SCENARIO_KEY_H

#include "scenarios/simulator/keys/scenario-value.h"

#include "ns3/type-id.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// \return whether \p target, "Class::Attribute" of ns3::nfsrdma, is of \p type or one it comes
/// from.
[[nodiscard]] bool IsTargetOf(const std::string& target, TypeId type);

/**
 * \brief One key of a scenario file, as the tables of scenario-keys.h declare it.
 */
struct ScenarioKey
{
    std::string name; ///< Without the section.
    ScenarioConstraint constraint;
    std::string defaultText;
    std::string meaning; ///< One line.
    /// ns-3 attributes that take the value, as "RnicDevice::MaxOrd" (of ns3::nfsrdma), or with the
    /// full TypeId name ("ns3::TcpSocketBase::MinRto"). Empty: the program uses it itself.
    std::vector<std::string> targets{};

    /// \return the unit, or "-".
    [[nodiscard]] const char* GetUnit() const;
    /// \return whether one of its targets is of \p type or one it comes from.
    [[nodiscard]] bool Sets(TypeId type) const;
};

/// A section of a scenario file and its keys.
struct ScenarioSection
{
    const char* name;
    const char* meaning; ///< One line.
    std::vector<ScenarioKey> keys;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SCENARIO_KEY_H
