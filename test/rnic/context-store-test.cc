/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/context-store.h"

#include <gtest/gtest.h>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

class ContextStoreTest : public ::testing::Test
{
  protected:
    ContextStoreTest()
    {
        m_settings.contextLoad = NanoSeconds(50);
        m_settings.contextMiss = NanoSeconds(500);
        m_settings.contextFetches = 2;
        m_settings.contextReplacement = CacheReplacement::LRU;
        m_settings.translationPage = 4096;
    }

    Time Use(uint32_t queuePair, uint64_t from)
    {
        return m_store.UseQueuePair(queuePair, NanoSeconds(from));
    }

    RnicSettings m_settings;
    RnicCounters m_counters;
    PcieTransactions m_pcie{m_settings};
    ContextStore m_store{m_settings, m_counters, m_pcie};
};

TEST_F(ContextStoreTest, WithoutLimitsAllIsAtHand)
{
    EXPECT_EQ(Use(1, 7), NanoSeconds(7));
    EXPECT_EQ(m_store.UseStag(1, NanoSeconds(7)), NanoSeconds(7));
    EXPECT_EQ(m_counters.contextMisses + m_counters.contextLoads, 0U);
}

TEST_F(ContextStoreTest, FetchesOverlapAsFarAsThereArePlaces)
{
    m_settings.contextCacheSize = 8;
    EXPECT_EQ(Use(1, 0), NanoSeconds(500));
    EXPECT_EQ(Use(2, 10), NanoSeconds(510));
    EXPECT_EQ(Use(3, 20), NanoSeconds(1000)) << "waits for the place of 1";
    EXPECT_EQ(Use(1, 30), NanoSeconds(30)) << "is on the device";
    EXPECT_EQ(m_counters.contextMisses, 3U);
}

TEST_F(ContextStoreTest, StagsAndQueuePairsShareThePlacesForFetches)
{
    m_settings.contextCacheSize = 8;
    m_settings.stagCacheSize = 8;
    m_settings.contextFetches = 1;
    EXPECT_EQ(Use(1, 0), NanoSeconds(500));
    EXPECT_EQ(m_store.UseStag(1, NanoSeconds(100)), NanoSeconds(1000));
}

TEST_F(ContextStoreTest, LoadsFromTheDeviceTakeTurns)
{
    m_settings.contextNearSize = 1;
    EXPECT_EQ(Use(1, 0), NanoSeconds(50));
    EXPECT_EQ(Use(2, 0), NanoSeconds(100));
    EXPECT_EQ(Use(2, 60), NanoSeconds(60)) << "is near";
    EXPECT_EQ(Use(1, 200), NanoSeconds(250));
    EXPECT_EQ(m_counters.contextLoads, 3U);
    EXPECT_EQ(m_counters.contextMisses, 0U);
}

TEST_F(ContextStoreTest, AContextThatIsNotOnTheDeviceIsFetchedAndLoaded)
{
    m_settings.contextNearSize = 1;
    m_settings.contextCacheSize = 2;
    EXPECT_EQ(Use(1, 0), NanoSeconds(550));
}

TEST_F(ContextStoreTest, AForgottenContextIsFetchedAgain)
{
    m_settings.contextCacheSize = 8;
    (void)Use(1, 0);
    m_store.ForgetQueuePair(1);
    EXPECT_EQ(Use(1, 1000), NanoSeconds(1500));
}

/// Each kind of context has a cache of its own, which another kind's do not fill.
TEST_F(ContextStoreTest, KindsDoNotPushEachOtherOut)
{
    m_settings.tcpCacheSize = 1;
    m_settings.cqCacheSize = 1;
    m_settings.receiveCacheSize = 1;
    m_settings.stagCacheSize = 1;
    m_settings.translationCacheSize = 1;
    m_settings.contextFetches = 5;
    const auto useAll = [this](int64_t at) {
        const Time from = NanoSeconds(at);
        return std::vector<Time>{m_store.UseQueuePair(1, from),
                                 m_store.UseCompletionQueue(1, from),
                                 m_store.UseReceiveQueue(1, false, from),
                                 m_store.UseStag(1, from),
                                 m_store.UseTranslations(1, 0, 8, from)};
    };
    EXPECT_EQ(useAll(0), std::vector<Time>(5, NanoSeconds(500)));
    EXPECT_EQ(useAll(1000), std::vector<Time>(5, NanoSeconds(1000)));
    EXPECT_EQ(m_counters.contextMisses, 5U);
    EXPECT_EQ(m_store.UseReceiveQueue(1, true, NanoSeconds(1000)), NanoSeconds(1500))
        << "a shared receive queue of the same number is another one";
    EXPECT_EQ(m_counters.contextUses, m_counters.contextHits + m_counters.contextMisses);
}

TEST_F(ContextStoreTest, APageIsTranslatedOnce)
{
    m_settings.translationCacheSize = 8;
    const auto use = [this](uint64_t offset, uint64_t octets) {
        const uint64_t before = m_counters.contextMisses;
        m_store.UseTranslations(3, offset, octets, NanoSeconds(0));
        return m_counters.contextMisses - before;
    };
    EXPECT_EQ(use(0, 0), 0U);
    EXPECT_EQ(use(100, 1460), 1U);
    EXPECT_EQ(use(1560, 1460), 0U);
    EXPECT_EQ(use(4000, 97), 1U) << "one octet of the next page";
    EXPECT_EQ(use(8192, 8192), 2U);
    EXPECT_EQ(use(12288, 1), 0U);
}

TEST_F(ContextStoreTest, AFetchCanCrossTheBus)
{
    m_settings.contextCacheSize = 8;
    m_settings.contextOctets = 256;
    m_settings.pcieRate = DataRate("10Gbps");
    EXPECT_EQ(Use(1, 0), NanoSeconds(705));
    EXPECT_EQ(m_pcie.GetBus().GetOctets(PcieBus::Direction::TO_DEVICE), 256U);
}

TEST_F(ContextStoreTest, AForgottenQueuePairTakesItsConnectionAndReceivesAlong)
{
    m_settings.tcpCacheSize = 8;
    m_settings.receiveCacheSize = 8;
    (void)Use(1, 0);
    (void)m_store.UseReceiveQueue(1, false, NanoSeconds(0));
    m_store.ForgetQueuePair(1);
    EXPECT_EQ(Use(1, 1000), NanoSeconds(1500));
    EXPECT_EQ(m_store.UseReceiveQueue(1, false, NanoSeconds(1000)), NanoSeconds(1500));
}

} // namespace
} // namespace ns3::nfsrdma
