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
    switch (kind)
    {
    case HostFaultKind::CRASH:
        return "a client does not crash: the programs on it would be gone";
    case HostFaultKind::RESTART:
        return "a client has no nfsd to restart";
    case HostFaultKind::THREAD_STALL:
        return "a client has no nfsd threads";
    case HostFaultKind::STORAGE_STALL:
        return "a client has no storage";
    default:
        return "";
    }
}

} // namespace ns3::nfsrdma
