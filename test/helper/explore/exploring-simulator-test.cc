/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/explore/exploring-simulator.h"
#include "wire/ns3-version.h"
#include "wire/simulation-clock.h"

#include "ns3/simulator.h"

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Its event is one that floats.
class Storm
{
  public:
    explicit Storm(std::vector<std::string>& log)
        : m_log(log)
    {
    }

    void Strike()
    {
        m_log.emplace_back("storm");
    }

  private:
    std::vector<std::string>& m_log;
};

/// Its event is a frame's arrival by its name.
class EthernetChannel
{
  public:
    explicit EthernetChannel(std::function<void()> arrive)
        : m_arrive(std::move(arrive))
    {
    }

    void Deliver()
    {
        m_arrive();
    }

  private:
    std::function<void()> m_arrive;
};

/// Its event is a completion by its name.
class CompletionQueue
{
  public:
    CompletionQueue(std::vector<std::string>& log, std::string name)
        : m_log(log),
          m_name(std::move(name))
    {
    }

    void Appear()
    {
        m_log.push_back(m_name);
    }

  private:
    std::vector<std::string>& m_log;
    std::string m_name;
};

namespace
{

constexpr uint32_t CLIENT = 1;
constexpr uint32_t SERVER = 2;

/// Two hosts whose events write their names down.
class ExploringSimulatorTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        Simulator::Destroy();
        m_simulator = CreateObject<ExploringSimulator>();
        m_simulator->SetFloating({"Storm"});
        Simulator::SetImplementation(m_simulator);
    }

    void TearDown() override
    {
        m_simulator = nullptr;
        Simulator::Destroy();
    }

    /// An event of \p host itself, at so many us.
    void Local(uint32_t host, int64_t time, const std::string& name)
    {
        Simulator::ScheduleWithContext(host, MicroSeconds(time), [this, name] { Log(name); });
    }

    /// A frame that \p from sends at \p sent us, to the other host, where it is at \p arrives us.
    void Frame(uint32_t from, int64_t sent, int64_t arrives, const std::string& name)
    {
        Simulator::ScheduleWithContext(from, MicroSeconds(sent), [this, from, sent, arrives, name] {
            Log("send " + name);
            Simulator::ScheduleWithContext(from == CLIENT ? SERVER : CLIENT,
                                           MicroSeconds(arrives - sent),
                                           [this, name] { Log(name); });
        });
    }

    void Log(const std::string& name)
    {
        m_log.push_back(name);
        m_times.push_back(Simulator::Now().GetMicroSeconds());
    }

    std::vector<std::string> RunIn(const std::string& order)
    {
        m_simulator->SetOrder(*ParseEventOrder(order));
        Simulator::Run();
        return m_log;
    }

    using Names = std::vector<std::string>;

    Ptr<ExploringSimulator> m_simulator;
    Names m_log;
    std::vector<int64_t> m_times;
};

TEST_F(ExploringSimulatorTest, WithoutMovesTimesGiveTheOrder)
{
    Local(CLIENT, 3, "c");
    Local(CLIENT, 1, "a");
    Local(SERVER, 2, "b");
    EXPECT_EQ(RunIn("none"), (Names{"a", "b", "c"}));
    EXPECT_EQ(m_times, (std::vector<int64_t>{1, 2, 3}));
    EXPECT_EQ(m_simulator->GetEventCount(), 3U);
}

TEST_F(ExploringSimulatorTest, AFrameThatIsHeldComesAfterEventsOfItsHost)
{
    Frame(CLIENT, 0, 1, "call");
    Local(SERVER, 2, "one");
    Local(SERVER, 3, "two");
    Local(SERVER, 4, "three");
    EXPECT_EQ(RunIn("hold at 1 for 2"), (Names{"send call", "one", "two", "call", "three"}));
    EXPECT_EQ(m_times, (std::vector<int64_t>{0, 2, 3, 3, 4})) << "what is late runs now";
    EXPECT_EQ(m_simulator->GetPassed(), 2U);
}

TEST_F(ExploringSimulatorTest, FramesBehindOneThatIsHeldKeepTheirOrder)
{
    Frame(CLIENT, 0, 2, "first");
    Frame(CLIENT, 1, 3, "second");
    Local(SERVER, 4, "one");
    EXPECT_EQ(RunIn("hold at 2 for 1"),
              (Names{"send first", "send second", "one", "first", "second"}));
}

TEST_F(ExploringSimulatorTest, EventsOfOtherHostsDoNotEndAHold)
{
    Frame(CLIENT, 0, 1, "call");
    Local(CLIENT, 2, "other");
    Local(SERVER, 3, "one");
    EXPECT_EQ(RunIn("hold at 1 for 1"), (Names{"send call", "other", "one", "call"}));
}

TEST_F(ExploringSimulatorTest, NothingIsHeldBeyondThePatience)
{
    m_simulator->SetPatience(MicroSeconds(5));
    Frame(CLIENT, 0, 1, "call");
    Local(SERVER, 6, "in time");
    Local(SERVER, 7, "too late");
    EXPECT_EQ(RunIn("hold at 1 for 2"), (Names{"send call", "in time", "call", "too late"}));
    EXPECT_EQ(m_simulator->GetPassed(), 1U);
}

