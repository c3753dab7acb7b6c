/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/client-cache.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3::nfsrdma
{

ClientCache::ClientCache(const Settings& settings)
    : m_settings(settings),
      m_alive(std::make_shared<ClientCache*>(this))
{
}

Time
ClientCache::GetCost(uint64_t octets) const
{
    const Time copy = m_settings.copyRate.GetBitRate() == 0
                          ? Time(0)
                          : m_settings.copyRate.CalculateBytesTxTime(static_cast<uint32_t>(octets));
    return m_settings.requestCost + copy;
}

void
ClientCache::AddDirty(uint64_t octets)
{
    m_dirty += octets;
}

void
ClientCache::RemoveDirty(uint64_t octets)
{
    m_dirty -= octets;
    for (auto& retry : std::exchange(m_waiting, {}))
    {
        ns3::Simulator::ScheduleNow(
            [alive = std::weak_ptr<ClientCache*>(m_alive), retry = std::move(retry)] {
                if (!alive.expired())
                {
                    retry();
                }
            });
    }
}

void
ClientCache::Wait(std::function<void()> retry)
{
    m_waiting.push_back(std::move(retry));
}

} // namespace ns3::nfsrdma
