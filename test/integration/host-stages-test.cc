/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <numeric>
#include <sstream>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

/// GETATTRs of one client over one connection, on hosts whose stages cost nothing but what a test
/// says.
class HostStagesTest : public SimulatorTest
{
  protected:
    /// Runs with so many GETATTRs under way. \return summary.json
    nlohmann::json RunCalls(const std::string& host, uint32_t depth)
    {
        m_directory.WriteFile("calls.ini",
                              "[cluster]\nclients = 1\n[link]\nmtu = 9000\n[nfs]\nthreads = 256\n"
                              "[storage]\nmetadata_cost = 0ns\n[host]\nprofile = ideal\n" +
                                  host +
                                  "[workload]\noperations = 0\nduration = 4ms\n"
                                  "start_spread = 0ns\nfiles = 4\nfile_size = 4KiB\n"
                                  "symlinks = 0\noperation_mix = getattr:1\nqueue_depth = " +
                                  std::to_string(depth) + "\n");
        const auto result = Run({"run", "calls.ini", "--out", "out"});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        return m_directory.ReadJson("out/summary.json");
    }

    double GetRate(const std::string& host, uint32_t depth)
    {
        return RunCalls(host, depth)["rpcs_per_second"];
    }
};

struct Stage
{
    const char* key;
    uint32_t visits;      ///< Of each RPC.
    const char* more{""}; ///< What else is set.
};

class SlowStageTest : public HostStagesTest, public ::testing::WithParamInterface<Stage>
{
};

TEST_P(SlowStageTest, AloneSetsTheRate)
{
    constexpr double COST = 4e-6;
    const double rate = GetRate(std::string(GetParam().key) + " = 4us\n" + GetParam().more, 64);
    EXPECT_NEAR(rate * GetParam().visits * COST, 1, 0.01);
}

INSTANTIATE_TEST_SUITE_P(
    Stages,
    SlowStageTest,
    ::testing::Values(Stage{"client_queue_hold", 2},
                      Stage{"client_send_cost", 1},
                      Stage{"client_send_hold", 1},
                      Stage{"client_receive_cost", 1},
                      Stage{"client_receive_hold", 1},
                      Stage{"server_receive_cost", 1},
                      Stage{"server_queue_hold", 2, "[nfs]\ndispatch_recheck = false\n"}),
    [](const auto& test) { return std::string(test.param.key); });

/// transport_lock is one for both ways.
TEST_F(HostStagesTest, BothPathsOfAConnectionWantItsLock)
{
    const double rate = GetRate("client_send_hold = 4us\nclient_receive_hold = 4us\n", 64);
    EXPECT_NEAR(rate * 8e-6, 1, 0.01);
}

TEST_F(HostStagesTest, MoreConnectionsHaveMoreCompletionContexts)
{
    const std::string slow = "client_receive_cost = 4us\n";
    const double one = GetRate(slow, 64);
    const double four = GetRate(slow + "[nfs]\nnconnect = 4\n", 64);
    EXPECT_NEAR(four / one, 4, 0.1);
}

struct PoolCase
{
    const char* name;
    const char* host;
    double gain; ///< Against one pool.
};

class PoolTest : public HostStagesTest, public ::testing::WithParamInterface<PoolCase>
{
};

/// Of two connections, the pools that they belong to.
TEST_P(PoolTest, HasAQueueOfItsOwn)
{
    const std::string slow = std::string("server_queue_hold = 4us\n") + GetParam().host +
                             "[nfs]\nnconnect = 2\ndispatch_recheck = false\n";
    const double one = GetRate(slow, 64);
    EXPECT_NEAR(one * 8e-6, 1, 0.01);
    EXPECT_NEAR(GetRate("sockets = 2\nserver_pool_mode = pernode\n" + slow, 64) / one,
                GetParam().gain,
                0.02);
}

INSTANTIATE_TEST_SUITE_P(
    Cores,
    PoolTest,
    ::testing::Values(PoolCase{"TwoSockets", "cores = 4\ncompletion_vectors = 4\n", 2},
                      PoolCase{"VectorsOfOneSocket", "cores = 4\ncompletion_vectors = 2\n", 1},
                      PoolCase{"NoVectors", "cores = 4\n", 2},
                      PoolCase{"Tcp", "cores = 2\n[cluster]\ntransport = tcp\n", 2},
                      PoolCase{"TcpOfOneSocket", "cores = 4\n[cluster]\ntransport = tcp\n", 1}),
    [](const auto& test) { return std::string(test.param.name); });

/// Send and receive queues take vectors in turn (ib_alloc_cq_any()), so that four connections have
/// their receive queues on two of four.
TEST_F(HostStagesTest, VectorsBoundTheCompletionContexts)
{
    const std::string slow = "client_receive_cost = 4us\ncompletion_vectors = 4\ncores = 8\n"
                             "client_completions = soft-interrupt\n[nfs]\nnconnect = 4\n";
    EXPECT_NEAR(GetRate(slow, 64) * 2e-6, 1, 0.02);
}

