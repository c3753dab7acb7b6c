/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/host-cpu.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(HostCpu);

TypeId
HostCpu::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::HostCpu")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<HostCpu>()
            .AddAttribute("Cores",
                          "Cores of the host (count). Default: 16, a small server.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&HostCpu::SetCores, &HostCpu::GetCores),
                          MakeUintegerChecker<uint32_t>(1, 4096));
    return tid;
}

Time
HostCpu::Run(HostThread& thread, Time cost)
{
    return Run(thread, Simulator::Now(), cost);
}

Time
HostCpu::Run(HostThread& thread, Time earliest, Time cost)
{
    const Time ready = std::max({earliest, thread.m_free, Simulator::Now()});
    if (cost.IsZero())
    {
        return ready;
    }
    const auto waitsLeast = [ready](Time a, Time b) {
        const bool idleA = a <= ready;
        const bool idleB = b <= ready;
        if (idleA && idleB)
        {
            return a > b;
        }
        return idleA != idleB ? idleA : a < b;
    };
    Time& core = *std::min_element(m_cores.begin(), m_cores.end(), waitsLeast);
    core = std::max(core, ready) + cost;
    m_used += cost;
    thread.m_used += cost;
    thread.m_free = core;
    return core;
}

uint32_t
HostCpu::GetCores() const
{
    return m_cores.size();
}

Time
HostCpu::GetUsed() const
{
    return m_used;
}

void
HostCpu::SetCores(uint32_t cores)
{
    m_cores.assign(cores, Time(0));
}

} // namespace ns3::nfsrdma
