/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/policy/inline-threshold-review.h"
#include "rpcrdma/policy/inline-threshold.h"
#include "rpcrdma/rpcrdma-fixture.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t KIB = 1024;

TEST(InlineThresholdPolicy, EveryNameMakesOne)
{
    for (const auto& names :
         {InlineThresholdPolicy::GetRequesterNames(), InlineThresholdPolicy::GetResponderNames()})
    {
        for (const std::string& name : names)
        {
            EXPECT_NE(InlineThresholdPolicy::Create(name), nullptr) << name;
        }
    }
    EXPECT_EQ(InlineThresholdPolicy::Create("nonesuch"), nullptr);
}

TEST(InlineThresholdPolicy, FixedIsTheMaximumWhateverElseIsKnown)
{
    InlineSituation situation;
    situation.maximum = {5000, 3 * KIB};
    situation.memoryLeft = 0;
    const InlineThresholds chosen = InlineThresholdPolicy::Create("fixed")->Choose(situation);
    EXPECT_EQ(chosen.send, 5000U);
    EXPECT_EQ(chosen.receive, 3 * KIB);
}

TEST(InlineThresholdPolicy, AsPeerHasNoLongerReceivesThanThePeersSends)
{
    const auto policy = InlineThresholdPolicy::Create("as-peer");
    InlineSituation situation;
    situation.maximum = {16 * KIB, 8 * KIB};
    situation.peer = {2 * KIB, 4 * KIB};
    EXPECT_EQ(policy->Choose(situation).send, 4 * KIB);
    EXPECT_EQ(policy->Choose(situation).receive, 2 * KIB);
    situation.peer = {64 * KIB, 64 * KIB};
    EXPECT_EQ(policy->Choose(situation).send, 16 * KIB);
    EXPECT_EQ(policy->Choose(situation).receive, 8 * KIB);
}

/// However many connections come, receive buffers stay below the limit while they can be larger
/// than the least.
TEST(InlineThresholdPolicy, MemorySharesNeverPassTheLimit)
{
    const auto policy = InlineThresholdPolicy::Create("memory-share");
    constexpr uint64_t LIMIT = 8 << 20;
    InlineSituation situation;
    situation.maximum = {64 * KIB, 64 * KIB};
    situation.receives = 64;
    situation.memoryLeft = LIMIT;
    EXPECT_EQ(policy->Choose(situation).receive, 64 * KIB);
    uint32_t last = 64 * KIB;
    uint64_t used = 0;
    while (last > KIB)
    {
        situation.memoryLeft = LIMIT - used;
        last = policy->Choose(situation).receive;
        EXPECT_EQ(last % KIB, 0U);
        used += last * situation.receives;
        ASSERT_LE(used, LIMIT);
    }
    EXPECT_EQ(policy->Choose(situation).send, 64 * KIB);
}

TEST(MessageLengths, QuantileOfTheMessagesThatMatter)
{
    MessageLengths lengths;
    EXPECT_EQ(lengths.GetQuantile(0.9, 16 * KIB), std::nullopt);
    for (int i = 0; i < 90; ++i)
    {
        lengths.Count(KIB);
    }
    for (int i = 0; i < 10; ++i)
    {
        lengths.Count(4 * KIB + 1);
    }
    lengths.Count(1 << 20);
    EXPECT_EQ(lengths.GetQuantile(0.9, 16 * KIB), KIB);
    EXPECT_EQ(lengths.GetQuantile(0.91, 16 * KIB), 5 * KIB);
    EXPECT_EQ(lengths.GetQuantile(1, 4 * KIB), KIB);
    EXPECT_EQ(lengths.GetQuantile(0, 16 * KIB), KIB);
}

TEST(MessageLengths, WhatWasLongAgoFades)
{
    MessageLengths lengths;
    for (uint32_t i = 0; i < MessageLengths::WINDOW; ++i)
    {
        lengths.Count(KIB);
    }
    for (uint32_t i = 0; i < 4 * MessageLengths::WINDOW; ++i)
    {
        lengths.Count(8 * KIB);
    }
    EXPECT_EQ(lengths.GetQuantile(0.05, 16 * KIB), 8 * KIB);
}

