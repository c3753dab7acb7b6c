/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/ethernet-network-helper.h"

#include "helper/frame-text.h"
#include "helper/topology/topology-routes.h"
#include "link/arp-queue.h"
#include "link/arp-updates.h"
#include "link/ethernet-channel.h"
#include "link/neighbour-discovery.h"
#include "mpa/host-tcp.h"
#include "mpa/internet-address.h"
#include "wire/ns3-version.h"

#include "ns3/abort.h"
#include "ns3/arp-cache.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-interface.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/ndisc-cache.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <numeric>
#include <sstream>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// A neighbour that did not answer is asked again with the next packet to it (NUD_FAILED of Linux);
/// ns-3 drops what is for it for 100 s.
const Time ARP_DEAD = MilliSeconds(1);

constexpr uint32_t DEFAULT_QUEUE = 1U << 20;
/// Numbers of switch ports follow those of hosts.
constexpr uint32_t FIRST_PORT_NUMBER = 0x800000;
/// Numbers of middlebox ports, two a host, follow those of the switch.
constexpr uint32_t FIRST_MIDDLEBOX_NUMBER = 0x1000000;
/// Numbers of the further ports of hosts follow those of middleboxes.
constexpr uint32_t FIRST_BONDED_NUMBER = 0x2000000;
constexpr uint32_t MOST_PORTS = 16; ///< Of a host.
/// Of a link among equal ones, when they are weighted by their rates.
constexpr uint64_t MOST_SHARES = 1000;
/// What MAC addresses begin with, as a number.
constexpr uint64_t MAC_PREFIX = uint64_t{0x02} << 40U;

/// What the MAC address of the solicited-node multicast address of a host begins with (RFC 4291
/// section 2.7.1, RFC 2464 section 7), as a number; the rest are 24 bits of the host's own.
constexpr uint64_t SOLICITED_NODE_PREFIX = uint64_t{0x3333ff} << 24U;
constexpr uint8_t PREFIX_LENGTH = 64;

/// A trace source whose frames have lines, and what they begin with.
constexpr std::array<std::pair<const char*, char>, 5> ASCII_SOURCES{
    {{"MacTx", '+'}, {"PhyTxBegin", '-'}, {"MacRx", 'r'}, {"MacTxDrop", 'd'}, {"PhyRxDrop", 'd'}}};

/// \param path of the source; empty: the stream is of one device
void
WriteAsciiLine(Ptr<OutputStreamWrapper> stream,
               char event,
               const std::string& path,
               Ptr<const Packet> frame)
{
    constexpr int NANOSECONDS = 9;
    std::ostringstream line;
    line << event << ' ' << std::fixed << std::setprecision(NANOSECONDS)
         << Simulator::Now().GetSeconds() << ' ' << path << (path.empty() ? "" : " ")
         << DescribeFrame(*frame) << '\n';
    *stream->GetStream() << line.str();
}

/// \return the number that is in the MAC address of port \p port, from 0, of \p host.
uint32_t
GetPortNumber(uint32_t host, uint32_t port)
{
    return port == 0 ? host + 1 : FIRST_BONDED_NUMBER + host * MOST_PORTS + port;
}

/// \return the address of host \p number, from 1, in fd00:0:0:77::/64, or the \p network-th network
/// behind that.
IpAddress
MakeIpv6Address(uint32_t number, uint32_t network)
{
    IpAddress::Octets octets{0xfd, 0, 0, 0, 0, 0, 0, static_cast<uint8_t>(0x77 + network)};
    octets[12] = static_cast<uint8_t>(number >> 24);
    octets[13] = static_cast<uint8_t>(number >> 16);
    octets[14] = static_cast<uint8_t>(number >> 8);
    octets[15] = static_cast<uint8_t>(number);
    return IpAddress(octets);
}

/// \return locally administered address \p number.
Mac48Address
MakeMacAddress(uint32_t number)
{
    const std::array<uint8_t, 6> octets{0x02,
                                        0,
                                        static_cast<uint8_t>(number >> 24),
                                        static_cast<uint8_t>(number >> 16),
                                        static_cast<uint8_t>(number >> 8),
                                        static_cast<uint8_t>(number)};
    Mac48Address address;
    address.CopyFrom(octets.data());
    return address;
}

} // namespace

