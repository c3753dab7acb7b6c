/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory-fixture.h"

#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::nfsrdma
{

using ::testing::Each;
using ::testing::ElementsAre;
using Status = WorkCompletionStatus;

/// A server whose host pins 10 pages at most.
class PinnedMemory : public MemoryTest
{
  protected:
    static constexpr uint64_t LIMIT = 10;
    static constexpr uint64_t FOUR_PAGES = 4 * 4096;

    void SetUp() override
    {
        MemoryTest::SetUp();
        m_server.memory->SetAttribute("MaxPinnedPages", UintegerValue(LIMIT));
        m_memory = m_server.Room(FOUR_PAGES);
    }

    [[nodiscard]] uint64_t Pinned() const
    {
        return m_server.memory->GetPinnedPages();
    }

    Ptr<MemoryRegion> AllocateRegion()
    {
        return m_server.device->AllocateMemoryRegion(m_server.domain, 4).value();
    }

    void ExpectNoMemory(const std::vector<SendWorkRequest>& chain)
    {
        const auto refused = m_server.pair->PostSend(chain);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error(), VerbsError::NO_MEMORY);
    }

    HostBuffer m_memory;
};

TEST_F(PinnedMemory, OfRegularRegionsIsLimitedAtTheVerb)
{
    const auto first = RegisterAll(m_server, m_memory, ALL_RIGHTS, 0);
    const auto second = RegisterAll(m_server, m_memory, ALL_RIGHTS, 0);
    EXPECT_EQ(Pinned(), 8U) << "a page pinned twice counts twice";
    const auto third = m_server.device->RegisterMemory(m_server.domain,
                                                       m_memory.GetAddress(),
                                                       FOUR_PAGES,
                                                       ALL_RIGHTS,
                                                       0);
    ASSERT_FALSE(third);
    EXPECT_EQ(third.error(), VerbsError::NO_MEMORY);
    EXPECT_EQ(m_server.device->GetCensus().memoryRegions, 2U);
    EXPECT_EQ(m_server.device->GetCensus().pinnedPages, 8U);
    ASSERT_TRUE(m_server.device->Destroy(first));
    EXPECT_EQ(Pinned(), 4U);
    ASSERT_TRUE(m_server.device->Destroy(second));
    EXPECT_EQ(Pinned(), 0U);
    EXPECT_EQ(m_server.memory->GetPeakPinnedPages(), 8U);
}

TEST_F(PinnedMemory, OfAFastRegistrationHoldsFromThePostToTheInvalidation)
{
    const auto region = AllocateRegion();
    EXPECT_EQ(Pinned(), 0U);
    PostSend(m_server, Register(1, region, m_memory, 5, ALL_RIGHTS));
    EXPECT_EQ(Pinned(), 4U);
    EXPECT_FALSE(region->IsValid());
    Run();
    EXPECT_EQ(Pinned(), 4U);
    EXPECT_EQ(region->GetPinnedPages(), 4U);
    PostSend(m_server, Invalidate(2, region->GetStag()));
    EXPECT_EQ(Pinned(), 4U);
    Run();
    EXPECT_EQ(Pinned(), 0U);
    EXPECT_EQ(region->GetPinnedPages(), 0U);
}

TEST_F(PinnedMemory, EndsWithTheInvalidationOfThePeer)
{
    const auto region = RegisterNow(m_server, m_memory, ALL_RIGHTS);
    EXPECT_EQ(Pinned(), 4U);
    SendInvalidating(region->GetStag());
    EXPECT_EQ(Pinned(), 0U);
}

TEST_F(PinnedMemory, EndsWithTheRegion)
{
    const auto region = RegisterNow(m_server, m_memory, ALL_RIGHTS);
    ASSERT_TRUE(m_server.device->Destroy(region));
    EXPECT_EQ(Pinned(), 0U);
}

