/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/sweep-plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::ElementsAre;

class SweepPlanTest : public ::testing::Test
{
  protected:
    SweepPlan MakePlan(const std::string& text) const
    {
        return SweepPlan(m_schema, m_path, ScenarioFile::Parse("a.ini", text).GetEntries());
    }

    SweepPlan MakePlan(const std::string& text, const std::vector<std::string>& assignments) const
    {
        auto entries = ScenarioFile::Parse("a.ini", text).GetEntries();
        for (const auto& assignment : assignments)
        {
            entries.push_back(ParseAssignment(assignment, "--set"));
        }
        return {m_schema, m_path, entries};
    }

    std::string GetError(const std::string& text) const
    {
        try
        {
            MakePlan(text);
        }
        catch (const ScenarioError& error)
        {
            return error.what();
        }
        return "no error";
    }

    ScenarioSchema m_schema{ScenarioSchema::Standard()};
    ScenarioPath m_path{{std::string(NFSRDMA_SOURCE_DIR) + "/scenarios"}};
};

TEST_F(SweepPlanTest, IsOneRunWithoutLists)
{
    const auto plan = MakePlan("[cluster]\nseed = 9\n");
    EXPECT_FALSE(plan.IsSweep());
    ASSERT_EQ(plan.GetRuns().size(), 1U);
    EXPECT_EQ(plan.GetRuns()[0].seed, 9U);
    EXPECT_EQ(plan.GetRuns()[0].GetName(), "0-s9");
}

TEST_F(SweepPlanTest, ListsMayGoTogether)
{
    const auto plan = MakePlan("[sweep]\nworkload.io_sizes = 4096:1, 1048576:1\n"
                               "rpcrdma.server_credits = 1, 2\n"
                               "workload.queue_depth = workload.io_sizes: 128, 128\n");
    EXPECT_THAT(plan.GetKeys(),
                ElementsAre("workload.io_sizes", "rpcrdma.server_credits", "workload.queue_depth"));
    ASSERT_EQ(plan.GetRuns().size(), 4U);
    const auto other = MakePlan("[sweep]\nworkload.queue_depth = workload.io_sizes: 7, 8\n"
                                "workload.io_sizes = 4096:1, 1048576:1\n");
    ASSERT_EQ(other.GetRuns().size(), 2U);
    for (std::size_t i = 0; i < 2; ++i)
    {
        const ScenarioConfig config(m_schema, m_path, other.GetRuns()[i].entries);
        EXPECT_EQ(config.Get("workload.queue_depth").AsInteger(), 7 + i);
        EXPECT_EQ(config.Get("workload.io_sizes").AsText(), i == 0 ? "4096:1" : "1048576:1");
    }
    EXPECT_EQ(other.GetListsAsIni(),
              "workload.queue_depth = workload.io_sizes: 7, 8\n"
              "workload.io_sizes = 4096:1, 1048576:1\n");
}

TEST_F(SweepPlanTest, ListsThatGoTogetherFit)
{
    EXPECT_EQ(GetError("[sweep]\nworkload.queue_depth = workload.io_sizes: 7, 8\n"),
              "a.ini:2: sweep.workload.queue_depth: got 'workload.io_sizes:', expected a swept key "
              "that goes with no other");
    EXPECT_EQ(GetError("[sweep]\nlink.mtu = 1500, 9000\nnfs.threads = link.mtu: 1, 2, 3\n"),
              "a.ini:3: sweep.nfs.threads: got 3 values, expected as many as link.mtu has, 2");
}

TEST_F(SweepPlanTest, ListModeAdvancesAllListsTogether)
{
    const auto plan = MakePlan("[sweep]\nmode = list\nseeds = 2\nlink.mtu = 1500, 9000, 9000\n"
                               "nfs.threads = 1, 2, 3\nfaults.loss = none; every 9th fpdu: drop;"
                               " at 1ms: partition client-0, client-1 | server-0 for 1ms\n");
    ASSERT_EQ(plan.GetRuns().size(), 6U);
    const std::vector<std::string> sentences{
        "none",
        "every 9th fpdu: drop",
        "at 1ms: partition client-0, client-1 | server-0 for 1ms"};
    for (std::size_t point = 0; point < 3; ++point)
    {
        const auto& run = plan.GetRuns()[2 * point];
        EXPECT_EQ(run.point, point);
        const ScenarioConfig config(m_schema, m_path, run.entries);
        EXPECT_EQ(config.Get("link.mtu").ToBaseUnits(), point == 0 ? "1500" : "9000");
        EXPECT_EQ(config.Get("nfs.threads").AsInteger(), point + 1);
        EXPECT_EQ(SweepPlan::GetValue(config, "faults.loss"), sentences[point]);
        EXPECT_EQ(config.GetFaults().size(), point == 0 ? 0U : 1U);
    }
}