EthernetNetworkHelper::EthernetNetworkHelper()
    : m_hostQueue(DEFAULT_QUEUE),
      m_portQueue(DEFAULT_QUEUE),
      m_network("10.77.0.0"),
      m_mask("255.255.0.0")
{
    m_deviceFactory.SetTypeId(EthernetNetDevice::GetTypeId());
    m_channelFactory.SetTypeId(EthernetChannel::GetTypeId());
    m_switchFactory.SetTypeId(EthernetSwitch::GetTypeId());
    m_middleboxFactory.SetTypeId(ResegmentingMiddlebox::GetTypeId());
    m_impairmentFactory.SetTypeId(LinkImpairment::GetTypeId());
    m_bondFactory.SetTypeId(BondNetDevice::GetTypeId());
}

void
EthernetNetworkHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    m_deviceFactory.Set(name, value);
}

void
EthernetNetworkHelper::SetChannelAttribute(const std::string& name, const AttributeValue& value)
{
    m_channelFactory.Set(name, value);
}

void
EthernetNetworkHelper::SetSwitchAttribute(const std::string& name, const AttributeValue& value)
{
    m_switchFactory.Set(name, value);
}

void
EthernetNetworkHelper::SetQueueSizes(uint32_t host, uint32_t port)
{
    m_hostQueue = host;
    m_portQueue = port;
}

void
EthernetNetworkHelper::SetNetwork(Ipv4Address network, Ipv4Mask mask)
{
    m_network = network;
    m_mask = mask;
}

void
EthernetNetworkHelper::SetIpv6(bool has)
{
    m_ipv6 = has;
}

void
EthernetNetworkHelper::AddMiddleboxes()
{
    m_hasMiddleboxes = true;
}

void
EthernetNetworkHelper::SetMiddleboxHosts(std::set<uint32_t> hosts)
{
    m_middleboxHosts = std::move(hosts);
}

void
EthernetNetworkHelper::SetMiddleboxAttribute(const std::string& name, const AttributeValue& value)
{
    m_middleboxFactory.Set(name, value);
}

void
EthernetNetworkHelper::SetImpairmentAttribute(const std::string& name, const AttributeValue& value)
{
    m_hasImpairment = true;
    m_impairmentFactory.Set(name, value);
}

void
EthernetNetworkHelper::SetMiddleboxPortMtu(uint16_t mtu)
{
    m_middleboxPortMtu = mtu;
}

void
EthernetNetworkHelper::SetBondAttribute(const std::string& name, const AttributeValue& value)
{
    m_bondFactory.Set(name, value);
}

void
EthernetNetworkHelper::SetHostBondAttribute(uint32_t host,
                                            const std::string& name,
                                            const AttributeValue& value)
{
    m_hostBonds.try_emplace(host, m_bondFactory).first->second.Set(name, value);
}

void
EthernetNetworkHelper::SetHostLink(uint32_t host, const LinkTraits& traits)
{
    m_hostLinks[host].Override(traits);
}

LinkTraits
EthernetNetworkHelper::GetHostTraits(const TopologyLink& link) const
{
    LinkTraits traits = link.traits;
    if (const auto own = m_hostLinks.find(link.one); own != m_hostLinks.end())
    {
        traits.Override(own->second);
    }
    return traits;
}

uint16_t
EthernetNetworkHelper::GetLargestMtu(const Topology& topology) const
{
    uint16_t largest = 0;
    for (const auto& link : topology.GetLinks())
    {
        if (!topology.IsSwitch(link.one))
        {
            largest = std::max(largest, GetHostTraits(link).mtu.value_or(0));
        }
    }
    return largest;
}

void
EthernetNetworkHelper::SetBonded(bool bonded)
{
    m_isBonded = bonded;
}

void
EthernetNetworkHelper::SetFurtherServers(uint32_t host, uint32_t servers)
{
    m_furtherServers[host] = servers;
}

void
EthernetNetworkHelper::SetDirectedArp(bool directed)
{
    m_directedArp = directed;
}

void
EthernetNetworkHelper::SetWeightedPaths(bool weighted)
{
    m_weighted = weighted;
}

