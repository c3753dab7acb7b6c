/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <set>

namespace ns3::nfsrdma
{
namespace
{

/// Calls of EchoProgram::TEXT, whose reply is no item, over a connection.
class ReplySize : public RpcRdmaTest
{
  protected:
    static constexpr uint32_t HEAD = RpcReplyHeader::ACCEPTED_SIZE + 4;

    virtual const char* GetPolicy()
    {
        return "linux";
    }

    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("ReplyMechanism", StringValue(GetPolicy()));
        client->TraceConnectWithoutContext(
            "CallHeader",
            Callback<void, const RpcRdmaHeader&>([this](const RpcRdmaHeader& header) {
                m_xids.insert(header.xid);
                m_calls.push_back(header);
            }));
    }

    /// Asks for \p length octets with room for \p room.
    RpcRecord AskForText(uint32_t length, uint32_t room, bool bounded = true)
    {
        RpcArguments arguments;
        XdrWriter writer;
        writer.WriteU32(length);
        arguments.octets = writer.Take();
        RpcReplyEstimate reply;
        reply.head = HEAD;
        reply.tail = room;
        reply.minimum = HEAD;
        reply.bounded = bounded;
        RpcRecord ended;
        uint32_t ends = 0;
        m_intact = false;
        m_rpcClient->Call(EchoProgram::TEXT,
                          std::move(arguments),
                          reply,
                          [&](RpcRecord& record, const RpcReceivedMessage&, XdrReader& reader) {
                              ended = record;
                              ++ends;
                              const ByteSpan text = reader.ReadOpaque(UINT32_MAX);
                              m_intact = ByteVector(text.begin(), text.end()) ==
                                         MakeGivenPattern(length, 0);
                          });
        Run();
        EXPECT_EQ(ends, 1U);
        return ended;
    }

    bool m_intact{false};
    std::set<uint32_t> m_xids;
    std::vector<RpcRdmaHeader> m_calls;
};

TEST_F(ReplySize, ShortReplyChunkFailsOnceWithoutRetry)
{
    Connect();
    const RpcRecord record = AskForText(20000, 5000, false);
    EXPECT_EQ(record.outcome, RpcOutcome::TRANSPORT_ERROR);
    EXPECT_EQ(record.replyReason, ReplyReason::RDMA_ERROR);
    EXPECT_EQ(record.attempts, 1U);
    EXPECT_EQ(m_calls.size(), 1U);
    ExpectCleanEnd();
}

TEST_F(ReplySize, ShortReplyChunkIsRetriedAsAnotherRpc)
{
    m_rpcClient->SetAttribute("ReplyAttempts", UintegerValue(3));
    m_rpcClient->SetAttribute("ReplyGrowth", UintegerValue(2));
    uint32_t completions = 0;
    m_rpcClient->TraceConnectWithoutContext(
        "RpcCompleted",
        Callback<void, const RpcRecord&>([&](const RpcRecord&) { ++completions; }));
    Connect();
    const Time start = Simulator::Now();
    const RpcRecord record = AskForText(17000, 5000, false);
    EXPECT_EQ(record.outcome, RpcOutcome::SUCCESS);
    EXPECT_TRUE(m_intact);
    EXPECT_EQ(record.attempts, 3U);
    EXPECT_EQ(record.replyReason, ReplyReason::RETRIED_LARGER_REPLY_CHUNK);
    EXPECT_EQ(record.submitted, start);
    EXPECT_EQ(record.replyChunkBytes, HEAD + 17000U);
    EXPECT_EQ(completions, 1U);
    EXPECT_EQ(m_xids.size(), 3U) << "each attempt has its own XID";
    ASSERT_EQ(m_calls.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i)
    {
        ASSERT_TRUE(m_calls[i].chunks.replyChunk);
        EXPECT_EQ(GetChunkLength(*m_calls[i].chunks.replyChunk), (HEAD + 5000U) << i);
    }
    EXPECT_EQ(m_server->GetStatistics().errChunk, 2U);

    const RpcRecord tooLarge = AskForText(30000, 5000, false);
    EXPECT_EQ(tooLarge.outcome, RpcOutcome::TRANSPORT_ERROR);
    EXPECT_EQ(tooLarge.attempts, 3U);
    EXPECT_EQ(completions, 2U);

    const RpcRecord bounded = AskForText(17000, 5000, true);
    EXPECT_EQ(bounded.outcome, RpcOutcome::TRANSPORT_ERROR);
    EXPECT_EQ(bounded.attempts, 1U);
    ExpectCleanEnd();
}

/// Every policy for what is offered for a reply.
class ReplyMechanismSize : public ReplySize, public ::testing::WithParamInterface<std::string>
{
  protected:
    const char* GetPolicy() override
    {
        return GetParam().c_str();
    }

