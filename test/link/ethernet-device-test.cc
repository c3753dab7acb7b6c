/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-channel.h"
#include "link/ethernet-net-device.h"
#include "link/experimental-ethertype.h"

#include "ns3/data-rate.h"
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
        device->SetQueueSize(QueueSize("20000p"));
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
    int macDrops = 0;
    devices[0]->SetQueueSize(QueueSize("3p"));
    devices[0]->TraceConnectWithoutContext(
        "MacTxDrop",
        Callback<void, Ptr<const Packet>>([&macDrops](Ptr<const Packet>) { ++macDrops; }));
    for (int i = 0; i < 10; ++i)
    {
        Send(0, 1000);
    }
    Simulator::Run();
    EXPECT_EQ(arrivals[1].size(), 4U);
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

TEST_F(EthernetDeviceTest, OneEventForAFrameThatNobodyWatches)
{
    Simulator::Run(); // What the nodes begin with.
    const uint64_t before = Simulator::GetEventCount();
    for (int i = 0; i < 10; ++i)
    {
        Send(0, 1000);
    }
    Simulator::Run();
    EXPECT_EQ(arrivals[1].size(), 10U);
    EXPECT_EQ(Simulator::GetEventCount() - before, 10U);
}

TEST_F(EthernetDeviceTest, WatchingChangesNoArrival)
{
    for (int i = 0; i < 10; ++i)
    {
        Send(0, 100 * (i + 1));
        Send(1, 1000);
    }
    Simulator::Run();
    const auto unwatched = arrivals;
    const Time then = Simulator::Now();
    arrivals = {};
    int seen = 0;
    for (const char* source : {"MacTx", "PhyTxBegin", "PhyTxEnd", "Sniffer", "PromiscSniffer"})
    {
        devices[0]->TraceConnectWithoutContext(
            source,
            Callback<void, Ptr<const Packet>>([&seen](Ptr<const Packet>) { ++seen; }));
    }
    devices[0]->TraceConnectWithoutContext(
        "QueueOctets",
        Callback<void, uint32_t, uint32_t>([](uint32_t, uint32_t) {}));
    for (int i = 0; i < 10; ++i)
    {
        Send(0, 100 * (i + 1));
        Send(1, 1000);
    }
    Simulator::Run();
    EXPECT_EQ(seen, 5 * 10 + 2 * 10) << "the captures show what arrives, too";
    for (std::size_t side = 0; side < 2; ++side)
    {
        ASSERT_EQ(arrivals[side].size(), unwatched[side].size());
        for (std::size_t i = 0; i < arrivals[side].size(); ++i)
        {
            EXPECT_EQ(arrivals[side][i].when - then, unwatched[side][i].when);
        }
    }
}

TEST_F(EthernetDeviceTest, CountersAreThoseOfNow)
{
    for (int i = 0; i < 3; ++i)
    {
        Send(0, 1000);
    }
    constexpr uint64_t FRAME = 1014;
    const auto& counters = devices[0]->GetCounters();
    EXPECT_EQ(counters.framesGiven, 3U);
    EXPECT_EQ(counters.framesSent, 1U);
    EXPECT_EQ(devices[0]->GetWaitingOctets(), 2 * FRAME);
    EXPECT_EQ(devices[0]->GetHeldOctets(), 2 * FRAME);
    EXPECT_EQ(channel->GetGiven(*devices[0]), 3 * FRAME);
    Simulator::Stop(NanoSeconds(100));
    Simulator::Run();
    EXPECT_EQ(devices[0]->GetCounters().framesSent, 2U);
    EXPECT_EQ(devices[0]->GetCounters().octetsOnCable, 2 * FRAME);
    EXPECT_EQ(devices[0]->GetWaitingOctets(), FRAME);
    Simulator::Run();
    EXPECT_EQ(devices[0]->GetCounters().framesSent, 3U);
    EXPECT_EQ(devices[0]->GetHeldOctets(), 0U);
    EXPECT_EQ(channel->GetGiven(*devices[0]), 0U);
}

TEST_F(EthernetDeviceTest, TheQueueIsShownAsItFillsAndEmpties)
{
    std::vector<std::tuple<int64_t, uint32_t, uint32_t>> changes;
    devices[0]->TraceConnectWithoutContext(
        "QueueOctets",
        Callback<void, uint32_t, uint32_t>([&changes](uint32_t before, uint32_t after) {
            changes.emplace_back(Simulator::Now().GetNanoSeconds(), before, after);
        }));
    for (int i = 0; i < 3; ++i)
    {
        Send(0, 9000);
    }
    Simulator::Run();
    EXPECT_EQ(changes,
              (std::vector<std::tuple<int64_t, uint32_t, uint32_t>>{{0, 0, 18028},
                                                                    {723, 18028, 9014},
                                                                    {1446, 9014, 0}}));
}

TEST_F(EthernetDeviceTest, AFrameMayBeGivenAheadOfItsArrival)
{
    const auto frame = Create<Packet>(1014);
    EXPECT_TRUE(devices[0]->SendFrameAt(frame, NanoSeconds(500)));
    EXPECT_EQ(devices[0]->GetWaitingOctets(), 0U);
    EXPECT_EQ(devices[0]->GetHeldOctets(), 1014U);
    EXPECT_EQ(devices[0]->GetCounters().framesSent, 0U);
    Time arrived;
    devices[1]->SetFrameCallback(
        Callback<void, Ptr<Packet>>([&arrived](Ptr<Packet>) { arrived = Simulator::Now(); }));
    Simulator::Run();
    EXPECT_EQ(arrived, NanoSeconds(500 + 1026 * 8 / 100 + 50));
}

TEST_F(EthernetDeviceTest, FramesTakenBackByADeadPortAreOnNoCable)
{
    for (int i = 0; i < 4; ++i)
    {
        Send(0, 1000);
    }
    devices[0]->SetDead(true);
    EXPECT_EQ(channel->GetGiven(*devices[0]), 1014U) << "the one that has begun";
    devices[0]->SetDead(false);
    Send(0, 500);
    Simulator::Run();
    EXPECT_EQ(arrivals[1].size(), 2U);
    const auto& counters = devices[0]->GetCounters();
    EXPECT_EQ(counters.framesDropped, 3U);
    EXPECT_EQ(counters.octetsGiven, counters.octetsSent + counters.octetsDropped);
    EXPECT_EQ(counters.octetsOnCable, devices[1]->GetCounters().octetsArrived);
    EXPECT_EQ(channel->GetGiven(*devices[0]), 0U);
}

TEST_F(EthernetDeviceTest, WhoSitsInTheCableHasFramesWhenTheyLeave)
{
    std::vector<Time> left;
    devices[0]->SetCableCallbacks(
        Callback<void, Ptr<Packet>, Time>([&](Ptr<Packet> frame, Time lastOctet) {
            left.push_back(Simulator::Now());
            devices[0]->PutOnCable(frame, lastOctet);
        }),
        {});
    for (int i = 0; i < 3; ++i)
    {
        Send(0, 9000);
    }
    Simulator::Stop(NanoSeconds(800));
    Simulator::Run();
    devices[0]->SetDead(true);
    Simulator::Run();
    EXPECT_EQ(left, (std::vector<Time>{NanoSeconds(0), NanoSeconds(723)}));
    EXPECT_EQ(arrivals[1].size(), 2U);
    EXPECT_EQ(devices[0]->GetCounters().framesOnCable, 2U);
}

} // namespace
} // namespace ns3::nfsrdma
