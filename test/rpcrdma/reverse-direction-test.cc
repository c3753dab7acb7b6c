/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/raw-peer.h"
#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <random>
#include <string>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t MSG = 0;
constexpr uint32_t ERROR = 4;

/// A program on a client that gives back its arguments, after a while.
class CallbackProgram : public RpcProgram
{
  public:
    static constexpr uint32_t PROGRAM = 0x40000000;
    static constexpr uint32_t VERSION = 1;

    [[nodiscard]] uint32_t GetProgram() const override
    {
        return PROGRAM;
    }

    [[nodiscard]] uint32_t GetVersion() const override
    {
        return VERSION;
    }

    void Dispatch(std::shared_ptr<RpcServerCall> call, Done done) override
    {
        ++calls;
        auto reply = std::make_shared<RpcServerReply>();
        reply->results.octets = results;
        if (results.empty())
        {
            reply->results.octets.assign(call->message.octets.begin() + call->argumentsPosition,
                                         call->message.octets.end());
        }
        Simulator::Schedule(delay, [done, reply] { done(std::move(*reply)); });
    }

    Time delay{MicroSeconds(10)};
    ByteVector results; ///< Of every call, when not empty.
    uint32_t calls{0};
};

ByteVector
HexOctets(const std::string& text)
{
    ByteVector octets;
    std::string digits;
    std::copy_if(text.begin(), text.end(), std::back_inserter(digits), [](char c) {
        return c != ' ';
    });
    for (std::size_t i = 0; i < digits.size(); i += 2)
    {
        octets.push_back(static_cast<uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
    }
    return octets;
}

RpcRdmaFixedHeader
DecodeFixed(const ByteVector& message)
{
    ByteReader reader(message);
    return RpcRdmaFixedHeader::Decode(reader).value();
}

/// A client that serves calls of its server.
class ReverseDirection : public RpcRdmaTest
{
  protected:
    struct Outcome
    {
        RpcRecord record;
        uint32_t ends{0};
        bool intact{false};
    };

    void SetUp() override
    {
        m_callbacks = Create<CallbackProgram>();
        m_callbackServer = CreateObject<RpcServer>();
        m_callbackServer->Register(m_callbacks);
        m_callbackServer->SetAttribute("Threads", UintegerValue(64));
        RpcRdmaTest::SetUp();
        m_reverse = m_server->GetReverseTransport(m_clientHost.address);
        m_reverse->TraceConnectWithoutContext("CallSent",
                                              MakeCallback(&ReverseDirection::HandleSent, this));
        m_reverseClient = CreateObject<RpcClient>();
        m_reverseClient->SetTransport(m_reverse);
        m_reverseClient->SetProgram(CallbackProgram::PROGRAM, CallbackProgram::VERSION);
    }

    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetReverseServer(m_callbackServer);
    }

    /// Connects, and lets the client send first, before which an iWARP server may not.
    void Meet()
    {
        Connect();
        Greet();
    }

    void Greet()
    {
        m_client->Connect();
        Take(4);
        Run();
    }

    void HandleSent(const RpcRecord&)
    {
        m_mostOutstanding = std::max(m_mostOutstanding, m_reverse->GetOutstanding());
        EXPECT_LE(m_reverse->GetOutstanding(), m_reverse->GetCredits());
    }

    std::shared_ptr<Outcome> CallBack(uint32_t length)
    {
        auto outcome = std::make_shared<Outcome>();
        RpcArguments arguments;
        arguments.octets.resize(RoundUp4(length));
        for (std::size_t i = 0; i < arguments.octets.size(); ++i)
        {
            arguments.octets[i] = static_cast<uint8_t>(i * 7 + length);
        }
        RpcReplyEstimate reply;
        reply.head = RpcReplyHeader::ACCEPTED_SIZE + arguments.octets.size();
        m_reverseClient->Call(1,
                              RpcArguments(arguments),
                              reply,
                              [outcome, sent = arguments.octets](RpcRecord& record,
                                                                 const RpcReceivedMessage&,
                                                                 XdrReader& reader) {
                                  ++outcome->ends;
                                  outcome->record = record;
                                  const ByteSpan back = reader.Rest();
                                  outcome->intact = record.outcome == RpcOutcome::SUCCESS &&
                                                    ByteVector(back.begin(), back.end()) == sent;
                              });
        return outcome;
    }

    Ptr<CallbackProgram> m_callbacks;
    Ptr<RpcServer> m_callbackServer;
    Ptr<SvcRdmaReverseTransport> m_reverse;
    Ptr<RpcClient> m_reverseClient;
    uint32_t m_mostOutstanding{0};
};

