/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "client-list.h"

#include "workload/csv-fields.h"

namespace ns3::nfsrdma
{

std::set<uint32_t>
ResolveClients(const ScenarioConfig& config, const std::string& section)
{
    const auto key = section + ".clients";
    const auto text = config.Get(key).AsText();
    const auto total = static_cast<uint32_t>(config.Get("cluster.clients").AsInteger());
    std::set<uint32_t> clients;
    if (text == "all")
    {
        for (uint32_t client = 0; client < total; ++client)
        {
            clients.insert(client);
        }
        return clients;
    }
    for (const auto& item : SplitList(text))
    {
        const auto dash = item.find('-');
        const auto first = ParseUnsigned(item.substr(0, dash), UINT32_MAX);
        const auto last =
            dash == std::string::npos ? first : ParseUnsigned(item.substr(dash + 1), UINT32_MAX);
        if (!first || !last || *first > *last)
        {
            config.Refuse(key, "all, or numbers and ranges such as 0-3,7");
        }
        if (*last >= total)
        {
            config.Refuse(key,
                          "clients from 0 to " + std::to_string(total - 1) +
                              ", since cluster.clients is " + std::to_string(total));
        }
        for (uint64_t client = *first; client <= *last; ++client)
        {
            if (!clients.insert(static_cast<uint32_t>(client)).second)
            {
                config.Refuse(key, "each client once (" + std::to_string(client) + " is twice)");
            }
        }
    }
    if (clients.empty())
    {
        config.Refuse(key, "all, or numbers and ranges such as 0-3,7");
    }
    return clients;
}

} // namespace ns3::nfsrdma
