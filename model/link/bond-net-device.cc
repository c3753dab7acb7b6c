/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/bond-net-device.h"

#include "link/ethernet-channel.h"
#include "link/ethernet-numbers.h"
#include "link/setting-names.h"
#include "wire/ns3-version.h"

#include "ns3/abort.h"
#include "ns3/arp-header.h"
#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/ethernet-header.h"
#include "ns3/icmpv6-l4-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/ipv6.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(BondNetDevice);

namespace
{

constexpr uint16_t ARP = 0x0806;
constexpr uint16_t IP_VERSION_6 = 0x86dd;
constexpr uint32_t HASHED_OCTETS = 78; // Ethernet, IPv4 with all options, and ports; or IPv6.
constexpr std::array<const char*, 3> POLICIES{"layer2", "layer2+3", "layer3+4"};
// ad_actor_sys_prio and the priority of a port, as Linux has them.
constexpr uint16_t SYSTEM_PRIORITY = 0xffff;
constexpr uint16_t PORT_PRIORITY = 0xff;
constexpr uint64_t KEY_UNIT = 100'000'000; // Bit/s: ports of different rates are not aggregated.

bool
IsOfSlowProtocol(const Ptr<const Packet>& frame)
{
    std::array<uint8_t, ETHERNET_ADDRESS_SIZE> octets{};
    return Lacpdu::IsSlowProtocol(
        ByteSpan(octets.data(), frame->CopyData(octets.data(), ETHERNET_ADDRESS_SIZE)));
}

} // namespace

TypeId
BondNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::BondNetDevice")
            .SetParent<EthernetInterface>()
            .SetGroupName("NfsRdma")
            .AddConstructor<BondNetDevice>()
            .AddAttribute("Mode",
                          "How ports work together: active-backup, balance-xor or 802.3ad. "
                          "Default: active-backup, which needs nothing of switches.",
                          EnumValue(ACTIVE_BACKUP),
                          MakeEnumFieldAccessor(&BondNetDevice::m_mode),
                          MakeEnumChecker(ACTIVE_BACKUP,
                                          "active-backup",
                                          BALANCE_XOR,
                                          "balance-xor",
                                          LACP,
                                          "802.3ad"))
            .AddAttribute("Miimon",
                          "Time between two looks at the links of ports (Time). Default: 100 ms, "
                          "what Linux's documentation recommends.",
                          TimeValue(MilliSeconds(100)),
                          MakeTimeAccessor(&BondNetDevice::m_miimon),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("UpDelay",
                          "Time after which a link that has come back is used (Time). Default: "
                          "Linux.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&BondNetDevice::m_upDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("DownDelay",
                          "Time after which a link seen to be down is given up (Time). Default: "
                          "Linux.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&BondNetDevice::m_downDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ArpInterval",
                          "active-backup: time between two looks at what has come by ports, each "
                          "with a request to each of ArpTargets (Time); 0: links are looked at. "
                          "Default: Linux.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&BondNetDevice::m_arpInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "ArpTargets",
                "With ArpInterval: addresses of IPv4 that are asked for, with commas. "
                "Default: none.",
                StringValue(""),
                MakeStringAccessor(&BondNetDevice::SetArpTargets, &BondNetDevice::GetArpTargets),
                MakeStringChecker())
            .AddAttribute(
                "ArpValidate",
                "With ArpInterval: whether only answers of targets count, and requests for "
                "them by ports in reserve; else all that comes does. Default: Linux.",
                BooleanValue(false),
                MakeBooleanAccessor(&BondNetDevice::m_arpValidate),
                MakeBooleanChecker())
            .AddAttribute("ArpMissedMax",
                          "With ArpInterval: intervals without anything after which a port is down "
                          "(number). Default: Linux.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&BondNetDevice::m_arpMissedMax),
                          MakeUintegerChecker<uint32_t>(1, 255))
            .AddAttribute("Primary",
                          "active-backup: the port that is active whenever it has a link, from 1 "
                          "on (number); 0: none. Default: Linux.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&BondNetDevice::m_primary),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("XmitHashPolicy",
                          "balance-xor and 802.3ad: what the port of a frame depends on: layer2, "
                          "layer2+3 or layer3+4. Default: Linux.",
                          StringValue("layer2"),
                          MakeStringAccessor(&BondNetDevice::SetPolicy, &BondNetDevice::GetPolicy),
                          MakeStringChecker())
            .AddAttribute(
                "LacpRate",
                "802.3ad: how often partners are asked to speak: slow, every 30 s, or fast, every "
                "second. Default: Linux.",
                StringValue("slow"),
                MakeStringAccessor(&BondNetDevice::SetLacpRate, &BondNetDevice::GetLacpRate),
                MakeStringChecker())
            .AddAttribute("FailOverMac",
                          "active-backup: whose address the bond has: none, its own on every port; "
                          "active, that of the active port. Default: Linux.",
                          EnumValue(NONE),
                          MakeEnumFieldAccessor(&BondNetDevice::m_failOverMac),
                          MakeEnumChecker(NONE, "none", ACTIVE, "active"))
            .AddTraceSource("Failover",
                            "Another port has become the active one, or, with balance-xor and "
                            "802.3ad, ports have come or gone: the active or first one before, "
                            "now.",
                            MakeTraceSourceAccessor(&BondNetDevice::m_failover),
                            "ns3::nfsrdma::BondNetDevice::FailoverTracedCallback")
            .AddTraceSource("AddressChange",
                            "The bond has the address of another port: before, now.",
                            MakeTraceSourceAccessor(&BondNetDevice::m_addressChange),
                            "ns3::nfsrdma::BondNetDevice::AddressTracedCallback")
            .AddTraceSource("MacTxDrop",
                            "A frame was not sent: no port could.",
                            MakeTraceSourceAccessor(&BondNetDevice::m_macTxDrop),
                            "ns3::Packet::TracedCallback");
    return tid;
}

