/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/message/pull-notice-list.h"
#include "rpcrdma/message/read-chunk-extension.h"
#include "rpcrdma/raw-peer-fixture.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{
namespace
{

/// RpcRdmaClient, which pulls replies, and a hand-made responder on bare verbs.
class ReplyPull : public RawResponderTest
{
  protected:
    void TearDown() override
    {
        m_peer.reset();
        m_exposed.clear();
        RawResponderTest::TearDown();
    }

    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("ReadChunkExtension", BooleanValue(true));
    }

    virtual ReadChunkExtension GetExtension()
    {
        ReadChunkExtension extension;
        extension.responder = true;
        extension.doneReceives = 1;
        return extension;
    }

    void Open()
    {
        ByteVector data = RpcRdmaPrivateData{m_peerInvalidates, 4096, 4096}.Encode();
        const ByteVector more = GetExtension().Encode();
        if (GetExtension().responder)
        {
            data.insert(data.end(), more.begin(), more.end());
        }
        OpenWith(data);
        m_peer->onMessage = [this](const ByteVector& message) {
            ByteReader reader(message);
            const auto fixed = RpcRdmaFixedHeader::Decode(reader).value();
            if (fixed.proc == static_cast<uint32_t>(RpcRdmaProc::DONE))
            {
                EXPECT_EQ(message.size(), RpcRdmaFixedHeader::SIZE);
                EXPECT_EQ(fixed.version, 1U);
                EXPECT_EQ(fixed.credit, 128U);
                m_done.push_back(fixed.xid);
                return;
            }
            m_calls.push_back(message);
            if (m_answer)
            {
                m_answer(fixed.xid);
            }
        };
    }

    /// Exposes \p octets, in segments of at most \p size.
    std::vector<RpcRdmaReadSegment> Expose(const ByteVector& octets, uint32_t size = UINT32_MAX)
    {
        std::vector<RpcRdmaReadSegment> segments;
        for (std::size_t at = 0; at < octets.size(); at += size)
        {
            const auto length =
                static_cast<uint32_t>(std::min<std::size_t>(size, octets.size() - at));
            HostBuffer& buffer = m_exposed.emplace_back(m_serverHost.memory, length);
            buffer.Write(0, ByteSpan(octets).subspan(at, length));
            segments.push_back({0, m_peer->Register(buffer, length, ACCESS_REMOTE_READ)});
        }
        return segments;
    }

    static RpcRdmaHeader LongReply(uint32_t xid, std::vector<RpcRdmaReadSegment> segments)
    {
        RpcRdmaHeader header = MakeHeader(xid);
        header.proc = RpcRdmaProc::NOMSG;
        header.chunks.readList = std::move(segments);
        return header;
    }

    void Answer(const RpcRdmaHeader& header, const ByteVector& payload = {})
    {
        m_peer->Send(Encode(header, payload));
    }

    /// Calls, lets \p answer answer, and expects \p outcome.
    const Result& Expect(RpcOutcome outcome, const std::function<void(uint32_t)>& answer)
    {
        m_answer = answer;
        const Result& result = Take(0);
        Run();
        EXPECT_TRUE(result.done);
        EXPECT_EQ(result.record.outcome, outcome);
        EXPECT_EQ(result.intact, outcome == RpcOutcome::SUCCESS);
        return result;
    }

    /// A plain call and reply still work.
    void ExpectAlive()
    {
        Expect(RpcOutcome::SUCCESS,
               [this](uint32_t xid) { Answer(MakeHeader(xid), MakeTakeReply(xid)); });
    }

    [[nodiscard]] const ReplyPullStatistics& Statistics() const
    {
        return m_client->GetReplyPullStatistics();
    }

    bool m_peerInvalidates{false}; ///< R flag of the peer.
    std::vector<HostBuffer> m_exposed;
    std::vector<ByteVector> m_calls;
    std::vector<uint32_t> m_done;
    std::function<void(uint32_t)> m_answer;
};

TEST_F(ReplyPull, SendsTheExtensionBehindRfc8797AndOffersReads)
{
    Open();
    const auto extension = ReadChunkExtension::Decode(m_peer->peerData);
    ASSERT_TRUE(extension);
    EXPECT_TRUE(extension->requester);
    EXPECT_FALSE(extension->responder);
    EXPECT_FALSE(extension->piggyback);
    EXPECT_TRUE(extension->remoteInvalidation);
    EXPECT_EQ(m_peer->peer.sendSize, 4096U);
    EXPECT_EQ(m_peer->peerIrd, 16U);
    ExpectClientClean();
}

