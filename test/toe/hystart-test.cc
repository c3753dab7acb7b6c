/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/hystart.h"

#include <gtest/gtest.h>
#include <optional>
#include <tuple>

namespace ns3::nfsrdma
{
namespace
{

/// Rounds of ten segments of 1000 octets, each acknowledged by itself.
class HyStartTest : public ::testing::Test
{
  protected:
    static constexpr uint32_t SEGMENT = 1000;
    static constexpr uint32_t SEGMENTS = 10;

    HyStartTest()
    {
        settings.hystart = true;
        window.segment = SEGMENT;
        window.window = SEGMENTS * SEGMENT;
        hystart.emplace(settings);
    }

    /// An acknowledgment of \p octets after \p roundTrip. \return octets by which the window has
    /// grown
    uint64_t Acknowledge(Time roundTrip, uint64_t octets = SEGMENT, bool grows = true)
    {
        const uint64_t before = window.window;
        acknowledged += static_cast<Position>(octets);
        const bool endsRound = acknowledged == sent;
        sent += endsRound ? static_cast<Position>(SEGMENTS) * SEGMENT : 0;
        hystart->Measure(roundTrip);
        std::ignore = hystart->Acknowledge(window, octets, acknowledged, sent, grows);
        return window.window - before;
    }

    /// \return octets by which the window has grown in a round of such round trips.
    uint64_t Round(Time roundTrip)
    {
        uint64_t growth = 0;
        for (uint32_t i = 0; i < SEGMENTS; ++i)
        {
            growth += Acknowledge(roundTrip);
        }
        return growth;
    }

    TcpEngineSettings settings;
    CongestionWindow window;
    std::optional<HyStart> hystart;
    Position acknowledged{FIRST_OCTET};
    Position sent{FIRST_OCTET + static_cast<Position>(SEGMENTS) * SEGMENT};
};

TEST_F(HyStartTest, IsSlowStartWhileRoundTripsStay)
{
    for (int round = 0; round < 10; ++round)
    {
        EXPECT_EQ(Round(MilliSeconds(40 + round)), 10'000U) << round;
    }
    EXPECT_TRUE(hystart->IsActive());
    EXPECT_EQ(window.threshold, CongestionWindow::UNLIMITED);
}

TEST_F(HyStartTest, TheEighthOfLongerRoundTripsMakesItConservative)
{
    Round(MilliSeconds(40));
    for (int i = 0; i < 8; ++i)
    {
        EXPECT_EQ(Acknowledge(MilliSeconds(45)), i < 7 ? 1000U : 250U) << i;
    }
    EXPECT_EQ(Acknowledge(MilliSeconds(45)), 250U);
}

TEST_F(HyStartTest, BearsAnEighthBetweenItsBounds)
{
    for (const auto& [before, longer, conservative] :
         {std::tuple{MilliSeconds(80), MilliSeconds(89), false},
          std::tuple{MilliSeconds(80), MilliSeconds(90), true},
          std::tuple{MilliSeconds(8), MilliSeconds(11), false},
          std::tuple{MilliSeconds(8), MilliSeconds(12), true},
          std::tuple{MilliSeconds(800), MilliSeconds(815), false},
          std::tuple{MilliSeconds(800), MilliSeconds(816), true}})
    {
        hystart.emplace(settings);
        Round(before);
        Round(before);
        const uint64_t growth = Round(longer);
        EXPECT_EQ(growth < 10'000, conservative) << before << " then " << longer;
    }
}

TEST_F(HyStartTest, GoesOnWhenRoundTripsAreShortAgain)
{
    Round(MilliSeconds(40));
    Round(MilliSeconds(50));
    EXPECT_EQ(Round(MilliSeconds(50)), 2'500U);
    const uint64_t growth = Round(MilliSeconds(41));
    EXPECT_EQ(growth, 7 * 250 + 3 * 1000U);
    EXPECT_EQ(Round(MilliSeconds(41)), 10'000U);
}

TEST_F(HyStartTest, FiveConservativeRoundsEndIt)
{
    Round(MilliSeconds(40));
    Round(MilliSeconds(50));
    for (int round = 0; round < 4; ++round)
    {
        EXPECT_TRUE(hystart->IsActive()) << round;
        EXPECT_EQ(window.threshold, CongestionWindow::UNLIMITED);
        EXPECT_EQ(Round(MilliSeconds(50)), 2'500U);
    }
    EXPECT_FALSE(hystart->IsActive());
    EXPECT_EQ(window.threshold, window.window);
}

TEST_F(HyStartTest, OneAcknowledgmentGrowsByEightSegmentsAtMost)
{
    EXPECT_EQ(Acknowledge(MilliSeconds(40), 20 * SEGMENT), 8'000U);
}

TEST_F(HyStartTest, NothingGrowsWhileTheWindowIsNotTheLimit)
{
    EXPECT_EQ(Acknowledge(MilliSeconds(40), SEGMENT, false), 0U);
}

TEST_F(HyStartTest, IsOverAfterALossAndWhereItIsOff)
{
    hystart->End();
    EXPECT_FALSE(hystart->IsActive());
    settings.hystart = false;
    EXPECT_FALSE(HyStart(settings).IsActive());
}

} // namespace
} // namespace ns3::nfsrdma