/// Both sides are set up for 16 KiB.
class InlineThresholdTest : public RpcRdmaTest
{
  protected:
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("InlineSend", UintegerValue(16 * KIB));
        client->SetAttribute("InlineReceive", UintegerValue(16 * KIB));
        client->SetAttribute("InlinePolicy", StringValue(GetPolicy()));
        client->SetAttribute("Reconnect", BooleanValue(true));
        client->SetAttribute("InlineShare", DoubleValue(0.8));
        client->SetAttribute("InlineReview", UintegerValue(REVIEW));
    }

    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        server->SetAttribute("InlineSend", UintegerValue(16 * KIB));
        server->SetAttribute("InlineReceive", UintegerValue(16 * KIB));
    }

    [[nodiscard]] virtual std::string GetPolicy() const
    {
        return "observed";
    }

    void TakeMany(uint32_t calls, uint32_t octets)
    {
        std::vector<const Result*> results;
        for (uint32_t i = 0; i < calls; ++i)
        {
            results.push_back(&Take(octets));
        }
        Run();
        for (const Result* result : results)
        {
            EXPECT_TRUE(result->done && result->intact);
            EXPECT_EQ(result->record.transmissions, 1U);
        }
    }

    static constexpr uint32_t REVIEW = 20;
};

TEST_F(InlineThresholdTest, ObservedFollowsWhatIsSent)
{
    Connect();
    EXPECT_EQ(m_client->GetInlineLimits().send, InlineThresholdReview::FIRST);
    TakeMany(4 * REVIEW, 100);
    EXPECT_FALSE(m_client->IsConnected());
    TakeMany(1, 100);
    EXPECT_EQ(m_client->GetInlineLimits().send, KIB);
    EXPECT_EQ(m_client->GetInlineLimits().receive, KIB);
    EXPECT_EQ(m_client->GetStatistics().connectCount, 2U);
    TakeMany(16 * REVIEW, 6000);
    TakeMany(1, 6000);
    EXPECT_EQ(m_client->GetInlineLimits().send, 7 * KIB);
    EXPECT_EQ(m_client->GetInlineLimits().receive, KIB);
    ExpectCleanEnd();
}

TEST_F(InlineThresholdTest, ObservedLeavesLargeTransfersToChunks)
{
    Connect();
    TakeMany(REVIEW, 200000);
    TakeMany(4 * REVIEW, 100);
    TakeMany(1, 100);
    EXPECT_EQ(m_client->GetInlineLimits().send, KIB);
    ExpectCleanEnd();
}

class FixedThresholdTest : public InlineThresholdTest
{
    [[nodiscard]] std::string GetPolicy() const override
    {
        return "fixed";
    }
};

TEST_F(FixedThresholdTest, StaysWithItsConnection)
{
    Connect();
    TakeMany(4 * REVIEW, 100);
    EXPECT_EQ(m_client->GetInlineLimits().send, 16 * KIB);
    EXPECT_EQ(m_client->GetStatistics().connectCount, 1U);
    ExpectCleanEnd();
}

class AsPeerThresholdTest : public FixedThresholdTest
{
    void ConfigureClient(Ptr<RpcRdmaClient> client) override
    {
        client->SetAttribute("InlineSend", UintegerValue(2 * KIB));
        client->SetAttribute("InlineReceive", UintegerValue(8 * KIB));
    }

    void ConfigureServer(Ptr<RpcRdmaServer> server) override
    {
        FixedThresholdTest::ConfigureServer(server);
        server->SetAttribute("InlinePolicy", StringValue("as-peer"));
    }
};

TEST_F(AsPeerThresholdTest, ReceiveBuffersAreAsLongAsTheClientsSends)
{
    Connect();
    EXPECT_EQ(m_client->GetInlineLimits().send, 2 * KIB);
    EXPECT_EQ(m_client->GetInlineLimits().receive, 8 * KIB);
    const uint32_t receives = m_server->GetConnections().at(0)->GetCredits().GetPosted();
    EXPECT_GE(receives, 64U);
    EXPECT_LT(m_server->GetStatistics().receiveOctetsPeak, (receives + 16) * 2 * KIB);
    TakeMany(REVIEW, 1000);
    ExpectCleanEnd();
}

} // namespace
} // namespace ns3::nfsrdma
