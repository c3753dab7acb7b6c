/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/stream-pair-fixture.h"

#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t HEADERS = 52; ///< IP, TCP, timestamps.

/// A hop before node 1 drops what is longer than its MTU and says so, when it may not fragment.
class PathMtuTest : public StreamPairTest
{
  protected:
    std::optional<Time> Fate(std::size_t receiver,
                             const Ipv4Header& ip,
                             const TcpHeader& tcp,
                             uint32_t payload) override
    {
        if (lossy && m_random() % 100 == 0)
        {
            return std::nullopt;
        }
        const uint32_t size = ip.GetSerializedSize() + tcp.GetSerializedSize() + payload;
        if (receiver == 0 || size <= hopMtu)
        {
            return Time(0);
        }
        EXPECT_TRUE(ip.IsDontFragment());
        ++dropped;
        Simulator::Schedule(MicroSeconds(5),
                            &PathMtuTest::SayTooBig,
                            this,
                            tcp.GetSourcePort(),
                            tcp.GetDestinationPort());
        return std::nullopt;
    }

    void SayTooBig(uint16_t source, uint16_t destination)
    {
        const std::array<uint8_t, 8> tcpStart{static_cast<uint8_t>(source >> 8),
                                              static_cast<uint8_t>(source),
                                              static_cast<uint8_t>(destination >> 8),
                                              static_cast<uint8_t>(destination)};
        nodes[0]->GetObject<TcpL4Protocol>()->ReceiveIcmp(Ipv4Address("10.0.0.254"),
                                                          64,
                                                          3,
                                                          4,
                                                          saysMtu ? hopMtu : 0,
                                                          Ipv4Address("10.0.0.1"),
                                                          Ipv4Address("10.0.0.2"),
                                                          tcpStart.data());
    }

    void OnEmss(std::size_t side) override
    {
        emssSeen[side].push_back(streams[side]->GetEmss());
    }

    void OnRoom(std::size_t side) override
    {
        while (side == 0 && sent[0] < total &&
               SendUnit(0, std::max<uint32_t>(128, streams[0]->GetEmss() & ~3U)))
        {
        }
    }

    void Continue(uint64_t more)
    {
        total += more;
        OnRoom(0);
        RunAll();
    }

    uint32_t LongestSince(std::size_t cut) const
    {
        uint64_t longest = 0;
        for (; cut < cuts[0].size(); ++cut)
        {
            longest = std::max(longest, cuts[0][cut].end - cuts[0][cut].begin);
        }
        return static_cast<uint32_t>(longest);
    }

