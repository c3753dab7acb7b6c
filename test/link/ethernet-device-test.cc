/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-channel.h"
#include "link/ethernet-net-device.h"
#include "link/experimental-ethertype.h"

#include "ns3/data-rate.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/error-model.h"
#include "ns3/mac48-address.h"
#include "ns3/node.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <array>
#include <gtest/gtest.h>
#include <tuple>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

/// Two ports on a cable; what arrives at each, and when.
class EthernetDeviceTest : public ::testing::Test
{
  protected:
    struct Arrival
    {
        Time when;
        uint32_t size;
        NetDevice::PacketType type;
    };

    void SetUp() override
    {
        channel = CreateObject<EthernetChannel>();
        channel->SetAttribute("Delay", TimeValue(NanoSeconds(50)));
        for (std::size_t i = 0; i < 2; ++i)
        {
            nodes[i] = CreateObject<Node>();
            devices[i] = CreateObject<EthernetNetDevice>();
            devices[i]->SetAddress(
                Mac48Address(i == 0 ? "00:00:00:00:00:01" : "00:00:00:00:00:02"));
            devices[i]->SetDataRate(Rate());
            devices[i]->SetMtu(9000);
            nodes[i]->AddDevice(devices[i]);
            devices[i]->Attach(channel);
            devices[i]->SetPromiscReceiveCallback(
                MakeCallback(&EthernetDeviceTest::OnReceive, this));
        }
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    virtual DataRate Rate() const
    {
        return DataRate("100Gbps");
    }

    bool OnReceive(Ptr<NetDevice> device,
                   Ptr<const Packet> packet,
                   uint16_t protocol,
                   const Address& /* source */,
                   const Address& /* destination */,
                   NetDevice::PacketType type)
    {
        EXPECT_EQ(protocol, EXPERIMENTAL_ETHERTYPE);
        arrivals[device == devices[0] ? 0 : 1].push_back(
            {Simulator::Now(), packet->GetSize(), type});
        return true;
    }

    void Send(std::size_t from, uint32_t payload)
    {
        devices[from]->Send(Create<Packet>(payload),
                            devices[1 - from]->GetAddress(),
                            EXPERIMENTAL_ETHERTYPE);
    }

    std::array<Ptr<Node>, 2> nodes;
    std::array<Ptr<EthernetNetDevice>, 2> devices;
    std::array<std::vector<Arrival>, 2> arrivals;
    Ptr<EthernetChannel> channel;
};

class EthernetRateTest : public EthernetDeviceTest,
                         public ::testing::WithParamInterface<std::tuple<const char*, int, int>>
{
  protected:
    DataRate Rate() const override
    {
        return DataRate(std::get<0>(GetParam()));
    }
};

TEST_P(EthernetRateTest, SerialisationTimeIsExact)
{
    const auto [rate, payload, nanoseconds] = GetParam();
    Send(0, payload);
    Simulator::Run();
    ASSERT_EQ(arrivals[1].size(), 1U);
    EXPECT_EQ(arrivals[1][0].when, NanoSeconds(nanoseconds + 50));
}

// 8 + 14 + max(payload, 46) + 4 octets from the first preamble octet to the last FCS octet.
INSTANTIATE_TEST_SUITE_P(Rates,
                         EthernetRateTest,
                         ::testing::Values(std::tuple("1Gbps", 1500, 1526 * 8),
                                           std::tuple("10Gbps", 1, 57),
                                           std::tuple("10Gbps", 46, 57),
                                           std::tuple("10Gbps", 47, 58),
                                           std::tuple("25Gbps", 9000, 2888),
                                           std::tuple("100Gbps", 9000, 722),
                                           std::tuple("400Gbps", 1500, 30)));

TEST_F(EthernetDeviceTest, BothDirectionsAtOnceAtFullRate)
{
    constexpr int FRAMES = 10000;
    for (auto& device : devices)
    {
        device->GetQueue()->SetMaxSize(QueueSize("20000p"));
    }
    for (int i = 0; i < FRAMES; ++i)
    {
        Send(0, 1500);
        Send(1, 1500);
    }
    Simulator::Run();
    for (const auto& received : arrivals)
    {
        ASSERT_EQ(received.size(), static_cast<std::size_t>(FRAMES));
        // 1538 octets a frame at 0.08 ns, the last one without its gap; 123.04 ns does not drift.
        EXPECT_EQ(received.back().when, NanoSeconds((FRAMES * 1538LL - 12) * 8 / 100 + 50));
        EXPECT_EQ(received.front().when, NanoSeconds(122 + 50));
    }
}

TEST_F(EthernetDeviceTest, GapKeepsFramesApart)
{
    devices[0]->SetAttribute("InterframeGap", UintegerValue(100));
    Send(0, 974);
    Send(0, 974);
    Simulator::Run();
    ASSERT_EQ(arrivals[1].size(), 2U);
    EXPECT_EQ(arrivals[1][1].when - arrivals[1][0].when, NanoSeconds(88));
}

TEST_F(EthernetDeviceTest, QueueDropsWhenFull)
{
    std::vector<Time> drops;
    int macDrops = 0;
    devices[0]->GetQueue()->SetMaxSize(QueueSize("3p"));
    devices[0]->GetQueue()->TraceConnectWithoutContext(
        "Drop",
        Callback<void, Ptr<const Packet>>(
            [&drops](Ptr<const Packet>) { drops.push_back(Simulator::Now()); }));
    devices[0]->TraceConnectWithoutContext(
        "MacTxDrop",
        Callback<void, Ptr<const Packet>>([&macDrops](Ptr<const Packet>) { ++macDrops; }));
    for (int i = 0; i < 10; ++i)
    {
        Send(0, 1000);
    }
    Simulator::Run();
    EXPECT_EQ(arrivals[1].size(), 4U);
    EXPECT_EQ(drops.size(), 6U);
    EXPECT_EQ(macDrops, 6);
}

TEST_F(EthernetDeviceTest, FramesAboveTheMtuAreNotSent)
{
    EXPECT_TRUE(
        devices[0]->Send(Create<Packet>(9000), devices[1]->GetAddress(), EXPERIMENTAL_ETHERTYPE));
    EXPECT_FALSE(
        devices[0]->Send(Create<Packet>(9001), devices[1]->GetAddress(), EXPERIMENTAL_ETHERTYPE));
    Simulator::Run();
    EXPECT_EQ(arrivals[1].size(), 1U);
}

TEST_F(EthernetDeviceTest, DestinationsAreToldApart)
{
    for (const char* destination :
         {"00:00:00:00:00:02", "ff:ff:ff:ff:ff:ff", "01:00:5e:00:00:01", "00:00:00:00:00:09"})
    {
        devices[0]->Send(Create<Packet>(100), Mac48Address(destination), EXPERIMENTAL_ETHERTYPE);
    }
    Simulator::Run();
    ASSERT_EQ(arrivals[1].size(), 4U);
    EXPECT_EQ(arrivals[1][0].type, NetDevice::PACKET_HOST);
    EXPECT_EQ(arrivals[1][1].type, NetDevice::PACKET_BROADCAST);
    EXPECT_EQ(arrivals[1][2].type, NetDevice::PACKET_MULTICAST);
    EXPECT_EQ(arrivals[1][3].type, NetDevice::PACKET_OTHERHOST);
}

TEST_F(EthernetDeviceTest, DamagedFramesAreDropped)
{
    auto errors = CreateObject<ReceiveListErrorModel>();
    errors->SetList({1});
    devices[1]->SetReceiveErrorModel(errors);
    int dropped = 0;
    devices[1]->TraceConnectWithoutContext(
        "PhyRxDrop",
        Callback<void, Ptr<const Packet>>([&dropped](Ptr<const Packet>) { ++dropped; }));
    for (int i = 0; i < 3; ++i)
    {
        Send(0, 100);
    }
    Simulator::Run();
    EXPECT_EQ(arrivals[1].size(), 2U);
    EXPECT_EQ(dropped, 1);
}

TEST_F(EthernetDeviceTest, TracesOfTransmission)
{
    std::vector<Time> begins;
    std::vector<Time> ends;
    devices[0]->TraceConnectWithoutContext(
        "PhyTxBegin",
        Callback<void, Ptr<const Packet>>(
            [&begins](Ptr<const Packet>) { begins.push_back(Simulator::Now()); }));
    devices[0]->TraceConnectWithoutContext(
        "PhyTxEnd",
        Callback<void, Ptr<const Packet>>(
            [&ends](Ptr<const Packet>) { ends.push_back(Simulator::Now()); }));
    Send(0, 9000);
    Send(0, 9000);
    Simulator::Run();
    EXPECT_EQ(begins, (std::vector<Time>{NanoSeconds(0), NanoSeconds(723)}));
    EXPECT_EQ(ends, (std::vector<Time>{NanoSeconds(722), NanoSeconds(1445)}));
}

TEST_F(EthernetDeviceTest, HalfACableIsDown)
{
    auto lone = CreateObject<EthernetNetDevice>();
    EXPECT_FALSE(lone->IsLinkUp());
    lone->Attach(CreateObject<EthernetChannel>());
    EXPECT_FALSE(lone->IsLinkUp());
    EXPECT_FALSE(
        lone->Send(Create<Packet>(100), Mac48Address("00:00:00:00:00:02"), EXPERIMENTAL_ETHERTYPE));
    EXPECT_TRUE(devices[0]->IsLinkUp());
}

TEST_F(EthernetDeviceTest, DeadPortNeitherSendsNorReceives)
{
    uint32_t notSent = 0;
    uint32_t notReceived = 0;
    devices[0]->TraceConnectWithoutContext(
        "MacTxDrop",
        Callback<void, Ptr<const Packet>>([&notSent](Ptr<const Packet>) { ++notSent; }));
    devices[0]->TraceConnectWithoutContext(
        "PhyRxDrop",
        Callback<void, Ptr<const Packet>>([&notReceived](Ptr<const Packet>) { ++notReceived; }));
    devices[0]->SetQueue(CreateObject<DropTailQueue<Packet>>());
    for (int i = 0; i < 3; ++i)
    {
        Send(0, 1000); // One is on the wire, two wait.
    }
    devices[0]->SetDead(true);
    EXPECT_TRUE(devices[0]->IsDead());
    EXPECT_TRUE(devices[0]->IsLinkUp());
    EXPECT_EQ(notSent, 2U);
    Send(0, 1000);
    Send(1, 1000);
    Simulator::Run();
    EXPECT_EQ(notSent, 3U);
    EXPECT_EQ(notReceived, 1U);
    EXPECT_EQ(arrivals[0].size(), 0U);
    EXPECT_EQ(arrivals[1].size(), 1U);
    devices[0]->SetDead(false);
    Send(0, 1000);
    Send(1, 1000);
    Simulator::Run();
    EXPECT_EQ(arrivals[0].size(), 1U);
    EXPECT_EQ(arrivals[1].size(), 2U);
}

} // namespace
} // namespace ns3::nfsrdma
