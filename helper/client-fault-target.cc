/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/client-fault-target.h"

#include <utility>

namespace ns3::nfsrdma
{

ClientFaultTarget::ClientFaultTarget(const NfsRdmaClient& client, Peers peers)
    : HostFaultActions(client.node, client.device, std::move(peers)),
      m_client(client)
{
}

void
ClientFaultTarget::Act(const HostFault& fault)
{
    if (fault.kind == HostFaultKind::CRASH)
    {
        Crash(fault.duration);
        return;
    }
    HostFaultActions::Act(fault);
}

void
ClientFaultTarget::Crash(Time duration)
{
    TakeOffNetwork();
    if (m_crashes++ == 0)
    {
        m_client.Crash();
    }
    After(duration, [this] { Boot(); });
}

void
ClientFaultTarget::Boot()
{
    BringBack();
    if (--m_crashes == 0)
    {
        m_client.Boot();
    }
}

std::string
ClientFaultTarget::RefuseKind(HostFaultKind kind) const
{
    if (kind == HostFaultKind::CRASH && m_client.daemons)
    {
        return "a client with a lock manager does not crash: use nfs.local_lock = all, or NFSv4";
    }
    return HOST_FAULTS.at(static_cast<std::size_t>(kind)).notOfClients;
}

} // namespace ns3::nfsrdma
