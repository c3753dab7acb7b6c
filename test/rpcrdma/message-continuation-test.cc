/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/message/continuation.h"
#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <random>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t THRESHOLD = 1024;

ByteVector
MakePlain(uint32_t xid, uint32_t payload, bool writeChunk = false)
{
    RpcRdmaHeader header;
    header.xid = xid;
    header.credit = 32;
    if (writeChunk)
    {
        header.chunks.writeList.push_back({{0x11, 100, 5000}});
    }
    ByteVector octets(header.GetEncodedSize() + payload);
    ByteWriter writer(octets);
    header.Encode(writer);
    for (uint32_t i = 0; i < payload; ++i)
    {
        octets[octets.size() - payload + i] = static_cast<uint8_t>(i * 7 + xid);
    }
    return octets;
}

/// The parts of a message, as a responder makes them.
std::vector<ByteVector>
Split(const ByteVector& plain, uint32_t payload)
{
    const auto header = static_cast<uint32_t>(plain.size()) - payload;
    const uint32_t count = RpcRdmaContinuation::CountMessages(THRESHOLD, header, payload);
    std::vector<ByteVector> parts;
    uint32_t offset = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        ByteVector part =
            RpcRdmaContinuation{offset, payload}.Encode(ByteSpan(plain).subspan(0, header));
        const auto room = THRESHOLD - static_cast<uint32_t>(part.size());
        const uint32_t length = std::min(room, payload - offset);
        part.insert(part.end(),
                    plain.begin() + header + offset,
                    plain.begin() + header + offset + length);
        offset += length;
        parts.push_back(std::move(part));
    }
    EXPECT_EQ(offset, payload);
    return parts;
}

using State = RpcRdmaContinuedMessage::State;

TEST(RpcRdmaContinuation, AMessageIsWholeAfterItsLastPart)
{
    for (const bool writeChunk : {false, true})
    {
        for (const uint32_t payload : {1000U, 1024U, 2000U, 2001U, 30000U})
        {
            const ByteVector plain = MakePlain(5, payload, writeChunk);
            std::vector<ByteVector> parts = Split(plain, payload);
            ASSERT_GT(parts.size(), 1U);
            RpcRdmaContinuedMessage message(1 << 16);
            for (std::size_t i = 0; i < parts.size(); ++i)
            {
                EXPECT_TRUE(RpcRdmaContinuation::IsIn(parts[i]));
                EXPECT_LE(parts[i].size(), THRESHOLD);
                EXPECT_TRUE(i + 1 == parts.size() || parts[i].size() == THRESHOLD);
                EXPECT_EQ(message.Take(parts[i]),
                          i + 1 == parts.size() ? State::WHOLE : State::PARTIAL);
            }
            EXPECT_EQ(parts.back(), plain);
            EXPECT_EQ(message.GetCount(), parts.size());
        }
    }
}

TEST(RpcRdmaContinuation, OctetsAreThoseOfTheDocument)
{
    const ByteVector plain = MakePlain(0x01020304, 2000);
    const std::vector<ByteVector> parts = Split(plain, 2000);
    ASSERT_EQ(parts.size(), 3U);
    const ByteVector first(parts[0].begin(), parts[0].begin() + 36);
    EXPECT_EQ(first, (ByteVector{1, 2, 3, 4, 0, 0,    0, 1, 0, 0, 0, 32, 0x40, 0, 0, 0, 0, 0,
                                 0, 0, 0, 0, 7, 0xd0, 0, 0, 0, 0, 0, 0,  0,    0, 0, 0, 0, 0}));
    const ByteVector second(parts[1].begin(), parts[1].begin() + 24);
    EXPECT_EQ(second, (ByteVector{1,    2, 3, 4, 0, 0, 0,    1,    0, 0, 0, 32,
                                  0x40, 0, 0, 0, 0, 0, 0x03, 0xdc, 0, 0, 7, 0xd0}));
}

