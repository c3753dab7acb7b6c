/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ipsec/replay-window.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>

namespace ns3::nfsrdma
{
namespace
{

bool
Take(ReplayWindow& window, uint64_t sequence)
{
    const auto whole = window.Check(static_cast<uint32_t>(sequence));
    if (!whole)
    {
        return false;
    }
    EXPECT_EQ(*whole, sequence);
    window.Accept(*whole);
    return true;
}

TEST(ReplayWindowTest, TakesEachNumberOnce)
{
    ReplayWindow window(64, false);
    EXPECT_FALSE(window.Check(0).has_value()) << "no sender uses 0";
    EXPECT_TRUE(Take(window, 1));
    EXPECT_FALSE(Take(window, 1));
    EXPECT_TRUE(Take(window, 5));
    EXPECT_TRUE(Take(window, 3));
    EXPECT_FALSE(Take(window, 3));
    EXPECT_FALSE(Take(window, 5));
    EXPECT_TRUE(Take(window, 4));
}

TEST(ReplayWindowTest, RefusesWhatIsLeftOfIt)
{
    ReplayWindow window(64, false);
    EXPECT_TRUE(Take(window, 100));
    EXPECT_TRUE(Take(window, 37)) << "the left edge";
    EXPECT_FALSE(Take(window, 36));
    EXPECT_TRUE(Take(window, 101));
    EXPECT_FALSE(Take(window, 37));
    EXPECT_TRUE(Take(window, 4294967295U));
    EXPECT_FALSE(Take(window, 1));
    EXPECT_TRUE(Take(window, 4294967294U));
}

TEST(ReplayWindowTest, MovesOnlyForWhatIsAuthentic)
{
    ReplayWindow window(64, false);
    EXPECT_TRUE(Take(window, 1));
    EXPECT_TRUE(window.Check(1000).has_value());
    EXPECT_TRUE(Take(window, 2)) << "1000 was forged";
}

TEST(ReplayWindowTest, WithoutSizeTakesAll)
{
    ReplayWindow window(0, false);
    EXPECT_TRUE(Take(window, 7));
    EXPECT_TRUE(Take(window, 7));
    EXPECT_TRUE(Take(window, 1));
}

/// Numbers in any order within some distance, some twice: as a set of all that were taken says.
TEST(ReplayWindowTest, AgreesWithASetOfAllNumbers)
{
    for (const bool extended : {false, true})
    {
        for (const uint32_t size : {1U, 2U, 31U, 64U, 1000U})
        {
            const uint64_t begin = extended ? (uint64_t{1} << 32) - 700 : 1;
            ReplayWindow window(size, extended);
            window.Accept(begin);
            std::set<uint64_t> taken{begin};
            uint64_t highest = begin;
            std::mt19937 random(size);
            for (int i = 0; i < 5000; ++i)
            {
                const auto jump = 40 - static_cast<int64_t>(random() % 120);
                const auto sequence = static_cast<uint64_t>(
                    std::max(static_cast<int64_t>(begin), static_cast<int64_t>(highest) + jump));
                const bool isOld = highest >= size && sequence <= highest - size;
                const bool isNew = !isOld && taken.count(sequence) == 0;
                if (isOld && extended)
                {
                    continue; // Its low half may be that of a number ahead.
                }
                ASSERT_EQ(Take(window, sequence), isNew) << sequence << " of " << highest;
                taken.insert(sequence);
                highest = std::max(highest, sequence);
            }
            EXPECT_EQ(window.GetHighest(), highest);
        }
    }
}

TEST(ReplayWindowTest, FindsTheHalfThatIsNotOnTheWire)
{
    constexpr uint64_t TURN = uint64_t{1} << 32;
    ReplayWindow window(64, true);
    window.Accept(TURN - 2);
    EXPECT_EQ(window.Check(3), TURN + 3);
    EXPECT_EQ(window.Check(0), TURN) << "0 is a low half as any";
    window.Accept(TURN + 3);
    EXPECT_EQ(window.Check(0xffffffff), TURN - 1);
    EXPECT_FALSE(window.Check(0xfffffffe).has_value());
    EXPECT_EQ(window.Check(1000), TURN + 1000);
    window.Accept(TURN + 1000);
    EXPECT_EQ(window.Check(10), 2 * TURN + 10) << "behind the window is ahead of it";
}

} // namespace
} // namespace ns3::nfsrdma
