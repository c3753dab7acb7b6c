/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/red-average.h"

#include <gtest/gtest.h>
#include <random>

namespace ns3::nfsrdma
{

namespace
{

const RedAverage::Settings SETTINGS{10000, 30000, 0.1, 0.5};

TEST(RedAverageTest, AverageFollowsTheQueue)
{
    RedAverage red;
    EXPECT_FALSE(red.Take(SETTINGS, 8000, 0));
    EXPECT_DOUBLE_EQ(red.GetAverage(), 4000);
    EXPECT_FALSE(red.Take(SETTINGS, 8000, 0));
    EXPECT_DOUBLE_EQ(red.GetAverage(), 6000);
    red.Idle(SETTINGS, 2);
    EXPECT_DOUBLE_EQ(red.GetAverage(), 1500);
}

TEST(RedAverageTest, MarksNothingBelowTheMinimumAndAllFromTheMaximum)
{
    RedAverage red;
    for (int i = 0; i < 100; ++i)
    {
        EXPECT_FALSE(red.Take(SETTINGS, 9999, 0));
    }
    for (int i = 0; i < 100; ++i)
    {
        (void)red.Take(SETTINGS, 60000, 0.999999);
    }
    EXPECT_TRUE(red.Take(SETTINGS, 60000, 0.999999));
}

TEST(RedAverageTest, MarksByTheAverageAndEvenlySpread)
{
    // Halfway: p_b = 0.05, so the gaps between marks are even from 1 to 20 frames: 10.5 on average.
    RedAverage red;
    for (int i = 0; i < 60; ++i)
    {
        (void)red.Take(SETTINGS, 20000, 1);
    }
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> draw(0, 1);
    int marks = 0;
    int gap = 0;
    int longest = 0;
    constexpr int FRAMES = 100000;
    for (int i = 0; i < FRAMES; ++i)
    {
        ++gap;
        if (red.Take(SETTINGS, 20000, draw(random)))
        {
            ++marks;
            longest = std::max(longest, gap);
            gap = 0;
        }
    }
    EXPECT_LE(longest, 21);
    EXPECT_NEAR(static_cast<double>(FRAMES) / marks, 10.5, 0.5);
}

} // namespace

} // namespace ns3::nfsrdma
