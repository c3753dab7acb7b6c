/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/mtu-search.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

class MtuSearchTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        settings.probeThreshold = 8;
        settings.probeInterval = Seconds(60);
    }

    /// Searches on a path that carries \p most. \return probes
    uint32_t Run(uint32_t most, Time now)
    {
        uint32_t probes = 0;
        for (uint32_t size = search.Next(now); size > 0; size = search.Next(now))
        {
            ++probes;
            search.Send(1000, 1000 + size);
            EXPECT_EQ(search.Next(now), 0U);
            if (size <= most)
            {
                found = search.Succeed();
            }
            else
            {
                search.Fail();
            }
        }
        return probes;
    }

    TcpEngineSettings settings;
    MtuSearch search{settings};
    uint32_t found{0};
};

TEST_F(MtuSearchTest, FindsWhatPassesToTheThreshold)
{
    EXPECT_EQ(search.Next(Time(0)), 0U);
    search.Begin(1024, 8948, Time(0));
    EXPECT_LE(Run(8948, Seconds(1)), 11U);
    EXPECT_GT(found, 8948 - 8U);
    for (uint32_t most = 1024; most < 8948; most += 97)
    {
        search.Begin(1024, 8948, Time(0));
        found = 1024;
        EXPECT_LE(Run(most, Seconds(1)), 11U);
        EXPECT_LE(found, most);
        EXPECT_GT(found + 9, most);
    }
}

TEST_F(MtuSearchTest, BeginsAnewAfterTheInterval)
{
    search.Begin(1024, 8948, Time(0));
    (void)Run(3000, Seconds(1));
    EXPECT_EQ(Run(3000, Seconds(59)), 0U);
    EXPECT_GT(Run(6000, Seconds(60)), 5U);
    EXPECT_GT(found, 6000 - 9U);
    EXPECT_EQ(Run(8948, Seconds(119)), 0U);
}

TEST_F(MtuSearchTest, ARouterBoundsIt)
{
    search.Begin(1024, 8948, Time(0));
    EXPECT_EQ(search.Limit(1448), 1024U);
    (void)Run(8948, Seconds(1));
    EXPECT_LE(found, 1448U);
    EXPECT_GT(found, 1440U);
    EXPECT_EQ(search.Limit(500), 500U);
    EXPECT_EQ(search.Next(Seconds(2)), 0U);
}

TEST_F(MtuSearchTest, WhatIsInconclusiveIsTriedAgain)
{
    search.Begin(500, 1000, Time(0));
    const uint32_t first = search.Next(Time(0));
    EXPECT_EQ(first, 750U);
    search.Send(1, 1 + first);
    search.Cancel();
    EXPECT_EQ(search.Next(Time(0)), first);
}

} // namespace
} // namespace ns3::nfsrdma
