/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/thread-pool.h"

#include "wire/ns3-version.h"
#include "wire/simulation-clock.h"

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
            .AddTraceSource("Running",
                            "Threads that there are have changed: before, now.",
                            MakeTraceSourceAccessor(&RpcThreadPool::m_running),
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

void
RpcThreadPool::DoDispose()
{
    for (Pool& pool : m_pools)
    {
        pool.check.Cancel();
        pool.check = EventId();
    }
    Object::DoDispose();
}

void
RpcThreadPool::SetMinimum(uint32_t threads, Time idle)
{
    NS_ASSERT(threads == 0 || idle.IsStrictlyPositive());
    m_minimum = threads;
    m_idleTime = idle;
}

void
RpcThreadPool::SetMemory(const Ptr<HostMemory>& memory, uint64_t octets)
{
    m_memory = memory;
    m_threadMemory = octets;
}

void
RpcThreadPool::Start()
{
    for (uint32_t pool = 0; pool < GetPools(); ++pool)
    {
        const uint32_t first =
            IsDynamic() ? std::min(m_minimum, CountMost(pool)) : CountThreads(pool);
        ChangeRunning(m_pools[pool], static_cast<int32_t>(first));
        for (uint32_t i = 0; i < first && IsDynamic(); ++i)
        {
            MakeIdle(pool);
        }
    }
}

uint32_t
RpcThreadPool::GetRunning() const
{
    return m_running;
}

uint32_t
RpcThreadPool::CountMost(uint32_t pool) const
{
    return std::max(GetPart(m_size, pool), 1U);
}

uint32_t
RpcThreadPool::CountThreads(uint32_t pool) const
{
    return IsDynamic() ? m_pools.at(pool).running : CountMost(pool);
}

void
RpcThreadPool::ChangeRunning(Pool& pool, int32_t threads)
{
    const uint32_t before = m_running;
    pool.running += threads;
    m_runningMeter.Change(SimulationClock::Now(), before, before + threads);
    m_running = before + threads;
    if (m_memory && m_threadMemory != 0)
    {
        m_buffers.resize(std::min<std::size_t>(m_buffers.size(), m_running));
        while (m_buffers.size() < m_running)
        {
            m_buffers.emplace_back(m_memory, m_threadMemory, HostMemoryUse::THREADS);
        }
    }
}

void
RpcThreadPool::MakeIdle(uint32_t pool)
{
    Pool& own = m_pools.at(pool);
    std::size_t thread = m_threads.size();
    if (own.gone.empty())
    {
        Thread& made = m_threads.emplace_back();
        made.host = m_make ? m_make(pool) : HostThread();
        made.pool = pool;
    }
    else
    {
        thread = own.gone.back();
        own.gone.pop_back();
    }
    m_threads[thread].idleSince = SimulationClock::Now();
    own.idle.push_back(thread);
}

void
RpcThreadPool::NoteTurn(std::size_t thread)
{
    Thread& taking = m_threads.at(thread);
    Pool& own = m_pools.at(taking.pool);
    if (IsDynamic() && own.held >= own.running && !own.isStarting)
    {
        own.isStarting = true;
        taking.isToStart = true;
    }
}

bool
RpcThreadPool::TakeStart(std::size_t thread)
{
    Thread& starting = m_threads.at(thread);
    if (!std::exchange(starting.isToStart, false))
    {
        return false;
    }
    Pool& own = m_pools.at(starting.pool);
    if (own.running >= CountMost(starting.pool) || m_isStarting)
    {
        own.isStarting = false;
        return false;
    }
    m_isStarting = true;
    return true;
}

void
RpcThreadPool::AddThread(std::size_t thread)
{
    const uint32_t pool = GetPool(thread);
    m_pools.at(pool).isStarting = false;
    m_isStarting = false;
    ++m_statistics.started;
    ChangeRunning(m_pools.at(pool), 1);
    MakeIdle(pool);
    ScheduleCheck(pool);
}

Time
RpcThreadPool::GetNextCheck(std::size_t thread) const
{
    const Time since = m_threads.at(thread).idleSince;
    const int64_t checks =
        (SimulationClock::Now() - since).GetTimeStep() / m_idleTime.GetTimeStep();
    return since + m_idleTime * (checks + 1);
}

void
RpcThreadPool::ScheduleCheck(uint32_t pool)
{
    Pool& own = m_pools.at(pool);
    if (!IsDynamic() || own.running <= m_minimum || own.idle.empty() || IsPending(own.check))
    {
        return;
    }
    Time next = Time::Max();
    for (const auto thread : own.idle)
    {
        next = std::min(next, GetNextCheck(thread));
    }
    own.check = Simulator::Schedule(next - SimulationClock::Now(),
                                    &RpcThreadPool::CheckIdle,
                                    Ptr<RpcThreadPool>(this),
                                    pool);
}

void
RpcThreadPool::CheckIdle(uint32_t pool)
{
    Pool& own = m_pools.at(pool);
    // The event holds this object.
    own.check = EventId();
    const int64_t now = SimulationClock::Now().GetTimeStep();
    const auto isDue = [this, now](std::size_t thread) {
        const int64_t since = m_threads.at(thread).idleSince.GetTimeStep();
        return now > since && (now - since) % m_idleTime.GetTimeStep() == 0;
    };
    auto due = std::find_if(own.idle.begin(), own.idle.end(), isDue);
    while (own.running > m_minimum && due != own.idle.end())
    {
        own.gone.push_back(*due);
        due = own.idle.erase(due);
        due = std::find_if(due, own.idle.end(), isDue);
        ++m_statistics.left;
        ChangeRunning(own, -1);
    }
    ScheduleCheck(pool);
}

bool
RpcThreadPool::HasFree(uint32_t pool) const
{
    const uint32_t size = CountThreads(pool);
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
    m_threads[thread].taken = SimulationClock::Now();
    ++own.held;
    return thread;
}

void
RpcThreadPool::Begin(std::size_t thread, Time arrival)
{
    NS_ASSERT(m_queued != 0);
    const Time now = SimulationClock::Now();
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
    const Time held = SimulationClock::Now() - used.taken;
    used.idleSince = SimulationClock::Now();
    own.idle.push_back(thread);
    --own.held;
    ScheduleCheck(used.pool);
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
        const Pool& own = m_pools.at(m_threads[thread].pool);
        m_threads[thread].isToStart = false;
        if (std::find(own.idle.begin(), own.idle.end(), thread) == own.idle.end() &&
            std::find(own.gone.begin(), own.gone.end(), thread) == own.gone.end())
        {
            Release(thread);
        }
    }
    m_isStarting = false;
    for (Pool& pool : m_pools)
    {
        pool.isStarting = false;
        while (IsDynamic() && pool.running > m_minimum && !pool.idle.empty())
        {
            pool.gone.push_back(pool.idle.front());
            pool.idle.erase(pool.idle.begin());
            ChangeRunning(pool, -1);
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
    m_busyMeter.Change(SimulationClock::Now(), m_busy, threads);
    m_busy = threads;
}

void
RpcThreadPool::SetQueued(uint32_t calls)
{
    m_queueMeter.Change(SimulationClock::Now(), m_queued, calls);
    m_queued = calls;
}

} // namespace ns3::nfsrdma
