/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/release-queue.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

SvcRdmaReleaseQueue::SvcRdmaReleaseQueue(Ptr<HostCpu> cpu,
                                         Time cost,
                                         uint32_t workers,
                                         std::shared_ptr<SvcRdmaStatistics> statistics,
                                         std::function<void(uint32_t, uint32_t)> changed)
    : m_cpu(cpu),
      m_cost(cost),
      m_statistics(std::move(statistics)),
      m_changed(std::move(changed)),
      m_workers(workers)
{
}

SvcRdmaReleaseQueue::~SvcRdmaReleaseQueue()
{
    for (Worker& worker : m_workers)
    {
        worker.done.Cancel();
    }
}

void
SvcRdmaReleaseQueue::Put(Release release)
{
    m_waiting.push_back(std::move(release));
    Change(m_backlog + 1);
    const auto idle = std::find_if(m_workers.begin(), m_workers.end(), [](const Worker& worker) {
        return !worker.release;
    });
    if (idle != m_workers.end())
    {
        Start(*idle);
    }
}

void
SvcRdmaReleaseQueue::Start(Worker& worker)
{
    worker.release = std::move(m_waiting.front());
    m_waiting.pop_front();
    const Time now = Simulator::Now();
    const Time done = m_cpu->Run(worker.thread, now, m_cost);
    worker.done = Simulator::Schedule(done - now, [this, &worker] { Finish(worker); });
}

void
SvcRdmaReleaseQueue::Finish(Worker& worker)
{
    const Release release = std::exchange(worker.release, nullptr);
    ++m_statistics->released;
    Change(m_backlog - 1);
    if (!m_waiting.empty())
    {
        Start(worker);
    }
    release();
}

void
SvcRdmaReleaseQueue::Change(uint32_t backlog)
{
    const uint32_t before = std::exchange(m_backlog, backlog);
    m_statistics->releasePeak = std::max<uint64_t>(m_statistics->releasePeak, backlog);
    m_changed(before, backlog);
}

} // namespace ns3::nfsrdma