    /// \return octets that call \p index had room for.
    uint64_t GetRoom(std::size_t index) const
    {
        const auto& chunk = m_calls.at(index).chunks.replyChunk;
        return chunk ? GetChunkLength(*chunk) : 4096 - RpcRdmaHeader::MINIMUM_SIZE;
    }
};

TEST_P(ReplyMechanismSize, EachRetryHasMoreRoom)
{
    m_rpcClient->SetAttribute("ReplyAttempts", UintegerValue(8));
    m_rpcClient->SetAttribute("ReplyGrowth", UintegerValue(8));
    Connect();
    for (const uint32_t room : {100U, 3000U, 5000U, 30000U})
    {
        m_calls.clear();
        const RpcRecord record = AskForText(60000, room, false);
        EXPECT_EQ(record.outcome, RpcOutcome::SUCCESS) << room;
        EXPECT_TRUE(m_intact) << room;
        EXPECT_GT(record.attempts, 1U) << room;
        EXPECT_EQ(m_calls.size(), record.attempts) << room;
        for (std::size_t i = 1; i < m_calls.size(); ++i)
        {
            EXPECT_TRUE(m_calls[i].chunks.replyChunk) << room;
            EXPECT_GE(GetRoom(i), 8 * GetRoom(i - 1)) << room;
        }
        EXPECT_EQ(record.replyRoom, GetRoom(m_calls.size() - 1));
    }
    ExpectCleanEnd();
}

INSTANTIATE_TEST_SUITE_P(Policies,
                         ReplyMechanismSize,
                         ::testing::ValuesIn(ReplyMechanismPolicy::GetNames()),
                         [](const auto& test) {
                             std::string name = test.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

/// Chunks of four pages at most.
class LargestReplySize : public ReplySize
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        ReplySize::ConfigureClient(client);
        client->SetAttribute("RegionPages", UintegerValue(1));
        client->SetAttribute("MaxChunkSegments", UintegerValue(4));
        client->TraceConnectWithoutContext(
            "CallRefused",
            Callback<void, const RpcRecord&, const std::string&>(
                [this](const RpcRecord& /* record */, const std::string& reason) {
                    m_reasons.push_back(reason);
                }));
    }

    std::vector<std::string> m_reasons;
};

TEST_F(LargestReplySize, NoRetryIsMadeThatCouldHaveNoMoreRoom)
{
    m_rpcClient->SetAttribute("ReplyAttempts", UintegerValue(16));
    m_rpcClient->SetAttribute("ReplyGrowth", UintegerValue(2));
    Connect();
    const RpcRecord fits = AskForText(11000, 100, false);
    EXPECT_EQ(fits.outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(fits.attempts, 3U) << "inline, two pages, what four hold wherever they begin";
    m_calls.clear();
    const RpcRecord record = AskForText(30000, 100, false);
    EXPECT_EQ(record.outcome, RpcOutcome::TRANSPORT_ERROR);
    EXPECT_EQ(record.attempts, 3U);
    ASSERT_EQ(m_calls.size(), 3U);
    EXPECT_EQ(GetChunkLength(*m_calls[1].chunks.replyChunk), 2 * 4068U);
    EXPECT_EQ(GetChunkLength(*m_calls[2].chunks.replyChunk), 3 * 4096U);
    EXPECT_EQ(m_reasons,
              std::vector<std::string>{"its reply found no room in 12288 octets, and no Reply "
                                       "chunk can be larger"});
    ExpectCleanEnd();
}

class SolvedReplySize : public ReplySize
{
  protected:
    const char* GetPolicy() override
    {
        return "solved";
    }
};

TEST_F(ReplySize, FixedReserveOffersAReplyChunkThatIsNotNeeded)
{
    Connect();
    EXPECT_EQ(AskForText(3968, 3968).replySegments, 0U) << "3996 octets";
    EXPECT_EQ(AskForText(3972, 3972).replySegments, 1U);
    EXPECT_EQ(AskForText(4040, 4040).replySegments, 1U) << "4068 octets";
    ExpectCleanEnd();
}

TEST_F(SolvedReplySize, WhatFitsReallyComesInline)
{
    Connect();
    for (uint32_t length = 3960; length <= 4040; length += 4)
    {
        const RpcRecord record = AskForText(length, length);
        EXPECT_EQ(record.outcome, RpcOutcome::SUCCESS);
        EXPECT_TRUE(m_intact);
        EXPECT_EQ(record.replySegments, 0U);
        EXPECT_EQ(record.registrations, 0U);
        EXPECT_EQ(record.replyInlineBytes, 28 + HEAD + length);
    }
    const RpcRecord larger = AskForText(4044, 4044);
    EXPECT_EQ(larger.replySegments, 1U);
    EXPECT_TRUE(m_intact);
    ExpectCleanEnd();
}

TEST_F(SolvedReplySize, ItemsAreReducedOnlyWhereTheyMustBe)
{
    Connect();
    // Besides the item: RPC header 24, length word, word; a room is padded.
    const Result& fits = Give(4036, 4036);
    const Result& reduced = Give(4040, 4040);
    Run();
    EXPECT_EQ(fits.record.GetForm(), "msg/inline");
    EXPECT_EQ(fits.record.replyInlineBytes, 4096U);
    EXPECT_TRUE(fits.intact);
    EXPECT_EQ(reduced.record.GetForm(), "msg+W");
    EXPECT_TRUE(reduced.intact);
    ExpectCleanEnd();
}

} // namespace
} // namespace ns3::nfsrdma
