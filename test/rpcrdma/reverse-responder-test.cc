/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/internet-address.h"
#include "rpcrdma/raw-peer.h"
#include "rpcrdma/reverse-direction-fixture.h"

#include "ns3/string.h"

#include <gmock/gmock.h>
#include <random>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t RDMA_MSG = 0;
constexpr uint32_t RDMA_ERROR = 4;

/// A server moved by hand.
class ReverseResponder : public ReverseDirection
{
  protected:
    void SetUp() override
    {
        ReverseDirection::SetUp();
        m_peer = std::make_unique<RawPeer>(m_serverHost.device);
    }

    void TearDown() override
    {
        m_peer.reset();
        RpcRdmaTest::TearDown();
    }

    void Open()
    {
        ASSERT_TRUE(m_peer->Listen(RpcRdmaServer::NFS_RDMA_PORT,
                                   RpcRdmaPrivateData{false, 4096, 4096}.Encode()));
        m_peer->onMessage = [this](const ByteVector& message) {
            const std::string xid = ToHex(DecodeFixed(message).xid);
            m_peer->Send(HexOctets(xid + "00000001 00000040 00000000" + m_noLists + xid +
                                   "00000001 00000000 00000000 00000000 00000000"));
        };
        m_client->Connect();
        Take(4);
        Run();
        m_peer->onMessage = nullptr;
        m_peer->received.clear();
        ASSERT_TRUE(m_client->IsConnected());
    }

    static std::string ToHex(uint32_t word)
    {
        std::string digits = "00000000";
        for (std::size_t i = 0; i < digits.size(); ++i)
        {
            digits[digits.size() - 1 - i] = "0123456789abcdef"[(word >> (4 * i)) & 15];
        }
        return digits;
    }

    /// A reverse NULL call, after \p lists.
    static ByteVector MakeCall(uint32_t xid, const std::string& lists)
    {
        const std::string number = ToHex(xid);
        return HexOctets(number + "00000001 00000002 00000000" + lists + number +
                         "00000000 00000002 40000000 00000001 00000000"
                         "00000000 00000000 00000000 00000000");
    }

    const std::string m_noLists = "00000000 00000000 00000000";
    std::unique_ptr<RawPeer> m_peer;
};

TEST_F(ReverseResponder, AnswersChunksWithErrChunkAndItsCredits)
{
    Open();
    const std::string none = "00000000";
    const std::string segment = "00001111 00000040 00000000 00001000";
    for (const std::string& lists : {"00000001 00000028" + segment + none + none + none,
                                     none + "00000001 00000001" + segment + none + none,
                                     none + none + "00000001 00000001" + segment})
    {
        m_peer->received.clear();
        m_peer->Send(MakeCall(0x77, lists));
        Run();
        ASSERT_EQ(m_peer->received.size(), 1U);
        EXPECT_EQ(m_peer->received.front(),
                  HexOctets("00000077 00000001 00000010 00000004 00000002"));
    }
    m_peer->received.clear();
    m_peer->Send(HexOctets("00000078 00000001 00000002 00000001 00000001 00000000" + segment +
                           none + none + none));
    Run();
    ASSERT_EQ(m_peer->received.size(), 1U);
    EXPECT_EQ(DecodeFixed(m_peer->received.front()).proc, RDMA_ERROR);
    EXPECT_EQ(m_callbacks->calls, 0U);
    EXPECT_EQ(m_client->GetReverseStatistics().errChunk, 4U);
    EXPECT_TRUE(m_client->IsConnected());
}

TEST_F(ReverseResponder, TakesAsManyCallsAsItGrantsAndMoreUpToTwice)
{
    Open();
    m_callbacks->delay = MilliSeconds(5);
    for (uint32_t xid = 1; xid <= 32; ++xid)
    {
        m_peer->Send(MakeCall(xid, m_noLists));
    }
    Run();
    EXPECT_TRUE(m_client->IsConnected());
    EXPECT_EQ(m_peer->received.size(), 32U);
    for (const ByteVector& reply : m_peer->received)
    {
        const auto header = DecodeFixed(reply);
        EXPECT_EQ(header.proc, RDMA_MSG);
        EXPECT_EQ(header.credit, 16U);
    }
}

TEST_F(ReverseResponder, ClosesTheConnectionOfAServerThatKnowsNoLimit)
{
    Open();
    m_callbacks->delay = MilliSeconds(5);
    for (uint32_t xid = 1; xid <= 33; ++xid)
    {
        m_peer->Send(MakeCall(xid, m_noLists));
    }
    Run();
    EXPECT_FALSE(m_client->IsConnected());
    EXPECT_EQ(m_client->GetReverseStatistics().overflows, 1U);
    EXPECT_EQ(m_callbackServer->GetBusyThreads(), 0U);
    EXPECT_TRUE(IsZero(m_clientHost.device->GetCensus()));
}

/// A server that calls one by one, while the client makes no call: more than it has receives for.
class UnansweredRefill : public ReverseResponder, public ::testing::WithParamInterface<bool>
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        ReverseResponder::ConfigureClient(client);
        client->SetAttribute("ReceiveRefill",
                             StringValue(GetParam() ? "every-message" : "awaited-replies"));
    }
};

TEST_P(UnansweredRefill, CallsOfTheServerHaveReceivesPostedUnlessRepliesAloneDo)
{
    Open();
    for (uint32_t xid = 1; xid <= 300 && m_client->IsConnected(); ++xid)
    {
        m_peer->Send(MakeCall(xid, m_noLists));
        Run();
    }
    EXPECT_EQ(m_client->IsConnected(), GetParam());
    EXPECT_EQ(m_peer->received.size() == 300, GetParam());
    EXPECT_GE(m_peer->received.size(), 32U);
}

