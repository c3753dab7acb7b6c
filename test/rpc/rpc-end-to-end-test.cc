/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/rpc-loop.h"
#include "wire/hex-bytes.h"

#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

class RpcEndToEnd : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        m_program = Create<AdderProgram>(3);
        m_server->Register(m_program);
        m_server->Register(Create<AdderProgram>(5));
        m_transport = CreateObject<LoopTransport>(m_server);
        m_client->SetTransport(m_transport);
        m_client->SetProgram(400000, 3);
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    void Call(uint32_t procedure = 1, uint32_t words = 2)
    {
        XdrWriter writer;
        for (uint32_t i = 0; i < words; ++i)
        {
            writer.WriteU32(21);
        }
        RpcArguments arguments;
        arguments.octets = writer.Take();
        m_client->Call(procedure,
                       std::move(arguments),
                       RpcReplyEstimate(),
                       [this](RpcRecord& record, const RpcReceivedMessage&, XdrReader& reader) {
                           m_records.push_back(record);
                           m_sums.push_back(reader.ReadU32());
                       });
    }

    /// \return the server's answer to \p octets; empty when it drops them.
    ByteVector Answer(const char* hex)
    {
        RpcReceivedMessage message;
        message.octets = HexBytes(hex);
        ByteVector answer;
        m_server->Receive(std::move(message),
                          [&answer](RpcPayload&& payload) { answer = payload.octets; });
        Simulator::Run();
        return answer;
    }

    Ptr<RpcServer> m_server{CreateObject<RpcServer>()};
    Ptr<RpcClient> m_client{CreateObject<RpcClient>()};
    Ptr<AdderProgram> m_program;
    Ptr<LoopTransport> m_transport;
    std::vector<RpcRecord> m_records;
    std::vector<uint32_t> m_sums;
};

TEST_F(RpcEndToEnd, CallCostsEveryPartAndReturnsResults)
{
    m_client->GetTransport()->SetAttribute("FirstXid", UintegerValue(77));
    Call();
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 1U);
    EXPECT_EQ(m_sums.front(), 42U);
    const RpcRecord& record = m_records.front();
    EXPECT_EQ(record.xid, 77U);
    EXPECT_EQ(record.outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(record.submitted, Time(0));
    EXPECT_EQ(record.completed, MicroSeconds(5 + 5 + 10 + 5));
}

TEST_F(RpcEndToEnd, ThreadsAreHeldAndCallsWaitInOrder)
{
    m_server->SetAttribute("Threads", UintegerValue(2));
    for (int i = 0; i < 5; ++i)
    {
        Call();
    }
    Simulator::Schedule(MicroSeconds(6), [this] {
        EXPECT_EQ(m_server->GetBusyThreads(), 2U);
        EXPECT_EQ(m_server->GetQueuedCalls(), 3U);
    });
    Simulator::Run();
    const std::vector<Time> expected{MicroSeconds(10),
                                     MicroSeconds(10),
                                     MicroSeconds(25),
                                     MicroSeconds(25),
                                     MicroSeconds(40)};
    EXPECT_EQ(m_program->started, expected);
    EXPECT_EQ(m_server->GetBusyThreads(), 0U);
    EXPECT_EQ(m_server->GetStatistics().calls, 5U);
}

TEST_F(RpcEndToEnd, RefusalsAreRejected)
{
    Call(9);
    Call(1, 1);
    m_client->SetProgram(400001, 3);
    Call();
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 3U);
    for (const RpcRecord& record : m_records)
    {
        EXPECT_EQ(record.outcome, RpcOutcome::REJECTED);
    }
    EXPECT_EQ(m_server->GetStatistics().badCall, 3U);
}

TEST_F(RpcEndToEnd, SpoiltReplyIsBad)
{
    m_transport->replyLimit = 20;
    Call();
    Simulator::Run();
    ASSERT_EQ(m_records.size(), 1U);
    EXPECT_EQ(m_records.front().outcome, RpcOutcome::BAD_REPLY);
}

TEST_F(RpcEndToEnd, ServerAnswersAsRfc5531)
{
    EXPECT_EQ(Answer("00000009 00000000 00000003"),
              HexBytes("00000009 00000001 00000001 00000000 00000002 00000002"));
    EXPECT_EQ(Answer("00000009 00000000 00000002 00061a81 00000003 00000000 00000000 00000000 "
                     "00000000 00000000"),
              HexBytes("00000009 00000001 00000000 00000000 00000000 00000001"));
    EXPECT_EQ(Answer("00000009 00000000 00000002 00061a80 00000004 00000000 00000000 00000000 "
                     "00000000 00000000"),
              HexBytes("00000009 00000001 00000000 00000000 00000000 00000002 00000003 00000005"));
    EXPECT_EQ(Answer("00000009 00000000 00000002 00061a80 00000003 00000009 00000000 00000000 "
                     "00000000 00000000"),
              HexBytes("00000009 00000001 00000000 00000000 00000000 00000003"));
    EXPECT_EQ(Answer("00000009 00000000 00000002 00061a80 00000003 00000001 00000000 00000000 "
                     "00000000 00000000"),
              HexBytes("00000009 00000001 00000000 00000000 00000000 00000004"));
    EXPECT_EQ(Answer("00000009 00000000 00000002 00061a80 00000003 00000001 00000006 00000000 "
                     "00000000 00000000"),
              HexBytes("00000009 00000001 00000001 00000001 00000001"));
}

TEST_F(RpcEndToEnd, WhatIsNoCallIsDropped)
{
    EXPECT_TRUE(Answer("00000009 00000001 00000000").empty());
    EXPECT_TRUE(Answer("00000009 0000").empty());
    EXPECT_TRUE(Answer("").empty());
    EXPECT_EQ(m_server->GetStatistics().badFormat, 3U);
    EXPECT_EQ(m_server->GetStatistics().calls, 0U);
}

TEST(RpcRecord, FormsHaveNames)
{
    RpcRecord record;
    EXPECT_EQ(record.GetForm(), "msg/inline");
    record.readSegments = 1;
    EXPECT_EQ(record.GetForm(), "msg+R/inline");
    record.callType = 1;
    record.replySegments = 3;
    EXPECT_EQ(record.GetForm(), "nomsg+R+reply");
    record = RpcRecord();
    record.writeChunks = 1;
    EXPECT_EQ(record.GetForm(), "msg+W");
}

} // namespace
} // namespace ns3::nfsrdma
