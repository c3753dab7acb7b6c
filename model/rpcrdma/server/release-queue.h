/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_RELEASE_QUEUE_H
#define NFSRDMA_RPCRDMA_SERVER_RELEASE_QUEUE_H

#include "host/cpu.h"
#include "rpcrdma/server/svc-statistics.h"
#include "wire/ring.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <list>
#include <memory>

namespace ns3::nfsrdma
{

/// When what a Send has used is given back: its context, and the pages of the reply.
enum class SvcRdmaRelease : uint8_t
{
    COMPLETION, ///< As it completes.
    WORK_QUEUE, ///< By a task of a work queue, which each completion queues.
};

/**
 * \brief The work queue of a responder that gives back what its Sends have used, of all
 * connections, in the order of their completion (svcrdma_wq, Linux 6.8 to 7.1).
 *
 *     Send completes -- Put() --> waits --> a worker is free: its cost on a core --> given back
 *
 * Nothing holds completions up when workers fall behind: contexts and pages that wait become more
 * and more.
 */
class SvcRdmaReleaseQueue
{
  public:
    /// \param cost of each release, on a core
    /// \param workers that release at the same time
    /// \param changed told how many wait or are under way whenever that changes: before, now
    SvcRdmaReleaseQueue(Ptr<HostCpu> cpu,
                        Time cost,
                        uint32_t workers,
                        std::shared_ptr<SvcRdmaStatistics> statistics,
                        std::function<void(uint32_t before, uint32_t now)> changed);
    ~SvcRdmaReleaseQueue();
    SvcRdmaReleaseQueue(const SvcRdmaReleaseQueue&) = delete;
    SvcRdmaReleaseQueue& operator=(const SvcRdmaReleaseQueue&) = delete;

    using Release = std::function<void()>;
    /// A Send has completed; \p release gives back what it has used.
    void Put(Release release);

    /// \return releases that wait or are under way.
    [[nodiscard]] uint32_t GetBacklog() const
    {
        return m_backlog;
    }

  private:
    struct Worker
    {
        HostThread thread{HostContext::WORK_QUEUE};
        Release release; ///< Under way.
        EventId done;
    };

    void Start(Worker& worker);
    void Finish(Worker& worker);
    void Change(uint32_t backlog);

    Ptr<HostCpu> m_cpu;
    Time m_cost;
    std::shared_ptr<SvcRdmaStatistics> m_statistics;
    std::function<void(uint32_t, uint32_t)> m_changed;
    std::list<Worker> m_workers;
    Ring<Release> m_waiting;
    uint32_t m_backlog{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_RELEASE_QUEUE_H
