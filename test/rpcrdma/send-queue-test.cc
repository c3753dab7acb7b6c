/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/send-queue.h"

#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <vector>

namespace ns3::nfsrdma::test
{
namespace
{

class SendQueueTest : public testing::Test
{
  protected:
    static constexpr uint32_t DEPTH = 4;

    void TearDown() override
    {
        m_queue.reset();
        Simulator::Destroy();
    }

    void Post(std::size_t length)
    {
        const auto number = m_posts++;
        m_queue->Post(std::vector<SendWorkRequest>(length),
                      [this, number] { m_done.push_back(number); });
    }

    void Complete(uint64_t id, WorkCompletionStatus status = WorkCompletionStatus::SUCCESS)
    {
        WorkCompletion completion;
        completion.id = id;
        completion.status = status;
        m_queue->HandleCompletion(completion);
    }

    /// \return how many work requests there were in each chain posted.
    std::vector<std::size_t> GetLengths() const
    {
        std::vector<std::size_t> lengths;
        for (const auto& chain : m_chains)
        {
            lengths.push_back(chain.size());
        }
        return lengths;
    }

    std::vector<std::vector<SendWorkRequest>> m_chains;
    std::vector<std::size_t> m_done;
    std::size_t m_posts{0};
    int m_refusals{0};
    std::optional<VerbsError> m_error;
    std::shared_ptr<SvcRdmaStatistics> m_statistics{std::make_shared<SvcRdmaStatistics>()};
    std::unique_ptr<SvcRdmaSendQueue> m_queue{std::make_unique<SvcRdmaSendQueue>(
        [this](const std::vector<SendWorkRequest>& chain) -> tl::expected<void, VerbsError> {
            if (m_error)
            {
                return tl::make_unexpected(*m_error);
            }
            m_chains.push_back(chain);
            return {};
        },
        DEPTH,
        m_statistics)};
};

TEST_F(SendQueueTest, WhatWaitsEndsWithTheQueue)
{
    const auto held = std::make_shared<int>(0);
    for (const SvcRdmaSendTurns turns : {SvcRdmaSendTurns::IN_TURN, SvcRdmaSendTurns::CROWD})
    {
        m_queue->SetTurns(turns);
        for (int i = 0; i < 3; ++i)
        {
            m_queue->Begin();
            m_queue->Post(std::vector<SendWorkRequest>(3), [this, held] { m_done.push_back(0); });
        }
    }
    EXPECT_EQ(m_queue->GetWaiting(), 15U);
    EXPECT_EQ(held.use_count(), 7);
    m_queue.reset();
    EXPECT_EQ(held.use_count(), 1) << "what waited has let go of what it was to send";
    EXPECT_TRUE(m_done.empty());
}

/// Room for all but one goes to those that came last, and a chain that fits overtakes; what belongs
/// to one reply keeps its order.
TEST_F(SendQueueTest, InACrowdTheYoungestThatFitsIsNext)
{
    const auto post = [this](SvcRdmaSendTurns turns) {
        m_queue->SetTurns(turns);
        m_chains.clear();
        m_done.clear();
        m_posts = 0;
        for (const std::size_t length : std::vector<std::size_t>{DEPTH - 1, DEPTH, 2, 3})
        {
            m_queue->Begin();
            Post(length);
        }
        Post(2); // Of the same turn as the one of 3.
        m_queue->Begin();
        Post(1);
    };
    post(SvcRdmaSendTurns::IN_TURN);
    EXPECT_EQ(GetLengths(), (std::vector<std::size_t>{DEPTH - 1}));
    for (uint64_t id = 1; id <= 6; ++id)
    {
        Complete(id);
    }
    EXPECT_EQ(m_done, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));

