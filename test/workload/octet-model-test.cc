/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/check/octet-model.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{

class OctetModelTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_id = m_state.tree.Create(ReferenceTree::ROOT, "f", Ftype3::REG);
        m_state.tree.Bind(m_id, m_file);
    }

    /// A WRITE of octets of its pattern from begin up to and without end.
    void Write(uint64_t begin, uint64_t end)
    {
        const auto count = static_cast<uint32_t>(end - begin);
        const auto write = m_octets.BeginWrite(m_file, begin, count);
        m_octets.EndWrite(write.token, ChangeOutcome::DONE, count);
    }

    FileContent& GetContent()
    {
        return *m_state.tree.Find(m_id)->content;
    }

    ContentState m_state{1};
    OctetModel m_octets{m_state};
    ByteVector m_file{7};
    ReferenceId m_id{ReferenceTree::NONE};
};

TEST_F(OctetModelTest, SizesFollowWhatWasDone)
{
    Write(0, 100);
    EXPECT_EQ(GetContent().GetSize(), 100U);
    m_octets.EndSetSize(m_octets.BeginSetSize(m_file, 40), ChangeOutcome::REFUSED);
    EXPECT_EQ(GetContent().GetSize(), 100U);
    m_octets.EndSetSize(m_octets.BeginSetSize(m_file, 40), ChangeOutcome::DONE);
    EXPECT_EQ(GetContent().GetSize(), 40U);
    m_octets.EndExtend(m_octets.BeginExtend(m_file, 60), ChangeOutcome::DONE);
    EXPECT_EQ(GetContent().GetSize(), 60U);
    m_octets.EndSetSize(m_octets.BeginSetSize(m_file, 0), ChangeOutcome::UNKNOWN);
    EXPECT_FALSE(GetContent().IsSizeCertain());
    EXPECT_EQ(m_octets.GetActiveCount(), 0U);
}

TEST_F(OctetModelTest, AReadIsComparedWithThePattern)
{
    const auto write = m_octets.BeginWrite(m_file, 10, 20);
    m_octets.EndWrite(write.token, ChangeOutcome::DONE, 20);
    const auto right = [&write](uint32_t position, MutableByteSpan out) {
        write.pattern.Fill(10 + position, out);
    };
    const auto wrong = [](uint32_t /* position */, MutableByteSpan out) {
        std::fill(out.begin(), out.end(), uint8_t{0});
    };
    EXPECT_TRUE(m_octets.EndRead(m_octets.BeginRead(m_file, 10, 20), 20, true, right));
    EXPECT_FALSE(m_octets.EndRead(m_octets.BeginRead(m_file, 10, 20), 20, true, wrong));
    EXPECT_FALSE(m_octets.EndRead(m_octets.BeginRead(m_file, 10, 20), 20, false, right));
    EXPECT_EQ(m_state.reads.mismatches, 2U);
    EXPECT_EQ(m_state.reads.octets, 60U);
}

TEST_F(OctetModelTest, WritesOutstandingTogetherLeaveTheirCommonOctetsOpen)
{
    const auto one = m_octets.BeginWrite(m_file, 0, 20);
    const auto other = m_octets.BeginWrite(m_file, 10, 20);
    EXPECT_EQ(m_octets.GetActiveCount(), 2U);
    m_octets.EndWrite(one.token, ChangeOutcome::DONE, 20);
    m_octets.EndWrite(other.token, ChangeOutcome::DONE, 20);
    ByteVector octets(30);
    EXPECT_EQ(GetContent().Compare(0, octets).uncertain, 10U);
}

TEST_F(OctetModelTest, AnUnknownFileIsWrittenToAndNotFollowed)
{
    const ByteVector unknown{9};
    EXPECT_EQ(m_octets.BeginWrite(unknown, 0, 20).token, NO_CONTENT_TOKEN);
    EXPECT_EQ(m_octets.BeginSetSize(unknown, 0), NO_CONTENT_TOKEN);
    EXPECT_EQ(m_octets.BeginCopy(m_file, 0, unknown, 0, 1), NO_CONTENT_TOKEN);
    EXPECT_EQ(m_octets.GetActiveCount(), 0U) << "what a copy reads is not left behind";
    EXPECT_TRUE(m_octets.EndRead(NO_CONTENT_TOKEN, 5, true, nullptr));
    EXPECT_EQ(m_state.reads.uncertainOctets, 5U);
}

TEST_F(OctetModelTest, ASeekPassesHolesOnly)
{
    Write(100, 200);
    EXPECT_TRUE(m_octets.EndSeek(m_octets.BeginSeek(m_file, 0), false, 100));
    EXPECT_FALSE(m_octets.EndSeek(m_octets.BeginSeek(m_file, 0), false, 150));
    EXPECT_FALSE(m_octets.EndSeek(m_octets.BeginSeek(m_file, 0), true, 150));
    EXPECT_EQ(m_state.reads.mismatches, 2U);
}

/// Histories of two or three clients on one file: what a READ may give, and what it must not.
class SharedOctetsTest : public OctetModelTest
{
  protected:
    static constexpr uint32_t SIZE = 100;

