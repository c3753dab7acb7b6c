/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/server.h"

#include "ns3/simulator.h"
#include "ns3/string.h"
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

/// A program whose results begin with what it was made with: NFS's OK is 0.
class StatusProgram : public RpcProgram
{
  public:
    explicit StatusProgram(uint32_t status)
        : m_status(status)
    {
    }

    [[nodiscard]] uint32_t GetProgram() const override
    {
        return 100003;
    }

    [[nodiscard]] uint32_t GetVersion() const override
    {
        return 3;
    }

    void Dispatch(std::shared_ptr<RpcServerCall> /* call */, Done done) override
    {
        XdrWriter results;
        results.WriteU32(m_status);
        RpcServerReply reply;
        reply.results.octets = results.Take();
        done(std::move(reply));
    }

  private:
    uint32_t m_status;
};

class UnprovenLimit : public ConnectionLimit, public ::testing::WithParamInterface<uint32_t>
{
  protected:
    void Call(uint64_t connection, uint32_t procedure)
    {
        RpcCallHeader header;
        header.xid = ++m_calls;
        header.program = 100003;
        header.version = 3;
        header.procedure = procedure;
        header.flavor = RpcAuthFlavor::SYS;
        XdrWriter writer;
        header.Encode(writer);
        RpcReceivedMessage message;
        message.octets = writer.Take();
        m_server->Receive(
            std::move(message),
            [this](RpcPayload&&) { ++m_replies; },
            IpAddress(),
            connection);
        Simulator::Run();
    }

    uint32_t m_calls{0};
    uint32_t m_replies{0};
};

TEST_P(UnprovenLimit, AConnectionIsProvenByACallOfNfsThatSucceeds)
{
    m_server->SetAttribute("MaxConnections", UintegerValue(1));
    m_server->SetAttribute("LimitedConnections", StringValue("unproven"));
    m_server->Register(Create<StatusProgram>(GetParam()));
    const uint64_t first = Open();
    const uint64_t second = Open();
    Call(first, 1);
    Call(second, 0);
    EXPECT_EQ(m_replies, 2U);
    Open();
    EXPECT_EQ(m_closed, GetParam() == 0 ? std::vector<uint64_t>{} : std::vector<uint64_t>{first});
    Open();
    EXPECT_EQ(m_closed.back(), second) << "NULL proves nothing";
}

INSTANTIATE_TEST_SUITE_P(Statuses, UnprovenLimit, ::testing::Values(0U, 70U));

TEST_F(ConnectionLimit, SixtyFourUnprovenConnectionsByDefault)
{
    m_server->SetAttribute("LimitedConnections", StringValue("unproven"));
    EXPECT_EQ(m_server->GetConnectionLimit(), 64U);
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
