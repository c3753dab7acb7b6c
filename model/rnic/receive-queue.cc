/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/receive-queue.h"

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

void
ReceiveQueue::SetFirstMsn(uint32_t msn)
{
    m_headMsn = msn;
}

const SharedReceiveQueue*
ReceiveQueue::GetShared() const
{
    return PeekPointer(m_shared);
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
ReceiveQueue::Find(uint32_t msn)
{
    if (m_shared)
    {
        return FindTaken(msn);
    }
    const uint32_t position = msn - m_headMsn;
    return position < m_entries.size() ? &m_entries[position] : nullptr;
}

const ReceiveQueueEntry*
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

const ReceiveQueueEntry*
ReceiveQueue::FindNext()
{
    return Find(m_headMsn);
}

void
ReceiveQueue::Complete(WorkCompletion completion, Time due)
{
    if (m_shared)
    {
        Complete(m_taken.front().entry.request, completion, due);
        m_taken.erase(m_taken.begin());
    }
    else
    {
        Complete(m_entries.front().request, completion, due);
        m_entries.pop_front();
    }
    m_headMsn++;
}

void
ReceiveQueue::Complete(const ReceiveWorkRequest& request, WorkCompletion completion, Time due)
{
    completion.id = request.id;
    completion.opcode = WorkCompletionOpcode::RECEIVE;
    completion.queuePairNumber = m_queuePairNumber;
    m_writer.Write(completion, 0, due);
}

void
ReceiveQueue::Flush(Time now, WorkCompletionStatus first)
{
    WorkCompletion completion;
    completion.status = first;
    while (GetPosted() != 0)
    {
        Complete(completion, now);
        completion.status = WorkCompletionStatus::WR_FLUSH_ERR;
    }
}

uint32_t
ReceiveQueue::GetPosted() const
{
    return m_shared ? m_taken.size() : m_entries.size();
}

Time
ReceiveQueue::GetLastCompletion() const
{
    return m_writer.GetLast();
}

} // namespace ns3::nfsrdma
