/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

namespace ns3::nfsrdma
{

namespace
{

class DeterminismTest : public SimulatorTest
{
  protected:
    DeterminismTest()
    {
        m_directory.WriteFile("mix.ini", SMALL_MIX);
    }

    void RunInto(const std::string& out, const std::vector<std::string>& options) const
    {
        std::vector<std::string> arguments{"run", "mix.ini", "--out", out};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const auto result = Run(arguments);
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
    }
};

TEST_F(DeterminismTest, SameSeedGivesTheSameFiles)
{
    RunInto("a", {"--pcap", "all"});
    RunInto("b", {"--pcap", "all"});
    const auto files = m_directory.ReadAll("a");
    EXPECT_EQ(files.size(), 10U + 5U);
    EXPECT_GT(files.at("server-1.pcap").size(), 10000U);
    EXPECT_EQ(files, m_directory.ReadAll("b"));
}

TEST_F(DeterminismTest, OtherSeedsGiveOtherFiles)
{
    RunInto("a", {"--seed", "1", "--pcap", "client-0"});
    RunInto("b", {"--seed", "2", "--pcap", "client-0"});
    for (const auto* name : {"rpc.csv", "client-0.pcap", "summary.json"})
    {
        EXPECT_NE(m_directory.ReadFile(std::string("a/") + name),
                  m_directory.ReadFile(std::string("b/") + name))
            << name;
    }
}

TEST_F(DeterminismTest, SeedsDifferInAReplayToo)
{
    m_directory.WriteFile("mix.ini", "[workload]\nkind = replay\npace = closed\n");
    RunInto("a", {"--seed", "1"});
    RunInto("b", {"--seed", "2"});
    EXPECT_NE(m_directory.ReadJson("a/summary.json")["digest"],
              m_directory.ReadJson("b/summary.json")["digest"]);
}

TEST_F(DeterminismTest, CapturesDoNotChangeTheRun)
{
    RunInto("a", {"--pcap", "none"});
    RunInto("b", {"--pcap", "all"});
    for (const auto* name : {"rpc.csv", "summary.json", "mountstats.txt"})
    {
        EXPECT_EQ(m_directory.ReadFile(std::string("a/") + name),
                  m_directory.ReadFile(std::string("b/") + name))
            << name;
    }
}

TEST_F(DeterminismTest, ARunOfASweepIsTheRunItself)
{
    RunInto("sweep", {"--runs", "2"});
    RunInto("single", {"--seed", "2"});
    EXPECT_EQ(m_directory.ReadJson("sweep/points/0-s2/summary.json"),
              m_directory.ReadJson("single/summary.json"));
}

} // namespace

} // namespace ns3::nfsrdma
