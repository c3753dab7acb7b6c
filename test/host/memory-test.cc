/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/memory.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

class HostMemoryTest : public ::testing::Test
{
  protected:
    static ByteVector Pattern(std::size_t length)
    {
        ByteVector octets(length);
        for (std::size_t i = 0; i < length; i++)
        {
            octets[i] = static_cast<uint8_t>(1 + i * 11 + i / 256);
        }
        return octets;
    }

    ByteVector Read(uint64_t address, std::size_t length) const
    {
        ByteVector octets(length, 0xee);
        m_memory->Read(address, octets);
        return octets;
    }

    Ptr<HostMemory> m_memory{CreateObject<HostMemory>()};
};

TEST_F(HostMemoryTest, ReadsZerosAndKeepsNoPageForThem)
{
    const uint64_t address = m_memory->Allocate(1ULL << 40);
    EXPECT_EQ(Read(address + 12345, 10000), ByteVector(10000));
    EXPECT_EQ(m_memory->GetResidentBytes(), 0U);
    EXPECT_EQ(m_memory->GetAllocatedBytes(), 1ULL << 40);
}

TEST_F(HostMemoryTest, AddressesArePageAlignedDisjointAndTheSameEachTime)
{
    const auto other = CreateObject<HostMemory>();
    uint64_t end = 0;
    for (const uint64_t length : {1, 4096, 4097, 100000})
    {
        const uint64_t address = m_memory->Allocate(length);
        EXPECT_EQ(address % HostMemory::PAGE_SIZE, 0U);
        EXPECT_GE(address, end);
        EXPECT_EQ(address, other->Allocate(length));
        end = address + length;
    }
}

TEST_F(HostMemoryTest, WritesAcrossPagesReadBackAtAnyOffset)
{
    const uint64_t address = m_memory->Allocate(20000);
    const ByteVector octets = Pattern(9001);
    m_memory->Write(address + 4095, octets);
    EXPECT_EQ(Read(address + 4095, 9001), octets);
    EXPECT_EQ(Read(address + 4095 + 4097, 100),
              ByteVector(octets.begin() + 4097, octets.begin() + 4197));
    EXPECT_EQ(Read(address, 4095), ByteVector(4095));
    EXPECT_EQ(m_memory->GetResidentBytes(), 4 * HostMemory::PAGE_SIZE);
    m_memory->Write(address + 5000, ByteVector{1, 2, 3});
    ByteVector changed = octets;
    changed[905] = 1;
    changed[906] = 2;
    changed[907] = 3;
    EXPECT_EQ(Read(address + 4095, 9001), changed);
}

TEST_F(HostMemoryTest, RangesMustLieInOneAllocation)
{
    const uint64_t first = m_memory->Allocate(4096);
    const uint64_t second = m_memory->Allocate(10);
    ByteVector two(2);
    EXPECT_TRUE(m_memory->Contains(first, 4096));
    EXPECT_FALSE(m_memory->Contains(first, 4097));
    EXPECT_FALSE(m_memory->Contains(first - 1, 2));
    EXPECT_FALSE(m_memory->Contains(0, 1));
    EXPECT_FALSE(m_memory->Contains(first + 1, ~0ULL));
    EXPECT_TRUE(m_memory->TryWrite(first + 4094, two));
    EXPECT_FALSE(m_memory->TryWrite(first + 4095, two));
    EXPECT_FALSE(m_memory->TryRead(second + 9, two));
    EXPECT_TRUE(m_memory->TryRead(second + 8, two));
    EXPECT_TRUE(m_memory->TryRead(0, {}));
}

TEST_F(HostMemoryTest, FreeDropsPagesAndMakesTheRangeInvalid)
{
    const uint64_t address = m_memory->Allocate(10000);
    m_memory->Write(address, Pattern(10000));
    m_memory->Free(address);
    ByteVector one(1);
    EXPECT_FALSE(m_memory->TryRead(address, one));
    EXPECT_EQ(m_memory->GetResidentBytes(), 0U);
    EXPECT_EQ(m_memory->GetAllocatedBytes(), 0U);
    EXPECT_EQ(m_memory->GetAllocationCount(), 0U);
    EXPECT_NE(m_memory->Allocate(10000), address);
}

TEST_F(HostMemoryTest, BuffersMoveAndFreeThemselves)
{
    {
        HostBuffer first(m_memory, 100);
        const uint64_t address = first.GetAddress();
        first.Write(10, Pattern(5));
        HostBuffer second(std::move(first));
        EXPECT_TRUE(first.IsNull());
        EXPECT_EQ(second.GetAddress(), address);
        HostBuffer third(m_memory, 50);
        EXPECT_EQ(m_memory->GetAllocationCount(), 2U);
        third = std::move(second);
        EXPECT_EQ(m_memory->GetAllocationCount(), 1U);
        EXPECT_EQ(third.GetLength(), 100U);
        ByteVector octets(5);
        third.Read(10, octets);
        EXPECT_EQ(octets, Pattern(5));
    }
    EXPECT_EQ(m_memory->GetAllocationCount(), 0U);
}

} // namespace ns3::nfsrdma