TEST(RpcRdmaContinuation, CapacityIsWhatThePartsCarry)
{
    for (uint32_t messages = 2; messages < 10; ++messages)
    {
        for (const uint32_t header : {28U, 60U, 900U})
        {
            const auto most = static_cast<uint32_t>(
                RpcRdmaContinuation::GetCapacity(THRESHOLD, header, messages));
            EXPECT_EQ(RpcRdmaContinuation::CountMessages(THRESHOLD, header, most), messages);
            EXPECT_EQ(RpcRdmaContinuation::CountMessages(THRESHOLD, header, most + 1),
                      messages + 1);
        }
    }
    EXPECT_EQ(RpcRdmaContinuation::GetCapacity(THRESHOLD, 28, 1), THRESHOLD - 28);
}

/// What is wrong with a series of parts.
enum class Wrong
{
    MISSING,
    TWICE,
    SWAPPED,
    OTHER_XID,
    OTHER_TOTAL,
    NO_BEGINNING,
    TOO_LONG,
    NO_OCTETS,
    CUT_SHORT,
    BEGINS_AGAIN,
};

class BadParts : public ::testing::TestWithParam<Wrong>
{
};

TEST_P(BadParts, AreDroppedAndTheNextMessageIsTaken)
{
    const ByteVector plain = MakePlain(9, 5000);
    std::vector<ByteVector> parts = Split(plain, 5000);
    ASSERT_EQ(parts.size(), 6U);
    uint64_t maximum = 1 << 16;
    switch (GetParam())
    {
    case Wrong::MISSING:
        parts.erase(parts.begin() + 2);
        break;
    case Wrong::TWICE:
        parts.insert(parts.begin() + 2, ByteVector(parts[2]));
        break;
    case Wrong::SWAPPED:
        std::swap(parts[2], parts[3]);
        break;
    case Wrong::OTHER_XID:
        parts[2][3] = 8;
        break;
    case Wrong::OTHER_TOTAL:
        parts[2][23] ^= 1;
        break;
    case Wrong::NO_BEGINNING:
        parts.erase(parts.begin());
        break;
    case Wrong::TOO_LONG:
        maximum = 4999;
        break;
    case Wrong::NO_OCTETS:
        parts[2].resize(RpcRdmaContinuation::HEADER);
        break;
    case Wrong::CUT_SHORT:
        parts[2].resize(RpcRdmaContinuation::HEADER - 1);
        break;
    case Wrong::BEGINS_AGAIN:
        parts[2] = parts[0];
        break;
    }
    RpcRdmaContinuedMessage message(maximum);
    uint32_t bad = 0;
    for (ByteVector& part : parts)
    {
        const State state = message.Take(part);
        EXPECT_NE(state, State::WHOLE);
        bad += state == State::BAD ? 1 : 0;
    }
    EXPECT_GE(bad, 1U);
    EXPECT_FALSE(message.Drop()) << "what follows a bad part continues nothing";
    const ByteVector next = MakePlain(10, 3000);
    State state = State::PARTIAL;
    for (ByteVector& part : Split(next, 3000))
    {
        state = message.Take(part);
        parts.back() = part;
    }
    EXPECT_EQ(state, State::WHOLE);
    EXPECT_EQ(parts.back(), next);
}

INSTANTIATE_TEST_SUITE_P(Kinds,
                         BadParts,
                         ::testing::Values(Wrong::MISSING,
                                           Wrong::TWICE,
                                           Wrong::SWAPPED,
                                           Wrong::OTHER_XID,
                                           Wrong::OTHER_TOTAL,
                                           Wrong::NO_BEGINNING,
                                           Wrong::TOO_LONG,
                                           Wrong::NO_OCTETS,
                                           Wrong::CUT_SHORT,
                                           Wrong::BEGINS_AGAIN));

