/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/statistics.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace ns3::nfsrdma
{

namespace
{

TEST(LatencyStatisticsTest, OfRoundTripsTheHalf)
{
    std::vector<Time> intervals;
    for (int i = 100; i >= 1; i--)
    {
        intervals.push_back(MicroSeconds(2 * i));
    }
    const auto statistics = LatencyStatistics::Of(intervals, 0.5);
    EXPECT_DOUBLE_EQ(statistics.minimum, 1);
    EXPECT_DOUBLE_EQ(statistics.maximum, 100);
    EXPECT_DOUBLE_EQ(statistics.typical, 50.5);
    EXPECT_DOUBLE_EQ(statistics.average, 50.5);
    EXPECT_DOUBLE_EQ(statistics.deviation, std::sqrt((100.0 * 100 - 1) / 12));
    EXPECT_DOUBLE_EQ(statistics.percentile99, 99);
    EXPECT_DOUBLE_EQ(statistics.percentile999, 100);
}

TEST(LatencyStatisticsTest, OfOneIntervalAllAreTheSame)
{
    const auto statistics = LatencyStatistics::Of({NanoSeconds(1500)}, 1);
    for (const double value : {statistics.minimum,
                               statistics.maximum,
                               statistics.typical,
                               statistics.average,
                               statistics.percentile99,
                               statistics.percentile999})
    {
        EXPECT_DOUBLE_EQ(value, 1.5);
    }
    EXPECT_DOUBLE_EQ(statistics.deviation, 0);
}

TEST(BandwidthStatisticsTest, CountsFromTheEndOfTheWarmUp)
{
    StreamTimes times;
    times.warmUp = 2;
    for (int i = 0; i < 6; i++)
    {
        times.posts.push_back(NanoSeconds(i));
    }
    for (const int time : {10, 20, 120, 220, 320, 420})
    {
        times.completions.push_back({1, NanoSeconds(time)});
    }
    const auto statistics = BandwidthStatistics::Of(times, 1000);
    EXPECT_DOUBLE_EQ(statistics.messageRate, 1e7);
    EXPECT_DOUBLE_EQ(statistics.average, 8e10);
}

TEST(BandwidthStatisticsTest, WithOneCompletionCountsFromTheFirstPost)
{
    StreamTimes times;
    times.posts = {NanoSeconds(100), NanoSeconds(150)};
    times.completions = {{2, NanoSeconds(300)}};
    EXPECT_DOUBLE_EQ(BandwidthStatistics::Of(times, 1).messageRate, 1e7);
}

TEST(BandwidthStatisticsTest, TwoDirectionsAddUp)
{
    BandwidthStatistics one{3, 2, 1};
    one += BandwidthStatistics{30, 20, 10};
    EXPECT_DOUBLE_EQ(one.peak, 33);
    EXPECT_DOUBLE_EQ(one.average, 22);
    EXPECT_DOUBLE_EQ(one.messageRate, 11);
}

/// All stretches, one by one.
double
SearchPeak(const StreamTimes& times, uint64_t size)
{
    double best = 0;
    uint64_t completed = 0;
    for (const auto& completion : times.completions)
    {
        completed += completion.count;
        for (uint64_t post = times.warmUp; post < completed; post++)
        {
            const double time = (completion.time - times.posts[post]).GetNanoSeconds();
            best = std::max(best, 8e9 * size * (completed - post) / time);
        }
    }
    return best;
}

TEST(BandwidthStatisticsTest, PeakIsTheBestOfAllStretches)
{
    std::mt19937_64 random(7);
    for (int round = 0; round < 50; round++)
    {
        StreamTimes times;
        times.warmUp = random() % 5;
        int64_t post = 0;
        int64_t complete = 1000;
        for (uint64_t i = 0; i < 60; i += 3)
        {
            for (int j = 0; j < 3; j++)
            {
                times.posts.push_back(NanoSeconds(post += static_cast<int64_t>(random() % 100)));
            }
            complete = std::max(complete, post) + 1 + static_cast<int64_t>(random() % 500);
            times.completions.push_back({3, NanoSeconds(complete)});
        }
        const auto statistics = BandwidthStatistics::Of(times, 64);
        const double searched = SearchPeak(times, 64);
        EXPECT_NEAR(statistics.peak, std::max(searched, statistics.average), searched * 1e-9);
    }
}

} // namespace

} // namespace ns3::nfsrdma
