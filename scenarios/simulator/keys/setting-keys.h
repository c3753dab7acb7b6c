/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SETTING_KEYS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SETTING_KEYS_H

#include "scenarios/simulator/keys/scenario-key.h"
#include "settings/setting.h"

#include "ns3/abort.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// \return the key that sets the attribute of \p row, of the class \p model.
[[nodiscard]] ScenarioKey MakeKey(const SettingRow& row,
                                  const std::string& model,
                                  const std::string& prefix);

/// Appends a key for each of \p rows, settings of the class \p model, to \p keys; \p prefix stands
/// before the name of each.
template <typename S>
void
AppendKeys(std::vector<ScenarioKey>& keys,
           const std::vector<Setting<S>>& rows,
           const std::string& model,
           const std::string& prefix = "")
{
    for (const auto& row : rows)
    {
        keys.push_back(MakeKey(row, model, prefix));
    }
}

/// The same of those of \p rows that are called \p names, words between blanks, in that order.
template <typename S>
void
AppendKeys(std::vector<ScenarioKey>& keys,
           const std::vector<Setting<S>>& rows,
           const std::string& model,
           const std::string& prefix,
           const std::string& names)
{
    std::istringstream words(names);
    for (std::string word; words >> word;)
    {
        const auto row = std::find_if(rows.begin(), rows.end(), [&word](const SettingRow& each) {
            return each.GetKey() == word;
        });
        NS_ABORT_MSG_IF(row == rows.end(), "no setting of " << model << " has the key " << word);
        keys.push_back(MakeKey(*row, model, prefix));
    }
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SETTING_KEYS_H
