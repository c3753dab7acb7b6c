/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/raw-peer-fixture.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <functional>

namespace ns3::nfsrdma
{
namespace
{

/// RpcRdmaClient against a hand-made responder on bare verbs.
class RequesterReply : public RawResponderTest
{
  protected:
    virtual ByteVector GetPrivateData()
    {
        return RpcRdmaPrivateData{false, 4096, 4096}.Encode();
    }

    void Open()
    {
        OpenWith(GetPrivateData());
        m_peer->onMessage = [this](const ByteVector& message) {
            ByteReader reader(message);
            m_calls.push_back(RpcRdmaHeader::Decode(reader).value());
            if (m_answer)
            {
                m_answer(m_calls.back());
            }
        };
    }

    void Answer(const RpcRdmaHeader& header, const ByteVector& payload = {})
    {
        m_peer->Send(Encode(header, payload));
    }

    static RpcRdmaHeader ReplyTo(const RpcRdmaHeader& call, uint32_t credits = 32)
    {
        RpcRdmaHeader reply;
        reply.xid = call.xid;
        reply.credit = credits;
        return reply;
    }

    /// Calls, lets \p answer answer, and expects \p outcome.
    void Expect(RpcOutcome outcome, const std::function<void(const RpcRdmaHeader&)>& answer)
    {
        m_answer = answer;
        const Result& result = Take(0);
        Run();
        ASSERT_TRUE(result.done);
        EXPECT_EQ(result.record.outcome, outcome);
    }

