/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/async-event-reporter.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::nfsrdma
{

AsyncEventReporter::AsyncEventReporter(const Trace& trace)
    : m_trace(trace)
{
}

AsyncEventReporter::~AsyncEventReporter()
{
    m_event.Cancel();
}

void
AsyncEventReporter::Raise(AsyncEventType type, uint32_t number)
{
    m_raised.push_back(type);
    if (!m_event.IsRunning())
    {
        m_event = Simulator::ScheduleNow(&AsyncEventReporter::Tell, this, number);
    }
}

void
AsyncEventReporter::Tell(uint32_t number)
{
    const std::vector<AsyncEventType> raised = std::exchange(m_raised, {});
    const Trace trace = m_trace;
    for (const AsyncEventType type : raised)
    {
        trace(type, number);
    }
}

void
AsyncEventReporter::Close()
{
    m_event.Cancel();
    m_raised.clear();
}

} // namespace ns3::nfsrdma
