/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/bond-net-device.h"

#include "link/ethernet-channel.h"

#include "ns3/abort.h"
#include "ns3/arp-header.h"
#include "ns3/enum.h"
#include "ns3/icmpv6-l4-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/ipv6.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(BondNetDevice);

namespace
{

constexpr uint16_t ARP = 0x0806;
constexpr uint16_t IP_VERSION_6 = 0x86dd;
constexpr uint32_t HASHED_OCTETS = 78; // Ethernet, IPv4 with all options, and ports; or IPv6.
constexpr std::array<const char*, 3> POLICIES{"layer2", "layer2+3", "layer3+4"};

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
                          "How ports work together: active-backup or 802.3ad. Default: "
                          "active-backup, which needs nothing of switches.",
                          EnumValue(ACTIVE_BACKUP),
                          MakeEnumAccessor(&BondNetDevice::m_mode),
                          MakeEnumChecker(ACTIVE_BACKUP, "active-backup", LACP, "802.3ad"))
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
            .AddAttribute("Primary",
                          "active-backup: the port that is active whenever it has a link, from 1 "
                          "on (number); 0: none. Default: Linux.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&BondNetDevice::m_primary),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("XmitHashPolicy",
                          "802.3ad: what the port of a frame depends on: layer2, layer2+3 or "
                          "layer3+4. Default: Linux.",
                          StringValue("layer2"),
                          MakeStringAccessor(&BondNetDevice::SetPolicy, &BondNetDevice::GetPolicy),
                          MakeStringChecker())
            .AddAttribute("FailOverMac",
                          "active-backup: whose address the bond has: none, its own on every port; "
                          "active, that of the active port. Default: Linux.",
                          EnumValue(NONE),
                          MakeEnumAccessor(&BondNetDevice::m_failOverMac),
                          MakeEnumChecker(NONE, "none", ACTIVE, "active"))
            .AddTraceSource("Failover",
                            "Another port has become the active one, or, with 802.3ad, ports have "
                            "come or gone: the active or first one before, now.",
                            MakeTraceSourceAccessor(&BondNetDevice::m_failover),
                            "ns3::nfsrdma::BondNetDevice::FailoverTracedCallback")
            .AddTraceSource("AddressChange",
                            "The bond has the address of another port: before, now.",
                            MakeTraceSourceAccessor(&BondNetDevice::m_addressChange),
                            "ns3::nfsrdma::BondNetDevice::AddressTracedCallback")
            .AddTraceSource("MacTxDrop",
                            "A frame was not sent: no port had a link.",
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
    m_members.clear();
    m_ports.clear();
    m_active = NO_PORT;
    EthernetInterface::DoDispose();
}

void
BondNetDevice::SetPolicy(std::string name)
{
    const auto* const found = std::find(POLICIES.begin(), POLICIES.end(), name);
    NS_ABORT_MSG_IF(found == POLICIES.end(), "no xmit_hash_policy is called " << name);
    m_policy = static_cast<TransmitHashPolicy>(found - POLICIES.begin());
}

std::string
BondNetDevice::GetPolicy() const
{
    return POLICIES[static_cast<std::size_t>(m_policy)];
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
    port->SetMtu(GetMtu());
    if (m_failOverMac == NONE)
    {
        port->SetMacAddress(GetMacAddress());
    }
    m_ports.push_back(port);
    m_members.push_back({port->HasCarrier(), {}});
    port->SetBondCallback(MakeCallback(&BondNetDevice::Receive, this, number));
    port->SetCarrierCallback(MakeCallback(&BondNetDevice::HandleCarrier, this, number));
    m_active = FindActive();
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
    const auto usable = static_cast<uint32_t>(
        std::count_if(m_members.begin(), m_members.end(), [](const Member& member) {
            return member.up;
        }));
    uint32_t turn = HashTransmit(head, m_policy) % usable;
    uint32_t port = m_active;
    for (; turn > 0; --turn)
    {
        do
        {
            ++port;
        } while (!m_members[port].up);
    }
    return port;
}

bool
BondNetDevice::SendFrameAt(Ptr<Packet> frame, Time arrives)
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
    if (m_mode == ACTIVE_BACKUP && port != m_active)
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
    ChooseActive();
}

uint32_t
BondNetDevice::FindActive() const
{
    const auto isUp = [this](uint32_t port) { return port < m_ports.size() && m_members[port].up; };
    if (m_mode == ACTIVE_BACKUP && m_primary > 0 && isUp(m_primary - 1))
    {
        return m_primary - 1;
    }
    if (m_mode == ACTIVE_BACKUP && m_active != NO_PORT && isUp(m_active))
    {
        return m_active;
    }
    const auto first = std::find_if(m_members.begin(), m_members.end(), [](const Member& member) {
        return member.up;
    });
    return first == m_members.end() ? NO_PORT : static_cast<uint32_t>(first - m_members.begin());
}

void
BondNetDevice::ChooseActive()
{
    const uint32_t before = m_active;
    m_active = FindActive();
    if (m_mode == ACTIVE_BACKUP && m_active == before)
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