TEST(RpcRdmaContinuation, RandomOctetsAreTakenForNothing)
{
    std::mt19937 random(7);
    RpcRdmaContinuedMessage message(1 << 16);
    const ByteVector plain = MakePlain(3, 5000);
    const std::vector<ByteVector> parts = Split(plain, 5000);
    for (int i = 0; i < 20000; ++i)
    {
        ByteVector part = parts[random() % parts.size()];
        for (uint32_t change = random() % 3; change > 0; --change)
        {
            part[random() % std::min<std::size_t>(part.size(), 40)] =
                static_cast<uint8_t>(random());
        }
        part.resize(random() % 4 == 0 ? random() % part.size() : part.size());
        if (message.Take(part) == State::WHOLE)
        {
            EXPECT_LE(part.size(), (1U << 16) + THRESHOLD);
        }
    }
}

// ---------------------------------------------------------------------------------------------

/// RpcRdmaClient and RpcRdmaServer whose replies may come in eight Sends.
class MessageContinuation : public RpcRdmaTest
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("ReplyMessages", UintegerValue(8));
        client->SetAttribute("ReplyMechanism", StringValue("continuation"));
    }

    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("MessageContinuation", BooleanValue(true));
    }

    [[nodiscard]] const SvcRdmaStatistics& Server() const
    {
        return m_server->GetStatistics();
    }
};

TEST_F(MessageContinuation, ALargeReplyComesInSeveralSends)
{
    Connect();
    const uint32_t length = 20000;
    const Result& result = Give(length, length, false);
    Run();
    EXPECT_TRUE(result.intact);
    EXPECT_EQ(result.record.replyType, 0U);
    EXPECT_EQ(result.record.registrations, 0U);
    EXPECT_EQ(result.record.replySegments, 0U);
    EXPECT_EQ(result.record.replyReason, ReplyReason::CONTINUED);
    // Five Sends: 28 + 8 octets of header, and four times 16 + 8.
    EXPECT_EQ(Server().continuedReplies, 1U);
    EXPECT_EQ(Server().continuationSends, 5U);
    EXPECT_EQ(result.record.replyInlineBytes, 36 + 4 * 24 + 24 + 4 + length + 4);
    EXPECT_EQ(Server().writeBytes, 0U);
    ExpectCleanEnd();
}

TEST_F(MessageContinuation, WhatFitsASendComesAsEver)
{
    Connect();
    const Result& result = Give(1000, 20000, false);
    Run();
    EXPECT_TRUE(result.intact);
    EXPECT_EQ(result.record.replyReason, ReplyReason::EXPECTED_SMALL);
    EXPECT_EQ(result.record.registrations, 0U);
    EXPECT_EQ(Server().continuedReplies, 0U);
    ExpectCleanEnd();
}

TEST_F(MessageContinuation, WhatMayPassItsSendsHasAReplyChunk)
{
    Connect();
    const Result& result = Give(5000, 40000, false);
    Run();
    EXPECT_TRUE(result.intact);
    EXPECT_GT(result.record.replySegments, 0U);
    EXPECT_EQ(result.record.replyType, 1U);
    EXPECT_EQ(Server().continuedReplies, 0U);
    ExpectCleanEnd();
}

TEST_F(MessageContinuation, AnUnexpectedReplyFindsRoomAsFarAsThereIs)
{
    Connect();
    const Result& fits = Give(20000, 0, false, 1);
    const Result& passes = Give(40000, 0, false, 1);
    Run();
    EXPECT_TRUE(fits.intact);
    EXPECT_EQ(passes.record.outcome, RpcOutcome::TRANSPORT_ERROR);
    EXPECT_EQ(Server().errChunk, 1U);
    ExpectCleanEnd();
}

TEST_F(MessageContinuation, AWriteChunkTakesItsItemAndPartsTheRest)
{
    m_server->SetAttribute("RemoteInvalidation", BooleanValue(true));
    Connect();
    const Result& result = Give(65536, 65536, true, 3000);
    Run();
    EXPECT_TRUE(result.intact);
    EXPECT_TRUE(result.reduced);
    EXPECT_EQ(result.record.writeChunkBytes, 65536U);
    EXPECT_EQ(result.record.replySegments, 0U);
    EXPECT_EQ(Server().continuedReplies, 1U);
    EXPECT_GT(Server().continuationSends, 2U);
    EXPECT_EQ(Server().sendWithInvalidate, 1U) << "the last part";
    EXPECT_EQ(m_clientHost.device->GetCounters().remoteInvalidations, 1U);
    EXPECT_EQ(m_clientHost.device->GetCounters().localInvalidations, 0U);
    ExpectCleanEnd();
}

