/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/lease-renewal.h"

#include "nfs/v4/client/compounds.h"
#include "wire/ns3-version.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

Nfs4LeaseRenewal::Nfs4LeaseRenewal(Nfs4CompoundClient& client)
    : m_client(client)
{
}

void
Nfs4LeaseRenewal::SetPeriod(Time period)
{
    m_known = true;
    m_lease.SetPeriod(period);
    if (IsPending(m_event))
    {
        m_event.Cancel();
        Schedule();
    }
}

void
Nfs4LeaseRenewal::Schedule()
{
    if (m_client.GetManager().KeepsLease() && !IsPending(m_event))
    {
        m_event =
            Simulator::Schedule(m_lease.GetDelay(Simulator::Now()), &Nfs4LeaseRenewal::Renew, this);
    }
}

void
Nfs4LeaseRenewal::Renew()
{
    if (!m_lease.IsDue(Simulator::Now()) || m_renewing ||
        m_client.GetManager().Plan().IsRecovering())
    {
        Schedule();
        return;
    }
    m_renewing = true;
    auto task = std::make_shared<Nfs4Task>();
    if (!m_client.HasSessions())
    {
        task->build = [this](Compound4Args& compound) {
            compound.Add(RenewArgs4{m_client.GetSession().GetClientId()});
        };
    }
    task->done = [this](const Nfs4TaskReply& /* reply */) {
        m_renewing = false;
        Schedule();
    };
    m_client.GetTasks().Submit(task);
}

} // namespace ns3::nfsrdma
