/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/arrival-process.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace ns3::nfsrdma::test
{

namespace
{

constexpr uint32_t ARRIVALS = 200'000;

/// A kind of arrivals and the statistics that theory gives for it at 10,000 per second.
struct ArrivalCase
{
    const char* name;
    ArrivalProcess::Settings settings;
    double deviation;  ///< Of the times between arrivals, as part of their mean.
    double dispersion; ///< Variance of the counts in long equal spans, as part of their mean.
};

class ArrivalTest : public ::testing::TestWithParam<ArrivalCase>
{
  protected:
    std::vector<double> DrawGaps() const
    {
        ArrivalProcess process(GetParam().settings);
        EXPECT_EQ(process.AssignStreams(7), 1);
        std::vector<double> gaps(ARRIVALS);
        for (auto& gap : gaps)
        {
            gap = process.GetNextGap().GetSeconds();
        }
        return gaps;
    }

    static double GetMean(const std::vector<double>& values)
    {
        double sum = 0;
        for (const double value : values)
        {
            sum += value;
        }
        return sum / static_cast<double>(values.size());
    }

    static double GetVariance(const std::vector<double>& values)
    {
        const double mean = GetMean(values);
        double sum = 0;
        for (const double value : values)
        {
            sum += (value - mean) * (value - mean);
        }
        return sum / static_cast<double>(values.size());
    }
};

/// Bursts of 8 that begin at exponential distances of 800 us.
ArrivalProcess::Settings
MakeSettings(ArrivalProcess::Kind kind)
{
    return {kind, 10000, 8, {}};
}

TEST_P(ArrivalTest, MeanIsThatOfTheRate)
{
    EXPECT_NEAR(GetMean(DrawGaps()), 1e-4, 1e-6);
}

TEST_P(ArrivalTest, DeviationIsThatOfTheory)
{
    const auto gaps = DrawGaps();
    EXPECT_NEAR(std::sqrt(GetVariance(gaps)) / GetMean(gaps),
                GetParam().deviation,
                0.02 * GetParam().deviation + 1e-6);
}

TEST_P(ArrivalTest, CountsVaryAsTheorySays)
{
    constexpr double SPAN = 0.01;
    std::vector<double> counts(1);
    double now = 0;
    for (const double gap : DrawGaps())
    {
        now += gap;
        while (now >= SPAN * static_cast<double>(counts.size()))
        {
            counts.push_back(0);
        }
        counts.back() += 1;
    }
    counts.pop_back();
    EXPECT_NEAR(GetMean(counts), 100, 3);
    EXPECT_NEAR(GetVariance(counts) / GetMean(counts),
                GetParam().dispersion,
                0.1 * GetParam().dispersion + 0.01);
}

TEST_P(ArrivalTest, TheSameStreamGivesTheSameTimes)
{
    EXPECT_EQ(DrawGaps(), DrawGaps());
}

INSTANTIATE_TEST_SUITE_P(
    Kinds,
    ArrivalTest,
    ::testing::Values(
        ArrivalCase{"Constant", MakeSettings(ArrivalProcess::CONSTANT), 0, 0},
        ArrivalCase{"Poisson", MakeSettings(ArrivalProcess::POISSON), 1, 1},
        // Gaps: 7 of 0 and one exponential of mean 8: the mean of squares is 2 * 8.
        // Counts: those of Poisson bursts, times their size.
        ArrivalCase{"Bursts", MakeSettings(ArrivalProcess::BURSTS), std::sqrt(15.0), 8}),
    [](const auto& test) { return test.param.name; });

TEST(ArrivalProcessTest, OpenLoopNeedsARate)
{
    ArrivalProcess::Settings settings;
    EXPECT_TRUE(ArrivalProcess::Check(settings));
    settings.kind = ArrivalProcess::POISSON;
    EXPECT_FALSE(ArrivalProcess::Check(settings));
}

TEST(ArrivalProcessTest, ABurstEndsBeforeTheNext)
{
    ArrivalProcess::Settings settings{ArrivalProcess::BURSTS, 1000, 10, MicroSeconds(1000)};
    EXPECT_TRUE(ArrivalProcess::Check(settings));
    settings.burstSpacing = MicroSeconds(1200);
    EXPECT_FALSE(ArrivalProcess::Check(settings));
}

TEST(ArrivalProcessTest, RequestsOfABurstKeepTheirDistance)
{
    ArrivalProcess process({ArrivalProcess::BURSTS, 1000, 4, MicroSeconds(10)});
    process.AssignStreams(1);
    for (int burst = 0; burst < 10; ++burst)
    {
        EXPECT_NE(process.GetNextGap(), MicroSeconds(10));
        for (int i = 0; i < 3; ++i)
        {
            EXPECT_EQ(process.GetNextGap(), MicroSeconds(10));
        }
    }
}

} // namespace

} // namespace ns3::nfsrdma::test
