/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/completion-writer.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

CompletionWriter::~CompletionWriter()
{
    m_event.Cancel();
}

void
CompletionWriter::SetQueue(Ptr<CompletionQueue> queue)
{
    m_queue = queue;
}

void
CompletionWriter::Write(const WorkCompletion& completion, uint32_t slots, Time due)
{
    m_last = std::max({m_last, due, Simulator::Now()});
    m_pending.push_back({completion, slots, m_last});
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
        const Pending pending = m_pending.front();
        m_pending.pop_front();
        m_queue->Write(pending.completion, pending.slots);
    }
    if (!m_pending.empty() && !m_event.IsRunning())
    {
        m_event = Simulator::Schedule(m_pending.front().due - now, &CompletionWriter::Flush, this);
    }
}

Time
CompletionWriter::GetLast() const
{
    return m_last;
}

void
CompletionWriter::Close()
{
    m_event.Cancel();
    m_pending.clear();
    m_queue = nullptr;
}

} // namespace ns3::nfsrdma
