/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cpu-watch.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

CpuWatch::CpuWatch(std::vector<Ptr<HostCpu>> processors)
    : m_processors(std::move(processors))
{
    Restart();
}

void
CpuWatch::Restart()
{
    m_began = Simulator::Now();
    m_ended.reset();
    m_usedBefore.clear();
    for (const auto& processor : m_processors)
    {
        m_usedBefore.push_back(processor->GetUsed());
    }
}

void
CpuWatch::Stop()
{
    m_ended = Simulator::Now();
    m_usedAfter.clear();
    for (const auto& processor : m_processors)
    {
        m_usedAfter.push_back(processor->GetUsed());
    }
}

double
CpuWatch::GetBusyShare(std::size_t index) const
{
    const auto& processor = m_processors.at(index);
    const Time available = (m_ended.value_or(Simulator::Now()) - m_began) *
                           static_cast<int64_t>(processor->GetCores());
    if (available.IsZero())
    {
        return 0;
    }
    return std::min(1.0, GetCoreTime(index).GetDouble() / available.GetDouble());
}

Time
CpuWatch::GetCoreTime(std::size_t index) const
{
    const Time after = m_ended ? m_usedAfter.at(index) : m_processors.at(index)->GetUsed();
    return after - m_usedBefore.at(index);
}

} // namespace ns3::nfsrdma
