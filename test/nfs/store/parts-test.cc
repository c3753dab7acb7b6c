/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/device-layout.h"
#include "nfs/store/disk-mechanics.h"
#include "nfs/store/extent-set.h"
#include "nfs/store/read-ahead.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace ns3::nfsrdma
{

bool
operator==(const PageRange& a, const PageRange& b)
{
    return a.first == b.first && a.count == b.count;
}

namespace test
{
namespace
{

/// Windows of 128 KiB in pages, for a program that reads 4 KiB after 4 KiB.
TEST(ReadAhead, SequentialReadsRampUp)
{
    ReadAhead ahead;
    std::vector<PageRange> read;
    uint64_t there = 0;
    for (uint64_t index = 0; index < 130; ++index)
    {
        if (index >= there)
        {
            read.push_back(ahead.OnMiss(index, 1, 32));
        }
        else if (ahead.IsMarker(index))
        {
            read.push_back(ahead.OnMarker(index, 1, 32));
        }
        else
        {
            ahead.SetPrevious(index);
            continue;
        }
        EXPECT_EQ(read.back().first, there);
        there = read.back().first + read.back().count;
        ahead.SetPrevious(index);
    }
    // 4 pages first (1 asked for), then 8, 16, 32, 32, ... each when its first page is used.
    ASSERT_GE(read.size(), 5U);
    EXPECT_EQ(read[0], (PageRange{0, 4}));
    EXPECT_EQ(read[1], (PageRange{4, 8}));
    EXPECT_EQ(read[2], (PageRange{12, 16}));
    EXPECT_EQ(read[3], (PageRange{28, 32}));
    EXPECT_EQ(read[4], (PageRange{60, 32}));
}

TEST(ReadAhead, RandomReadsReadWhatTheyAskFor)
{
    ReadAhead ahead;
    for (const uint64_t index : {500, 20, 4000, 77, 1000})
    {
        EXPECT_EQ(ahead.OnMiss(index, 2, 32), (PageRange{index, 2}));
        ahead.SetPrevious(index + 1);
        EXPECT_FALSE(ahead.IsMarker(index + 2));
    }
}

TEST(ReadAhead, LargeReadsAndNone)
{
    ReadAhead ahead;
    EXPECT_EQ(ahead.OnMiss(1000, 64, 64), (PageRange{1000, 64}));
    ReadAhead none;
    EXPECT_EQ(none.OnMiss(0, 1, 0), (PageRange{0, 1}));
    EXPECT_EQ(none.OnMiss(1, 1, 0), (PageRange{1, 1}));
}

TEST(ExtentSet, EqualsAVectorOfFlagsUnderRandomChanges)
{
    constexpr uint64_t SIZE = 200;
    std::mt19937_64 random(3);
    ExtentSet set;
    std::vector<bool> flags(SIZE, false);
    for (int step = 0; step < 5000; ++step)
    {
        const uint64_t begin = random() % SIZE;
        const uint64_t end = begin + random() % (SIZE - begin + 1);
        if (random() % 2 == 0)
        {
            set.Add(begin, end);
            std::fill(flags.begin() + begin, flags.begin() + end, true);
        }
        else
        {
            std::vector<bool> taken(SIZE, false);
            for (const auto& extent : set.Take(begin, end))
            {
                std::fill(taken.begin() + extent.begin, taken.begin() + extent.end, true);
            }
            for (uint64_t i = 0; i < SIZE; ++i)
            {
                const bool isIn = i >= begin && i < end;
                ASSERT_EQ(taken[i], flags[i] && isIn) << step;
                flags[i] = flags[i] && !isIn;
            }
        }
        std::vector<bool> listed(SIZE, false);
        uint64_t last = 0;
        bool isFirst = true;
        for (const auto& extent : set.List())
        {
            ASSERT_LT(extent.begin, extent.end);
            ASSERT_TRUE(isFirst || extent.begin > last);
            isFirst = false;
            last = extent.end;
            std::fill(listed.begin() + extent.begin, listed.begin() + extent.end, true);
        }
        ASSERT_EQ(listed, flags) << step;
        ASSERT_EQ(set.IsEmpty(), set.List().empty());
    }
}

TEST(DeviceLayout, FilesAreWholeAndGrowInPieces)
{
    constexpr uint64_t PIECE = DeviceLayout::PIECE;
    DeviceLayout layout;
    EXPECT_EQ(layout.GetPosition(1, 4096, 3 * PIECE), 4096U);
    EXPECT_EQ(layout.GetPosition(2, 0, 10), 3 * PIECE);
    EXPECT_EQ(layout.GetPosition(1, 2 * PIECE, 3 * PIECE), 2 * PIECE);
    EXPECT_EQ(layout.GetPosition(1, 3 * PIECE + 7, 4 * PIECE), 4 * PIECE + 7);
    EXPECT_EQ(layout.GetPosition(1, 3 * PIECE, 4 * PIECE), 4 * PIECE);
    layout.Forget(1);
    EXPECT_EQ(layout.GetPosition(1, 0, PIECE), 5 * PIECE);
}

class DiskMechanicsTest : public ::testing::Test
{
  protected:
    DiskMechanics::Parameters m_parameters{1'000'000'000'000,
                                           1'000'000,
                                           MicroSeconds(8000),
                                           MilliSeconds(1),
                                           MilliSeconds(8),
                                           MilliSeconds(16)};
};

TEST_F(DiskMechanicsTest, SeeksAreThoseOfTheDataSheet)
{
    DiskMechanics disk(m_parameters);
    EXPECT_EQ(disk.GetSeek(0), Time(0));
    EXPECT_EQ(disk.GetSeek(999'999), Time(0));
    EXPECT_NEAR(disk.GetSeek(1'000'000).GetMicroSeconds(), 1000, 100);
    EXPECT_EQ(disk.GetSeek(m_parameters.capacity), MilliSeconds(16));
    std::mt19937_64 random(8);
    double sum = 0;
    constexpr int PAIRS = 200000;
    for (int i = 0; i < PAIRS; ++i)
    {
        const uint64_t a = random() % m_parameters.capacity;
        const uint64_t b = random() % m_parameters.capacity;
        sum += disk.GetSeek(std::max(a, b) - std::min(a, b)).GetSeconds();
    }
    EXPECT_NEAR(sum / PAIRS, 0.008, 0.00005);
}

TEST_F(DiskMechanicsTest, ThePlatterTurnsWithTime)
{
    DiskMechanics disk(m_parameters);
    EXPECT_EQ(disk.GetRotation(Time(0), 250'000), MicroSeconds(2000));
    EXPECT_EQ(disk.GetRotation(MicroSeconds(2000), 250'000), Time(0));
    EXPECT_EQ(disk.GetRotation(MicroSeconds(2001), 250'000), MicroSeconds(7999));
    EXPECT_EQ(disk.GetRotation(MilliSeconds(800), 5'250'000), MicroSeconds(2000));
}

TEST_F(DiskMechanicsTest, GoingOnNeedsNoMove)
{
    DiskMechanics disk(m_parameters);
    const Time first = disk.Access(Seconds(1), 500'000'000'000, 4096);
    EXPECT_GT(first, MilliSeconds(5));
    EXPECT_EQ(disk.Access(Seconds(2), 500'000'004'096, 4096), Time(0));
    EXPECT_GT(disk.Access(Seconds(3), 500'000'004'096, 4096), Time(0));
}

} // namespace
} // namespace test
} // namespace ns3::nfsrdma
