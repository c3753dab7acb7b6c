/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/svcrdma-credit-pool.h"

#include <algorithm>
#include <limits>

namespace ns3::nfsrdma
{

SvcRdmaCreditPool::SvcRdmaCreditPool(std::unique_ptr<CreditGrantPolicy> policy,
                                     uint32_t maximum,
                                     uint32_t receives,
                                     uint64_t memoryLimit)
    : m_policy(std::move(policy)),
      m_maximum(maximum),
      m_receives(receives),
      m_memoryLimit(memoryLimit)
{
}

void
SvcRdmaCreditPool::SetMaximum(uint32_t maximum)
{
    m_maximum = maximum;
}

uint32_t
SvcRdmaCreditPool::GetMaximum() const
{
    return m_maximum;
}

void
SvcRdmaCreditPool::AddConnection()
{
    ++m_connections;
}

void
SvcRdmaCreditPool::RemoveConnection()
{
    --m_connections;
}

void
SvcRdmaCreditPool::ChangeGrant(uint32_t before, uint32_t now)
{
    m_granted += now;
    m_granted -= before;
}

void
SvcRdmaCreditPool::ChangeMemory(uint64_t before, uint64_t now)
{
    m_memory += now - before;
    m_peakMemory = std::max(m_peakMemory, m_memory);
}

uint64_t
SvcRdmaCreditPool::GetMemory() const
{
    return m_memory;
}

uint64_t
SvcRdmaCreditPool::GetMemoryLeft() const
{
    return m_memoryLimit == 0 ? std::numeric_limits<uint64_t>::max()
                              : m_memoryLimit - std::min(m_memory, m_memoryLimit);
}

uint64_t
SvcRdmaCreditPool::GetPeakMemory() const
{
    return m_peakMemory;
}

CreditSituation
SvcRdmaCreditPool::GetSituation() const
{
    CreditSituation situation;
    situation.maximum = m_maximum;
    situation.connections = m_connections;
    situation.pool = m_receives;
    situation.mean = static_cast<uint32_t>(m_granted / std::max(m_connections, 1U));
    situation.pressure = m_memoryLimit != 0 && m_memory > m_memoryLimit;
    return situation;
}

uint32_t
SvcRdmaCreditPool::Grant(uint32_t requested, uint32_t granted, uint32_t inService) const
{
    CreditSituation situation = GetSituation();
    situation.requested = requested;
    situation.granted = granted;
    situation.inService = inService;
    return m_policy->Grant(situation);
}

uint32_t
SvcRdmaCreditPool::GrantFirst() const
{
    return m_policy->GrantFirst(GetSituation());
}

} // namespace ns3::nfsrdma
