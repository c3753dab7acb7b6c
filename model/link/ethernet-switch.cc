/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-switch.h"

#include "link/ethernet-numbers.h"
#include "link/frame-head.h"

#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(EthernetSwitch);

namespace
{

constexpr std::array<const char*, 3> MARKINGS{"none", "threshold", "red"};

Mac48Address
ReadAddress(const uint8_t* octets)
{
    Mac48Address address;
    address.CopyFrom(octets);
    return address;
}

} // namespace

EthernetSwitch::EthernetSwitch()
    : m_draw(CreateObject<UniformRandomVariable>())
{
}

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
                          MakeTimeChecker(Time(0)))
            .AddAttribute("HashSeed",
                          "Seed of the hash that chooses among equal ports (number); switches "
                          "behind each other should have different ones. Default: 1.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&EthernetSwitch::m_hashSeed),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "Marking",
                "Which frames get the ECN mark before they wait at a port: none, "
                "threshold or red. Default: none, as most switches are delivered.",
                StringValue("none"),
                MakeStringAccessor(&EthernetSwitch::SetMarking, &EthernetSwitch::GetMarking),
                MakeStringChecker())
            .AddAttribute("MarkThreshold",
                          "threshold: frames that find more waiting are marked (octets). Default: "
                          "65 frames of 1500 octets, what the authors of DCTCP took at 10 Gbit/s.",
                          UintegerValue(97500),
                          MakeUintegerAccessor(&EthernetSwitch::m_markThreshold),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("RedMinimum",
                          "red: average queue (octets) below which nothing is marked. Default: a "
                          "third of RedMaximum (Floyd 1997).",
                          UintegerValue(102400),
                          MakeUintegerAccessor(&EthernetSwitch::m_redMinimum),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("RedMaximum",
                          "red: average queue (octets) from which everything is marked. Default: "
                          "300 KiB (a choice of this model).",
                          UintegerValue(307200),
                          MakeUintegerAccessor(&EthernetSwitch::m_redMaximum),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("RedProbability",
                          "red: probability of a mark just below RedMaximum. Default: 0.1 (Floyd "
                          "1997).",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&EthernetSwitch::m_redProbability),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("RedWeight",
                          "red: weight of the queue that a frame finds in the average. Default: "
                          "0.002 (Floyd and Jacobson 1993).",
                          DoubleValue(0.002),
                          MakeDoubleAccessor(&EthernetSwitch::m_redWeight),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Buffer",
                          "Packet buffer that all ports share (octets); 0: each has its queue "
                          "alone. Default: 0.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&EthernetSwitch::m_bufferSize),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Alpha",
                          "Share of a port: so many times what is free of the shared buffer "
                          "(Choudhury and Hahne 1998); 0: an equal part of it. Default: 1, their "
                          "recommendation.",
                          DoubleValue(1),
                          MakeDoubleAccessor(&EthernetSwitch::m_alpha),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("Xoff",
                          "Octets that may have come by a port before it sends PAUSE; 0: its share "
                          "of the shared buffer. Default: 0.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&EthernetSwitch::m_xoff),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Xon",
                          "Octets of a port at which it lets the other end go on; 0: half of what "
                          "it may have before PAUSE. Default: 0.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&EthernetSwitch::m_xon),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

void
EthernetSwitch::SetMarking(std::string name)
{
    const auto* const found = std::find(MARKINGS.begin(), MARKINGS.end(), name);
    NS_ABORT_MSG_IF(found == MARKINGS.end(), "no marking of queues is called " << name);
    m_marking = static_cast<QueueMarking>(found - MARKINGS.begin());
}

std::string
EthernetSwitch::GetMarking() const
{
    return MARKINGS[static_cast<std::size_t>(m_marking)];
}

int64_t
EthernetSwitch::AssignStreams(int64_t stream)
{
    m_draw->SetStream(stream);
    return 1;
}

void
EthernetSwitch::AddPort(Ptr<EthernetNetDevice> device)
{
    const std::size_t number = m_ports.size();
    device->SetFrameCallback(MakeCallback(&EthernetSwitch::Receive, this, number));
    if (m_bufferSize > 0)
    {
        if (!m_buffer)
        {
            m_buffer = std::make_unique<SwitchBuffer>(
                SwitchBuffer::Settings{m_bufferSize, m_alpha, m_xoff, m_xon});
        }
        m_buffer->AddPort(device);
        m_held.emplace_back();
        device->SetQueueSize(QueueSize(QueueSizeUnit::BYTES, static_cast<uint32_t>(m_bufferSize)));
        device->SetDepartureCallback(MakeCallback(&EthernetSwitch::HandleDeparture, this, number));
    }
    m_ports.emplace_back(device);
}

void
EthernetSwitch::AddGroup(const std::vector<std::size_t>& ports)
{
    NS_ABORT_MSG_UNLESS(ports.size() > 1, "a link aggregation group has several ports");
    m_heads.resize(GetNPorts());
    if (m_groups.empty())
    {
        std::iota(m_heads.begin(), m_heads.end(), 0);
    }
    for (const std::size_t port : ports)
    {
        m_heads.at(port) = ports.front();
    }
    m_groups[ports.front()] = ports;
}

std::size_t
EthernetSwitch::GetHead(std::size_t port) const
{
    return port < m_heads.size() ? m_heads[port] : port;
}

std::size_t
EthernetSwitch::ChooseMember(std::size_t port, const Ptr<const Packet>& frame) const
{
    const auto group = m_groups.find(GetHead(port));
    if (group == m_groups.end())
    {
        return port;
    }
    const auto& members = group->second;
    const auto hasCarrier = [this](std::size_t member) {
        return m_ports[member].GetDevice()->HasCarrier();
    };
    const auto usable = std::count_if(members.begin(), members.end(), hasCarrier);
    if (usable == 0)
    {
        return port;
    }
    std::array<uint8_t, FrameHead::SIZE> octets{};
    const ByteSpan head(octets.data(), frame->CopyData(octets.data(), FrameHead::SIZE));
    auto turn = FrameHead::HashFlow(head, m_hashSeed) % static_cast<uint32_t>(usable);
    auto member = std::find_if(members.begin(), members.end(), hasCarrier);
    for (; turn > 0; --turn)
    {
        member = std::find_if(member + 1, members.end(), hasCarrier);
    }
    return *member;
}

void
EthernetSwitch::SendBy(std::size_t from, std::size_t port, const Ptr<Packet>& frame)
{
    const std::size_t out = ChooseMember(port, frame);
    const uint32_t octets = frame->GetSize();
    if (m_buffer && !m_buffer->Admit(from, out, octets))
    {
        m_ports[out].CountDropped();
        return;
    }
    if (m_buffer)
    {
        m_held[out].push_back(from);
    }
    if (!m_ports[out].Send(frame, Arrival(), MakeMarkingSettings(), m_draw) && m_buffer)
    {
        m_held[out].pop_back();
        m_buffer->Release(from, out, octets);
    }
}

void
EthernetSwitch::HandleDeparture(std::size_t port, uint32_t octets)
{
    const std::size_t from = m_held[port].front();
    m_held[port].pop_front();
    m_buffer->Release(from, port, octets);
}

void
EthernetSwitch::DoDispose()
{
    for (const auto& port : m_ports)
    {
        port.GetDevice()->SetFrameCallback(EthernetNetDevice::FrameCallback());
        port.GetDevice()->SetDepartureCallback(EthernetNetDevice::DepartureCallback());
    }
    m_ports.clear();
    m_buffer.reset();
    Object::DoDispose();
}

void
EthernetSwitch::Receive(std::size_t port, Ptr<Packet> frame)
{
    std::size_t out = GetNPorts();
    if (m_table)
    {
        out = Route(frame);
    }
    else
    {
        std::array<uint8_t, 2 * ETHERNET_ADDRESS_SIZE> addresses{};
        frame->CopyData(addresses.data(), addresses.size());
        const Mac48Address destination = ReadAddress(addresses.data());
        Learn(ReadAddress(addresses.data() + ETHERNET_ADDRESS_SIZE), port);
        out = destination.IsGroup() ? GetNPorts() : Lookup(destination);
    }
    if (out < GetNPorts() && GetHead(out) == GetHead(port))
    {
        ++m_counters.filtered;
    }
    else if (out < GetNPorts())
    {
        ++m_counters.forwarded;
        SendBy(port, out, frame);
    }
    else
    {
        ++m_counters.flooded;
        Flood(port, frame);
    }
}

std::size_t
EthernetSwitch::Route(const Ptr<Packet>& frame)
{
    std::array<uint8_t, FrameHead::SIZE> octets{};
    const ByteSpan head(octets.data(), frame->CopyData(octets.data(), FrameHead::SIZE));
    uint64_t destination = FrameHead::GetDestination(head);
    if (const auto asked = FrameHead::GetArpTarget(head))
    {
        const uint64_t neighbour = m_table->FindNeighbour(*asked);
        m_counters.directed += neighbour != 0 ? 1 : 0;
        destination = neighbour != 0 ? neighbour : destination;
    }
    const uint32_t out = m_table->Choose(destination, FrameHead::HashFlow(head, m_hashSeed));
    return out == ForwardingTable::NO_PORT ? GetNPorts() : out;
}

void
EthernetSwitch::Learn(Mac48Address source, std::size_t port)
{
    m_learned[source] = {port, Simulator::Now() + m_agingTime};
}

std::size_t
EthernetSwitch::Lookup(Mac48Address destination)
{
    const auto learned = m_learned.find(destination);
    if (learned == m_learned.end())
    {
        return GetNPorts();
    }
    if (learned->second.expires < Simulator::Now())
    {
        m_learned.erase(learned);
        return GetNPorts();
    }
    return learned->second.port;
}

void
EthernetSwitch::Flood(std::size_t from, Ptr<Packet> frame)
{
    if (m_table)
    {
        for (const uint32_t port : m_table->GetFloodPorts())
        {
            if (port != from)
            {
                SendBy(from, port, frame->Copy());
            }
        }
        return;
    }
    for (std::size_t port = 0; port < GetNPorts(); ++port)
    {
        if (GetHead(port) == port && port != GetHead(from))
        {
            SendBy(from, port, frame->Copy());
        }
    }
}

/// When a frame that comes now gets to the queue of the port that it leaves by.
Time
EthernetSwitch::Arrival()
{
    m_latestArrival = std::max(m_latestArrival, Simulator::Now() + m_latency);
    return m_latestArrival;
}

QueueMarkingSettings
EthernetSwitch::MakeMarkingSettings() const
{
    return {m_marking,
            m_markThreshold,
            {static_cast<double>(m_redMinimum),
             static_cast<double>(m_redMaximum),
             m_redProbability,
             m_redWeight}};
}

} // namespace ns3::nfsrdma