    void SetUp() override
    {
        OctetModelTest::SetUp();
        m_state.shared = true;
        Write(0, SIZE);
        m_first = GetContent().GetPattern(1);
    }

    OctetModel::WriteBegin BeginWrite(uint32_t client)
    {
        return m_octets.BeginWrite(m_file, 0, SIZE, client);
    }

    void EndWrite(const OctetModel::WriteBegin& write)
    {
        m_octets.EndWrite(write.token, ChangeOutcome::DONE, SIZE);
    }

    ContentToken BeginRead()
    {
        return m_octets.BeginRead(m_file, 0, SIZE);
    }

    /// Ends a READ that gives octets of \p low up to and without the middle, then of \p high.
    bool EndRead(ContentToken read, const ContentPattern& low, const ContentPattern& high)
    {
        return m_octets.EndRead(read, SIZE, true, [&](uint32_t position, MutableByteSpan out) {
            for (uint32_t i = 0; i < out.size(); ++i)
            {
                const uint32_t offset = position + i;
                (offset < SIZE / 2 ? low : high).Fill(offset, out.subspan(i, 1));
            }
        });
    }

    bool Reads(const ContentPattern& pattern)
    {
        return EndRead(BeginRead(), pattern, pattern);
    }

    ContentPattern m_first{0, 0};
};

TEST_F(SharedOctetsTest, WhatHasEndedIsSeenByEveryReadThatBeginsLater)
{
    const auto write = BeginWrite(1);
    EndWrite(write);
    EXPECT_TRUE(Reads(write.pattern));
    EXPECT_FALSE(Reads(m_first)) << "stale";
    EXPECT_FALSE(EndRead(BeginRead(), write.pattern, m_first)) << "torn";
    EXPECT_FALSE(Reads(ContentPattern(0, 99))) << "of no WRITE";
    EXPECT_EQ(m_state.reads.mismatches, 3U);
    EXPECT_EQ(m_state.reads.described[0].what,
              "READ gave those of WRITE 1 of the file, by client-0");
    EXPECT_EQ(m_state.reads.described[2].what,
              "READ gave octets that no WRITE of the file had there");
}

TEST_F(SharedOctetsTest, AReadBesideAWriteGivesEither)
{
    const auto write = BeginWrite(1);
    EXPECT_TRUE(Reads(write.pattern));
    EXPECT_TRUE(Reads(m_first));
    const auto read = BeginRead();
    EndWrite(write);
    EXPECT_TRUE(EndRead(read, m_first, write.pattern));
    EXPECT_FALSE(Reads(m_first));
}

TEST_F(SharedOctetsTest, AReadThatLastsSeesNothingFromBeforeItBegan)
{
    const auto second = BeginWrite(1);
    EndWrite(second);
    const auto read = BeginRead();
    const auto third = BeginWrite(2);
    EndWrite(third);
    EXPECT_FALSE(EndRead(read, m_first, third.pattern));
}

TEST_F(SharedOctetsTest, OfTwoWritesOutstandingTogetherEitherIsLast)
{
    const auto one = BeginWrite(1);
    const auto other = BeginWrite(2);
    EndWrite(one);
    EndWrite(other);
    EXPECT_TRUE(Reads(one.pattern));
    EXPECT_TRUE(Reads(other.pattern));
    EXPECT_FALSE(Reads(m_first)) << "both have ended";
    const auto last = BeginWrite(1);
    EndWrite(last);
    EXPECT_FALSE(Reads(one.pattern));
    EXPECT_TRUE(Reads(last.pattern));
}

TEST_F(SharedOctetsTest, AWriteThatALaterOneReplacedIsGoneWhateverOverlapsBoth)
{
    const auto lasting = BeginWrite(1);
    const auto early = BeginWrite(2);
    EndWrite(early);
    const auto late = BeginWrite(2);
    EndWrite(late);
    EndWrite(lasting);
    EXPECT_TRUE(Reads(lasting.pattern));
    EXPECT_TRUE(Reads(late.pattern));
    EXPECT_FALSE(Reads(early.pattern)) << "replaced by the later one of its client";
}

TEST_F(SharedOctetsTest, AWriteWithoutAReplyMayHaveBeenDone)
{
    const auto write = BeginWrite(1);
    m_octets.EndWrite(write.token, ChangeOutcome::UNKNOWN, 0);
    EXPECT_TRUE(Reads(write.pattern));
    EXPECT_TRUE(Reads(m_first));
    EXPECT_FALSE(Reads(ContentPattern(0, 99)));
}

TEST_F(SharedOctetsTest, ARefusedWriteLeavesNothingOpen)
{
    const auto refused = BeginWrite(1);
    const auto write = BeginWrite(2);
    m_octets.EndWrite(refused.token, ChangeOutcome::REFUSED, 0);
    EndWrite(write);
    EXPECT_TRUE(Reads(write.pattern));
    EXPECT_FALSE(Reads(refused.pattern));
}

} // namespace ns3::nfsrdma::test
