/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host-fault-fixture.h"
#include "scenarios/simulator/config/scenario-catalogue.h"

#include "ns3/simulator.h"

#include <fstream>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

/// Scenarios in which something of the RNIC runs out: each defence, and what it costs.
class ExhaustionTest : public HostFaultTest
{
  protected:
    /// Runs scenarios/NAME.ini with \p change in its text.
    FaultedRun RunScenario(const std::string& name, const std::string& from, const std::string& to)
    {
        std::ifstream file(ScenarioCatalogue().Find(name));
        std::ostringstream stream;
        stream << file.rdbuf();
        std::string text = stream.str();
        const auto found = text.find(from);
        EXPECT_NE(found, std::string::npos) << name << " does not say " << from;
        text.replace(found, from.size(), to);
        auto run = Run(text, {});
        ExpectSound(run);
        EXPECT_TRUE(run.outcomes.empty());
        return run;
    }

    void Look(const Cluster& cluster) override
    {
        m_end = Simulator::Now();
        m_starved = cluster.GetServers().front().transport->GetStatistics().sqStarve;
        m_failedMarshal = 0;
        for (const auto& client : cluster.GetClients())
        {
            m_failedMarshal += client.stack.transport->GetStatistics().failedMarshal;
        }
    }

    Time m_end;
    uint64_t m_starved{0};
    uint64_t m_failedMarshal{0};
};

TEST_F(ExhaustionTest, RepliesWaitForRoomInTheSendQueue)
{
    const std::string key = "server_send_queue_depth = 4";
    const auto run = RunScenario("send-queue-exhaustion", key, key);
    EXPECT_EQ(run.connects, 2U);
    EXPECT_GT(m_starved, 500U);
    const Time starved = m_end;
    RunScenario("send-queue-exhaustion", key, "server_send_queue_depth = 256");
    EXPECT_EQ(m_starved, 0U);
    EXPECT_LT(m_end, starved);
}

TEST_F(ExhaustionTest, CallsWaitForMemoryRegions)
{
    const std::string key = "max_mrs = 11";
    const auto run = RunScenario("registration-exhaustion", key, key);
    EXPECT_EQ(run.connects, 1U);
    EXPECT_GT(m_failedMarshal, 50U);
    const Time exhausted = m_end;
    RunScenario("registration-exhaustion", key, "max_mrs = 1048576");
    EXPECT_LT(m_failedMarshal, 20U);
    EXPECT_LT(m_end, exhausted);
}

} // namespace

} // namespace ns3::nfsrdma
