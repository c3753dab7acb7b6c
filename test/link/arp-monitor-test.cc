/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/arp-monitor.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A bond of two ports, whose targets answer at once by ports whose path is alive, and whose
/// switches flood requests to the other port.
class ArpMonitorTest : public ::testing::Test
{
  protected:
    void TearDown() override
    {
        monitor.reset();
        Simulator::Destroy();
    }

    void Start(uint32_t missedMax = 2)
    {
        ArpMonitor::Bond bond;
        bond.getActive = [this] { return GetActive(); };
        bond.isUp = [this](uint32_t port) { return up[port]; };
        bond.set = [this](uint32_t port, bool to) {
            up[port] = to;
            std::ostringstream change;
            change << Simulator::Now().GetMilliSeconds() << (to ? " up " : " down ") << port;
            changes.push_back(change.str());
        };
        bond.ask = [this](uint32_t port, Ipv4Address target) { Ask(port, target); };
        monitor = std::make_unique<ArpMonitor>(
            ArpMonitor::Settings{MilliSeconds(10), missedMax, {Ipv4Address("10.0.0.9")}},
            bond,
            2);
        monitor->Start();
    }

    [[nodiscard]] uint32_t GetActive()
    {
        if (active == ArpMonitor::NO_PORT || !up[active])
        {
            const auto first = std::find(up.begin(), up.end(), true);
            active =
                first == up.end() ? ArpMonitor::NO_PORT : static_cast<uint32_t>(first - up.begin());
        }
        return active;
    }

    void Ask(uint32_t port, Ipv4Address target)
    {
        EXPECT_TRUE(monitor->IsTarget(target));
        asked.push_back(port);
        if (alive[port])
        {
            monitor->Note(port);
            if (alive[1 - port])
            {
                monitor->Note(1 - port);
            }
        }
    }

    void RunTo(int64_t milliseconds)
    {
        Simulator::Stop(MilliSeconds(milliseconds) - Simulator::Now());
        Simulator::Run();
    }

    std::unique_ptr<ArpMonitor> monitor;
    uint32_t active{0};
    std::vector<bool> up{true, true};
    std::vector<bool> alive{true, true};
    std::vector<uint32_t> asked;
    std::vector<std::string> changes;
};

TEST_F(ArpMonitorTest, AsksByTheActivePortEachInterval)
{
    Start();
    RunTo(95);
    EXPECT_EQ(asked.size(), 10U);
    EXPECT_THAT(asked, Each(0U));
    EXPECT_THAT(changes, IsEmpty());
    EXPECT_FALSE(monitor->IsTarget(Ipv4Address("10.0.0.8")));
}

TEST_F(ArpMonitorTest, APathThatIsDeadIsLeftAfterTwoIntervalsAndAHalf)
{
    Start();
    RunTo(55); // Last heard at 50.
    alive[0] = false;
    RunTo(200);
    ASSERT_FALSE(changes.empty());
    EXPECT_EQ(changes.front(), "80 down 0");
    EXPECT_EQ(asked.back(), 1U);
}

TEST_F(ArpMonitorTest, MissedMaxIsTheNumberOfIntervals)
{
    Start(4);
    RunTo(55);
    alive[0] = false;
    RunTo(99);
    EXPECT_THAT(changes, IsEmpty());
    RunTo(101);
    EXPECT_THAT(changes, ElementsAre("100 down 0"));
}

TEST_F(ArpMonitorTest, APortIsUpAgainWhenSomethingComesByIt)
{
    Start();
    RunTo(55);
    alive = {false, false};
    RunTo(200);
    EXPECT_EQ(GetActive(), ArpMonitor::NO_PORT);
    asked.clear();
    RunTo(245);
    EXPECT_THAT(asked, ElementsAre(1, 0, 1, 0, 1)); // In turn.
    changes.clear();
    alive = {false, true};
    RunTo(300);
    EXPECT_FALSE(up[0]);
    EXPECT_TRUE(up[1]);
    EXPECT_EQ(asked.back(), 1U);
    EXPECT_EQ(changes.size(), 1U);
}

TEST_F(ArpMonitorTest, StoppedItLooksNoMore)
{
    Start();
    RunTo(15);
    monitor->Stop();
    Simulator::Run();
    EXPECT_EQ(asked.size(), 2U);
    EXPECT_LE(Simulator::Now(), MilliSeconds(20));
}

} // namespace
} // namespace ns3::nfsrdma
