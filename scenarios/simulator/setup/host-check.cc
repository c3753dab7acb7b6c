/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/host-check.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3::nfsrdma
{

namespace
{

uint64_t
CountPools(const std::string& mode, uint64_t sockets, uint64_t cores)
{
    if (mode == "percpu")
    {
        return cores;
    }
    return mode == "pernode" ? sockets : 1;
}

} // namespace

void
CheckHosts(const ScenarioConfig& config, const std::vector<HostSettings>& hosts)
{
    const uint64_t servers = config.Get("cluster.servers").AsInteger();
    const uint64_t serverCores = config.Get("host.server_cores").AsInteger();
    const uint64_t threads = config.Get("nfs.threads").AsInteger();
    const uint64_t minThreads = config.Get("nfs.min_threads").AsInteger();
    for (std::size_t host = 0; host < hosts.size(); ++host)
    {
        const std::string section = hosts[host].hostSection + ".";
        const uint64_t sockets = config.Get(section + "sockets").AsInteger();
        const bool hasCoresOfItsOwn = host < servers && serverCores > 0;
        const uint64_t cores =
            hasCoresOfItsOwn ? serverCores : config.Get(section + "cores").AsInteger();
        if (sockets > cores)
        {
            config.Refuse(section + "sockets",
                          "at most " + std::to_string(cores) +
                              (hasCoresOfItsOwn ? ", the server_cores of the host"
                                                : ", the cores of the host"));
        }
        const std::string mode = config.Get(section + "server_pool_mode").AsText();
        if (mode == "pernode" && sockets == 1)
        {
            config.Refuse(section + "server_pool_mode", "global or percpu on a host of one socket");
        }
        const uint64_t pools = CountPools(mode, sockets, cores);
        if (host < servers && threads < pools)
        {
            config.Refuse("nfs.threads",
                          "at least " + std::to_string(pools) +
                              ", one for each pool of host.server_pool_mode");
        }
        if (host < servers && minThreads * pools > threads)
        {
            config.Refuse("nfs.min_threads",
                          "at most " + std::to_string(threads / pools) +
                              ", what each pool has of nfs.threads");
        }
    }
}

} // namespace ns3::nfsrdma
