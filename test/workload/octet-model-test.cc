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

} // namespace ns3::nfsrdma::test
