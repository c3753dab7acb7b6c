/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-channel.h"
#include "link/ethernet-switch.h"
#include "link/experimental-ethertype.h"
#include "link/pause-frame.h"
#include "link/pause-sender.h"

#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

using ::testing::Each;
using ::testing::ElementsAre;

TEST(PauseFrameTest, HasTheOctetsOfAnnex31B)
{
    PauseFrame pause;
    pause.source = {2, 0, 0, 0, 0, 9};
    pause.quanta = 0x1234;
    std::array<uint8_t, PauseFrame::SIZE> octets{};
    pause.Encode(octets);
    EXPECT_THAT(std::vector<uint8_t>(octets.begin(), octets.begin() + 18),
                ElementsAre(1, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 9, 0x88, 8, 0, 1, 0x12, 0x34));
    EXPECT_THAT(std::vector<uint8_t>(octets.begin() + 18, octets.end()), Each(0));
    const auto read = PauseFrame::Decode(octets);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->kind, FlowControl::PAUSE);
    EXPECT_EQ(read->quanta, 0x1234);
    EXPECT_EQ(read->source, pause.source);
}

TEST(PauseFrameTest, OfPrioritiesSpeaksOfPriorityZero)
{
    PauseFrame pause;
    pause.kind = FlowControl::PFC;
    pause.quanta = 7;
    std::array<uint8_t, PauseFrame::SIZE> octets{};
    pause.Encode(octets);
    EXPECT_THAT(std::vector<uint8_t>(octets.begin() + 12, octets.begin() + 22),
                ElementsAre(0x88, 8, 1, 1, 0, 1, 0, 7, 0, 0));
    ASSERT_TRUE(PauseFrame::Decode(octets));
    EXPECT_EQ(PauseFrame::Decode(octets)->quanta, 7);
    octets[17] = 2; // Priority 1 alone.
    EXPECT_FALSE(PauseFrame::Decode(octets));
}

TEST(PauseFrameTest, IsNoOtherFrame)
{
    std::array<uint8_t, PauseFrame::SIZE> octets{};
    PauseFrame{}.Encode(octets);
    EXPECT_FALSE(PauseFrame::Decode(ByteSpan(octets.data(), PauseFrame::SIZE - 1)));
    EXPECT_TRUE(PauseFrame::IsMacControl(ByteSpan(octets.data(), 14)));
    EXPECT_FALSE(PauseFrame::IsMacControl(ByteSpan(octets.data(), 13)));
    auto changed = octets;
    changed[5] = 2;
    EXPECT_FALSE(PauseFrame::Decode(changed));
    changed = octets;
    changed[15] = 3;
    EXPECT_FALSE(PauseFrame::Decode(changed));
    changed = octets;
    changed[12] = 8;
    EXPECT_FALSE(PauseFrame::IsMacControl(changed));
}

constexpr uint32_t PAYLOAD = 986;     ///< With header and FCS 1,004 octets.
constexpr int64_t FRAME = 1024 * 8;   ///< ns at 1 Gbit/s, preamble to gap.
constexpr int64_t PASSAGE = 1012 * 8; ///< ns from the first octet of a frame to its last.

/// Two ports with flow control on a cable of 1 Gbit/s.
class PausedPortTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        const auto channel = CreateObject<EthernetChannel>();
        channel->SetAttribute("Delay", StringValue("0ns"));
        for (std::size_t i = 0; i < 2; ++i)
        {
            ports[i] = CreateObject<EthernetNetDevice>();
            ports[i]->SetAttribute("FlowControl", StringValue("pause"));
            ports[i]->SetAttribute("DataRate", StringValue("1Gbps"));
            ports[i]->SetAddress(Mac48Address::Allocate());
            CreateObject<Node>()->AddDevice(ports[i]);
            ports[i]->Attach(channel);
        }
        ports[1]->SetReceiveCallback(MakeCallback(&PausedPortTest::Take, this));
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    bool Take(Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&)
    {
        arrivals.push_back(Simulator::Now().GetNanoSeconds());
        return true;
    }

    void Send(std::size_t from = 0)
    {
        ports[from]->Send(Create<Packet>(PAYLOAD),
                          ports[1 - from]->GetAddress(),
                          EXPERIMENTAL_ETHERTYPE);
    }

    void PauseAt(int64_t nanoseconds, uint16_t quanta)
    {
        Simulator::Schedule(NanoSeconds(nanoseconds),
                            &EthernetNetDevice::SendPause,
                            ports[1],
                            quanta);
    }

    static constexpr int64_t PAUSE_PASSAGE = 72 * 8;
    static constexpr int64_t QUANTUM = 512;

    std::array<Ptr<EthernetNetDevice>, 2> ports;
    std::vector<int64_t> arrivals;
};

