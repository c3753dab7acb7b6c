/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/timeout.h"
#include "rpcrdma/client/reconnect-backoff.h"
#include "rpcrdma/link-cut.h"
#include "rpcrdma/random-rpcs.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{
namespace
{

TEST(ReconnectBackoff, WaitsAsLinux)
{
    ReconnectBackoff backoff;
    const ReconnectBackoff::Settings linux{Seconds(3), Seconds(5), Seconds(30)};
    EXPECT_EQ(backoff.OnFailure(linux, true, Seconds(10), Seconds(20)), Seconds(23));
    EXPECT_EQ(backoff.OnFailure(linux, true, Seconds(23), Seconds(23)), Seconds(26));
    for (const uint32_t expected : {5, 10, 20, 30, 30})
    {
        EXPECT_EQ(backoff.OnFailure(linux, false, Seconds(100), Seconds(100)),
                  Seconds(100 + expected));
    }
    EXPECT_EQ(backoff.OnFailure(linux, false, Seconds(100), Seconds(140)), Seconds(140));
    backoff.OnConnected();
    EXPECT_EQ(backoff.OnFailure(linux, false, Seconds(1), Seconds(1)), Seconds(6));
    const ReconnectBackoff::Settings doubling{Time(0), MilliSeconds(1), MilliSeconds(3)};
    backoff.OnConnected();
    EXPECT_EQ(backoff.OnFailure(doubling, true, Time(0), Time(0)), MilliSeconds(1));
    EXPECT_EQ(backoff.OnFailure(doubling, true, Time(0), Time(0)), MilliSeconds(2));
    EXPECT_EQ(backoff.OnFailure(doubling, true, Time(0), Time(0)), MilliSeconds(3));
}

TEST(RpcTimeout, EachTransmissionWaitsLonger)
{
    const RpcTimeout timeout{Seconds(60), 2, true};
    RpcCallTimes times;
    timeout.Start(times, Seconds(0));
    EXPECT_EQ(RpcTimeout::GetDeadline(times, Seconds(1)), Seconds(61));
    EXPECT_FALSE(timeout.Expire(times, Seconds(61)));
    EXPECT_EQ(RpcTimeout::GetDeadline(times, Seconds(61)), Seconds(180)); // 61 + 120 is beyond
    EXPECT_TRUE(timeout.Expire(times, Seconds(180)));
    EXPECT_EQ(RpcTimeout::GetDeadline(times, Seconds(180)), Seconds(240));
}

/// A requester that lives on when its connection does not.
class TransportLife : public RpcRdmaTest
{
  protected:
    void SetUp() override
    {
        RpcRdmaTest::SetUp();
        m_toClient = LinkCut::Install(m_clientHost.node);
        m_toServer = LinkCut::Install(m_serverHost.node);
        m_client->TraceConnectWithoutContext("Retry", Callback<void, Time>([this](Time delay) {
                                                 m_waits.push_back(delay);
                                             }));
        m_client->TraceConnectWithoutContext(
            "Disconnected",
            Callback<void, CmEventType>([this](CmEventType reason) { m_ends.push_back(reason); }));
        m_client->TraceConnectWithoutContext(
            "CallSent",
            Callback<void, const RpcRecord&>([this](const RpcRecord& record) {
                m_sent.push_back(record.xid);
                m_breaches += m_client->GetOutstanding() > m_client->GetCredits() ? 1 : 0;
            }));
    }

    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("Reconnect", BooleanValue(true));
    }

    /// For a client with timers, which never has nothing left to happen.
    void ConnectOnly()
    {
        ASSERT_TRUE(m_server->Listen());
        m_client->Connect();
        Simulator::Stop(MilliSeconds(1));
        Run();
        ASSERT_TRUE(m_client->IsConnected());
    }

    /// Disconnects when the calls made so far, which are on their way to the transport, are over.
    void CloseWhenDone()
    {
        Simulator::Schedule(MilliSeconds(1), [this] { m_client->Disconnect(); });
    }

    void SetCut(bool cut)
    {
        m_toClient->cut = cut;
        m_toServer->cut = cut;
    }

    static void ExpectIntact(const Result& result, uint32_t transmissions)
    {
        ASSERT_TRUE(result.done);
        EXPECT_EQ(result.record.outcome, RpcOutcome::SUCCESS);
        EXPECT_TRUE(result.intact);
        EXPECT_EQ(result.record.transmissions, transmissions);
    }

