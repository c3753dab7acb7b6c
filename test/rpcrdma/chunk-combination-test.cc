/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/rpcrdma-fixture.h"
#include "wire/crc32c.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

using Numbers = std::vector<std::size_t>;

/// Chooses what it was told.
class ToldCallForm : public CallFormPolicy
{
  public:
    explicit ToldCallForm(const CallForm& told)
        : m_told(told)
    {
    }

    [[nodiscard]] CallForm Choose(const CallFormChoice& /*choice*/) const override
    {
        return m_told;
    }

  private:
    const CallForm& m_told;
};

/// Offers what it was told.
class ToldReplyMechanism : public ReplyMechanismPolicy
{
  public:
    explicit ToldReplyMechanism(const ReplyOffer& told)
        : m_told(told)
    {
    }

    [[nodiscard]] ReplyOffer Choose(const ReplyChoice& /*choice*/) const override
    {
        return m_told;
    }

  private:
    const ReplyOffer& m_told;
};

/// A call of EchoProgram::MIX: its items, what becomes of them, and what is asked for.
struct Mixture
{
    std::vector<uint32_t> taken; ///< Lengths of arguments.
    CallForm form;
    std::vector<uint32_t> given;     ///< Lengths of results.
    std::vector<bool> givenEligible; ///< Of the results; all when empty.
    ReplyOffer offer;
};

std::string
Describe(const Mixture& mixture)
{
    std::string text = mixture.form.positionZero ? "long call, reduced" : "call, reduced";
    for (const std::size_t item : mixture.form.reduced)
    {
        text += " " + std::to_string(item);
    }
    text += "; taken";
    for (const uint32_t length : mixture.taken)
    {
        text += " " + std::to_string(length);
    }
    text += mixture.offer.replyChunk ? "; Reply chunk, reduced" : "; reply, reduced";
    for (const std::size_t item : mixture.offer.reduced)
    {
        text += " " + std::to_string(item);
    }
    text += "; given";
    for (const uint32_t length : mixture.given)
    {
        text += " " + std::to_string(length);
    }
    return text;
}

