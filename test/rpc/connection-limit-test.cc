/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/server.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

class ConnectionLimit : public ::testing::Test
{
  protected:
    ConnectionLimit()
    {
        m_server->TraceConnectWithoutContext("ConnectionLimited",
                                             MakeCallback(&ConnectionLimit::Limited, this));
    }

    ~ConnectionLimit() override
    {
        m_server->Dispose();
        Simulator::Destroy();
    }

    void Limited(uint64_t connection)
    {
        m_limited.push_back(connection);
    }

    uint64_t Open()
    {
        return m_server->OpenConnection([this](uint64_t connection, const std::string& reason) {
            m_closed.push_back(connection);
            m_reason = reason;
        });
    }

    void Open(uint32_t connections)
    {
        for (uint32_t i = 0; i < connections; ++i)
        {
            Open();
        }
    }

    Ptr<RpcServer> m_server{CreateObject<RpcServer>()};
    std::vector<uint64_t> m_closed;
    std::vector<uint64_t> m_limited;
    std::string m_reason;
};

/// svc_check_conn_limits() looks before the newcomer counts, so that there is one more.
TEST_F(ConnectionLimit, TheOldestIsClosedForANewcomer)
{
    m_server->SetAttribute("MaxConnections", UintegerValue(2));
    Open(3);
    EXPECT_TRUE(m_closed.empty());
    Open(2);
    EXPECT_EQ(m_closed, (std::vector<uint64_t>{1, 2}));
    EXPECT_EQ(m_limited, m_closed);
    EXPECT_EQ(m_server->GetStatistics().connectionsLimited, 2U);
    EXPECT_NE(m_reason.find("nfs.max_connections"), std::string::npos);
}

TEST_F(ConnectionLimit, WhatHasEndedCountsNoLonger)
{
    m_server->SetAttribute("MaxConnections", UintegerValue(2));
    Open(3);
    m_server->EndConnection(2);
    Open();
    EXPECT_TRUE(m_closed.empty());
    Open();
    EXPECT_EQ(m_closed, std::vector<uint64_t>{1});
    Open();
    EXPECT_EQ(m_closed, (std::vector<uint64_t>{1, 3}));
}

TEST_F(ConnectionLimit, FollowsFromTheThreadsAsInLinux)
{
    m_server->SetAttribute("Threads", UintegerValue(1));
    EXPECT_EQ(m_server->GetConnectionLimit(), 80U);
    Open(81);
    EXPECT_TRUE(m_closed.empty());
    Open();
    EXPECT_EQ(m_closed, std::vector<uint64_t>{1});
    EXPECT_NE(m_reason.find("(nfs.threads + 3) x 20"), std::string::npos);
    m_server->SetAttribute("Threads", UintegerValue(8));
    EXPECT_EQ(m_server->GetConnectionLimit(), 220U);
}

TEST_F(ConnectionLimit, ARestartForgetsThem)
{
    m_server->SetAttribute("MaxConnections", UintegerValue(1));
    Open(2);
    m_server->Restart();
    Open(2);
    EXPECT_TRUE(m_closed.empty());
}

TEST_F(ConnectionLimit, DoesNotCountWhatCannotBeClosed)
{
    m_server->SetAttribute("MaxConnections", UintegerValue(1));
    for (int i = 0; i < 10; ++i)
    {
        EXPECT_NE(m_server->OpenConnection(), 0U);
    }
    Open(2);
    EXPECT_TRUE(m_closed.empty());
}

} // namespace
} // namespace ns3::nfsrdma
