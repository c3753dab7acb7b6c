/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

/// The load of scenarios/policies/linux-kernels.ini, smaller, under one kernel.
class KernelsRunTest : public SimulatorTest
{
  protected:
    /// \return requests a second.
    double GetRate(const std::string& kernel, int depth, const std::vector<std::string>& more = {})
    {
        std::ifstream scenario(NFSRDMA_SOURCE_DIR "/scenarios/policies/linux-kernels.ini");
        std::ostringstream text;
        text << scenario.rdbuf();
        m_directory.WriteFile("kernels.ini", text.str().substr(0, text.str().find("[sweep]")));
        std::vector<std::string> words{"run",
                                       "kernels.ini",
                                       "--out",
                                       "out",
                                       "--set",
                                       "kernel.profile=" + kernel,
                                       "--set",
                                       "workload.iodepth=" + std::to_string(depth),
                                       "--set",
                                       "workload.requests=300"};
        for (const auto& assignment : more)
        {
            words.insert(words.end(), {"--set", assignment});
        }
        const auto result = Run(words);
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        return m_directory.ReadJson("out/summary.json")["rpcs_per_second"].get<double>();
    }
};

/// Threads that wait for RDMA Reads and for Sends serve less; either by itself takes its part.
TEST_F(KernelsRunTest, ThreadsOfLinux61WaitForTheRnic)
{
    const double old = GetRate("linux-6.1", 32);
    const double freed = GetRate("linux-6.12", 32);
    EXPECT_GT(freed, 1.1 * old);
    EXPECT_GT(GetRate("linux-6.1", 32, {"nfs.send_wait=false"}), 1.02 * old);
    EXPECT_GT(GetRate("linux-6.1", 32, {"nfs.call_fetching=staged"}), 1.02 * old);
}

/// 160 of 300 requests at once for 128 slots: the 172 that wait for a slot sleep with it for 250
/// ms, in two rounds.
TEST_F(KernelsRunTest, WhoWaitsForASlotSleepsUntil71)
{
    const double asleep = GetRate("linux-6.12", 160);
    const double awake = GetRate("linux-2026", 160);
    EXPECT_LT(asleep, 4 * 300 / (2 * 0.25));
    EXPECT_GT(awake, 20 * asleep);
    EXPECT_GT(GetRate("linux-6.12", 160, {"rpcrdma.client_backlog_delay=0s"}), 20 * asleep);
}

} // namespace
} // namespace ns3::nfsrdma
