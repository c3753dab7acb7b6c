/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-plan/planned-run.h"
#include "scenarios/simulator/config/scenario-catalogue.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace ns3::nfsrdma::test
{

namespace
{

/// Scenarios with faults inside hosts: what their comments tell to expect, and that without the
/// fault it is not so.
class HostFaultScenario : public ::testing::Test
{
  protected:
    static std::string Load(const std::string& name)
    {
        std::ifstream file(ScenarioCatalogue().Find(name));
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }

    static RunReport Run(const std::string& text)
    {
        auto report = RunPlanned(text).report;
        EXPECT_EQ(report.status, RunStatus::OK);
        EXPECT_EQ(report.verification.GetMismatches(), 0U);
        EXPECT_TRUE(report.leftovers.IsEmpty());
        return report;
    }

    static std::string WithoutFaults(const std::string& text)
    {
        return text.substr(0, text.find("[faults]"));
    }

    static uint64_t CountOf(const RunReport& report, const std::string& operation)
    {
        for (const auto& [name, statistics] : report.statistics.GetOperations())
        {
            if (name == operation)
            {
                return statistics->GetCount();
            }
        }
        return 0;
    }
};

TEST_F(HostFaultScenario, RestartOfNfsdOfVersion3)
{
    const auto text = Load("nfsd-restart-v3");
    const auto report = Run(text);
    EXPECT_EQ(FindFault(report, "restart").firings, 1U);
    EXPECT_EQ(report.statistics.GetTotal().GetRetransmissions(), 1U);
    EXPECT_GT(report.simulated, Seconds(3));
    EXPECT_LT(report.simulated, MilliSeconds(3500));
    const auto calm = Run(WithoutFaults(text));
    EXPECT_EQ(calm.statistics.GetTotal().GetRetransmissions(), 0U);
    EXPECT_LT(calm.simulated, Seconds(1));
}

TEST_F(HostFaultScenario, RestartOfNfsdOfVersion41)
{
    const auto text = Load("nfsd-restart-v41");
    const auto report = Run(text);
    EXPECT_EQ(FindFault(report, "restart").firings, 1U);
    EXPECT_GT(report.simulated, Seconds(3));
    EXPECT_LT(report.simulated, MilliSeconds(3500));
    const auto calm = Run(WithoutFaults(text));
    EXPECT_LT(calm.simulated, Seconds(1));
    EXPECT_GT(report.statistics.GetTotal().GetAttempts(),
              calm.statistics.GetTotal().GetAttempts() + 6);
}

TEST_F(HostFaultScenario, CrashOfAServer)
{
    const auto text = Load("server-crash");
    const auto report = Run(text);
    EXPECT_EQ(FindFault(report, "crash").firings, 1U);
    const auto calm = Run(WithoutFaults(text));
    EXPECT_EQ(CountOf(calm, "WRITE"), 32U);
    EXPECT_EQ(CountOf(report, "WRITE"), 2 * CountOf(calm, "WRITE"));
}

/// What a host cannot have is refused, and the line is named.
TEST_F(HostFaultScenario, FaultThatAClientCannotHaveIsRefused)
{
    const auto text = WithoutFaults(Load("server-crash")) +
                      "[faults]\nf = at 1ms: storage-stall for 1ms on client-0\n";
    EXPECT_ANY_THROW(RunPlanned(text));
}

} // namespace

} // namespace ns3::nfsrdma::test
