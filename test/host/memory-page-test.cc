/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/memory-page.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace ns3::nfsrdma
{

namespace
{

void
Write(MemoryPage& page, uint32_t offset, const ByteVector& octets)
{
    const auto room = page.GetRoom(offset, static_cast<uint32_t>(octets.size()));
    ASSERT_EQ(room.size(), octets.size());
    std::copy(octets.begin(), octets.end(), room.begin());
}

ByteVector
ReadAll(const MemoryPage& page)
{
    ByteVector all(MemoryPage::SIZE, 0xff);
    page.Read(0, all);
    return all;
}

} // namespace

TEST(MemoryPageTest, IsZeroUntilWritten)
{
    const MemoryPage page;
    EXPECT_TRUE(page.IsEmpty());
    EXPECT_EQ(ReadAll(page), ByteVector(MemoryPage::SIZE, 0));
}

TEST(MemoryPageTest, StoresThePartThatWasWrittenWhileThatIsShort)
{
    MemoryPage page;
    Write(page, 2000, ByteVector(300, 1));
    EXPECT_FALSE(page.IsEmpty());
    EXPECT_EQ(page.GetStored(), 320U) << "1984 to 2304";
    Write(page, 1500, ByteVector(8, 2));
    EXPECT_EQ(page.GetStored(), 832U) << "1472 to 2304";
    Write(page, 1000, ByteVector(1, 3));
    EXPECT_EQ(page.GetStored(), MemoryPage::SIZE);
    Write(page, MemoryPage::SIZE - 1, ByteVector(1, 4));
    EXPECT_EQ(page.GetStored(), MemoryPage::SIZE);
    ByteVector expected(MemoryPage::SIZE, 0);
    std::fill_n(expected.begin() + 2000, 300, uint8_t{1});
    std::fill_n(expected.begin() + 1500, 8, uint8_t{2});
    expected[1000] = 3;
    expected.back() = 4;
    EXPECT_EQ(ReadAll(page), expected);
}

TEST(MemoryPageTest, IsAsAnArrayOfOctets)
{
    std::mt19937 generator(7);
    const auto choose = [&generator](uint32_t below) { return generator() % below; };
    for (int round = 0; round < 200; ++round)
    {
        MemoryPage page;
        ByteVector expected(MemoryPage::SIZE, 0);
        for (int write = 0; write < 20; ++write)
        {
            const uint32_t reach = choose(2) == 0 ? 600 : MemoryPage::SIZE;
            const uint32_t offset = choose(reach);
            const uint32_t length = 1 + choose(reach - offset);
            const ByteVector octets(length, static_cast<uint8_t>(1 + choose(255)));
            Write(page, offset, octets);
            std::copy(octets.begin(), octets.end(), expected.begin() + offset);
            ASSERT_EQ(ReadAll(page), expected);
            const uint32_t from = choose(MemoryPage::SIZE);
            ByteVector part(choose(MemoryPage::SIZE - from + 1), 0xff);
            page.Read(from, part);
            ASSERT_TRUE(std::equal(part.begin(), part.end(), expected.begin() + from));
        }
    }
}

} // namespace ns3::nfsrdma
