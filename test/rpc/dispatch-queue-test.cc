/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/dispatch-queue.h"
#include "wire/ip-address.h"

#include <array>
#include <gtest/gtest.h>
#include <string>

namespace ns3::nfsrdma
{
namespace
{

constexpr std::array<uint64_t, 3> GREEDY{1, 2, 3};
constexpr uint64_t MODEST = 4;

/// Connections 1 to 3 are of one client, 4 of another.
class DispatchQueueTest : public ::testing::Test
{
  protected:
    [[nodiscard]] static IpAddress ClientOf(uint64_t connection)
    {
        return {connection == MODEST ? 0x0a000002U : 0x0a000001U};
    }

    void Put(uint64_t connection, const std::string& call)
    {
        m_queue.Put(connection, ClientOf(connection), std::string(call));
    }

    /// A thread takes a connection and a call. \return the call; "-": none
    std::string Next(RpcRecheck recheck = RpcRecheck::NEVER)
    {
        auto& connection = m_queue.Turn();
        const auto call = m_queue.Take(connection, recheck);
        m_queue.Free(connection);
        return call.value_or("-");
    }

    /// \return the calls in the order in which threads take them, until none is ready.
    std::string Drain(RpcRecheck recheck = RpcRecheck::NEVER)
    {
        std::string order;
        while (m_queue.CountReady() > 0)
        {
            order += Next(recheck) + " ";
        }
        return order;
    }

    /// The greedy client has two calls on each connection before the modest one has two.
    void PutGreedy()
    {
        for (const uint64_t connection : GREEDY)
        {
            Put(connection, "g" + std::to_string(connection));
            Put(connection, "g" + std::to_string(connection));
        }
        Put(MODEST, "m4");
        Put(MODEST, "m4");
    }