TEST_F(ReplyPull, AnySegmentation)
{
    Open();
    for (const uint32_t size : {1U, 3U, 4U, 7U, 36U, 100U})
    {
        m_done.clear();
        const Result& result = Expect(RpcOutcome::SUCCESS, [this, size](uint32_t xid) {
            Answer(LongReply(xid, Expose(MakeTakeReply(xid), size)));
        });
        const uint32_t segments = (36 + size - 1) / size;
        EXPECT_EQ(result.record.replyReadSegments, segments);
        EXPECT_EQ(result.record.replyReadBytes, 36U);
        EXPECT_EQ(result.record.registrations, 1U);
        EXPECT_EQ(m_done, std::vector<uint32_t>{result.record.xid});
    }
    EXPECT_EQ(Statistics().replies, 6U);
    EXPECT_EQ(m_client->GetStatistics().badReply, 0U);
    ExpectClientClean();
}

TEST_F(ReplyPull, ASegmentWithoutOctetsIsSkipped)
{
    Open();
    Expect(RpcOutcome::SUCCESS, [this](uint32_t xid) {
        auto segments = Expose(MakeTakeReply(xid), 20);
        segments.insert(segments.begin() + 1, {0, {segments[0].target.handle, 0, 0}});
        Answer(LongReply(xid, segments));
    });
    EXPECT_EQ(m_done.size(), 1U);
    ExpectClientClean();
}

TEST_F(ReplyPull, UnknownXidIsNotifiedWithoutReading)
{
    Open();
    ExpectAlive();
    // Nothing is behind this STag: a Read would end the connection.
    Answer(LongReply(0xdead, {{0, {0x12345600, 5000, 0}}}));
    Run();
    EXPECT_EQ(m_done, std::vector<uint32_t>{0xdead});
    EXPECT_EQ(Statistics().discarded, 1U);
    EXPECT_EQ(m_client->GetStatistics().badXids, 1U);
    ExpectAlive();
    ExpectClientClean();
}

TEST_F(ReplyPull, ASecondReplyToTheSameCallIsNotNotifiedBeforeTheFirstIsPulled)
{
    Open();
    ExpectAlive();
    Expect(RpcOutcome::SUCCESS, [this](uint32_t xid) {
        const RpcRdmaHeader reply = LongReply(xid, Expose(MakeTakeReply(xid)));
        Answer(reply);
        Answer(reply);
    });
    EXPECT_EQ(m_done.size(), 1U);
    ExpectAlive();
    ExpectClientClean();
}

TEST_F(ReplyPull, ALargerReplyThanItTakesFailsTheRpcAndIsNotified)
{
    m_client->SetAttribute("MaxPulledBytes", UintegerValue(35));
    Open();
    const Result& result = Expect(RpcOutcome::BAD_REPLY, [this](uint32_t xid) {
        Answer(LongReply(xid, Expose(MakeTakeReply(xid))));
    });
    EXPECT_EQ(m_done, std::vector<uint32_t>{result.record.xid});
    EXPECT_EQ(Statistics().refused, 1U);
    EXPECT_EQ(result.record.replyReadBytes, 0U);
    // The sum of the lengths passes 32 bits.
    Expect(RpcOutcome::BAD_REPLY, [this](uint32_t xid) {
        Answer(LongReply(xid, {{0, {1, UINT32_MAX, 0}}, {0, {1, 37, 0}}}));
    });
    EXPECT_EQ(m_done.size(), 2U);
    ExpectAlive();
    ExpectClientClean();
}

