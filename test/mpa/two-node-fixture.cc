/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/two-node-fixture.h"

#include "link/ethernet-numbers.h"
#include "mpa/host-tcp.h"

#include "ns3/arp-l3-protocol.h"
#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/error-model.h"
#include "ns3/ethernet-header.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6.h"
#include "ns3/net-device-container.h"
#include "ns3/object-vector.h"
#include "ns3/queue-size.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-l4-protocol.h"

namespace ns3::nfsrdma
{

namespace
{

Ipv6Address
GetIpv6Address(std::size_t side)
{
    return {side == 0 ? "fd00:77::1" : "fd00:77::2"};
}

} // namespace

void
TwoNodeTest::SetUp()
{
    DataCenterTcpPreset preset;
    ConfigureTcp(preset);
    preset.Apply(Mtu());
    Config::SetDefault("ns3::ArpL3Protocol::RequestJitter",
                       StringValue("ns3::ConstantRandomVariable[Constant=0.0]"));
    NetDeviceContainer container;
    InternetStackHelper internet;
    internet.SetIpv6StackInstall(OverIpv6());
    internet.SetIpv6NsRsJitter(false);
    Config::SetDefault("ns3::Icmpv6L4Protocol::DAD", BooleanValue(false));
    internet.SetTcp(HostTcp::GetTypeId().GetName());
    for (std::size_t side = 0; side < 2; ++side)
    {
        nodes[side] = CreateObject<Node>();
        auto device = CreateObject<EthernetNetDevice>();
        device->SetAddress(Mac48Address(side == 0 ? "02:00:00:00:00:01" : "02:00:00:00:00:02"));
        device->SetDataRate(DataRate("100Gbps"));
        device->SetMtu(Mtu());
        device->SetQueueSize(QueueSize("2000p"));
        nodes[side]->AddDevice(device);
        internet.Install(nodes[side]);
        container.Add(device);
        device->TraceConnectWithoutContext("PhyTxBegin",
                                           MakeCallback(&TwoNodeTest::HandleFrame, this, side));
        devices[side] = device;
        transports[side] = CreateObject<MpaTransport>();
        transports[side]->SetAttribute("Tcp", EnumValue(MpaTransport::NS3));
        transports[side]->SetNode(nodes[side]);
    }
    Wire();
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    addresses.Assign(container);
    if (OverIpv6())
    {
        for (std::size_t side = 0; side < 2; ++side)
        {
            const auto ipv6 = nodes[side]->GetObject<Ipv6>();
            const uint32_t interface = ipv6->AddInterface(devices[side]);
            ipv6->AddAddress(interface, Ipv6InterfaceAddress(GetIpv6Address(side), Ipv6Prefix(64)));
            ipv6->SetUp(interface);
        }
    }
}

void
TwoNodeTest::TearDown()
{
    connections = {};
    for (auto& transport : transports)
    {
        transport->Dispose();
    }
    Simulator::Destroy();
}

void
TwoNodeTest::ConfigureTcp(DataCenterTcpPreset& /* preset */)
{
}

uint16_t
TwoNodeTest::Mtu() const
{
    return 1500;
}

bool
TwoNodeTest::OverIpv6() const
{
    return false;
}

Address
TwoNodeTest::AddressOf(std::size_t side) const
{
    if (OverIpv6())
    {
        return Inet6SocketAddress(GetIpv6Address(side), PORT);
    }
    return InetSocketAddress(side == 0 ? "10.0.0.1" : "10.0.0.2", PORT);
}

void
TwoNodeTest::Wire()
{
    channel = CreateObject<EthernetChannel>();
    for (const auto& device : devices)
    {
        device->Attach(channel);
    }
}

void
TwoNodeTest::ConfigureConnection(std::size_t /* side */, MpaConnection& /* connection */)
{
}

void
TwoNodeTest::OnRequest(const MpaStartupParameters& /* peer */)
{
    connections[RESPONDER]->Accept(responderSays);
}

void
TwoNodeTest::OnOperational(std::size_t /* side */)
{
}

void
TwoNodeTest::OnReady(std::size_t /* side */)
{
}

void
TwoNodeTest::OnUlpdu(std::size_t /* side */, ByteSpan /* ulpdu */)
{
}

void
TwoNodeTest::OnDelivery(std::size_t side, ByteSpan ulpdu, bool /* placed */)
{
    OnUlpdu(side, ulpdu);
}

bool
TwoNodeTest::OnPlace(std::size_t /* side */, ByteSpan /* ulpdu */)
{
    return false;
}

void
TwoNodeTest::OnSegment(std::size_t /* side */, const Segment& /* segment */)
{
}

void
TwoNodeTest::Start()
{
    ASSERT_TRUE(
        transports[RESPONDER]->Listen(PORT, MakeCallback(&TwoNodeTest::HandleAccept, this)));
    Watch(INITIATOR);
    connections[INITIATOR]->StartInitiator(transports[INITIATOR]->Connect(AddressOf(RESPONDER)),
                                           initiatorSays);
}

void
TwoNodeTest::RunAll()
{
    Simulator::Run();
}

void
TwoNodeTest::StartAndRun(Time duration)
{
    Start();
    Simulator::Stop(duration);
    Simulator::Run();
}

void
TwoNodeTest::HandleAccept(Ptr<ByteStream> stream)
{
    Watch(RESPONDER);
    connections[RESPONDER]->StartResponder(stream);
}

void
TwoNodeTest::Watch(std::size_t side)
{
    auto connection = CreateObject<MpaConnection>();
    ConfigureConnection(side, *connection);
    connection->GetCallbacks().request = MakeCallback(&TwoNodeTest::HandleRequest, this);
    connection->GetCallbacks().operational =
        MakeCallback(&TwoNodeTest::HandleOperational, this, side);
    connection->GetCallbacks().ready = MakeCallback(&TwoNodeTest::HandleReady, this, side);
    connection->GetCallbacks().ulpdu = MakeCallback(&TwoNodeTest::HandleUlpdu, this, side);
    connection->GetCallbacks().place = MakeCallback(&TwoNodeTest::HandlePlace, this, side);
    connection->GetCallbacks().error = MakeCallback(&TwoNodeTest::HandleError, this, side);
    connection->GetCallbacks().closed = MakeCallback(&TwoNodeTest::HandleClosed, this, side);
    connection->GetCallbacks().rejected = MakeCallback(&TwoNodeTest::HandleRejected, this, side);
    connections[side] = connection;
}

void
TwoNodeTest::HandleRequest(const MpaStartupParameters& peer)
{
    OnRequest(peer);
}

void
TwoNodeTest::HandleOperational(std::size_t side, const MpaStartupParameters& parameters)
{
    agreed[side] = parameters;
    OnOperational(side);
}

void
TwoNodeTest::HandleReady(std::size_t side)
{
    OnReady(side);
}

void
TwoNodeTest::HandleUlpdu(std::size_t side, ByteSpan ulpdu, bool placed)
{
    OnDelivery(side, ulpdu, placed);
}

bool
TwoNodeTest::HandlePlace(std::size_t side, ByteSpan ulpdu)
{
    return OnPlace(side, ulpdu);
}

void
TwoNodeTest::HandleError(std::size_t side, MpaError error)
{
    EXPECT_FALSE(errors[side].has_value());
    errors[side] = error;
}

void
TwoNodeTest::HandleClosed(std::size_t side)
{
    EXPECT_FALSE(closed[side]);
    closed[side] = true;
}

void
TwoNodeTest::HandleRejected(std::size_t side, ByteSpan privateData)
{
    rejection = ByteVector(privateData.begin(), privateData.end());
    connections[side]->Close();
}

void
TwoNodeTest::HandleFrame(std::size_t side, Ptr<const Packet> frame)
{
    auto rest = frame->Copy();
    EthernetHeader ethernet(false);
    rest->RemoveHeader(ethernet);
    uint8_t protocol = 0;
    if (ethernet.GetLengthType() == ETHERTYPE_IPV4)
    {
        Ipv4Header ip;
        rest->RemoveHeader(ip);
        protocol = ip.GetProtocol();
    }
    else if (ethernet.GetLengthType() == ETHERTYPE_IPV6)
    {
        Ipv6Header ip;
        rest->RemoveHeader(ip);
        protocol = ip.GetNextHeader();
    }
    if (protocol != IP_PROTOCOL_TCP)
    {
        return;
    }
    TcpHeader tcp;
    rest->RemoveHeader(tcp);
    if (rest->GetSize() > 0)
    {
        std::array<uint8_t, 2> octets{};
        rest->CopyData(octets.data(), octets.size());
        OnSegment(side,
                  {tcp.GetSequenceNumber().GetValue(),
                   rest->GetSize(),
                   static_cast<uint16_t>(octets[0] << 8 | octets[1])});
    }
}

bool
TwoNodeTest::TrySend(std::size_t side, const ByteVector& ulpdu)
{
    auto& connection = *connections[side];
    if (!connection.CanSend())
    {
        return false;
    }
    const auto lent = connection.BeginUlpdu(static_cast<uint32_t>(ulpdu.size()));
    std::copy(ulpdu.begin(), ulpdu.end(), lent.begin());
    connection.CommitUlpdu();
    return true;
}

std::size_t
TwoNodeTest::CountSockets(std::size_t side) const
{
    ObjectVectorValue sockets;
    nodes[side]->GetObject<TcpL4Protocol>()->GetAttribute("SocketList", sockets);
    return sockets.GetN();
}

void
TwoNodeTest::SetLossRate(double perFrame)
{
    for (std::size_t side = 0; side < 2; ++side)
    {
        auto uniform = CreateObject<UniformRandomVariable>();
        uniform->SetStream(static_cast<int64_t>(7 + side));
        auto errorModel = CreateObject<RateErrorModel>();
        errorModel->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        errorModel->SetRate(perFrame);
        errorModel->SetRandomVariable(uniform);
        devices[side]->SetReceiveErrorModel(errorModel);
    }
}

} // namespace ns3::nfsrdma
