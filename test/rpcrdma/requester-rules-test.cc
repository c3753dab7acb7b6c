/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/message/continuation.h"
#include "rpcrdma/message/read-chunk-extension.h"
#include "rpcrdma/raw-peer-fixture.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>

namespace ns3::nfsrdma
{
namespace
{

/// RpcRdmaClient against a hand-made responder that keeps what it receives.
class RequesterRules : public RawResponderTest
{
  protected:
    void SetUp() override
    {
        RawResponderTest::SetUp();
        m_client->TraceConnectWithoutContext(
            "BadMessage",
            Callback<void, uint32_t, ReplyVerdict, ReplyFault>(
                [this](uint32_t, ReplyVerdict, ReplyFault fault) { m_faults.push_back(fault); }));
    }

    void Open(const ByteVector& privateData = RpcRdmaPrivateData{true, 4096, 4096}.Encode())
    {
        OpenWith(privateData);
    }

    /// Opens, and gets the credits for more than one call.
    void OpenWide()
    {
        Open();
        const Result& result = Take(0);
        Run();
        m_peer->Send(MakeTaken(GetCall(0)));
        Run();
        ASSERT_TRUE(result.done);
        m_peer->received.clear();
    }

    RpcRdmaHeader GetCall(std::size_t number)
    {
        EXPECT_LT(number, m_peer->received.size());
        ByteReader reader(m_peer->received.at(number));
        return RpcRdmaHeader::Decode(reader).value();
    }

    /// The reply to a TAKE of nothing.
    static ByteVector MakeTaken(const RpcRdmaHeader& call)
    {
        return Encode(MakeHeader(call.xid), MakeTakeReply(call.xid));
    }

    /// The reply to a GIVE that gives nothing: its Write chunk is not used.
    static ByteVector MakeGiven(const RpcRdmaHeader& call)
    {
        RpcRdmaHeader reply = MakeHeader(call.xid);
        reply.chunks.writeList = call.chunks.writeList;
        reply.chunks.writeList.front().front().length = 0;
        RpcReplyHeader header;
        header.xid = call.xid;
        XdrWriter writer;
        header.Encode(writer);
        writer.WriteU32(0);
        writer.WriteU32(0xee000000);
        return Encode(reply, writer.Take());
    }

    static Stag GetStag(const RpcRdmaHeader& call)
    {
        return call.chunks.writeList.front().front().handle;
    }

    std::vector<ReplyFault> m_faults;
};

TEST_F(RequesterRules, WhatThePeerHasInvalidatedIsNotInvalidatedAgain)
{
    OpenWide();
    const Result& result = Give(0, 8192);
    Run();
    m_peer->SendWithInvalidate(MakeGiven(GetCall(0)), GetStag(GetCall(0)));
    Run();
    ASSERT_TRUE(result.done);
    EXPECT_EQ(result.record.outcome, RpcOutcome::SUCCESS);
    EXPECT_TRUE(result.record.remotelyInvalidated);
    EXPECT_EQ(m_client->GetStatistics().localInvNeeded, 0U);
    EXPECT_TRUE(m_faults.empty());
    ExpectClientClean();
}

/// Where a grant is cut to the window, receives being posted for it.
class GrantClamps : public RequesterRules, public ::testing::WithParamInterface<bool>
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("GrantClamp", StringValue(GetParam() ? "parsed" : "window"));
        client->SetAttribute("ReceiveOrder", StringValue("after-completion"));
    }

    [[nodiscard]] uint64_t GetReceiveOctets() const
    {
        return m_clientHost.memory->GetAllocatedBytes(HostMemoryUse::RECEIVES);
    }
};

TEST_P(GrantClamps, AMessageOfAnUnknownXidWithAHugeGrant)
{
    OpenWide();
    const uint64_t before = GetReceiveOctets();
    RpcRdmaHeader header = MakeHeader(0xdeadbeef);
    header.credit = UINT32_MAX;
    m_peer->Send(Encode(header, MakeTakeReply(0xdeadbeef)));
    Run();
    const uint64_t after = GetReceiveOctets();
    if (GetParam())
    {
        EXPECT_EQ(after, before);
    }
    else
    {
        EXPECT_GE(after, uint64_t{16384} * 4096) << "64 MiB for one message of 68 octets";
    }
    const Result& result = Take(0);
    Run();
    m_peer->Send(MakeTaken(GetCall(0)));
    Run();
    EXPECT_TRUE(result.done);
    ExpectClientClean();
}

