/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/rnic-fixture.h"

#include "ns3/data-rate.h"
#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

namespace
{

class PlacementWatchTest : public RnicTest
{
  protected:
    void SetUp() override
    {
        RnicTest::SetUp();
        Connect();
        m_target = &Keep(m_server.Room(LENGTH));
        m_source = &Keep(m_client.Fill(Pattern(LENGTH)));
        OpenResponder();
        m_region = RegisterNow(m_server, *m_target, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE);
    }

    uint32_t Watch(uint64_t offset)
    {
        return m_server.device->GetPlacementWatch().Add(m_target->GetAddress() + offset, [this] {
            m_seen.push_back(Simulator::Now());
            uint8_t last = 0;
            m_target->Read(LENGTH - 1, {&last, 1});
            m_lastOctets.push_back(last);
        });
    }

    void WriteAll()
    {
        PostSend(m_client, Write(1, *m_source, m_region->GetStag(), m_target->GetAddress()));
        m_posted = Simulator::Now();
        Run();
    }

    static constexpr uint32_t LENGTH = 10000;
    const HostBuffer* m_target{nullptr};
    const HostBuffer* m_source{nullptr};
    Ptr<MemoryRegion> m_region;
    Time m_posted;
    std::vector<Time> m_seen;
    std::vector<uint8_t> m_lastOctets;
};

TEST_F(PlacementWatchTest, TellsOfTheLastOctetWhenItIsThere)
{
    Watch(LENGTH - 1);
    WriteAll();
    ASSERT_EQ(m_seen.size(), 1U);
    EXPECT_EQ(m_lastOctets.front(), Pattern(LENGTH).back());
    EXPECT_EQ(m_seen.front(), m_server.pair->GetReceiver().GetProgress().done);
}

TEST_F(PlacementWatchTest, EveryOctetIsToldOnceAWrite)
{
    Watch(0);
    Watch(LENGTH / 2);
    WriteAll();
    WriteAll();
    EXPECT_EQ(m_seen.size(), 4U);
}

TEST_F(PlacementWatchTest, TellsNothingOfOctetsBehindTheWrite)
{
    Watch(LENGTH);
    WriteAll();
    EXPECT_TRUE(m_seen.empty());
}

TEST_F(PlacementWatchTest, ARemovedWatchTellsNothingAnyMore)
{
    const uint32_t first = Watch(0);
    Watch(LENGTH - 1);
    m_server.device->GetPlacementWatch().Remove(first);
    m_server.device->GetPlacementWatch().Remove(first);
    WriteAll();
    EXPECT_EQ(m_seen.size(), 1U);
}

TEST_F(PlacementWatchTest, AWatchMayEndItself)
{
    PlacementWatch& watch = m_server.device->GetPlacementWatch();
    uint32_t told = 0;
    uint32_t handle = 0;
    handle = watch.Add(m_target->GetAddress(), [&] {
        told++;
        watch.Remove(handle);
    });
    WriteAll();
    WriteAll();
    EXPECT_EQ(told, 1U);
}

} // namespace

} // namespace ns3::nfsrdma
