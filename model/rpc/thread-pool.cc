/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/thread-pool.h"

#include "ns3/assert.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(RpcThreadPool);

TypeId
RpcThreadPool::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::RpcThreadPool")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<RpcThreadPool>()
            .AddTraceSource("Busy",
                            "Threads held have changed: before, now.",
                            MakeTraceSourceAccessor(&RpcThreadPool::m_busy),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("Queued",
                            "Calls that wait have changed: before, now.",
                            MakeTraceSourceAccessor(&RpcThreadPool::m_queued),
                            "ns3::TracedValueCallback::Uint32")
            .AddTraceSource("Arrived",
                            "A call waits, one of so many.",
                            MakeTraceSourceAccessor(&RpcThreadPool::m_arrivedTrace),
                            "ns3::nfsrdma::RpcThreadPool::ArrivedTracedCallback")
            .AddTraceSource("Taken",
                            "A thread takes a call, which has waited.",
                            MakeTraceSourceAccessor(&RpcThreadPool::m_takenTrace),
                            "ns3::nfsrdma::RpcThreadPool::TakenTracedCallback")
            .AddTraceSource("Released",
                            "A thread is through with its call: how long that held it.",
                            MakeTraceSourceAccessor(&RpcThreadPool::m_releasedTrace),
                            "ns3::nfsrdma::RpcThreadPool::ReleasedTracedCallback");
    return tid;
}

void
RpcThreadPool::Arrive()
{
    SetQueued(m_queued + 1);
    m_arrivedTrace(m_queued);
}

bool
RpcThreadPool::HasFree() const
{
    return m_busy + std::min(m_stalled, m_size) < m_size;
}

std::size_t
RpcThreadPool::Take(Time arrival)
{
    NS_ASSERT(HasFree() && m_queued != 0);
    std::size_t thread = m_threads.size();
    if (m_idle.empty())
    {
        m_threads.emplace_back();
    }
    else
    {
        thread = m_idle.back();
        m_idle.pop_back();
    }
    const Time now = Simulator::Now();
    const Time waited = now - arrival;
    m_threads[thread].taken = now;
    ++m_statistics.taken;
    m_statistics.waited += waited;
    m_statistics.longestWait = std::max(m_statistics.longestWait, waited);
    SetQueued(m_queued - 1);
    SetBusy(m_busy + 1);
    m_takenTrace(thread, waited);
    return thread;
}

void
RpcThreadPool::Release(std::size_t thread)
{
    Thread& used = m_threads.at(thread);
    const Time held = Simulator::Now() - used.taken;
    ++used.account.calls;
    used.account.held += held;
    ++m_statistics.released;
    m_statistics.held += held;
    m_idle.push_back(thread);
    SetBusy(m_busy - 1);
    m_releasedTrace(thread, held);
}

void
RpcThreadPool::ReleaseAll()
{
    for (std::size_t thread = 0; thread < m_threads.size(); ++thread)
    {
        if (std::find(m_idle.begin(), m_idle.end(), thread) == m_idle.end())
        {
            Release(thread);
        }
    }
}

std::vector<RpcThreadAccount>
RpcThreadPool::GetAccounts() const
{
    std::vector<RpcThreadAccount> accounts;
    accounts.reserve(m_threads.size());
    for (const auto& thread : m_threads)
    {
        accounts.push_back(thread.account);
    }
    return accounts;
}

void
RpcThreadPool::SetBusy(uint32_t threads)
{
    m_busyMeter.Change(Simulator::Now(), m_busy, threads);
    m_busy = threads;
}

void
RpcThreadPool::SetQueued(uint32_t calls)
{
    m_queueMeter.Change(Simulator::Now(), m_queued, calls);
    m_queued = calls;
}

} // namespace ns3::nfsrdma
