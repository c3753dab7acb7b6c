/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/queue-sampler.h"

#include "ns3/simulator.h"

#include <array>
#include <cinttypes>
#include <cstdio>

namespace ns3::nfsrdma
{

namespace
{

constexpr int64_t NANOSECONDS = 1000000000;

} // namespace

QueueSampler::QueueSampler(const EthernetNetwork& network, Time period, std::ostream& stream)
    : m_network(network),
      m_period(period),
      m_stream(stream),
      m_latest(network.ports.size(), 0)
{
}

QueueSampler::~QueueSampler()
{
    Stop();
}

void
QueueSampler::Start()
{
    m_stream << "time_s,switch,peer,queue_octets\n";
    Sample();
}

void
QueueSampler::Stop()
{
    m_next.Cancel();
}

void
QueueSampler::Sample()
{
    for (std::size_t i = 0; i < m_latest.size(); ++i)
    {
        const auto& port = m_network.ports[i];
        const auto& device = m_network.switches[port.ethernetSwitch]->GetPort(port.port);
        const auto waiting = static_cast<uint32_t>(device->GetWaitingOctets());
        if (waiting != m_latest[i])
        {
            m_latest[i] = waiting;
            const int64_t now = Simulator::Now().GetNanoSeconds();
            std::array<char, 48> time{};
            (void)std::snprintf(time.data(),
                                time.size(),
                                "%" PRId64 ".%09" PRId64,
                                now / NANOSECONDS,
                                now % NANOSECONDS);
            m_stream << time.data() << "," << m_network.switchNames[port.ethernetSwitch] << ","
                     << port.peer << "," << waiting << "\n";
        }
    }
    m_next = Simulator::Schedule(m_period, &QueueSampler::Sample, this);
}

} // namespace ns3::nfsrdma
