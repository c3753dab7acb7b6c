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

/// On for 1 ms at 20000 a second, and off for as long.
ArrivalProcess::Settings
MakeOnOff()
{
    auto settings = MakeSettings(ArrivalProcess::ON_OFF);
    settings.busyTime = MilliSeconds(1);
    settings.calmTime = MilliSeconds(1);
    return settings;
}

/// 1 ms at 5000 a second, and as long at 15000.
ArrivalProcess::Settings
MakeModulated()
{
    auto settings = MakeOnOff();
    settings.kind = ArrivalProcess::MMPP;
    settings.rate = 5000;
    settings.peakRate = 15000;
    return settings;
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
        ArrivalCase{"Bursts", MakeSettings(ArrivalProcess::BURSTS), std::sqrt(15.0), 8},
        // An interrupted Poisson process, with switches at 1000 a second: gaps of squared deviation
        // 1 + 2 * 20000 * 1000 / 2000^2; counts of 10 ms have 95% of the dispersion of long ones.
        ArrivalCase{"OnOff", MakeOnOff(), std::sqrt(11.0), 1 + (0.95 * 10)},
        // Heffes and Lucantoni 1986: (5000 - 15000)^2 * 1000 * 1000 / 2000^2 = 2.5e7, twice of
        // which over 5000 * 15000 + 1000 * 20000 for gaps, and over 1000 * 20000 for counts.
        ArrivalCase{"Modulated", MakeModulated(), std::sqrt(1 + 5e7 / 9.5e7), 1 + (0.95 * 2.5)}),
    [](const auto& test) { return test.param.name; });

TEST(ArrivalProcessTest, OpenLoopNeedsARate)
{
    ArrivalProcess::Settings settings;
    EXPECT_TRUE(ArrivalProcess::Check(settings));
    settings.kind = ArrivalProcess::POISSON;
    EXPECT_FALSE(ArrivalProcess::Check(settings));
}

TEST(ArrivalProcessTest, ARampHasTheRateOfEachTime)
{
    ArrivalProcess::Settings settings;
    settings.kind = ArrivalProcess::RAMP;
    settings.rate = 1000;
    EXPECT_FALSE(ArrivalProcess::Check(settings));
    settings.peakRate = 9000;
    settings.rampOver = Seconds(10);
    ASSERT_TRUE(ArrivalProcess::Check(settings));
    ArrivalProcess process(settings);
    process.AssignStreams(3);
    std::vector<uint64_t> counts(4);
    for (Time now; now < Seconds(20); now += process.GetNextGap())
    {
        ++counts[static_cast<std::size_t>(now.GetSeconds() / 5)];
    }
    // Integrals of 1000 + 800 t, then of 9000; a count deviates by its root.
    EXPECT_NEAR(counts[0], 15000, 4 * std::sqrt(15000));
    EXPECT_NEAR(counts[1], 35000, 4 * std::sqrt(35000));
    EXPECT_NEAR(counts[2], 45000, 4 * std::sqrt(45000));
    EXPECT_NEAR(counts[3], 45000, 4 * std::sqrt(45000));
}

TEST(ArrivalProcessTest, ATraceHasItsTimesAndAnEnd)
{
    ArrivalProcess::Settings settings;
    settings.kind = ArrivalProcess::TRACE;
    settings.times = std::make_shared<const std::vector<Time>>(
        std::vector<Time>{MicroSeconds(5), MicroSeconds(5), MicroSeconds(12)});
    ArrivalProcess process(settings);
    EXPECT_EQ(process.GetNextGap(), MicroSeconds(5));
    EXPECT_EQ(process.GetNextGap(), Time(0));
    ASSERT_TRUE(process.HasNext());
    EXPECT_EQ(process.GetNextGap(), MicroSeconds(7));
    EXPECT_FALSE(process.HasNext());
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
