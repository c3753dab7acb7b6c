/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/memory.h"
#include "host/pinned-pages.h"
#include "wire/ip-address.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <random>
#include <tuple>
#include <vector>

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

TEST_F(HostMemoryTest, WhatIsAllocatedStaysFoundWhileOthersAreFreed)
{
    std::mt19937 random(1);
    std::map<uint64_t, uint8_t> live; // First octet, by address.
    std::vector<uint64_t> freed;
    for (uint32_t step = 0; step < 5000; ++step)
    {
        if (live.empty() || random() % 5 < (step < 2500 ? 3U : 2U))
        {
            const auto octet = static_cast<uint8_t>(1 + random() % 255);
            const uint64_t address = m_memory->Allocate(1 + random() % 9000);
            m_memory->Write(address, ByteVector{octet});
            live[address] = octet;
        }
        else
        {
            const auto victim =
                std::next(live.begin(), static_cast<std::ptrdiff_t>(random() % live.size()));
            m_memory->Free(victim->first);
            freed.push_back(victim->first);
            live.erase(victim);
        }
        ASSERT_EQ(m_memory->GetAllocationCount(), live.size());
        if (!live.empty())
        {
            const auto one =
                std::next(live.begin(), static_cast<std::ptrdiff_t>(random() % live.size()));
            ASSERT_EQ(Read(one->first, 1), ByteVector{one->second});
        }
        if (!freed.empty())
        {
            ByteVector octet(1);
            ASSERT_FALSE(m_memory->TryRead(freed[random() % freed.size()], octet));
        }
    }
    for (const auto& [address, octet] : live)
    {
        EXPECT_EQ(Read(address, 1), ByteVector{octet});
        m_memory->Free(address);
    }
    EXPECT_EQ(m_memory->GetAllocationCount(), 0U);
    EXPECT_EQ(m_memory->GetAllocatedBytes(), 0U);
    EXPECT_EQ(m_memory->GetResidentBytes(), 0U);
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

TEST_F(HostMemoryTest, RoomEndsWithThePageAndIsWhatIsReadLater)
{
    const uint64_t base = m_memory->Allocate(3 * HostMemory::PAGE_SIZE);
    const auto room = m_memory->GetRoom(base + 4000, 5000);
    ASSERT_EQ(room.size(), 96U);
    std::fill(room.begin(), room.end(), uint8_t{7});
    const auto whole = m_memory->GetRoom(base + HostMemory::PAGE_SIZE, 5000);
    ASSERT_EQ(whole.size(), HostMemory::PAGE_SIZE);
    std::fill(whole.begin(), whole.end(), uint8_t{8});
    EXPECT_EQ(m_memory->GetResidentBytes(), 2 * HostMemory::PAGE_SIZE);
    ByteVector out(98, 0xff);
    m_memory->Read(base + 3999, out);
    ByteVector expected(98, 7);
    expected.front() = 0;
    expected.back() = 8;
    EXPECT_EQ(out, expected);
    EXPECT_DEATH(std::ignore = m_memory->GetRoom(base + 3 * HostMemory::PAGE_SIZE, 1),
                 "outside an allocation");
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

/// What a connection holds, as traces tell it, is never more than what its host does.
class MemoryAccountsTest : public ::testing::Test
{
  protected:
    MemoryAccountsTest()
        : m_memory(CreateObject<HostMemory>())
    {
        m_memory->TraceConnectWithoutContext("Allocated",
                                             MakeCallback(&MemoryAccountsTest::NoteUse, this));
        m_memory->TraceConnectWithoutContext("PinnedPages",
                                             MakeCallback(&MemoryAccountsTest::NotePages, this));
        m_memory->TraceConnectWithoutContext("Charged",
                                             MakeCallback(&MemoryAccountsTest::NoteCharge, this));
    }

    void NoteUse(HostMemoryUse use, uint64_t /* before */, uint64_t now)
    {
        m_host[static_cast<std::size_t>(use)] = now;
        Compare();
    }

    void NotePages(uint64_t /* before */, uint64_t now)
    {
        m_host[static_cast<std::size_t>(HostMemoryCharge::REGISTERED)] =
            now * HostMemory::PAGE_SIZE;
        Compare();
    }

    void NoteCharge(HostMemoryAccount account,
                    HostMemoryCharge charge,
                    uint64_t before,
                    uint64_t now)
    {
        uint64_t& octets = m_accounts[account][static_cast<std::size_t>(charge)];
        EXPECT_EQ(octets, before);
        octets = now;
        Compare();
    }

    void Compare()
    {
        ++m_compared;
        for (std::size_t charge = 0; charge < m_host.size(); ++charge)
        {
            uint64_t sum = 0;
            for (const auto& [account, octets] : m_accounts)
            {
                sum += octets[charge];
            }
            EXPECT_LE(sum, m_host[charge]) << ToString(static_cast<HostMemoryCharge>(charge));
        }
    }

    using Octets = std::array<uint64_t, HOST_MEMORY_CHARGES>;

    Ptr<HostMemory> m_memory;
    Octets m_host{};
    std::map<HostMemoryAccount, Octets> m_accounts;
    std::size_t m_compared{0};
};

TEST_F(MemoryAccountsTest, ConnectionsNeverHoldMoreThanTheirHost)
{
    std::mt19937 generator(1);
    const auto choose = [&generator](uint32_t count) {
        return static_cast<uint32_t>(generator() % count);
    };
    std::vector<HostMemoryAccount> accounts{0};
    for (uint32_t peer = 1; peer <= 3; ++peer)
    {
        accounts.push_back(m_memory->OpenAccount(peer));
    }
    std::vector<HostBuffer> buffers;
    std::vector<PinnedPages> pins;
    for (int step = 0; step < 3000; ++step)
    {
        const HostMemoryPurpose purpose{static_cast<HostMemoryUse>(choose(HOST_MEMORY_USES)),
                                        accounts[choose(accounts.size())]};
        const uint32_t what = choose(5);
        if (what == 0 || buffers.empty())
        {
            buffers.emplace_back(m_memory, 1 + choose(10000), purpose);
        }
        else if (what == 1)
        {
            buffers.erase(buffers.begin() + choose(buffers.size()));
        }
        else if (what == 2)
        {
            buffers[choose(buffers.size())].SetPurpose(purpose);
        }
        else if (what == 3 || pins.empty())
        {
            auto pinned = PinnedPages::Pin(m_memory, 1 + choose(9), purpose.account);
            ASSERT_TRUE(pinned);
            pins.push_back(pinned->Split(1));
            pins.push_back(std::move(*pinned));
        }
        else
        {
            pins.erase(pins.begin() + choose(pins.size()));
        }
    }
    EXPECT_GT(m_compared, 3000U);
    buffers.clear();
    pins.clear();
    for (const auto account : {1U, 2U, 3U})
    {
        EXPECT_TRUE(m_memory->GetAccounts().Get(account).IsEmpty());
    }
}

TEST_F(MemoryAccountsTest, NumbersOfAPeerAreTakenAgainWhenAllIsBack)
{
    const IpAddress peer(0x0a000001);
    const auto first = m_memory->OpenAccount(peer);
    const auto second = m_memory->OpenAccount(peer);
    const auto other = m_memory->OpenAccount(0x0a000002);
    EXPECT_EQ(m_memory->GetAccounts().Get(first).number, 0U);
    EXPECT_EQ(m_memory->GetAccounts().Get(second).number, 1U);
    EXPECT_EQ(m_memory->GetAccounts().Get(other).number, 0U);
    HostBuffer late(m_memory, 100, {HostMemoryUse::READ_SINKS, first});
    m_memory->CloseAccount(first);
    const auto third = m_memory->OpenAccount(peer);
    EXPECT_EQ(m_memory->GetAccounts().Get(third).number, 2U) << "something is out of the first";
    late = HostBuffer();
    EXPECT_EQ(m_memory->OpenAccount(peer), first);
    m_memory->CloseAccount(0);
    m_memory->Charge(0, HostMemoryCharge::EXPOSED, 5, 0);
    EXPECT_EQ(m_memory->GetAccounts().GetCount(), 4U);
}

} // namespace ns3::nfsrdma
