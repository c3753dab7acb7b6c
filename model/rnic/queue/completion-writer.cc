/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/completion-writer.h"

#include "rnic/hardware/device.h"
#include "wire/simulation-clock.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

CompletionWriter::~CompletionWriter()
{
    if (m_queue)
    {
        m_queue->Forget(*this);
    }
}

void
CompletionWriter::Write(const WorkCompletion& completion,
                        uint32_t slots,
                        Time done,
                        std::unique_ptr<WorkTimeline> timeline)
{
    const Time start = std::max(done, SimulationClock::Now());
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
    Add(completion, slots, SimulationClock::Now(), WorkStage::ORDER, std::move(timeline));
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
    m_queue->Write(*this, completion, slots, m_last, std::move(timeline));
}

void
CompletionWriter::Close()
{
    if (m_queue)
    {
        m_queue->Withdraw(*this);
    }
    m_queue = nullptr;
}

} // namespace ns3::nfsrdma
