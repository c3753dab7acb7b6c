/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/plugins.h"

#include <algorithm>

namespace ns3::nfsrdma
{

std::vector<Plugin>
LoadPlugins(const std::vector<ScenarioEntry>& entries, const ScenarioPath& path)
{
    const auto last = std::find_if(entries.rbegin(), entries.rend(), [](const auto& entry) {
        return entry.key == PLUGINS_KEY;
    });
    std::vector<Plugin> plugins;
    if (last == entries.rend())
    {
        return plugins;
    }
    for (const auto& name : SplitList(last->value))
    {
        if (name.empty())
        {
            continue;
        }
        const auto file = path.Find(name);
        const auto plugin = LoadPlugin(file.empty() ? name : file);
        if (!plugin)
        {
            throw ScenarioError(last->origin.ToText(), PLUGINS_KEY, Quote(name), plugin.error());
        }
        plugins.push_back(*plugin);
    }
    return plugins;
}

} // namespace ns3::nfsrdma
