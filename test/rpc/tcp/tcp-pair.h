/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_RPC_TCP_TCP_PAIR_H
#define NFSRDMA_TEST_RPC_TCP_TCP_PAIR_H

#include "link/ethernet-channel.h"
#include "link/ethernet-net-device.h"
#include "mpa/tcp-preset.h"

#include "ns3/config.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/net-device-container.h"
#include "ns3/node.h"
#include "ns3/object-vector.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-l4-protocol.h"

#include <array>

namespace ns3::nfsrdma
{

/// Two nodes with TCP/IP on an Ethernet cable: 10.0.0.1, the client, and 10.0.0.2, the server.
class TcpPair
{
  public:
    static constexpr std::size_t CLIENT = 0;
    static constexpr std::size_t SERVER = 1;
    static constexpr const char* CLIENT_ADDRESS = "10.0.0.1";
    static constexpr const char* SERVER_ADDRESS = "10.0.0.2";

    TcpPair()
    {
        DataCenterTcpPreset().Apply(1500);
        Config::SetDefault("ns3::ArpL3Protocol::RequestJitter",
                           StringValue("ns3::ConstantRandomVariable[Constant=0.0]"));
        const auto channel = CreateObject<EthernetChannel>();
        NetDeviceContainer container;
        InternetStackHelper internet;
        internet.SetIpv6StackInstall(false);
        for (std::size_t side = 0; side < 2; ++side)
        {
            nodes[side] = CreateObject<Node>();
            devices[side] = CreateObject<EthernetNetDevice>();
            devices[side]->SetAddress(
                Mac48Address(side == 0 ? "02:00:00:00:00:01" : "02:00:00:00:00:02"));
            devices[side]->SetDataRate(DataRate("10Gbps"));
            devices[side]->SetMtu(1500);
            devices[side]->SetQueueSize(QueueSize("2000p"));
            nodes[side]->AddDevice(devices[side]);
            internet.Install(nodes[side]);
            devices[side]->Attach(channel);
            container.Add(devices[side]);
        }
        Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(container);
    }

    /// \return TCP sockets that \p side still has, listeners included.
    [[nodiscard]] std::size_t CountSockets(std::size_t side) const
    {
        ObjectVectorValue sockets;
        nodes[side]->GetObject<TcpL4Protocol>()->GetAttribute("SocketList", sockets);
        return sockets.GetN();
    }

    std::array<Ptr<Node>, 2> nodes;
    std::array<Ptr<EthernetNetDevice>, 2> devices;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_RPC_TCP_TCP_PAIR_H
