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
        RunFor(MilliSeconds(8));
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
    EXPECT_NEAR(first * 8 / 8e-3 / 2e9, 1, 0.04);
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

} // namespace ns3::nfsrdma
