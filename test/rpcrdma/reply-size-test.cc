/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

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
