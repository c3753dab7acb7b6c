/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/server/delegation-waiters.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

Nfs4DelegationWaiters::~Nfs4DelegationWaiters()
{
    Clear();
}

void
Nfs4DelegationWaiters::Add(std::vector<Nfs4FileKey> files, Time longest, std::function<void()> then)
{
    const auto waiter = std::make_shared<Waiter>();
    waiter->files = std::move(files);
    waiter->then = std::move(then);
    waiter->event = Simulator::Schedule(longest, &Nfs4DelegationWaiters::Wake, this, waiter);
    m_waiters.push_back(waiter);
}

void
Nfs4DelegationWaiters::Check(const std::function<bool(const Nfs4FileKey& file)>& isFree)
{
    for (const auto& waiter : m_waiters)
    {
        if (!waiter->woken && std::all_of(waiter->files.begin(), waiter->files.end(), isFree))
        {
            waiter->woken = true;
            waiter->event.Cancel();
            waiter->event = Simulator::ScheduleNow(&Nfs4DelegationWaiters::Wake, this, waiter);
        }
    }
}

void
Nfs4DelegationWaiters::Wake(const WaiterPtr& waiter)
{
    const auto found = std::find(m_waiters.begin(), m_waiters.end(), waiter);
    if (found != m_waiters.end())
    {
        m_waiters.erase(found);
        waiter->event = EventId();
        const auto then = std::move(waiter->then);
        then();
    }
}

void
Nfs4DelegationWaiters::WakeAll()
{
    for (const auto& waiter : std::exchange(m_waiters, {}))
    {
        waiter->event.Cancel();
        waiter->event = EventId();
        waiter->then();
    }
}

void
Nfs4DelegationWaiters::Clear()
{
    for (const auto& waiter : m_waiters)
    {
        waiter->event.Cancel();
        waiter->event = EventId();
    }
    m_waiters.clear();
}

} // namespace ns3::nfsrdma