class ChunkCombination : public RpcRdmaTest
{
  protected:
    static constexpr uint32_t SPARE = 5; ///< Room beyond each result.
    static constexpr uint32_t CALL_HEADER = 40;

    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("Slots", UintegerValue(8));
        client->SetAttribute("MaxReadChunks", UintegerValue(8));
        client->SetAttribute("MaxWriteChunks", UintegerValue(8));
        client->SetAttribute("WritePadSegment", BooleanValue(false));
        client->SetCallFormPolicy(std::make_unique<ToldCallForm>(m_form));
        client->SetReplyMechanismPolicy(std::make_unique<ToldReplyMechanism>(m_offer));
        client->TraceConnectWithoutContext(
            "CallHeader",
            Callback<void, const RpcRdmaHeader&>(
                [this](const RpcRdmaHeader& header) { m_call = header; }));
        client->TraceConnectWithoutContext(
            "ReplyHeader",
            Callback<void, const RpcRdmaHeader&>(
                [this](const RpcRdmaHeader& header) { m_reply = header; }));
    }

    [[nodiscard]] static bool IsEligible(const Mixture& mixture, std::size_t item)
    {
        return mixture.givenEligible.empty() || mixture.givenEligible[item];
    }

    [[nodiscard]] static bool Contains(const Numbers& numbers, std::size_t number)
    {
        return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
    }

    void EncodeArguments(const Mixture& mixture, RpcArguments& arguments)
    {
        XdrWriter writer;
        writer.WriteU32(mixture.taken.size());
        for (std::size_t i = 0; i < mixture.taken.size(); ++i)
        {
            const uint32_t length = mixture.taken[i];
            const auto owner = std::make_shared<HostBuffer>(m_clientHost.memory, length + 100);
            owner->Write(i * 11, MakePattern(length, 5 + i));
            writer.WriteU32(length);
            const auto offset = static_cast<uint32_t>(writer.GetSize());
            arguments.items.push_back({owner->GetAddress() + i * 11, length, true, offset, owner});
            writer.WriteU32(EchoProgram::MARKER + i);
        }
        writer.WriteU32(mixture.given.size());
        for (std::size_t i = 0; i < mixture.given.size(); ++i)
        {
            writer.WriteU32(mixture.given[i]);
            writer.WriteBool(IsEligible(mixture, i));
        }
        arguments.octets = writer.Take();
    }

    RpcReplyEstimate MakeEstimate(const Mixture& mixture)
    {
        RpcReplyEstimate estimate;
        estimate.head = RpcReplyHeader::ACCEPTED_SIZE + 8 + 8 * mixture.taken.size();
        m_rooms.clear();
        for (std::size_t i = 0; i < mixture.given.size(); ++i)
        {
            const uint32_t room = mixture.given[i] + SPARE;
            m_rooms.emplace_back(m_clientHost.memory, room);
            estimate.items.push_back({room, m_rooms.back().GetAddress(), IsEligible(mixture, i)});
            estimate.tail += 8 + 3;
        }
        return estimate;
    }

    /// Calls and expects the right results, and the lists on the wire that they need.
    void Check(const Mixture& mixture)
    {
        SCOPED_TRACE(Describe(mixture));
        m_form = mixture.form;
        m_offer = mixture.offer;
        RpcArguments arguments;
        EncodeArguments(mixture, arguments);
        const RpcPayload copy = arguments;
        const RpcReplyEstimate estimate = MakeEstimate(mixture);
        const uint32_t reducedBefore = m_program->reducedItems;
        bool done = false;
        m_rpcClient->Call(EchoProgram::MIX,
                          std::move(arguments),
                          estimate,
                          [this, &mixture, &done](RpcRecord& record,
                                                  const RpcReceivedMessage& message,
                                                  XdrReader& reader) {
                              done = true;
                              m_record = record;
                              CheckResults(mixture, message, reader);
                          });
        Run();
        ASSERT_TRUE(done);
        ASSERT_EQ(m_record.outcome, RpcOutcome::SUCCESS);
        EXPECT_EQ(m_program->reducedItems - reducedBefore, mixture.form.reduced.size());
        CheckReadList(mixture, copy);
        CheckWriteList(mixture);
        CheckReplyChunk(mixture, estimate);
        EXPECT_EQ(m_client->GetStatistics().badReply, 0U);
    }

    void CheckResults(const Mixture& mixture, const RpcReceivedMessage& message, XdrReader& reader)
    {
        EXPECT_EQ(reader.ReadU32(), mixture.taken.size());
        for (std::size_t i = 0; i < mixture.taken.size(); ++i)
        {
            EXPECT_EQ(reader.ReadU32(), mixture.taken[i]);
            EXPECT_EQ(reader.ReadU32(), Crc32c(MakePattern(mixture.taken[i], 5 + i))) << i;
        }
        EXPECT_EQ(reader.ReadU32(), mixture.given.size());
        std::size_t chunk = 0;
        for (std::size_t i = 0; i < mixture.given.size(); ++i)
        {
            const uint32_t length = reader.ReadU32();
            EXPECT_EQ(length, mixture.given[i]);
            ByteVector item(length);
            const bool reduced = IsEligible(mixture, i) && message.IsReduced(chunk);
            EXPECT_EQ(reduced, Contains(mixture.offer.reduced, i) && length > 0) << i;
            if (reduced)
            {
                EXPECT_EQ(message.items[chunk].length, length);
                EXPECT_EQ(message.items[chunk].address, m_rooms[i].GetAddress());
                m_rooms[i].Read(0, item);
                ByteVector beyond(SPARE);
                m_rooms[i].Read(length, beyond);
                EXPECT_EQ(beyond, ByteVector(SPARE)) << "no pad is written into a Write chunk";
            }
            else
            {
                const ByteSpan octets = reader.ReadFixedOpaque(length);
                item.assign(octets.begin(), octets.end());
            }
            chunk += IsEligible(mixture, i) ? 1 : 0;
            EXPECT_EQ(item, MakeGivenPattern(length, i)) << i;
            EXPECT_EQ(reader.ReadU32(), EchoProgram::MARKER + i);
        }
        EXPECT_TRUE(reader.Ok());
        EXPECT_EQ(reader.Remaining(), 0U);
    }

    void CheckReadList(const Mixture& mixture, const RpcPayload& arguments)
    {
        EXPECT_EQ(m_call.proc, mixture.form.positionZero ? RpcRdmaProc::NOMSG : RpcRdmaProc::MSG);
        std::vector<std::pair<uint32_t, uint32_t>> expected;
        uint32_t rest = CALL_HEADER + arguments.GetLength();
        for (const std::size_t item : mixture.form.reduced)
        {
            expected.emplace_back(CALL_HEADER + arguments.GetPosition(item), mixture.taken[item]);
            rest -= RoundUp4(mixture.taken[item]);
        }
        if (mixture.form.positionZero)
        {
            expected.insert(expected.begin(), {0, rest});
        }
        std::vector<std::pair<uint32_t, uint32_t>> chunks;
        for (const RpcRdmaReadSegment& segment : m_call.chunks.readList)
        {
            if (chunks.empty() || chunks.back().first != segment.position)
            {
                chunks.emplace_back(segment.position, 0);
            }
            chunks.back().second += segment.target.length;
        }
        EXPECT_EQ(chunks, expected);
        const uint32_t header = m_call.GetEncodedSize();
        EXPECT_EQ(m_record.callInlineBytes, mixture.form.positionZero ? header : header + rest);
    }

    void CheckWriteList(const Mixture& mixture)
    {
        std::vector<uint64_t> offered;
        std::vector<uint64_t> returned;
        for (std::size_t i = 0; !mixture.offer.reduced.empty() && i <= mixture.offer.reduced.back();
             ++i)
        {
            if (IsEligible(mixture, i))
            {
                const bool reduced = Contains(mixture.offer.reduced, i);
                offered.push_back(reduced ? mixture.given[i] + SPARE : 0);
                returned.push_back(reduced ? mixture.given[i] : 0);
            }
        }
        EXPECT_EQ(GetLengths(m_call.chunks.writeList), offered);
        EXPECT_EQ(GetLengths(m_reply.chunks.writeList), returned);
        for (std::size_t i = 0; i < m_call.chunks.writeList.size(); ++i)
        {
            EXPECT_EQ(m_call.chunks.writeList[i].empty(), offered[i] == 0);
        }
    }

    void CheckReplyChunk(const Mixture& mixture, const RpcReplyEstimate& estimate)
    {
        ASSERT_EQ(m_call.chunks.replyChunk.has_value(), mixture.offer.replyChunk);
        ASSERT_EQ(m_reply.chunks.replyChunk.has_value(), mixture.offer.replyChunk);
        uint32_t offered = estimate.head + estimate.tail;
        uint32_t message = estimate.head + 8 * mixture.given.size();
        for (std::size_t i = 0; i < mixture.given.size(); ++i)
        {
            const bool reduced = Contains(mixture.offer.reduced, i);
            offered += reduced ? 0 : mixture.given[i] + SPARE;
            message += reduced ? 0 : RoundUp4(mixture.given[i]);
        }
        const bool used =
            mixture.offer.replyChunk && IsReplyChunkUsed(m_reply.GetEncodedSize() + message);
        EXPECT_EQ(m_reply.proc, used ? RpcRdmaProc::NOMSG : RpcRdmaProc::MSG);
        if (mixture.offer.replyChunk)
        {
            EXPECT_EQ(GetChunkLength(*m_call.chunks.replyChunk), offered);
            EXPECT_EQ(GetChunkLength(*m_reply.chunks.replyChunk), used ? message : 0);
        }
        EXPECT_EQ(m_record.replyInlineBytes, m_reply.GetEncodedSize() + (used ? 0 : message));
    }

    /// \return what the server does with a Reply chunk when the reply inline has \p length octets.
    virtual bool IsReplyChunkUsed(uint32_t /*length*/)
    {
        return true;
    }

    static std::vector<uint64_t> GetLengths(const std::vector<RpcRdmaWriteChunk>& list)
    {
        std::vector<uint64_t> lengths;
        for (const RpcRdmaWriteChunk& chunk : list)
        {
            lengths.push_back(GetChunkLength(chunk));
        }
        return lengths;
    }

    /// Every combination of chunks with items of lengths of that rest of 4.
    void CheckAll(uint32_t rest)
    {
        const std::vector<Numbers> reads{{}, {0}, {1}, {0, 2}, {0, 1, 2}};
        const std::vector<Numbers> writes{{}, {0}, {1}, {0, 1}, {0, 2}, {2}, {0, 1, 2}};
        for (const Numbers& read : reads)
        {
            for (const Numbers& write : writes)
            {
                for (const bool positionZero : {false, true})
                {
                    for (const bool replyChunk : {false, true})
                    {
                        Mixture mixture;
                        mixture.form = {positionZero, read};
                        mixture.offer = {write, replyChunk};
                        for (std::size_t i = 0; i < 3; ++i)
                        {
                            const bool largeCall = positionZero || Contains(read, i);
                            mixture.taken.push_back((largeCall ? 9000 : 200) + 4 * i + rest);
                            const bool largeReply = replyChunk || Contains(write, i);
                            mixture.given.push_back((largeReply ? 10000 : 300) + 4 * i + rest);
                        }
                        Check(mixture);
                        if (HasFatalFailure())
                        {
                            return;
                        }
                    }
                }
            }
        }
    }

    CallForm m_form;
    ReplyOffer m_offer;
    RpcRdmaHeader m_call;
    RpcRdmaHeader m_reply;
    RpcRecord m_record;
    std::vector<HostBuffer> m_rooms;
};