INSTANTIATE_TEST_SUITE_P(ParsedAndWindow, GrantClamps, ::testing::Bool());

TEST_F(RequesterRules, AnStagOfAnotherCallIsIgnoredAsLinuxDoes)
{
    OpenWide();
    const Result& first = Give(0, 8192);
    const Result& second = Give(0, 8192);
    Run();
    m_peer->SendWithInvalidate(MakeGiven(GetCall(0)), GetStag(GetCall(1)));
    Run();
    ASSERT_TRUE(first.done);
    EXPECT_EQ(first.record.outcome, RpcOutcome::SUCCESS);
    EXPECT_FALSE(first.record.remotelyInvalidated);
    EXPECT_FALSE(second.done);
    EXPECT_EQ(m_faults, std::vector{ReplyFault::FOREIGN_STAG});
    EXPECT_TRUE(m_client->IsConnected());
    // The other call is none the wiser: it invalidates what is invalid already.
    m_peer->Send(MakeGiven(GetCall(1)));
    Run();
    EXPECT_EQ(m_client->GetStatistics().localInvNeeded, 2U);
    m_client->Disconnect();
    Run();
    m_peer->Destroy();
    Run();
    EXPECT_TRUE(second.done);
    EXPECT_TRUE(IsZero(m_clientHost.device->GetCensus()));
}

/// Replies to the client may come in parts.
class RepliesInParts : public RequesterRules
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("ReplyMessages", UintegerValue(4));
    }

    void OpenForParts()
    {
        ReadChunkExtension extension;
        extension.continuation = true;
        ByteVector privateData = RpcRdmaPrivateData{true, 4096, 4096}.Encode();
        const ByteVector more = extension.Encode();
        privateData.insert(privateData.end(), more.begin(), more.end());
        OpenWith(privateData);
        const Result& result = Take(0);
        Run();
        m_peer->Send(MakeTaken(GetCall(0)));
        Run();
        ASSERT_TRUE(result.done);
        m_peer->received.clear();
    }

    /// The reply to a GIVE that gives nothing, in two parts.
    static std::array<ByteVector, 2> MakeParts(const RpcRdmaHeader& call)
    {
        constexpr uint32_t FIRST = 8;
        const ByteVector whole = MakeGiven(call);
        ByteReader reader(whole);
        EXPECT_TRUE(RpcRdmaHeader::Decode(reader));
        const auto lists = static_cast<std::ptrdiff_t>(reader.Position());
        const auto total = static_cast<uint32_t>(whole.size() - reader.Position());
        const ByteSpan plain = ByteSpan(whole).subspan(0, reader.Position());
        std::array<ByteVector, 2> parts{RpcRdmaContinuation{0, total}.Encode(plain),
                                        RpcRdmaContinuation{FIRST, total}.Encode(plain)};
        const auto payload = whole.begin() + lists;
        parts[0].insert(parts[0].end(), payload, payload + FIRST);
        parts[1].insert(parts[1].end(), payload + FIRST, whole.end());
        return parts;
    }
};

TEST_F(RepliesInParts, WhatAFirstPartInvalidatesIsNotInvalidatedAgain)
{
    OpenForParts();
    const Result& result = Give(0, 8192);
    Run();
    const auto parts = MakeParts(GetCall(0));
    m_peer->SendWithInvalidate(parts[0], GetStag(GetCall(0)));
    m_peer->Send(parts[1]);
    Run();
    ASSERT_TRUE(result.done);
    EXPECT_EQ(result.record.outcome, RpcOutcome::SUCCESS);
    EXPECT_TRUE(result.record.remotelyInvalidated);
    EXPECT_EQ(m_client->GetStatistics().localInvNeeded, 0U);
    EXPECT_TRUE(m_faults.empty());
    ExpectClientClean();
}

