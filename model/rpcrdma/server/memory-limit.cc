/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/memory-limit.h"

#include "ns3/callback.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

SvcRdmaMemoryLimit::SvcRdmaMemoryLimit(Ptr<HostMemory> memory,
                                       uint64_t limit,
                                       std::shared_ptr<SvcRdmaStatistics> statistics,
                                       std::function<void(uint64_t, uint64_t)> refused)
    : m_memory(memory),
      m_limit(limit),
      m_statistics(std::move(statistics)),
      m_refused(std::move(refused))
{
    m_memory->TraceConnectWithoutContext("Charged",
                                         MakeCallback(&SvcRdmaMemoryLimit::NoteCharge, this));
}

SvcRdmaMemoryLimit::~SvcRdmaMemoryLimit()
{
    m_memory->TraceDisconnectWithoutContext("Charged",
                                            MakeCallback(&SvcRdmaMemoryLimit::NoteCharge, this));
}

void
SvcRdmaMemoryLimit::Add(HostMemoryAccount account)
{
    m_accounts.insert(account);
}

bool
SvcRdmaMemoryLimit::Allows(uint64_t octets)
{
    if (m_held + octets <= m_limit)
    {
        return true;
    }
    ++m_statistics->memoryRefused;
    m_refused(octets, m_held);
    return false;
}

void
SvcRdmaMemoryLimit::NoteCharge(HostMemoryAccount account,
                               HostMemoryCharge charge,
                               uint64_t before,
                               uint64_t now)
{
    const bool counts = charge == HostMemoryCharge::RECEIVES || charge == HostMemoryCharge::SENDS ||
                        charge == HostMemoryCharge::REPLY_PAGES ||
                        charge == HostMemoryCharge::READ_SINKS;
    if (counts && m_accounts.count(account) != 0)
    {
        m_held += now;
        m_held -= std::min(m_held, before);
        m_statistics->memoryPeak = std::max(m_statistics->memoryPeak, m_held);
    }
    if (counts && charge != HostMemoryCharge::REPLY_PAGES && m_accounts.count(account) != 0)
    {
        m_asked += now;
        m_asked -= std::min(m_asked, before);
        m_statistics->memoryHeldPeak = std::max(m_statistics->memoryHeldPeak, m_asked);
    }
}

} // namespace ns3::nfsrdma