void
EthernetNetworkHelper::SetArpQueue(uint32_t packets)
{
    m_arpQueue = packets;
}

EthernetNetwork
EthernetNetworkHelper::Install(const NodeContainer& hosts) const
{
    Topology star{std::vector<std::string>(hosts.GetN())};
    const uint32_t center = star.AddSwitch("switch");
    for (uint32_t host = 0; host < hosts.GetN(); ++host)
    {
        star.AddLink(host, center);
    }
    return Install(hosts, star);
}

EthernetNetwork
EthernetNetworkHelper::Install(const NodeContainer& hosts, const Topology& topology) const
{
    NS_ABORT_MSG_IF(hosts.GetN() >= ~m_mask.Get(), "the network has no room for all hosts");
    NS_ABORT_MSG_UNLESS(topology.GetHostCount() == hosts.GetN(), "a topology of other hosts");
    EthernetNetwork network;
    Wiring wiring;
    AddSwitches(topology, wiring, network);
    InstallStack(hosts);
    for (uint32_t host = 0; host < hosts.GetN(); ++host)
    {
        AddHost(hosts.Get(host), topology, host, wiring, network);
    }
    for (uint32_t link = 0; link < topology.GetLinks().size(); ++link)
    {
        if (topology.IsSwitch(topology.GetLinks()[link].one))
        {
            AddTrunk(topology, link, wiring, network);
        }
    }
    std::stable_sort(network.ports.begin(), network.ports.end(), [](const auto& a, const auto& b) {
        return a.ethernetSwitch < b.ethernetSwitch;
    });
    const bool hasSeveral = topology.HasBonds();
    for (uint32_t host = 0; hasSeveral && m_isBonded && host < hosts.GetN(); ++host)
    {
        ArpUpdates::Install(hosts.Get(host));
    }
    network.StartBonds();
    NS_ABORT_MSG_IF(hasSeveral && m_directedArp,
                    "directed ARP, and a host may be at several ports");
    // Without a bond nothing moves from one port to another.
    const bool needsTables = hasSeveral ? !m_isBonded && topology.HasLoop()
                                        : m_directedArp || topology.GetSwitchCount() > 1;
    if (needsTables)
    {
        FillTables(topology, wiring, network);
    }
    return network;
}

void
EthernetNetworkHelper::AddSwitches(const Topology& topology,
                                   Wiring& wiring,
                                   EthernetNetwork& network) const
{
    wiring.portOfLink.resize(topology.GetLinks().size());
    for (uint32_t i = 0; i < topology.GetSwitchCount(); ++i)
    {
        const auto node = CreateObject<Node>();
        const auto one = m_switchFactory.Create<EthernetSwitch>();
        UintegerValue seed;
        one->GetAttribute("HashSeed", seed);
        one->SetAttribute("HashSeed", UintegerValue(static_cast<uint32_t>(seed.Get() + i)));
        node->AggregateObject(one);
        wiring.switchNodes.push_back(node);
        network.switches.push_back(one);
        network.switchNames.push_back(topology.GetName(topology.GetHostCount() + i));
    }
}

Ptr<EthernetNetDevice>
EthernetNetworkHelper::AddPort(const Topology& topology,
                               uint32_t link,
                               bool atOther,
                               const LinkTraits& traits,
                               Wiring& wiring,
                               EthernetNetwork& network) const
{
    const auto& ends = topology.GetLinks()[link];
    const uint32_t node = atOther ? ends.other : ends.one;
    const uint32_t peer = ends.GetPeer(node);
    const uint32_t number = node - topology.GetHostCount();
    const auto port = static_cast<uint32_t>(network.switches[number]->GetNPorts());
    const auto device = MakeDevice(wiring.switchNodes[number],
                                   FIRST_PORT_NUMBER + wiring.portCount++,
                                   traits.queue.value_or(m_portQueue),
                                   traits);
    network.switches[number]->AddPort(device);
    wiring.portOfLink[link].at(atOther ? 1 : 0) = port;
    network.ports.push_back({number, port, topology.GetName(peer), topology.IsSwitch(peer)});
    return device;
}

