/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/octet-set.h"
#include "workload/client-read-ahead.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace ns3::nfsrdma::test
{

TEST(ClientReadAheadTest, SizesAreThoseOfLinux)
{
    EXPECT_EQ(ClientReadAhead::GetInitialSize(1, 32), 4U);
    EXPECT_EQ(ClientReadAhead::GetInitialSize(3, 32), 8U);
    EXPECT_EQ(ClientReadAhead::GetInitialSize(8, 32), 16U);
    EXPECT_EQ(ClientReadAhead::GetInitialSize(9, 32), 32U);
    EXPECT_EQ(ClientReadAhead::GetNextSize(1, 32), 4U);
    EXPECT_EQ(ClientReadAhead::GetNextSize(4, 32), 8U);
    EXPECT_EQ(ClientReadAhead::GetNextSize(16, 32), 32U);
    EXPECT_EQ(ClientReadAhead::GetNextSize(32, 32), 32U);
}

TEST(ClientReadAheadTest, SequentialReadsDoubleTheWindow)
{
    ClientReadAhead readAhead(32);
    auto window = readAhead.Miss(0, 1);
    EXPECT_EQ(window.first, 0U);
    EXPECT_EQ(window.count, 4U);
    EXPECT_EQ(window.mark, 1U);
    const std::vector<uint32_t> counts{8, 16, 32, 32};
    uint64_t end = 4;
    for (const uint32_t count : counts)
    {
        window = readAhead.UseMark(*window.mark, 1, end);
        EXPECT_EQ(window.first, end);
        EXPECT_EQ(window.count, count);
        EXPECT_EQ(window.mark, end);
        end += count;
    }
}

TEST(ClientReadAheadTest, RandomReadsAreReadAsTheyAre)
{
    ClientReadAhead readAhead(32);
    readAhead.Used(7);
    const auto window = readAhead.Miss(100, 2);
    EXPECT_EQ(window.first, 100U);
    EXPECT_EQ(window.count, 2U);
    EXPECT_FALSE(window.mark);
}

TEST(ClientReadAheadTest, WithoutRoomNothingIsReadAhead)
{
    ClientReadAhead readAhead(0);
    const auto window = readAhead.Miss(0, 3);
    EXPECT_EQ(window.count, 3U);
    EXPECT_FALSE(window.mark);
}

TEST(ClientOctetSetTest, AgreesWithAListOfOctets)
{
    constexpr uint64_t OCTETS = 200;
    std::mt19937_64 random(17);
    OctetSet set;
    std::vector<bool> expected(OCTETS);
    for (int step = 0; step < 3000; ++step)
    {
        const uint64_t begin = random() % OCTETS;
        const OctetRange range{begin, std::min(OCTETS, begin + (random() % 30))};
        const bool add = random() % 2 == 0;
        add ? set.Add(range) : set.Remove(range);
        for (uint64_t i = range.begin; i < range.end; ++i)
        {
            expected[i] = add;
        }
        const auto size = static_cast<uint64_t>(std::count(expected.begin(), expected.end(), true));
        ASSERT_EQ(set.GetSize(), size);
        const uint64_t at = random() % OCTETS;
        uint64_t gapBegin = at;
        while (gapBegin < OCTETS && expected[gapBegin])
        {
            ++gapBegin;
        }
        uint64_t gapEnd = gapBegin;
        while (gapEnd < OCTETS && !expected[gapEnd])
        {
            ++gapEnd;
        }
        const auto gap = set.FindGap({at, OCTETS});
        ASSERT_EQ(gap.begin, gapBegin);
        ASSERT_EQ(gap.end, gapEnd);
        uint64_t common = 0;
        for (const auto& part : set.Intersect({at, OCTETS}))
        {
            for (uint64_t i = part.begin; i < part.end; ++i)
            {
                ASSERT_TRUE(expected[i]);
                ++common;
            }
        }
        ASSERT_EQ(
            common,
            static_cast<uint64_t>(std::count(expected.begin() + static_cast<std::ptrdiff_t>(at),
                                             expected.end(),
                                             true)));
    }
}

} // namespace ns3::nfsrdma::test