TEST_F(MessageContinuation, EachCreditHasReceivesForItsParts)
{
    Connect();
    std::vector<const Result*> results;
    for (uint32_t i = 0; i < 400; ++i)
    {
        results.push_back(&Give(4000 + 70 * i, 28000 + 4000, false));
    }
    Run();
    for (const Result* result : results)
    {
        ASSERT_TRUE(result->intact);
        EXPECT_EQ(result->record.transmissions, 1U);
    }
    EXPECT_EQ(m_clientHost.device->GetCounters().receiveFaults, 0U);
    EXPECT_GT(Server().continuationSends, 1000U);
    ExpectCleanEnd();
}

TEST_F(MessageContinuation, AReplyToACallThatWasGivenUpIsDropped)
{
    Connect();
    Take(0);
    Run();
    m_program->serviceTime = MilliSeconds(1);
    const uint64_t before = m_client->GetStatistics().badXids;
    RpcArguments arguments;
    XdrWriter writer;
    writer.WriteU32(20000);
    writer.WriteBool(false);
    writer.WriteU32(0);
    arguments.octets = writer.Take();
    RpcReplyEstimate reply;
    reply.head = RpcReplyHeader::ACCEPTED_SIZE + 4 + 20000;
    uint32_t ends = 0;
    const uint32_t xid =
        m_rpcClient->Call(EchoProgram::GIVE,
                          std::move(arguments),
                          std::move(reply),
                          [&ends](RpcRecord& record, const RpcReceivedMessage&, XdrReader&) {
                              ++ends;
                              EXPECT_EQ(record.outcome, RpcOutcome::CANCELLED);
                          });
    Simulator::Schedule(MicroSeconds(500), [this, xid] { EXPECT_TRUE(m_rpcClient->Cancel(xid)); });
    Run();
    EXPECT_EQ(ends, 1U);
    EXPECT_EQ(Server().continuedReplies, 1U);
    EXPECT_EQ(m_client->GetStatistics().badXids, before + 1) << "one message, of several Sends";
    const Result& next = Give(20000, 20000, false);
    Run();
    EXPECT_TRUE(next.intact);
    ExpectCleanEnd();
}

/// A Send has two elements here: what does not fit them is copied together.
class FewElements : public MessageContinuation
{
  protected:
    void ConfigureDevice(Ptr<RnicDevice> device) override
    {
        device->SetAttribute("MaxElements", UintegerValue(2));
    }
};

TEST_F(FewElements, PartsOfManyPiecesAreCopiedTogether)
{
    Connect();
    const Result& result = Give(6000, 20000, false, 700);
    Run();
    EXPECT_TRUE(result.intact);
    EXPECT_EQ(Server().continuedReplies, 1U);
    ExpectCleanEnd();
}

/// A part of a reply needs more than one.
class OneElement : public MessageContinuation
{
  protected:
    void ConfigureDevice(Ptr<RnicDevice> device) override
    {
        device->SetAttribute("MaxElements", UintegerValue(1));
    }
};

TEST_F(OneElement, IsTooFewForRepliesInParts)
{
    Connect();
    const Result& offered = Give(20000, 20000, false);
    const Result& unexpected = Give(20000, 0, false, 1);
    Run();
    EXPECT_TRUE(offered.intact);
    EXPECT_EQ(offered.record.replyType, 1U);
    EXPECT_EQ(unexpected.record.outcome, RpcOutcome::TRANSPORT_ERROR);
    EXPECT_EQ(Server().continuedReplies, 0U);
    ExpectCleanEnd();
}

/// Each call offers a Reply chunk, and the server uses each that is offered.
class AlwaysAReplyChunk : public MessageContinuation
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        MessageContinuation::ConfigureClient(client);
        client->SetAttribute("ReplyMechanism", StringValue("reply-chunk-always"));
    }

    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        MessageContinuation::ConfigureServer(server);
        server->SetAttribute("ReplyChunk", StringValue("linux"));
    }
};