TEST_F(PinnedMemory, OfFastRegistrationsIsLimitedAtThePostForAllOfAChain)
{
    const auto first = AllocateRegion();
    const auto second = AllocateRegion();
    const auto third = AllocateRegion();
    ExpectNoMemory({Register(1, first, m_memory, 5, ALL_RIGHTS),
                    Register(2, second, m_memory, 5, ALL_RIGHTS),
                    Register(3, third, m_memory, 5, ALL_RIGHTS)});
    EXPECT_EQ(Pinned(), 0U) << "none of the chain";
    EXPECT_EQ(m_server.device->GetCensus().outstandingSends, 0U);
    ASSERT_TRUE(m_server.pair->PostSend({Register(1, first, m_memory, 5, ALL_RIGHTS),
                                         Register(2, second, m_memory, 5, ALL_RIGHTS)}));
    ExpectNoMemory({Register(3, third, m_memory, 5, ALL_RIGHTS)});
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::SUCCESS, Status::SUCCESS));
    EXPECT_EQ(m_server.pair->GetState(), QueuePairState::RTS);
    EXPECT_EQ(Pinned(), 8U);
}

TEST_F(PinnedMemory, OfARefusedRegistrationIsReleased)
{
    const auto region = RegisterNow(m_server, m_memory, ALL_RIGHTS);
    PostSend(m_server, Register(1, region, m_memory, 5, ALL_RIGHTS));
    EXPECT_EQ(Pinned(), 8U);
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::LOC_QP_OP_ERR));
    EXPECT_EQ(Pinned(), 4U);
}

TEST_F(PinnedMemory, OfFlushedRegistrationsIsReleased)
{
    ASSERT_TRUE(m_server.pair->PostSend(
        {Invalidate(1, 0x77777701), Register(2, AllocateRegion(), m_memory, 5, ALL_RIGHTS)}));
    EXPECT_EQ(Pinned(), 4U);
    Run();
    EXPECT_THAT(m_server.SentStatuses(), ElementsAre(Status::LOC_QP_OP_ERR, Status::WR_FLUSH_ERR));
    EXPECT_EQ(Pinned(), 0U);
    PostSend(m_server, Register(3, AllocateRegion(), m_memory, 5, ALL_RIGHTS));
    EXPECT_EQ(Pinned(), 0U) << "flushed at once";
}

TEST_F(PinnedMemory, OfADestroyedQueuePairsWorkIsReleased)
{
    PostSend(m_server, Register(2, AllocateRegion(), m_memory, 5, ALL_RIGHTS));
    EXPECT_EQ(Pinned(), 4U);
    ASSERT_TRUE(m_server.device->Destroy(m_server.pair));
    EXPECT_EQ(Pinned(), 0U);
}

TEST_F(PinnedMemory, IsTracedAndMayFallBelowALoweredLimit)
{
    std::vector<uint64_t> counts;
    m_server.memory->TraceConnectWithoutContext(
        "PinnedPages",
        Callback<void, uint64_t, uint64_t>(
            [&counts](uint64_t, uint64_t after) { counts.push_back(after); }));
    const auto region = RegisterAll(m_server, m_memory, ALL_RIGHTS, 0);
    m_server.memory->SetAttribute("MaxPinnedPages", UintegerValue(2));
    EXPECT_FALSE(m_server.memory->Pin(1));
    ASSERT_TRUE(m_server.device->Destroy(region));
    EXPECT_TRUE(m_server.memory->Pin(2));
    EXPECT_FALSE(m_server.memory->Pin(~uint64_t{0}));
    EXPECT_THAT(counts, ElementsAre(4, 0, 2));
}

TEST_F(PinnedMemory, WorkThatPinsNothingIsNotLimited)
{
    RegisterAll(m_server, m_memory, ALL_RIGHTS, 0);
    m_server.memory->SetAttribute("MaxPinnedPages", UintegerValue(2));
    const HostBuffer message = m_server.Fill(Pattern(10));
    PostReceive(m_client, 1, Keep(m_client.Room(10)));
    PostSend(m_server, Send(1, message));
    Run();
    EXPECT_THAT(m_client.ReceivedStatuses(), Each(Status::SUCCESS));
    ExpectNoMemory({Register(2, AllocateRegion(), m_memory, 5, ALL_RIGHTS)});
}

} // namespace ns3::nfsrdma
