/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/worker-pool.h"

#include "wire/simulation-clock.h"

#include <algorithm>

namespace ns3::nfsrdma
{

HostWorkerPool::WakeUps*
HostWorkerPool::GetWakeUps(Time time)
{
    const auto isOver = [now = SimulationClock::Now()](const WakeUps& one) {
        return one.until <= now;
    };
    m_wakeUps.erase(std::remove_if(m_wakeUps.begin(), m_wakeUps.end(), isOver), m_wakeUps.end());
    WakeUps* last = nullptr;
    for (WakeUps& one : m_wakeUps)
    {
        if (one.from <= time && time < one.until && (last == nullptr || one.until > last->until))
        {
            last = &one;
        }
    }
    return last;
}

HostWorkerPool::Worker*
HostWorkerPool::GetFirstAwake(Time time)
{
    Worker* first = nullptr;
    for (Worker& worker : m_workers)
    {
        if (worker.looks > time && (first == nullptr || worker.looks < first->looks))
        {
            first = &worker;
        }
    }
    return first;
}

HostWorkerPool::Worker&
HostWorkerPool::GetIdle(Time time)
{
    Worker* latest = nullptr;
    for (Worker& worker : m_workers)
    {
        if (worker.looks <= time && (latest == nullptr || worker.looks > latest->looks))
        {
            latest = &worker;
        }
    }
    return latest != nullptr
               ? *latest
               : m_workers.emplace_back(Worker{HostThread(HostContext::WORK_QUEUE, m_core), time});
}

bool
HostWorkerPool::LeavesToBusy(Time time) const
{
    const uint32_t limit = m_cpu.GetCosts().clientWorkers;
    const uint32_t most = m_core ? 1 : limit;
    const auto awake = std::count_if(m_workers.begin(), m_workers.end(), [time](const Worker& one) {
        return one.looks > time;
    });
    return most != 0 && static_cast<uint64_t>(awake) >= most;
}

HostWorkerPool::Worker&
HostWorkerPool::Wake(Time time)
{
    const HostCosts& costs = m_cpu.GetCosts();
    Worker& worker = GetIdle(time);
    const Time runs = time + m_cpu.GetWakeUp(worker.thread, time, costs.clientWorkerWakeUp);
    worker.looks = m_cpu.Run(worker.thread, runs, HostWork().Under(m_lock, costs.clientWorkerHold));
    return worker;
}

Time
HostWorkerPool::RunAlone(Time earliest, Time cost)
{
    HostThread task(HostContext::WORK_QUEUE, m_core);
    HostWork work;
    work.Under(m_lock, m_cpu.GetCosts().clientQueueHold).Then(cost);
    return m_cpu.Run(task, earliest, work);
}

Time
HostWorkerPool::Run(Time earliest, Time cost)
{
    const HostCosts& costs = m_cpu.GetCosts();
    const bool leaves = LeavesToBusy(earliest);
    WakeUps* const wakeUps = GetWakeUps(earliest);
    const bool wakes = !leaves && wakeUps == nullptr;
    HostThread queueing(HostContext::WORK_QUEUE, m_core);
    HostWork queue;
    queue.Under(m_lock, costs.clientQueueHold + (wakes ? costs.clientWorkerWakeHold : Time(0)));
    const Time queued = m_cpu.Run(queueing, earliest, queue);
    Worker* taker = GetFirstAwake(leaves ? earliest : queued);
    if (wakes)
    {
        Worker& woken = Wake(queued);
        m_wakeUps.push_back({earliest, woken.looks});
        taker = taker != nullptr && taker->looks <= woken.looks ? taker : &woken;
    }
    else if (!leaves && (taker == nullptr || taker->looks > wakeUps->until))
    {
        // The worker that is on its way has another task, and wakes the next one for this.
        HostThread chaining(HostContext::WORK_QUEUE, m_core);
        const Time chained = m_cpu.Run(chaining,
                                       std::max(wakeUps->until, queued),
                                       HostWork().Under(m_lock, costs.clientWorkerWakeHold));
        Worker& woken = Wake(chained);
        wakeUps->until = woken.looks;
        taker = taker != nullptr && taker->looks <= woken.looks ? taker : &woken;
    }
    Time done = m_cpu.Run(taker->thread, std::max(taker->looks, queued), cost);
    taker->looks = m_cpu.Run(taker->thread, done, HostWork().Under(m_lock, costs.clientWorkerHold));
    return done;
}

} // namespace ns3::nfsrdma
