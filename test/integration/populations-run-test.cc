/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;

/// Scenarios of the library with clients of several kinds.
class PopulationRunTest : public SimulatorTest, public ::testing::WithParamInterface<const char*>
{
  protected:
    void RunInto(const std::string& out) const
    {
        const auto result = Run({"run", GetParam(), "--out", out});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
    }
};

TEST_P(PopulationRunTest, IsVerifiedAndTheSameAgain)
{
    RunInto("a");
    RunInto("b");
    EXPECT_EQ(m_directory.ReadAll("a"), m_directory.ReadAll("b"));
    const auto summary = m_directory.ReadJson("a/summary.json");
    EXPECT_EQ(summary["verification"]["reads"]["mismatches"], 0);
    EXPECT_EQ(summary["verification"]["exports"]["mismatches"], 0);
    EXPECT_EQ(summary["verification"]["failed_operations"], 0);
    EXPECT_FALSE(summary["workloads"].empty());
    for (const auto& workload : summary["workloads"])
    {
        for (const auto& item : workload["items"])
        {
            EXPECT_EQ(item["errors"], 0) << workload["workload"] << " " << item["item"];
            EXPECT_GT(item["operations"], 0) << workload["workload"] << " " << item["item"];
        }
    }
    EXPECT_THAT(m_directory.ReadFile("a/workloads.csv"),
                HasSubstr("workload,kind,client,item,operations"));
}

INSTANTIATE_TEST_SUITE_P(Library,
                         PopulationRunTest,
                         ::testing::Values("fio-randrw", "mdtest", "mixed-population"),
                         [](const auto& test) {
                             std::string name = test.param;
                             name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
                             return name;
                         });

} // namespace

} // namespace ns3::nfsrdma