TEST_F(ReverseDirection, ACallGoesOverTheConnectionTheClientMade)
{
    Meet();
    const auto outcome = CallBack(100);
    Run();
    EXPECT_EQ(outcome->ends, 1U);
    EXPECT_TRUE(outcome->intact);
    EXPECT_EQ(m_callbacks->calls, 1U);
    EXPECT_EQ(m_reverse->GetStatistics().replies, 1U);
    EXPECT_EQ(m_client->GetReverseStatistics().replies, 1U);
    EXPECT_EQ(m_server->GetStatistics().dropped, 0U);
    ExpectCleanEnd();
}

TEST_F(ReverseDirection, CallsWaitForTheFirstConnection)
{
    const auto first = CallBack(4);
    const auto second = CallBack(8);
    EXPECT_EQ(m_reverse->GetPending(), 0U); // Still with the RPC client.
    Simulator::Stop(MicroSeconds(50));
    Run();
    EXPECT_EQ(m_reverse->GetPending(), 2U);
    EXPECT_THAT(m_reverse->DescribeWaiting().front(), ::testing::EndsWith("connection"));
    ASSERT_TRUE(m_server->Listen());
    Greet();
    EXPECT_TRUE(first->intact);
    EXPECT_TRUE(second->intact);
    ExpectCleanEnd();
}

TEST_F(ReverseDirection, OneCreditUntilTheFirstReplyThenTheSmallerOfAskedAndGranted)
{
    Meet();
    const auto alone = CallBack(4);
    std::vector<std::shared_ptr<Outcome>> others;
    for (uint32_t i = 0; i < 10; ++i)
    {
        others.push_back(CallBack(i));
    }
    while (m_reverse->GetStatistics().replies == 0)
    {
        EXPECT_LE(m_reverse->GetOutstanding(), 1U);
        Simulator::Stop(MicroSeconds(1));
        Run();
    }
    Run();
    EXPECT_EQ(m_mostOutstanding, 2U);
    for (const auto& outcome : others)
    {
        EXPECT_TRUE(outcome->intact);
    }
    ExpectCleanEnd();
}

