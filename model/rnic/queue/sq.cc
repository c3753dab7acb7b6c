/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/sq.h"

#include "wire/simulation-clock.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

WorkCompletionOpcode
CompletionOpcode(WorkRequestOpcode opcode)
{
    switch (opcode)
    {
    case WorkRequestOpcode::SEND:
    case WorkRequestOpcode::SEND_WITH_INVALIDATE:
        break;
    case WorkRequestOpcode::RDMA_WRITE:
        return WorkCompletionOpcode::RDMA_WRITE;
    case WorkRequestOpcode::RDMA_READ:
        return WorkCompletionOpcode::RDMA_READ;
    case WorkRequestOpcode::REGISTER_MR:
        return WorkCompletionOpcode::REGISTER_MR;
    case WorkRequestOpcode::LOCAL_INVALIDATE:
        return WorkCompletionOpcode::LOCAL_INVALIDATE;
    case WorkRequestOpcode::BIND_WINDOW:
        return WorkCompletionOpcode::BIND_WINDOW;
    case WorkRequestOpcode::RDMA_WRITE_WITH_IMM:
        return WorkCompletionOpcode::RDMA_WRITE;
    case WorkRequestOpcode::ATOMIC_FETCH_AND_ADD:
        return WorkCompletionOpcode::FETCH_AND_ADD;
    case WorkRequestOpcode::ATOMIC_CMP_AND_SWP:
        return WorkCompletionOpcode::COMPARE_AND_SWAP;
    }
    return WorkCompletionOpcode::SEND;
}

} // namespace

void
SendQueue::Bind(RnicCounters& counters,
                Ptr<CompletionQueue> queue,
                uint32_t depth,
                uint32_t queuePairNumber)
{
    m_counters = &counters;
    m_writer.SetQueue(queue);
    m_depth = depth;
    m_queuePairNumber = queuePairNumber;
}

void
SendQueue::Close()
{
    m_writer.Close();
    if (m_counters != nullptr)
    {
        m_counters->sendsAbandoned += m_entries.size();
    }
    m_counters = nullptr;
    m_entries.clear();
    m_inline.Clear();
    m_next = 0;
    m_outstandingReads = 0;
}

void
SendQueue::Post(const SendWorkRequest& request,
                uint32_t length,
                const PostTimes& times,
                PinnedPages pins)
{
    SendQueueEntry entry;
    entry.request = request;
    entry.length = length;
    entry.readyAt = times.fetched;
    if (m_user != nullptr && m_user->IsWorkTraced())
    {
        entry.timeline = std::make_unique<WorkTimeline>();
        entry.timeline->Start(SimulationClock::Now());
        entry.timeline->Mark(WorkStage::POST, times.posted);
        entry.timeline->Mark(WorkStage::DOORBELL, times.rung);
        entry.timeline->Mark(WorkStage::FETCH, times.fetched);
    }
    entry.pins = std::move(pins);
    m_entries.push_back(std::move(entry));
    m_takenSlots++;
}

void
SendQueue::Advance(SendQueueEntry::State state, Time doneAt)
{
    SendQueueEntry& entry = m_entries[m_next++];
    entry.state = state;
    entry.doneAt = doneAt;
    if (entry.request.inlineData)
    {
        m_inline.Remove(entry.length);
    }
    if (state == SendQueueEntry::State::AWAITING_RESPONSE)
    {
        m_outstandingReads++;
    }
    Retire();
}

void
SendQueue::FinishOldestRead(const ReceiveTimes& times)
{
    SendQueueEntry& entry = m_entries.front();
    entry.state = SendQueueEntry::State::DONE;
    entry.doneAt = times.done;
    if (entry.timeline)
    {
        entry.timeline->MarkReception(times);
    }
    m_outstandingReads--;
    Retire();
}

void
SendQueue::Retire()
{
    while (!m_entries.empty() && m_entries.front().state == SendQueueEntry::State::DONE)
    {
        Complete(m_entries.front());
        m_entries.pop_front();
        m_next--;
    }
}

WorkCompletion
SendQueue::MakeCompletion(const SendQueueEntry& entry, WorkCompletionStatus status) const
{
    WorkCompletion completion;
    completion.id = entry.request.id;
    completion.status = status;
    completion.opcode = CompletionOpcode(entry.request.opcode);
    completion.queuePairNumber = m_queuePairNumber;
    if (status == WorkCompletionStatus::SUCCESS && entry.AwaitsResponse())
    {
        completion.length = entry.length;
    }
    return completion;
}

void
SendQueue::Complete(SendQueueEntry& entry)
{
    m_counters->sendsDone++;
    m_done = std::max({m_done, entry.doneAt, SimulationClock::Now()});
    const WorkCompletion completion = MakeCompletion(entry, WorkCompletionStatus::SUCCESS);
    if (entry.request.signaled)
    {
        m_writer.Write(completion, m_silentSlots + 1, m_done, std::move(entry.timeline));
        m_silentSlots = 0;
        return;
    }
    m_silentSlots++;
    if (entry.timeline)
    {
        entry.timeline->Mark(WorkStage::ORDER, m_done);
        m_user->WorkDone(completion, *entry.timeline);
    }
}

void
SendQueue::CompleteFlushed(SendQueueEntry& entry, WorkCompletionStatus status)
{
    m_counters->sendsFlushed++;
    if (entry.timeline)
    {
        constexpr std::array<WorkStage, 3> REACHED{WorkStage::QUEUE,
                                                   WorkStage::TRANSMIT,
                                                   WorkStage::RESPONSE};
        entry.timeline->Limit(SimulationClock::Now());
        entry.timeline->Mark(REACHED.at(static_cast<std::size_t>(entry.state)),
                             SimulationClock::Now());
    }
    m_writer.WriteFlushed(MakeCompletion(entry, status),
                          m_silentSlots + 1,
                          std::move(entry.timeline));
    m_silentSlots = 0;
}

void
SendQueue::Flush()
{
    Flush(nullptr, WorkCompletionStatus::WR_FLUSH_ERR);
}

void
SendQueue::Flush(const SendQueueEntry* failed, WorkCompletionStatus status)
{
    for (SendQueueEntry& entry : m_entries)
    {
        if (entry.state == SendQueueEntry::State::DONE)
        {
            Complete(entry);
        }
        else
        {
            CompleteFlushed(entry, &entry == failed ? status : WorkCompletionStatus::WR_FLUSH_ERR);
        }
    }
    m_entries.clear();
    m_inline.Clear();
    m_next = 0;
    m_outstandingReads = 0;
}

const SendQueueEntry*
SendQueue::FindRead(Stag sink, uint64_t sinkOffset) const
{
    const auto found =
        std::find_if(m_entries.begin(), m_entries.end(), [=](const SendQueueEntry& entry) {
            return entry.state == SendQueueEntry::State::AWAITING_RESPONSE &&
                   entry.request.opcode == WorkRequestOpcode::RDMA_READ &&
                   entry.request.elements[0].lkey == sink &&
                   entry.request.elements[0].address == sinkOffset;
        });
    return found == m_entries.end() ? nullptr : &*found;
}

} // namespace ns3::nfsrdma
