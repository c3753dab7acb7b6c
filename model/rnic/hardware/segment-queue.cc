/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/segment-queue.h"

#include "rnic/hardware/clocks.h"
#include "wire/ns3-version.h"
#include "wire/simulation-clock.h"

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
    m_ports.clear();
    m_hasPauses = false;
    m_clocks = nullptr;
    m_engine = nullptr;
    m_counters = nullptr;
    m_segments.clear();
}

void
TcpSegmentQueue::SetPorts(const std::vector<Ptr<EthernetNetDevice>>& ports)
{
    m_ports.clear();
    for (const auto& port : ports)
    {
        m_ports.push_back({port});
    }
}

std::vector<uint64_t>
TcpSegmentQueue::ListLost() const
{
    std::vector<uint64_t> lost;
    for (const auto& port : m_ports)
    {
        lost.push_back(port.lost);
    }
    return m_clocks != nullptr && HasShares() ? lost : std::vector<uint64_t>{};
}

bool
TcpSegmentQueue::HasShares() const
{
    return m_clocks->GetSettings().packetBufferShare < 1;
}

uint64_t
TcpSegmentQueue::GetShare() const
{
    const RnicSettings& settings = m_clocks->GetSettings();
    return static_cast<uint64_t>(settings.packetBufferShare * settings.packetBuffer);
}

TcpSegmentQueue::Port*
TcpSegmentQueue::FindPort()
{
    if (!HasShares())
    {
        return nullptr;
    }
    const auto found = std::find_if(m_ports.begin(), m_ports.end(), [](const Port& port) {
        return port.device->IsDelivering();
    });
    return found == m_ports.end() ? nullptr : &*found;
}

void
TcpSegmentQueue::FindPauses()
{
    for (auto& port : m_ports)
    {
        if (port.device->HasFlowControl() && port.device->IsLinkUp())
        {
            port.pause = std::make_unique<PauseSender>(port.device);
            port.headRoom = PauseSender::ComputeHeadRoom(*port.device);
            m_hasPauses = true;
        }
    }
    m_knowsPauses = true;
}

uint64_t
TcpSegmentQueue::GetXoff(const Port& port) const
{
    const RnicSettings& settings = m_clocks->GetSettings();
    uint64_t room = GetShare();
    uint64_t reserved = port.headRoom;
    if (!HasShares())
    {
        reserved = 0;
        uint64_t most = 0;
        for (const auto& each : m_ports)
        {
            reserved += each.pause ? 1 : 0;
            most = std::max(most, each.headRoom);
        }
        reserved *= most;
        room = settings.packetBuffer;
    }
    if (settings.pauseXoff > 0)
    {
        return settings.pauseXoff;
    }
    return room > reserved ? room - reserved : 0;
}

void
TcpSegmentQueue::ControlFlow()
{
    const Time now = SimulationClock::Now();
    Time next = Time::Max();
    for (auto& port : m_ports)
    {
        if (!port.pause)
        {
            continue;
        }
        FlowCredits& packets = HasShares() ? port.packets : m_packets;
        const uint64_t xoff = GetXoff(port);
        const uint64_t xon = m_clocks->GetSettings().pauseXon > 0
                                 ? std::min<uint64_t>(m_clocks->GetSettings().pauseXon, xoff)
                                 : xoff / 2;
        packets.GetReturned(now);
        const uint64_t held = packets.GetOutstanding();
        if (held > xoff)
        {
            port.pause->Stop();
        }
        else if (held <= xon)
        {
            port.pause->GoOn();
        }
        if (port.pause->IsHolding())
        {
            next = std::min(next, packets.GetTimeOf(xon));
        }
    }
    if (next < Time::Max() && !IsPending(m_look))
    {
        m_look = Simulator::Schedule(next - now, &TcpSegmentQueue::ControlFlow, this);
    }
}

bool
TcpSegmentQueue::IsFull(Port* port, uint32_t octets, Time now)
{
    m_packets.GetReturned(now);
    if (m_packets.GetOutstanding() + octets > m_clocks->GetSettings().packetBuffer)
    {
        return true;
    }
    if (port == nullptr)
    {
        return false;
    }
    port->packets.GetReturned(now);
    return port->packets.GetOutstanding() + octets > GetShare();
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
    const Time now = SimulationClock::Now();
    if (m_clocks == nullptr)
    {
        return now;
    }
    const RnicSettings& settings = m_clocks->GetSettings();
    const bool passes = settings.tcpPerSegment.IsZero() || settings.engineOnHost;
    if (!passes)
    {
        Port* const port = FindPort();
        if (IsFull(port, octets, now) && m_tcpFree > now)
        {
            m_counters->packetsLost++;
            if (port != nullptr)
            {
                ++port->lost;
            }
            return std::nullopt;
        }
        m_tcpFree = std::max(m_tcpFree, now) + settings.tcpPerSegment;
        m_packets.Add(octets, now, m_tcpFree);
        if (port != nullptr)
        {
            port->packets.Add(octets, now, m_tcpFree);
        }
        if (!m_knowsPauses)
        {
            FindPauses();
        }
        if (m_hasPauses)
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
