/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <string>

namespace ns3::nfsrdma
{
namespace
{

const char* const SCENARIO = "scenarios/losses/connection-limit.ini";

class ConnectionLimitRunTest : public SimulatorTest, public ::testing::WithParamInterface<bool>
{
  protected:
    nlohmann::json RunScenario(std::vector<std::string> settings)
    {
        std::vector<std::string> words{"run",
                                       std::string(NFSRDMA_SOURCE_DIR) + "/" + SCENARIO,
                                       "--out",
                                       "out",
                                       "--set",
                                       std::string("cluster.transport=") +
                                           (GetParam() ? "tcp" : "rdma")};
        for (const auto& setting : settings)
        {
            words.insert(words.end(), {"--set", setting});
        }
        const auto result = Run(words);
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        m_errors = result.errors;
        return m_directory.ReadJson("out/summary.json");
    }

    std::string m_errors; ///< What the latest run wrote to the standard error.

    /// \return connections that the server has closed for \p reason.
    static uint64_t CountEnds(const nlohmann::json& summary, const std::string& reason)
    {
        for (const auto& host : summary["ends"])
        {
            if (host["host"] == "server-0" && host["connections"].contains(reason))
            {
                return host["connections"][reason];
            }
        }
        return 0;
    }
};

const char* const LIMITED = "closed for a newcomer: more connections than nfs.max_connections";

TEST_P(ConnectionLimitRunTest, OneMoreThanTheLimitIsKept)
{
    const auto summary = RunScenario({"cluster.clients=5", "workload.requests=50"});
    EXPECT_EQ(CountEnds(summary, LIMITED), 0U);
    EXPECT_EQ(summary["connections_lost"], 0);
    EXPECT_EQ(m_errors, "");
}

TEST_P(ConnectionLimitRunTest, ClientsThatHaveShownAValidCallAreNotClosedForOthers)
{
    const auto summary = RunScenario({"workload.requests=50", "nfs.limited_connections=unproven"});
    EXPECT_EQ(CountEnds(summary, LIMITED), 0U);
    EXPECT_EQ(summary["connections_lost"], 0);
    EXPECT_EQ(m_errors, "");
}

/// Clients that are closed again and again are a finding of the run, not the end of it.
TEST_P(ConnectionLimitRunTest, OneClientTooManyIsServedAllTheSame)
{
    const auto few = RunScenario({"cluster.clients=5", "workload.requests=50"});
    const auto many = RunScenario({"workload.requests=50", "cluster.stall_connections=1"});
    EXPECT_GT(CountEnds(many, LIMITED), 0U);
    EXPECT_EQ(m_errors,
              "nfsrdma-sim: a server has too many connections and closes the oldest for each "
              "newcomer: consider more nfs.threads, or nfs.max_connections\n");
    EXPECT_GE(many["connections_lost"].get<uint64_t>(), CountEnds(many, LIMITED) - 1);
    EXPECT_GT(many["simulated_s"].get<double>(), few["simulated_s"].get<double>());
}

INSTANTIATE_TEST_SUITE_P(Transports,
                         ConnectionLimitRunTest,
                         ::testing::Bool(),
                         [](const auto& test) { return test.param ? "tcp" : "rdma"; });

class ServerAgePeriodTest : public SimulatorTest
{
};

/// svc_age_temp_xprts(): what was silent for a whole period is closed at the end of it.
TEST_F(ServerAgePeriodTest, ConnectionsOverTcpAgeAsThoseOverRdma)
{
    m_directory.WriteFile("aging.ini",
                          "[cluster]\nclients = 1\ntransport = tcp\n[workload]\nkind = mix\n"
                          "operations = 20\nthinktime = 300ms\nfiles = 2\nfile_size = 4096\n");
    const auto run = [this](const std::string& period) {
        const auto result = Run(
            {"run", "aging.ini", "--out", "out", "--set", "nfs.tcp_server_age_period=" + period});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        return m_directory.ReadJson("out/summary.json");
    };
    EXPECT_EQ(run("1s")["ends"].dump().find("tcp_server_age_period"), std::string::npos);
    EXPECT_NE(run("50ms")["ends"].dump().find("nothing was received for tcp_server_age_period"),
              std::string::npos);
    EXPECT_EQ(run("0s")["ends"].dump().find("tcp_server_age_period"), std::string::npos);
}

} // namespace
} // namespace ns3::nfsrdma
