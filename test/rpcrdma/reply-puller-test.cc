/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/reply-puller.h"
#include "rpcrdma/puller-fixture.h"

#include <optional>

namespace ns3::nfsrdma
{
namespace
{

class ReplyPullerTest : public PullerTest
{
  protected:
    void Pull(const std::vector<RpcRdmaReadSegment>& source, bool invalidates = false)
    {
        m_puller.emplace(m_host.memory, *m_registrar, m_posted.queue, invalidates);
        m_puller->Pull(
            0,
            source,
            [this] { ++m_pulled; },
            [this](ByteVector&& octets, uint32_t registrations) {
                m_octets = std::move(octets);
                m_registrations = registrations;
            },
            [this] { ++m_failed; });
    }

    void TearDown() override
    {
        m_puller.reset();
        PullerTest::TearDown();
    }

    std::optional<ReplyPuller> m_puller;
    uint32_t m_pulled{0};
    uint32_t m_failed{0};
    std::optional<ByteVector> m_octets;
    uint32_t m_registrations{0};
};

TEST_F(ReplyPullerTest, OneReadForEachSegmentIntoOneRegion)
{
    MakeRegistrar(16);
    Pull({{0, {0x100, 1000, 5000}}, {0, {0x200, 3000, 6000}}});
    ASSERT_EQ(m_posted.chains.size(), 1U);
    EXPECT_EQ(m_posted.GetOpcodes(0),
              (std::vector{WorkRequestOpcode::REGISTER_MR,
                           WorkRequestOpcode::RDMA_READ,
                           WorkRequestOpcode::RDMA_READ}));
    EXPECT_EQ(GetSources(0), (Sources{{5000, 1000}, {6000, 3000}}));
    EXPECT_EQ(m_posted.GetReads(0)[1].remoteStag, 0x200U);
    EXPECT_EQ(m_pulled, 0U);

    CompleteReads(0);
    EXPECT_EQ(m_pulled, 1U);
    EXPECT_FALSE(m_octets) << "the sink is still registered";
    EXPECT_EQ(m_posted.GetOpcodes(1), std::vector{WorkRequestOpcode::LOCAL_INVALIDATE});
    m_posted.CompleteOne();
    ASSERT_TRUE(m_octets);
    ByteVector expected = MakeOctets(5000, 1000);
    const ByteVector second = MakeOctets(6000, 3000);
    expected.insert(expected.end(), second.begin(), second.end());
    EXPECT_EQ(*m_octets, expected);
    EXPECT_EQ(m_registrations, 1U);
    EXPECT_FALSE(m_registrar->IsUsed());
}

TEST_F(ReplyPullerTest, TheLastReadIntoARegionInvalidatesIt)
{
    MakeRegistrar(1);
    Pull({{0, {0x100, PAGE + 10, 500}}, {0, {0x200, 20, 9000}}}, true);
    const auto reads = m_posted.GetReads(0);
    ASSERT_EQ(reads.size(), 3U);
    EXPECT_TRUE(reads[0].invalidatesSink);
    EXPECT_FALSE(reads[1].invalidatesSink);
    EXPECT_TRUE(reads[2].invalidatesSink);
    CompleteReads(0);
    EXPECT_EQ(m_pulled, 1U);
    ASSERT_TRUE(m_octets) << "no work request is needed";
    EXPECT_EQ(m_octets->back(), GetOctet(9019));
    EXPECT_EQ(m_posted.chains.size(), 1U);
    EXPECT_EQ(m_puller->TakeInvalidations(), 2U);
    EXPECT_EQ(m_puller->TakeInvalidations(), 0U);
    EXPECT_FALSE(m_registrar->IsUsed());
}

TEST_F(ReplyPullerTest, AReadEndsWhereItsRegionDoes)
{
    MakeRegistrar(1);
    Pull({{0, {0x100, PAGE + 10, 500}}, {0, {0x200, 20, 9000}}});
    EXPECT_EQ(GetSources(0), (Sources{{500, PAGE}, {500 + PAGE, 10}, {9000, 20}}));
    CompleteAll();
    ASSERT_TRUE(m_octets);
    EXPECT_EQ(m_octets->size(), PAGE + 30);
    EXPECT_EQ(m_octets->back(), GetOctet(9019));
    EXPECT_EQ(m_registrations, 2U);
}

TEST_F(ReplyPullerTest, OneRegionIsEnoughForAnyReply)
{
    MakeRegistrar(1, 1);
    Pull({{0, {0x100, 3 * PAGE, 0}}});
    EXPECT_EQ(GetSources(0), (Sources{{0, PAGE}}));
    CompleteReads(0);
    EXPECT_EQ(m_pulled, 0U) << "two pieces are left";
    CompleteAll();
    EXPECT_EQ(m_pulled, 1U);
    ASSERT_TRUE(m_octets);
    EXPECT_EQ(*m_octets, MakeOctets(0, 3 * PAGE));
    EXPECT_EQ(m_registrations, 3U);
    EXPECT_EQ(m_failed, 0U);
}

TEST_F(ReplyPullerTest, WhatFailsIsNeverTold)
{
    MakeRegistrar(16);
    Pull({{0, {0x100, 1000, 5000}}});
    WorkCompletion completion;
    completion.id = m_posted.chains.at(0).back().id;
    completion.status = WorkCompletionStatus::REM_ACCESS_ERR;
    m_posted.queue.HandleCompletion(completion);
    EXPECT_EQ(m_pulled + m_failed, 0U);
    EXPECT_FALSE(m_octets);
    EXPECT_EQ(m_posted.chains.size(), 1U);
}

} // namespace
} // namespace ns3::nfsrdma
