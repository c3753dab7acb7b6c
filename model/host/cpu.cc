/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/cpu.h"

#include "host/transfer-time.h"

#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"
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
                          MakeUintegerChecker<uint32_t>(1, 4096))
            .AddAttribute("PostCost",
                          "Of a call that posts, its doorbell included (time): a posted MMIO write "
                          "takes 50 to 150 ns. Default: low end.",
                          TimeValue(NanoSeconds(50)),
                          MakeTimeAccessor(&HostCpu::m_postCost),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PostPerRequest",
                          "Of each work request of such a call (time): writing a descriptor of a "
                          "cache line. Default: 10 ns, assumed.",
                          TimeValue(NanoSeconds(10)),
                          MakeTimeAccessor(&HostCpu::m_postPerRequest),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PollCost",
                          "Of each completion polled (time): a cache miss and a few branches. "
                          "Default: 20 ns, assumed.",
                          TimeValue(NanoSeconds(20)),
                          MakeTimeAccessor(&HostCpu::m_pollCost),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("InterruptCost",
                          "Of an interrupt taken (time), the latency of the device's "
                          "InterruptLatency apart. Default: 500 ns, assumed: a quarter of the 2 us "
                          "from interrupt to handler.",
                          TimeValue(NanoSeconds(500)),
                          MakeTimeAccessor(&HostCpu::m_interruptCost),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("WakeUp",
                          "To make a sleeping thread run on a core (time): 1 to 3 us. Default: low "
                          "end.",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&HostCpu::m_wakeUp),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("CopyRate",
                          "Of one core copying memory (bit/s): 8 to 12 GB/s. 0: takes no time. "
                          "Default: 10 GB/s.",
                          DataRateValue(DataRate("80Gb/s")),
                          MakeDataRateAccessor(&HostCpu::m_copyRate),
                          MakeDataRateChecker())
            .AddTraceSource("Work",
                            "A core has been given work: from when, until when.",
                            MakeTraceSourceAccessor(&HostCpu::m_workTrace),
                            "ns3::nfsrdma::HostCpu::WorkTracedCallback");
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
    return Occupy(thread, std::max({earliest, thread.m_free, Simulator::Now()}), cost);
}

Time
HostCpu::Settle(HostThread& thread, Time since, Time cost)
{
    return Occupy(thread, std::max(since, thread.m_free), cost);
}

Time
HostCpu::Occupy(HostThread& thread, Time ready, Time cost)
{
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
    const Time start = std::max(core, ready);
    core = start + cost;
    m_workTrace(start, core);
    m_used += cost;
    thread.m_used += cost;
    thread.m_free = core;
    return core;
}

Time
HostCpu::GetAvailable(const HostThread& thread) const
{
    return std::max(
        {*std::min_element(m_cores.begin(), m_cores.end()), thread.m_free, Simulator::Now()});
}

Time
HostCpu::GetCopyTime(uint64_t octets) const
{
    return GetTransferTime(octets, m_copyRate);
}

} // namespace ns3::nfsrdma
