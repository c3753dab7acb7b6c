/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RDMA_HOST_H
#define NFSRDMA_TEST_RDMA_HOST_H

#include "link/ethernet-channel.h"
#include "link/ethernet-net-device.h"
#include "mpa/internet-address.h"
#include "rnic/hardware/device.h"

#include "ns3/boolean.h"
#include "ns3/icmpv6-l4-protocol.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6.h"
#include "ns3/node.h"

#include <array>

namespace ns3::nfsrdma
{

/// \return a node with IPv4, and IPv6 if it is to have it, that chooses its routes statically,
/// answers ARP and neighbour discovery at once and does not look for duplicates of its addresses.
inline Ptr<Node>
MakeIpNode(bool hasIpv6)
{
    const auto node = CreateObject<Node>();
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(hasIpv6);
    stack.SetIpv6NsRsJitter(false);
    stack.SetIpv4ArpJitter(false);
    stack.SetRoutingHelper(Ipv4StaticRoutingHelper());
    stack.Install(node);
    if (const auto icmp = node->GetObject<Icmpv6L4Protocol>())
    {
        icmp->SetAttribute("DAD", BooleanValue(false));
    }
    return node;
}

inline Ptr<Node>
MakeIpv4Node()
{
    return MakeIpNode(false);
}

/// \return a new Ethernet port of \p node, with its own address.
inline Ptr<EthernetNetDevice>
AddEthernetPort(const Ptr<Node>& node, uint16_t mtu, QueueSize queue = QueueSize("100p"))
{
    auto port = CreateObject<EthernetNetDevice>();
    port->SetAddress(Mac48Address::Allocate());
    port->SetQueueSize(queue);
    port->SetMtu(mtu);
    node->AddDevice(port);
    return port;
}

/// Gives \p port of \p node the address 10.77.0.\p number in a network of 256.
/// \return the address.
inline IpAddress
AddIpv4Address(const Ptr<Node>& node, const Ptr<NetDevice>& port, uint32_t number)
{
    const Ipv4Address address(0x0a4d0000 + number);
    const auto ipv4 = node->GetObject<Ipv4>();
    const uint32_t interface = ipv4->AddInterface(port);
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, Ipv4Mask("255.255.255.0")));
    ipv4->SetUp(interface);
    return ToIpAddress(address);
}

/// Gives \p port of \p node the address fd00:77::\p number in a network of 64 bits.
/// \return the address.
inline Ipv6Address
AddIpv6Address(const Ptr<Node>& node, const Ptr<NetDevice>& port, uint8_t number)
{
    const std::array<uint8_t, 16> octets{0xfd, 0, 0, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number};
    const Ipv6Address address = Ipv6Address::Deserialize(octets.data());
    const auto ipv6 = node->GetObject<Ipv6>();
    const uint32_t interface = ipv6->AddInterface(port);
    ipv6->AddAddress(interface, Ipv6InterfaceAddress(address, Ipv6Prefix(64)));
    ipv6->SetUp(interface);
    return address;
}

/// A node with an RNIC.
struct RdmaHost
{
    Ptr<Node> node;
    Ptr<EthernetNetDevice> port;
    IpAddress address;
    Ipv6Address ipv6Address; ///< Where the node has it.
    Ptr<RnicDevice> device;
    Ptr<HostMemory> memory;

    /// Puts \p rnic, set as it is to be, into the node.
    void Install(const Ptr<RnicDevice>& rnic)
    {
        device = rnic;
        node->AggregateObject(device);
        device->SetNode(node);
        memory = device->GetHostMemory();
    }
};

/// \return a host at \p channel with the address 10.77.0.\p number and an RNIC as it comes.
inline RdmaHost
MakeRdmaHost(uint32_t number, const Ptr<EthernetChannel>& channel, uint16_t mtu)
{
    RdmaHost host;
    host.node = MakeIpv4Node();
    host.port = AddEthernetPort(host.node, mtu);
    host.port->Attach(channel);
    host.address = AddIpv4Address(host.node, host.port, number);
    host.Install(CreateObject<RnicDevice>());
    return host;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RDMA_HOST_H