    Ptr<LinkCut> m_toClient;
    Ptr<LinkCut> m_toServer;
    std::vector<Time> m_waits;
    std::vector<CmEventType> m_ends;
    std::vector<uint32_t> m_sent;
    uint32_t m_breaches{0};
};

TEST_F(TransportLife, LostCallsAreSentAgainInOrderFromOneCredit)
{
    Connect();
    Take(0); // grows the credits
    Run();
    m_program->serviceTime = MilliSeconds(1);
    std::vector<const Result*> results;
    for (uint32_t i = 0; i < 3; ++i)
    {
        results.push_back(&Take(9000));
        results.push_back(&Give(9000, 9000));
    }
    Simulator::Schedule(MicroSeconds(500), [this] {
        m_server->Stop();
        EXPECT_TRUE(m_server->Listen());
    });
    m_sent.clear();
    Run();
    for (const Result* result : results)
    {
        ExpectIntact(*result, 2);
    }
    EXPECT_EQ(m_waits, std::vector{Time(0)}); // at once
    ASSERT_EQ(m_sent.size(), 12U);
    for (std::size_t i = 0; i < 6; ++i)
    {
        EXPECT_EQ(m_sent[i + 6], m_sent[i]);
    }
    EXPECT_EQ(m_breaches, 0U);
    EXPECT_EQ(m_client->GetStatistics().connectCount, 2U);
    EXPECT_EQ(m_client->GetStatistics().sends, 13U);
    EXPECT_EQ(m_client->GetStatistics().recvs, 7U);
    ExpectCleanEnd();
}

TEST_F(TransportLife, WithoutCallsNothingIsConnected)
{
    Connect();
    m_server->Stop();
    ASSERT_TRUE(m_server->Listen());
    Run();
    EXPECT_TRUE(m_client->IsIdle());
    EXPECT_TRUE(m_waits.empty());
    const Result& result = Take(10);
    Run();
    ExpectIntact(result, 1);
    EXPECT_EQ(m_client->GetStatistics().connectCount, 2U);
    ExpectCleanEnd();
}

TEST_F(TransportLife, RefusedAttemptsAreThreeSecondsApart)
{
    Connect();
    m_server->Stop();
    Run();
    const Result& result = Take(10);
    Simulator::Schedule(Seconds(7), [this] { EXPECT_TRUE(m_server->Listen()); });
    const Time began = Simulator::Now();
    Run();
    ExpectIntact(result, 1);
    ASSERT_GE(m_waits.size(), 3U);
    EXPECT_EQ(m_waits.size(), m_ends.size());
    EXPECT_TRUE(m_waits[0].IsZero());
    for (std::size_t i = 1; i < m_waits.size(); ++i)
    {
        EXPECT_EQ(m_waits[i], Seconds(3));
    }
    EXPECT_GT(result.record.completed - began, Seconds(7));
    ExpectCleanEnd();
}

TEST_F(TransportLife, WithoutRetryDelayTheWaitDoubles)
{
    m_client->SetAttribute("RetryDelay", TimeValue(Time(0)));
    m_client->SetAttribute("ReconnectDelay", TimeValue(Seconds(2)));
    m_client->SetAttribute("ReconnectDelayMaximum", TimeValue(Seconds(8)));
    m_client->Connect();
    const Result& result = Take(10);
    Simulator::Schedule(Seconds(10), [this] { EXPECT_TRUE(m_server->Listen()); });
    Run();
    ExpectIntact(result, 1);
    EXPECT_EQ(m_ends.size(), 3U); // begun at 0, 2 and 6 s; the next at 14 s
    EXPECT_GT(result.record.sent, Seconds(14));
    EXPECT_LT(result.record.sent, Seconds(14.1));
    ExpectCleanEnd();
}

TEST_F(TransportLife, IdleConnectionIsClosedAndMadeAgain)
{
    m_client->SetAttribute("IdleTimeout", TimeValue(Seconds(300)));
    ConnectOnly();
    Simulator::Schedule(Seconds(200), [this] { Take(10); });
    Simulator::Stop(Seconds(499));
    Run();
    EXPECT_TRUE(m_client->IsConnected());
    Simulator::Stop(Seconds(2));
    Run();
    EXPECT_TRUE(m_client->IsIdle());
    EXPECT_EQ(m_server->GetConnectionCount(), 0U);
    const Result& result = Take(10);
    Simulator::Stop(Seconds(1));
    Run();
    ExpectIntact(result, 1);
    EXPECT_EQ(m_client->GetStatistics().connectCount, 2U);
    ExpectCleanEnd();
}

