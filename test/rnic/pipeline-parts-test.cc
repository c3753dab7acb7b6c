/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/cpu.h"
#include "rnic/hardware/pcie-bus.h"
#include "rnic/hardware/reservation-calendar.h"
#include "rnic/queue/work-timeline.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

namespace ns3::nfsrdma
{

TEST(ReservationCalendarTest, ServesOneAfterTheOther)
{
    ReservationCalendar calendar;
    EXPECT_EQ(calendar.Reserve(0, 0, 10), 10);
    EXPECT_EQ(calendar.Reserve(0, 5, 10), 20);
    EXPECT_EQ(calendar.GetIntervals(), 1U) << "adjacent intervals are one";
}

TEST(ReservationCalendarTest, WhatIsReservedForLaterLeavesTheTimeBefore)
{
    ReservationCalendar calendar;
    EXPECT_EQ(calendar.Reserve(0, 100, 10), 110);
    EXPECT_EQ(calendar.Reserve(0, 0, 30), 30);
    EXPECT_EQ(calendar.GetIntervals(), 2U);
    EXPECT_EQ(calendar.Reserve(0, 50, 50), 100) << "fits exactly";
    EXPECT_EQ(calendar.GetIntervals(), 2U);
}

TEST(ReservationCalendarTest, GoesOnBehindWhatIsInItsWay)
{
    ReservationCalendar calendar;
    EXPECT_EQ(calendar.Reserve(0, 100, 10), 110);
    EXPECT_EQ(calendar.Reserve(0, 150, 10), 160);
    EXPECT_EQ(calendar.Reserve(0, 90, 55), 155 + 10);
    EXPECT_EQ(calendar.GetIntervals(), 1U);
}

TEST(ReservationCalendarTest, NothingTakesNoTime)
{
    ReservationCalendar calendar;
    EXPECT_EQ(calendar.Reserve(7, 3, 0), 7);
    EXPECT_EQ(calendar.GetIntervals(), 0U);
}

TEST(ReservationCalendarTest, ForgetsThePast)
{
    ReservationCalendar calendar;
    for (int64_t i = 0; i < 100; i++)
    {
        calendar.Reserve(0, 10 * i, 5);
    }
    EXPECT_EQ(calendar.GetIntervals(), 100U);
    EXPECT_EQ(calendar.Reserve(1000, 0, 5), 1005);
    EXPECT_EQ(calendar.GetIntervals(), 1U);
}

/// Against a table of single ticks.
TEST(ReservationCalendarTest, TakesTheFirstFreeTicks)
{
    constexpr int64_t HORIZON = 4000;
    std::mt19937_64 random(42);
    ReservationCalendar calendar;
    std::vector<bool> busy(HORIZON);
    int64_t now = 0;
    while (now < HORIZON / 2)
    {
        const auto earliest = now + static_cast<int64_t>(random() % 300);
        auto left = static_cast<int64_t>(random() % 20);
        const int64_t got = calendar.Reserve(now, earliest, left);
        int64_t tick = earliest;
        for (; left > 0; tick++)
        {
            ASSERT_LT(tick, HORIZON);
            left -= busy[tick] ? 0 : 1;
            busy[tick] = true;
        }
        ASSERT_EQ(got, tick);
        now += static_cast<int64_t>(random() % 12);
    }
}

TEST(PcieBusTest, DirectionsShareNothing)
{
    using Direction = PcieBus::Direction;
    PcieBus bus;
    const DataRate rate(8000000000);
    const Time now = NanoSeconds(100);
    EXPECT_EQ(bus.Transfer(Direction::TO_DEVICE, now, now, 64, rate), NanoSeconds(164));
    EXPECT_EQ(bus.Transfer(Direction::TO_HOST, now, now, 64, rate), NanoSeconds(164));
    EXPECT_EQ(bus.Transfer(Direction::TO_DEVICE, now, now, 64, rate), NanoSeconds(228));
    EXPECT_EQ(bus.GetOctets(Direction::TO_DEVICE), 128U);
    EXPECT_EQ(bus.GetOctets(Direction::TO_HOST), 64U);
}

TEST(PcieBusTest, ShortTransfersAddUpExactly)
{
    PcieBus bus;
    Time end;
    for (int i = 0; i < 1000; i++)
    {
        end = bus.Transfer(PcieBus::Direction::TO_HOST, Time(0), Time(0), 26, DataRate("208Gb/s"));
    }
    EXPECT_EQ(end, NanoSeconds(1000));
}

TEST(PcieBusTest, RateZeroTakesNoTime)
{
    PcieBus bus;
    EXPECT_EQ(
        bus.Transfer(PcieBus::Direction::TO_HOST, Time(0), NanoSeconds(5), 1 << 20, DataRate(0)),
        NanoSeconds(5));
}

TEST(WorkTimelineTest, WhatDoesNotHappenIsCutFromTheEnd)
{
    WorkTimeline timeline;
    timeline.Start(NanoSeconds(100));
    timeline.Mark(WorkStage::POST, NanoSeconds(110));
    timeline.Mark(WorkStage::DOORBELL, NanoSeconds(200));
    timeline.Mark(WorkStage::FETCH, NanoSeconds(600));
    timeline.Limit(NanoSeconds(150));
    EXPECT_EQ(timeline.GetStage(WorkStage::POST), NanoSeconds(10));
    EXPECT_EQ(timeline.GetStage(WorkStage::DOORBELL), NanoSeconds(40));
    EXPECT_EQ(timeline.GetStage(WorkStage::FETCH), Time(0));
    EXPECT_EQ(timeline.GetLatest(), NanoSeconds(150));
}

class HostCpuCosts : public ::testing::Test
{
  protected:
    void TearDown() override
    {
        Simulator::Destroy();
    }

    Ptr<HostCpu> m_cpu{CreateObject<HostCpu>()};
};

TEST_F(HostCpuCosts, ThreadsShareACore)
{
    m_cpu->SetAttribute("Cores", UintegerValue(1));
    HostThread one;
    HostThread other;
    EXPECT_EQ(m_cpu->Run(one, NanoSeconds(100)), NanoSeconds(100));
    EXPECT_EQ(m_cpu->GetAvailable(other), NanoSeconds(100));
    EXPECT_EQ(m_cpu->Run(other, NanoSeconds(50)), NanoSeconds(150));
    EXPECT_EQ(m_cpu->GetUsed(), NanoSeconds(150));
}

TEST_F(HostCpuCosts, WorkThatWasThereTakesTheIdleTime)
{
    HostThread thread;
    Simulator::Schedule(NanoSeconds(1000), [this, &thread] {
        EXPECT_EQ(m_cpu->Settle(thread, NanoSeconds(900), NanoSeconds(80)), NanoSeconds(980));
        EXPECT_EQ(m_cpu->Settle(thread, NanoSeconds(900), NanoSeconds(80)), NanoSeconds(1060));
    });
    Simulator::Run();
    EXPECT_EQ(thread.GetUsed(), NanoSeconds(160));
}

TEST_F(HostCpuCosts, APostIsACallItsRequestsAndWhatIsCopied)
{
    EXPECT_EQ(m_cpu->GetPostCost(3, 100), NanoSeconds(50 + 3 * 10 + 10));
}

} // namespace ns3::nfsrdma
