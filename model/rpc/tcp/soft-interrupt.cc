/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/tcp/soft-interrupt.h"

#include "host/memory.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

bool
PacketQueue::Raise(Time now, Time moderation)
{
    if (polls > 0 && (now < begin || thread.GetFree() > now))
    {
        return false;
    }
    begin = now + moderation;
    ++polls;
    return true;
}

Time
GetOctetCost(Time perPage, uint64_t octets)
{
    return perPage.IsZero() ? Time(0)
                            : NanoSeconds(perPage.GetNanoSeconds() * static_cast<int64_t>(octets) /
                                          static_cast<int64_t>(HostMemory::PAGE_SIZE));
}

bool
TcpSoftInterrupt::Admit(uint32_t repeated)
{
    const HostCosts& costs = m_cpu->GetCosts();
    Run(HostWork(repeated > 0 ? costs.tcpOutputCost : costs.tcpAckCost));
    return true;
}

void
TcpSoftInterrupt::Defer(uint32_t /* repeated */, bool /* isMade */, std::function<void()> leave)
{
    Simulator::ScheduleNow(std::move(leave));
}

std::optional<Time>
TcpSoftInterrupt::Arrive(uint32_t octets, bool hasPayload)
{
    const HostCosts& costs = m_cpu->GetCosts();
    const Time now = Simulator::Now();
    const bool raises = m_queue->Raise(now, costs.tcpModeration);
    Time cost = raises ? m_cpu->GetInterruptCost() : Time(0);
    if (hasPayload)
    {
        const bool joins = std::exchange(m_poll, m_queue->polls) == m_queue->polls &&
                           m_aggregated > 0 && m_aggregated + octets <= costs.tcpReceiveAggregation;
        m_aggregated = joins ? m_aggregated + octets : octets;
        cost += costs.tcpPacketCost + (joins ? Time(0) : costs.tcpSegmentCost) +
                GetOctetCost(costs.tcpChecksum, octets);
    }
    else
    {
        m_aggregated = 0;
        cost += costs.tcpAckCost;
    }
    return m_cpu->Run(m_queue->thread, std::max(now, m_queue->begin), cost);
}

void
TcpSoftInterrupt::Run(const HostWork& work)
{
    if (!work.IsNothing())
    {
        m_cpu->Run(m_queue->thread, work);
    }
}

TcpSoftInterrupts::TcpSoftInterrupts(const Ptr<HostCpu>& cpu)
    : m_cpu(cpu)
{
    const uint32_t vectors = m_cpu->GetCosts().completionVectors;
    const uint32_t queues = vectors > 0 ? std::min(vectors, m_cpu->GetCores()) : m_cpu->GetCores();
    for (uint32_t core = 0; core < queues; ++core)
    {
        m_queues.push_back(std::make_shared<PacketQueue>(core));
    }
}

Ptr<TcpSegmentStage>
TcpSoftInterrupts::MakeForConnection()
{
    return Create<TcpSoftInterrupt>(m_cpu, m_queues[m_next++ % m_queues.size()]);
}

void
TcpSoftInterrupts::Defer(uint32_t /* repeated */, bool /* isMade */, std::function<void()> leave)
{
    Simulator::ScheduleNow(std::move(leave));
}

std::optional<Time>
TcpSoftInterrupts::Arrive(uint32_t /* octets */, bool /* hasPayload */)
{
    return Simulator::Now();
}

} // namespace ns3::nfsrdma