class EveryChunkCombination : public ChunkCombination,
                              public ::testing::WithParamInterface<uint32_t>
{
};

TEST_P(EveryChunkCombination, CarriesAndReturnsWhatItShould)
{
    Connect();
    CheckAll(GetParam());
    m_rooms.clear();
    ExpectCleanEnd();
}

INSTANTIATE_TEST_SUITE_P(RestOf4, EveryChunkCombination, ::testing::Values(0, 1, 2, 3));

class SeveralSegments : public EveryChunkCombination
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        EveryChunkCombination::ConfigureClient(client);
        client->SetAttribute("RegionPages", UintegerValue(1));
    }
};

TEST_P(SeveralSegments, CarryAndReturnWhatTheyShould)
{
    Connect();
    CheckAll(GetParam());
    EXPECT_GT(m_record.readSegments, 9U);
    EXPECT_GT(m_record.writeSegments, 8U);
    m_rooms.clear();
    ExpectCleanEnd();
}

INSTANTIATE_TEST_SUITE_P(RestOf4, SeveralSegments, ::testing::Values(0, 1, 2, 3));

class ReplyChunkWhenNeeded : public EveryChunkCombination
{
  protected:
    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("ReplyChunk", StringValue("when-needed"));
    }

    bool IsReplyChunkUsed(uint32_t length) override
    {
        return length > 4096;
    }
};

