/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory/placement-watch.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

PlacementWatch::~PlacementWatch()
{
    Clear();
}

uint32_t
PlacementWatch::Add(uint64_t address, Callback callback)
{
    m_watches[m_nextHandle] = {address, std::move(callback), {}};
    return m_nextHandle++;
}

void
PlacementWatch::Remove(uint32_t handle)
{
    const auto watch = m_watches.find(handle);
    if (watch != m_watches.end())
    {
        for (EventId& event : watch->second.pending)
        {
            event.Cancel();
        }
        m_watches.erase(watch);
    }
}

void
PlacementWatch::Clear()
{
    while (!m_watches.empty())
    {
        Remove(m_watches.begin()->first);
    }
}

void
PlacementWatch::Tell(uint64_t address, uint64_t length, Time visible)
{
    const Time delay = std::max(Time(0), visible - Simulator::Now());
    for (auto& [handle, watch] : m_watches)
    {
        if (watch.address >= address && watch.address - address < length)
        {
            watch.pending.push_back(
                Simulator::Schedule(delay, &PlacementWatch::Fire, this, handle));
        }
    }
}

void
PlacementWatch::Fire(uint32_t handle)
{
    Watch& watch = m_watches.at(handle);
    watch.pending.remove_if([](const EventId& event) { return event.IsExpired(); });
    const Callback callback = watch.callback;
    callback();
}

} // namespace ns3::nfsrdma
