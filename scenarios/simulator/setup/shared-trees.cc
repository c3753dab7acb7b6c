/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/shared-trees.h"

#include "scenarios/simulator/setup/client-list.h"
#include "workload/replay/csv-fields.h"

#include <string_view>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t OWN = 0;
constexpr uint64_t ALL = UINT32_MAX;

/// \return how many clients have one export at most: OWN, ALL, or a number.
uint64_t
ParseExports(const ScenarioConfig& config, const std::string& section)
{
    constexpr std::string_view BY = "shared by ";
    const auto key = section + ".exports";
    const auto text = config.Get(key).AsText();
    if (text == "own")
    {
        return OWN;
    }
    uint64_t most = ALL;
    if (text != "shared")
    {
        const auto number = text.compare(0, BY.size(), BY) == 0
                                ? ParseUnsigned(text.substr(BY.size()), ALL - 1)
                                : std::nullopt;
        if (number.value_or(0) == 0)
        {
            config.Refuse(key, "own, shared, or shared by N, such as shared by 4");
        }
        most = *number;
    }
    if (config.Get(section + ".kind").AsText() == "replay")
    {
        config.Refuse(key,
                      "own, since a replay fills the export of its client with what was recorded "
                      "(shared: mix, fio, mdtest, listing, acl, lock)");
    }
    return most;
}

} // namespace

std::map<uint32_t, std::string>
ResolveSharedTrees(const ScenarioConfig& config)
{
    std::map<uint32_t, std::pair<uint64_t, std::string>> chosen;
    for (const auto& section : config.GetWorkloadSections())
    {
        const uint64_t most = ParseExports(config, section);
        for (const uint32_t client : ResolveClients(config, section))
        {
            const auto [known, first] = chosen.emplace(client, std::pair(most, section));
            if (!first && known->second.first != most)
            {
                const auto& other = known->second.second;
                std::string expected = config.Get(other + ".exports").AsText();
                expected += ", as of [" + other + "]: the workloads of client ";
                expected += std::to_string(client) + " have one mount";
                config.Refuse(section + ".exports", expected);
            }
        }
    }
    const auto servers = static_cast<uint32_t>(config.Get("cluster.servers").AsInteger() *
                                               config.Get("cluster.servers_per_host").AsInteger());
    std::map<std::pair<uint32_t, uint64_t>, uint64_t> counts; // By server and size of groups.
    std::map<uint32_t, std::string> names;
    for (const auto& [client, choice] : chosen)
    {
        const uint64_t most = choice.first;
        if (most == OWN)
        {
            continue;
        }
        const uint64_t number = counts[{client % servers, most}]++ / most;
        names[client] =
            most == ALL ? "shared-tree"
                        : "shared-tree-" + std::to_string(number) + "-by-" + std::to_string(most);
    }
    return names;
}

} // namespace ns3::nfsrdma
