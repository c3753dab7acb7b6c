/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/client-fault-target.h"

#include <utility>

namespace ns3::nfsrdma
{

ClientFaultTarget::ClientFaultTarget(const NfsRdmaClient& client, Peers peers)
    : HostFaultActions(client.node, client.device, std::move(peers))
{
}

std::string
ClientFaultTarget::RefuseKind(HostFaultKind kind) const
{
    return HOST_FAULTS.at(static_cast<std::size_t>(kind)).notOfClients;
}

} // namespace ns3::nfsrdma
