/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-fixture.h"
#include "rpcrdma/client/send-room.h"

#include <memory>
#include <numeric>

namespace ns3::nfsrdma
{
namespace
{

/// Room in the send queue of a connection, whose peer has receives for everything.
class RpcRdmaSendRoomTest : public RnicTest
{
  protected:
    static constexpr uint32_t DEPTH = 4;
    static constexpr uint32_t RECEIVES = 32;

    QueuePairCapabilities GetCapabilities(const RnicHost& /* host */) override
    {
        return {DEPTH, RECEIVES};
    }

    void Completed(RnicHost& host, const WorkCompletion& completion) override
    {
        if (&host == &m_client && m_room)
        {
            m_room->HandleCompletion(completion);
        }
    }

    void MakeRoom()
    {
        m_room = std::make_unique<RpcRdmaSendRoom>(m_client.pair, DEPTH, [this] { ++m_refusals; });
    }

    void TearDown() override
    {
        m_room.reset();
        RnicTest::TearDown();
    }

    /// Posts \p count Sends, the n-th ever of n octets.
    tl::expected<void, VerbsError> Post(uint32_t count)
    {
        RpcRdmaSendRoom::Chain chain;
        for (uint32_t i = 0; i < count; ++i)
        {
            ++m_posted;
            SendWorkRequest send = Send(m_posted, Keep(m_client.Fill(Pattern(m_posted))));
            send.signaled = false;
            chain.push_back(std::move(send));
        }
        return m_room->Post(std::move(chain));
    }

    void Begin()
    {
        Connect();
        for (uint32_t i = 0; i < RECEIVES; ++i)
        {
            PostReceive(m_server, i, Keep(m_server.Room(64)));
        }
        MakeRoom();
    }

    /// All that was posted has arrived, in order.
    void ExpectAllArrived()
    {
        std::vector<uint32_t> lengths;
        for (const WorkCompletion& completion : m_server.received)
        {
            lengths.push_back(completion.length);
        }
        std::vector<uint32_t> expected(m_posted);
        std::iota(expected.begin(), expected.end(), 1);
        EXPECT_EQ(lengths, expected);
        EXPECT_EQ(m_room->GetWaiting(), 0U);
        EXPECT_EQ(m_refusals, 0U);
    }

    std::unique_ptr<RpcRdmaSendRoom> m_room;
    uint32_t m_posted{0};
    uint32_t m_refusals{0};
};

TEST_F(RpcRdmaSendRoomTest, WhoTakesTheLastRoomIsSignaled)
{
    Begin();
    ASSERT_TRUE(Post(3));
    Run();
    EXPECT_THAT(m_client.SentIds(), IsEmpty());
    ASSERT_TRUE(Post(1));
    Run();
    EXPECT_THAT(m_client.SentIds(), ElementsAre(4));
    ASSERT_TRUE(Post(4));
    EXPECT_EQ(m_room->GetWaiting(), 0U) << "the completion tells of all before it";
    Run();
    ExpectAllArrived();
}

TEST_F(RpcRdmaSendRoomTest, WhatFindsNoRoomWaitsAndNothingPassesIt)
{
    Begin();
    ASSERT_TRUE(Post(3));
    ASSERT_TRUE(Post(2));
    EXPECT_EQ(m_room->GetWaiting(), 1U) << "a part of the chain has found room";
    ASSERT_TRUE(Post(1));
    EXPECT_EQ(m_room->GetWaiting(), 2U);
    Run();
    EXPECT_THAT(m_client.SentIds(), ElementsAre(RpcRdmaSendRoom::OWN_WORK));
    ExpectAllArrived();
}

TEST_F(RpcRdmaSendRoomTest, AChainLongerThanTheQueueGoesInParts)
{
    Begin();
    ASSERT_TRUE(Post(11));
    EXPECT_EQ(m_room->GetWaiting(), 7U);
    Run();
    EXPECT_THAT(m_client.SentIds(),
                ElementsAre(RpcRdmaSendRoom::OWN_WORK, RpcRdmaSendRoom::OWN_WORK));
    ExpectAllArrived();
}

TEST_F(RpcRdmaSendRoomTest, AUsersOwnIdStaysWithWhatItHasSignaled)
{
    Begin();
    RpcRdmaSendRoom::Chain chain;
    for (uint32_t i = 0; i < 6; ++i)
    {
        chain.push_back(Send(100 + i, Keep(m_client.Fill(Pattern(++m_posted)))));
        chain.back().signaled = i == 3;
    }
    ASSERT_TRUE(m_room->Post(std::move(chain)));
    Run();
    EXPECT_THAT(m_client.SentIds(), ElementsAre(103));
    ExpectAllArrived();
}

TEST_F(RpcRdmaSendRoomTest, ARefusalAtOnceIsReturned)
{
    MakeRoom();
    const auto posted = Post(1);
    ASSERT_FALSE(posted);
    EXPECT_EQ(posted.error(), VerbsError::NOT_CONNECTED);
    EXPECT_EQ(m_refusals, 0U);
}

TEST_F(RpcRdmaSendRoomTest, ARefusalOfWhatHasWaitedIsTold)
{
    Begin();
    ASSERT_TRUE(Post(DEPTH));
    SendWorkRequest bad = Send(99, Keep(m_client.Room(8)));
    bad.elements.resize(1000);
    ASSERT_TRUE(m_room->Post({bad}));
    EXPECT_EQ(m_room->GetWaiting(), 1U);
    WorkCompletion failure;
    failure.status = WorkCompletionStatus::WR_FLUSH_ERR;
    m_room->HandleCompletion(failure);
    EXPECT_EQ(m_refusals, 0U) << "a completion that failed gives no room";
    Run();
    EXPECT_EQ(m_refusals, 1U);
}

} // namespace
} // namespace ns3::nfsrdma
