/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/context-store.h"

#include <gtest/gtest.h>

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
    }

    Time Use(uint32_t queuePair, uint64_t from)
    {
        return m_store.UseQueuePair(queuePair, NanoSeconds(from));
    }

    RnicSettings m_settings;
    RnicCounters m_counters;
    ContextStore m_store{m_settings, m_counters};
};

} // namespace

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

} // namespace ns3::nfsrdma
