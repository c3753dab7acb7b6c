/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/thread-pool.h"

#include "ns3/assert.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

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

void
RpcThreadPool::SetPools(uint32_t pools, std::function<HostThread(uint32_t pool)> make)
{
    NS_ASSERT(m_threads.empty());
    m_pools.resize(std::clamp(pools, 1U, m_size));
    m_make = std::move(make);
}

uint32_t
RpcThreadPool::GetPart(uint32_t threads, uint32_t pool) const
{
    const uint32_t pools = GetPools();
    return threads / pools + (pool < threads % pools ? 1 : 0);
}

bool
RpcThreadPool::HasFree(uint32_t pool) const
{
    const uint32_t size = std::max(GetPart(m_size, pool), 1U);
    return m_pools.at(pool).held + std::min(GetPart(m_stalled, pool), size) < size;
}

std::size_t
RpcThreadPool::Wake(uint32_t pool)
{
    NS_ASSERT(HasFree(pool));
    Pool& own = m_pools.at(pool);
    std::size_t thread = m_threads.size();
    if (own.idle.empty())
    {
        Thread& made = m_threads.emplace_back();
        made.host = m_make ? m_make(pool) : HostThread();
        made.pool = pool;
    }
    else
    {
        thread = own.idle.back();
        own.idle.pop_back();
    }
    m_threads[thread].taken = Simulator::Now();
    ++own.held;
    return thread;
}

void
RpcThreadPool::Begin(std::size_t thread, Time arrival)
{
    NS_ASSERT(m_queued != 0);
    const Time now = Simulator::Now();
    const Time waited = now - arrival;
    Thread& taking = m_threads.at(thread);
    taking.hasCall = true;
    taking.taken = now;
    ++m_statistics.taken;
    m_statistics.waited += waited;
    m_statistics.longestWait = std::max(m_statistics.longestWait, waited);
    SetQueued(m_queued - 1);
    SetBusy(m_busy + 1);
    m_takenTrace(thread, waited);
}

std::size_t
RpcThreadPool::Take(Time arrival)
{
    const std::size_t thread = Wake();
    Begin(thread, arrival);
    return thread;
}

void
RpcThreadPool::Release(std::size_t thread)
{
    Thread& used = m_threads.at(thread);
    Pool& own = m_pools.at(used.pool);
    const Time held = Simulator::Now() - used.taken;
    own.idle.push_back(thread);
    --own.held;
    if (!std::exchange(used.hasCall, false))
    {
        ++m_statistics.empty;
        m_statistics.heldEmpty += held;
        return;
    }
    ++used.account.calls;
    used.account.held += held;
    ++m_statistics.released;
    m_statistics.held += held;
    SetBusy(m_busy - 1);
    m_releasedTrace(thread, held);
}

void
RpcThreadPool::ReleaseAll()
{
    for (std::size_t thread = 0; thread < m_threads.size(); ++thread)
    {
        const auto& idle = m_pools.at(m_threads[thread].pool).idle;
        if (std::find(idle.begin(), idle.end(), thread) == idle.end())
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
