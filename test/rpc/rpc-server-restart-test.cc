/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/rpc-loop.h"

#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

/// A server of two threads whose calls take 10 us; calls by number of how they ended.
class RpcServerRestartTest : public ::testing::Test
{
  protected:
    RpcServerRestartTest()
    {
        m_server->SetAttribute("Threads", UintegerValue(2));
        m_server->SetAttribute("CallCost", TimeValue(MicroSeconds(1)));
        m_server->Register(m_program);
    }

    ~RpcServerRestartTest() override
    {
        m_server->Dispose();
        Simulator::Destroy();
    }

    void Call()
    {
        const uint32_t xid = ++m_calls;
        m_server->Receive(MakeAdderCall(*m_program, xid),
                          [this, xid](RpcPayload&&) { m_replied.push_back(xid); });
    }

    Ptr<RpcServer> m_server{CreateObject<RpcServer>()};
    Ptr<AdderProgram> m_program{Create<AdderProgram>(1)};
    uint32_t m_calls{0};
    std::vector<uint32_t> m_replied;
};

TEST_F(RpcServerRestartTest, CallsFromBeforeHaveNoReply)
{
    for (int i = 0; i < 3; ++i)
    {
        Call(); // Two are taken, one waits.
    }
    Simulator::Schedule(MicroSeconds(5), [this] {
        EXPECT_EQ(m_server->GetBusyThreads(), 2U);
        EXPECT_EQ(m_server->GetQueuedCalls(), 1U);
        m_server->Restart();
        EXPECT_EQ(m_server->GetBusyThreads(), 0U);
        EXPECT_EQ(m_server->GetQueuedCalls(), 0U);
        Call();
        Call();
        EXPECT_EQ(m_server->GetBusyThreads(), 2U);
    });
    Simulator::Run();
    EXPECT_EQ(m_replied, (std::vector<uint32_t>{4, 5}));
    EXPECT_EQ(m_program->started.size(), 4U);
    EXPECT_EQ(m_server->GetBusyThreads(), 0U);
}

TEST_F(RpcServerRestartTest, CallThatAThreadHadJustTakenIsNotCarriedOut)
{
    Call();
    m_server->Restart();
    Simulator::Run();
    EXPECT_TRUE(m_replied.empty());
    EXPECT_TRUE(m_program->started.empty());
}

TEST_F(RpcServerRestartTest, CallsWaitForThreadsThatStandStill)
{
    m_server->SetStalledThreads(2);
    Call();
    Simulator::Schedule(MilliSeconds(1), [this] {
        EXPECT_EQ(m_server->GetQueuedCalls(), 1U);
        m_server->SetStalledThreads(1);
        EXPECT_EQ(m_server->GetBusyThreads(), 1U);
    });
    Simulator::Run();
    EXPECT_EQ(m_replied.size(), 1U);
    EXPECT_EQ(Simulator::Now(), MicroSeconds(1011));
}

} // namespace

} // namespace ns3::nfsrdma
