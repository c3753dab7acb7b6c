/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_PLUGINS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_PLUGINS_H

#include "helper/plugin.h"
#include "scenarios/simulator/config/scenario-config.h"
#include "scenarios/simulator/config/scenario-file.h"

#include <vector>

namespace ns3::nfsrdma
{

/// Loads the plugins that the last of \p entries on PLUGINS_KEY names; a schema that is made
/// afterwards has their keys. Throws ScenarioError.
/// \return them, in the order of the key
[[nodiscard]] std::vector<Plugin> LoadPlugins(const std::vector<ScenarioEntry>& entries,
                                              const ScenarioPath& path);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_PLUGINS_H