    std::vector<RpcRdmaHeader> m_calls;
    std::function<void(const RpcRdmaHeader&)> m_answer;
};

TEST_F(RequesterReply, PrivateDataAndCreditsAsLinux)
{
    Open();
    EXPECT_TRUE(m_peer->peer.remoteInvalidation);
    EXPECT_EQ(m_peer->peer.sendSize, 4096U);
    EXPECT_EQ(m_peer->peer.receiveSize, 4096U);
    Expect(RpcOutcome::SUCCESS, [this](const RpcRdmaHeader& call) {
        EXPECT_EQ(call.credit, 128U);
        Answer(ReplyTo(call), MakeTakeReply(call.xid));
    });
    ExpectClientClean();
}

TEST_F(RequesterReply, ErrorsEndTheRpc)
{
    Open();
    Expect(RpcOutcome::TRANSPORT_ERROR, [this](const RpcRdmaHeader& call) {
        RpcRdmaHeader reply = ReplyTo(call);
        reply.proc = RpcRdmaProc::ERROR;
        Answer(reply);
    });
    Expect(RpcOutcome::TRANSPORT_ERROR, [this](const RpcRdmaHeader& call) {
        RpcRdmaHeader reply = ReplyTo(call);
        reply.proc = RpcRdmaProc::ERROR;
        reply.error = RpcRdmaErrorCode::ERR_VERS;
        reply.version = 2; // not that of the call: no answer to it
        Answer(reply);
        reply.version = 1;
        Answer(reply);
    });
    EXPECT_EQ(m_calls.size(), 2U); // neither call was sent again
    const XprtRdmaStatistics statistics = m_client->GetStatistics();
    EXPECT_EQ(statistics.badReply, 3U);
    EXPECT_EQ(statistics.replyFaults.at(static_cast<std::size_t>(ReplyFault::VERSION)), 1U);
    EXPECT_EQ(statistics.replyFaults.at(static_cast<std::size_t>(ReplyFault::ERR_CHUNK)), 1U);
    EXPECT_EQ(statistics.replyFaults.at(static_cast<std::size_t>(ReplyFault::ERR_VERS)), 1U);
    EXPECT_EQ(m_client->GetStatistics().recvs, 2U);
    ExpectClientClean();
}

TEST_F(RequesterReply, BadRepliesEndTheRpc)
{
    Open();
    Expect(RpcOutcome::BAD_REPLY, [this](const RpcRdmaHeader& call) {
        RpcRdmaHeader reply = ReplyTo(call);
        reply.chunks.readList.push_back({0, {1, 4, 0}});
        Answer(reply, MakeTakeReply(call.xid));
    });
    Expect(RpcOutcome::BAD_REPLY, [this](const RpcRdmaHeader& call) {
        RpcRdmaHeader reply = ReplyTo(call);
        reply.chunks.writeList.push_back({{1, 4, 0}});
        Answer(reply, MakeTakeReply(call.xid));
    });
    Expect(RpcOutcome::BAD_REPLY, [this](const RpcRdmaHeader& call) {
        RpcRdmaHeader reply = ReplyTo(call);
        reply.proc = RpcRdmaProc::NOMSG;
        Answer(reply);
    });
    Expect(RpcOutcome::BAD_REPLY, [this](const RpcRdmaHeader& call) {
        ByteVector cut = Encode(ReplyTo(call), {});
        cut.resize(20);
        m_peer->Send(cut);
    });
    Expect(RpcOutcome::BAD_REPLY,
           [this](const RpcRdmaHeader& call) { Answer(ReplyTo(call), ByteVector(12)); });
    EXPECT_EQ(m_client->GetStatistics().badReply, 4U);
    ExpectClientClean();
}

TEST_F(RequesterReply, ChunkReturnedLongerThanOfferedIsBad)
{
    Open();
    m_answer = [this](const RpcRdmaHeader& call) {
        RpcRdmaHeader reply = ReplyTo(call);
        reply.chunks.writeList = call.chunks.writeList;
        ++reply.chunks.writeList.front().front().length;
        Answer(reply, MakeTakeReply(call.xid));
    };
    const Result& result = Give(8192, 8192);
    Run();
    ASSERT_TRUE(result.done);
    EXPECT_EQ(result.record.outcome, RpcOutcome::BAD_REPLY);
    EXPECT_EQ(m_client->GetStatistics().localInvNeeded, 1U);
    ExpectClientClean();
}

TEST_F(RequesterReply, WhatDoesNotMatchIsDroppedAndCounted)
{
    Open();
    const auto good = [this](const RpcRdmaHeader& call) {
        Answer(ReplyTo(call), MakeTakeReply(call.xid));
    };
    Expect(RpcOutcome::SUCCESS, good); // the grant has the client post receives
    Expect(RpcOutcome::SUCCESS, [this](const RpcRdmaHeader& call) {
        RpcRdmaHeader unknown = ReplyTo(call);
        unknown.xid += 7;
        Answer(unknown, MakeTakeReply(unknown.xid));
        m_peer->Send(ByteVector(8));
        RpcRdmaHeader version = ReplyTo(call);
        version.version = 9;
        Answer(version, MakeTakeReply(call.xid));
        Answer(ReplyTo(call), MakeTakeReply(call.xid));
        Answer(ReplyTo(call), MakeTakeReply(call.xid));
    });
    EXPECT_EQ(m_client->GetStatistics().badXids, 2U);
    EXPECT_EQ(m_client->GetStatistics().badReply, 2U);
    EXPECT_EQ(m_client->GetStatistics().recvs, 2U);
    ExpectClientClean();
}

TEST_F(RequesterReply, NeverMoreOutstandingThanGranted)
{
    Open();
    uint32_t held = 0;
    uint32_t most = 0;
    const std::vector<uint32_t> grants{5, 5, 2, 0, 1, 300, 7};
    std::size_t next = 0;
    m_answer = [&](const RpcRdmaHeader& call) {
        most = std::max(most, ++held);
        Simulator::Schedule(MicroSeconds(100), [&, call] {
            --held;
            Answer(ReplyTo(call, grants[next++ % grants.size()]), MakeTakeReply(call.xid));
        });
    };
    std::vector<const Result*> results;
    for (int i = 0; i < 40; ++i)
    {
        results.push_back(&Take(0));
    }
    uint32_t breaches = 0;
    m_client->TraceConnectWithoutContext(
        "CallSent",
        Callback<void, const RpcRecord&>([this, &breaches](const RpcRecord&) {
            breaches += m_client->GetOutstanding() > m_client->GetCredits() ? 1 : 0;
        }));
    Simulator::Schedule(MicroSeconds(50), [this] {
        EXPECT_EQ(m_calls.size(), 1U); // one call until the first grant
        EXPECT_EQ(m_client->GetPending(), 40U);
        EXPECT_EQ(m_client->DescribeWaiting().size(), 40U);
    });
    Run();
    for (const Result* result : results)
    {
        ASSERT_TRUE(result->done);
        EXPECT_EQ(result->record.outcome, RpcOutcome::SUCCESS);
    }
    EXPECT_EQ(breaches, 0U);
    EXPECT_GT(most, 5U);
    EXPECT_LE(m_client->GetCredits(), 128U);
    for (std::size_t i = 1; i < m_calls.size(); ++i)
    {
        EXPECT_EQ(m_calls[i].xid, m_calls[i - 1].xid + 1); // in order of submission
    }
    ExpectClientClean();
}

/// RFC 8166 section 3.3.1: a call that was given up is unacknowledged until its reply has come.
/// Linux counts it no more, and has more under way than was granted.
TEST_F(RequesterReply, CallsThatWereGivenUpPassTheGrantWithLinuxAlone)
{
    for (const bool isLinux : {true, false})
    {
        m_client->SetAttribute("Cancel", StringValue(isLinux ? "linux" : "invalidate"));
        m_peer = std::make_unique<RawPeer>(m_serverHost.device);
        Open();
        Expect(RpcOutcome::SUCCESS, [this](const RpcRdmaHeader& call) {
            Answer(ReplyTo(call, 2), MakeTakeReply(call.xid));
        });
        m_answer = nullptr;
        m_calls.clear();
        const auto callTwice = [this] {
            Take(0);
            Take(0);
            Simulator::Stop(MilliSeconds(1));
            Run();
        };
        callTwice();
        ASSERT_EQ(m_calls.size(), 2U);
        for (const RpcRdmaHeader& call : m_calls)
        {
            EXPECT_TRUE(m_rpcClient->Cancel(call.xid));
        }
        callTwice();
        EXPECT_EQ(m_calls.size(), isLinux ? 4U : 2U);
        m_answer = [this](const RpcRdmaHeader& call) {
            Answer(ReplyTo(call, 2), MakeTakeReply(call.xid));
        };
        for (const RpcRdmaHeader& call : std::vector<RpcRdmaHeader>(m_calls))
        {
            Answer(ReplyTo(call, 2), MakeTakeReply(call.xid));
        }
        Simulator::Stop(MilliSeconds(1));
        Run();
        EXPECT_EQ(m_calls.size(), 4U);
        EXPECT_EQ(m_client->GetPending(), 0U);
        ExpectClientClean();
    }
}

/// RFC 8166 section 3.3.1: a responder that answers all calls at one instant, as many as it has
/// granted, finds a Receive for each reply.
TEST_F(RequesterReply, ReceivesAreThereForEachReplyThatIsExpected)
{
    Open();
    Expect(RpcOutcome::SUCCESS, [this](const RpcRdmaHeader& call) {
        Answer(ReplyTo(call, 128), MakeTakeReply(call.xid));
    });
    std::vector<RpcRdmaHeader> held;
    m_answer = [this, &held](const RpcRdmaHeader& call) {
        held.push_back(call);
        if (held.size() == 128)
        {
            for (const RpcRdmaHeader& each : held)
            {
                Answer(ReplyTo(each, 128), MakeTakeReply(each.xid));
            }
        }
    };
    std::vector<const Result*> results;
    for (int i = 0; i < 128; ++i)
    {
        results.push_back(&Take(0));
    }
    Run();
    EXPECT_EQ(held.size(), 128U);
    for (const Result* result : results)
    {
        ASSERT_TRUE(result->done);
        EXPECT_EQ(result->record.outcome, RpcOutcome::SUCCESS);
    }
    EXPECT_TRUE(m_client->IsConnected());
    ExpectClientClean();
}

TEST_F(RequesterReply, LostConnectionEndsWhatWasSentAndKeepsTheRest)
{
    Open();
    m_answer = [this](const RpcRdmaHeader&) { m_peer->Disconnect(); };
    const Result& sent = Give(8192, 8192);
    const Result& waiting = Take(0);
    Run();
    ASSERT_TRUE(sent.done);
    EXPECT_EQ(sent.record.outcome, RpcOutcome::DISCONNECTED);
    EXPECT_FALSE(waiting.done);
    EXPECT_TRUE(m_client->IsIdle());
    EXPECT_EQ(m_client->GetPending(), 1U);
    ASSERT_EQ(m_client->DescribeWaiting().size(), 1U);
    EXPECT_NE(m_client->DescribeWaiting().front().find("connection"), std::string::npos);
    EXPECT_TRUE(IsZero(m_clientHost.device->GetCensus()));

    m_peer->Destroy();
    m_peer = std::make_unique<RawPeer>(m_serverHost.device);
    m_answer = nullptr;
    Open();
    // What waited was sent as soon as the connection stood, before the peer had its handler.
    ASSERT_EQ(m_peer->received.size(), 1U);
    ByteReader reader(m_peer->received.front());
    const RpcRdmaHeader call = RpcRdmaHeader::Decode(reader).value();
    Answer(ReplyTo(call), MakeTakeReply(call.xid));
    Run();
    EXPECT_TRUE(waiting.done);
    EXPECT_EQ(waiting.record.outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(m_client->GetStatistics().connectCount, 2U);
    ExpectClientClean();
}

TEST_F(RequesterReply, NobodyListens)
{
    m_client->Connect();
    EXPECT_FALSE(m_client->IsIdle());
    Run();
    EXPECT_TRUE(m_client->IsIdle());
    EXPECT_TRUE(IsZero(m_clientHost.device->GetCensus()));
    EXPECT_EQ(m_client->GetStatistics().connectCount, 0U);
}

class OneSlot : public RequesterReply
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("Slots", UintegerValue(1));
    }
};

TEST_F(OneSlot, CallsGoOneByOne)
{
    Open();
    m_answer = [this](const RpcRdmaHeader& call) {
        EXPECT_EQ(call.credit, 1U);
        EXPECT_EQ(m_client->GetOutstanding(), 1U);
        Answer(ReplyTo(call, 64), MakeTakeReply(call.xid));
    };
    for (int i = 0; i < 20; ++i)
    {
        Take(0);
    }
    Run();
    EXPECT_EQ(m_client->GetPending(), 0U);
    EXPECT_EQ(m_client->GetStatistics().reqU, 20U);
    EXPECT_EQ(m_client->GetStatistics().bklogU, 18U * 19 / 2);
    ExpectClientClean();
}

class ManyThresholds : public RequesterReply
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("InlineSend", UintegerValue(16384));
        client->SetAttribute("InlineReceive", UintegerValue(8192));
    }

    ByteVector GetPrivateData() override
    {
        return m_offered;
    }

    ByteVector m_offered{RpcRdmaPrivateData{true, 65536, 8192}.Encode()};
};

TEST_F(ManyThresholds, EachDirectionHasTheSmallerOfBoth)
{
    Open();
    EXPECT_EQ(m_peer->peer.sendSize, 16384U);
    EXPECT_EQ(m_peer->peer.receiveSize, 8192U);
    EXPECT_EQ(m_client->GetInlineLimits().send, 8192U);
    EXPECT_EQ(m_client->GetInlineLimits().receive, 8192U);
    ExpectClientClean();
}

TEST_F(ManyThresholds, UnknownVersionCountsAsNone)
{
    m_offered[4] = 2;
    Open();
    EXPECT_EQ(m_client->GetInlineLimits().send, 1024U);
    EXPECT_EQ(m_client->GetInlineLimits().receive, 1024U);
    ExpectClientClean();
}

TEST_F(ManyThresholds, IsFoundBehindForeignOctets)
{
    m_offered.insert(m_offered.begin(), {0xf6, 0xab, 0x00});
    m_client->SetAttribute("PrivateDataAtFront", BooleanValue(false));
    Open();
    EXPECT_EQ(m_client->GetInlineLimits().send, 8192U);
    ExpectClientClean();
}

} // namespace
} // namespace ns3::nfsrdma
