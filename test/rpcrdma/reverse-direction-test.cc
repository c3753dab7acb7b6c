/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/raw-peer.h"
#include "rpcrdma/reverse-direction-fixture.h"

#include "ns3/boolean.h"

#include <gmock/gmock.h>
#include <random>

namespace ns3::nfsrdma
{
namespace
{

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

} // namespace
} // namespace ns3::nfsrdma
