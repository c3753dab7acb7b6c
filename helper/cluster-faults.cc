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
    const auto servers = static_cast<uint32_t>(cluster.GetServers().size());
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
            target = std::make_unique<ServerFaultTarget>(cluster.GetServers()[host], serverPeers);
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