TEST_F(ExploringSimulatorTest, WhatIsHeldComesInTheEnd)
{
    Frame(CLIENT, 0, 1, "call");
    EXPECT_EQ(RunIn("hold at 1 for 9"), (Names{"send call", "call"}));
    EXPECT_TRUE(m_simulator->IsSettled());
}

TEST_F(ExploringSimulatorTest, AnEventThatFloatsRunsWhenItIsToldTo)
{
    Storm storm(m_log);
    Simulator::ScheduleWithContext(CLIENT, Seconds(1), &Storm::Strike, &storm);
    Local(CLIENT, 1, "a");
    Local(CLIENT, 2, "b");
    EXPECT_EQ(RunIn("advance Storm 0 to 1"), (Names{"a", "storm", "b"}));
    EXPECT_EQ(Simulator::Now(), MicroSeconds(2));
}

TEST_F(ExploringSimulatorTest, MovesThatFindNothingAreTold)
{
    Local(CLIENT, 1, "a");
    Local(CLIENT, 2, "b");
    EXPECT_EQ(RunIn("hold at 0 for 1; advance Storm 0 to 1; hold at 7 for 1"), (Names{"a", "b"}));
    EXPECT_EQ(ToText(m_simulator->GetMissed()),
              "hold at 0 for 1; advance Storm 0 to 1; hold at 7 for 1");
}

TEST_F(ExploringSimulatorTest, ALateEventIsNotExpiredAndCanBeCancelled)
{
    EventId late;
    Simulator::ScheduleWithContext(CLIENT, Time(0), [this, &late] {
        Simulator::ScheduleWithContext(SERVER, MicroSeconds(1), [this, &late] {
            Log("call");
            late.Cancel();
        });
    });
    Simulator::ScheduleWithContext(SERVER, Time(0), [this, &late] {
        late = Simulator::Schedule(MicroSeconds(5), [this] { Log("cancelled"); });
        Simulator::Schedule(MicroSeconds(2), [this, &late] {
            Log("timer");
            EXPECT_TRUE(IsPending(late));
            EXPECT_EQ(Simulator::GetDelayLeft(late), MicroSeconds(3));
        });
    });
    EXPECT_EQ(RunIn("hold at 2 for 1"), (Names{"timer", "call"}));
    EXPECT_TRUE(late.IsExpired());
}

TEST_F(ExploringSimulatorTest, AFrameMeetsTheFateThatItsMoveSays)
{
    std::vector<ExploringSimulator::Fate> fates;
    EthernetChannel cable([&] {
        fates.push_back(m_simulator->GetFate());
        fates.push_back(m_simulator->TakeFate());
        fates.push_back(m_simulator->TakeFate());
    });
    for (const int64_t time : {0, 10, 20})
    {
        Simulator::ScheduleWithContext(CLIENT, MicroSeconds(time), [&cable] {
            Simulator::ScheduleWithContext(SERVER,
                                           MicroSeconds(1),
                                           &EthernetChannel::Deliver,
                                           &cable);
        });
    }
    RunIn("lose at 1; double at 3");
    using Fate = ExploringSimulator::Fate;
    EXPECT_EQ(fates,
              (std::vector<Fate>{Fate::LOST,
                                 Fate::LOST,
                                 Fate::ARRIVES,
                                 Fate::DOUBLED,
                                 Fate::DOUBLED,
                                 Fate::ARRIVES,
                                 Fate::ARRIVES,
                                 Fate::ARRIVES,
                                 Fate::ARRIVES}));
    EXPECT_TRUE(m_simulator->GetMissed().empty());
}

TEST_F(ExploringSimulatorTest, WhatIsNoFrameIsNeitherLostNorDoubled)
{
    Local(CLIENT, 1, "a");
    Frame(CLIENT, 2, 3, "call");
    RunIn("lose at 0; double at 2");
    EXPECT_EQ(ToText(m_simulator->GetMissed()), "lose at 0; double at 2");
}

TEST_F(ExploringSimulatorTest, ACompletionIsPassedByEventsOfItsHost)
{
    CompletionQueue first(m_log, "first");
    CompletionQueue second(m_log, "second");
    Simulator::ScheduleWithContext(CLIENT, MicroSeconds(1), &CompletionQueue::Appear, &first);
    Simulator::ScheduleWithContext(CLIENT, MicroSeconds(2), &CompletionQueue::Appear, &second);
    Local(SERVER, 2, "other");
    Frame(SERVER, 2, 3, "reply");
    Local(CLIENT, 4, "last");
    EXPECT_EQ(RunIn("delay at 0 for 2"),
              (Names{"second", "other", "send reply", "reply", "first", "last"}));
    EXPECT_EQ(m_simulator->GetPassed(), 2U);
    EXPECT_TRUE(m_simulator->IsSettled());
}

