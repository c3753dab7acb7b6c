/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-net-device.h"
#include "rpcrdma/random-rpcs.h"
#include "wire/ip-address.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

/// A transport whose devices have faults: calls are carried out all the same.
class TransportDeviceFault : public RpcRdmaTest
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("Reconnect", BooleanValue(true));
    }

    /// The device of a host is gone for \p duration, and its port silent.
    static void Reset(RdmaHost& host, Time duration)
    {
        const auto port = DynamicCast<EthernetNetDevice>(host.node->GetDevice(1));
        port->SetDead(true);
        host.device->GetFaults().Fail();
        Simulator::Schedule(duration, [&host, port] {
            host.device->GetFaults().Recover();
            port->SetDead(host.device->GetFaults().HasFailed());
        });
    }

    void RunAll(Time longest)
    {
        const Time end = Simulator::Now() + longest;
        do
        {
            Simulator::Stop(MilliSeconds(10));
            Run();
        } while (m_client->GetPending() > 0 && Simulator::Now() < end);
        EXPECT_EQ(m_client->GetPending(), 0U);
    }

    static void ExpectDone(const Result& result)
    {
        EXPECT_TRUE(result.done);
        EXPECT_TRUE(result.intact);
        EXPECT_EQ(result.record.outcome, RpcOutcome::SUCCESS);
    }
};

/// The server says why, with the limits; the client, that the other host rejected it.
TEST_F(TransportDeviceFault, AServerWithoutVerbsObjectsSaysWhyItRefuses)
{
    m_serverHost.device->SetAttribute("MaxCqs", UintegerValue(1));
    m_client->SetAttribute("Reconnect", BooleanValue(false));
    std::vector<std::string> ofServer;
    std::vector<std::string> ofClient;
    m_server->TraceConnectWithoutContext(
        "ConnectionEnded",
        Callback<void, IpAddress, const std::string&>(
            [&](IpAddress, const std::string& reason) { ofServer.push_back(reason); }));
    m_client->TraceConnectWithoutContext(
        "ConnectionEnded",
        Callback<void, const std::string&>([&](const std::string& r) { ofClient.push_back(r); }));
    ASSERT_TRUE(m_server->Listen());
    m_client->Connect();
    Run();
    EXPECT_FALSE(m_client->IsConnected());
    EXPECT_THAT(ofServer,
                ::testing::ElementsAre(
                    "refused: the RNIC has no verbs objects left (rnic.max_qps or max_cqs or "
                    "max_pds) or no receive for it"));
    EXPECT_THAT(ofClient, ::testing::ElementsAre("no connection: the other host rejected it"));
}

TEST_F(TransportDeviceFault, ClientMakesItsConnectionAnewWhenTheDeviceIsBack)
{
    Connect();
    const Result& before = Give(20000, 20000);
    Simulator::Schedule(MicroSeconds(10), [this] { Reset(m_clientHost, Seconds(7)); });
    const Time began = Simulator::Now();
    RunAll(Seconds(30));
    ExpectDone(before);
    EXPECT_EQ(before.record.transmissions, 2U);
    // Nothing to connect with at once, and 5 s later; as the device is back, after 10 s more.
    EXPECT_GT(before.record.completed, began + Seconds(15));
    EXPECT_LT(before.record.completed, began + MilliSeconds(15100));
    ExpectCleanEnd();
}

TEST_F(TransportDeviceFault, ServerListensAgainWhenItsDeviceIsBack)
{
    m_client->SetAttribute("Timeout", TimeValue(MilliSeconds(100)));
    Connect();
    const Result& result = Take(50000);
    Simulator::Schedule(MicroSeconds(10), [this] { Reset(m_serverHost, MilliSeconds(50)); });
    RunAll(Seconds(30));
    ExpectDone(result);
    EXPECT_EQ(result.record.transmissions, 2U);
    ExpectCleanEnd();
}

TEST_F(TransportDeviceFault, FailedRegistrationCostsTheConnection)
{
    Connect();
    m_clientHost.device->GetFaults().FailRegistrations(2, Time::Max());
    const Result& result = Give(20000, 20000);
    RunAll(Seconds(10));
    ExpectDone(result);
    EXPECT_EQ(result.record.transmissions, 3U);
    EXPECT_EQ(m_client->GetStatistics().connectCount, 3U);
    ExpectCleanEnd();
}

/// As Linux: the call is not given up, regions are asked for again and again.
TEST_F(TransportDeviceFault, CallWaitsWhileTheDeviceRefusesRegions)
{
    m_clientHost.device->GetFaults().RefuseRegions(0, MilliSeconds(5));
    ASSERT_TRUE(m_server->Listen());
    m_client->Connect();
    const Result& result = Give(20000, 20000);
    RunAll(Seconds(10));
    ExpectDone(result);
    EXPECT_GE(result.record.completed, MilliSeconds(5));
    EXPECT_EQ(m_client->GetStatistics().connectCount, 1U);
    EXPECT_GT(m_client->GetStatistics().failedMarshal, 0U);
    EXPECT_GT(m_clientHost.device->GetCounters().regionsRefused, 2U);
    ExpectCleanEnd();
}

