/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/credit-pool.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <limits>

namespace ns3::nfsrdma
{
namespace
{

/// The part of the memory that only connections below their share grow into.
constexpr uint64_t PRESSURE_PART = 8;

uint32_t
ToCount(uint64_t count)
{
    return static_cast<uint32_t>(std::min<uint64_t>(count, std::numeric_limits<uint32_t>::max()));
}

} // namespace

SvcRdmaCreditPool::SvcRdmaCreditPool(std::unique_ptr<CreditGrantPolicy> policy,
                                     const SvcRdmaCreditLimits& limits)
    : m_policy(std::move(policy)),
      m_limits(limits),
      m_budget(m_policy->SharesPool() ? limits.receives : 0, limits.memory),
      m_serving(std::make_shared<bool>(false))
{
    m_budget.SetGiven([this] { HandleGiven(); });
}

void
SvcRdmaCreditPool::ChangeGrant(uint32_t before, uint32_t now)
{
    m_granted += now;
    m_granted -= before;
}

uint64_t
SvcRdmaCreditPool::GetMemoryLeft() const
{
    return m_limits.memory == 0
               ? std::numeric_limits<uint64_t>::max()
               : m_budget.GetRoom(1, std::max(GetKept(), 1U) - 1, m_limits.leastSize);
}

uint32_t
SvcRdmaCreditPool::GetShare(uint32_t size) const
{
    const uint32_t kept = GetKept();
    const uint64_t capacity = m_budget.GetCapacity(size);
    const uint64_t left = capacity > kept ? capacity - kept : 1;
    return ToCount(std::max<uint64_t>(left / std::max(m_connections, 1U), 1));
}

CreditSituation
SvcRdmaCreditPool::GetSituation(uint32_t size) const
{
    CreditSituation situation;
    situation.maximum = m_limits.maximum;
    situation.connections = m_connections;
    const uint32_t kept = GetKept();
    situation.pool = m_limits.receives > kept ? m_limits.receives - kept : 1;
    situation.mean = static_cast<uint32_t>(m_granted / std::max(m_connections, 1U));
    situation.share = GetShare(size);
    situation.pressure =
        m_limits.memory != 0 &&
        m_budget.GetRoom(1, GetKept(), m_limits.leastSize) < m_limits.memory / PRESSURE_PART;
    return situation;
}

uint32_t
SvcRdmaCreditPool::Grant(uint32_t requested,
                         uint32_t granted,
                         uint32_t inService,
                         uint32_t size) const
{
    CreditSituation situation = GetSituation(size);
    situation.requested = requested;
    situation.granted = granted;
    situation.inService = inService;
    return m_policy->Grant(situation);
}

uint32_t
SvcRdmaCreditPool::LimitGrowth(uint32_t wanted, uint32_t held, uint32_t size) const
{
    const uint64_t room = m_budget.GetRoom(size, GetKept(), m_limits.leastSize);
    const uint32_t share = GetShare(size);
    const uint64_t toShare = std::min<uint64_t>({wanted, room, share > held ? share - held : 0});
    if (m_limits.memory == 0)
    {
        return ToCount(std::min<uint64_t>(wanted, room));
    }
    const uint64_t last = m_limits.memory / PRESSURE_PART / size;
    const uint64_t beyond = room > last ? room - last : 0;
    return ToCount(std::max(toShare, std::min<uint64_t>(wanted, beyond)));
}

void
SvcRdmaCreditPool::Forget()
{
    m_waitingCalls.clear();
    m_waitingConnections.clear();
}

void
SvcRdmaCreditPool::HandleGiven()
{
    if (*m_serving || (m_waitingCalls.empty() && m_waitingConnections.empty()))
    {
        return;
    }
    *m_serving = true;
    Simulator::ScheduleNow([this, there = std::weak_ptr<bool>(m_serving)] {
        if (const auto serving = there.lock())
        {
            *serving = false;
            Serve();
        }
    });
}

void
SvcRdmaCreditPool::Serve()
{
    ServeFrom(m_waitingCalls);
    ServeFrom(m_waitingConnections);
}

void
SvcRdmaCreditPool::ServeFrom(Ring<Waiter>& waiters)
{
    while (!waiters.empty())
    {
        const Waiter waiter = waiters.front();
        if (!waiter())
        {
            return;
        }
        if (!waiters.empty())
        {
            waiters.pop_front();
        }
    }
}

} // namespace ns3::nfsrdma
