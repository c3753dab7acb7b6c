/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/cpu.h"
#include "host/interconnect.h"

#include "ns3/data-rate.h"
#include "ns3/enum.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

/// A host of two sockets with two cores each.
class SocketsTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        Set("Cores", UintegerValue(4));
        Set("Sockets", UintegerValue(2));
    }

    void TearDown() override
    {
        m_cpu->Dispose();
        Simulator::Destroy();
    }

    void Set(const std::string& attribute, const AttributeValue& value)
    {
        m_cpu->SetAttribute(attribute, value);
    }

    static constexpr uint64_t PAGE = 4096;
    static inline const Time COST = MicroSeconds(4);
    static inline const Time LATENCY = NanoSeconds(107);

    const Ptr<HostCpu> m_cpu = CreateObject<HostCpu>();
};

TEST_F(SocketsTest, MemoryOfTheAdaptersSocketHasNoDistance)
{
    EXPECT_EQ(m_cpu->GetInterconnect(), nullptr);
    Set("MemorySocket", EnumValue(HostCosts::OTHER));
    EXPECT_NE(m_cpu->GetInterconnect(), nullptr);
    Set("Sockets", UintegerValue(1));
    EXPECT_EQ(m_cpu->GetInterconnect(), nullptr);
}

TEST_F(SocketsTest, TheLinkBetweenSocketsAloneSetsTheRate)
{
    Set("MemorySocket", EnumValue(HostCosts::OTHER));
    Set("SocketLatency", TimeValue(LATENCY));
    Set("SocketRate", DataRateValue(DataRate("32.768Gbps"))); // a page a microsecond
    constexpr int64_t PAGES = 100;
    Time end;
    for (int64_t page = 0; page < PAGES; ++page)
    {
        end = m_cpu->GetInterconnect()->Cross(HostInterconnect::Direction::WRITE,
                                              {{page * PAGE, PAGE}},
                                              Time(0));
    }
    EXPECT_EQ(end, PAGES * MicroSeconds(1) + LATENCY);
    EXPECT_EQ(
        m_cpu->GetInterconnect()->Cross(HostInterconnect::Direction::READ, {{0, PAGE}}, Time(0)),
        MicroSeconds(1) + LATENCY)
        << "the other direction is free";
}

TEST_F(SocketsTest, OfInterleavedMemoryEveryOtherPageIsRemote)
{
    Set("MemorySocket", EnumValue(HostCosts::INTERLEAVED));
    EXPECT_EQ(m_cpu->GetInterconnect()->CountRemote({{0, 10 * PAGE}}), 5 * PAGE);
    EXPECT_EQ(m_cpu->GetInterconnect()->CountRemote({{PAGE - 1, 2}}), 1U);
    EXPECT_EQ(m_cpu->GetInterconnect()->GetCrossing({{0, PAGE}}), Time(0));
}

TEST_F(SocketsTest, AThreadThatGoesToAnotherSocketTakesLonger)
{
    Set("MigrationCost", TimeValue(MicroSeconds(1)));
    HostThread thread;
    HostThread first(HostContext::PROCESS, 0);
    HostThread second(HostContext::PROCESS, 1);
    EXPECT_EQ(m_cpu->Run(thread, COST), COST) << "it starts where it is";
    for (HostThread* busy : {&first, &second})
    {
        m_cpu->Run(*busy, 4 * COST);
    }
    EXPECT_EQ(m_cpu->Run(thread, COST), 2 * COST + MicroSeconds(1)) << "its socket is busy";
    EXPECT_EQ(m_cpu->Run(thread, COST), 3 * COST + MicroSeconds(1)) << "it stays on the other";
}

TEST_F(SocketsTest, AThreadStaysOnItsSocketWhileThatHasAFreeCore)
{
    HostThread first(HostContext::PROCESS, 0);
    HostThread far(HostContext::PROCESS, 3);
    for (const bool migrates : {false, true})
    {
        Set("MigrationCost", TimeValue(migrates ? MicroSeconds(1) : Time(0)));
        HostThread thread;
        m_cpu->Run(first, 2 * COST);
        m_cpu->Run(thread, first.GetFree(), COST);
        m_cpu->Run(far, thread.GetFree(), COST);
        const Time far0 = m_cpu->GetUsedOf(3);
        m_cpu->Run(thread, far.GetFree() + COST, COST);
        EXPECT_EQ(m_cpu->GetUsedOf(3) - far0, migrates ? Time(0) : COST)
            << "the core that became free last is of the other socket";
        m_cpu->Run(first, far.GetFree() + 3 * COST, COST);
    }
}

TEST_F(SocketsTest, CopiesOfMemoryOfAnotherSocketTakeLonger)
{
    Set("CopyRate", DataRateValue(DataRate("80Gbps")));
    Set("CopyRateRemote", DataRateValue(DataRate("40Gbps")));
    HostThread near(HostContext::PROCESS, 0);
    HostThread far(HostContext::PROCESS, 3);
    EXPECT_EQ(m_cpu->Run(near, HostWork().ThenCopy(COST)), COST);
    EXPECT_EQ(m_cpu->Run(far, HostWork().ThenCopy(COST)), 2 * COST);
    EXPECT_EQ(m_cpu->Run(far, HostWork(COST)), 3 * COST) << "what copies nothing does not";
}

TEST_F(SocketsTest, PoolsAreOnTheirSocketOrCore)
{
    EXPECT_EQ(m_cpu->CountPools(), 1U);
    Set("ServerPoolMode", EnumValue(HostCosts::PERNODE));
    EXPECT_EQ(m_cpu->CountPools(), 2U);
    HostThread threads[3] = {m_cpu->MakePoolThread(1),
                             m_cpu->MakePoolThread(1),
                             m_cpu->MakePoolThread(1)};
    Time end;
    for (HostThread& thread : threads)
    {
        end = m_cpu->Run(thread, COST);
    }
    EXPECT_EQ(end, 2 * COST) << "three threads, two cores of the socket";
    EXPECT_EQ(m_cpu->GetUsedOf(0) + m_cpu->GetUsedOf(1), Time(0));
    Set("ServerPoolMode", EnumValue(HostCosts::PERCPU));
    EXPECT_EQ(m_cpu->CountPools(), 4U);
    EXPECT_EQ(m_cpu->MakePoolThread(3).GetCore(), 3U);
}

} // namespace
} // namespace ns3::nfsrdma