TEST_F(TransportDeviceFault, CallWaitsWhileMemoryIsShort)
{
    Connect();
    m_clientHost.memory->SetPressure(1);
    const Time relief = Simulator::Now() + MilliSeconds(1);
    Simulator::Schedule(MilliSeconds(1),
                        [this] { m_clientHost.memory->SetPressure(std::nullopt); });
    const Result& large = Give(20000, 20000);
    const Result& small = Give(100, 100);
    RunAll(Seconds(10));
    ExpectDone(large);
    ExpectDone(small);
    EXPECT_GE(large.record.completed, relief);
    EXPECT_EQ(m_client->GetStatistics().connectCount, 1U);
    EXPECT_GT(m_client->GetStatistics().failedMarshal, 1U);
    ExpectCleanEnd();
}

/// Without hope that the limit is ever another, the call fails.
TEST_F(TransportDeviceFault, CallThatPassesTheLimitOfPinnedPagesFails)
{
    m_clientHost.memory->SetAttribute("MaxPinnedPages", UintegerValue(2));
    Connect();
    const Result& large = Give(20000, 20000);
    RunAll(Seconds(10));
    const Result& fits = Give(4000, 4096);
    RunAll(Seconds(10));
    EXPECT_TRUE(large.done);
    EXPECT_EQ(large.record.outcome, RpcOutcome::TRANSPORT_ERROR);
    ExpectDone(fits);
    EXPECT_EQ(m_client->GetStatistics().connectCount, 1U);
    ExpectCleanEnd();
}

TEST_F(TransportDeviceFault, CrashedServerIsThereAgainWithoutItsConnections)
{
    m_client->SetAttribute("Timeout", TimeValue(MilliSeconds(50)));
    Connect();
    m_program->serviceTime = MilliSeconds(1);
    const Result& result = Give(20000, 20000);
    const auto port = DynamicCast<EthernetNetDevice>(m_serverHost.node->GetDevice(1));
    Simulator::Schedule(MicroSeconds(500), [this, port] {
        EXPECT_EQ(m_rpcServer->GetBusyThreads(), 1U);
        port->SetDead(true);
        m_server->Crash();
        m_rpcServer->Restart();
        EXPECT_EQ(m_server->GetConnectionCount(), 0U);
        EXPECT_TRUE(IsZero(m_serverHost.device->GetCensus()));
    });
    Simulator::Schedule(MilliSeconds(20), [this, port] {
        port->SetDead(false);
        EXPECT_TRUE(m_server->Listen());
    });
    RunAll(Seconds(10));
    ExpectDone(result);
    EXPECT_EQ(result.record.transmissions, 2U);
    EXPECT_EQ(m_server->GetStatistics().closed, 1U);
    ExpectCleanEnd();
}

/// Every fault of devices, on either side, at any time: each RPC ends once.
class TransportDeviceFaults : public RandomRpcs<TransportDeviceFault>
{
  protected:
    void Break() override
    {
        RdmaHost& host = Draw(2) == 0 ? m_clientHost : m_serverHost;
        RnicFaults& faults = host.device->GetFaults();
        const Time duration = MicroSeconds(Draw(8000));
        switch (Draw(7))
        {
        case 0:
            Reset(host, duration);
            break;
        case 1:
            faults.FailQueuePairs(std::nullopt);
            break;
        case 2:
            faults.OverrunQueues(std::nullopt);
            break;
        case 3:
            faults.FailRegistrations(Draw(5), Simulator::Now() + duration);
            break;
        case 4:
            faults.RefuseRegions(Draw(5), Simulator::Now() + duration);
            break;
        case 5: {
            const uint32_t slow = faults.BeginSlowReceives(std::nullopt, MicroSeconds(Draw(500)));
            Simulator::Schedule(duration, [&faults, slow] { faults.EndSlowReceives(slow); });
            break;
        }
        default:
            host.memory->SetPressure(Draw(40));
            Simulator::Schedule(duration, [&host] { host.memory->SetPressure(std::nullopt); });
            break;
        }
    }
};

TEST_P(TransportDeviceFaults, EachRpcEndsOnce)
{
    m_client->SetAttribute("Timeout", TimeValue(MilliSeconds(30)));
    m_client->SetAttribute("RetryDelay", TimeValue(MilliSeconds(2)));
    m_client->SetAttribute("ReconnectDelay", TimeValue(MilliSeconds(1)));
    m_client->SetAttribute("ReconnectDelayMaximum", TimeValue(MilliSeconds(4)));
    Begin();
    Simulator::Stop(MilliSeconds(40));
    Run();
    RunAll(Seconds(60));
    ExpectAllDone();
    for (const Result* result : m_results)
    {
        ExpectDone(*result);
    }
    ExpectCleanEnd();
}

INSTANTIATE_TEST_SUITE_P(Seeds, TransportDeviceFaults, ::testing::Range(0U, 40U));

} // namespace
} // namespace ns3::nfsrdma