void
EthernetNetworkHelper::AddHost(const Ptr<Node>& node,
                               const Topology& topology,
                               uint32_t host,
                               Wiring& wiring,
                               EthernetNetwork& network) const
{
    std::vector<Ptr<EthernetNetDevice>> ports;
    Ptr<ResegmentingMiddlebox> middlebox;
    for (const uint32_t number : topology.GetLinksOf(host))
    {
        const LinkTraits traits = GetHostTraits(topology.GetLinks()[number]);
        const auto further = static_cast<uint32_t>(ports.size());
        const auto device = MakeDevice(node,
                                       GetPortNumber(host, further),
                                       traits.hostQueue.value_or(m_hostQueue),
                                       traits);
        const auto port = AddPort(topology, number, true, traits, wiring, network);
        if (m_hasMiddleboxes && (m_middleboxHosts.empty() || m_middleboxHosts.count(host) > 0))
        {
            NS_ABORT_MSG_IF(further > 0, "a middlebox in a link of a host of several");
            middlebox = MakeMiddlebox(device, FIRST_MIDDLEBOX_NUMBER + 2 * host, traits);
        }
        Connect(middlebox ? middlebox->GetPort(1) : device, port, traits);
        ports.push_back(device);
    }
    if (m_hasMiddleboxes)
    {
        network.middleboxes.push_back(middlebox);
    }
    const auto bond = m_isBonded && ports.size() > 1 ? MakeBond(node, host, ports) : nullptr;
    if (bond && bond->GetMode() != BondNetDevice::ACTIVE_BACKUP)
    {
        AddGroups(topology, host, *bond, wiring, network);
    }
    network.devices.push_back(ports.front());
    network.bonds.push_back(bond);
    network.hostPorts.push_back(std::move(ports));
    std::vector<IpAddress> addresses;
    for (const auto& interface : network.GetInterfaces(host))
    {
        addresses.push_back(
            AddAddress(node, interface, host + 1, static_cast<uint32_t>(addresses.size())));
    }
    network.addresses.push_back(addresses.front());
    network.hostAddresses.push_back(std::move(addresses));
    AddFurtherServers(node, topology.GetHostCount(), host, network);
}

void
EthernetNetworkHelper::AddFurtherServers(const Ptr<Node>& node,
                                         uint32_t hosts,
                                         uint32_t host,
                                         EthernetNetwork& network) const
{
    const auto servers = m_furtherServers.find(host);
    for (uint32_t i = 1; servers != m_furtherServers.end() && i <= servers->second; ++i)
    {
        std::vector<IpAddress> addresses;
        for (const auto& interface : network.GetInterfaces(host))
        {
            addresses.push_back(AddFurtherAddress(node,
                                                  interface,
                                                  i * hosts + host + 1,
                                                  static_cast<uint32_t>(addresses.size())));
        }
        network.furtherAddresses[host].push_back(std::move(addresses));
    }
}

void
EthernetNetworkHelper::AddGroups(const Topology& topology,
                                 uint32_t host,
                                 const BondNetDevice& bond,
                                 const Wiring& wiring,
                                 const EthernetNetwork& network)
{
    std::vector<PortAggregate::Cable> cables;
    const auto& links = topology.GetLinksOf(host);
    std::map<uint32_t, std::vector<std::size_t>> members; // By switch: links, as ports of the bond.
    for (std::size_t port = 0; port < links.size(); ++port)
    {
        const uint32_t edge = topology.GetLinks()[links[port]].other - topology.GetHostCount();
        members[edge].push_back(port);
    }
    for (const auto& [edge, ports] : members)
    {
        std::vector<std::size_t> group;
        for (const std::size_t port : ports)
        {
            group.push_back(wiring.portOfLink[links[port]][1]);
        }
        if (bond.GetMode() == BondNetDevice::BALANCE_XOR)
        {
            NS_ABORT_MSG_IF(members.size() > 1,
                            "a static link aggregation group of several switches");
            network.switches[edge]->AddGroup(group);
            continue;
        }
        auto* const other = network.switches[edge]->AddLacpGroup(group);
        for (std::size_t i = 0; i < ports.size(); ++i)
        {
            cables.push_back({bond.GetAggregate(), ports[i], other, i});
        }
    }
    PortAggregate::Settle(cables);
}

