/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SETTING_KEYS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SETTING_KEYS_H

#include "scenarios/simulator/keys/scenario-key.h"
#include "settings/setting.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// \return the key that sets the attribute of \p row, of the class \p model.
[[nodiscard]] ScenarioKey MakeKey(const SettingRow& row, const std::string& model);

/// Appends a key for each of \p rows, settings of the class \p model, to \p keys.
template <typename S>
void
AppendKeys(std::vector<ScenarioKey>& keys,
           const std::vector<Setting<S>>& rows,
           const std::string& model)
{
    for (const auto& row : rows)
    {
        keys.push_back(MakeKey(row, model));
    }
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SETTING_KEYS_H