TEST_F(SweepPlanTest, ListModeRefusesListsOfOtherLengths)
{
    EXPECT_EQ(GetError("[sweep]\nmode = list\nlink.mtu = 1500, 9000\nnfs.threads = 1, 2, 3\n"),
              "a.ini:4: sweep.nfs.threads: got 3 values, expected as many as link.mtu has, 2");
    EXPECT_EQ(GetError("[sweep]\nmode = rows\n"),
              "a.ini:2: sweep.mode: got 'rows', expected one of grid, list");
}

TEST_F(SweepPlanTest, SweepsKeysOfNamedSectionsAndFaults)
{
    const auto plan = MakePlan("[link fast]\nhosts = client-0\n[faults]\nloss = at 1ms: link-down "
                               "for 1ms on client-0\n[sweep]\nlink fast.rate = 1Gbps, 10Gbps\n"
                               "faults.loss = every 2nd fpdu: drop, none\n");
    ASSERT_EQ(plan.GetRuns().size(), 4U);
    const ScenarioConfig first(m_schema, m_path, plan.GetRuns()[0].entries);
    EXPECT_EQ(SweepPlan::GetText(first, "link fast.rate"), "1Gbps");
    EXPECT_EQ(SweepPlan::GetValue(first, "link fast.rate"), "1000000000");
    EXPECT_EQ(SweepPlan::GetText(first, "faults.loss"), "every 2nd fpdu: drop");
    const ScenarioConfig last(m_schema, m_path, plan.GetRuns()[3].entries);
    EXPECT_EQ(SweepPlan::GetValue(last, "link fast.rate"), "10000000000");
    EXPECT_TRUE(last.GetFaults().empty());
}

TEST_F(SweepPlanTest, PrintsListsThatItReadsAgain)
{
    const std::string lists = "workload.io_sizes = 4096:1,8192:1; 512:1\n"
                              "workload.operation_mix = read:1,write:1;\n"
                              "nfs.threads = workload.io_sizes: 1, 2\n";
    const auto plan = MakePlan("[sweep]\n" + lists);
    EXPECT_EQ(plan.GetRuns().size(), 2U);
    EXPECT_EQ(plan.GetListsAsIni(), lists);
    EXPECT_EQ(MakePlan("[sweep]\n" + plan.GetListsAsIni()).GetListsAsIni(), lists);
}

TEST_F(SweepPlanTest, TheCommandLineFixesASweptKey)
{
    const std::string text =
        "[sweep]\nrpcrdma.server_credits = 1, 2\nworkload.queue_depth = 3, 4\n";
    const auto plan = MakePlan(text, {"rpcrdma.server_credits=8"});
    ASSERT_EQ(plan.GetRuns().size(), 2U);
    EXPECT_THAT(plan.GetKeys(), ElementsAre("rpcrdma.server_credits", "workload.queue_depth"));
    for (const auto& run : plan.GetRuns())
    {
        const ScenarioConfig config(m_schema, m_path, run.entries);
        EXPECT_EQ(config.Get("rpcrdma.server_credits").AsInteger(), 8U);
    }
    EXPECT_EQ(
        MakePlan(text, {"rpcrdma.server_credits=8", "workload.queue_depth=4"}).GetRuns().size(),
        1U);
    EXPECT_EQ(MakePlan(text, {"rpcrdma.server_credits=8", "sweep.rpcrdma.server_credits=1,2,4"})
                  .GetRuns()
                  .size(),
              6U)
        << "a list of the command line takes the place of both";
    EXPECT_EQ(
        MakePlan("[sweep]\nrpcrdma.server_credits = 1, 2\n[rpcrdma]\nserver_credits = 8\n", {})
            .GetRuns()
            .size(),
        2U)
        << "in a file the list holds";
}

