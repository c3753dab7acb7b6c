/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/rq.h"

#include "wire/simulation-clock.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

void
ReceiveQueue::Bind(Ptr<CompletionQueue> queue,
                   uint32_t depth,
                   uint32_t queuePairNumber,
                   Ptr<SharedReceiveQueue> shared)
{
    m_writer.SetQueue(queue);
    m_shared = shared;
    m_depth = depth;
    m_queuePairNumber = queuePairNumber;
}

void
ReceiveQueue::Close()
{
    m_writer.Close();
    m_entries.clear();
    m_taken.clear();
    m_shared = nullptr;
}

const SharedReceiveQueue*
ReceiveQueue::GetShared() const
{
    return PeekPointer(m_shared);
}

void
ReceiveQueue::Post(const ReceiveWorkRequest& request, Time postedAt)
{
    m_entries.push_back({request, SimulationClock::Now(), postedAt});
}

ReceiveQueueEntry*
ReceiveQueue::Find(uint32_t msn)
{
    if (m_shared)
    {
        return FindTaken(msn);
    }
    const uint32_t position = msn - m_headMsn;
    return position < m_entries.size() ? &m_entries[position] : nullptr;
}

std::unique_ptr<WorkTimeline>
ReceiveQueue::MakeTimeline(const ReceiveQueueEntry& entry) const
{
    if (m_user == nullptr || !m_user->IsWorkTraced())
    {
        return nullptr;
    }
    auto timeline = std::make_unique<WorkTimeline>();
    timeline->Start(entry.calledAt);
    timeline->Mark(WorkStage::POST, std::min(entry.postedAt, SimulationClock::Now()));
    return timeline;
}

ReceiveQueueEntry*
ReceiveQueue::FindTaken(uint32_t msn)
{
    const uint32_t distance = msn - m_headMsn;
    const auto place = std::lower_bound(
        m_taken.begin(),
        m_taken.end(),
        distance,
        [this](const Taken& taken, uint32_t sought) { return taken.msn - m_headMsn < sought; });
    if (place != m_taken.end() && place->msn == msn)
    {
        return &place->entry;
    }
    if (distance >= m_shared->GetDepth())
    {
        return nullptr;
    }
    auto entry = m_shared->Take();
    return entry ? &m_taken.insert(place, Taken{msn, std::move(*entry)})->entry : nullptr;
}

ReceiveQueueEntry
ReceiveQueue::Consume()
{
    m_headMsn++;
    if (m_shared)
    {
        ReceiveQueueEntry entry = std::move(m_taken.front().entry);
        m_taken.erase(m_taken.begin());
        return entry;
    }
    ReceiveQueueEntry entry = std::move(m_entries.front());
    m_entries.pop_front();
    return entry;
}

void
ReceiveQueue::Fill(const ReceiveQueueEntry& entry, WorkCompletion& completion) const
{
    completion.id = entry.request.id;
    completion.opcode = WorkCompletionOpcode::RECEIVE;
    completion.queuePairNumber = m_queuePairNumber;
}

void
ReceiveQueue::Complete(WorkCompletion completion, const ReceiveTimes& times)
{
    const ReceiveQueueEntry entry = Consume();
    auto timeline = MakeTimeline(entry);
    if (timeline)
    {
        timeline->MarkReception(times);
    }
    Fill(entry, completion);
    completion.arrived = entry.arrivedAt.IsZero() ? times.arrived : entry.arrivedAt;
    m_writer.Write(completion, 0, times.done, std::move(timeline));
}

void
ReceiveQueue::Flush(WorkCompletionStatus first)
{
    WorkCompletion completion;
    completion.status = first;
    while (GetPosted() != 0)
    {
        const ReceiveQueueEntry entry = Consume();
        auto timeline = MakeTimeline(entry);
        if (timeline)
        {
            timeline->Mark(WorkStage::RESPONSE, SimulationClock::Now());
        }
        Fill(entry, completion);
        m_writer.WriteFlushed(completion, 0, std::move(timeline));
        completion.status = WorkCompletionStatus::WR_FLUSH_ERR;
    }
}

} // namespace ns3::nfsrdma