BondNetDevice::BondNetDevice() = default;

BondNetDevice::~BondNetDevice() = default;

void
BondNetDevice::DoDispose()
{
    for (auto& member : m_members)
    {
        member.pending.Cancel();
    }
    for (const auto& port : m_ports)
    {
        port->SetBondCallback({});
        port->SetCarrierCallback({});
    }
    m_aggregate.reset();
    m_monitor.reset();
    m_members.clear();
    m_usable.clear();
    m_ports.clear();
    m_active = NO_PORT;
    EthernetInterface::DoDispose();
}

void
BondNetDevice::SetPolicy(std::string name)
{
    m_policy = static_cast<TransmitHashPolicy>(FindSettingName(POLICIES, name, "xmit_hash_policy"));
}

std::string
BondNetDevice::GetPolicy() const
{
    return POLICIES[static_cast<std::size_t>(m_policy)];
}

void
BondNetDevice::SetLacpRate(std::string name)
{
    m_lacpRate = static_cast<LacpRate>(FindSettingName(LACP_RATES, name, "lacp_rate"));
}

std::string
BondNetDevice::GetLacpRate() const
{
    return LACP_RATES[static_cast<std::size_t>(m_lacpRate)];
}

void
BondNetDevice::AddPort(const Ptr<EthernetNetDevice>& port)
{
    const auto number = static_cast<uint32_t>(m_ports.size());
    if (number == 0)
    {
        SetMacAddress(port->GetMacAddress());
        EthernetInterface::SetMtu(port->GetMtu());
    }
    port->SetMtu(GetWireMtu());
    if (m_failOverMac == NONE)
    {
        port->SetMacAddress(GetMacAddress());
    }
    m_ports.push_back(port);
    m_members.push_back({port->HasCarrier(), {}});
    port->SetBondCallback(MakeCallback(&BondNetDevice::Receive, this, number));
    port->SetCarrierCallback(MakeCallback(&BondNetDevice::HandleCarrier, this, number));
    if (m_mode == LACP)
    {
        JoinAggregate(port, number);
    }
    FindUsable();
    m_active = FindActive();
}