TEST_F(SweepPlanTest, AFixedKeyGoesWithNoOther)
{
    const auto plan = MakePlan("[sweep]\nworkload.io_sizes = 4096:1, 1048576:1\n"
                               "workload.queue_depth = workload.io_sizes: 7, 8\n",
                               {"workload.queue_depth=5"});
    ASSERT_EQ(plan.GetRuns().size(), 2U);
    for (const auto& run : plan.GetRuns())
    {
        const ScenarioConfig config(m_schema, m_path, run.entries);
        EXPECT_EQ(config.Get("workload.queue_depth").AsInteger(), 5U);
    }
    const std::string lists = "[sweep]\nmode = list\nrpcrdma.server_credits = 1, 2\n"
                              "workload.queue_depth = 3, 4\n";
    const auto sideBySide = MakePlan(lists, {"rpcrdma.server_credits=8"});
    ASSERT_EQ(sideBySide.GetRuns().size(), 2U);
    EXPECT_EQ(sideBySide.GetListsAsIni(), "workload.queue_depth = 3, 4\n") << "which is read again";
    const ScenarioConfig last(m_schema, m_path, sideBySide.GetRuns()[1].entries);
    EXPECT_EQ(last.Get("rpcrdma.server_credits").AsInteger(), 8U);
    EXPECT_EQ(last.Get("workload.queue_depth").AsInteger(), 4U);
}

TEST_F(SweepPlanTest, SpansTheGridLastAxisFastest)
{
    const auto plan =
        MakePlan("[sweep]\nseeds = 2\nlink.mtu = 1500, 9000\nnfs.threads = 1, 2, 3\n");
    EXPECT_TRUE(plan.IsSweep());
    EXPECT_THAT(plan.GetKeys(), ElementsAre("link.mtu", "nfs.threads"));
    EXPECT_THAT(plan.GetSeeds(), ElementsAre(1U, 2U));
    ASSERT_EQ(plan.GetRuns().size(), 12U);
    std::vector<std::string> seen;
    for (const auto& run : plan.GetRuns())
    {
        const ScenarioConfig config(m_schema, m_path, run.entries);
        seen.push_back(run.GetName() + " " + config.Get("link.mtu").ToBaseUnits() + " " +
                       config.Get("nfs.threads").ToText() + " " +
                       config.Get("cluster.seed").ToText());
    }
    EXPECT_EQ(seen.front(), "0-s1 1500 1 1");
    EXPECT_EQ(seen[1], "0-s2 1500 1 2");
    EXPECT_EQ(seen[2], "1-s1 1500 2 1");
    EXPECT_EQ(seen[6], "3-s1 9000 1 1");
    EXPECT_EQ(seen.back(), "5-s2 9000 3 2");
}

TEST_F(SweepPlanTest, SeveralSeedsAloneAreASweep)
{
    const auto plan = MakePlan("[sweep]\nseeds = 3\n");
    EXPECT_TRUE(plan.IsSweep());
    EXPECT_EQ(plan.GetRuns().size(), 3U);
    EXPECT_TRUE(plan.GetKeys().empty());
}

TEST_F(SweepPlanTest, PrintsItsLists)
{
    EXPECT_EQ(MakePlan("[sweep]\nlink.mtu = 1500,9000\n").GetListsAsIni(),
              "link.mtu = 1500, 9000\n");
}

TEST_F(SweepPlanTest, RefusesWhatCannotBeSwept)
{
    EXPECT_EQ(GetError("[sweep]\nlink.mut = 1, 2\n"),
              "a.ini:2: link.mut: got unknown key 'mut', expected a key of section link (see "
              "--list-keys); nearest key: link.mtu");
    EXPECT_EQ(GetError("[sweep]\nnfs.threads = 1, x\n"),
              "a.ini:2: nfs.threads: got 'x', expected a whole number from 1 to 65536");
    EXPECT_EQ(GetError("[sweep]\nnfs.threads = 1, 2, 1\n"),
              "a.ini:2: sweep.nfs.threads: got '1', expected each value once");
    EXPECT_EQ(
        GetError("[sweep]\noutput.pcap = all, none\n"),
        "a.ini:2: sweep.output.pcap: got 'output.pcap', expected a key that shapes the cluster");
    EXPECT_NE(GetError("[sweep]\nnfs.threads = \n"), "no error");
}

} // namespace

} // namespace ns3::nfsrdma