TEST_F(AlwaysAReplyChunk, WhatFitsASendButNotItsChunkIsNoReplyInParts)
{
    Connect();
    const Result& small = Give(500, 100, false);
    const Result& large = Give(20000, 100, false);
    Run();
    EXPECT_TRUE(small.done);
    EXPECT_EQ(small.record.outcome, RpcOutcome::TRANSPORT_ERROR);
    EXPECT_EQ(Server().errChunk, 1U);
    EXPECT_TRUE(large.done);
    EXPECT_EQ(Server().continuedReplies, 1U);
    ExpectCleanEnd();
}

/// Fewer Sends are posted at a time than a reply has parts, and who comes last is first.
class ShallowQueueInACrowd : public MessageContinuation
{
  protected:
    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        MessageContinuation::ConfigureServer(server);
        server->SetAttribute("SendQueueDepth", UintegerValue(2));
        server->SetAttribute("SendTurns", StringValue("crowd"));
    }
};

TEST_F(ShallowQueueInACrowd, RepliesInPartsComeWhole)
{
    Connect();
    std::vector<const Result*> results;
    for (uint32_t i = 0; i < 100; ++i)
    {
        results.push_back(&Give(i % 3 == 0 ? 100 : 20000, 20000, false));
    }
    Run();
    for (const Result* result : results)
    {
        ASSERT_TRUE(result->done);
        EXPECT_TRUE(result->intact);
    }
    EXPECT_GT(Server().continuedReplies, 60U);
    EXPECT_EQ(m_client->GetStatistics().badReply, 0U);
    ExpectCleanEnd();
}

/// A side that does not know of it.
class OneSideAlone : public MessageContinuation, public ::testing::WithParamInterface<bool>
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        MessageContinuation::ConfigureClient(client);
        client->SetAttribute("ReplyMessages", UintegerValue(GetParam() ? 8 : 1));
    }

    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("MessageContinuation", BooleanValue(!GetParam()));
    }
};

TEST_P(OneSideAlone, RepliesComeAsWithoutIt)
{
    Connect();
    const Result& offered = Give(20000, 20000, false);
    const Result& unexpected = Give(20000, 0, false);
    Run();
    EXPECT_TRUE(offered.intact);
    EXPECT_EQ(offered.record.replyType, 1U);
    EXPECT_EQ(unexpected.record.outcome, RpcOutcome::TRANSPORT_ERROR);
    EXPECT_EQ(Server().continuedReplies, 0U);
    ExpectCleanEnd();
}

INSTANTIATE_TEST_SUITE_P(Sides, OneSideAlone, ::testing::Bool());

/// Read chunks for what passes the Sends, too.
class ContinuationAndReadChunks : public MessageContinuation
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        MessageContinuation::ConfigureClient(client);
        client->SetAttribute("ReadChunkExtension", BooleanValue(true));
    }

    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        MessageContinuation::ConfigureServer(server);
        server->SetAttribute("ReadChunkExtension", BooleanValue(true));
        server->SetAttribute("ReadChunkPolicy", StringValue("when-needed"));
    }
};

TEST_F(ContinuationAndReadChunks, EachReplyTakesTheLesser)
{
    Connect();
    const Result& small = Give(100, 40000, false);
    const Result& parts = Give(20000, 40000, false);
    const Result& pulled = Give(40000, 40000, false);
    Run();
    EXPECT_TRUE(small.intact && parts.intact && pulled.intact);
    EXPECT_EQ(small.record.replyReason, ReplyReason::EXPECTED_SMALL);
    EXPECT_EQ(parts.record.replyReason, ReplyReason::CONTINUED);
    EXPECT_EQ(pulled.record.replyReason, ReplyReason::PULLED);
    EXPECT_EQ(small.record.registrations + parts.record.registrations, 0U);
    EXPECT_EQ(Server().exposedChunks, 1U);
    ExpectCleanEnd();
}

} // namespace
} // namespace ns3::nfsrdma
