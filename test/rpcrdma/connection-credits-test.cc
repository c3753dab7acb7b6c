/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/rpcrdma-fixture.h"
#include "rpcrdma/server/connection-credits.h"
#include "rpcrdma/verbs-endpoint.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

/// The credits of one connection of a responder that grants what is requested, up to 32.
class ConnectionCredits : public RpcRdmaTest
{
  protected:
    static constexpr uint32_t BUFFER = 1024;

    void TearDown() override
    {
        m_credits.reset();
        m_endpoint.reset();
        RpcRdmaTest::TearDown();
    }

    /// \param memory octets of all receive buffers at most; 0: any amount
    void Start(uint64_t memory, uint32_t queueDepth = 64, uint32_t windows = 1)
    {
        SvcRdmaCreditLimits limits;
        limits.maximum = 32;
        limits.memory = memory;
        limits.leastSize = BUFFER;
        auto settings = std::make_shared<SvcRdmaSettings>();
        settings->backchannelCredits = 2;
        settings->receiveWindows = windows;
        settings->creditPool =
            std::make_shared<SvcRdmaCreditPool>(CreditGrantPolicy::Create("requested"), limits);
        QueuePairCapabilities sizes;
        sizes.receiveDepth = queueDepth;
        const auto ignore = [](const WorkCompletion& /*completion*/) {};
        m_endpoint = VerbsEndpoint::Create(m_serverHost.device, sizes, {}, ignore, ignore);
        ASSERT_TRUE(m_endpoint);
        m_credits = std::make_unique<SvcRdmaConnectionCredits>(settings, m_statistics, [this] {
            return m_reverseCalls;
        });
        ASSERT_TRUE(m_credits->Start(m_serverHost.memory, m_endpoint->GetQueuePair(), BUFFER));
    }

    std::unique_ptr<VerbsEndpoint> m_endpoint;
    std::unique_ptr<SvcRdmaConnectionCredits> m_credits;
    std::shared_ptr<SvcRdmaStatistics> m_statistics{std::make_shared<SvcRdmaStatistics>()};
    uint32_t m_reverseCalls{0};
};

TEST_F(ConnectionCredits, ReceivesComeBeforeCredits)
{
    Start(0);
    EXPECT_EQ(m_credits->GetGranted(), 1U);
    EXPECT_EQ(m_credits->GetPosted(), 3U);
    EXPECT_EQ(m_credits->Grant(10, 0), 10U);
    EXPECT_EQ(m_credits->GetPosted(), 12U);
    EXPECT_EQ(m_credits->Grant(4, 0), 4U);
    EXPECT_EQ(m_credits->GetMostGranted(), 10U);
    EXPECT_EQ(m_credits->GetPosted(), 12U);
}

/// With one window each receive that completes is posted again, with two all at once.
TEST_F(ConnectionCredits, TwoWindowsAreRefilledWhenOneIsLeft)
{
    for (const uint32_t windows : {1U, 2U})
    {
        Start(0, 512, windows);
        EXPECT_EQ(m_credits->Grant(32, 0), 32U);
        const uint64_t before = m_statistics->receiveRefills;
        std::vector<uint32_t> posted;
        std::vector<uint64_t> free; // The buffer that has become free last is posted first.
        for (uint32_t i = 0; i < 96; ++i)
        {
            ByteVector message;
            WorkCompletion completion;
            while (std::count(free.begin(), free.end(), completion.id) != 0)
            {
                ++completion.id;
            }
            const uint32_t left = m_credits->GetPosted() - 1;
            m_credits->Take(completion, message);
            free.push_back(completion.id);
            posted.push_back(m_credits->GetPosted());
            free.resize(free.size() - std::min<std::size_t>(free.size(), posted.back() - left));
        }
        // 2 of the posted ones are for calls of the server, for which there is no need now.
        EXPECT_EQ(*std::min_element(posted.begin(), posted.end()), 32U);
        EXPECT_EQ(*std::max_element(posted.begin(), posted.end()), windows == 1 ? 33U : 64U);
        EXPECT_EQ(m_statistics->receiveRefills - before, windows == 1 ? 94U : 3U);
        m_credits.reset();
        m_endpoint.reset();
    }
}

TEST_F(ConnectionCredits, BoundedReceivesHaveOneWindow)
{
    Start(40 * BUFFER, 128, 2);
    m_credits->Grant(32, 0);
    EXPECT_LE(m_credits->GetPosted(), 34U);
    EXPECT_EQ(m_credits->GetQueueDepth(), 34U);
}

TEST_F(ConnectionCredits, AShortQueueBoundsTheGrant)
{
    Start(0, 4);
    EXPECT_EQ(m_credits->Grant(10, 0), 2U);
    EXPECT_EQ(m_credits->GetPosted(), 4U);
}

TEST_F(ConnectionCredits, AReverseCallWaitsForAReceive)
{
    Start(4 * BUFFER);
    EXPECT_EQ(m_credits->Grant(10, 0), 3U); // one is kept for the next connection
    uint32_t resumed = 0;
    const auto resume = [&resumed] {
        ++resumed;
        return true;
    };
    EXPECT_TRUE(m_credits->HasReverseReceive(resume));
    m_reverseCalls = 1;
    EXPECT_FALSE(m_credits->HasReverseReceive(resume));
    EXPECT_FALSE(m_credits->HasReverseReceive(resume));
    EXPECT_EQ(m_statistics->receiveOctets, 4 * BUFFER);
    m_credits->End();
    Run();
    EXPECT_EQ(resumed, 1U);
    EXPECT_EQ(m_credits->GetPosted(), 0U);
    EXPECT_EQ(m_statistics->receiveOctets, 0U);
    EXPECT_EQ(m_statistics->receiveOctetsPeak, 4 * BUFFER);
}

} // namespace
} // namespace ns3::nfsrdma
