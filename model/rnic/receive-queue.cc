/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/receive-queue.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

void
ReceiveQueue::Bind(Ptr<CompletionQueue> queue, uint32_t depth, uint32_t queuePairNumber)
{
    m_writer.SetQueue(queue);
    m_depth = depth;
    m_queuePairNumber = queuePairNumber;
}

void
ReceiveQueue::SetUser(const CompletionQueueUser& user)
{
    m_user = &user;
}

void
ReceiveQueue::Close()
{
    m_writer.Close();
    m_entries.clear();
}

void
ReceiveQueue::SetFirstMsn(uint32_t msn)
{
    m_headMsn = msn;
}

bool
ReceiveQueue::HasRoom() const
{
    return m_entries.size() < m_depth;
}

void
ReceiveQueue::Post(const ReceiveWorkRequest& request, uint32_t length, Time postedAt)
{
    m_entries.push_back({request, length, Simulator::Now(), postedAt});
}

const ReceiveQueueEntry*
ReceiveQueue::Find(uint32_t msn) const
{
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
    timeline->Mark(WorkStage::POST, std::min(entry.postedAt, Simulator::Now()));
    return timeline;
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
    auto timeline = MakeTimeline(m_entries.front());
    if (timeline)
    {
        timeline->MarkReception(times);
    }
    Fill(m_entries.front(), completion);
    m_entries.pop_front();
    m_headMsn++;
    m_writer.Write(completion, 0, times.done, std::move(timeline));
}

void
ReceiveQueue::Flush(WorkCompletionStatus first)
{
    WorkCompletion completion;
    completion.status = first;
    while (!m_entries.empty())
    {
        auto timeline = MakeTimeline(m_entries.front());
        if (timeline)
        {
            timeline->Mark(WorkStage::RESPONSE, Simulator::Now());
        }
        Fill(m_entries.front(), completion);
        m_entries.pop_front();
        m_headMsn++;
        m_writer.WriteFlushed(completion, 0, std::move(timeline));
        completion.status = WorkCompletionStatus::WR_FLUSH_ERR;
    }
}

uint32_t
ReceiveQueue::GetPosted() const
{
    return m_entries.size();
}

Time
ReceiveQueue::GetLastCompletion() const
{
    return m_writer.GetLast();
}

} // namespace ns3::nfsrdma
