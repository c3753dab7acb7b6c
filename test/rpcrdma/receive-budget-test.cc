/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/receive-budget.h"

#include <gtest/gtest.h>
#include <limits>

namespace ns3::nfsrdma::test
{
namespace
{

constexpr uint64_t ANY = std::numeric_limits<uint64_t>::max();

TEST(ReceiveBudget, WithoutBoundsThereIsAlwaysRoom)
{
    SvcRdmaReceiveBudget budget(0, 0);
    EXPECT_FALSE(budget.IsBounded());
    EXPECT_TRUE(budget.Take(4096));
    EXPECT_EQ(budget.GetRoom(4096, 100, 4096), ANY);
    EXPECT_EQ(budget.GetCapacity(4096), ANY);
    EXPECT_EQ(budget.GetOctets(), 4096U);
}

TEST(ReceiveBudget, NeitherBoundIsPassed)
{
    SvcRdmaReceiveBudget budget(3, 10000);
    EXPECT_TRUE(budget.IsBounded());
    EXPECT_EQ(budget.GetCapacity(4096), 2U);
    EXPECT_EQ(budget.GetCapacity(1024), 3U);
    EXPECT_TRUE(budget.Take(4096));
    EXPECT_TRUE(budget.Take(4096));
    EXPECT_FALSE(budget.Take(4096)) << "octets";
    EXPECT_TRUE(budget.Take(1024));
    EXPECT_FALSE(budget.Take(1)) << "receives";
    EXPECT_EQ(budget.GetOctets(), 9216U);
}

TEST(ReceiveBudget, WhatIsKeptForOthersIsNoRoom)
{
    SvcRdmaReceiveBudget budget(0, 16384);
    EXPECT_EQ(budget.GetRoom(4096), 4U);
    EXPECT_EQ(budget.GetRoom(4096, 1, 4096), 3U);
    EXPECT_EQ(budget.GetRoom(4096, 1, 4097), 2U);
    EXPECT_EQ(budget.GetRoom(4096, 5, 4096), 0U);
}

TEST(ReceiveBudget, PeakStaysWhenBuffersAreGivenBack)
{
    SvcRdmaReceiveBudget budget(1, 0);
    int given = 0;
    budget.SetGiven([&given] { ++given; });
    EXPECT_TRUE(budget.Take(8192));
    budget.Give(8192);
    EXPECT_EQ(given, 1);
    EXPECT_EQ(budget.GetOctets(), 0U);
    EXPECT_EQ(budget.GetPeakOctets(), 8192U);
    EXPECT_TRUE(budget.Take(1024));
    EXPECT_EQ(budget.GetPeakOctets(), 8192U);
}

} // namespace
} // namespace ns3::nfsrdma::test
