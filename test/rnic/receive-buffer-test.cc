/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/flow-credits.h"
#include "rnic/hardware/receive-buffer.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace ns3::nfsrdma
{

class ReceiveBufferTest : public ::testing::Test
{
  protected:
    /// Takes FPDUs of one size, each of which is through a microsecond after the one before.
    struct Taker : public ReceiveClient
    {
        explicit Taker(ReceiveBufferTest& owner)
            : test(owner)
        {
        }

        void RoomMade() override
        {
            served.push_back(Simulator::Now().GetNanoSeconds());
            TakeAll();
        }

        void TakeAll()
        {
            while (left > 0 && test.m_buffer.GetRoom(*this, size) >= size)
            {
                --left;
                test.m_through = std::max(test.m_through, Simulator::Now()) + MicroSeconds(1);
                test.m_buffer.Take(size, test.m_through);
                EXPECT_LE(test.m_buffer.GetMeter().GetCurrent(), std::max(CAPACITY, size));
            }
        }

        ReceiveBufferTest& test;
        uint32_t size{100};
        uint32_t left{0};
        std::vector<int64_t> served;
    };

    void TearDown() override
    {
        m_buffer.Stop();
        Simulator::Destroy();
    }

    static constexpr uint32_t CAPACITY = 1000;
    uint32_t m_capacity{CAPACITY};
    ReceiveBuffer m_buffer{m_capacity};
    Time m_through;
    Taker m_first{*this};
    Taker m_second{*this};
};

TEST_F(ReceiveBufferTest, WhoFindsNoRoomIsServedWhenHalfIsFree)
{
    m_first.left = 16;
    m_first.TakeAll();
    EXPECT_EQ(m_first.left, 6U);
    Simulator::Run();
    EXPECT_EQ(m_first.left, 0U);
    EXPECT_EQ(m_first.served, (std::vector<int64_t>{5000, 10000}));
    EXPECT_EQ(m_buffer.GetStalls(), 2U);
    EXPECT_EQ(m_buffer.GetTaken(), 1600U);
    EXPECT_EQ(m_buffer.GetMeter().GetPeak(), CAPACITY);
}

TEST_F(ReceiveBufferTest, WhoWaitsIsNotPassedBy)
{
    m_first.left = 20;
    m_first.TakeAll();
    Simulator::Schedule(MicroSeconds(3), [&] {
        EXPECT_EQ(m_buffer.GetRoom(m_second, 100), 0U) << "though there is some";
        EXPECT_FALSE(m_buffer.HasSpareRoom(100));
        m_second.left = 5;
    });
    Simulator::Schedule(NanoSeconds(5001), [&] {
        EXPECT_EQ(m_first.left, 8U) << "half of what was free";
        EXPECT_EQ(m_second.left, 2U);
    });
    Simulator::Run();
    EXPECT_EQ(m_first.left + m_second.left, 0U);
    EXPECT_EQ(m_buffer.GetTaken(), 2500U);
}

TEST_F(ReceiveBufferTest, WhatIsLargerThanAllIsTakenAlone)
{
    m_first.size = 1500;
    m_first.left = 3;
    m_first.TakeAll();
    EXPECT_EQ(m_first.left, 2U);
    Simulator::Run();
    EXPECT_EQ(m_first.left, 0U);
    EXPECT_EQ(m_first.served, (std::vector<int64_t>{1000, 2000}));
}

TEST_F(ReceiveBufferTest, WhoLeavesIsNotServed)
{
    m_first.left = 11;
    m_first.TakeAll();
    m_buffer.Remove(m_first);
    Simulator::Run();
    EXPECT_TRUE(m_first.served.empty());
    EXPECT_EQ(m_first.left, 1U);
}

TEST_F(ReceiveBufferTest, WhatComesInGoesOutOrIsHeld)
{
    m_first.left = 10;
    m_first.TakeAll();
    Simulator::Stop(NanoSeconds(3500));
    Simulator::Run();
    EXPECT_EQ(m_buffer.GetLeft(), 300U);
    EXPECT_EQ(m_buffer.GetTaken(), m_buffer.GetLeft() + m_buffer.GetMeter().GetCurrent());
}

TEST(FlowCreditsTest, AWriteWaitsForTheOldestCredits)
{
    FlowCredits writes;
    const auto post = [&writes](int64_t earliest, uint64_t octets, int64_t lasts) {
        const Time start = writes.GetStart(Time(0), NanoSeconds(earliest), octets, 300);
        writes.Add(octets, start, start + NanoSeconds(lasts));
        return start.GetNanoSeconds();
    };
    EXPECT_EQ(post(0, 100, 50), 0);
    EXPECT_EQ(post(0, 200, 80), 0);
    EXPECT_EQ(post(10, 100, 50), 50);
    EXPECT_EQ(post(10, 300, 50), 100) << "until nothing is outstanding";
    EXPECT_EQ(post(200, 400, 50), 200) << "more than all credits";
    EXPECT_EQ(writes.GetWaited(), NanoSeconds(40 + 90));
    EXPECT_EQ(writes.GetPeak(), 400U);
    EXPECT_EQ(writes.GetGiven(), 1100U);
    EXPECT_EQ(writes.GetReturned(NanoSeconds(249)), 700U);
    EXPECT_EQ(writes.GetOutstanding(), 400U);
    EXPECT_EQ(writes.GetReturned(NanoSeconds(250)), 1100U);
}

TEST(FlowCreditsTest, EachThatWaitsTakesTheCreditsOfAnother)
{
    FlowCredits reads;
    constexpr uint64_t TAGS = 4;
    for (int64_t i = 0; i < 40; ++i)
    {
        const Time start = reads.GetStart(Time(0), Time(0), 1, TAGS);
        EXPECT_EQ(start, NanoSeconds(i / 4 * 100));
        reads.Add(1, start, start + NanoSeconds(100));
    }
    EXPECT_EQ(reads.GetPeak(), TAGS);
}

TEST(FlowCreditsTest, WithoutCreditsThereIsNoBound)
{
    FlowCredits writes;
    for (int i = 0; i < 10; ++i)
    {
        EXPECT_EQ(writes.GetStart(Time(0), NanoSeconds(5), 1000, 0), NanoSeconds(5));
        writes.Add(1000, NanoSeconds(5), NanoSeconds(15));
    }
    EXPECT_EQ(writes.GetPeak(), 10000U);
    EXPECT_DOUBLE_EQ(writes.GetMean(NanoSeconds(100)), 1000.0);
}

} // namespace ns3::nfsrdma
