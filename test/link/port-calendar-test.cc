/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/port-calendar.h"

#include <gtest/gtest.h>
#include <queue>
#include <random>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint64_t RATE = 10'000'000'000;
constexpr uint32_t GAP = 12;

class PortCalendarTest : public ::testing::Test
{
  protected:
    PortCalendarTest()
    {
        calendar.SetRate(RATE);
    }

    auto Reserve(int64_t arrives, uint32_t octets)
    {
        return calendar.Reserve(NanoSeconds(arrives), octets, octets, GAP);
    }

    PortCalendar calendar;
};

TEST_F(PortCalendarTest, AnIdlePortStartsAtOnce)
{
    const auto slot = Reserve(100, 1000);
    ASSERT_TRUE(slot.has_value());
    EXPECT_EQ(slot->starts, NanoSeconds(100));
    EXPECT_EQ(slot->lastOctet, NanoSeconds(800));
    EXPECT_FALSE(slot->waits);
    EXPECT_EQ(calendar.GetIdleFrom(), NanoSeconds(100) + slot->busy);
    EXPECT_EQ(calendar.GetWaiting(NanoSeconds(100)), 0U);
}

TEST_F(PortCalendarTest, ABusyPortLetsFramesWait)
{
    const auto first = Reserve(0, 988);
    const auto second = Reserve(10, 500);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->busy, NanoSeconds(800));
    EXPECT_TRUE(second->waits);
    EXPECT_EQ(second->starts, NanoSeconds(800));
    EXPECT_EQ(calendar.GetWaiting(NanoSeconds(799)), 500U);
    EXPECT_EQ(calendar.GetWaiting(NanoSeconds(800)), 0U) << "it has started";
}

TEST_F(PortCalendarTest, AFrameThatComesWhenThePortGetsIdleDoesNotWait)
{
    const auto first = Reserve(0, 988);
    const auto second = Reserve(800, 500);
    ASSERT_TRUE(first && second);
    EXPECT_FALSE(second->waits);
    EXPECT_EQ(second->starts, NanoSeconds(800));
}

TEST_F(PortCalendarTest, TheQueueIsFullByOctetsOrByFrames)
{
    calendar.SetQueueSize(QueueSize("1000B"));
    ASSERT_TRUE(Reserve(0, 988));
    EXPECT_TRUE(Reserve(1, 600));
    EXPECT_FALSE(Reserve(2, 401));
    EXPECT_TRUE(Reserve(3, 400));
    EXPECT_FALSE(Reserve(4, 1));
    calendar.SetQueueSize(QueueSize("3p"));
    EXPECT_TRUE(Reserve(5, 9000));
    EXPECT_FALSE(Reserve(6, 1));
    EXPECT_TRUE(Reserve(800, 1)) << "one has left the queue";
}

TEST_F(PortCalendarTest, WhatIsCutStartsNever)
{
    ASSERT_TRUE(Reserve(0, 988));
    ASSERT_TRUE(Reserve(1, 988));
    ASSERT_TRUE(Reserve(2, 988));
    calendar.Cut(NanoSeconds(900));
    EXPECT_EQ(calendar.GetIdleFrom(), NanoSeconds(1600)) << "the second is being sent";
    EXPECT_EQ(calendar.GetWaiting(NanoSeconds(900)), 0U);
    const auto next = Reserve(1000, 100);
    ASSERT_TRUE(next.has_value());
    EXPECT_EQ(next->starts, NanoSeconds(1600));
}

/// The queue and the serializer played frame by frame, as the calendar's oracle.
class PortCalendarPropertyTest : public ::testing::TestWithParam<unsigned>
{
};

TEST_P(PortCalendarPropertyTest, EqualsTheQueuePlayedWithEvents)
{
    constexpr uint32_t ROOM = 6000;
    constexpr int FRAMES = 3000;
    std::mt19937 random(GetParam());
    PortCalendar calendar;
    calendar.SetRate(RATE);
    calendar.SetQueueSize(QueueSize(QueueSizeUnit::BYTES, ROOM));
    std::queue<std::pair<int64_t, uint32_t>> waiting; // Start and octets, in order.
    uint64_t inQueue = 0;
    int64_t freeFrom = 0;
    int64_t arrives = 0;
    int dropped = 0;
    for (int i = 0; i < FRAMES; ++i)
    {
        arrives += std::uniform_int_distribution<int64_t>(0, 1500)(random);
        const uint32_t octets =
            5 * std::uniform_int_distribution<uint32_t>(12, 300)(random) - GAP % 5;
        const uint32_t onWire = (octets + GAP + 4) / 5 * 5 - GAP; // Whole nanoseconds.
        while (!waiting.empty() && waiting.front().first <= arrives)
        {
            inQueue -= waiting.front().second;
            waiting.pop();
        }
        ASSERT_EQ(calendar.GetWaiting(NanoSeconds(arrives)), inQueue);
        const auto slot = calendar.Reserve(NanoSeconds(arrives), octets, onWire, GAP);
        if (arrives < freeFrom && inQueue + octets > ROOM)
        {
            ASSERT_FALSE(slot.has_value());
            ++dropped;
            continue;
        }
        ASSERT_TRUE(slot.has_value());
        const int64_t starts = std::max(arrives, freeFrom);
        ASSERT_EQ(slot->starts, NanoSeconds(starts));
        if (starts > arrives)
        {
            waiting.emplace(starts, octets);
            inQueue += octets;
        }
        freeFrom = starts + (onWire + GAP) * 4 / 5;
    }
    EXPECT_GT(dropped, 0);
    EXPECT_LT(dropped, FRAMES / 2);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PortCalendarPropertyTest, ::testing::Range(1U, 9U));

} // namespace
} // namespace ns3::nfsrdma