TEST_F(ReverseDirection, TheLargestInlineCallPassesAndALargerOneIsRefusedHere)
{
    Meet();
    const uint32_t most = 4096 - 28 - 40;
    const auto fits = CallBack(most);
    const auto passes = CallBack(most + 4);
    m_callbacks->results = ByteVector(16);
    Run();
    EXPECT_EQ(fits->record.outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(passes->record.outcome, RpcOutcome::TRANSPORT_ERROR);
    EXPECT_EQ(m_reverse->GetStatistics().tooLarge, 1U);
    EXPECT_EQ(m_callbacks->calls, 1U);
    EXPECT_TRUE(m_client->IsConnected());
    ExpectCleanEnd();
}

TEST_F(ReverseDirection, AReplyThatDoesNotFitIsAnError)
{
    Meet();
    m_callbacks->results = ByteVector(4096 - 28 - 24);
    const auto fits = CallBack(4);
    Run();
    m_callbacks->results.resize(m_callbacks->results.size() + 4);
    const auto passes = CallBack(4);
    Run();
    EXPECT_EQ(fits->record.outcome, RpcOutcome::SUCCESS);
    EXPECT_EQ(passes->record.outcome, RpcOutcome::TRANSPORT_ERROR);
    EXPECT_EQ(m_reverse->GetStatistics().errors, 1U);
    EXPECT_EQ(m_reverse->GetOutstanding(), 0U);
    EXPECT_TRUE(m_client->IsConnected());
    ExpectCleanEnd();
}

TEST_F(ReverseDirection, ACallInServiceTakesNothingFromTheForwardDirection)
{
    Meet();
    Take(10);
    Run();
    const uint32_t credits = m_client->GetCredits();
    m_callbacks->delay = MilliSeconds(5);
    const auto slow = CallBack(40);
    Simulator::Stop(MilliSeconds(1));
    Run();
    EXPECT_EQ(m_client->GetOutstanding(), 0U);
    EXPECT_EQ(m_client->GetCredits(), credits);
    const Result& forward = Give(100000, 100000);
    Simulator::Stop(MilliSeconds(1));
    Run();
    EXPECT_TRUE(forward.done);
    EXPECT_EQ(slow->ends, 0U);
    Run();
    EXPECT_TRUE(slow->intact);
    ExpectCleanEnd();
}

TEST_F(ReverseDirection, BothDirectionsAtOnceWithTheSameXids)
{
    std::mt19937_64 random(8167);
    for (int round = 0; round < 8; ++round)
    {
        if (round == 0)
        {
            Meet();
        }
        std::vector<std::shared_ptr<Outcome>> reverse;
        std::vector<const Result*> forward;
        for (int i = 0; i < 60; ++i)
        {
            if (random() % 2 == 0)
            {
                reverse.push_back(CallBack(random() % 3000));
            }
            else if (random() % 2 == 0)
            {
                forward.push_back(&Take(random() % 20000));
            }
            else
            {
                const auto length = static_cast<uint32_t>(random() % 20000);
                forward.push_back(&Give(length, length));
            }
            Simulator::Stop(NanoSeconds(random() % 20000));
            Run();
            EXPECT_GT(m_clientHost.device->GetCensus().postedReceives, 0U);
            EXPECT_GT(m_serverHost.device->GetCensus().postedReceives, 0U);
        }
        Run();
        EXPECT_TRUE(m_client->IsConnected());
        for (const auto& outcome : reverse)
        {
            EXPECT_EQ(outcome->ends, 1U);
            EXPECT_TRUE(outcome->intact);
        }
        for (const Result* result : forward)
        {
            EXPECT_TRUE(result->done);
            EXPECT_TRUE(result->intact);
        }
    }
    EXPECT_LE(m_mostOutstanding, 2U);
    EXPECT_EQ(m_client->GetStatistics().badXids, 0U);
    EXPECT_EQ(m_client->GetStatistics().badReply, 0U);
    EXPECT_EQ(m_server->GetStatistics().dropped, 0U);
    ExpectCleanEnd();
}

TEST_F(ReverseDirection, CallsLostWithTheConnectionAreSentAgainOnTheNext)
{
    Meet();
    CallBack(4);
    Run();
    m_callbacks->delay = MilliSeconds(50);
    std::vector<std::shared_ptr<Outcome>> outcomes;
    for (uint32_t i = 0; i < 4; ++i)
    {
        outcomes.push_back(CallBack(16 * i));
    }
    Simulator::Stop(MilliSeconds(1));
    Run();
    EXPECT_EQ(m_callbacks->calls, 3U);
    m_client->Disconnect();
    Simulator::Stop(MilliSeconds(20));
    Run();
    EXPECT_TRUE(m_client->IsIdle());
    EXPECT_FALSE(m_reverse->IsAttached());
    EXPECT_EQ(m_reverse->GetPending(), 4U);
    Greet();
    EXPECT_EQ(m_reverse->GetStatistics().resends, 2U);
    EXPECT_EQ(m_reverse->GetStatistics().connections, 2U);
    EXPECT_GE(m_client->GetReverseStatistics().dropped, 2U);
    for (const auto& outcome : outcomes)
    {
        EXPECT_EQ(outcome->ends, 1U);
        EXPECT_TRUE(outcome->intact);
    }
    ExpectCleanEnd();
}

TEST_F(ReverseDirection, LossInTheMiddleAgainAndAgain)
{
    Meet();
    std::mt19937_64 random(31);
    std::vector<std::shared_ptr<Outcome>> outcomes;
    for (int round = 0; round < 25; ++round)
    {
        for (uint64_t i = random() % 5; i > 0; --i)
        {
            outcomes.push_back(CallBack(random() % 2000));
        }
        Simulator::Stop(NanoSeconds(random() % 60000));
        Run();
        m_client->Disconnect();
        Simulator::Stop(NanoSeconds(random() % 2000000));
        Run();
        m_client->Connect();
        Take(4);
        Simulator::Stop(NanoSeconds(random() % 2000000));
        Run();
    }
    Greet();
    Greet();
    for (const auto& outcome : outcomes)
    {
        EXPECT_EQ(outcome->ends, 1U);
        EXPECT_TRUE(outcome->intact);
    }
    EXPECT_EQ(m_reverse->GetPending(), 0U);
    ExpectCleanEnd();
}

TEST_F(ReverseDirection, ACallGivenUpKeepsItsCreditUntilItsReplyComes)
{
    m_reverse->SetAttribute("CallTimeout", TimeValue(MilliSeconds(10)));
    Meet();
    CallBack(4);
    Run();
    m_callbacks->delay = MilliSeconds(40);
    const auto late = CallBack(8);
    Simulator::Stop(MilliSeconds(20));
    Run();
    EXPECT_EQ(late->ends, 1U);
    EXPECT_EQ(late->record.outcome, RpcOutcome::TIMED_OUT);
    EXPECT_EQ(m_reverse->GetPending(), 0U);
    EXPECT_EQ(m_reverse->GetOutstanding(), 1U);
    Run();
    EXPECT_EQ(m_reverse->GetOutstanding(), 0U);
    EXPECT_EQ(m_reverse->GetStatistics().badXids, 1U);
    EXPECT_EQ(late->ends, 1U);
    ExpectCleanEnd();
}

TEST_F(ReverseDirection, ACallCanBeCancelled)
{
    Meet();
    m_callbacks->delay = MilliSeconds(5);
    const auto sent = CallBack(4);
    const auto queued = CallBack(8);
    Simulator::Stop(MilliSeconds(1));
    Run();
    EXPECT_TRUE(m_reverse->Cancel(1));
    EXPECT_TRUE(m_reverse->Cancel(2));
    EXPECT_FALSE(m_reverse->Cancel(2));
    EXPECT_FALSE(m_reverse->Cancel(77));
    Run();
    for (const auto& outcome : {sent, queued})
    {
        EXPECT_EQ(outcome->ends, 1U);
        EXPECT_EQ(outcome->record.outcome, RpcOutcome::CANCELLED);
    }
    EXPECT_EQ(m_reverse->GetOutstanding(), 0U);
    ExpectCleanEnd();
}

TEST_F(ReverseDirection, TheClientMayLeaveWithACallInService)
{
    Meet();
    m_callbacks->delay = MilliSeconds(5);
    const auto outcome = CallBack(4);
    Simulator::Stop(MilliSeconds(1));
    Run();
    m_client->Disconnect();
    Run();
    EXPECT_TRUE(m_client->IsIdle());
    EXPECT_EQ(m_client->GetReverseStatistics().dropped, 1U);
    EXPECT_EQ(m_callbackServer->GetBusyThreads(), 0U);
    EXPECT_EQ(outcome->ends, 1U); // Nobody came back within a minute.
    EXPECT_EQ(outcome->record.outcome, RpcOutcome::TIMED_OUT);
    ExpectCleanEnd();
}

/// Calls do not wait for a connection.
class ImpatientReverse : public ReverseDirection
{
  protected:
    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("ReverseWaitForConnection", BooleanValue(false));
    }
};

