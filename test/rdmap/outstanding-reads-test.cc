/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/outstanding-reads.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

constexpr Stag SINK = 0xa1;

DdpTaggedHeader
Segment(uint64_t offset, bool last, Stag stag = SINK)
{
    return {last, 0x42, stag, offset};
}

TEST(OutstandingReadsTest, TheLongestRead)
{
    OutstandingReads reads;
    reads.Add({SINK, 0, 0xffffffff, 1, 0});
    EXPECT_TRUE(reads.Accept(Segment(0, false), 0xfffffff0));
    EXPECT_FALSE(reads.Accept(Segment(0xfffffff0, true), 14));
    EXPECT_FALSE(reads.Accept(Segment(0xfffffff0, true), 16));
    EXPECT_FALSE(reads.Accept(Segment(0xfffffff0, false), 16));
    EXPECT_TRUE(reads.Accept(Segment(0xfffffff0, true), 15));
}

TEST(OutstandingReadsTest, AnAnswerOfLengthZeroNamesAnySink)
{
    OutstandingReads reads;
    reads.Add({SINK, 5, 0, 1, 0});
    EXPECT_TRUE(reads.Accept(Segment(77, true, 0x1234), 0));
    EXPECT_FALSE(reads.Accept(Segment(5, true), 1));
}

TEST(OutstandingReadsTest, AnAnswerThatIsNotOfLengthZeroIsChecked)
{
    OutstandingReads reads;
    reads.Add({SINK, 5, 4, 1, 0});
    const auto tooShort = reads.Accept(Segment(5, true), 0);
    ASSERT_FALSE(tooShort);
    EXPECT_EQ(tooShort.error(), TerminateReason::From(DdpError::TAGGED_BOUNDS));
    const auto other = reads.Accept(Segment(5, true, 0x1234), 0);
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error(), TerminateReason::From(DdpError::TAGGED_INVALID_STAG));
}

TEST(OutstandingReadsTest, CoversWhatIsToComeOfTheOldest)
{
    OutstandingReads reads;
    reads.Add({SINK, 100, 10, 1, 0});
    ASSERT_TRUE(reads.Accept(Segment(100, false), 4));
    EXPECT_FALSE(reads.Covers(Segment(103, false), 1));
    EXPECT_TRUE(reads.Covers(Segment(104, false), 6));
    EXPECT_TRUE(reads.Covers(Segment(109, false), 1));
    EXPECT_FALSE(reads.Covers(Segment(109, false), 2));
    EXPECT_FALSE(reads.Covers(Segment(110, false), 1));
    reads.Complete();
    EXPECT_FALSE(reads.Covers(Segment(104, false), 1));
}

TEST(OutstandingReadsTest, CoversSinksAtTheEndOfTheTaggedOffsets)
{
    OutstandingReads reads;
    reads.AddAtomic(1);
    reads.Add({SINK, 0xfffffffffffffff0, 16, 1, 0});
    EXPECT_TRUE(reads.Covers(Segment(0xffffffffffffffff, true), 1));
    EXPECT_FALSE(reads.Covers(Segment(0, true), 1));
    EXPECT_FALSE(reads.Covers(Segment(0xffffffffffffffef, true), 1));
}

TEST(OutstandingReadsTest, AnAtomicIsAnsweredByItsIdentifier)
{
    OutstandingReads reads;
    EXPECT_FALSE(reads.AcceptAtomic(0));
    reads.AddAtomic(7);
    EXPECT_TRUE(reads.AcceptAtomic(7));
    EXPECT_FALSE(reads.AcceptAtomic(8));
    EXPECT_FALSE(reads.Accept(Segment(0, true), 0));
    EXPECT_EQ(reads.GetCount(), 1U);
}

} // namespace

} // namespace ns3::nfsrdma
