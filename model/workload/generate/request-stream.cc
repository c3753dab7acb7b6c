/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/request-stream.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

RequestStream::RequestStream(const Settings& settings)
    : m_settings(settings),
      m_arrivals(settings.arrivals),
      m_alive(std::make_shared<RequestStream*>(this))
{
}

void
RequestStream::Start(Starter starter, std::function<void()> finished)
{
    m_starter = std::move(starter);
    m_finished = std::move(finished);
    m_begin = Simulator::Now();
    if (m_arrivals.IsOpen())
    {
        ScheduleArrival();
        CheckFinished();
        return;
    }
    m_thinking = m_settings.depth;
    for (uint32_t i = 0; i < m_settings.depth; ++i)
    {
        UsePlace();
    }
}

void
RequestStream::Drain()
{
    m_draining = true;
    m_arriving = false;
    CheckFinished();
}

bool
RequestStream::HasMore() const
{
    return (m_settings.requests == 0 || m_started < m_settings.requests) &&
           (m_settings.octets == 0 || m_octets < m_settings.octets);
}

void
RequestStream::After(Time delay, void (RequestStream::*method)())
{
    Simulator::Schedule(delay, [alive = std::weak_ptr<RequestStream*>(m_alive), method] {
        if (const auto stream = alive.lock())
        {
            ((*stream)->*method)();
        }
    });
}

void
RequestStream::ScheduleArrival()
{
    const bool enough = (m_settings.requests != 0 && m_arrived >= m_settings.requests) ||
                        m_draining || !m_arrivals.HasNext();
    const Time gap = enough ? Time(0) : m_arrivals.GetNextGap();
    m_arriving = !enough && HasMore() && !IsOver(Simulator::Now() + gap);
    if (m_arriving)
    {
        ++m_arrived;
        After(gap, &RequestStream::Arrive);
    }
}

void
RequestStream::Arrive()
{
    if (m_draining)
    {
        return;
    }
    m_queue.push_back(Simulator::Now());
    ScheduleArrival();
    if (!m_serving)
    {
        Serve();
    }
    CheckFinished();
}

Time
RequestStream::GetRateDelay() const
{
    double due = 0;
    if (m_settings.rateRequests > 0)
    {
        due = static_cast<double>(m_started) / m_settings.rateRequests;
    }
    if (m_settings.rateOctets > 0)
    {
        due = std::max(due, static_cast<double>(m_octets) / m_settings.rateOctets);
    }
    return Max(m_begin + Seconds(due) - Simulator::Now(), Time(0));
}

void
RequestStream::Serve()
{
    m_serving = false;
    while (!m_queue.empty() && m_outstanding < m_settings.depth)
    {
        if (!HasMore())
        {
            m_queue.clear();
            return;
        }
        const Time delay = GetRateDelay();
        if (delay.IsStrictlyPositive())
        {
            m_serving = true;
            After(delay, &RequestStream::Serve);
            return;
        }
        const Time arrived = m_queue.front();
        m_queue.pop_front();
        StartOne(arrived);
    }
}

void
RequestStream::StartOne(Time arrived)
{
    ++m_started;
    ++m_outstanding;
    const bool waited = arrived < Simulator::Now() && m_settings.setArrival;
    if (waited)
    {
        m_settings.setArrival(arrived);
    }
    if (m_settings.setSubmitter)
    {
        m_settings.setSubmitter(m_thread);
    }
    m_octets += m_starter(arrived);
    if (m_settings.setSubmitter)
    {
        m_settings.setSubmitter(nullptr);
    }
    if (waited)
    {
        m_settings.setArrival(std::nullopt);
    }
}

void
RequestStream::UsePlace()
{
    if (m_draining || !HasMore() || IsOver(Simulator::Now()))
    {
        --m_thinking;
        CheckFinished();
        return;
    }
    const Time delay = GetRateDelay();
    if (delay.IsStrictlyPositive())
    {
        After(delay, &RequestStream::UsePlace);
        return;
    }
    --m_thinking;
    StartOne(Simulator::Now());
}

void
RequestStream::End()
{
    --m_outstanding;
    if (m_arrivals.IsOpen())
    {
        if (!m_serving)
        {
            Serve();
        }
        CheckFinished();
        return;
    }
    ++m_thinking;
    const Time think = m_settings.drawThinkTime ? m_settings.drawThinkTime() : m_settings.thinkTime;
    if (think.IsStrictlyPositive())
    {
        After(think, &RequestStream::UsePlace);
        return;
    }
    UsePlace();
}

void
RequestStream::CheckFinished()
{
    if (m_outstanding == 0 && m_thinking == 0 && !m_arriving && m_queue.empty() && m_finished)
    {
        std::exchange(m_finished, nullptr)();
    }
}

} // namespace ns3::nfsrdma
