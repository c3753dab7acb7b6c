/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RDMA_HOST_H
#define NFSRDMA_TEST_RDMA_HOST_H

#include "link/ethernet-channel.h"
#include "link/ethernet-net-device.h"
#include "rnic/hardware/device.h"

#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"

namespace ns3::nfsrdma
{

/// \return a node with IPv4 that chooses its routes statically and answers ARP at once.
inline Ptr<Node>
MakeIpv4Node()
{
    const auto node = CreateObject<Node>();
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.SetIpv4ArpJitter(false);
    stack.SetRoutingHelper(Ipv4StaticRoutingHelper());
    stack.Install(node);
    return node;
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
inline Ipv4Address
AddIpv4Address(const Ptr<Node>& node, const Ptr<NetDevice>& port, uint32_t number)
{
    const Ipv4Address address(0x0a4d0000 + number);
    const auto ipv4 = node->GetObject<Ipv4>();
    const uint32_t interface = ipv4->AddInterface(port);
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, Ipv4Mask("255.255.255.0")));
    ipv4->SetUp(interface);
    return address;
}

/// A node with an RNIC.
struct RdmaHost
{
    Ptr<Node> node;
    Ptr<EthernetNetDevice> port;
    Ipv4Address address;
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
