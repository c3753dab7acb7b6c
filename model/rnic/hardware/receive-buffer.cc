/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/receive-buffer.h"

#include "wire/ns3-version.h"
#include "wire/simulation-clock.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

ReceiveBuffer::ReceiveBuffer(const uint32_t& capacity)
    : m_capacity(capacity)
{
}

ReceiveBuffer::~ReceiveBuffer()
{
    m_event.Cancel();
}

void
ReceiveBuffer::Release()
{
    const Time now = SimulationClock::Now();
    while (!m_held.empty() && m_held.front().until <= now)
    {
        const Held& held = m_held.front();
        m_meter.Change(held.until, held.octets, 0);
        m_left += held.octets;
        m_held.pop_front();
    }
}

uint32_t
ReceiveBuffer::GetRoom(ReceiveClient& client, uint32_t needed)
{
    Release();
    const bool served = m_served == &client;
    if (!served && (!m_waiting.empty() || m_serving))
    {
        Wait(client, needed);
        return 0;
    }
    const uint64_t held = m_meter.GetCurrent();
    const uint64_t free = m_capacity - std::min<uint64_t>(held, m_capacity);
    uint64_t room = free;
    if (served)
    {
        const uint64_t share = m_servedUpTo - std::min(m_taken, m_servedUpTo);
        room = std::min(free, m_servedAny ? share : std::max<uint64_t>(share, needed));
    }
    room = held == 0 ? std::max<uint64_t>(room, needed) : room;
    if (room < needed)
    {
        Wait(client, needed);
    }
    return static_cast<uint32_t>(room);
}

bool
ReceiveBuffer::HasSpareRoom(uint32_t octets)
{
    Release();
    return m_waiting.empty() && !m_serving && m_meter.GetCurrent() + octets <= m_capacity;
}

void
ReceiveBuffer::Take(uint32_t octets, Time until)
{
    Release();
    m_taken += octets;
    m_servedAny = true;
    const Time now = SimulationClock::Now();
    m_meter.Change(now, 0, octets);
    m_held.InsertInOrder({std::max(until, now), octets}, &Held::until);
}

void
ReceiveBuffer::Remove(ReceiveClient& client)
{
    m_waiting.erase(std::remove(m_waiting.begin(), m_waiting.end(), &client), m_waiting.end());
    if (m_served == &client)
    {
        m_served = nullptr;
    }
}

void
ReceiveBuffer::Stop()
{
    m_event.Cancel();
    m_waiting.clear();
    m_served = nullptr;
}

const OccupancyMeter&
ReceiveBuffer::GetMeter()
{
    Release();
    return m_meter;
}

uint64_t
ReceiveBuffer::GetLeft()
{
    Release();
    return m_left;
}

void
ReceiveBuffer::Wait(ReceiveClient& client, uint32_t needed)
{
    m_needed = std::max(m_needed, needed);
    if (std::find(m_waiting.begin(), m_waiting.end(), &client) == m_waiting.end())
    {
        m_waiting.push_back(&client);
        ++m_stalls;
    }
    if (!m_serving)
    {
        Schedule();
    }
}

void
ReceiveBuffer::Schedule()
{
    if (IsPending(m_event))
    {
        return;
    }
    const uint32_t enough = std::min(m_capacity / 2, m_capacity - std::min(m_needed, m_capacity));
    uint64_t octets = m_meter.GetCurrent();
    Time from = SimulationClock::Now();
    for (auto held = m_held.begin(); held != m_held.end() && octets > enough; ++held)
    {
        octets -= held->octets;
        from = held->until;
    }
    m_event = Simulator::Schedule(from - SimulationClock::Now(), &ReceiveBuffer::Serve, this);
}

void
ReceiveBuffer::Serve()
{
    Release();
    m_serving = true;
    m_needed = 0;
    for (std::size_t left = m_waiting.size(); left > 0 && !m_waiting.empty(); --left)
    {
        m_served = m_waiting.front();
        m_waiting.pop_front();
        const uint64_t held = m_meter.GetCurrent();
        const uint64_t free = m_capacity - std::min<uint64_t>(held, m_capacity);
        m_servedUpTo = m_taken + free / left;
        m_servedAny = false;
        m_served->RoomMade();
    }
    m_served = nullptr;
    m_serving = false;
    if (!m_waiting.empty())
    {
        Schedule();
    }
}

} // namespace ns3::nfsrdma