TEST_F(TransportLife, TimedOutCallGoesOutOnANewConnection)
{
    m_client->SetAttribute("Timeout", TimeValue(Seconds(1)));
    m_client->SetAttribute("RetryDelay", TimeValue(MilliSeconds(100)));
    Connect();
    const Result& first = Take(9000);
    SetCut(true);
    Simulator::Schedule(Seconds(2.5), [this] { SetCut(false); });
    CloseWhenDone();
    Run();
    ExpectIntact(first, 2);
    EXPECT_GT(first.record.completed - first.record.submitted, Seconds(2.5));
    EXPECT_EQ(m_client->GetStatistics().connectCount, 2U);
    ExpectCleanEnd();
}

TEST_F(TransportLife, SilentServerGetsTheCallOncePerConnection)
{
    m_client->SetAttribute("Timeout", TimeValue(Seconds(1)));
    m_program->serviceTime = Seconds(1.5);
    Connect();
    const Result& result = Take(9000);
    CloseWhenDone();
    Run();
    // The first transmission waits 1 s, the second up to 2 s.
    ExpectIntact(result, 2);
    EXPECT_EQ(m_client->GetStatistics().connectCount, 2U);
    ExpectCleanEnd();
}

TEST_F(TransportLife, SoftCallsEndAtTheMajorTimeout)
{
    m_client->SetAttribute("Timeout", TimeValue(Seconds(1)));
    m_client->SetAttribute("Retries", UintegerValue(1));
    m_client->SetAttribute("Soft", BooleanValue(true));
    m_program->serviceTime = Seconds(100);
    Connect();
    const Result& sent = Give(9000, 9000);
    const Result& queued = Take(9000);
    CloseWhenDone();
    Run();
    for (const Result* result : {&sent, &queued})
    {
        ASSERT_TRUE(result->done);
        EXPECT_EQ(result->record.outcome, RpcOutcome::TIMED_OUT);
        EXPECT_GE(result->record.completed - result->record.submitted, Seconds(2));
        EXPECT_LT(result->record.completed - result->record.submitted, Seconds(2.1));
    }
    EXPECT_EQ(sent.record.transmissions, 2U);
    EXPECT_TRUE(IsZero(m_clientHost.device->GetCensus()));
}

TEST_F(TransportLife, SoftCallsEndWithoutAConnectionToo)
{
    m_client->SetAttribute("Timeout", TimeValue(Seconds(1)));
    m_client->SetAttribute("Soft", BooleanValue(true));
    const Result& result = Take(10);
    m_client->Connect();
    CloseWhenDone();
    Run();
    ASSERT_TRUE(result.done);
    EXPECT_EQ(result.record.outcome, RpcOutcome::TIMED_OUT);
    EXPECT_EQ(result.record.transmissions, 0U);
    EXPECT_TRUE(m_client->IsIdle());
}

TEST_F(TransportLife, ThresholdsOfTheNextConnectionChooseTheForms)
{
    m_server->SetAttribute("InlineReceive", UintegerValue(4096));
    Connect();
    const Result& wide = Take(2000);
    Run();
    ExpectIntact(wide, 1);
    EXPECT_EQ(wide.record.readSegments, 0U);

    m_program->serviceTime = MilliSeconds(1);
    const Result& narrowed = Take(2000);
    const auto restart = [this](uint32_t threshold) {
        m_server->Stop();
        m_server->SetAttribute("InlineReceive", UintegerValue(threshold));
        EXPECT_TRUE(m_server->Listen());
    };
    Simulator::Schedule(MicroSeconds(500), [restart] { restart(1024); });
    Run();
    ExpectIntact(narrowed, 2);
    EXPECT_EQ(narrowed.record.readSegments, 1U);
    EXPECT_EQ(m_client->GetInlineLimits().send, 1024U);

    const Result& widened = Take(2000);
    Simulator::Schedule(MicroSeconds(500), [restart] { restart(4096); });
    Run();
    ExpectIntact(widened, 2);
    EXPECT_EQ(widened.record.readSegments, 0U);
    EXPECT_EQ(m_client->GetInlineLimits().send, 4096U);
    ExpectCleanEnd();
}