TEST_F(ReplyPull, ReadListsOfAnotherFormFailTheRpc)
{
    Open();
    const RpcRdmaSegment segment{0x700, 36, 0};
    const auto expect =
        [this](RpcRdmaProc proc, std::vector<RpcRdmaReadSegment> list, bool notified) {
            m_done.clear();
            Expect(RpcOutcome::BAD_REPLY, [this, proc, &list](uint32_t xid) {
                RpcRdmaHeader header = LongReply(xid, list);
                header.proc = proc;
                Answer(header, proc == RpcRdmaProc::MSG ? MakeTakeReply(xid) : ByteVector());
            });
            EXPECT_EQ(m_done.size(), notified ? 1U : 0U);
        };
    expect(RpcRdmaProc::MSG, {{0, segment}}, true);
    expect(RpcRdmaProc::NOMSG, {{0, segment}, {4, segment}}, true);
    expect(RpcRdmaProc::NOMSG, {{0, {1, 0, 0}}}, true);
    expect(RpcRdmaProc::NOMSG, {{4, segment}}, false);
    expect(RpcRdmaProc::MSG, {{4, segment}}, false);
    EXPECT_EQ(m_client->GetStatistics().badReply, 5U);
    ExpectAlive();
    ExpectClientClean();
}

TEST_F(ReplyPull, NoMemoryRegionFailsTheRpcAndIsNotified)
{
    m_clientHost.device->SetAttribute("MaxMrs", UintegerValue(4));
    m_client->SetAttribute("RegionPages", UintegerValue(1));
    Open();
    Expect(RpcOutcome::BAD_REPLY,
           [this](uint32_t xid) { Answer(LongReply(xid, Expose(ByteVector(5 * 4096, 1)))); });
    EXPECT_EQ(m_done.size(), 1U);
    ExpectAlive();
    ExpectClientClean();
}

TEST_F(ReplyPull, AFailingReadLosesTheConnectionAndNothingIsSaid)
{
    Open();
    Expect(RpcOutcome::DISCONNECTED, [this](uint32_t xid) {
        Answer(LongReply(xid, {{0, {0x12345600, 36, 0}}}));
    });
    EXPECT_TRUE(m_done.empty());
    EXPECT_EQ(Statistics().doneSent, 0U);
    m_peer->Destroy();
    Run();
    EXPECT_TRUE(IsZero(m_clientHost.device->GetCensus()));
}

/// Both sides let notices invalidate.
class ReplyPullInvalidation : public ReplyPull
{
  protected:
    ReadChunkExtension GetExtension() override
    {
        ReadChunkExtension extension = ReplyPull::GetExtension();
        extension.remoteInvalidation = true;
        return extension;
    }

    /// The notice of an RPC invalidates nothing.
    void ExpectPlainNotice()
    {
        Expect(RpcOutcome::SUCCESS,
               [this](uint32_t xid) { Answer(LongReply(xid, Expose(MakeTakeReply(xid)))); });
        ASSERT_EQ(m_done.size(), 1U);
        EXPECT_FALSE(m_peer->completions.back().withInvalidate);
        ExpectClientClean();
    }
};

TEST_F(ReplyPullInvalidation, APeerThatClearsRGetsAPlainSend)
{
    Open();
    ExpectPlainNotice();
}

TEST_F(ReplyPullInvalidation, AClientThatClearsRDoesNotSayThatItInvalidates)
{
    m_peerInvalidates = true;
    m_client->SetAttribute("RemoteInvalidation", BooleanValue(false));
    Open();
    const auto extension = ReadChunkExtension::Decode(m_peer->peerData);
    ASSERT_TRUE(extension);
    EXPECT_FALSE(extension->remoteInvalidation);
    ExpectPlainNotice();
}

TEST_F(ReplyPullInvalidation, TheNoticeNamesATagOfThatChunk)
{
    m_peerInvalidates = true;
    Open();
    std::vector<Stag> tags;
    Expect(RpcOutcome::SUCCESS, [this, &tags](uint32_t xid) {
        const auto segments = Expose(MakeTakeReply(xid), 20);
        tags = {segments[0].target.handle, segments[1].target.handle};
        Answer(LongReply(xid, segments));
    });
    ASSERT_EQ(m_done.size(), 1U);
    const WorkCompletion& last = m_peer->completions.back();
    EXPECT_TRUE(last.withInvalidate);
    EXPECT_EQ(last.invalidatedStag, tags[0]);
    EXPECT_EQ(Statistics().doneInvalidates, 1U);
    ExpectClientClean();
}

TEST_F(ReplyPullInvalidation, OneSideAloneIsNotEnough)
{
    m_peerInvalidates = true;
    m_client->SetAttribute("DoneInvalidates", BooleanValue(false));
    Open();
    ExpectPlainNotice();
}

