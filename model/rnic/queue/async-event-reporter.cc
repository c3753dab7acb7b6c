/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/queue/async-event-reporter.h"

#include "wire/ns3-version.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::nfsrdma
{

AsyncEventReporter::AsyncEventReporter(const Trace& trace)
    : m_trace(trace),
      m_open(std::make_shared<bool>(true))
{
}

AsyncEventReporter::~AsyncEventReporter()
{
    Close();
}

void
AsyncEventReporter::Raise(AsyncEventType type, uint32_t number)
{
    m_raised.push_back(type);
    if (!IsPending(m_event))
    {
        m_event = Simulator::ScheduleNow(&AsyncEventReporter::Tell, this, number);
    }
}

void
AsyncEventReporter::Tell(uint32_t number)
{
    const std::vector<AsyncEventType> raised = std::exchange(m_raised, {});
    const Trace trace = m_trace;
    const std::shared_ptr<const bool> open = m_open;
    for (const AsyncEventType type : raised)
    {
        if (!*open)
        {
            return;
        }
        trace(type, number);
    }
}

void
AsyncEventReporter::Close()
{
    m_event.Cancel();
    m_raised.clear();
    *m_open = false;
}

} // namespace ns3::nfsrdma
