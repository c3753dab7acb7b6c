/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wire/planned-event.h"
#include "wire/simulation-clock.h"

#include <gtest/gtest.h>
#include <memory>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

class PlannedEventTest : public ::testing::Test
{
  protected:
    void TearDown() override
    {
        m_event.Cancel();
        Simulator::Destroy();
    }

    void Plan(int64_t due)
    {
        m_event.Plan(Simulator::Now(), NanoSeconds(due), &PlannedEventTest::Call, this);
    }

    void Call()
    {
        EXPECT_FALSE(m_event.IsRunning()) << "it is not to come any more";
        EXPECT_EQ(SimulationClock::Now(), Simulator::Now());
        m_calls.push_back(SimulationClock::Now().GetNanoSeconds());
        if (m_next > 0)
        {
            Plan(std::exchange(m_next, 0));
        }
    }

    PlannedEvent m_event;
    std::vector<int64_t> m_calls;
    int64_t m_next{0}; ///< When the call plans another.
};

TEST_F(PlannedEventTest, IsCalledOnceWhenItIsDue)
{
    EXPECT_FALSE(m_event.IsRunning());
    Plan(100);
    EXPECT_TRUE(m_event.IsRunning());
    EXPECT_EQ(m_event.GetDue(), NanoSeconds(100));
    Simulator::Run();
    EXPECT_EQ(m_calls, std::vector<int64_t>{100});
    EXPECT_FALSE(m_event.IsRunning());
}

TEST_F(PlannedEventTest, AnotherPlanTakesItsPlace)
{
    Plan(100);
    Plan(50);
    EXPECT_EQ(m_event.GetDue(), NanoSeconds(50));
    Simulator::Run();
    EXPECT_EQ(m_calls, std::vector<int64_t>{50});
    Plan(170);
    Plan(200);
    Simulator::Run();
    EXPECT_EQ(m_calls, (std::vector<int64_t>{50, 200}));
}

TEST_F(PlannedEventTest, IsNotCalledWhenItIsCancelled)
{
    Plan(100);
    m_event.Cancel();
    EXPECT_FALSE(m_event.IsRunning());
    m_event.Cancel();
    Simulator::Run();
    EXPECT_TRUE(m_calls.empty());
}

TEST_F(PlannedEventTest, CanBePlannedFromItsCall)
{
    m_next = 130;
    Plan(100);
    Simulator::Run();
    EXPECT_EQ(m_calls, (std::vector<int64_t>{100, 130}));
}

TEST_F(PlannedEventTest, CallsOfOneTimeComeInTheOrderInWhichTheyWerePlanned)
{
    Plan(100);
    Simulator::Schedule(NanoSeconds(100), [this] { m_calls.push_back(-1); });
    Simulator::Run();
    EXPECT_EQ(m_calls, (std::vector<int64_t>{100, -1}));
}

TEST(SimulationClockTest, EachSimulationHasItsTime)
{
    for (const int64_t end : {70, 30})
    {
        SimulationClock::Start();
        EXPECT_EQ(SimulationClock::Now(), Time(0)) << "of the one before";
        Time atDestroy;
        Simulator::ScheduleDestroy(
            +[](Time* at) { *at = SimulationClock::Now(); },
            &atDestroy);
        Simulator::Schedule(NanoSeconds(end), [] {});
        Simulator::Run();
        EXPECT_EQ(SimulationClock::Now(), NanoSeconds(end));
        Simulator::Destroy();
        EXPECT_EQ(atDestroy, NanoSeconds(end));
    }
    Simulator::Destroy();
}

/// What an event that never comes holds may ask for the time when it is given up with its
/// simulator.
TEST(SimulationClockTest, CanBeAskedWhileTheSimulatorIsDestroyed)
{
    struct Held
    {
        ~Held()
        {
            *told = SimulationClock::Now();
        }

        Time* told;
    };

    for (const bool isStarted : {true, false, true})
    {
        if (isStarted)
        {
            SimulationClock::Start();
        }
        Time told;
        Simulator::Schedule(NanoSeconds(200), [held = std::shared_ptr<Held>(new Held{&told})] {});
        Simulator::Stop(NanoSeconds(90));
        Simulator::Run();
        EXPECT_EQ(SimulationClock::Now(), NanoSeconds(90));
        told = Time(0);
        Simulator::Destroy();
        EXPECT_EQ(told, NanoSeconds(90));
        EXPECT_EQ(SimulationClock::Now(), Time(0)) << "of the next";
        Simulator::Destroy();
    }
}

} // namespace

} // namespace ns3::nfsrdma
