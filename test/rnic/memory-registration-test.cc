/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/memory/region.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

class Registration : public ::testing::Test
{
  protected:
    static constexpr uint64_t PAGE = HostMemory::PAGE_SIZE;

    static uint64_t Pages(uint64_t address, uint64_t length)
    {
        return MemoryRegistration{0, address, length, 0, 0}.CountPages();
    }

    static bool IsLegal(uint32_t access)
    {
        return MemoryRegistration{0, 0, 1, 0, access}.HasLegalAccess();
    }

    /// A registration of \p length octets in \p pages, from \p offset of the first one on.
    static MemoryRegistration List(std::vector<uint64_t> pages, uint32_t offset, uint64_t length)
    {
        MemoryRegistration registration;
        registration.pages = std::move(pages);
        registration.firstByteOffset = offset;
        registration.length = length;
        return registration;
    }

    Ptr<HostMemory> m_memory{CreateObject<HostMemory>()};
};

TEST_F(Registration, CountsThePagesItSpans)
{
    EXPECT_EQ(Pages(0x10000, 0), 0U);
    EXPECT_EQ(Pages(0x10000, 1), 1U);
    EXPECT_EQ(Pages(0x10000, PAGE), 1U);
    EXPECT_EQ(Pages(0x10000, PAGE + 1), 2U);
    EXPECT_EQ(Pages(0x10fff, 1), 1U);
    EXPECT_EQ(Pages(0x10fff, 2), 2U);
    EXPECT_EQ(Pages(0x10fff, PAGE + 1), 2U);
    EXPECT_EQ(Pages(0x10fff, PAGE + 2), 3U);
    EXPECT_EQ(Pages(0x10000, 1ULL << 40), 1ULL << 28);
    EXPECT_EQ(Pages(0x10fff, ~uint64_t{0}), (1ULL << 52) + 1);
    EXPECT_EQ(List({1, 2}, PAGE - 1, 2).CountPages(), 2U);
}

TEST_F(Registration, RightsToChangeNeedLocalWrite)
{
    EXPECT_TRUE(IsLegal(0));
    EXPECT_TRUE(IsLegal(ACCESS_LOCAL_WRITE));
    EXPECT_TRUE(IsLegal(ACCESS_REMOTE_READ | ACCESS_WINDOW_BIND | ACCESS_ZERO_BASED));
    EXPECT_TRUE(IsLegal(0x3f));
    EXPECT_FALSE(IsLegal(ACCESS_REMOTE_WRITE));
    EXPECT_FALSE(IsLegal(ACCESS_REMOTE_ATOMIC | ACCESS_REMOTE_READ));
    EXPECT_FALSE(IsLegal(0x40));
    EXPECT_FALSE(IsLegal(0x3f | 0x80));
}

TEST_F(Registration, APageListMustFitTheLengthAndTheMemory)
{
    const uint64_t base = m_memory->Allocate(3 * PAGE + 100);
    const uint64_t first = base;
    const uint64_t second = base + PAGE;
    const uint64_t tail = base + 3 * PAGE;
    EXPECT_TRUE(List({second, first}, 0, 2 * PAGE).IsBacked(*m_memory));
    EXPECT_TRUE(List({second, first}, PAGE - 1, 2).IsBacked(*m_memory));
    EXPECT_TRUE(List({second, second}, 0, 2 * PAGE).IsBacked(*m_memory)) << "one page twice";
    EXPECT_FALSE(List({second, first}, 0, PAGE).IsBacked(*m_memory)) << "a page too many";
    EXPECT_FALSE(List({second, first}, 1, 2 * PAGE).IsBacked(*m_memory)) << "a page too few";
    EXPECT_FALSE(List({second + 1}, 0, 10).IsBacked(*m_memory)) << "not aligned";
    EXPECT_FALSE(List({second}, PAGE, 10).IsBacked(*m_memory)) << "offset outside the page";
    EXPECT_FALSE(List({second}, 0, 0).IsBacked(*m_memory)) << "no octets";
    EXPECT_TRUE(List({first, tail}, 0, PAGE + 100).IsBacked(*m_memory));
    EXPECT_FALSE(List({first, tail}, 0, PAGE + 101).IsBacked(*m_memory))
        << "an octet not allocated";
    EXPECT_TRUE(List({tail}, 99, 1).IsBacked(*m_memory));
    EXPECT_FALSE(List({tail}, 99, 2).IsBacked(*m_memory));
    EXPECT_FALSE(List({0}, 0, 1).IsBacked(*m_memory));
    MemoryRegistration wrapping = List({first}, 0, 2);
    wrapping.iova = ~uint64_t{0} - 1;
    EXPECT_FALSE(wrapping.IsBacked(*m_memory));
    wrapping.access = ACCESS_ZERO_BASED;
    EXPECT_TRUE(wrapping.IsBacked(*m_memory)) << "the iova does not count";
}

} // namespace ns3::nfsrdma
