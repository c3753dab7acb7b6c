/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/middlebox-fixture.h"

#include "ns3/boolean.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <set>

namespace ns3::nfsrdma
{
namespace
{

using Mode = ResegmentingMiddlebox::Mode;

class ResegmentingMiddleboxTest : public MiddleboxTest
{
};

TEST_F(ResegmentingMiddleboxTest, ForwardsOctetForOctetAfterItsLatency)
{
    box->SetAttribute("Latency", TimeValue(MicroSeconds(3)));
    checksums = true; // Not computed by the box: what comes out is what went in.
    const auto segment = Data(0, 62);
    Send(segment);
    Send(Data(0, 62, RIGHT), RIGHT);
    Simulator::Run();
    ASSERT_EQ(frames[RIGHT].size(), 1U);
    ASSERT_EQ(frames[LEFT].size(), 1U);
    EXPECT_EQ(frames[RIGHT][0], segment.Encode(true));
    // Twice 140 octets at 0.8 ns and 50 ns of cable, and the latency between.
    EXPECT_EQ(times[RIGHT][0], NanoSeconds(112 + 50 + 3000 + 112 + 50));
    EXPECT_EQ(box->GetCounters().frames, 2U);
}

TEST_F(ResegmentingMiddleboxTest, SplitsToASize)
{
    SetMode(Mode::SPLIT);
    Transfer({1448, 536, 600});
    EXPECT_EQ(Sizes(), (std::vector<uint32_t>{536, 536, 376, 536, 536, 64}));
    EXPECT_EQ(CheckStream(), 2584U);
    EXPECT_EQ(box->GetCounters().segmentsIn, 3U);
    EXPECT_EQ(box->GetCounters().segmentsOut, 6U);
}

TEST_F(ResegmentingMiddleboxTest, SplitsAtRandom)
{
    SetMode(Mode::SPLIT);
    box->SetAttribute("SplitSize", UintegerValue(0));
    Transfer(std::vector<uint32_t>(50, 1448));
    EXPECT_EQ(CheckStream(), 72400U);
    EXPECT_GT(Sizes().size(), 100U);
}

TEST_F(ResegmentingMiddleboxTest, MergesWholeSegmentsUpToTheMtu)
{
    SetMode(Mode::MERGE);
    Transfer({700, 700, 100, 1000, 448, 5});
    EXPECT_EQ(Sizes(), (std::vector<uint32_t>{1400, 1100, 453}));
    EXPECT_EQ(CheckStream(), 2953U);
    EXPECT_EQ(box->GetCounters().holdExpired, 1U);
}

TEST_F(ResegmentingMiddleboxTest, MergesUpToMergeSize)
{
    SetMode(Mode::MERGE);
    box->SetAttribute("MergeSize", UintegerValue(300));
    Transfer({100, 100, 100, 100, 250, 400});
    EXPECT_EQ(Sizes(), (std::vector<uint32_t>{300, 100, 250, 400}));
    EXPECT_EQ(CheckStream(), 1050U);
}

TEST_F(ResegmentingMiddleboxTest, MergesIntoLargerFramesWhereThePortAllows)
{
    SetMode(Mode::MERGE);
    boxNode->GetDevice(1)->SetMtu(9000);
    Transfer(std::vector<uint32_t>(7, 1448));
    EXPECT_EQ(Sizes(), (std::vector<uint32_t>{8688, 1448}));
    EXPECT_EQ(CheckStream(), 10136U);
}

TEST_F(ResegmentingMiddleboxTest, HoldsForNoLongerThanHoldTime)
{
    SetMode(Mode::MERGE);
    Send(Data(0, 100));
    Simulator::Schedule(MicroSeconds(8), [this]() { Send(Data(100, 100)); });
    Simulator::Schedule(MicroSeconds(12), [this]() { Send(Data(200, 100)); });
    Simulator::Run();
    EXPECT_EQ(Sizes(), (std::vector<uint32_t>{200, 100}));
    EXPECT_EQ(box->GetCounters().holdExpired, 2U);
}

TEST_F(ResegmentingMiddleboxTest, OptionsGapsAndControlLetOutWhatIsHeld)
{
    SetMode(Mode::MERGE);
    Send(Data(0, 100));
    auto late = Data(100, 100);
    late.options[7] = 9;
    Send(late);
    Send(Data(300, 100)); // A gap.
    Send(Data(100, 100)); // A retransmission.
    Send(Data(200, 10));
    auto acknowledgment = Data(210, 0);
    Send(acknowledgment);
    Send(Data(210, 10));
    auto last = Data(220, 10);
    last.flags |= TcpSegment::FIN;
    Send(last);
    Simulator::Run();
    std::vector<std::pair<uint32_t, std::size_t>> seen;
    for (const auto& segment : arrived[RIGHT])
    {
        seen.emplace_back(segment.sequence - INITIAL - 1, segment.payload.size());
    }
    // Options differ between the first of each pair, so nothing but 200 joins.
    EXPECT_EQ(seen,
              (std::vector<std::pair<uint32_t, std::size_t>>{{0, 100},
                                                             {100, 100},
                                                             {300, 100},
                                                             {100, 110},
                                                             {210, 0},
                                                             {210, 10},
                                                             {220, 10}}));
    EXPECT_EQ(arrived[RIGHT].back().flags & TcpSegment::FIN, TcpSegment::FIN);
}

TEST_F(ResegmentingMiddleboxTest, RecutsAtPlacesOfItsOwn)
{
    SetMode(Mode::RECUT);
    Transfer(std::vector<uint32_t>(200, 1000));
    EXPECT_EQ(CheckStream(), 200'000U);
    const auto sizes = Sizes();
    EXPECT_GT(sizes.size(), 200U);
    std::set<uint32_t> starts;
    uint32_t offset = 0;
    for (const auto size : sizes)
    {
        EXPECT_LE(size, 1448U);
        starts.insert(offset % 1000);
        offset += size;
    }
    EXPECT_GT(starts.size(), 200U);
}

TEST_F(ResegmentingMiddleboxTest, RecutIsTheSameForTheSameStreams)
{
    SetMode(Mode::RECUT);
    Transfer(std::vector<uint32_t>(20, 1000));
    const auto first = Sizes();
    arrived[RIGHT].clear();
    box->AssignStreams(1);
    Transfer(std::vector<uint32_t>(20, 1000));
    EXPECT_EQ(Sizes(), first);
}

/// The five cases of appendix A.4, of FPDUs that were one a segment: what a segment now begins and
/// ends with.
TEST_F(ResegmentingMiddleboxTest, ProducesTheCasesOfAppendixA4)
{
    constexpr uint32_t FPDU = 300;
    box->SetAttribute("CutSize", StringValue("ns3::EmpiricalRandomVariable[Interpolate=false]"));
    PointerValue pointer;
    box->GetAttribute("CutSize", pointer);
    const auto sizes = pointer.Get<EmpiricalRandomVariable>();
    sizes->CDF(100, 0.2);
    sizes->CDF(300, 0.4);
    sizes->CDF(500, 0.6);
    sizes->CDF(600, 0.8);
    sizes->CDF(700, 1.0);
    box->AssignStreams(5);
    SetMode(Mode::RECUT);
    Transfer(std::vector<uint32_t>(300, FPDU));
    EXPECT_EQ(CheckStream(), 300 * FPDU);
    std::array<int, 5> cases{};
    uint32_t offset = 0;
    for (const auto size : Sizes())
    {
        const bool startsAligned = offset % FPDU == 0;
        const bool endsAligned = (offset + size) % FPDU == 0;
        const uint32_t firstWhole = (offset + FPDU - 1) / FPDU;
        const bool holdsWhole = (firstWhole + 1) * FPDU <= offset + size;
        cases[0] += startsAligned && size == FPDU ? 1 : 0;
        cases[1] += startsAligned && endsAligned && size > FPDU ? 1 : 0;
        cases[2] += startsAligned && !endsAligned ? 1 : 0;
        cases[3] += !startsAligned && endsAligned ? 1 : 0;
        cases[4] += !startsAligned && !endsAligned && holdsWhole ? 1 : 0;
        offset += size;
    }
    for (const auto count : cases)
    {
        EXPECT_GT(count, 0);
    }
}

TEST_F(ResegmentingMiddleboxTest, SparesTheFirstOctetsOfAStream)
{
    SetMode(Mode::SPLIT);
    box->SetAttribute("SpareFirstOctets", UintegerValue(30));
    box->SetAttribute("SplitSize", UintegerValue(10));
    Transfer({20, 15, 20});
    EXPECT_EQ(Sizes(), (std::vector<uint32_t>{20, 15, 10, 10}));
    arrived[RIGHT].clear();
    Send(Data(20, 15)); // A retransmission is spared too.
    Simulator::Run();
    EXPECT_EQ(Sizes(), (std::vector<uint32_t>{15}));
    arrived[RIGHT].clear();
    Send(Data(1U << 30, 15)); // Far on, the beginning cannot come again.
    Send(Data(0, 15));
    Simulator::Run();
    EXPECT_EQ(Sizes(), (std::vector<uint32_t>{10, 5, 10, 5}));
}

TEST_F(ResegmentingMiddleboxTest, OtherFramesPassUnchanged)
{
    SetMode(Mode::RECUT);
    ByteVector arp(60, 0x55);
    arp[12] = 8;
    arp[13] = 6;
    hosts[LEFT]->SendFrame(Create<Packet>(arp.data(), arp.size()));
    auto urgent = Data(0, 100);
    urgent.flags |= TcpSegment::URG;
    urgent.urgentPointer = 4;
    Send(urgent);
    Simulator::Run();
    ASSERT_EQ(frames[RIGHT].size(), 2U);
    EXPECT_EQ(frames[RIGHT][0], arp);
    EXPECT_EQ(frames[RIGHT][1], urgent.Encode(false));
}

TEST_F(ResegmentingMiddleboxTest, ConnectionsAreKeptApart)
{
    SetMode(Mode::MERGE);
    Send(Data(0, 100));
    auto other = Data(100, 100);
    other.sourcePort = 50000;
    Send(other);
    Send(Data(100, 100));
    Simulator::Run();
    EXPECT_EQ(Sizes(), (std::vector<uint32_t>{200, 100}));
}

TEST_F(ResegmentingMiddleboxTest, NarrowPathTellsTheSender)
{
    box->SetAttribute("Mtu", UintegerValue(576));
    auto large = Data(0, 600);
    large.fragmentFlags = TcpSegment::DONT_FRAGMENT;
    Send(large);
    auto fits = Data(0, 524);
    fits.fragmentFlags = TcpSegment::DONT_FRAGMENT;
    Send(fits);
    Simulator::Run();
    EXPECT_EQ(Sizes(), (std::vector<uint32_t>{524}));
    ASSERT_EQ(frames[LEFT].size(), 1U);
    EXPECT_EQ(frames[LEFT][0].at(34), 3); // ICMP type and code.
    EXPECT_EQ(frames[LEFT][0].at(35), 4);
    EXPECT_EQ(box->GetCounters().tooLarge, 1U);
    EXPECT_EQ(box->GetCounters().refused, 1U);
}

TEST_F(ResegmentingMiddleboxTest, BlackHoleSaysNothing)
{
    box->SetAttribute("Mtu", UintegerValue(576));
    box->SetAttribute("BlackHole", BooleanValue(true));
    auto large = Data(0, 600);
    large.fragmentFlags = TcpSegment::DONT_FRAGMENT;
    Send(large);
    Simulator::Run();
    EXPECT_TRUE(frames[LEFT].empty());
    EXPECT_TRUE(frames[RIGHT].empty());
    EXPECT_EQ(box->GetCounters().tooLarge, 1U);
    EXPECT_EQ(box->GetCounters().refused, 0U);
}

TEST_F(ResegmentingMiddleboxTest, FragmentsWithoutDontFragment)
{
    box->SetAttribute("Mtu", UintegerValue(576));
    Send(Data(0, 1448));
    Simulator::Run();
    EXPECT_EQ(frames[RIGHT].size(), 3U);
    EXPECT_EQ(box->GetCounters().fragmented, 1U);
}

TEST_F(ResegmentingMiddleboxTest, MtuMayChangeWhileRunning)
{
    SetMode(Mode::MERGE);
    Send(Data(0, 500));
    Send(Data(500, 500));
    Simulator::Run();
    box->SetAttribute("Mtu", UintegerValue(800));
    Send(Data(1000, 500));
    Send(Data(1500, 500));
    Simulator::Run();
    box->SetAttribute("Mtu", UintegerValue(0));
    Send(Data(2000, 500));
    Send(Data(2500, 500));
    Simulator::Run();
    EXPECT_EQ(Sizes(), (std::vector<uint32_t>{1000, 500, 500, 1000}));
}

TEST_F(ResegmentingMiddleboxTest, DisposedWhileItHoldsSendsNothing)
{
    SetMode(Mode::MERGE);
    Send(Data(0, 100));
    Simulator::Schedule(MicroSeconds(5), [this]() { box->Dispose(); });
    Simulator::Run();
    EXPECT_TRUE(frames[RIGHT].empty());
}

} // namespace
} // namespace ns3::nfsrdma
