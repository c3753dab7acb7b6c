/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/segment-queue.h"

#include "rnic/hardware/clocks.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

TcpSegmentQueue::TcpSegmentQueue(RnicClocks& clocks, TransmitEngine& engine, RnicCounters& counters)
    : m_clocks(&clocks),
      m_engine(&engine),
      m_counters(&counters)
{
}

void
TcpSegmentQueue::Stop()
{
    m_look.Cancel();
    m_pauses.clear();
    m_ports.clear();
    m_clocks = nullptr;
    m_engine = nullptr;
    m_counters = nullptr;
    m_segments.clear();
}

void
TcpSegmentQueue::SetPorts(const std::vector<Ptr<EthernetNetDevice>>& ports)
{
    m_ports = ports;
}

void
TcpSegmentQueue::FindPauses()
{
    for (const auto& port : m_ports)
    {
        if (port->HasFlowControl() && port->IsLinkUp())
        {
            m_pauses.push_back(std::make_unique<PauseSender>(port));
            m_headRoom = std::max(m_headRoom, PauseSender::ComputeHeadRoom(*port));
        }
    }
    m_ports.clear();
}

uint64_t
TcpSegmentQueue::GetXoff() const
{
    const RnicSettings& settings = m_clocks->GetSettings();
    const uint64_t reserved = m_headRoom * m_pauses.size();
    if (settings.pauseXoff > 0)
    {
        return settings.pauseXoff;
    }
    return settings.packetBuffer > reserved ? settings.packetBuffer - reserved : 0;
}

void
TcpSegmentQueue::ControlFlow()
{
    const Time now = Simulator::Now();
    const uint64_t xoff = GetXoff();
    const uint64_t xon = m_clocks->GetSettings().pauseXon > 0
                             ? std::min<uint64_t>(m_clocks->GetSettings().pauseXon, xoff)
                             : xoff / 2;
    m_packets.GetReturned(now);
    const uint64_t held = m_packets.GetOutstanding();
    for (const auto& pause : m_pauses)
    {
        if (held > xoff)
        {
            pause->Stop();
        }
        else if (held <= xon)
        {
            pause->GoOn();
        }
    }
    if (m_pauses.front()->IsHolding() && !m_look.IsRunning())
    {
        m_look = Simulator::Schedule(m_packets.GetTimeOf(xon) - now,
                                     &TcpSegmentQueue::ControlFlow,
                                     this);
    }
}

bool
TcpSegmentQueue::Admit(uint32_t repeated)
{
    if (m_engine == nullptr || m_clocks->IsSegmentFree(repeated))
    {
        return m_segments.empty();
    }
    if (!m_segments.empty() || !m_engine->IsIdle())
    {
        return false;
    }
    m_engine->Occupy(m_clocks->SendSegment(repeated));
    return true;
}

void
TcpSegmentQueue::Defer(uint32_t repeated, bool isMade, std::function<void()> leave)
{
    if (m_engine == nullptr)
    {
        leave();
        return;
    }
    m_segments.push_back({repeated, isMade, std::move(leave)});
    if (m_segments.size() == 1)
    {
        m_engine->RequestFirst(*this);
    }
}

std::optional<Time>
TcpSegmentQueue::Arrive(uint32_t octets, bool hasPayload)
{
    const Time now = Simulator::Now();
    if (m_clocks == nullptr)
    {
        return now;
    }
    const RnicSettings& settings = m_clocks->GetSettings();
    const bool passes = settings.tcpPerSegment.IsZero() || settings.engineOnHost;
    if (!passes)
    {
        m_packets.GetReturned(now);
        const bool isFull = m_packets.GetOutstanding() + octets > settings.packetBuffer;
        if (isFull && m_tcpFree > now)
        {
            m_counters->packetsLost++;
            return std::nullopt;
        }
        m_tcpFree = std::max(m_tcpFree, now) + settings.tcpPerSegment;
        m_packets.Add(octets, now, m_tcpFree);
        if (!m_ports.empty())
        {
            FindPauses();
        }
        if (!m_pauses.empty())
        {
            ControlFlow();
        }
    }
    if (!hasPayload)
    {
        m_clocks->ReceiveSegment();
    }
    return passes ? now : m_tcpFree;
}

std::optional<TransmitClient::Service>
TcpSegmentQueue::Transmit(Time /* begins */)
{
    std::optional<Service> service;
    while (!m_segments.empty() && (!service || m_segments.front().isMade))
    {
        const Segment segment = std::move(m_segments.front());
        m_segments.pop_front();
        if (!segment.isMade)
        {
            service = Service{m_clocks->SendSegment(segment.repeated)};
        }
        segment.leave();
    }
    return service;
}

void
TcpSegmentQueue::Served()
{
    if (!m_segments.empty())
    {
        m_engine->RequestFirst(*this);
    }
}

} // namespace ns3::nfsrdma