TEST_P(ReplyChunkWhenNeeded, IsReturnedUnusedOtherwise)
{
    Connect();
    CheckAll(GetParam());
    m_rooms.clear();
    ExpectCleanEnd();
}

INSTANTIATE_TEST_SUITE_P(RestOf4, ReplyChunkWhenNeeded, ::testing::Values(0, 3));

TEST_F(ChunkCombination, ItemsOfNothing)
{
    Connect();
    Mixture zeros;
    zeros.taken = {0, 0};
    zeros.form.positionZero = true;
    zeros.given = {0, 0, 0};
    zeros.offer.reduced = {0, 2};
    Check(zeros);

    Mixture nothing;
    nothing.offer.replyChunk = true;
    Check(nothing);

    Mixture mixed;
    mixed.taken = {4001, 0};
    mixed.form.reduced = {0};
    mixed.given = {0, 4001};
    mixed.offer.reduced = {0, 1};
    mixed.offer.replyChunk = true;
    Check(mixed);
    m_rooms.clear();
    ExpectCleanEnd();
}

TEST_F(ChunkCombination, ItemsThatAreNotEligibleHaveNoChunk)
{
    Connect();
    Mixture four;
    four.given = {100, 5000, 200, 6001};
    four.givenEligible = {false, true, false, true};
    four.offer.reduced = {1, 3};
    Check(four);

    Mixture three;
    three.given = {5000, 5001, 200};
    three.givenEligible = {false, true, true};
    three.offer.reduced = {1};
    three.offer.replyChunk = true;
    Check(three);

    three.given = {300, 301, 5002};
    three.offer.reduced = {2};
    three.offer.replyChunk = false;
    Check(three);
    m_rooms.clear();
    ExpectCleanEnd();
}

