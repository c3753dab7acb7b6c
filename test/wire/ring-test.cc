/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wire/ring.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

template <typename Queue>
std::vector<std::string>
Contents(const Queue& queue)
{
    return {queue.begin(), queue.end()};
}

TEST(RingTest, AnEmptyRingHasNoMemory)
{
    const Ring<uint64_t> ring;
    EXPECT_TRUE(ring.empty());
    EXPECT_EQ(ring.capacity(), 0);
}

TEST(RingTest, AnEmptiedRingKeepsASmallBlockOnly)
{
    Ring<uint64_t> ring;
    for (uint64_t i = 0; i < 1000; ++i)
    {
        ring.push_back(i);
    }
    EXPECT_LE(ring.capacity(), 1250);
    while (!ring.empty())
    {
        ring.pop_front();
    }
    EXPECT_EQ(ring.capacity(), 0);
    ring.push_back(1);
    const auto small = ring.capacity();
    ring.pop_back();
    EXPECT_EQ(ring.capacity(), small);
    EXPECT_GT(small, 0);
}

TEST(RingTest, DoesWhatADequeDoes)
{
    std::mt19937 random(1);
    Ring<std::string> ring;
    std::deque<std::string> deque;
    for (uint32_t step = 0; step < 20000; ++step)
    {
        const auto element = "element " + std::to_string(step);
        const std::size_t at = deque.empty() ? 0 : random() % (deque.size() + 1);
        const auto more = static_cast<std::ptrdiff_t>(at);
        switch (random() % 9)
        {
        case 0:
        case 1:
            ring.push_back(element);
            deque.push_back(element);
            break;
        case 2:
            ring.push_front(element);
            deque.push_front(element);
            break;
        case 3: {
            const auto place = ring.insert(ring.begin() + more, element);
            EXPECT_EQ(place - ring.begin(), more);
            deque.insert(deque.begin() + more, element);
            break;
        }
        case 4:
        case 5:
            if (!deque.empty())
            {
                ring.pop_front();
                deque.pop_front();
            }
            break;
        case 6:
            if (!deque.empty())
            {
                ring.pop_back();
                deque.pop_back();
            }
            break;
        case 7:
            if (at < deque.size())
            {
                const auto next = ring.erase(ring.begin() + more);
                EXPECT_EQ(next - ring.begin(), more);
                deque.erase(deque.begin() + more);
            }
            break;
        default: {
            const auto last =
                more + static_cast<std::ptrdiff_t>(random() % (deque.size() - at + 1));
            ring.erase(ring.begin() + more, ring.begin() + last);
            deque.erase(deque.begin() + more, deque.begin() + last);
            break;
        }
        }
        ASSERT_EQ(Contents(ring), Contents(deque)) << "after step " << step;
        if (!deque.empty())
        {
            ASSERT_EQ(ring.front(), deque.front());
            ASSERT_EQ(ring.back(), deque.back());
            ASSERT_EQ(ring[deque.size() / 2], deque[deque.size() / 2]);
        }
    }
}

TEST(RingTest, ElementsAreDestroyedOnce)
{
    const auto element = std::make_shared<int>(1);
    {
        Ring<std::shared_ptr<int>> ring;
        for (int i = 0; i < 100; ++i)
        {
            ring.push_back(element);
        }
        for (int i = 0; i < 40; ++i)
        {
            ring.pop_front();
            ring.push_back(element);
        }
        EXPECT_EQ(element.use_count(), 101);
        Ring<std::shared_ptr<int>> other(std::move(ring));
        EXPECT_EQ(other.size(), 100);
        Ring<std::shared_ptr<int>> copy(other);
        EXPECT_EQ(element.use_count(), 201);
        other.clear();
        EXPECT_EQ(element.use_count(), 101);
        copy = std::move(other);
        EXPECT_EQ(element.use_count(), 1);
    }
    EXPECT_EQ(element.use_count(), 1);
}

TEST(RingTest, AnElementCanBeAddedAgain)
{
    Ring<std::string> ring;
    ring.push_back("a string that is too long to lie in the object itself");
    for (int i = 0; i < 100; ++i)
    {
        ring.push_back(ring.front());
    }
    EXPECT_EQ(std::count(ring.begin(), ring.end(), ring.front()), 101);
}

TEST(RingTest, PutsAnElementBehindThoseThatAreNoLater)
{
    struct Element
    {
        int key;
        uint32_t number;
    };

    std::mt19937 random(1);
    Ring<Element> ring;
    std::vector<Element> sorted;
    for (uint32_t number = 0; number < 500; ++number)
    {
        const Element element{static_cast<int>(random() % 40), number};
        const auto place = ring.InsertInOrder(element, &Element::key);
        EXPECT_EQ(place->number, number);
        sorted.push_back(element);
        std::stable_sort(
            sorted.begin(),
            sorted.end(),
            [](const Element& one, const Element& other) { return one.key < other.key; });
        EXPECT_EQ(sorted.at(static_cast<std::size_t>(place - ring.begin())).number, number);
        ASSERT_TRUE(std::equal(
            ring.begin(),
            ring.end(),
            sorted.begin(),
            sorted.end(),
            [](const Element& one, const Element& other) { return one.number == other.number; }));
        if (number % 7 == 0)
        {
            ring.pop_front();
            sorted.erase(sorted.begin());
        }
    }
    const auto place = ring.InsertInOrder({0, 0}, [](const Element& one) { return -one.key; });
    EXPECT_EQ(place, ring.end() - 1) << "by a function";
}

TEST(RingTest, SortsAndSearchesByItsIterators)
{
    Ring<int> ring;
    for (int i = 0; i < 64; ++i)
    {
        ring.push_front(i * 37 % 64);
        ring.push_back(i);
        ring.pop_front();
    }
    std::sort(ring.begin(), ring.end());
    EXPECT_TRUE(std::is_sorted(ring.begin(), ring.end()));
    EXPECT_EQ(std::lower_bound(ring.begin(), ring.end(), 40) - ring.begin(), 40);
}

} // namespace
} // namespace ns3::nfsrdma
