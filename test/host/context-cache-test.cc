/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/context-cache.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

constexpr CacheGeometry
Lru(uint32_t entries, uint32_t ways = 0)
{
    return {entries, ways, CacheReplacement::LRU};
}

/// \return the share of misses when \p contexts take turns, after the first rounds.
double
MeasureMisses(const CacheGeometry& geometry, uint32_t contexts)
{
    constexpr uint32_t ROUNDS = 400;
    constexpr uint32_t FIRST = 40;
    ContextCache cache;
    uint64_t misses = 0;
    for (uint32_t round = 0; round < ROUNDS; ++round)
    {
        for (uint32_t number = 0; number < contexts; ++number)
        {
            misses += !cache.Use(number, geometry) && round >= FIRST ? 1 : 0;
        }
    }
    return static_cast<double>(misses) / ((ROUNDS - FIRST) * contexts);
}

/// \return the m that solves m = 1 - exp(-m n / C).
double
SolveMisses(double load)
{
    double misses = 1;
    for (int i = 0; i < 1000; ++i)
    {
        misses = 1 - std::exp(-misses * load);
    }
    return misses;
}

} // namespace

TEST(ContextCacheTest, LruKeepsThoseUsedLast)
{
    ContextCache cache;
    EXPECT_FALSE(cache.Use(1, Lru(2)));
    EXPECT_FALSE(cache.Use(2, Lru(2)));
    EXPECT_TRUE(cache.Use(1, Lru(2)));
    EXPECT_FALSE(cache.Use(3, Lru(2))) << "takes the place of 2";
    EXPECT_TRUE(cache.Use(1, Lru(2)));
    EXPECT_FALSE(cache.Use(2, Lru(2)));
    EXPECT_EQ(cache.GetCount(), 2U);
    cache.Remove(2);
    cache.Remove(77);
    EXPECT_FALSE(cache.Use(2, Lru(2)));
}

TEST(ContextCacheTest, WithoutALimitItNeverMisses)
{
    ContextCache cache;
    for (uint32_t number = 0; number < 1000; number++)
    {
        EXPECT_TRUE(cache.Use(number, {}));
    }
    EXPECT_EQ(cache.GetCount(), 0U);
}

TEST(ContextCacheTest, WaysBoundWhereAContextMayBe)
{
    ContextCache cache;
    for (const uint32_t number : {0U, 4U})
    {
        EXPECT_FALSE(cache.Use(number, Lru(4, 1)));
    }
    EXPECT_FALSE(cache.Use(0, Lru(4, 1))) << "0 and 4 have the same place";
    EXPECT_FALSE(cache.Use(1, Lru(4, 1)));
    EXPECT_TRUE(cache.Use(0, Lru(4, 1)));
    EXPECT_EQ(cache.GetCount(), 2U);
}

TEST(ContextCacheTest, ARemovedContextLeavesItsPlaceToAnother)
{
    ContextCache cache;
    for (uint32_t number = 0; number < 4; ++number)
    {
        (void)cache.Use(number, Lru(4));
    }
    cache.Remove(1);
    EXPECT_FALSE(cache.Use(9, Lru(4)));
    for (const uint32_t number : {0U, 2U, 3U, 9U})
    {
        EXPECT_TRUE(cache.Use(number, Lru(4))) << number;
    }
}

TEST(ContextCacheTest, AnotherGeometryForgetsAll)
{
    ContextCache cache;
    (void)cache.Use(1, Lru(2));
    EXPECT_FALSE(cache.Use(1, Lru(4)));
    EXPECT_TRUE(cache.Use(1, Lru(4)));
}

TEST(ContextCacheTest, LruFallsOffACliff)
{
    EXPECT_EQ(MeasureMisses(Lru(64), 64), 0);
    EXPECT_EQ(MeasureMisses(Lru(64), 65), 1);
}

TEST(ContextCacheTest, RandomReplacementMissesByDegreesAsTheFormulaSays)
{
    constexpr CacheGeometry RANDOM{256, 0, CacheReplacement::RANDOM};
    EXPECT_EQ(MeasureMisses(RANDOM, 256), 0);
    for (const double load : {1.25, 1.5, 2.0, 3.0, 4.0})
    {
        const auto contexts = static_cast<uint32_t>(load * 256);
        EXPECT_NEAR(MeasureMisses(RANDOM, contexts), SolveMisses(load), 0.02) << load;
    }
}

TEST(ContextCacheTest, TheSameUsesMissTheSame)
{
    constexpr CacheGeometry RANDOM{16, 4, CacheReplacement::RANDOM};
    ContextCache a;
    ContextCache b;
    uint32_t number = 1;
    for (int i = 0; i < 10000; ++i)
    {
        number = number * 1103515245U + 12345U;
        ASSERT_EQ(a.Use(number % 24, RANDOM), b.Use(number % 24, RANDOM));
    }
}

} // namespace ns3::nfsrdma
