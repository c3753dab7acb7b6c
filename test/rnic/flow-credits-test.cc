/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/flow-credits.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

struct Transfer
{
    Time start;
    Time end;
    uint64_t units;
};

/// \return the most that is outstanding when a transfer begins, of those given up to then.
uint64_t
FindPeak(const std::vector<Transfer>& transfers)
{
    uint64_t peak = 0;
    for (std::size_t last = 0; last < transfers.size(); ++last)
    {
        uint64_t outstanding = 0;
        for (std::size_t i = 0; i <= last; ++i)
        {
            outstanding += transfers[i].end > transfers[last].start ? transfers[i].units : 0;
        }
        peak = std::max(peak, outstanding);
    }
    return peak;
}

TEST(FlowCreditsTest, ThePeakIsThatOfTheTransfersOfATime)
{
    std::mt19937 generator(6);
    const auto below = [&generator](uint32_t bound) { return generator() % bound; };
    for (int round = 0; round < 300; ++round)
    {
        FlowCredits credits;
        std::vector<Transfer> transfers;
        Time base;
        for (int i = 0; i < 40; ++i)
        {
            base += NanoSeconds(below(8));
            const Time start = base + NanoSeconds(below(3) == 0 ? below(30) : 0);
            const Time end = start + NanoSeconds(1 + below(60));
            transfers.push_back({start, end, 1 + below(5)});
            credits.Add(transfers.back().units, start, end);
            ASSERT_EQ(credits.GetPeak(), FindPeak(transfers)) << "round " << round;
            if (below(4) == 0)
            {
                credits.GetReturned(base);
            }
        }
        EXPECT_EQ(credits.GetReturned(Time::Max()), credits.GetGiven());
        EXPECT_EQ(credits.GetOutstanding(), 0U);
    }
}

TEST(FlowCreditsTest, WhatIsAskedForBeforeTheLatestStartCountsWhatHadNotEndedThen)
{
    FlowCredits credits;
    credits.Add(4, NanoSeconds(0), NanoSeconds(10));
    credits.Add(1, NanoSeconds(20), NanoSeconds(30));
    EXPECT_EQ(credits.GetPeak(), 4U);
    credits.Add(2, NanoSeconds(5), NanoSeconds(6));
    EXPECT_EQ(credits.GetPeak(), 7U) << "4, 2, and 1 that is given already";
}

} // namespace
} // namespace ns3::nfsrdma
