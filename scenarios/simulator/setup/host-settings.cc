/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/host-settings.h"

#include "scenarios/simulator/config/host-range.h"

#include <algorithm>
#include <map>

namespace ns3::nfsrdma
{

namespace
{

const char* const EXPECTED = "clients, servers, all, or hosts such as client-0..3, server-1";

/// \return the hosts of one item of a list; none when it is not one.
std::vector<std::string>
ListHosts(const ClusterHosts& cluster, const std::string& item)
{
    auto names = cluster.GetNames();
    const auto firstClient = names.begin() + static_cast<std::ptrdiff_t>(cluster.servers);
    if (item == "all")
    {
        return names;
    }
    if (item == "servers")
    {
        return {names.begin(), firstClient};
    }
    if (item == "clients")
    {
        return {firstClient, names.end()};
    }
    return ExpandHostRange(item);
}

/// \return where HostSettings has the section [BASE] or [BASE NAME] of a host.
std::string HostSettings::*
GetPlace(const std::string& base)
{
    static const std::map<std::string, std::string HostSettings::*> PLACES{
        {"kernel", &HostSettings::kernelSection},
        {"link", &HostSettings::linkSection},
        {"rnic", &HostSettings::rnicSection},
        {"host", &HostSettings::hostSection},
        {"rpcrdma", &HostSettings::rpcrdmaSection}};
    return PLACES.at(base);
}

/// Notes \p section for the hosts it names. \param place of the section in HostSettings
void
Assign(const ScenarioConfig& config,
       const std::string& section,
       std::string HostSettings::*place,
       std::vector<HostSettings>& settings)
{
    const bool isKernel = place == &HostSettings::kernelSection;
    for (const uint32_t host : ResolveHosts(config, section))
    {
        if (isKernel && host < config.Get("cluster.servers").AsInteger())
        {
            config.Refuse(section + ".hosts",
                          "clients: servers run the kernel of [kernel], since [nfs] is the same "
                          "for all of them");
        }
        auto& assigned = settings[host].*place;
        if (assigned.find(' ') != std::string::npos)
        {
            config.Refuse(section + ".hosts",
                          "hosts that [" + assigned + "] does not name (" +
                              GetClusterHosts(config).GetNames()[host] + " is in both)");
        }
        assigned = section;
    }
}

} // namespace

ClusterHosts
GetClusterHosts(const ScenarioConfig& config)
{
    return {static_cast<uint32_t>(config.Get("cluster.clients").AsInteger()),
            static_cast<uint32_t>(config.Get("cluster.servers").AsInteger())};
}

std::vector<uint32_t>
ResolveHosts(const ScenarioConfig& config, const std::string& section)
{
    const auto key = section + ".hosts";
    const auto cluster = GetClusterHosts(config);
    const auto names = cluster.GetNames();
    std::map<std::string, uint32_t> numbers;
    for (uint32_t host = 0; host < names.size(); ++host)
    {
        numbers.emplace(names[host], host);
    }
    std::vector<uint32_t> hosts;
    for (const auto& item : SplitList(config.Get(key).AsText()))
    {
        const auto listed = ListHosts(cluster, item);
        if (listed.empty())
        {
            config.Refuse(key, EXPECTED);
        }
        for (const auto& name : listed)
        {
            const auto found = numbers.find(name);
            if (found == numbers.end())
            {
                config.Refuse(key,
                              "hosts of the cluster: clients up to client-" +
                                  std::to_string(cluster.clients - 1) + ", servers up to server-" +
                                  std::to_string(cluster.servers - 1));
            }
            hosts.push_back(found->second);
        }
    }
    std::sort(hosts.begin(), hosts.end());
    const auto twice = std::adjacent_find(hosts.begin(), hosts.end());
    if (hosts.empty() || twice != hosts.end())
    {
        config.Refuse(key,
                      hosts.empty() ? EXPECTED : "each host once (" + names[*twice] + " is twice)");
    }
    return hosts;
}

std::vector<HostSettings>
ResolveHostSettings(const ScenarioConfig& config)
{
    const auto cluster = GetClusterHosts(config);
    std::vector<HostSettings> settings(cluster.clients + cluster.servers);
    for (const auto* base : GROUP_SECTIONS)
    {
        for (const auto& section : config.GetGroupSections(base))
        {
            Assign(config, section, GetPlace(base), settings);
        }
    }
    const auto rate = config.GetSchema().Find("link.rate").value();
    for (auto& host : settings)
    {
        const auto keys = config.GetKeysOf(host.linkSection);
        const bool follows =
            host.rnicSection != "rnic" && std::find(keys.begin(), keys.end(), rate) == keys.end();
        host.portRate = config.Get(host.rnicSection + ".port_rate").AsRate();
        host.linkRate = config.Get(host.linkSection + ".rate").AsRate();
        host.ports = static_cast<uint32_t>(config.Get(host.hostSection + ".ports").AsInteger());
        host.mtu = static_cast<uint16_t>(config.Get(host.linkSection + ".mtu").AsInteger());
        if (follows)
        {
            host.linkRate = std::min(host.linkRate, host.portRate);
        }
    }
    return settings;
}

uint64_t
CountConnections(const ScenarioConfig& config,
                 const std::vector<HostSettings>& settings,
                 std::size_t host)
{
    const auto servers = static_cast<std::size_t>(config.Get("cluster.servers").AsInteger());
    const bool hasRails = config.Get("topology.shape").AsText() == "rails";
    const auto ofClient = [&](std::size_t client) {
        const auto own = config.Get(settings[client].rpcrdmaSection + ".client_nconnect");
        const auto ofOne =
            own.AsInteger() > 0 ? own.AsInteger() : config.Get("nfs.nconnect").AsInteger();
        const auto common =
            std::min(settings[client].ports, settings[(client - servers) % servers].ports);
        const auto addresses = config.Get("nfs.max_connect").AsInteger();
        return ofOne + (hasRails ? std::min<uint64_t>(addresses, common) - 1 : 0);
    };
    if (host >= servers)
    {
        return ofClient(host);
    }
    uint64_t connections = 0;
    for (std::size_t client = servers + host; client < settings.size(); client += servers)
    {
        connections += ofClient(client);
    }
    return connections;
}

uint64_t
CountServerConnections(const ScenarioConfig& config,
                       const std::vector<HostSettings>& settings,
                       std::size_t host)
{
    const uint64_t servers = config.Get("cluster.servers_per_host").AsInteger();
    return (CountConnections(config, settings, host) + servers - 1) / servers;
}

LinkTraits
MakeHostLink(const ScenarioConfig& config, const HostSettings& host)
{
    LinkTraits traits;
    for (const auto index : config.GetKeysOf(host.linkSection))
    {
        const std::string key = config.GetSchema().GetKey(index).name;
        const auto& value = config.Get(host.linkSection + "." + key);
        if (key == "delay")
        {
            traits.delay = value.AsTime().GetNanoSeconds();
        }
        else if (key == "host_queue")
        {
            traits.hostQueue = static_cast<uint32_t>(value.AsInteger());
        }
        else if (key == "switch_queue")
        {
            traits.queue = static_cast<uint32_t>(value.AsInteger());
        }
        else if (key == "mtu")
        {
            traits.mtu = static_cast<uint16_t>(value.AsInteger());
        }
    }
    if (host.linkRate != config.Get("link.rate").AsRate())
    {
        traits.rate = host.linkRate.GetBitRate();
    }
    return traits;
}

uint16_t
GetLargestMtu(const std::vector<HostSettings>& hosts)
{
    uint16_t largest = 0;
    for (const auto& host : hosts)
    {
        largest = std::max(largest, host.mtu);
    }
    return largest;
}

} // namespace ns3::nfsrdma
