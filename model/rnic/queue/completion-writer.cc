/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/completion-writer.h"

#include "rnic/hardware/device.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

CompletionWriter::~CompletionWriter()
{
    m_event.Cancel();
}

void
CompletionWriter::Write(const WorkCompletion& completion,
                        uint32_t slots,
                        Time done,
                        std::unique_ptr<WorkTimeline> timeline)
{
    const Time start = std::max(done, Simulator::Now());
    if (timeline)
    {
        timeline->Mark(WorkStage::ORDER, start);
    }
    const Time due = m_queue->GetDevice().GetClocks().WriteCompletion(m_queue->GetNumber(), start);
    Add(completion, slots, due, WorkStage::CQE, std::move(timeline));
}

void
CompletionWriter::WriteFlushed(const WorkCompletion& completion,
                               uint32_t slots,
                               std::unique_ptr<WorkTimeline> timeline)
{
    Add(completion, slots, Simulator::Now(), WorkStage::ORDER, std::move(timeline));
}

void
CompletionWriter::Add(const WorkCompletion& completion,
                      uint32_t slots,
                      Time due,
                      WorkStage stage,
                      std::unique_ptr<WorkTimeline> timeline)
{
    m_last = std::max(m_last, due);
    if (timeline)
    {
        timeline->Mark(stage, m_last);
    }
    m_pending.push_back({completion, slots, std::move(timeline), m_last});
    if (!m_event.IsRunning())
    {
        m_event = Simulator::Schedule(m_last - Simulator::Now(), &CompletionWriter::Flush, this);
    }
}

void
CompletionWriter::Flush()
{
    const Time now = Simulator::Now();
    while (!m_pending.empty() && m_pending.front().due <= now)
    {
        Pending pending = std::move(m_pending.front());
        m_pending.pop_front();
        m_queue->Write(pending.completion, pending.slots, std::move(pending.timeline));
    }
    if (!m_pending.empty() && !m_event.IsRunning())
    {
        m_event = Simulator::Schedule(m_pending.front().due - now, &CompletionWriter::Flush, this);
    }
}

void
CompletionWriter::Close()
{
    m_event.Cancel();
    m_pending.clear();
    m_queue = nullptr;
}

} // namespace ns3::nfsrdma