TEST_F(RepliesInParts, AnStagOfAnotherCallIsNoticedWithTheFirst)
{
    OpenForParts();
    const Result& first = Give(0, 8192);
    const Result& second = Give(0, 8192);
    Run();
    const auto parts = MakeParts(GetCall(0));
    m_peer->SendWithInvalidate(parts[0], GetStag(GetCall(1)));
    Run();
    EXPECT_EQ(m_faults, std::vector{ReplyFault::FOREIGN_STAG});
    EXPECT_TRUE(m_client->IsConnected());
    m_peer->Send(parts[1]);
    m_peer->Send(MakeGiven(GetCall(1)));
    Run();
    EXPECT_EQ(first.record.outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(m_client->GetStatistics().localInvNeeded, 2U);
    m_client->Disconnect();
    Run();
    m_peer->Destroy();
    Run();
    EXPECT_TRUE(second.done);
    EXPECT_TRUE(IsZero(m_clientHost.device->GetCensus()));
}

/// More malformed replies than the client has receives for, one after the other.
class MalformedFlood : public RequesterRules, public ::testing::WithParamInterface<bool>
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("ReceiveRefill",
                             StringValue(GetParam() ? "every-message" : "awaited-replies"));
    }
};

TEST_P(MalformedFlood, EndsTheConnectionOfAClientThatPostsNoReceiveForThem)
{
    OpenWide();
    Take(0);
    Run();
    for (int i = 0; i < 64; ++i)
    {
        m_peer->Send(ByteVector(12));
        Run();
    }
    EXPECT_EQ(std::count(m_faults.begin(), m_faults.end(), ReplyFault::TOO_SHORT) == 64,
              GetParam());
    EXPECT_EQ(m_peer->events.back() == CmEventType::DISCONNECTED, !GetParam());
}

INSTANTIATE_TEST_SUITE_P(Refills, MalformedFlood, ::testing::Bool());

class StrictRequester : public RequesterRules
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("ReplyRules", StringValue("rfc8166"));
    }
};

TEST_F(StrictRequester, AnStagOfAnotherCallClosesTheConnection)
{
    OpenWide();
    Give(0, 8192);
    Give(0, 8192);
    Run();
    m_peer->SendWithInvalidate(MakeGiven(GetCall(0)), GetStag(GetCall(1)));
    Run();
    EXPECT_EQ(m_faults, std::vector{ReplyFault::FOREIGN_STAG});
    EXPECT_EQ(m_peer->events.back(), CmEventType::DISCONNECTED);
}

TEST_F(StrictRequester, BadRepliesAreDiscardedAndTheCallWaitsOn)
{
    OpenWide();
    const Result& result = Take(0);
    Run();
    const RpcRdmaHeader call = GetCall(0);
    RpcRdmaHeader reply = MakeHeader(call.xid);
    reply.credit = 77;
    reply.proc = RpcRdmaProc::NOMSG;
    m_peer->Send(Encode(reply, {}));
    ByteVector unknownCode = Encode(reply, {});
    unknownCode.resize(20);
    unknownCode[15] = 4;
    unknownCode[19] = 3;
    m_peer->Send(unknownCode);
    reply.proc = RpcRdmaProc::DONE;
    m_peer->Send(Encode(reply, {}));
    Run();
    EXPECT_FALSE(result.done);
    EXPECT_EQ(m_client->GetCredits(), 32U);
    const std::vector<ReplyFault> faults{ReplyFault::NO_REPLY_CHUNK,
                                         ReplyFault::ERROR_CODE,
                                         ReplyFault::DONE};
    EXPECT_EQ(m_faults, faults);
    m_peer->Send(MakeTaken(call));
    Run();
    ASSERT_TRUE(result.done);
    EXPECT_EQ(result.record.outcome, RpcOutcome::SUCCESS);
    ExpectClientClean();
}

TEST_F(StrictRequester, GrantOfNothingCountsAsOne)
{
    OpenWide();
    const Result& result = Take(0);
    Run();
    ByteVector reply = MakeTaken(GetCall(0));
    reply[11] = 0;
    m_peer->Send(reply);
    Run();
    EXPECT_TRUE(result.done);
    EXPECT_EQ(m_client->GetCredits(), 1U);
    EXPECT_EQ(m_faults, std::vector{ReplyFault::NO_CREDITS});
    ExpectClientClean();
}

class TagToKeep : public RequesterRules
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("ProtectWritePad", BooleanValue(true));
    }
};