    RpcDispatchQueue<std::string> m_queue;
};

TEST_F(DispatchQueueTest, ArrivalIsFirstComeFirstServed)
{
    m_queue.SetOrder(RpcDispatch::ARRIVAL);
    PutGreedy();
    EXPECT_EQ(m_queue.CountReady(), 1U);
    EXPECT_EQ(Drain(), "g1 g1 g2 g2 g3 g3 m4 m4 ");
}

TEST_F(DispatchQueueTest, ConnectionsTakeTurns)
{
    PutGreedy();
    EXPECT_EQ(m_queue.CountReady(), 4U);
    EXPECT_EQ(m_queue.GetSize(), 8U);
    EXPECT_EQ(Drain(), "g1 g2 g3 m4 g1 g2 g3 m4 ");
    EXPECT_EQ(m_queue.GetSize(), 0U);
}

TEST_F(DispatchQueueTest, ClientsTakeTurns)
{
    m_queue.SetOrder(RpcDispatch::CLIENT);
    PutGreedy();
    EXPECT_EQ(Drain(), "g1 m4 g2 m4 g3 g1 g2 g3 ");
}

TEST_F(DispatchQueueTest, TheNewestFirstTurnsTheCallsOfAConnectionRound)
{
    m_queue.SetCallOrder(RpcCallOrder::NEWEST_FIRST);
    for (const char* call : {"a", "b", "c"})
    {
        Put(1, std::string("1") + call);
        Put(MODEST, std::string("4") + call);
    }
    EXPECT_EQ(Next(), "1c");
    EXPECT_EQ(Next(), "4c");
    Put(1, "1d");
    m_queue.PutAgain(1, ClientOf(1), "1e");
    m_queue.PutAgain(1, ClientOf(1), "1f");
    EXPECT_EQ(Drain(), "1f 4b 1e 4a 1d 1b 1a ") << "those that come back go first all the same";
    EXPECT_EQ(m_queue.GetSize(), 0U);
}

TEST_F(DispatchQueueTest, ConnectionThatAThreadHasIsNotReady)
{
    Put(1, "a");
    auto& connection = m_queue.Turn();
    Put(1, "b");
    EXPECT_EQ(m_queue.CountReady(), 0U);
    EXPECT_EQ(m_queue.Take(connection, RpcRecheck::NEVER), "a");
    m_queue.Free(connection);
    EXPECT_EQ(m_queue.CountReady(), 1U);
    EXPECT_EQ(Drain(), "b ");
    EXPECT_EQ(m_queue.GetStatistics().attempts, 2U);
    EXPECT_EQ(m_queue.GetStatistics().enqueued, 2U);
    EXPECT_EQ(m_queue.GetStatistics().dequeued, 2U);
}

TEST_F(DispatchQueueTest, RecheckLooksOnceMoreInVain)
{
    Put(1, "a");
    EXPECT_EQ(Drain(RpcRecheck::LATER), "a - ");
    EXPECT_EQ(m_queue.GetStatistics().dequeued, 2U);
    EXPECT_EQ(m_queue.GetStatistics().empty, 1U);
}

TEST_F(DispatchQueueTest, RecheckFindsWhatHasComeMeanwhile)
{
    Put(1, "a");
    EXPECT_EQ(Next(RpcRecheck::LATER), "a");
    Put(1, "b");
    EXPECT_EQ(Drain(RpcRecheck::LATER), "b - ");
    EXPECT_EQ(m_queue.GetStatistics().empty, 1U);
}

TEST_F(DispatchQueueTest, RecheckAtOnceIsCountedAlone)
{
    Put(1, "a");
    Put(1, "b");
    EXPECT_EQ(Drain(RpcRecheck::AT_ONCE), "a b ");
    EXPECT_EQ(m_queue.GetStatistics().dequeued, 3U);
    EXPECT_EQ(m_queue.GetStatistics().enqueued, 3U);
    EXPECT_EQ(m_queue.GetStatistics().empty, 1U);
}

TEST_F(DispatchQueueTest, CallsThatComeBackGoFirst)
{
    Put(1, "new");
    m_queue.PutAgain(1, ClientOf(1), "seen");
    EXPECT_EQ(Drain(), "seen new ");
}

TEST_F(DispatchQueueTest, CallsOfAConnectionThatEndsAreDropped)
{
    Put(1, "a");
    Put(1, "b");
    Put(2, "c");
    EXPECT_EQ(m_queue.Remove(1), 2U);
    EXPECT_EQ(m_queue.Remove(3), 0U);
    EXPECT_EQ(m_queue.GetSize(), 1U);
    EXPECT_EQ(m_queue.CountReady(), 1U);
    EXPECT_EQ(Drain(), "c ");
}

TEST_F(DispatchQueueTest, ConnectionMayEndWhileAThreadHasIt)
{
    Put(1, "a");
    auto& connection = m_queue.Turn();
    EXPECT_EQ(m_queue.Take(connection, RpcRecheck::LATER), "a");
    EXPECT_EQ(m_queue.Remove(1), 0U);
    m_queue.Free(connection);
    EXPECT_EQ(Drain(), "- ");
    Put(2, "c");
    EXPECT_EQ(Drain(), "c ");
}

TEST_F(DispatchQueueTest, ConnectionsOfAClientThatEndLeaveItsTurn)
{
    m_queue.SetOrder(RpcDispatch::CLIENT);
    PutGreedy();
    EXPECT_EQ(m_queue.Remove(2), 2U);
    EXPECT_EQ(m_queue.Remove(MODEST), 2U);
    EXPECT_EQ(Drain(), "g1 g3 g1 g3 ");
}

TEST_F(DispatchQueueTest, ClearLeavesNothing)
{
    PutGreedy();
    m_queue.Clear();
    EXPECT_EQ(m_queue.CountReady(), 0U);
    EXPECT_EQ(m_queue.GetSize(), 0U);
    Put(1, "a");
    EXPECT_EQ(Drain(), "a ");
}

} // namespace
} // namespace ns3::nfsrdma