/// What the cores of a host have worked in each context is what they have worked.
TEST_F(HostStagesTest, ContextsAddUpToTheCores)
{
    m_directory.WriteFile("mix.ini",
                          "[cluster]\nclients = 2\n[host]\nprofile = linux-6.1-epyc-rome\n"
                          "[workload]\noperations = 200\nqueue_depth = 8\n");
    const auto result = Run({"run", "mix.ini", "--out", "out"});
    ASSERT_EQ(result.status, 0) << result.output << result.errors;
    std::istringstream table(m_directory.ReadFile("out/utilisation.csv"));
    std::map<std::string, double> contexts;
    std::map<std::string, double> cores;
    std::map<std::string, double> each;
    for (std::string line; std::getline(table, line);)
    {
        std::istringstream cells(line);
        std::string host;
        std::string resource;
        std::string places;
        std::string mean;
        std::getline(cells, host, ',');
        std::getline(cells, resource, ',');
        std::getline(cells, places, ',');
        std::getline(cells, mean, ',');
        if (resource == "process" || resource == "work_queue" || resource == "soft_interrupt" ||
            resource == "interrupt")
        {
            contexts[host] += std::stod(mean);
        }
        else if (resource == "cores")
        {
            cores[host] = std::stod(mean);
        }
        else if (resource.rfind("core ", 0) == 0)
        {
            each[host] += std::stod(mean);
        }
    }
    ASSERT_EQ(cores.size(), 3);
    constexpr double ROUNDING = 1e-4;
    for (const auto& [host, used] : cores)
    {
        EXPECT_GT(used, 0) << host;
        EXPECT_NEAR(contexts[host], used, ROUNDING) << host;
        EXPECT_NEAR(each[host], used, ROUNDING) << host;
    }
}

/// \return the rate of a closed network of \p customers by mean value analysis (Reiser and
/// Lavenberg 1980): stations with \p demands, and \p delay without a queue; in seconds.
double
AnalyseMeanValues(const std::vector<double>& demands, double delay, uint32_t customers)
{
    std::vector<double> queue(demands.size(), 0);
    double rate = 0;
    for (uint32_t n = 1; n <= customers; ++n)
    {
        double stay = delay;
        for (std::size_t i = 0; i < demands.size(); ++i)
        {
            stay += demands[i] * (1 + queue[i]);
        }
        rate = n / stay;
        for (std::size_t i = 0; i < demands.size(); ++i)
        {
            queue[i] = rate * demands[i] * (1 + queue[i]);
        }
    }
    return rate;
}

/// Below saturation, where it matters little that the analysis knows no stage of constant time.
TEST_F(HostStagesTest, MeanValueAnalysisOfTheStagesAgrees)
{
    constexpr double BUSIEST = 0.8e-6;
    const std::string host = "client_send_cost = 300ns\nclient_receive_cost = 800ns\n"
                             "server_receive_cost = 500ns\nserver_queue_hold = 150ns\n"
                             "[nfs]\ndispatch_recheck = false\n";
    const std::vector<double> demands{0.3e-6, BUSIEST, 0.5e-6, 0.3e-6};
    const double alone = GetRate(host, 1);
    const double delay = 1 / alone - std::accumulate(demands.begin(), demands.end(), 0.0);
    ASSERT_GT(delay, 0);
    for (const uint32_t depth : {2, 3, 4, 5})
    {
        const double predicted = AnalyseMeanValues(demands, delay, depth);
        ASSERT_LT(predicted * BUSIEST, 0.5);
        EXPECT_NEAR(GetRate(host, depth) / predicted, 1, 0.05) << depth;
    }
}

/// Locks that nobody waits for are counted, and one that is short of nothing costs what it is held.
TEST_F(HostStagesTest, LocksAreCountedByClass)
{
    const auto summary = RunCalls("client_send_hold = 100ns\nserver_queue_hold = 200ns\n", 1);
    const auto lockstat = m_directory.ReadFile("out/lockstat.csv");
    EXPECT_NE(lockstat.find("\nclient-0,transport_lock,"), std::string::npos) << lockstat;
    EXPECT_NE(lockstat.find("\nserver-0,sp_lock,"), std::string::npos) << lockstat;
    RunCalls("", 1);
    EXPECT_EQ(m_directory.ReadFile("out/manifest.json").find("lockstat.csv"), std::string::npos);
}

/// What only the verbs, completion queues and the adapter's DMA use is refused where every client
/// mounts over TCP.
TEST_F(HostStagesTest, CostsOfRdmaAreRefusedOverTcp)
{
    for (const std::string setting : {"post_cost = 1us",
                                      "poll_cost = 1us",
                                      "wake_up = 5us",
                                      "map_cost = 1us",
                                      "client_completions = work-queue",
                                      "server_completions = soft-interrupt",
                                      "client_send_cost = 1us",
                                      "client_receive_cost = 1us",
                                      "client_send_done_cost = 1us",
                                      "server_receive_cost = 1us",
                                      "server_send_done_cost = 1us",
                                      "iommu = strict"})
    {
        m_directory.WriteFile("tcp.ini", "[cluster]\ntransport = tcp\n[host]\n" + setting + "\n");
        const auto result = Run({"run", "tcp.ini", "--out", "out"});
        EXPECT_EQ(result.status, 2) << setting;
        EXPECT_NE(result.errors.find("tcp.ini:4: host." + setting.substr(0, setting.find(' '))),
                  std::string::npos)
            << result.errors;
    }
}

TEST_F(HostStagesTest, AProfileMayHaveCostsOfBothTransports)
{
    m_directory.WriteFile("tcp.ini",
                          "[cluster]\ntransport = tcp\n[host]\nprofile = linux-6.1-epyc-rome\n"
                          "[workload]\noperations = 10\n");
    const auto result = Run({"run", "tcp.ini", "--out", "out"});
    EXPECT_EQ(result.status, 0) << result.errors;
}

TEST_F(HostStagesTest, AnUnknownProfileIsRefused)
{
    m_directory.WriteFile("bad.ini", "[host]\nprofile = vax\n");
    const auto result = Run({"run", "bad.ini", "--out", "out"});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.errors.find("bad.ini:2: host.profile: got 'vax'"), std::string::npos)
        << result.errors;
    EXPECT_NE(result.errors.find("ideal"), std::string::npos) << result.errors;
}

} // namespace
} // namespace ns3::nfsrdma
