/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-switch.h"

#include "link/ethernet-numbers.h"
#include "link/frame-head.h"
#include "link/setting-names.h"
#include "wire/simulation-clock.h"

#include "ns3/boolean.h"
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
constexpr std::array<const char*, 3> LACP_MODES{"active", "passive", "off"};
constexpr uint16_t LACP_PRIORITY = 32768; // Of systems and of ports: the default of IEEE 802.1AX.
constexpr std::size_t OF_NO_PORT = SIZE_MAX; // The switch's own frames: no share of the buffer.

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
            .AddAttribute("Spray",
                          "Frames take equal ports in turn, and flows do not have one each "
                          "(true or false). Default: false, as switches are delivered.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&EthernetSwitch::m_sprays),
                          MakeBooleanChecker())
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
            .AddAttribute("Lacp",
                          "Whether link aggregation groups of hosts that speak LACP do: active, "
                          "unasked; passive, when the host does; off: they are static. Default: "
                          "active.",
                          StringValue("active"),
                          MakeStringAccessor(&EthernetSwitch::SetLacp, &EthernetSwitch::GetLacp),
                          MakeStringChecker())
            .AddAttribute(
                "LacpRate",
                "How often hosts are asked to speak LACP: slow, every 30 s, or fast, every "
                "second. Default: slow, as most switches are delivered.",
                StringValue("slow"),
                MakeStringAccessor(&EthernetSwitch::SetLacpRate, &EthernetSwitch::GetLacpRate),
                MakeStringChecker())
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
    m_marking = static_cast<QueueMarking>(FindSettingName(MARKINGS, name, "marking of queues"));
}

void
EthernetSwitch::SetLacp(std::string name)
{
    m_lacp = static_cast<LacpMode>(FindSettingName(LACP_MODES, name, "mode of LACP"));
}

std::string
EthernetSwitch::GetLacp() const
{
    return LACP_MODES[static_cast<std::size_t>(m_lacp)];
}

void
EthernetSwitch::SetLacpRate(std::string name)
{
    m_lacpRate = static_cast<LacpRate>(FindSettingName(LACP_RATES, name, "lacp_rate"));
}