TEST_F(TagToKeep, ClearsTheFlagUnlessThereIsNone)
{
    Open();
    EXPECT_FALSE(m_peer->peer.remoteInvalidation);
    ExpectClientClean();
    m_client->SetAttribute("WritePadSegment", BooleanValue(false));
    m_peer = std::make_unique<RawPeer>(m_serverHost.device);
    Open();
    EXPECT_TRUE(m_peer->peer.remoteInvalidation);
    ExpectClientClean();
}

TEST_F(RequesterRules, WhatThePeerSaysIsForOneConnection)
{
    Open(RpcRdmaPrivateData{true, 2048, 8192}.Encode());
    EXPECT_EQ(m_client->GetInlineLimits().send, 4096U);
    EXPECT_EQ(m_client->GetInlineLimits().receive, 2048U);
    ExpectClientClean();
    m_client->SetAttribute("InlineSend", UintegerValue(16384));
    m_client->SetAttribute("RemoteInvalidation", BooleanValue(false));
    m_peer = std::make_unique<RawPeer>(m_serverHost.device);
    Open(RpcRdmaPrivateData{false, 1024, 65536}.Encode());
    EXPECT_EQ(m_client->GetInlineLimits().send, 16384U);
    EXPECT_EQ(m_client->GetInlineLimits().receive, 1024U);
    EXPECT_FALSE(m_peer->peer.remoteInvalidation);
    EXPECT_EQ(m_peer->peer.sendSize, 16384U);
    ExpectClientClean();
    m_peer = std::make_unique<RawPeer>(m_serverHost.device);
    Open({});
    EXPECT_EQ(m_client->GetInlineLimits().send, 1024U);
    EXPECT_EQ(m_client->GetInlineLimits().receive, 1024U);
    ExpectClientClean();
}

class OddSizes : public RequesterRules
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("InlineSend", UintegerValue(5000));
        client->SetAttribute("InlineReceive", UintegerValue(3000));
    }
};

TEST_F(OddSizes, AreRoundedDownForThePeer)
{
    Open(RpcRdmaPrivateData{true, 65536, 65536}.Encode());
    EXPECT_EQ(m_peer->peer.sendSize, 4096U);
    EXPECT_EQ(m_peer->peer.receiveSize, 2048U);
    EXPECT_EQ(m_client->GetInlineLimits().send, 5000U);
    EXPECT_EQ(m_client->GetInlineLimits().receive, 2048U); // what the peer reckons with
    ExpectClientClean();
}

class PlainDevice : public RequesterRules
{
  protected:
    void ConfigureDevice(Ptr<RnicDevice> device) override
    {
        device->SetAttribute("SendWithInvalidate", BooleanValue(false));
    }
};

TEST_F(PlainDevice, ClearsTheFlag)
{
    Open();
    EXPECT_FALSE(m_peer->peer.remoteInvalidation);
    EXPECT_EQ(m_peer->peer.sendSize, 4096U);
    ExpectClientClean();
}

class NoRoomForPrivateData : public RequesterRules
{
  protected:
    void ConfigureDevice(Ptr<RnicDevice> device) override
    {
        device->SetAttribute("MaxPrivateData", UintegerValue(7));
    }
};

TEST_F(NoRoomForPrivateData, BothSidesReckonWithTheDefault)
{
    ASSERT_TRUE(m_server->Listen());
    m_client->Connect();
    Run();
    EXPECT_EQ(m_client->GetInlineLimits().send, 1024U);
    EXPECT_EQ(m_client->GetInlineLimits().receive, 1024U);
    const Result& small = Give(600, 700, false);
    const Result& large = Give(3000, 3000, false); // goes by Reply chunk
    const Result& item = Take(3000);
    Run();
    for (const Result* result : {&small, &large, &item})
    {
        ASSERT_TRUE(result->done);
        EXPECT_TRUE(result->intact);
        EXPECT_FALSE(result->record.remotelyInvalidated);
    }
    EXPECT_EQ(small.record.replyChunkBytes, 0U);
    EXPECT_GT(large.record.replyChunkBytes, 3000U);
    ExpectCleanEnd();
}

} // namespace
} // namespace ns3::nfsrdma