TEST_F(TransportLife, ProbeFindsADeadPath)
{
    m_client->SetAttribute("ProbePeriod", TimeValue(Seconds(1)));
    m_client->SetAttribute("ReservedCredits", UintegerValue(1));
    ConnectOnly();
    Take(10);
    Simulator::Stop(Seconds(5));
    Run();
    // A server that answers is asked each second and kept.
    EXPECT_TRUE(m_client->IsConnected());
    EXPECT_EQ(m_client->GetStatistics().connectCount, 1U);
    EXPECT_GE(m_client->GetStatistics().sends, 4U);
    EXPECT_EQ(m_client->GetStatistics().sends, m_client->GetStatistics().recvs);

    SetCut(true);
    const Result& result = Take(9000);
    Simulator::Schedule(Seconds(4), [this] { SetCut(false); });
    Simulator::Stop(Seconds(60));
    Run();
    ExpectIntact(result, 2);
    ExpectCleanEnd();
}

TEST_F(TransportLife, ReserveIsForProbesOnly)
{
    m_client->SetAttribute("Slots", UintegerValue(4));
    m_client->SetAttribute("ReservedCredits", UintegerValue(1));
    Connect();
    Take(0);
    Run();
    m_program->serviceTime = MilliSeconds(1);
    uint32_t most = 0;
    m_client->TraceConnectWithoutContext(
        "CallSent",
        Callback<void, const RpcRecord&>([this, &most](const RpcRecord&) {
            most = std::max(most, m_client->GetOutstanding());
        }));
    for (uint32_t i = 0; i < 10; ++i)
    {
        Take(0);
    }
    Run();
    EXPECT_EQ(m_client->GetCredits(), 4U);
    EXPECT_EQ(most, 3U);
    ExpectCleanEnd();
}

/// Everything that can go wrong with a transport, at any time: each RPC ends once.
class TransportFaults : public RandomRpcs<TransportLife>
{
  protected:
    void Break() override
    {
        switch (Draw(6))
        {
        case 0:
            SetCut(true);
            Simulator::Schedule(MicroSeconds(Draw(20000)), [this] { SetCut(false); });
            break;
        case 1:
            m_toClient->cut = true;
            Simulator::Schedule(MicroSeconds(Draw(20000)), [this] { SetCut(false); });
            break;
        case 2:
            m_server->Stop();
            Simulator::Schedule(MicroSeconds(Draw(20000)), [this] { (void)m_server->Listen(); });
            break;
        case 3:
            m_client->InjectError();
            break;
        case 4:
            m_server->InjectError();
            break;
        default:
            m_rpcClient->Cancel(1 + Draw(40));
            break;
        }
    }
};

TEST_P(TransportFaults, EachRpcEndsOnce)
{
    const std::vector<std::string> policies = CancelPolicy::GetNames();
    m_client->SetAttribute("Cancel", StringValue(policies[Draw(policies.size())]));
    m_client->SetAttribute("Timeout", TimeValue(MilliSeconds(30)));
    m_client->SetAttribute("RetryDelay", TimeValue(MilliSeconds(2)));
    m_client->SetAttribute("ProbePeriod", TimeValue(MilliSeconds(Draw(2) * 10)));
    m_client->SetAttribute("Soft", BooleanValue(Draw(2) == 0));
    Begin();
    do
    {
        Simulator::Stop(MilliSeconds(100));
        Run();
    } while (m_client->GetPending() > 0 && Simulator::Now() < Seconds(120));
    ExpectAllDone();
    for (const Result* result : m_results)
    {
        const RpcOutcome outcome = result->record.outcome;
        EXPECT_TRUE(outcome == RpcOutcome::TIMED_OUT || outcome == RpcOutcome::CANCELLED ||
                    (outcome == RpcOutcome::SUCCESS && result->intact))
            << ToString(outcome);
    }
    EXPECT_EQ(m_client->GetPending(), 0U);
    EXPECT_EQ(m_breaches, 0U);
    ExpectCleanEnd();
}

INSTANTIATE_TEST_SUITE_P(Seeds, TransportFaults, ::testing::Range(0U, 40U));

} // namespace
} // namespace ns3::nfsrdma