void
BondNetDevice::JoinAggregate(const Ptr<EthernetNetDevice>& port, uint32_t number)
{
    if (!m_aggregate)
    {
        const PortAggregate::Settings settings{GetMacAddress(),
                                               SYSTEM_PRIORITY,
                                               PORT_PRIORITY,
                                               true,
                                               m_lacpRate};
        m_aggregate = std::make_unique<PortAggregate>(
            settings,
            [this](std::size_t by, const Ptr<Packet>& frame) { m_ports[by]->SendFrame(frame); },
            [this] { ChooseActive(); });
    }
    const auto key = std::clamp<uint64_t>(port->GetDataRate().GetBitRate() / KEY_UNIT, 1, 0xffff);
    m_aggregate->AddPort(static_cast<uint16_t>(number + 1),
                         static_cast<uint16_t>(key),
                         port->GetMacAddress());
}

void
BondNetDevice::Start()
{
    if (m_arpInterval.IsStrictlyPositive())
    {
        StartMonitor();
    }
    if (!m_aggregate)
    {
        return;
    }
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        m_aggregate->SetLink(port, m_members[port].up);
    }
    FindUsable();
    m_active = FindActive();
    m_aggregate->Start();
}

void
BondNetDevice::Stop()
{
    if (m_aggregate)
    {
        m_aggregate->Stop();
    }
    if (m_monitor)
    {
        m_monitor->Stop();
    }
}

// The ARP monitor

void
BondNetDevice::SetArpTargets(std::string text)
{
    m_arpTargets.clear();
    std::istringstream targets(text);
    for (std::string target; std::getline(targets, target, ',');)
    {
        m_arpTargets.emplace_back(target.c_str());
    }
}

std::string
BondNetDevice::GetArpTargets() const
{
    std::ostringstream text;
    for (std::size_t i = 0; i < m_arpTargets.size(); ++i)
    {
        text << (i == 0 ? "" : ",") << m_arpTargets[i];
    }
    return text.str();
}

void
BondNetDevice::StartMonitor()
{
    NS_ABORT_MSG_UNLESS(m_mode == ACTIVE_BACKUP && !m_arpTargets.empty(),
                        "ArpInterval is of bonds of mode active-backup, and with ArpTargets");
    m_monitor = std::make_unique<ArpMonitor>(
        ArpMonitor::Settings{m_arpInterval, m_arpMissedMax, m_arpTargets},
        ArpMonitor::Bond{[this] { return m_active; },
                         [this](uint32_t port) { return m_members[port].up; },
                         [this](uint32_t port, bool up) { Commit(port, up); },
                         [this](uint32_t port, Ipv4Address target) { Probe(port, target); }},
        static_cast<uint32_t>(m_ports.size()));
    m_monitor->Start();
}

Ipv4Address
BondNetDevice::GetIpv4Address() const
{
    const auto ipv4 = GetNode()->GetObject<Ipv4>();
    const int32_t interface = ipv4 ? ipv4->GetInterfaceForDevice(this) : -1;
    return interface >= 0 && ipv4->GetNAddresses(static_cast<uint32_t>(interface)) > 0
               ? ipv4->GetAddress(static_cast<uint32_t>(interface), 0).GetLocal()
               : Ipv4Address::GetAny();
}

void
BondNetDevice::Probe(uint32_t port, Ipv4Address target)
{
    const auto packet = Create<Packet>();
    ArpHeader request;
    request.SetRequest(GetMacAddress(),
                       GetIpv4Address(),
                       Mac48Address("00:00:00:00:00:00"),
                       target);
    packet->AddHeader(request);
    EthernetHeader header(false);
    header.SetSource(GetMacAddress());
    header.SetDestination(Mac48Address::GetBroadcast());
    header.SetLengthType(ARP);
    packet->AddHeader(header);
    ++m_counters.arpProbes;
    m_ports[port]->SendFrame(packet);
}

