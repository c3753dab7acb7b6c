/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/flow-fixture.h"

#include "ns3/data-rate.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <string>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t SHARED_WRITE = 65536;

} // namespace

/// Writes over queue pairs that share the client's transmit engine, which is slow.
class TransmitShareTest : public FlowTest
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        FlowTest::ConfigureDevice(host);
        host.device->SetAttribute("TxPerFpdu", StringValue("500ns"));
    }

    SendWorkRequest MakeWork(Flow& /* flow */) override
    {
        return FlowWrite(SHARED_WRITE);
    }

    /// \return octets that each of two flows has completed in some milliseconds.
    std::pair<double, double> Measure()
    {
        Start();
        RunFor(MilliSeconds(2));
        const uint64_t first = m_flows[0].octets;
        const uint64_t second = m_flows[1].octets;
        RunFor(MilliSeconds(20));
        return {m_flows[0].octets - first, m_flows[1].octets - second};
    }
};

TEST_F(TransmitShareTest, QueuePairsShareAsTheirWeights)
{
    AddFlows(2, 8);
    ASSERT_TRUE(m_flows[0].client->SetTransmitShare({3, DataRate(0)}));
    const auto [first, second] = Measure();
    EXPECT_NEAR(first / second, 3, 0.1);
}

TEST_F(TransmitShareTest, WithoutWeightsTheyShareAlike)
{
    AddFlows(2, 8);
    const auto [first, second] = Measure();
    EXPECT_NEAR(first / second, 1, 0.03);
}

TEST_F(TransmitShareTest, ARateBoundsOneQueuePairAndLeavesTheRestToOthers)
{
    AddFlows(2, 8);
    ASSERT_TRUE(m_flows[0].client->SetTransmitShare({1, DataRate("2Gbps")}));
    const auto [first, second] = Measure();
    EXPECT_NEAR(first * 8 / 20e-3 / 2e9, 1, 0.03);
    EXPECT_GT(second, 4 * first);
}

TEST_F(TransmitShareTest, AWeightOfNothingIsRefused)
{
    AddFlows(1, 1);
    const auto set = m_flows[0].client->SetTransmitShare({0, DataRate(0)});
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error(), VerbsError::INVALID_ARGUMENT);
    EXPECT_EQ(m_flows[0].client->GetTransmitShare().weight, 1U);
}

/// Writes to a server whose transmit engine is slow at acknowledgments: it sends nothing else.
class SlowAcknowledgments : public FlowTest
{
  protected:
    void ConfigureDevice(RnicHost& host) override
    {
        FlowTest::ConfigureDevice(host);
        if (&host == &m_server)
        {
            host.device->SetAttribute("AckCost", StringValue("1us"));
        }
    }

    SendWorkRequest MakeWork(Flow& /* flow */) override
    {
        return FlowWrite(SHARED_WRITE);
    }
};

TEST_F(SlowAcknowledgments, PassTheEngineAndSetTheRate)
{
    constexpr double SEGMENTS_PER_ACKNOWLEDGMENT = 2;
    AddFlows(1, 64);
    Start();
    RunFor(MilliSeconds(5));
    const Time busyBefore = m_server.device->GetCounters().transmitBusy;
    const uint64_t before = m_client.device->GetCounters().payloadSent;
    RunFor(MilliSeconds(5));
    const double sent = m_client.device->GetCounters().payloadSent - before;
    const double busy =
        (m_server.device->GetCounters().transmitBusy - busyBefore).GetSeconds() / 5e-3;
    const double most = m_flows[0].client->GetConnection().GetMulpdu();
    EXPECT_NEAR(busy, 1, 0.01);
    EXPECT_NEAR(sent / (5000 * SEGMENTS_PER_ACKNOWLEDGMENT * most), 1, 0.03);
    Finish();
    EXPECT_EQ(m_flows[0].completed, m_flows[0].posted);
}

} // namespace ns3::nfsrdma
