/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/page-cache.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

namespace ns3::nfsrdma::test
{
namespace
{

constexpr InodeNumber FILE = 7;

void
Use(PageCache& cache, uint64_t index)
{
    cache.Insert(FILE, index);
    cache.Touch(FILE, index);
    cache.Trim();
}

TEST(PageCache, LruGivesUpWhatWasUsedLongestAgo)
{
    PageCache cache(3, PageCache::LRU);
    for (const uint64_t index : {1, 2, 3, 1, 4})
    {
        Use(cache, index);
    }
    EXPECT_NE(cache.Find(FILE, 1), nullptr);
    EXPECT_EQ(cache.Find(FILE, 2), nullptr);
    EXPECT_NE(cache.Find(FILE, 3), nullptr);
    EXPECT_NE(cache.Find(FILE, 4), nullptr);
    EXPECT_EQ(cache.GetEvicted(), 1U);
}

/// A scan of pages used once passes through the inactive list; those used twice stay.
TEST(PageCache, TwoListsResistAScan)
{
    for (const bool twoLists : {false, true})
    {
        PageCache cache(8, twoLists ? PageCache::TWO_LIST : PageCache::LRU);
        for (int round = 0; round < 2; ++round)
        {
            for (uint64_t index = 0; index < 3; ++index)
            {
                Use(cache, index);
            }
        }
        EXPECT_EQ(cache.GetActive(), twoLists ? 3U : 0U);
        for (uint64_t index = 100; index < 200; ++index)
        {
            Use(cache, index);
        }
        EXPECT_EQ(cache.Find(FILE, 0) != nullptr, twoLists);
        EXPECT_EQ(cache.Find(FILE, 2) != nullptr, twoLists);
        EXPECT_EQ(cache.GetCount(), 8U);
    }
}

TEST(PageCache, DirtyLoadingAndWritingPagesStay)
{
    PageCache cache(1, PageCache::LRU);
    cache.SetDirty(FILE, 1, true);
    cache.SetLoading(FILE, 2, 17);
    cache.SetWriting(FILE, 3, 18);
    Use(cache, 4);
    EXPECT_EQ(cache.GetCount(), 3U);
    EXPECT_EQ(cache.Find(FILE, 4), nullptr);
    cache.SetLoading(FILE, 2, 0);
    cache.SetWriting(FILE, 3, 0);
    cache.Trim();
    EXPECT_EQ(cache.GetCount(), 1U);
    EXPECT_EQ(cache.GetDirty(), 1U);
    cache.SetDirty(FILE, 1, false);
    cache.Trim();
    EXPECT_EQ(cache.GetCount(), 1U);
    EXPECT_EQ(cache.GetDirty(), 0U);
}

TEST(PageCache, FindsRunsOfDirtyPages)
{
    PageCache cache(100, PageCache::LRU);
    for (const uint64_t index : {3, 4, 5, 7, 8})
    {
        cache.SetDirty(FILE, index, true);
    }
    const auto expect = [&](uint64_t first, uint64_t last, uint64_t most, PageRange range) {
        const PageRange found = cache.FindDirty(FILE, first, last, most);
        EXPECT_EQ(found.count, range.count);
        EXPECT_TRUE(range.count == 0 || found.first == range.first);
    };
    expect(0, 100, 100, {3, 3});
    expect(4, 100, 100, {4, 2});
    expect(0, 100, 2, {3, 2});
    expect(6, 7, 100, {7, 1});
    expect(9, 100, 100, {9, 0});
    cache.Drop(FILE, 5);
    expect(5, 100, 100, {5, 0});
    EXPECT_EQ(cache.GetDirty(), 2U);
    cache.Clear();
    EXPECT_EQ(cache.GetDirty(), 0U);
    EXPECT_EQ(cache.GetCount(), 0U);
}

/// Against sets and a list of uses.
TEST(PageCache, LruEqualsAModelUnderRandomUse)
{
    constexpr uint64_t CAPACITY = 20;
    std::mt19937_64 random(20);
    PageCache cache(CAPACITY, PageCache::LRU);
    std::vector<uint64_t> order; ///< Clean pages, latest last.
    std::set<uint64_t> dirty;
    const auto use = [&](uint64_t index) {
        order.erase(std::remove(order.begin(), order.end(), index), order.end());
        if (dirty.count(index) == 0)
        {
            order.push_back(index);
        }
        while (!order.empty() && order.size() + dirty.size() > CAPACITY)
        {
            order.erase(order.begin());
        }
    };
    for (int step = 0; step < 20000; ++step)
    {
        const uint64_t index = random() % 40;
        switch (random() % 4)
        {
        case 0:
            dirty.insert(index);
            cache.SetDirty(FILE, index, true);
            cache.Trim();
            use(index);
            break;
        case 1:
            if (dirty.erase(index) != 0)
            {
                cache.SetDirty(FILE, index, false);
                cache.Trim();
                use(index);
            }
            break;
        default:
            Use(cache, index);
            use(index);
        }
        ASSERT_EQ(cache.GetDirty(), dirty.size());
        ASSERT_EQ(cache.GetCount(), dirty.size() + order.size()) << step;
        for (uint64_t page = 0; page < 40; ++page)
        {
            const bool isThere =
                dirty.count(page) != 0 || std::count(order.begin(), order.end(), page) != 0;
            ASSERT_EQ(cache.Find(FILE, page) != nullptr, isThere) << step << " page " << page;
        }
    }
}

} // namespace
} // namespace ns3::nfsrdma::test