bool
BondNetDevice::Counts(uint32_t port, const Ptr<const Packet>& frame) const
{
    if (!m_arpValidate)
    {
        return true;
    }
    const auto packet = frame->Copy();
    EthernetHeader header(false);
    ArpHeader arp;
    if (packet->RemoveHeader(header) == 0 || header.GetLengthType() != ARP ||
        packet->GetSize() < arp.GetSerializedSize() || packet->RemoveHeader(arp) == 0)
    {
        return false;
    }
    const auto own = GetIpv4Address();
    const bool isAnswer =
        m_monitor->IsTarget(arp.GetSourceIpv4Address()) && arp.GetDestinationIpv4Address() == own;
    const bool isOwnRequest =
        arp.GetSourceIpv4Address() == own && m_monitor->IsTarget(arp.GetDestinationIpv4Address());
    return isAnswer || (isOwnRequest && port != m_active);
}

void
BondNetDevice::FindUsable()
{
    m_usable.clear();
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        if (m_members[port].up && (!m_aggregate || m_aggregate->Distributes(port)))
        {
            m_usable.push_back(port);
        }
    }
}

bool
BondNetDevice::SetMtu(uint16_t mtu)
{
    for (const auto& port : m_ports)
    {
        port->SetMtu(mtu);
    }
    return EthernetInterface::SetMtu(mtu);
}

Ptr<Channel>
BondNetDevice::GetChannel() const
{
    return m_active == NO_PORT ? nullptr : m_ports[m_active]->GetChannel();
}

// Frames

uint32_t
BondNetDevice::ChoosePort(const Ptr<const Packet>& frame) const
{
    if (m_mode == ACTIVE_BACKUP || m_active == NO_PORT)
    {
        return m_active;
    }
    std::array<uint8_t, HASHED_OCTETS> octets{};
    const ByteSpan head(octets.data(), frame->CopyData(octets.data(), HASHED_OCTETS));
    return m_usable[HashTransmit(head, m_policy) % m_usable.size()];
}

bool
BondNetDevice::SendBeneath(Ptr<Packet> frame, Time arrives)
{
    const uint32_t port = ChoosePort(frame);
    if (port == NO_PORT)
    {
        ++m_counters.withoutPort;
        m_macTxDrop(frame);
        return false;
    }
    return m_ports[port]->SendFrameAt(frame, arrives);
}

void
BondNetDevice::Receive(uint32_t port, Ptr<Packet> frame)
{
    if (m_aggregate && IsOfSlowProtocol(frame))
    {
        m_aggregate->Receive(port, frame);
        return;
    }
    if (m_monitor && Counts(port, frame))
    {
        m_monitor->Note(port);
    }
    if (m_mode == ACTIVE_BACKUP ? port != m_active : m_aggregate && !m_aggregate->Collects(port))
    {
        ++m_counters.backupDiscarded;
        return;
    }
    DeliverToHost(frame, Classify(frame));
}

// Links

void
BondNetDevice::HandleCarrier(uint32_t port, bool up)
{
    if (m_arpInterval.IsStrictlyPositive())
    {
        return;
    }
    Member& member = m_members[port];
    member.pending.Cancel();
    if (up == member.up)
    {
        return;
    }
    const int64_t now = Simulator::Now().GetTimeStep();
    const int64_t period = m_miimon.GetTimeStep();
    const Time look = TimeStep(static_cast<uint64_t>((now + period - 1) / period * period - now));
    const Time delay = !up ? m_downDelay : m_active == NO_PORT ? Time(0) : m_upDelay;
    member.pending = Simulator::Schedule(look + delay, &BondNetDevice::Commit, this, port, up);
}

void
BondNetDevice::Commit(uint32_t port, bool up)
{
    m_members[port].up = up;
    if (m_aggregate)
    {
        m_aggregate->SetLink(port, up);
        return;
    }
    ChooseActive();
}

