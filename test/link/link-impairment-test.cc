/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/middlebox-fixture.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{
namespace
{

using Mode = ResegmentingMiddlebox::Mode;

class LinkImpairmentTest : public MiddleboxTest
{
};

TEST_F(LinkImpairmentTest, FateOfTheNthSegment)
{
    auto impairment = Impair();
    impairment->SetFateCallback([](uint64_t number, const TcpSegment& /* segment */) {
        LinkImpairment::Fate fate;
        fate.drop = number == 0;
        fate.duplicate = number == 1;
        if (number == 2)
        {
            fate.delay = MicroSeconds(50);
        }
        if (number == 4)
        {
            fate.flipBit = 8 * 7 + 6;
        }
        return fate;
    });
    Transfer({10, 11, 12, 13, 14});
    EXPECT_EQ(Sizes(), (std::vector<uint32_t>{11, 11, 13, 14, 12}));
    auto expected = Data(46, 14);
    expected.payload[7] ^= 2;
    EXPECT_EQ(arrived[RIGHT].at(arrived[RIGHT].size() - 2).payload, expected.payload);
    const auto& counters = impairment->GetCounters();
    EXPECT_EQ(counters.segments, 5U);
    EXPECT_EQ(counters.dropped, 1U);
    EXPECT_EQ(counters.duplicated, 1U);
    EXPECT_EQ(counters.delayed, 1U);
    EXPECT_EQ(counters.corrupted, 1U);
}

TEST_F(LinkImpairmentTest, ImpairmentComesAfterRecutting)
{
    SetMode(Mode::SPLIT);
    box->SetAttribute("SplitSize", UintegerValue(100));
    auto impairment = Impair();
    impairment->SetFateCallback([](uint64_t number, const TcpSegment& /* segment */) {
        LinkImpairment::Fate fate;
        fate.drop = number == 1;
        return fate;
    });
    Transfer({250});
    EXPECT_EQ(Sizes(), (std::vector<uint32_t>{100, 50}));
}

TEST_F(LinkImpairmentTest, ProbabilitiesAreMet)
{
    auto impairment = Impair();
    impairment->SetAttribute("DropProbability", DoubleValue(0.1));
    impairment->SetAttribute("DuplicateProbability", DoubleValue(0.2));
    impairment->SetAttribute("ReorderProbability", DoubleValue(0.3));
    impairment->SetAttribute("CorruptProbability", DoubleValue(0.4));
    Transfer(std::vector<uint32_t>(10'000, 20));
    const auto& counters = impairment->GetCounters();
    EXPECT_EQ(counters.segments, 10'000U); // Not the SYN.
    EXPECT_NEAR(static_cast<double>(counters.dropped), 1000, 100);
    EXPECT_NEAR(static_cast<double>(counters.duplicated), 1800, 150);
    EXPECT_NEAR(static_cast<double>(counters.delayed), 2700, 150);
    EXPECT_NEAR(static_cast<double>(counters.corrupted), 3600, 150);
    EXPECT_EQ(Sizes().size(), 10'000 - counters.dropped + counters.duplicated);
}

TEST_F(LinkImpairmentTest, ControlSegmentsAreImpairedWhenAsked)
{
    auto impairment = Impair();
    impairment->SetAttribute("DropProbability", DoubleValue(1));
    Send(Syn());
    Simulator::Run();
    EXPECT_EQ(arrived[RIGHT].size(), 1U);
    impairment->SetAttribute("DataOnly", BooleanValue(false));
    Send(Syn());
    Simulator::Run();
    EXPECT_EQ(arrived[RIGHT].size(), 1U);
    EXPECT_EQ(impairment->GetCounters().dropped, 1U);
}

} // namespace
} // namespace ns3::nfsrdma