Ptr<BondNetDevice>
EthernetNetworkHelper::MakeBond(const Ptr<Node>& node,
                                uint32_t host,
                                const std::vector<Ptr<EthernetNetDevice>>& ports) const
{
    const auto own = m_hostBonds.find(host);
    const auto& factory = own == m_hostBonds.end() ? m_bondFactory : own->second;
    const auto bond = factory.Create<BondNetDevice>();
    node->AddDevice(bond);
    for (const auto& port : ports)
    {
        bond->AddPort(port);
    }
    return bond;
}

void
EthernetNetworkHelper::AddTrunk(const Topology& topology,
                                uint32_t number,
                                Wiring& wiring,
                                EthernetNetwork& network) const
{
    const auto& traits = topology.GetLinks()[number].traits;
    const auto one = AddPort(topology, number, false, traits, wiring, network);
    const auto other = AddPort(topology, number, true, traits, wiring, network);
    if (!traits.mtu)
    {
        const uint16_t most = std::max(one->GetMtu(), GetLargestMtu(topology));
        one->SetMtu(most);
        other->SetMtu(most);
    }
    Connect(one, other, traits);
}

std::vector<uint32_t>
EthernetNetworkHelper::ListPorts(const Topology& topology,
                                 const Wiring& wiring,
                                 const EthernetNetwork& network,
                                 uint32_t node,
                                 const std::vector<uint32_t>& links) const
{
    std::vector<uint32_t> ports;
    std::vector<uint64_t> rates;
    uint64_t unit = 0;
    const auto& ethernetSwitch = network.switches[node - topology.GetHostCount()];
    for (const uint32_t link : links)
    {
        ports.push_back(wiring.portOfLink[link].at(topology.GetLinks()[link].one == node ? 0 : 1));
        rates.push_back(ethernetSwitch->GetPort(ports.back())->GetDataRate().GetBitRate());
        unit = std::gcd(unit, rates.back());
    }
    if (!m_weighted || ports.size() < 2)
    {
        return ports;
    }
    const uint64_t most = *std::max_element(rates.begin(), rates.end());
    unit = std::max(unit, most / MOST_SHARES);
    std::vector<uint32_t> weighted;
    for (std::size_t i = 0; i < ports.size(); ++i)
    {
        weighted.insert(weighted.end(),
                        std::max<uint64_t>(1, (rates[i] + unit / 2) / unit),
                        ports[i]);
    }
    return weighted;
}

void
EthernetNetworkHelper::FillTables(const Topology& topology,
                                  const Wiring& wiring,
                                  const EthernetNetwork& network) const
{
    const TopologyRoutes routes(topology);
    const auto getPort = [&](uint32_t node, uint32_t link) {
        return wiring.portOfLink[link].at(topology.GetLinks()[link].one == node ? 0 : 1);
    };
    for (uint32_t i = 0; i < topology.GetSwitchCount(); ++i)
    {
        const uint32_t node = topology.GetHostCount() + i;
        ForwardingTable table;
        const auto listPorts = [&](uint32_t host, uint32_t port) {
            return ListPorts(topology,
                             wiring,
                             network,
                             node,
                             routes.GetNextLinks(node, host, port));
        };
        for (uint32_t host = 0; host < topology.GetHostCount(); ++host)
        {
            for (uint32_t port = 1; port < topology.GetLinksOf(host).size(); ++port)
            {
                if (const auto further = listPorts(host, port); !further.empty())
                {
                    table.AddDestination(MAC_PREFIX + GetPortNumber(host, port),
                                         table.AddGroup(further));
                }
            }
            const auto ports = listPorts(host, 0);
            const uint64_t address = MAC_PREFIX + host + 1;
            if (!ports.empty())
            {
                table.AddDestination(address, table.AddGroup(ports));
            }
            if (m_directedArp && m_ipv6 && !ports.empty())
            {
                table.AddDestination(SOLICITED_NODE_PREFIX | (host + 1), table.AddGroup(ports));
            }
            else if (m_directedArp)
            {
                table.AddNeighbour(m_network.Get() + host + 1, address);
            }
            const auto further = network.furtherAddresses.find(host);
            for (std::size_t server = 0;
                 m_directedArp && further != network.furtherAddresses.end() && !ports.empty() &&
                 server < further->second.size();
                 ++server)
            {
                const auto number =
                    static_cast<uint32_t>(server + 1) * topology.GetHostCount() + host + 1;
                if (m_ipv6)
                {
                    table.AddDestination(SOLICITED_NODE_PREFIX | number, table.AddGroup(ports));
                }
                else
                {
                    table.AddNeighbour(m_network.Get() + number, address);
                }
            }
        }
        for (const uint32_t link : topology.GetLinksOf(node))
        {
            if (routes.IsInTree(link))
            {
                table.AddFloodPort(getPort(node, link));
            }
        }
        network.switches[i]->SetForwardingTable(std::move(table));
    }
}

