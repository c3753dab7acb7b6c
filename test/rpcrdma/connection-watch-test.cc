/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/connection-watch.h"

#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <string>

namespace ns3::nfsrdma
{
namespace
{

class ConnectionWatchTest : public testing::Test
{
  protected:
    ~ConnectionWatchTest() override
    {
        m_watch.Stop();
        Simulator::Destroy();
    }

    void Run(Time until)
    {
        Simulator::Stop(until - Simulator::Now());
        Simulator::Run();
    }

    RpcRdmaConnectionWatch::Settings m_settings;
    bool m_idle{true};
    Time m_used;
    Time m_heard;
    bool m_posts{true}; ///< A probe can be sent.
    uint32_t m_sent{0}; ///< Probes.
    std::string m_dropped;
    RpcRdmaConnectionWatch m_watch{m_settings,
                                   {[this] { return m_idle; },
                                    [this] { return m_used; },
                                    [this] { return m_heard; },
                                    [this] {
                                        m_sent += m_posts ? 1 : 0;
                                        return m_posts;
                                    },
                                    [this](const std::string& reason) { m_dropped = reason; }}};
};

TEST_F(ConnectionWatchTest, AnIdleConnectionIsDroppedAfterItsTime)
{
    m_settings.idleTimeout = Seconds(10);
    m_watch.Start();
    Run(Seconds(5));
    m_used = Simulator::Now();
    Run(Seconds(14));
    EXPECT_EQ(m_dropped, "");
    Run(Seconds(15));
    EXPECT_EQ(m_dropped, "no calls for client_idle_timeout");
}

TEST_F(ConnectionWatchTest, APendingCallKeepsTheConnection)
{
    m_settings.idleTimeout = Seconds(10);
    m_idle = false;
    m_watch.Start();
    Run(Seconds(100));
    EXPECT_EQ(m_dropped, "");
}

TEST_F(ConnectionWatchTest, WithoutPeriodsNothingIsDone)
{
    m_watch.Start();
    Run(Seconds(1000));
    EXPECT_EQ(m_sent, 0U);
    EXPECT_EQ(m_dropped, "");
}

TEST_F(ConnectionWatchTest, ASilentPeerIsAskedOnceAndThenGivenUp)
{
    m_settings.probePeriod = Seconds(10);
    m_watch.Start();
    Run(Seconds(10));
    EXPECT_EQ(m_sent, 1U);
    EXPECT_EQ(m_watch.GetProbes(), 1U);
    Run(Seconds(19));
    EXPECT_EQ(m_dropped, "");
    Run(Seconds(20));
    EXPECT_EQ(m_sent, 1U);
    EXPECT_EQ(m_dropped, "no answer to a probe in client_probe_period");
}

TEST_F(ConnectionWatchTest, AnAnswerBeginsThePeriodAnew)
{
    m_settings.probePeriod = Seconds(10);
    m_watch.Start();
    Run(Seconds(11));
    m_heard = Simulator::Now();
    m_watch.EndProbe();
    EXPECT_EQ(m_watch.GetProbes(), 0U);
    Run(Seconds(20));
    EXPECT_EQ(m_sent, 1U);
    Run(Seconds(21));
    EXPECT_EQ(m_sent, 2U);
    EXPECT_EQ(m_dropped, "");
}

TEST_F(ConnectionWatchTest, AProbeThatCannotBePostedIsNotOutstanding)
{
    m_settings.probePeriod = Seconds(10);
    m_posts = false;
    m_watch.Start();
    Run(Seconds(10));
    EXPECT_EQ(m_watch.GetProbes(), 0U);
    Run(Seconds(20));
    EXPECT_NE(m_dropped, "");
}

TEST_F(ConnectionWatchTest, ItsEndForgetsProbes)
{
    m_settings.probePeriod = Seconds(10);
    m_watch.Start();
    Run(Seconds(10));
    m_watch.Reset();
    EXPECT_EQ(m_watch.GetProbes(), 0U);
    Run(Seconds(50));
    EXPECT_EQ(m_dropped, "");
}

} // namespace
} // namespace ns3::nfsrdma
