/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <string>

namespace ns3::nfsrdma
{
namespace
{

/// A server of 8 threads whose calls take 10 ms of storage each, and a client with eight
/// connections beside one with a single connection; both have many more calls than threads are
/// there.
class DispatchShareTest : public SimulatorTest
{
  protected:
    /// \return calls of the client with more for each of the other.
    double GetShare(const std::string& dispatch)
    {
        m_directory.WriteFile("greedy.ini",
                              "[cluster]\nclients = 2\n[host]\nprofile = ideal\n"
                              "[storage]\nmetadata_cost = 10ms\nqueue_depth = 64\n"
                              "[nfs]\nthreads = 8\ndispatch = " +
                                  dispatch +
                                  "\n[rpcrdma greedy]\nhosts = client-0\nclient_nconnect = 8\n"
                                  "[measure]\nwarm_up = 400ms\nduration = 1s\n"
                                  "[workload]\noperations = 0\nduration = 2s\n"
                                  "start_spread = 0ns\nfiles = 4\nfile_size = 4KiB\n"
                                  "symlinks = 0\noperation_mix = getattr:1\nqueue_depth = 64\n");
        const auto result = Run({"run", "greedy.ini", "--out", "out"});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        const auto shares = m_directory.ReadJson("out/summary.json")["fairness"]["clients"]["rpcs"];
        return shares["most_share"].get<double>() / shares["least_share"].get<double>();
    }
};

TEST_F(DispatchShareTest, ConnectionsShareTheThreads)
{
    EXPECT_NEAR(GetShare("connection"), 8, 0.4);
}

TEST_F(DispatchShareTest, ClientsShareTheThreads)
{
    EXPECT_NEAR(GetShare("client"), 1, 0.05);
}

/// Of equal numbers of calls that wait each has its part.
TEST_F(DispatchShareTest, CallsShareTheThreads)
{
    EXPECT_NEAR(GetShare("arrival"), 1, 0.1);
}

} // namespace
} // namespace ns3::nfsrdma