/// Notices ride on Calls.
class ReplyPullPiggyback : public ReplyPull
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        ReplyPull::ConfigureClient(client);
        client->SetAttribute("PullNotice", StringValue("piggyback"));
        client->SetAttribute("PiggybackDelay", TimeValue(MilliSeconds(3)));
    }

    ReadChunkExtension GetExtension() override
    {
        ReadChunkExtension extension = ReplyPull::GetExtension();
        extension.piggyback = true;
        return extension;
    }
};

TEST_F(ReplyPullPiggyback, TheNextCallCarriesTheNotice)
{
    Open();
    EXPECT_TRUE(ReadChunkExtension::Decode(m_peer->peerData)->piggyback);
    m_answer = [this](uint32_t xid) { Answer(LongReply(xid, Expose(MakeTakeReply(xid)))); };
    const Result& first = Take(0);
    Simulator::Stop(MilliSeconds(1));
    Run();
    ASSERT_TRUE(first.done);
    EXPECT_TRUE(m_done.empty());
    const ByteVector plain = m_calls.back();
    const Result& second = Take(0);
    Simulator::Stop(MicroSeconds(100));
    Run();
    ASSERT_EQ(m_calls.size(), 2U);
    EXPECT_TRUE(m_done.empty());
    ByteVector call = m_calls.back();
    EXPECT_EQ(call.size(), plain.size() + 8);
    const auto list = PullNoticeList::TakeFrom(call);
    ASSERT_TRUE(list);
    EXPECT_EQ(list->xids, std::vector<uint32_t>{first.record.xid});
    EXPECT_EQ(call.size(), plain.size());
    EXPECT_EQ(ByteVector(call.begin() + 8, call.begin() + 28),
              ByteVector(plain.begin() + 8, plain.begin() + 28));
    Run();
    EXPECT_TRUE(second.intact);
    EXPECT_EQ(second.record.callInlineBytes, plain.size() + 8);
    // The last notice found no Call to ride on.
    EXPECT_EQ(m_done, std::vector<uint32_t>{second.record.xid});
    EXPECT_EQ(Statistics().doneOnCalls, 1U);
    EXPECT_EQ(Statistics().doneSent, 1U);
    ExpectClientClean();
}

TEST_F(ReplyPullPiggyback, ACallWithoutRoomLeavesItForTheNext)
{
    Open();
    m_answer = [this](uint32_t xid) { Answer(LongReply(xid, Expose(MakeTakeReply(xid)))); };
    Take(0);
    Simulator::Stop(MilliSeconds(1));
    Run();
    // Calls that fill the Send up to the last octets: whether the notice rides depends on them.
    m_answer = nullptr;
    m_calls.clear();
    for (uint32_t length = 3780; length < 3960; length += 4)
    {
        Take(length);
    }
    Run();
    for (const ByteVector& call : m_calls)
    {
        EXPECT_LE(call.size(), 4096U);
    }
    EXPECT_EQ(Statistics().doneOnCalls + Statistics().doneSent, 1U);
}

/// What a requester without the extension does, as Linux and as the draft.
class ReplyPullUnaware : public ReplyPull, public ::testing::WithParamInterface<bool>
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("NotifyUnexpectedReadChunks", BooleanValue(GetParam()));
    }
};

TEST_P(ReplyPullUnaware, FailsTheRpcAndNotifiesOrNot)
{
    Open();
    EXPECT_EQ(m_peer->peerData.size(), RpcRdmaPrivateData::SIZE);
    EXPECT_EQ(m_peer->peerIrd, 0U);
    Expect(RpcOutcome::BAD_REPLY,
           [this](uint32_t xid) { Answer(LongReply(xid, Expose(MakeTakeReply(xid)))); });
    EXPECT_EQ(m_done.size(), GetParam() ? 1U : 0U);
    Answer(LongReply(0xdead, {{0, {0x12345600, 5000, 0}}}));
    Run();
    EXPECT_EQ(m_done.size(), GetParam() ? 2U : 0U);
    EXPECT_EQ(m_client->GetStatistics().badXids, 1U);
    ExpectAlive();
    ExpectClientClean();
}

INSTANTIATE_TEST_SUITE_P(LinuxAndDraft, ReplyPullUnaware, ::testing::Bool());

} // namespace
} // namespace ns3::nfsrdma
