/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/memory.h"

#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <vector>

namespace ns3::nfsrdma
{

class PostedWriteTest : public ::testing::Test
{
  protected:
    void TearDown() override
    {
        Simulator::Destroy();
    }

    uint8_t Look(uint64_t offset = 0) const
    {
        uint8_t octet = 0;
        m_memory->Read(m_address + offset, {&octet, 1});
        return octet;
    }

    void Post(int64_t due, uint8_t value, uint32_t poster = FIRST, uint64_t offset = 0)
    {
        const ByteVector octets(8, value);
        m_memory->Post(NanoSeconds(due), m_address + offset, octets, poster);
    }

    static constexpr uint32_t FIRST = 1;
    static constexpr uint32_t SECOND = 2;

    Ptr<HostMemory> m_memory{CreateObject<HostMemory>()};
    uint64_t m_address{m_memory->Allocate(8192)};
};

TEST_F(PostedWriteTest, IsThereAtItsTimeAndNotBefore)
{
    Post(100, 7);
    std::vector<int> seen;
    for (const int64_t at : {0, 99, 100, 101})
    {
        Simulator::Schedule(NanoSeconds(at), [&] { seen.push_back(Look()); });
    }
    Simulator::Run();
    EXPECT_EQ(seen, (std::vector<int>{0, 0, 7, 7}));
}

TEST_F(PostedWriteTest, IsThereWhenTheSimulationHasEnded)
{
    Post(100, 7);
    Simulator::Schedule(NanoSeconds(50), [&] { Post(70000, 9); });
    Simulator::Run();
    EXPECT_EQ(Look(), 9);
    EXPECT_EQ(m_memory->GetPostedOctets(), 0U);
}

TEST_F(PostedWriteTest, HastenedItIsThereAtOnceAndNotAgain)
{
    Post(100, 7);
    m_memory->HastenPosts(FIRST);
    EXPECT_EQ(m_memory->GetPostedOctets(), 0U);
    ByteVector octets(1);
    m_memory->Read(m_address, octets);
    EXPECT_EQ(octets[0], 7);
    octets[0] = 9;
    m_memory->Write(m_address, octets);
    Simulator::Run();
    m_memory->Read(m_address, octets);
    EXPECT_EQ(octets[0], 9);
}

TEST_F(PostedWriteTest, HasteningOneLetsThoseOfAnotherComeAtTheirTime)
{
    constexpr uint64_t APART = 64;
    Post(100, 1, FIRST);
    Post(200, 2, SECOND, APART);
    Post(300, 3, FIRST);
    std::vector<int> seen;
    Simulator::Schedule(NanoSeconds(50), [&] {
        m_memory->HastenPosts(FIRST);
        EXPECT_EQ(Look(), 3) << "in the order of their times";
        EXPECT_EQ(m_memory->GetPostedOctets(), 8U);
    });
    for (const int64_t at : {199, 200})
    {
        Simulator::Schedule(NanoSeconds(at), [&] { seen.push_back(Look(APART)); });
    }
    Simulator::Run();
    EXPECT_EQ(seen, (std::vector<int>{0, 2}));
    EXPECT_EQ(Look(), 3);
}

TEST_F(PostedWriteTest, TheLaterTimePrevailsAndOfOneTimeTheLaterPost)
{
    Post(300, 3);
    Post(200, 2);
    Post(300, 4);
    std::vector<int> seen;
    for (const int64_t at : {200, 300})
    {
        Simulator::Schedule(NanoSeconds(at), [&] { seen.push_back(Look()); });
    }
    Simulator::Run();
    EXPECT_EQ(seen, (std::vector<int>{2, 4}));
}

TEST_F(PostedWriteTest, TheHostWritesInBetween)
{
    Post(100, 1);
    Post(300, 3);
    Simulator::Schedule(NanoSeconds(200), [&] {
        m_memory->Write(m_address, ByteVector(4, 2));
        EXPECT_EQ(Look(0), 2);
        EXPECT_EQ(Look(4), 1);
    });
    Simulator::Run();
    EXPECT_EQ(Look(0), 3);
}

TEST_F(PostedWriteTest, ADeviceReadsBehindItsWrites)
{
    Post(200, 2);
    Post(100, 1);
    m_memory->Post(NanoSeconds(300), m_address + 6, ByteVector(4, 5), FIRST);
    ByteVector octets(10);
    EXPECT_TRUE(m_memory->TryReadBehindPosts(m_address + 1, octets));
    EXPECT_EQ(octets, (ByteVector{2, 2, 2, 2, 2, 5, 5, 5, 5, 0}));
    EXPECT_EQ(Look(1), 0);
    EXPECT_EQ(m_memory->GetPostedOctets(), 20U);
    EXPECT_FALSE(m_memory->TryReadBehindPosts(m_address + 8190, octets));
}

TEST_F(PostedWriteTest, WhatHasBeenFreedIsNotWritten)
{
    Post(100, 1);
    m_memory->Free(m_address);
    const uint64_t other = m_memory->Allocate(16);
    m_memory->Post(NanoSeconds(200), other, ByteVector(16, 1), SECOND);
    Simulator::Run();
    EXPECT_EQ(m_memory->GetResidentBytes(), HostMemory::PAGE_SIZE);
    EXPECT_EQ(m_memory->GetPostCounters().posted, 24U);
    EXPECT_EQ(m_memory->GetPostCounters().written, 16U);
    EXPECT_EQ(m_memory->GetPostCounters().lost, 8U);
}

} // namespace ns3::nfsrdma