TEST_F(ExploringSimulatorTest, WhatEarlierMovesLetPassIsNotCountedForTheLatest)
{
    CompletionQueue queue(m_log, "completion");
    Simulator::ScheduleWithContext(CLIENT, MicroSeconds(1), &CompletionQueue::Appear, &queue);
    Frame(CLIENT, 2, 3, "call");
    Local(CLIENT, 4, "one");
    Local(SERVER, 5, "two");
    Local(CLIENT, 6, "three");
    EXPECT_EQ(RunIn("delay at 0 for 9; hold at 1 for 9"),
              (Names{"send call", "one", "two", "three", "completion", "call"}));
    EXPECT_EQ(m_simulator->GetPassed(), 1U) << "the server's event alone passes the frame";
}

TEST_F(ExploringSimulatorTest, ADelayedCompletionCanBeCancelled)
{
    CompletionQueue queue(m_log, "completion");
    EventId appearance;
    Simulator::ScheduleWithContext(CLIENT, Time(0), [&] {
        appearance = Simulator::Schedule(MicroSeconds(1), &CompletionQueue::Appear, &queue);
        Simulator::Schedule(MicroSeconds(2), [&appearance] { appearance.Cancel(); });
        Simulator::Schedule(MicroSeconds(3), [this] { Log("last"); });
    });
    EXPECT_EQ(RunIn("delay at 1 for 9"), Names{"last"});
    EXPECT_TRUE(m_simulator->IsSettled());
}

TEST_F(ExploringSimulatorTest, NoCompletionIsDelayedBeyondThePatience)
{
    m_simulator->SetPatience(MicroSeconds(5));
    CompletionQueue queue(m_log, "completion");
    Simulator::ScheduleWithContext(CLIENT, MicroSeconds(1), &CompletionQueue::Appear, &queue);
    Local(CLIENT, 6, "in time");
    Local(CLIENT, 7, "too late");
    EXPECT_EQ(RunIn("delay at 0 for 9"), (Names{"in time", "completion", "too late"}));
}

/// \return the state after events of two hosts, in an order that \p order says.
uint64_t
RunToState(const std::string& order, bool depend)
{
    Simulator::Destroy();
    const auto simulator = CreateObject<ExploringSimulator>();
    simulator->SetOrder(*ParseEventOrder(order));
    Simulator::SetImplementation(simulator);
    Simulator::ScheduleWithContext(CLIENT, Time(0), [] {
        Simulator::ScheduleWithContext(SERVER, MicroSeconds(1), [] {});
    });
    Simulator::ScheduleWithContext(depend ? SERVER : CLIENT, MicroSeconds(2), [] {});
    Simulator::ScheduleWithContext(SERVER, MicroSeconds(3), [] {});
    Simulator::Run();
    const auto state = simulator->GetState();
    Simulator::Destroy();
    return state;
}

TEST(ExploredStateTest, ALostFrameIsAnotherState)
{
    const auto run = [](const std::string& order) {
        Simulator::Destroy();
        const auto simulator = CreateObject<ExploringSimulator>();
        simulator->SetOrder(*ParseEventOrder(order));
        Simulator::SetImplementation(simulator);
        EthernetChannel cable([] {});
        Simulator::ScheduleWithContext(CLIENT, Time(0), [&cable] {
            Simulator::ScheduleWithContext(SERVER,
                                           MicroSeconds(1),
                                           &EthernetChannel::Deliver,
                                           &cable);
        });
        Simulator::Run();
        const auto state = simulator->GetState();
        Simulator::Destroy();
        return state;
    };
    const std::set<uint64_t> states{run("none"), run("lose at 1"), run("double at 1")};
    EXPECT_EQ(states.size(), 3U);
}

/// What an event that never comes holds may ask for the time when it is given up.
TEST(ExploredStateTest, EachSimulationHasItsTime)
{
    struct Held
    {
        ~Held()
        {
            *told = SimulationClock::Now();
        }

        Time* told;
    };

    for (const int64_t end : {90, 40})
    {
        Simulator::Destroy();
        Simulator::SetImplementation(CreateObject<ExploringSimulator>());
        SimulationClock::Start();
        EXPECT_EQ(SimulationClock::Now(), Time(0)) << "of the one before";
        Time told;
        Simulator::Schedule(NanoSeconds(200), [held = std::shared_ptr<Held>(new Held{&told})] {});
        Simulator::Stop(NanoSeconds(end));
        Simulator::Run();
        Simulator::Destroy();
        EXPECT_EQ(told, NanoSeconds(end));
    }
}

TEST(ExploredStateTest, OrdersBetweenEventsOfDifferentHostsAreOneState)
{
    EXPECT_NE(RunToState("none", true), RunToState("hold at 1 for 1", true));
    EXPECT_NE(RunToState("none", false), RunToState("hold at 1 for 1", false));
    EXPECT_EQ(RunToState("hold at 1 for 1", false), RunToState("hold at 1 for 2", false))
        << "there is but one event of the host to pass";
    EXPECT_NE(RunToState("hold at 1 for 1", true), RunToState("hold at 1 for 2", true));
}

} // namespace
} // namespace ns3::nfsrdma
