/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/server-restarts.h"

#include "ns3/simulator.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{

namespace
{

/// A server that calls of no program come to.
class ServerRestartsTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_restarts->SetServer(
            m_rpc,
            [this] { ++m_stops; },
            [this] { ++m_starts; });
    }

    void TearDown() override
    {
        m_restarts->Dispose();
        Simulator::Destroy();
    }

    /// A restart after \p calls calls.
    static RecordedRestart After(uint64_t calls)
    {
        RecordedRestart restart;
        restart.calls = calls;
        restart.down = MilliSeconds(1);
        return restart;
    }

    void Call(uint32_t times)
    {
        for (uint32_t i = 0; i < times; ++i)
        {
            RpcCallHeader header;
            header.xid = ++m_xid;
            XdrWriter writer;
            header.Encode(writer);
            RpcReceivedMessage message;
            message.octets = writer.Take();
            m_rpc->Receive(std::move(message), [](RpcPayload&& /* reply */) {});
        }
        Simulator::Run();
    }

    /// A client comes to the call that a restart loses.
    void Come(std::size_t number)
    {
        m_restarts->Await(number, [this] { ++m_gone; });
        Simulator::Run();
    }

    Ptr<RpcServer> m_rpc{CreateObject<RpcServer>()};
    Ptr<ServerRestarts> m_restarts{CreateObject<ServerRestarts>()};
    uint32_t m_xid{0};
    uint32_t m_stops{0};
    uint32_t m_starts{0};
    uint32_t m_gone{0};
};

TEST_F(ServerRestartsTest, OneClientLosesItsLastCall)
{
    m_restarts->AddClient({After(3), After(5)});
    Call(2);
    Come(0);
    EXPECT_EQ(m_gone, 1U);
    EXPECT_EQ(m_stops, 0U);
    Call(1);
    EXPECT_EQ(m_stops, 1U);
    EXPECT_EQ(m_starts, 1U);
    Call(2); // The third again, and the fourth.
    Come(1);
    EXPECT_EQ(m_stops, 1U);
    Call(1);
    EXPECT_EQ(m_stops, 2U);
    EXPECT_EQ(m_starts, 2U);
}

TEST_F(ServerRestartsTest, TwoClientsHaveOneRestart)
{
    m_restarts->AddClient({After(3)});
    m_restarts->AddClient({After(3)});
    Call(2);
    Come(0);
    Call(1);
    EXPECT_EQ(m_gone, 0U);
    EXPECT_EQ(m_stops, 0U) << "the other one is not there yet";
    Call(1);
    Come(0);
    EXPECT_EQ(m_gone, 2U);
    EXPECT_EQ(m_stops, 0U);
    Call(2);
    EXPECT_EQ(m_stops, 1U);
    EXPECT_EQ(m_starts, 1U);
}

TEST_F(ServerRestartsTest, CallsOfOthersDoNotBringItForward)
{
    m_restarts->AddClient({After(3)});
    Call(10);
    EXPECT_EQ(m_stops, 0U);
    Come(0);
    Call(1);
    EXPECT_EQ(m_stops, 1U);
}

} // namespace
} // namespace ns3::nfsrdma::test