    uint32_t hopMtu{1500};
    bool saysMtu{true};
    bool lossy{false};
    uint64_t total{100'000};
    int dropped{0};
    std::array<std::vector<uint32_t>, 2> emssSeen;

  private:
    std::mt19937_64 m_random{3};
};

using Sizes = std::vector<uint32_t>;

TEST_F(PathMtuTest, SmallerSegmentsFollowAtOnceWhenToldTooBig)
{
    Open();
    hopMtu = 576;
    const Time before = Simulator::Now();
    Continue(100'000);
    ExpectAllReceived();
    EXPECT_EQ(emssSeen[0], (Sizes{576 - HEADERS, EMSS}));
    EXPECT_GT(dropped, 0);
    const auto repeated =
        std::find_if(cuts[0].begin(), cuts[0].end(), [](const Cut& cut) { return cut.repeated; });
    ASSERT_NE(repeated, cuts[0].end());
    EXPECT_LT(repeated->at, before + MicroSeconds(20));
    EXPECT_LE(LongestSince(repeated - cuts[0].begin()), 576 - HEADERS);
    EXPECT_LT(cuts[0].back().at, before + MilliSeconds(3));
}

TEST_F(PathMtuTest, FullSegmentsAreTriedAgain)
{
    Open();
    hopMtu = 576;
    Socket(0)->SetAttribute("PathMtuRaiseTimeout", TimeValue(MilliSeconds(50)));
    const Time before = Simulator::Now();
    Simulator::Schedule(MilliSeconds(70), [this] {
        hopMtu = 1500;
        total += 10'000;
        OnRoom(0);
    });
    Continue(10'000);
    EXPECT_EQ(emssSeen[0], (Sizes{524, EMSS}));
    ExpectAllReceived();
    EXPECT_EQ(cuts[0].back().end - cuts[0].back().begin, 1448U);
    EXPECT_GE(cuts[0].back().at, before + MilliSeconds(70));
}

TEST_F(PathMtuTest, RouterThatDoesNotSayTheMtuIsFoundByPlateaus)
{
    Open();
    hopMtu = 576;
    saysMtu = false;
    Socket(0)->SetAttribute("PathMtuRaiseTimeout", TimeValue(Time(0)));
    Continue(100'000);
    ExpectAllReceived();
    EXPECT_EQ(streams[0]->GetEmss(), 508 - HEADERS);
}

TEST_F(PathMtuTest, SegmentsShorterThanTheSmallestFpduStillGetThrough)
{
    Open();
    hopMtu = 100;
    Socket(0)->SetAttribute("PathMtuRaiseTimeout", TimeValue(MilliSeconds(50)));
    Continue(20'000);
    ExpectAllReceived();
    EXPECT_EQ(emssSeen[0], (Sizes{48, EMSS}));
}

TEST_F(PathMtuTest, LargerOrTinyMtuIsNotBelieved)
{
    Open();
    hopMtu = 2000;
    SayTooBig(0, 0);
    Address name;
    Socket(0)->GetSockName(name);
    const uint16_t port = InetSocketAddress::ConvertFrom(name).GetPort();
    SayTooBig(port, PORT);
    EXPECT_EQ(streams[0]->GetEmss(), EMSS);
    hopMtu = 1;
    SayTooBig(port, PORT);
    EXPECT_EQ(streams[0]->GetEmss(), StreamTcpSocket::MIN_MTU - HEADERS);
    hopMtu = 1500;
    Continue(5'000);
    ExpectAllReceived();
}

/// The size is set from above, while a full send buffer waits.
class SetPathMtuTest : public PathMtuTest, public ::testing::WithParamInterface<MpaTransport::Kind>
{
  protected:
    void SetUp() override
    {
        PathMtuTest::SetUp();
        SetTransport(0, GetParam(), false, false);
    }
};

TEST_P(SetPathMtuTest, WhatIsQueuedIsCutToTheNewSize)
{
    total = 0;
    Open();
    total = 2'000'000;
    const Time start = Simulator::Now();
    constexpr std::array<uint32_t, 4> MTUS{576, 100, 1500, 9000};
    constexpr std::array<uint32_t, 4> SEGMENTS{524, 48, EMSS, EMSS};
    const auto changeTime = [start](std::size_t i) {
        constexpr std::array<int64_t, 4> MICROSECONDS{50, 90, 120, 400};
        return start + MicroSeconds(MICROSECONDS[i]);
    };
    for (std::size_t i = 0; i < MTUS.size(); ++i)
    {
        Simulator::Schedule(changeTime(i) - start,
                            [this, mtu = MTUS[i]] { Socket(0)->SetPathMtu(mtu); });
    }
    Simulator::Schedule(MicroSeconds(430), [this] {
        total += 100'000;
        OnRoom(0);
    });
    Continue(0);
    ExpectAllReceived();
    EXPECT_EQ(emssSeen[0], (Sizes{524, 48, EMSS}));
    const Time queueDrains = MicroSeconds(25);
    std::array<uint64_t, 4> longest{};
    for (const Cut& cut : cuts[0])
    {
        for (std::size_t i = 0; i < MTUS.size(); ++i)
        {
            if (cut.at > changeTime(i) + queueDrains && (i == 3 || cut.at < changeTime(i + 1)))
            {
                longest[i] = std::max(longest[i], cut.end - cut.begin);
            }
        }
    }
    for (std::size_t i = 0; i < MTUS.size(); ++i)
    {
        EXPECT_EQ(longest[i], SEGMENTS[i]) << "MTU " << MTUS[i];
    }
}

TEST_P(SetPathMtuTest, NothingIsLostWhileItChangesUnderLoss)
{
    total = 0;
    Open();
    total = 1'000'000;
    lossy = true;
    for (int i = 0; i < 400; ++i)
    {
        Simulator::Schedule(MicroSeconds(100) * i, [this, i] {
            constexpr std::array<uint32_t, 5> MTUS{1500, 576, 300, 1006, 100};
            Socket(0)->SetPathMtu(MTUS[i % MTUS.size()]);
        });
    }
    Continue(0);
    ExpectAllReceived();
}

INSTANTIATE_TEST_SUITE_P(All,
                         SetPathMtuTest,
                         ::testing::Values(MpaTransport::LAYERED, MpaTransport::AWARE_SENDER));

} // namespace
} // namespace ns3::nfsrdma
