/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

class CreditSensitivityTest : public SimulatorTest
{
  protected:
    /// \return goodput in bit/s by octets of a READ and credits.
    std::map<std::pair<uint64_t, uint64_t>, double> RunSweep(const std::string& credits)
    {
        const auto result =
            Run({"run",
                 std::string(NFSRDMA_SOURCE_DIR) + "/scenarios/policies/credit-sensitivity.ini",
                 "--set",
                 "sweep.rpcrdma.server_credits=" + credits,
                 "--set",
                 "output.rpc_csv=false",
                 "--out",
                 "out"});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        std::map<std::pair<uint64_t, uint64_t>, double> goodput;
        std::istringstream table(m_directory.ReadFile("out/sweep.csv"));
        std::vector<std::string> head;
        for (std::string line; std::getline(table, line);)
        {
            std::vector<std::string> cells;
            std::istringstream row(line);
            for (std::string cell; std::getline(row, cell, ',');)
            {
                cells.push_back(cell);
            }
            if (head.empty())
            {
                head = cells;
                continue;
            }
            const auto find = [&](const char* name) {
                const auto at = std::find(head.begin(), head.end(), name) - head.begin();
                return cells.at(static_cast<std::size_t>(at));
            };
            goodput[{std::stoull(find("workload.io_sizes")),
                     std::stoull(find("rpcrdma.server_credits"))}] = std::stod(find("goodput_bps"));
        }
        return goodput;
    }
};

/// 64 READs of 1 MiB over eight connections fill the link with 64 credits, 128, and with 4; 1024 of
/// 4 KiB do not with 64, and gain by 128.
TEST_F(CreditSensitivityTest, LargeReadsDoNotNeedCreditsSmallOnesDo)
{
    const auto goodput = RunSweep("4, 64, 128");
    ASSERT_EQ(goodput.size(), 6U);
    const auto large = [&](uint64_t credits) { return goodput.at({1048576, credits}); };
    const auto small = [&](uint64_t credits) { return goodput.at({4096, credits}); };
    EXPECT_GT(large(128), 90e9);
    EXPECT_NEAR(large(64), large(128), 0.01 * large(128));
    EXPECT_NEAR(large(4), large(128), 0.03 * large(128));
    EXPECT_GT(small(128), 1.3 * small(64));
    EXPECT_GT(small(64), 8 * small(4));
}

} // namespace

} // namespace ns3::nfsrdma
