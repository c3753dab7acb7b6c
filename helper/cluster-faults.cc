/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cluster-faults.h"

#include "helper/client-fault-target.h"
#include "helper/server-fault-target.h"

namespace ns3::nfsrdma
{

HostFaultTargets
MakeHostFaultTargets(const Cluster& cluster)
{
    const auto servers = cluster.GetServerHostCount();
    HostFaultActions::Peers serverPeers;
    HostFaultActions::Peers clientPeers;
    for (uint32_t host = 0; host < cluster.GetHostCount(); ++host)
    {
        auto& peers = host < servers ? clientPeers : serverPeers;
        peers.emplace(cluster.GetHostName(host), cluster.GetAddress(host));
    }
    HostFaultTargets targets;
    for (uint32_t host = 0; host < cluster.GetHostCount(); ++host)
    {
        auto& target = targets[cluster.GetHostName(host)];
        if (host < servers)
        {
            std::vector<NfsRdmaServer> own;
            for (uint32_t i = host; i < cluster.GetServers().size(); i += servers)
            {
                own.push_back(cluster.GetServers()[i]);
            }
            target = std::make_unique<ServerFaultTarget>(std::move(own), serverPeers);
        }
        else
        {
            target = std::make_unique<ClientFaultTarget>(cluster.GetClients()[host - servers].stack,
                                                         clientPeers);
        }
    }
    return targets;
}

} // namespace ns3::nfsrdma