    post(SvcRdmaSendTurns::CROWD);
    EXPECT_EQ(GetLengths(), (std::vector<std::size_t>{DEPTH - 1, 1})) << "the last found room";
    for (uint64_t id = 7; id <= 12; ++id)
    {
        Complete(id);
    }
    EXPECT_EQ(m_done, (std::vector<std::size_t>{0, 5, 3, 4, 2, 1}));
    EXPECT_EQ(m_queue->GetWaiting(), 0U);
}

/// Its parts may be those of one message, which must follow one another.
TEST_F(SendQueueTest, NothingComesBetweenThePartsOfAChainInACrowd)
{
    m_queue->SetTurns(SvcRdmaSendTurns::CROWD);
    m_queue->Begin();
    Post(2 * DEPTH + 2);
    for (const std::size_t length : std::vector<std::size_t>{1, 3})
    {
        m_queue->Begin();
        Post(length);
    }
    for (uint64_t id = 1; id <= 5; ++id)
    {
        Complete(id);
    }
    EXPECT_EQ(GetLengths(), (std::vector<std::size_t>{DEPTH, DEPTH, 2, 1, 3}));
    EXPECT_EQ(m_done, (std::vector<std::size_t>{0, 1, 2}));
}

TEST_F(SendQueueTest, ThePartsOfAChainKeepTheirOrderWhenThereIsNoMemoryForTheFirst)
{
    m_queue->SetTurns(SvcRdmaSendTurns::CROWD);
    m_queue->Begin();
    Post(DEPTH);
    m_queue->Begin();
    Post(3);
    m_queue->Begin();
    Post(DEPTH + 1);
    m_error = VerbsError::NO_MEMORY;
    Complete(1);
    m_error.reset();
    Simulator::Run();
    for (uint64_t id = 2; id <= 4; ++id)
    {
        Complete(id);
    }
    EXPECT_EQ(GetLengths(), (std::vector<std::size_t>{DEPTH, DEPTH, 1, 3}));
    EXPECT_EQ(m_done, (std::vector<std::size_t>{0, 2, 1}));
}

TEST_F(SendQueueTest, OnlyTheLastOfAChainIsSignaled)
{
    Post(3);
    ASSERT_EQ(m_chains.size(), 1U);
    EXPECT_FALSE(m_chains[0][0].signaled);
    EXPECT_FALSE(m_chains[0][1].signaled);
    EXPECT_TRUE(m_chains[0][2].signaled);
    EXPECT_EQ(m_chains[0][2].id, 1U);
    EXPECT_TRUE(m_done.empty());
    Complete(1);
    EXPECT_EQ(m_done, std::vector<std::size_t>{0});
}

TEST_F(SendQueueTest, WhatFindsNoRoomWaitsAndNothingPassesIt)
{
    Post(3);
    Post(2);
    Post(1);
    EXPECT_EQ(GetLengths(), (std::vector<std::size_t>{3}));
    EXPECT_EQ(m_queue->GetWaiting(), 3U);
    EXPECT_EQ(m_statistics->sqStarve, 2U);
    Complete(1);
    EXPECT_EQ(GetLengths(), (std::vector<std::size_t>{3, 2, 1}));
    EXPECT_EQ(m_queue->GetWaiting(), 0U);
}

TEST_F(SendQueueTest, AChainLongerThanTheQueueGoesInParts)
{
    Post(2 * DEPTH + 1);
    EXPECT_EQ(GetLengths(), (std::vector<std::size_t>{DEPTH}));
    Complete(1);
    Complete(2);
    EXPECT_EQ(GetLengths(), (std::vector<std::size_t>{DEPTH, DEPTH, 1}));
    EXPECT_TRUE(m_done.empty());
    Complete(3);
    EXPECT_EQ(m_done, std::vector<std::size_t>{0});
}

TEST_F(SendQueueTest, CompletionsOfOthersAndFailuresAreNotItsOwn)
{
    Post(1);
    Complete(77);
    Complete(1, WorkCompletionStatus::WR_FLUSH_ERR);
    EXPECT_TRUE(m_done.empty());
    Complete(1);
    EXPECT_EQ(m_done.size(), 1U);
}

TEST_F(SendQueueTest, WithoutMemoryItIsTriedAgainSoon)
{
    m_error = VerbsError::NO_MEMORY;
    Post(1);
    EXPECT_TRUE(m_chains.empty());
    EXPECT_EQ(m_queue->GetWaiting(), 1U);
    m_error.reset();
    Simulator::Run();
    EXPECT_EQ(m_chains.size(), 1U);
    EXPECT_GT(Simulator::Now(), Time(0));
}

TEST_F(SendQueueTest, ARefusalIsTold)
{
    m_queue->SetRefused([this] { ++m_refusals; });
    m_error = VerbsError::NOT_CONNECTED;
    Post(1);
    EXPECT_EQ(m_refusals, 1);
    EXPECT_EQ(m_queue->GetWaiting(), 0U);
    EXPECT_TRUE(m_done.empty());
}

TEST_F(SendQueueTest, NothingToPostIsDoneAtOnce)
{
    m_queue->PostIfAny({}, [this] { m_done.push_back(9); });
    EXPECT_EQ(m_done, std::vector<std::size_t>{9});
    EXPECT_TRUE(m_chains.empty());
}

} // namespace
} // namespace ns3::nfsrdma::test