INSTANTIATE_TEST_SUITE_P(Refills, UnansweredRefill, ::testing::Bool());

TEST_F(ReverseResponder, SurvivesCallsOfRandomOctets)
{
    Open();
    std::mt19937_64 random(4);
    for (int i = 0; i < 300; ++i)
    {
        ByteVector message = MakeCall(0x5000 + i, m_noLists);
        for (uint64_t change = 1 + random() % 3; change > 0; --change)
        {
            message[random() % message.size()] = static_cast<uint8_t>(random() % 4);
        }
        if (random() % 3 == 0)
        {
            message.resize(random() % message.size());
        }
        m_peer->Send(message);
        Run();
        ASSERT_TRUE(m_client->IsConnected());
    }
    EXPECT_EQ(m_callbackServer->GetBusyThreads(), 0U);
    m_peer->received.clear();
    m_peer->Send(MakeCall(0x99, m_noLists));
    Run();
    EXPECT_EQ(m_peer->received.size(), 1U);
}

/// The exchange of CB_RECALL that Linux 6.1 had, from its transport header on.
class CapturedCallback : public ReverseResponder
{
  protected:
    /// A message that is dropped.
    const ByteVector m_done = HexOctets("00000001 00000001 00000001 00000003");
    const ByteVector m_call =
        HexOctets("63b60f5c 00000001 00000002 00000000 00000000 00000000 00000000"
                  "63b60f5c 00000000 00000002 40000000 00000001 00000001 00000001 0000001c 00000000"
                  "00000006 73657276 65720000 00000000 00000000 00000000 00000000 00000000 00000000"
                  "00000001 00000000 00000002 0000000b e90e016b f5311d35 02000000 00000000 00000001"
                  "00000000 00000000 00000000 00000000 00000004 00000001 e90e016b f5311d35 29000000"
                  "00000000 00000010 01000101 01000000 13020000 19e8272c");
    const ByteVector m_reply = HexOctets(
        "63b60f5c 00000001 00000010 00000000 00000000 00000000 00000000"
        "63b60f5c 00000001 00000000 00000000 00000000 00000000 00000000 00000000 00000002 0000000b"
        "00000000 e90e016b f5311d35 02000000 00000000 00000001 00000000 0000000f 0000000f 00000004"
        "00000000");
};

TEST_F(CapturedCallback, AClientAnswersAsLinux)
{
    const std::size_t resultsOffset = 28 + 24;
    m_callbacks->results.assign(m_reply.begin() + resultsOffset, m_reply.end());
    Open();
    m_peer->Send(m_call);
    Run();
    ASSERT_EQ(m_peer->received.size(), 1U);
    EXPECT_EQ(m_peer->received.front(), m_reply);
}

TEST_F(CapturedCallback, AServerCallsAsLinux)
{
    ASSERT_TRUE(m_server->Listen());
    RawPeer client(m_clientHost.device);
    client.Connect(MakeSocketAddress(m_serverHost.address, RpcRdmaServer::NFS_RDMA_PORT),
                   RpcRdmaPrivateData{true, 4096, 4096}.Encode());
    client.onMessage = [&client, this](const ByteVector&) { client.Send(m_reply); };
    Run();
    client.Send(m_done);
    Run();
    auto call = std::make_unique<RpcTransportCall>();
    call->record.xid = 0x63b60f5c;
    call->call.octets.assign(m_call.begin() + 28, m_call.end());
    ByteVector back;
    RpcOutcome outcome = RpcOutcome::BAD_REPLY;
    call->completed = [&](RpcRecord& record, RpcReceivedMessage&& message) {
        outcome = record.outcome;
        back = std::move(message.octets);
    };
    m_reverse->Submit(std::move(call));
    Run();
    ASSERT_EQ(client.received.size(), 1U);
    EXPECT_EQ(client.received.front(), m_call);
    EXPECT_EQ(outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(back, ByteVector(m_reply.begin() + 28, m_reply.end()));
    EXPECT_EQ(m_reverse->GetCredits(), 2U); // 16 are granted, 2 were asked for.
}

TEST_F(CapturedCallback, TheNewestConnectionOfAClientCarriesItsCalls)
{
    ASSERT_TRUE(m_server->Listen());
    const Address server = MakeSocketAddress(m_serverHost.address, RpcRdmaServer::NFS_RDMA_PORT);
    RawPeer older(m_clientHost.device);
    RawPeer newer(m_clientHost.device);
    const ByteVector privateData = RpcRdmaPrivateData{true, 4096, 4096}.Encode();
    for (RawPeer* peer : {&older, &newer})
    {
        peer->Connect(server, privateData);
        Run();
        peer->Send(m_done);
        Run();
    }
    CallBack(4);
    Simulator::Stop(MilliSeconds(1));
    Run();
    EXPECT_EQ(older.received.size(), 0U);
    EXPECT_EQ(newer.received.size(), 1U);
    newer.Disconnect();
    Simulator::Stop(MilliSeconds(100));
    Run();
    EXPECT_TRUE(m_reverse->IsAttached());
    EXPECT_EQ(older.received.size(), 1U);
    EXPECT_EQ(DecodeFixed(older.received.front()).xid, DecodeFixed(newer.received.front()).xid);
}

} // namespace
} // namespace ns3::nfsrdma