TEST_F(PausedPortTest, EndsWhatItSendsAndWaitsUntilTheTimeIsOver)
{
    Send();
    Send();
    Send();
    PauseAt(100, 100);
    Simulator::Run();
    const int64_t until = 100 + PAUSE_PASSAGE + 100 * QUANTUM;
    EXPECT_THAT(arrivals, ElementsAre(PASSAGE, until + PASSAGE, until + FRAME + PASSAGE));
    EXPECT_EQ(ports[0]->GetPausedTime(), NanoSeconds(100 * QUANTUM));
    EXPECT_EQ(ports[0]->GetCounters().pauseReceived, 1U);
    EXPECT_EQ(ports[1]->GetCounters().pauseSent, 1U);
    EXPECT_EQ(ports[0]->GetHeldOctets(), 0U);
}

TEST_F(PausedPortTest, GoesOnWhenToldTo)
{
    Send();
    Send();
    PauseAt(100, 0xffff);
    PauseAt(50'000, 0);
    Simulator::Run();
    EXPECT_THAT(arrivals, ElementsAre(PASSAGE, 50'000 + PAUSE_PASSAGE + PASSAGE));
    EXPECT_EQ(ports[0]->GetPausedTime(), NanoSeconds(50'000 - 100));
}

TEST_F(PausedPortTest, HoldsBackWhatComesWhileItIsPaused)
{
    PauseAt(0, 100);
    Simulator::Schedule(NanoSeconds(2000), [this] { Send(); });
    Simulator::Run();
    EXPECT_THAT(arrivals, ElementsAre(PAUSE_PASSAGE + 100 * QUANTUM + PASSAGE));
}

TEST_F(PausedPortTest, SendsPauseBeforeAllThatWaitEvenWhenItIsPaused)
{
    Send(1);
    Send(1);
    std::vector<int64_t> paused;
    ports[0]->TraceConnectWithoutContext("PauseRx", Callback<void, uint16_t>([&paused](uint16_t) {
                                             paused.push_back(Simulator::Now().GetNanoSeconds());
                                         }));
    PauseAt(100, 10);
    ports[0]->SendPause(0xffff);
    Simulator::Stop(MicroSeconds(100));
    Simulator::Run();
    EXPECT_THAT(paused, ElementsAre(FRAME + PAUSE_PASSAGE));
}

TEST_F(PausedPortTest, SendsAllInTheEndUnderAStormOfPauses)
{
    constexpr int FRAMES = 20;
    for (int i = 0; i < FRAMES; ++i)
    {
        Send();
    }
    for (int i = 0; i < 1000; ++i)
    {
        PauseAt(i * 1000, 0xffff);
    }
    Simulator::Run();
    EXPECT_EQ(arrivals.size(), static_cast<std::size_t>(FRAMES));
    EXPECT_EQ(arrivals[1], 999'000 + PAUSE_PASSAGE + 0xffff * QUANTUM + PASSAGE);
}

TEST_F(PausedPortTest, LosesWhatWaitsWhenItDies)
{
    Send();
    Send();
    PauseAt(100, 100);
    Simulator::Schedule(MicroSeconds(20), &EthernetNetDevice::SetDead, ports[0], true);
    Simulator::Run();
    EXPECT_EQ(arrivals.size(), 1U);
    EXPECT_EQ(ports[0]->GetCounters().framesDropped, 1U);
    EXPECT_EQ(ports[0]->GetHeldOctets(), 0U);
}

TEST_F(PausedPortTest, DoesNotMindPauseOfAnotherKind)
{
    ports[0]->SetAttribute("FlowControl", StringValue("pfc"));
    Send();
    Send();
    PauseAt(100, 100);
    Simulator::Run();
    EXPECT_THAT(arrivals, ElementsAre(PASSAGE, FRAME + PASSAGE));
}

/// Hosts at a switch with a shared buffer, of which one is sent more than its link takes.
class SharedBufferTest : public ::testing::Test
{
  protected:
    static constexpr std::size_t SENDERS = 4;
    static constexpr uint32_t BUFFER = 100'000;
    static constexpr int FRAMES = 200;

    void Run(const std::string& flowControl, double alpha)
    {
        const auto center = CreateObject<Node>();
        one = CreateObject<EthernetSwitch>();
        one->SetAttribute("Buffer", UintegerValue(BUFFER));
        one->SetAttribute("Alpha", DoubleValue(alpha));
        center->AggregateObject(one);
        for (std::size_t i = 0; i <= SENDERS; ++i)
        {
            const auto channel = CreateObject<EthernetChannel>();
            const auto make = [&](const Ptr<Node>& node) {
                const auto port = CreateObject<EthernetNetDevice>();
                port->SetAttribute("FlowControl", StringValue(flowControl));
                port->SetAttribute("DataRate", StringValue("1Gbps"));
                port->SetAddress(Mac48Address::Allocate());
                port->SetQueueSize(QueueSize("1000p"));
                node->AddDevice(port);
                port->Attach(channel);
                return port;
            };
            hosts.push_back(make(CreateObject<Node>()));
            one->AddPort(make(center));
        }
        hosts[0]->SetReceiveCallback(MakeCallback(&SharedBufferTest::Take, this));
        hosts[0]->Send(Create<Packet>(PAYLOAD), hosts[1]->GetAddress(), EXPERIMENTAL_ETHERTYPE);
        Simulator::Schedule(MilliSeconds(1), &SharedBufferTest::SendAll, this);
        Simulator::Run();
    }

    void SendAll()
    {
        for (int i = 0; i < FRAMES; ++i)
        {
            for (std::size_t from = 1; from <= SENDERS; ++from)
            {
                hosts[from]->Send(Create<Packet>(PAYLOAD),
                                  hosts[0]->GetAddress(),
                                  EXPERIMENTAL_ETHERTYPE);
            }
        }
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    bool Take(Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&)
    {
        ++came;
        return true;
    }

    Ptr<EthernetSwitch> one;
    std::vector<Ptr<EthernetNetDevice>> hosts;
    std::size_t came{0};
};

TEST_F(SharedBufferTest, WithoutFlowControlAPortHasAlphaTimesWhatIsFree)
{
    Run("none", 1);
    const auto& port = one->GetPortCounters(0);
    EXPECT_LT(came, SENDERS * FRAMES);
    EXPECT_EQ(came + port.dropped, SENDERS * FRAMES);
    EXPECT_LE(one->GetBuffer()->GetPeak(), BUFFER / 2);
    EXPECT_GT(one->GetBuffer()->GetPeak(), BUFFER / 2 - 1100);
    EXPECT_EQ(one->GetBuffer()->GetHeld(), 0U);
}

TEST_F(SharedBufferTest, WithoutAlphaAPortHasAnEqualPart)
{
    Run("none", 0);
    EXPECT_LE(one->GetBuffer()->GetPeak(), BUFFER / (SENDERS + 1));
    EXPECT_GT(one->GetBuffer()->GetPeak(), BUFFER / (SENDERS + 1) - 1100);
}

TEST_F(SharedBufferTest, WithFlowControlNothingIsLost)
{
    for (const double alpha : {0.0, 0.25, 1.0, 16.0})
    {
        hosts.clear();
        came = 0;
        Run("pause", alpha);
        EXPECT_EQ(came, SENDERS * FRAMES) << alpha;
        EXPECT_EQ(one->GetPortCounters(0).dropped, 0U) << alpha;
        EXPECT_LE(one->GetBuffer()->GetPeak(), BUFFER) << alpha;
        EXPECT_GT(hosts[1]->GetCounters().pauseReceived, 1U) << alpha;
        EXPECT_EQ(one->GetBuffer()->GetHeld(), 0U) << alpha;
        Simulator::Destroy();
    }
}

TEST(PauseHeadRoomTest, IsWhatTheCableAndItsFramesTake)
{
    // 1,538 octets of each frame with preamble, FCS and gap, 84 of PAUSE, 1,250 on the cable.
    EXPECT_EQ(PauseSender::ComputeHeadRoom(100'000'000'000, NanoSeconds(50), 1500),
              3 * 1538U + 84U + 1250U);
}

} // namespace
} // namespace ns3::nfsrdma
