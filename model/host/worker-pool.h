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
 * Each task that is queued wakes a worker while one is idle, whether or not another is about to be
 * through with its own (__queue_work(), need_more_worker()): of idle workers the one that became
 * idle last. When all are busy another worker is made, unless HostCosts::clientWorkers of them are
 * there (max_active): then the task waits for the one that is through first.
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
    /// \return the worker that takes a task queued at \p time.
    [[nodiscard]] HostThread& ChooseWorker(Time time);

    HostCpu& m_cpu;
    Ptr<HostLock> m_lock;
    std::optional<uint32_t> m_core;
    std::list<HostThread> m_workers;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_WORKER_POOL_H
