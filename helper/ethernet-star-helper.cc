/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/ethernet-star-helper.h"

#include "link/ethernet-channel.h"

#include "ns3/abort.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/queue-size.h"
#include "ns3/uinteger.h"

#include <array>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t DEFAULT_QUEUE = 1U << 20;
/// Numbers of switch ports follow those of hosts.
constexpr uint32_t FIRST_PORT_NUMBER = 0x800000;
/// Numbers of middlebox ports, two a host, follow those of the switch.
constexpr uint32_t FIRST_MIDDLEBOX_NUMBER = 0x1000000;

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

EthernetStarHelper::EthernetStarHelper()
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
}

void
EthernetStarHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    m_deviceFactory.Set(name, value);
}

void
EthernetStarHelper::SetChannelAttribute(const std::string& name, const AttributeValue& value)
{
    m_channelFactory.Set(name, value);
}

void
EthernetStarHelper::SetSwitchAttribute(const std::string& name, const AttributeValue& value)
{
    m_switchFactory.Set(name, value);
}

void
EthernetStarHelper::SetQueueSizes(uint32_t host, uint32_t port)
{
    m_hostQueue = host;
    m_portQueue = port;
}

void
EthernetStarHelper::SetNetwork(Ipv4Address network, Ipv4Mask mask)
{
    m_network = network;
    m_mask = mask;
}

void
EthernetStarHelper::AddMiddleboxes()
{
    m_hasMiddleboxes = true;
}

void
EthernetStarHelper::SetMiddleboxHosts(std::set<uint32_t> hosts)
{
    m_middleboxHosts = std::move(hosts);
}

void
EthernetStarHelper::SetMiddleboxAttribute(const std::string& name, const AttributeValue& value)
{
    m_middleboxFactory.Set(name, value);
}

void
EthernetStarHelper::SetImpairmentAttribute(const std::string& name, const AttributeValue& value)
{
    m_hasImpairment = true;
    m_impairmentFactory.Set(name, value);
}

void
EthernetStarHelper::SetMiddleboxPortMtu(uint16_t mtu)
{
    m_middleboxPortMtu = mtu;
}

int64_t
EthernetStarHelper::Star::AssignStreams(int64_t stream) const
{
    int64_t used = 0;
    for (const auto& middlebox : middleboxes)
    {
        used += middlebox ? middlebox->AssignStreams(stream + used) : 0;
    }
    return used;
}

EthernetStarHelper::Star
EthernetStarHelper::Install(const NodeContainer& hosts, Ptr<Node> switchNode) const
{
    NS_ABORT_MSG_IF(hosts.GetN() >= ~m_mask.Get(), "the network has no room for all hosts");
    InstallStack(hosts);
    Star star;
    star.ethernetSwitch = m_switchFactory.Create<EthernetSwitch>();
    switchNode->AggregateObject(star.ethernetSwitch);
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        const auto device = MakeDevice(hosts.Get(i), i + 1, m_hostQueue);
        const auto port = MakeDevice(switchNode, FIRST_PORT_NUMBER + i, m_portQueue);
        Ptr<ResegmentingMiddlebox> middlebox;
        if (m_hasMiddleboxes && (m_middleboxHosts.empty() || m_middleboxHosts.count(i) > 0))
        {
            middlebox = MakeMiddlebox(device, FIRST_MIDDLEBOX_NUMBER + 2 * i);
        }
        Connect(middlebox ? middlebox->GetPort(1) : device, port);
        if (m_hasMiddleboxes)
        {
            star.middleboxes.push_back(middlebox);
        }
        star.ethernetSwitch->AddPort(port);
        star.devices.push_back(device);
        star.addresses.push_back(AddAddress(hosts.Get(i), device, i + 1));
    }
    return star;
}

EthernetStarHelper::Star
EthernetStarHelper::InstallBackToBack(const NodeContainer& hosts) const
{
    NS_ABORT_MSG_UNLESS(hosts.GetN() == 2, "a cable has two ends");
    InstallStack(hosts);
    Star star;
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        star.devices.push_back(MakeDevice(hosts.Get(i), i + 1, m_hostQueue));
        star.addresses.push_back(AddAddress(hosts.Get(i), star.devices.back(), i + 1));
    }
    Connect(star.devices[0], star.devices[1]);
    return star;
}

void
EthernetStarHelper::InstallStack(const NodeContainer& hosts)
{
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.SetIpv4ArpJitter(false);
    stack.SetRoutingHelper(Ipv4StaticRoutingHelper());
    stack.Install(hosts);
}

void
EthernetStarHelper::Connect(const Ptr<EthernetNetDevice>& one,
                            const Ptr<EthernetNetDevice>& other) const
{
    const auto channel = m_channelFactory.Create<EthernetChannel>();
    one->Attach(channel);
    other->Attach(channel);
}

Ptr<ResegmentingMiddlebox>
EthernetStarHelper::MakeMiddlebox(const Ptr<EthernetNetDevice>& device, uint32_t number) const
{
    const auto node = CreateObject<Node>();
    const auto middlebox = m_middleboxFactory.Create<ResegmentingMiddlebox>();
    node->AggregateObject(middlebox);
    for (uint32_t i = 0; i < ResegmentingMiddlebox::PORTS; ++i)
    {
        const auto port = MakeDevice(node, number + i, m_portQueue);
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
    Connect(device, middlebox->GetPort(0));
    return middlebox;
}

Ptr<EthernetNetDevice>
EthernetStarHelper::MakeDevice(Ptr<Node> node, uint32_t number, uint32_t queueSize) const
{
    const auto device = m_deviceFactory.Create<EthernetNetDevice>();
    device->SetAddress(MakeMacAddress(number));
    const auto queue = CreateObjectWithAttributes<DropTailQueue<Packet>>(
        "MaxSize",
        QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, queueSize)));
    device->SetQueue(queue);
    node->AddDevice(device);
    return device;
}

Ipv4Address
EthernetStarHelper::AddAddress(Ptr<Node> node, Ptr<EthernetNetDevice> device, uint32_t number) const
{
    const auto ipv4 = node->GetObject<Ipv4>();
    const Ipv4Address address(m_network.Get() + number);
    const auto interface = ipv4->AddInterface(device);
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, m_mask));
    ipv4->SetMetric(interface, 1);
    ipv4->SetUp(interface);
    return address;
}

} // namespace ns3::nfsrdma