EthernetNetwork
EthernetNetworkHelper::InstallBackToBack(const NodeContainer& hosts) const
{
    NS_ABORT_MSG_UNLESS(hosts.GetN() == 2, "a cable has two ends");
    InstallStack(hosts);
    EthernetNetwork network;
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        const auto own = m_hostLinks.find(i);
        network.devices.push_back(
            MakeDevice(hosts.Get(i),
                       i + 1,
                       m_hostQueue,
                       own == m_hostLinks.end() ? LinkTraits{} : own->second));
        network.addresses.push_back(AddAddress(hosts.Get(i), network.devices.back(), i + 1, 0));
        network.hostAddresses.push_back({network.addresses.back()});
    }
    network.hostPorts = {{network.devices[0]}, {network.devices[1]}};
    network.bonds.resize(hosts.GetN());
    Connect(network.devices[0], network.devices[1], {});
    return network;
}

void
EthernetNetworkHelper::InstallStack(const NodeContainer& hosts) const
{
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.SetIpv4ArpJitter(false);
    if (!SetTcp(stack, HostTcp::GetTypeId().GetName()))
    {
        std::for_each(hosts.Begin(), hosts.End(), [](const Ptr<Node>& host) {
            host->AggregateObject(CreateObject<HostTcp>());
        });
    }
    stack.SetRoutingHelper(Ipv4StaticRoutingHelper());
    stack.Install(hosts);
    if (m_ipv6)
    {
        std::for_each(hosts.Begin(), hosts.End(), &NeighbourDiscovery::InstallIpv6);
    }
}

void
EthernetNetworkHelper::Connect(const Ptr<EthernetNetDevice>& one,
                               const Ptr<EthernetNetDevice>& other,
                               const LinkTraits& traits) const
{
    const auto channel = m_channelFactory.Create<EthernetChannel>();
    if (traits.delay)
    {
        channel->SetAttribute("Delay", TimeValue(NanoSeconds(*traits.delay)));
    }
    one->Attach(channel);
    other->Attach(channel);
}

Ptr<ResegmentingMiddlebox>
EthernetNetworkHelper::MakeMiddlebox(const Ptr<EthernetNetDevice>& device,
                                     uint32_t number,
                                     const LinkTraits& traits) const
{
    const auto node = CreateObject<Node>();
    const auto middlebox = m_middleboxFactory.Create<ResegmentingMiddlebox>();
    node->AggregateObject(middlebox);
    for (uint32_t i = 0; i < ResegmentingMiddlebox::PORTS; ++i)
    {
        const auto port = MakeDevice(node, number + i, traits.queue.value_or(m_portQueue), traits);
        if (m_middleboxPortMtu > 0)
        {
            port->SetMtu(m_middleboxPortMtu);
        }
        middlebox->AddPort(port);
        if (m_hasImpairment)
        {
            middlebox->SetImpairment(i, m_impairmentFactory.Create<LinkImpairment>());
        }
    }
    Connect(device, middlebox->GetPort(0), traits);
    return middlebox;
}

Ptr<EthernetNetDevice>
EthernetNetworkHelper::MakeDevice(const Ptr<Node>& node,
                                  uint32_t number,
                                  uint32_t queueSize,
                                  const LinkTraits& traits) const
{
    const auto device = m_deviceFactory.Create<EthernetNetDevice>();
    device->SetAddress(MakeMacAddress(number));
    if (traits.rate)
    {
        device->SetDataRate(DataRate(*traits.rate));
    }
    if (traits.mtu)
    {
        device->SetMtu(*traits.mtu);
    }
    device->SetQueueSize(QueueSize(QueueSizeUnit::BYTES, queueSize));
    node->AddDevice(device);
    return device;
}