std::string
EthernetSwitch::GetLacpRate() const
{
    return LACP_RATES[static_cast<std::size_t>(m_lacpRate)];
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

EthernetSwitch::Group&
EthernetSwitch::MakeGroup(const std::vector<std::size_t>& ports)
{
    const std::size_t before = m_heads.size();
    m_heads.resize(GetNPorts());
    std::iota(m_heads.begin() + static_cast<std::ptrdiff_t>(before), m_heads.end(), before);
    for (const std::size_t port : ports)
    {
        m_heads.at(port) = ports.front();
    }
    auto& group = m_groups[ports.front()];
    group.ports = ports;
    return group;
}

void
EthernetSwitch::AddGroup(const std::vector<std::size_t>& ports)
{
    NS_ABORT_MSG_UNLESS(ports.size() > 1, "a link aggregation group has several ports");
    MakeGroup(ports);
}

PortAggregate*
EthernetSwitch::AddLacpGroup(const std::vector<std::size_t>& ports)
{
    NS_ABORT_MSG_IF(ports.empty(), "a link aggregation group has ports");
    auto& group = MakeGroup(ports);
    if (m_lacp == LacpMode::OFF)
    {
        return nullptr;
    }
    const PortAggregate::Settings settings{GetPort(0)->GetMacAddress(),
                                           LACP_PRIORITY,
                                           LACP_PRIORITY,
                                           m_lacp == LacpMode::ACTIVE,
                                           m_lacpRate};
    group.lacp = std::make_unique<PortAggregate>(
        settings,
        [this, ports](std::size_t by, const Ptr<Packet>& frame) { SendPdu(ports[by], frame); },
        [] {});
    for (const std::size_t port : ports)
    {
        group.lacp->AddPort(static_cast<uint16_t>(port + 1),
                            static_cast<uint16_t>(ports.front() + 1),
                            GetPort(port)->GetMacAddress());
        GetPort(port)->SetCarrierCallback(MakeCallback(&EthernetSwitch::HandleCarrier, this, port));
    }
    return group.lacp.get();
}

void
EthernetSwitch::StartLacp()
{
    for (auto& [head, group] : m_groups)
    {
        for (std::size_t i = 0; group.lacp && i < group.ports.size(); ++i)
        {
            group.lacp->SetLink(i, GetPort(group.ports[i])->HasCarrier());
        }
        if (group.lacp)
        {
            group.lacp->Start();
        }
    }
}

void
EthernetSwitch::StopLacp()
{
    for (auto& [head, group] : m_groups)
    {
        if (group.lacp)
        {
            group.lacp->Stop();
        }
    }
}

std::pair<EthernetSwitch::Group*, std::size_t>
EthernetSwitch::FindGroup(std::size_t port)
{
    const auto group = m_groups.find(GetHead(port));
    if (group == m_groups.end())
    {
        return {nullptr, 0};
    }
    const auto& ports = group->second.ports;
    const auto found = std::find(ports.begin(), ports.end(), port);
    return {&group->second, static_cast<std::size_t>(found - ports.begin())};
}

void
EthernetSwitch::HandleCarrier(std::size_t port, bool up)
{
    const auto [group, member] = FindGroup(port);
    group->lacp->SetLink(member, up);
}

void
EthernetSwitch::SendPdu(std::size_t port, const Ptr<Packet>& frame)
{
    if (m_buffer)
    {
        m_held[port].push_back(OF_NO_PORT);
    }
    if (!m_ports[port].Send(frame, Arrival(), {}, m_draw) && m_buffer)
    {
        m_held[port].pop_back();
    }
}

bool
EthernetSwitch::EndsAt(std::size_t port, const Ptr<const Packet>& frame, bool isSlow)
{
    const auto [group, member] = FindGroup(port);
    if (isSlow)
    {
        ++m_counters.control;
        if (group != nullptr && group->lacp)
        {
            group->lacp->Receive(member, frame);
        }
        return true;
    }
    const bool isClosed = group != nullptr && group->lacp && !group->lacp->Collects(member);
    m_counters.filtered += isClosed ? 1 : 0;
    return isClosed;
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
    const auto& [members, lacp] = group->second;
    const auto isUsable = [this, &members = members, &lacp = lacp](std::size_t member) {
        return m_ports[members[member]].GetDevice()->HasCarrier() &&
               (!lacp || lacp->Distributes(member));
    };
    uint32_t usable = 0;
    for (std::size_t member = 0; member < members.size(); ++member)
    {
        usable += isUsable(member) ? 1 : 0;
    }
    if (usable == 0)
    {
        return lacp ? GetNPorts() : port;
    }
    std::array<uint8_t, FrameHead::SIZE> octets{};
    const ByteSpan head(octets.data(), frame->CopyData(octets.data(), FrameHead::SIZE));
    uint32_t turn = FrameHead::HashFlow(head, m_hashSeed) % usable;
    std::size_t member = 0;
    while (!isUsable(member) || turn-- > 0)
    {
        ++member;
    }
    return members[member];
}

void
EthernetSwitch::SendBy(std::size_t from, std::size_t port, const Ptr<Packet>& frame)
{
    const std::size_t out = ChooseMember(port, frame);
    if (out == GetNPorts())
    {
        m_ports[GetHead(port)].CountDropped();
        return;
    }
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
    if (from != OF_NO_PORT)
    {
        m_buffer->Release(from, port, octets);
    }
}

void
EthernetSwitch::DoDispose()
{
    for (const auto& port : m_ports)
    {
        port.GetDevice()->SetFrameCallback(EthernetNetDevice::FrameCallback());
        port.GetDevice()->SetDepartureCallback(EthernetNetDevice::DepartureCallback());
        port.GetDevice()->SetCarrierCallback(EthernetNetDevice::CarrierCallback());
    }
    m_groups.clear();
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
        if (EndsAt(port, frame, Lacpdu::IsSlowProtocol(addresses)))
        {
            return;
        }
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
    const uint32_t out = m_sprays
                             ? m_table->TakeTurn(destination)
                             : m_table->Choose(destination, FrameHead::HashFlow(head, m_hashSeed));
    return out == ForwardingTable::NO_PORT ? GetNPorts() : out;
}

void
EthernetSwitch::Learn(Mac48Address source, std::size_t port)
{
    m_learned[source] = {port, SimulationClock::Now() + m_agingTime};
}

std::size_t
EthernetSwitch::Lookup(Mac48Address destination)
{
    const auto learned = m_learned.find(destination);
    if (learned == m_learned.end())
    {
        return GetNPorts();
    }
    if (learned->second.expires < SimulationClock::Now())
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
    m_latestArrival = std::max(m_latestArrival, SimulationClock::Now() + m_latency);
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
