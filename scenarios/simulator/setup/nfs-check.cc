/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/nfs-check.h"

#include "nfs/v2/file-client2.h"

#include <algorithm>

namespace ns3::nfsrdma
{

bool
HasWorkload(const ScenarioConfig& config, const std::string& kind)
{
    const auto sections = config.GetWorkloadSections();
    return std::any_of(sections.begin(), sections.end(), [&](const std::string& section) {
        return config.Get(section + ".kind").AsText() == kind;
    });
}

bool
HasLockManagers(const ScenarioConfig& config)
{
    const auto version = config.Get("nfs.version").AsText();
    return (version == "2" || version == "3") && config.Get("nfs.local_lock").AsText() != "all";
}

void
CheckServersPerHost(const ScenarioConfig& config)
{
    const std::string key = "cluster.servers_per_host";
    const auto servers = config.Get(key).AsInteger();
    if (servers == 1)
    {
        return;
    }
    if (HasWorkload(config, "replay"))
    {
        config.Refuse(key, "1 with a workload of kind replay, which replays one server of a host");
    }
    if (!config.GetGroupSections("adversary").empty())
    {
        config.Refuse(key, "1 with adversaries, who are at one server of a host");
    }
    const auto hosts =
        config.Get("cluster.clients").AsInteger() + config.Get("cluster.servers").AsInteger();
    constexpr uint64_t HOST_ADDRESSES = 65534;
    if (servers * hosts > HOST_ADDRESSES)
    {
        config.Refuse(key,
                      "at most " + std::to_string(HOST_ADDRESSES / hosts) + " with " +
                          std::to_string(hosts) + " hosts: their network has 65534 addresses");
    }
    const uint64_t all = servers * config.Get("cluster.servers").AsInteger();
    if (all > config.Get("cluster.clients").AsInteger())
    {
        config.Refuse(key,
                      "a client for each server: cluster.clients is " +
                          config.Get("cluster.clients").ToText() + ", of " + std::to_string(all) +
                          " servers");
    }
}

void
CheckNfs2(const ScenarioConfig& config)
{
    for (const char* const key : {"nfs.handle", "nfs.root_handle"})
    {
        if (config.Get(key).AsInteger() > NFS2_FHSIZE)
        {
            config.Refuse(key, "32B at most with NFSv2 (RFC 1094 section 2.3.3)");
        }
    }
    if (config.GetOrigin("nfs.transfer_size").source != ScenarioOrigin::DEFAULT &&
        config.Get("nfs.transfer_size").AsInteger() > NFS2_MAXDATA)
    {
        config.Refuse("nfs.transfer_size", "8KiB at most with NFSv2 (RFC 1094 section 2.3)");
    }
    for (const std::string& section : config.GetWorkloadSections())
    {
        if (config.Get(section + ".kind").AsText() == "fio" &&
            config.Get(section + ".size").AsInteger() > Nfs2FileClient::MAX_FILE_SIZE)
        {
            config.Refuse(section + ".size",
                          "2147483647B at most with NFSv2, whose offsets have 32 bits");
        }
    }
}

void
CheckCaches(const ScenarioConfig& config)
{
    for (const std::string kind : {"acreg", "acdir"})
    {
        const std::string least = "nfs." + kind + "min";
        const std::string most = "nfs." + kind + "max";
        if (config.Get(least).AsTime() > config.Get(most).AsTime())
        {
            const bool isLeast = config.GetOrigin(least).source != ScenarioOrigin::DEFAULT;
            config.Refuse(isLeast ? least : most,
                          isLeast ? "no more than " + most + ", " + config.Get(most).ToText()
                                  : "no less than " + least + ", " + config.Get(least).ToText());
        }
    }
}

void
CheckLocks(const ScenarioConfig& config)
{
    const auto version = config.Get("nfs.version").AsText();
    if (version != "2" && version != "3" &&
        config.GetOrigin("nfs.local_lock").source != ScenarioOrigin::DEFAULT)
    {
        config.Refuse("nfs.local_lock", "no such key with NFSv4, whose server knows all locks");
    }
    if (!HasLockManagers(config))
    {
        return;
    }
    constexpr int64_t RPCBIND = 111;
    const auto port = [&config](const char* key) {
        return static_cast<int64_t>(config.Get(key).AsInteger());
    };
    const auto lockd = port("nfs.lockd_port");
    const auto statd = port("nfs.statd_port");
    for (const char* const other : {"nfs.port", "nfs.mountd_port"})
    {
        if (port(other) == RPCBIND || port(other) == lockd || port(other) == statd)
        {
            config.Refuse(other,
                          "a port other than rpcbind's, 111, nfs.lockd_port and nfs.statd_port");
        }
    }
    if (lockd == RPCBIND || lockd == statd)
    {
        config.Refuse("nfs.lockd_port", "a port other than rpcbind's, 111, and nfs.statd_port");
    }
    if (statd == RPCBIND)
    {
        config.Refuse("nfs.statd_port", "a port other than rpcbind's, 111");
    }
}

} // namespace ns3::nfsrdma