class ReadPads : public ChunkCombination, public ::testing::WithParamInterface<std::string>
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        ChunkCombination::ConfigureClient(client);
        client->SetAttribute("ReadPad", StringValue(GetParam()));
    }

    /// Sends one item that ends \p end octets into a page.
    void Send(uint32_t length, uint32_t end)
    {
        const uint32_t page = HostMemory::PAGE_SIZE;
        const auto owner = std::make_shared<HostBuffer>(m_clientHost.memory, 4 * page);
        const uint32_t start = 3 * page + end - length;
        const ByteVector item = MakePattern(length, 9);
        owner->Write(0, ByteVector(4 * page, 0xee));
        owner->Write(start, item);
        RpcArguments arguments;
        XdrWriter writer;
        writer.WriteU32(length);
        writer.WriteU32(7);
        arguments.octets = writer.Take();
        arguments.items.push_back({owner->GetAddress() + start, length, true, 4, owner});
        RpcReplyEstimate reply;
        reply.head = 36;
        bool good = false;
        m_form = {false, {0}};
        m_rpcClient->Call(EchoProgram::TAKE,
                          std::move(arguments),
                          reply,
                          [&good, &item](RpcRecord&, const RpcReceivedMessage&, XdrReader& reader) {
                              good = reader.ReadU32() == item.size() &&
                                     reader.ReadU32() == Crc32c(item);
                          });
        Run();
        EXPECT_TRUE(good);
    }
};

TEST_P(ReadPads, GoWhereTheyShould)
{
    Connect();
    for (const uint32_t length : {5000U, 5001U, 5002U, 5003U})
    {
        for (const uint32_t end : {0U, 1000U})
        {
            Send(length, end);
            const bool padded = GetParam() != "none" && length % 4 != 0;
            const uint32_t copied = padded && GetParam() == "last-segment" ? length % 4 : 0;
            const auto& list = m_call.chunks.readList;
            ASSERT_EQ(list.size(), padded ? 2U : 1U);
            EXPECT_EQ(list[0].target.length, length - copied);
            if (padded)
            {
                EXPECT_EQ(list[1].position, list[0].position);
                EXPECT_EQ(list[1].target.length, copied + Pad4(length));
            }
        }
    }
    ExpectCleanEnd();
}

INSTANTIATE_TEST_SUITE_P(Table,
                         ReadPads,
                         ::testing::Values("none", "segment", "last-segment"),
                         [](const ::testing::TestParamInfo<std::string>& pad) {
                             return pad.param == "last-segment" ? std::string("lastSegment")
                                                                : pad.param;
                         });

} // namespace
} // namespace ns3::nfsrdma