TEST_F(ImpatientReverse, CallsFailWithoutAConnectionAndWithALostOne)
{
    const auto early = CallBack(4);
    Run();
    EXPECT_EQ(early->record.outcome, RpcOutcome::DISCONNECTED);
    Meet();
    m_callbacks->delay = MilliSeconds(5);
    const auto lost = CallBack(4);
    const auto queued = CallBack(8);
    Simulator::Stop(MilliSeconds(1));
    Run();
    m_client->Disconnect();
    Run();
    EXPECT_EQ(lost->record.outcome, RpcOutcome::DISCONNECTED);
    EXPECT_EQ(queued->record.outcome, RpcOutcome::DISCONNECTED);
    EXPECT_EQ(lost->ends + queued->ends, 2U);
    ExpectCleanEnd();
}

/// A client without a callback service.
class DeafClient : public ReverseDirection
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient>) override
    {
    }
};

TEST_F(DeafClient, DropsCallsAndGoesOn)
{
    Meet();
    const auto outcome = CallBack(4);
    const Result& forward = Take(5000);
    Run();
    EXPECT_EQ(outcome->record.outcome, RpcOutcome::TIMED_OUT);
    EXPECT_EQ(m_client->GetStatistics().badXids, 1U);
    EXPECT_TRUE(forward.intact);
    EXPECT_TRUE(m_client->IsConnected());
    ExpectCleanEnd();
}

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
    EXPECT_EQ(DecodeFixed(m_peer->received.front()).proc, ERROR);
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
        EXPECT_EQ(header.proc, MSG);
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
    client.Connect(InetSocketAddress(m_serverHost.address, RpcRdmaServer::NFS_RDMA_PORT),
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
    const InetSocketAddress server(m_serverHost.address, RpcRdmaServer::NFS_RDMA_PORT);
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
