/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/receive-queue.h"

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
ReceiveQueue::Post(const ReceiveWorkRequest& request, uint32_t length)
{
    m_entries.push_back({request, length});
}

const ReceiveQueueEntry*
ReceiveQueue::Find(uint32_t msn) const
{
    const uint32_t position = msn - m_headMsn;
    return position < m_entries.size() ? &m_entries[position] : nullptr;
}

void
ReceiveQueue::Complete(WorkCompletion completion, Time due)
{
    completion.id = m_entries.front().request.id;
    completion.opcode = WorkCompletionOpcode::RECEIVE;
    completion.queuePairNumber = m_queuePairNumber;
    m_entries.pop_front();
    m_headMsn++;
    m_writer.Write(completion, 0, due);
}

void
ReceiveQueue::Flush(Time now, WorkCompletionStatus first)
{
    WorkCompletion completion;
    completion.status = first;
    while (!m_entries.empty())
    {
        Complete(completion, now);
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