IpAddress
EthernetNetworkHelper::AddAddress(const Ptr<Node>& node,
                                  const Ptr<NetDevice>& device,
                                  uint32_t number,
                                  uint32_t network) const
{
    if (m_ipv6)
    {
        return AddIpv6Address(node, device, number, network);
    }
    const auto ipv4 = node->GetObject<Ipv4>();
    const Ipv4Address address(m_network.Get() + network * (~m_mask.Get() + 1) + number);
    const auto interface = ipv4->AddInterface(device);
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, m_mask));
    ipv4->SetMetric(interface, 1);
    ipv4->SetUp(interface);
    const auto arp = node->GetObject<Ipv4L3Protocol>()->GetInterface(interface)->GetArpCache();
    arp->SetAttribute("PendingQueueSize", UintegerValue(m_arpQueue));
    arp->SetAttribute("DeadTimeout", TimeValue(ARP_DEAD));
    ArpQueue::Install(node);
    return ToIpAddress(address);
}

IpAddress
EthernetNetworkHelper::AddFurtherAddress(const Ptr<Node>& node,
                                         const Ptr<NetDevice>& device,
                                         uint32_t number,
                                         uint32_t network) const
{
    if (m_ipv6)
    {
        const IpAddress address = MakeIpv6Address(number, network);
        const auto ipv6 = node->GetObject<Ipv6L3Protocol>();
        const auto interface = ipv6->GetInterfaceForDevice(device);
        ipv6->AddAddress(static_cast<uint32_t>(interface),
                         Ipv6InterfaceAddress(ToIpv6Address(address), Ipv6Prefix(PREFIX_LENGTH)));
        return address;
    }
    const auto ipv4 = node->GetObject<Ipv4>();
    const Ipv4Address address(m_network.Get() + network * (~m_mask.Get() + 1) + number);
    ipv4->AddAddress(static_cast<uint32_t>(ipv4->GetInterfaceForDevice(device)),
                     Ipv4InterfaceAddress(address, m_mask));
    return ToIpAddress(address);
}

IpAddress
EthernetNetworkHelper::AddIpv6Address(const Ptr<Node>& node,
                                      const Ptr<NetDevice>& device,
                                      uint32_t number,
                                      uint32_t network) const
{
    const IpAddress address = MakeIpv6Address(number, network);
    const auto ipv6 = node->GetObject<Ipv6L3Protocol>();
    const auto interface = ipv6->AddInterface(device);
    ipv6->AddAddress(interface,
                     Ipv6InterfaceAddress(ToIpv6Address(address), Ipv6Prefix(PREFIX_LENGTH)));
    ipv6->SetMetric(interface, 1);
    ipv6->SetUp(interface);
    ipv6->GetInterface(interface)->GetNdiscCache()->SetUnresQlen(m_arpQueue);
    return address;
}

void
EthernetNetworkHelper::EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                                           std::string prefix,
                                           Ptr<NetDevice> nd,
                                           bool explicitFilename)
{
    const auto device = DynamicCast<EthernetNetDevice>(nd);
    if (!device)
    {
        return;
    }
    const bool isShared = stream != nullptr;
    if (!isShared)
    {
        AsciiTraceHelper files;
        stream = files.CreateFileStream(
            explicitFilename ? prefix : files.GetFilenameFromDevice(prefix, device));
    }
    for (const auto& [source, event] : ASCII_SOURCES)
    {
        std::ostringstream path;
        if (isShared)
        {
            path << "/NodeList/" << device->GetNode()->GetId() << "/DeviceList/"
                 << device->GetIfIndex() << "/$" << device->GetInstanceTypeId().GetName() << '/'
                 << source;
        }
        device->TraceConnectWithoutContext(
            source,
            MakeBoundCallback(&WriteAsciiLine, stream, event, path.str()));
    }
}

} // namespace ns3::nfsrdma
