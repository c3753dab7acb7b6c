/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/steady-state.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

/// Times that customers spend in an M/M/1 queue of service rate 1, one after the other (Lindley).
std::vector<double>
MakeQueue(double load, std::size_t customers, uint64_t seed, double firstWait = 0)
{
    std::mt19937_64 engine(seed);
    const auto draw = [&engine](double mean) {
        constexpr double SCALE = 0x1p-53;
        const double uniform = (static_cast<double>(engine() >> 11) + 0.5) * SCALE;
        return -mean * std::log(uniform);
    };
    std::vector<double> stays;
    double wait = firstWait;
    for (std::size_t i = 0; i < customers; ++i)
    {
        const double service = draw(1);
        stays.push_back(wait + service);
        wait = std::max(0.0, wait + service - draw(1 / load));
    }
    return stays;
}

TEST(SteadyState, TheTransientOfAQueueThatBeginsFullIsFound)
{
    // It drains at 0.5 customers in a unit of time: 400 of wait are gone after some 800.
    const auto truncated = FindTruncation(MakeQueue(0.5, 20000, 1, 400));
    ASSERT_TRUE(truncated);
    EXPECT_GT(*truncated, 300U);
    EXPECT_LT(*truncated, 2000U);
}

TEST(SteadyState, NothingIsLeftOutOfASeriesWithoutTransient)
{
    std::vector<double> series;
    for (int i = 0; i < 1000; ++i)
    {
        series.push_back(i % 2 == 0 ? 1 : 2);
    }
    EXPECT_EQ(FindTruncation(series), 0U);
    const auto estimate = EstimateMean(series, 0);
    ASSERT_TRUE(estimate);
    EXPECT_DOUBLE_EQ(estimate->mean, 1.5);
    EXPECT_DOUBLE_EQ(estimate->halfWidth, 0);
    EXPECT_FALSE(estimate->trend);
}

TEST(SteadyState, AnOverloadedQueueHasNone)
{
    for (const uint64_t seed : {1U, 2U, 3U, 4U, 5U})
    {
        const auto stays = MakeQueue(1.1, 5000, seed);
        const auto truncated = FindTruncation(stays);
        const auto estimate = EstimateMean(stays, truncated.value_or(0));
        ASSERT_TRUE(estimate);
        EXPECT_TRUE(!truncated || estimate->trend) << seed;
    }
}

TEST(SteadyState, AShortSeriesSaysNothing)
{
    EXPECT_FALSE(FindTruncation(std::vector<double>(99, 1)));
    EXPECT_TRUE(FindTruncation(std::vector<double>(100, 1)));
    EXPECT_FALSE(EstimateMean(std::vector<double>(39, 1), 0));
    EXPECT_TRUE(EstimateMean(std::vector<double>(40, 1), 0));
    EXPECT_FALSE(EstimateMean(std::vector<double>(100, 1), 70));
    EXPECT_FALSE(EstimateMean({}, 5));
}

/// Of batches of 2 the means of 0 to 19 are 0.5 to 38.5: mean 19.5, deviation 11.832, t 2.093.
TEST(SteadyState, TheIntervalIsStudents)
{
    std::vector<double> series;
    for (int i = 0; i < 40; ++i)
    {
        series.push_back(i);
    }
    const auto estimate = EstimateMean(series, 0);
    ASSERT_TRUE(estimate);
    EXPECT_DOUBLE_EQ(estimate->mean, 19.5);
    EXPECT_NEAR(estimate->halfWidth, 2.0930 * 11.8322 / std::sqrt(20), 1e-3);
    EXPECT_TRUE(estimate->trend);
    EXPECT_NEAR(estimate->GetRelativeHalfWidth(), estimate->halfWidth / 19.5, 1e-12);
}

/// The mean stay in an M/M/1 queue is 1 / (1 - load). Of 200 intervals of 95%, 90 to 99% hold it;
/// and a trend is seen where there is none in a few at most.
TEST(SteadyState, IntervalsHoldTheTrueMeanAsOftenAsTheySay)
{
    constexpr double LOAD = 0.5;
    constexpr uint32_t RUNS = 200;
    uint32_t held = 0;
    uint32_t trends = 0;
    uint32_t unsettled = 0;
    for (uint32_t run = 0; run < RUNS; ++run)
    {
        const auto stays = MakeQueue(LOAD, 12000, 1000 + run);
        const auto truncated = FindTruncation(stays);
        const auto estimate = EstimateMean(stays, truncated.value_or(0));
        ASSERT_TRUE(estimate) << run;
        unsettled += truncated ? 0 : 1;
        held += std::abs(estimate->mean - 1 / (1 - LOAD)) <= estimate->halfWidth ? 1 : 0;
        trends += estimate->trend ? 1 : 0;
    }
    EXPECT_GE(held, RUNS * 90 / 100);
    EXPECT_LE(held, RUNS * 99 / 100);
    EXPECT_LE(trends, RUNS * 4 / 100);
    EXPECT_LE(unsettled, RUNS * 2 / 100);
}

} // namespace
} // namespace ns3::nfsrdma
