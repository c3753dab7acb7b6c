/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/run/pending-work.h"

#include "workload/generate/lock-counters.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

PendingWork::PendingWork(const ClusterPlan& plan, const Cluster& cluster, const FaultRun* faults)
    : m_cluster(cluster),
      m_faults(faults),
      m_grace(plan.nfs.longestGrace)
{
    for (uint32_t i = 0; i < cluster.GetClients().size(); ++i)
    {
        for (const auto& transport : cluster.GetClients()[i].stack.transports)
        {
            m_timers.push_back(
                std::make_unique<ClientTimers>(cluster.GetHostName(cluster.GetClientHost(i)),
                                               plan.stall.attempt,
                                               transport));
        }
        for (const auto& transport : cluster.GetClients()[i].stack.tcpTransports)
        {
            m_timers.push_back(
                std::make_unique<ClientTimers>(cluster.GetHostName(cluster.GetClientHost(i)),
                                               plan.stall.attempt,
                                               transport));
        }
    }
}

std::vector<PendingTimer>
PendingWork::Find() const
{
    std::vector<PendingTimer> pending;
    for (const auto& timers : m_timers)
    {
        timers->AddPending(pending);
    }
    for (uint32_t i = 0; i < m_cluster.GetClients().size(); ++i)
    {
        AddClient(pending, i);
    }
    for (uint32_t i = 0; i < m_cluster.GetServers().size(); ++i)
    {
        AddServer(pending, i);
    }
    AddFaults(pending);
    return pending;
}

uint64_t
PendingWork::CountOctets() const
{
    uint64_t octets = 0;
    for (uint32_t host = 0; host < m_cluster.GetHostCount(); ++host)
    {
        octets += m_cluster.GetDevice(host)->GetCounters().payloadReceived;
    }
    return octets;
}

void
PendingWork::AddClient(std::vector<PendingTimer>& pending, uint32_t client) const
{
    const Time now = Simulator::Now();
    const auto& one = m_cluster.GetClients()[client];
    const auto name = m_cluster.GetHostName(m_cluster.GetClientHost(client));
    for (const auto& workload : one.workloads)
    {
        TimeValue start;
        workload->GetAttribute("StartTime", start);
        if (workload->GetPhase() == WorkloadPhase::IDLE && start.Get() >= now)
        {
            pending.push_back(
                {start.Get(), name + ": workload " + workload->GetName() + " starts", false});
        }
        if (const auto lock = DynamicCast<LockWorkload>(workload);
            lock && lock->GetHeldUntil() > now)
        {
            pending.push_back(
                {lock->GetHeldUntil(), name + ": a lock has been held for hold_time", false});
        }
    }
    if (one.start > now)
    {
        pending.push_back({one.start, name + ": connects for the first time", false});
    }
    if (one.stack.files->GetPendingLocks() != 0)
    {
        pending.push_back({now, name + ": asks again for a lock", true});
    }
    if (one.nfsMount && one.nfsMount->IsBusy())
    {
        pending.push_back({now, name + ": asks again for its mount (nfs.tcp_timeout)", true});
    }
}

void
PendingWork::AddServer(std::vector<PendingTimer>& pending, uint32_t server) const
{
    const auto& one = m_cluster.GetServers()[server];
    if (one.storage->GetPending() != 0 && !one.storage->IsStalled())
    {
        pending.push_back({Simulator::Now(),
                           m_cluster.GetServerName(server) + ": " +
                               std::to_string(one.storage->GetPending()) +
                               " storage requests are under way",
                           false});
    }
}

void
PendingWork::AddFaults(std::vector<PendingTimer>& pending) const
{
    if (m_faults == nullptr)
    {
        return;
    }
    const Time now = Simulator::Now();
    for (const auto& fault : m_faults->GetPlan())
    {
        const auto& when = fault.when;
        if (when.mode == FaultWhen::Mode::AT && when.at >= now)
        {
            pending.push_back({when.at, "fault " + fault.name + ": " + fault.sentence, false});
        }
    }
    for (const auto& firing : m_faults->GetFirings())
    {
        if (firing.until >= now)
        {
            pending.push_back(
                {firing.until, "fault " + firing.name + " of " + firing.host + " ends", false});
        }
        else if (firing.what.find("crash") != std::string::npos && firing.until + m_grace >= now)
        {
            pending.push_back({firing.until + m_grace,
                               firing.host + ": the grace period ends (nfs.grace_time, "
                                             "nlm_grace_period)",
                               false});
        }
    }
}

} // namespace ns3::nfsrdma
