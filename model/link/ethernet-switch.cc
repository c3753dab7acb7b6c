/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-switch.h"

#include "ns3/simulator.h"

#include <array>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(EthernetSwitch);

namespace
{

constexpr uint32_t ADDRESS_SIZE = 6;

Mac48Address
ReadAddress(const uint8_t* octets)
{
    Mac48Address address;
    address.CopyFrom(octets);
    return address;
}

} // namespace

TypeId
EthernetSwitch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::EthernetSwitch")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<EthernetSwitch>()
            .AddAttribute("Latency",
                          "Time from the last octet in to the first octet out of an idle port (s). "
                          "Default: the middle of what data-centre switches state, 0.3 to 0.6 us.",
                          TimeValue(NanoSeconds(450)),
                          MakeTimeAccessor(&EthernetSwitch::m_latency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("AgingTime",
                          "Time after which an address not seen is forgotten (s). Default: IEEE "
                          "802.1D.",
                          TimeValue(Seconds(300)),
                          MakeTimeAccessor(&EthernetSwitch::m_agingTime),
                          MakeTimeChecker(Time(0)));
    return tid;
}

void
EthernetSwitch::AddPort(Ptr<EthernetNetDevice> device)
{
    device->SetFrameCallback(MakeCallback(&EthernetSwitch::Receive, this, m_ports.size()));
    m_ports.push_back(device);
}

std::size_t
EthernetSwitch::GetNPorts() const
{
    return m_ports.size();
}

Ptr<EthernetNetDevice>
EthernetSwitch::GetPort(std::size_t index) const
{
    return m_ports.at(index);
}

const EthernetSwitch::Counters&
EthernetSwitch::GetCounters() const
{
    return m_counters;
}

void
EthernetSwitch::DoDispose()
{
    for (const auto& port : m_ports)
    {
        port->SetFrameCallback(EthernetNetDevice::FrameCallback());
    }
    m_ports.clear();
    Object::DoDispose();
}

void
EthernetSwitch::Receive(std::size_t port, Ptr<Packet> frame)
{
    std::array<uint8_t, std::size_t{2} * ADDRESS_SIZE> addresses{};
    frame->CopyData(addresses.data(), addresses.size());
    const Mac48Address destination = ReadAddress(addresses.data());
    Learn(ReadAddress(addresses.data() + ADDRESS_SIZE), port);
    const std::size_t out = destination.IsGroup() ? GetNPorts() : Lookup(destination);
    if (out == port)
    {
        ++m_counters.filtered;
    }
    else if (out < GetNPorts())
    {
        ++m_counters.forwarded;
        Simulator::Schedule(m_latency, &EthernetSwitch::Forward, this, out, frame);
    }
    else
    {
        ++m_counters.flooded;
        Simulator::Schedule(m_latency, &EthernetSwitch::Flood, this, port, frame);
    }
}

void
EthernetSwitch::Learn(Mac48Address source, std::size_t port)
{
    m_table[source] = {port, Simulator::Now() + m_agingTime};
}

std::size_t
EthernetSwitch::Lookup(Mac48Address destination)
{
    const auto learned = m_table.find(destination);
    if (learned == m_table.end())
    {
        return GetNPorts();
    }
    if (learned->second.expires < Simulator::Now())
    {
        m_table.erase(learned);
        return GetNPorts();
    }
    return learned->second.port;
}

void
EthernetSwitch::Forward(std::size_t port, Ptr<Packet> frame)
{
    m_ports[port]->SendFrame(frame);
}

void
EthernetSwitch::Flood(std::size_t from, Ptr<Packet> frame)
{
    for (std::size_t port = 0; port < GetNPorts(); ++port)
    {
        if (port != from)
        {
            m_ports[port]->SendFrame(frame->Copy());
        }
    }
}

} // namespace ns3::nfsrdma