uint32_t
BondNetDevice::FindActive() const
{
    const auto isUsable = [this](uint32_t port) {
        return std::find(m_usable.begin(), m_usable.end(), port) != m_usable.end();
    };
    if (m_mode == ACTIVE_BACKUP && m_primary > 0 && isUsable(m_primary - 1))
    {
        return m_primary - 1;
    }
    if (m_mode == ACTIVE_BACKUP && isUsable(m_active))
    {
        return m_active;
    }
    return m_usable.empty() ? NO_PORT : m_usable.front();
}

void
BondNetDevice::ChooseActive()
{
    const uint32_t before = m_active;
    const auto usedBefore = m_usable;
    FindUsable();
    m_active = FindActive();
    if (m_mode == ACTIVE_BACKUP ? m_active == before : m_usable == usedBefore)
    {
        return;
    }
    ++m_counters.failovers;
    if ((m_active == NO_PORT) != (before == NO_PORT))
    {
        TellLinkChange();
    }
    if (m_mode == ACTIVE_BACKUP && m_active != NO_PORT)
    {
        const Mac48Address old = GetMacAddress();
        if (m_failOverMac == ACTIVE)
        {
            SetMacAddress(m_ports[m_active]->GetMacAddress());
        }
        NotifyPeers();
        if (GetMacAddress() != old)
        {
            m_addressChange(old, GetMacAddress());
        }
    }
    const bool isElsewhere = std::none_of(m_usable.begin(), m_usable.end(), [&](uint32_t port) {
        return std::find(usedBefore.begin(), usedBefore.end(), port) != usedBefore.end();
    });
    if (m_mode == LACP && isElsewhere && m_active != NO_PORT)
    {
        NotifyPeers();
    }
    m_failover(before, m_active);
}

void
BondNetDevice::NotifyPeers()
{
    NotifyIpv4Peers();
    NotifyIpv6Peers();
}

void
BondNetDevice::NotifyIpv4Peers()
{
    const auto ipv4 = GetNode()->GetObject<Ipv4>();
    const int32_t interface = ipv4 ? ipv4->GetInterfaceForDevice(this) : -1;
    const uint32_t count =
        interface < 0 ? 0 : ipv4->GetNAddresses(static_cast<uint32_t>(interface));
    for (uint32_t i = 0; i < count; ++i)
    {
        const auto own = ipv4->GetAddress(static_cast<uint32_t>(interface), i).GetLocal();
        ArpHeader request;
        request.SetRequest(GetMacAddress(), own, Mac48Address("00:00:00:00:00:00"), own);
        const auto packet = Create<Packet>();
        packet->AddHeader(request);
        ++m_counters.peersNotified;
        Send(packet, GetBroadcast(), ARP);
    }
}

void
BondNetDevice::NotifyIpv6Peers()
{
    const auto ipv6 = GetNode()->GetObject<Ipv6>();
    const auto icmp = GetNode()->GetObject<Icmpv6L4Protocol>();
    const int32_t interface = ipv6 && icmp ? ipv6->GetInterfaceForDevice(this) : -1;
    const uint32_t count =
        interface < 0 ? 0 : ipv6->GetNAddresses(static_cast<uint32_t>(interface));
    for (uint32_t i = 0; i < count; ++i)
    {
        constexpr uint8_t OVERRIDE = 1;
        const auto own = ipv6->GetAddress(static_cast<uint32_t>(interface), i).GetAddress();
        const auto all = Ipv6Address::GetAllNodesMulticast();
        Address hardware = GetAddress();
        auto advertisement = icmp->ForgeNA(own, all, &hardware, OVERRIDE);
        advertisement.first->AddHeader(advertisement.second);
        ++m_counters.peersNotified;
        Send(advertisement.first, GetMulticast(all), IP_VERSION_6);
    }
}

} // namespace ns3::nfsrdma
