/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/transmit-engine.h"

#include "wire/simulation-clock.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

TransmitEngine::~TransmitEngine()
{
    m_event.Cancel();
}

Time
TransmitEngine::GetFree() const
{
    return std::max(m_free, SimulationClock::Now());
}

void
TransmitEngine::Request(TransmitClient& client)
{
    m_ring.push_back(&client);
    ScheduleRun();
}

void
TransmitEngine::RequestFirst(TransmitClient& client)
{
    m_ring.push_front(&client);
    m_sentInTurn = 0;
    ScheduleRun();
}

void
TransmitEngine::Serve(TransmitClient& client)
{
    m_ring.push_back(&client);
    if (!m_running && !m_event.IsRunning() && m_free <= SimulationClock::Now())
    {
        Run();
        return;
    }
    ScheduleRun();
}

bool
TransmitEngine::IsIdle() const
{
    return !m_running && m_ring.empty() && m_free <= SimulationClock::Now();
}

void
TransmitEngine::Occupy(Time occupancy)
{
    m_free = GetFree() + occupancy;
}

void
TransmitEngine::Remove(TransmitClient& client)
{
    m_ring.erase(std::remove(m_ring.begin(), m_ring.end(), &client), m_ring.end());
    if (m_ring.empty())
    {
        m_event.Cancel();
    }
}

void
TransmitEngine::Stop()
{
    m_event.Cancel();
    m_ring.clear();
}

void
TransmitEngine::ScheduleRun()
{
    if (!m_running && !m_event.IsRunning())
    {
        const Time now = SimulationClock::Now();
        m_event.Plan(now, std::max(m_free, now), &TransmitEngine::Run, this);
    }
}

void
TransmitEngine::Run()
{
    m_running = true;
    std::optional<TransmitClient::Service> service;
    while (!service && !m_ring.empty())
    {
        TransmitClient& client = *m_ring.front();
        m_ring.pop_front();
        service = Serve(client, SimulationClock::Now());
    }
    if (service && !service->again)
    {
        GoAhead();
    }
    m_running = false;
    if (!m_ring.empty())
    {
        ScheduleRun();
    }
}

std::optional<TransmitClient::Service>
TransmitEngine::Serve(TransmitClient& client, Time begins)
{
    std::optional<TransmitClient::Service> service = client.Transmit(begins);
    if (service)
    {
        m_free = begins + service->occupancy;
    }
    if (service && service->again)
    {
        m_ring.push_front(&client);
        return service;
    }
    client.Served();
    if (service)
    {
        GoOnWith(client);
    }
    return service;
}

void
TransmitEngine::GoAhead()
{
    const Time end = SimulationClock::Now() + m_burst;
    bool goesOn = true;
    while (goesOn && m_free < end && m_ring.size() == 1 && m_ring.front()->CanGoAhead())
    {
        TransmitClient& client = *m_ring.front();
        m_ring.pop_front();
        const auto service = Serve(client, m_free);
        goesOn = service && !service->again;
    }
}

void
TransmitEngine::GoOnWith(TransmitClient& client)
{
    const bool waits = !m_ring.empty() && m_ring.back() == &client;
    if (!waits || ++m_sentInTurn >= client.GetWeight())
    {
        m_sentInTurn = 0;
        return;
    }
    m_ring.pop_back();
    m_ring.push_front(&client);
}

} // namespace ns3::nfsrdma
