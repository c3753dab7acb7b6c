/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ddp/segmenter.h"
#include "ddp/untagged-queue.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

DdpUntaggedHeader
Segment(uint32_t msn, uint32_t messageOffset, bool last)
{
    DdpUntaggedHeader header;
    header.messageSequenceNumber = msn;
    header.messageOffset = messageOffset;
    header.last = last;
    return header;
}

TEST(DdpUntaggedQueueTest, MessagesInOrder)
{
    DdpUntaggedQueue queue;
    EXPECT_EQ(queue.GetMsn(), 1U);
    EXPECT_TRUE(queue.Accept(Segment(1, 0, true), 0));
    EXPECT_TRUE(queue.Accept(Segment(2, 0, false), 100));
    EXPECT_EQ(queue.GetMsn(), 2U);
    EXPECT_TRUE(queue.Accept(Segment(2, 100, true), 7));
    EXPECT_TRUE(queue.Accept(Segment(3, 0, true), 5));
    EXPECT_EQ(queue.GetMsn(), 4U);
}

TEST(DdpUntaggedQueueTest, MsnRunsPast32Bits)
{
    DdpUntaggedQueue queue(0xffffffff);
    EXPECT_TRUE(queue.Accept(Segment(0xffffffff, 0, true), 1));
    EXPECT_TRUE(queue.Accept(Segment(0, 0, true), 1));
    EXPECT_EQ(queue.GetMsn(), 1U);
}

TEST(DdpUntaggedQueueTest, WrongMsn)
{
    for (const uint32_t msn : {0U, 2U, 900U, 0xffffffffU})
    {
        DdpUntaggedQueue queue;
        const auto accepted = queue.Accept(Segment(msn, 0, true), 1);
        ASSERT_FALSE(accepted) << msn;
        EXPECT_EQ(accepted.error(), DdpError::UNTAGGED_MSN_RANGE);
    }
}

TEST(DdpUntaggedQueueTest, NextMessageBeforeTheLastSegment)
{
    DdpUntaggedQueue queue;
    EXPECT_TRUE(queue.Accept(Segment(1, 0, false), 100));
    const auto accepted = queue.Accept(Segment(2, 0, true), 100);
    ASSERT_FALSE(accepted);
    EXPECT_EQ(accepted.error(), DdpError::UNTAGGED_MSN_RANGE);
}

TEST(DdpUntaggedQueueTest, GapOverlapAndWrongStart)
{
    for (const uint32_t messageOffset : {0U, 99U, 101U, 0xffffffffU})
    {
        DdpUntaggedQueue queue;
        EXPECT_TRUE(queue.Accept(Segment(1, 0, false), 100));
        const auto accepted = queue.Accept(Segment(1, messageOffset, true), 100);
        ASSERT_FALSE(accepted) << messageOffset;
        EXPECT_EQ(accepted.error(), DdpError::UNTAGGED_INVALID_MO);
    }
    DdpUntaggedQueue queue;
    const auto accepted = queue.Accept(Segment(1, 8, true), 100);
    ASSERT_FALSE(accepted);
    EXPECT_EQ(accepted.error(), DdpError::UNTAGGED_INVALID_MO);
}

TEST(DdpUntaggedQueueTest, MessageBeyond32Bits)
{
    DdpUntaggedQueue queue;
    EXPECT_TRUE(queue.Accept(Segment(1, 0, false), 0xfffffff0));
    EXPECT_TRUE(queue.Accept(Segment(1, 0xfffffff0, false), 15));
    const auto accepted = queue.Accept(Segment(1, 0xffffffff, true), 1);
    ASSERT_FALSE(accepted);
    EXPECT_EQ(accepted.error(), DdpError::UNTAGGED_TOO_LONG);
}

TEST(DdpUntaggedQueueTest, AheadIsWhatHasNotCome)
{
    DdpUntaggedQueue queue(0xfffffffe);
    ASSERT_TRUE(queue.Accept(Segment(0xfffffffe, 0, false), 100));
    EXPECT_FALSE(queue.IsAhead(Segment(0xfffffffe, 0, false), 100));
    EXPECT_FALSE(queue.IsAhead(Segment(0xfffffffe, 99, false), 100));
    EXPECT_TRUE(queue.IsAhead(Segment(0xfffffffe, 100, false), 100));
    EXPECT_TRUE(queue.IsAhead(Segment(0xfffffffe, 5000, true), 1));
    EXPECT_TRUE(queue.IsAhead(Segment(0xffffffff, 0, true), 1));
    EXPECT_TRUE(queue.IsAhead(Segment(0, 0, true), 1));
    EXPECT_TRUE(queue.IsAhead(Segment(0x7ffffffd, 0, true), 1));
    EXPECT_FALSE(queue.IsAhead(Segment(0x7ffffffe, 0, true), 1));
    EXPECT_FALSE(queue.IsAhead(Segment(0xfffffffd, 0, true), 1));
    EXPECT_TRUE(queue.IsAhead(Segment(0, 0xfffffffe, true), 1));
    EXPECT_FALSE(queue.IsAhead(Segment(0, 0xffffffff, true), 1));
}

TEST(DdpUntaggedQueueTest, TakesWhatTheSegmenterCuts)
{
    DdpUntaggedQueue queue;
    for (uint32_t msn = 1; msn <= 50; ++msn)
    {
        DdpSegmenter segmenter;
        segmenter.StartUntagged(0x43, 0, 0, msn, msn * 97 % 1000);
        while (segmenter.IsActive())
        {
            const DdpSegment segment = segmenter.Next(128);
            ASSERT_TRUE(
                queue.Accept(std::get<DdpUntaggedHeader>(segment.header), segment.payloadLength));
        }
    }
    EXPECT_EQ(queue.GetMsn(), 51U);
}

TEST(CheckTaggedRangeTest, WrapsOnlyPast64Bits)
{
    DdpTaggedHeader header;
    header.taggedOffset = 0xfffffffffffffff0;
    EXPECT_TRUE(CheckTaggedRange(header, 0));
    EXPECT_TRUE(CheckTaggedRange(header, 16));
    const auto wrapped = CheckTaggedRange(header, 17);
    ASSERT_FALSE(wrapped);
    EXPECT_EQ(wrapped.error(), DdpError::TAGGED_WRAP);
    header.taggedOffset = 0;
    EXPECT_TRUE(CheckTaggedRange(header, 0xffffffff));
}

} // namespace

} // namespace ns3::nfsrdma
