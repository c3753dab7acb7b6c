/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_KEYS_POLICY_KEYS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_KEYS_POLICY_KEYS_H

#include "scenarios/simulator/keys/scenario-key.h"
#include "settings/setting.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A policy that a key may name, and what can be set of it alone.
struct PolicyKind
{
    std::string name;
    std::vector<SettingRow> rows;
};

/// A key of [rpcrdma] that names a policy.
struct PolicyChoice
{
    std::string key;    ///< Without the section.
    std::string target; ///< "Class::Attribute" that takes the name.
    std::vector<PolicyKind> kinds;

    /// \return the key of a row of one of them: as clients' and servers' keys are called.
    [[nodiscard]] std::string GetKey(const SettingRow& row) const;
};

/// \return the choices whose policies may have settings of their own, as those that plugins add.
[[nodiscard]] std::vector<PolicyChoice> GetPolicyChoices();

/// \return the keys of [rpcrdma] for settings of single policies.
[[nodiscard]] std::vector<ScenarioKey> MakePolicyKeys();

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_KEYS_POLICY_KEYS_H
