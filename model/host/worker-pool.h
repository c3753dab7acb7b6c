/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HOST_WORKER_POOL_H
#define NFSRDMA_HOST_WORKER_POOL_H

#include "host/cpu.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief A pool of workers that carry out the tasks of work queues (kernel/workqueue.c), on any
 * core or on one, and its lock.
 *
 *     who queues a task       [lock: clientQueueHold, and clientWorkerWakeHold to wake a worker]
 *     a worker that sleeps    clientWorkerWakeUp
 *     the worker              [lock: clientWorkerHold]  the task  [lock: clientWorkerHold]
 *
 * A task that is queued wakes a worker, whether or not another is about to be through with its own
 * (__queue_work(), kick_pool()): of idle workers the one that became idle last. Until that one
 * runs, it is still the one that would be woken, which costs nothing: a further task is left for it
 * to find. It takes the first of them, and wakes the next worker under the lock if there are more
 * (process_one_work()). A worker that is through with a task looks for another one in the same hold
 * of the lock (keep_working()), so that it may be faster than one that was woken; that one then
 * takes the lock for nothing. The workers of one core are woken only when none of them has a task,
 * as one of them runs at a time (nr_running).
 *
 * Tasks may be queued in another order than that of their times: one that is queued ahead of its
 * time wakes a worker then, and one that is queued before that time does not wait for that worker.
 *
 * When all are busy another worker is made, unless HostCosts::clientWorkers of them are there
 * (max_active): then the task waits for the one that is through first.
 */
class HostWorkerPool
{
  public:
    /// \param cpu outlives this \param lock of the pool \param core on which alone its workers run;
    /// none: on any
    HostWorkerPool(HostCpu& cpu,
                   const Ptr<HostLock>& lock,
                   std::optional<uint32_t> core = std::nullopt)
        : m_cpu(cpu),
          m_lock(lock),
          m_core(core)
    {
    }

    /// A task that takes \p cost is queued, not before \p earliest. \return when it is done
    Time Run(Time earliest, Time cost);
    /// The same of a task that has a worker of its own, which costs nothing.
    Time RunAlone(Time earliest, Time cost);

    /// \return workers that there are.
    [[nodiscard]] std::size_t CountWorkers() const
    {
        return m_workers.size();
    }

  private:
    /// A worker, which sleeps from the time on at which it looks for a task and finds none.
    struct Worker
    {
        HostThread thread;
        Time looks;
    };

    /// The time in which a worker is on its way, from the one that a task has woken to the last of
    /// those that were woken by one another.
    struct WakeUps
    {
        Time from;
        Time until; ///< When the last looks for a task.
    };

    /// \return those in which a worker is on its way at \p time; null: none is.
    [[nodiscard]] WakeUps* GetWakeUps(Time time);
    /// \return of the workers that are awake at \p time the one that looks first; null: none.
    [[nodiscard]] Worker* GetFirstAwake(Time time);
    /// \return the worker that is woken at \p time.
    [[nodiscard]] Worker& GetIdle(Time time);
    /// \return whether a task that is queued at \p time is left to workers that have one.
    [[nodiscard]] bool LeavesToBusy(Time time) const;
    /// Wakes a worker at \p time. \return it, which has then looked for a task
    Worker& Wake(Time time);

    HostCpu& m_cpu;
    Ptr<HostLock> m_lock;
    std::optional<uint32_t> m_core;
    std::list<Worker> m_workers;
    std::vector<WakeUps> m_wakeUps; ///< Those that are not over.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_WORKER_POOL_H
