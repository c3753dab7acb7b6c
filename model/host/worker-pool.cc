/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/worker-pool.h"

#include <algorithm>

namespace ns3::nfsrdma
{

HostThread&
HostWorkerPool::ChooseWorker(Time time)
{
    const auto isBetter = [time](const HostThread& one, const HostThread& other) {
        const bool idle = one.GetFree() <= time;
        const bool otherIdle = other.GetFree() <= time;
        if (idle && otherIdle)
        {
            return one.GetFree() > other.GetFree();
        }
        return idle != otherIdle ? idle : one.GetFree() < other.GetFree();
    };
    const auto best = std::min_element(m_workers.begin(), m_workers.end(), isBetter);
    const uint32_t most = m_cpu.GetCosts().clientWorkers;
    if (best != m_workers.end() &&
        (best->GetFree() <= time || (most != 0 && m_workers.size() >= most)))
    {
        return *best;
    }
    return m_workers.emplace_back(HostContext::WORK_QUEUE, m_core);
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
    HostThread& worker = ChooseWorker(earliest);
    const bool sleeps = worker.GetFree() <= earliest;
    HostThread queueing(HostContext::WORK_QUEUE, m_core);
    HostWork queue;
    queue.Under(m_lock, costs.clientQueueHold + (sleeps ? costs.clientWorkerWakeHold : Time(0)));
    const Time queued = m_cpu.Run(queueing, earliest, queue);
    const Time wakeUp =
        sleeps ? m_cpu.GetWakeUp(worker, queued, costs.clientWorkerWakeUp) : Time(0);
    HostWork task;
    task.Under(m_lock, costs.clientWorkerHold).Then(cost);
    Time done = m_cpu.Run(worker, queued + wakeUp, task);
    m_cpu.Run(worker, done, HostWork().Under(m_lock, costs.clientWorkerHold));
    return done;
}

} // namespace ns3::nfsrdma
