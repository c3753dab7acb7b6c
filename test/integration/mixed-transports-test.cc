/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <string>

namespace ns3::nfsrdma
{
namespace
{

/// Clients over RDMA and clients over TCP, at one server.
class MixedTransportsTest : public SimulatorTest
{
  protected:
    nlohmann::json RunText(const std::string& text, int status = 0)
    {
        m_directory.WriteFile("mixed.ini", text);
        const auto result = Run({"run", "mixed.ini", "--out", "out"});
        EXPECT_EQ(result.status, status) << result.output << result.errors;
        return m_directory.ReadJson("out/summary.json");
    }

    std::string RefuseText(const std::string& text)
    {
        m_directory.WriteFile("mixed.ini", text);
        const auto result = Run({"run", "mixed.ini", "--out", "refused"});
        EXPECT_EQ(result.status, 2) << text;
        EXPECT_EQ(result.CountErrorLines(), 1U) << result.errors;
        return result.errors;
    }
};

/// Threads take connections in turn, whatever carries them; with one call at a time latency
/// decides.
TEST_F(MixedTransportsTest, ThreadsTakeCallsOfBothInTurn)
{
    for (const bool isBusy : {true, false})
    {
        const std::string depth = isBusy ? "16" : "1";
        const auto result =
            Run({"run",
                 std::string(NFSRDMA_SOURCE_DIR) + "/scenarios/clusters/mixed-transports.ini",
                 "--out",
                 "out",
                 "--set",
                 "workload rdma.queue_depth=" + depth,
                 "--set",
                 "workload tcp.queue_depth=" + depth});
        ASSERT_EQ(result.status, 0) << result.output << result.errors;
        const auto workloads = m_directory.ReadJson("out/summary.json")["workloads"];
        const double rdma = workloads[0]["items"][0]["per_second"];
        const double tcp = workloads[1]["items"][0]["per_second"];
        EXPECT_GT(rdma, 100'000);
        EXPECT_NEAR(rdma / tcp, isBusy ? 1 : 0.76, 0.03);
    }
    const auto mounts = m_directory.ReadFile("out/mountstats.txt");
    EXPECT_NE(mounts.find("xprt:\trdma"), std::string::npos);
    EXPECT_NE(mounts.find("xprt:\ttcp"), std::string::npos);
}

/// Every version serves both, callbacks and a restart of the server included.
TEST_F(MixedTransportsTest, EveryVersionServesBothAndARestartEndsBoth)
{
    for (const std::string version : {"2", "3", "4.0", "4.1", "4.2"})
    {
        const auto summary =
            RunText("[cluster]\nclients = 4\ntcp_clients = 1,3\n[nfs]\nversion = " + version +
                    "\n[workload]\nkind = mix\noperations = 150\nqueue_depth = 4\nfiles = 4\n"
                    "file_size = 32KiB\nsymlinks = 1\nexports = shared\n"
                    "[faults]\nagain = 200th nfs " +
                    std::string(version == "2" ? "GETATTR" : "READ") +
                    " call: restart for 2ms on server-0\n");
        EXPECT_EQ(summary["verification"]["exports"]["mismatches"], 0) << version;
    }
}

TEST_F(MixedTransportsTest, NonsenseIsRefused)
{
    EXPECT_THAT(RefuseText("[cluster]\nclients = 4\ntransport = tcp\ntcp_clients = 1\n"),
                ::testing::HasSubstr("mixed.ini:4: cluster.tcp_clients: got '1', expected none"));
    EXPECT_THAT(RefuseText("[cluster]\nclients = 4\ntcp_clients = 0-3\n"),
                ::testing::HasSubstr("mixed.ini:3: cluster.tcp_clients: got '0-3', expected not"));
    EXPECT_THAT(
        RefuseText("[cluster]\nclients = 4\ntcp_clients = 5\n"),
        ::testing::HasSubstr("mixed.ini:3: cluster.tcp_clients: got '5', expected clients"));
    EXPECT_THAT(RefuseText("[cluster]\nclients = 4\ntcp_clients = 1\n[nfs]\nport = 2049\n"),
                ::testing::HasSubstr("mixed.ini:5: nfs.port: got '2049', expected a port other"));
}

class ReservedPortTest : public MixedTransportsTest
{
  protected:
    static std::string MakeText(const std::string& nfs)
    {
        return "[cluster]\nclients = 2\ntransport = tcp\n[nfs]\nnconnect = 3\n" + nfs +
               "[workload]\nkind = mix\noperations = 20\nfiles = 2\nfile_size = 4KiB\n";
    }
};

/// 1023, 1022 and 1021 of each client; with them a server that insists on such ports serves.
TEST_F(ReservedPortTest, ClientsTakeThemFromTheHighestDown)
{
    RunText(MakeText("reserved_port = true\n"));
    const auto mounts = m_directory.ReadFile("out/mountstats.txt");
    for (const char* const port : {"1023", "1022", "1021"})
    {
        EXPECT_NE(mounts.find(std::string("xprt:\ttcp ") + port + " "), std::string::npos)
            << port << "\n"
            << mounts;
    }
    EXPECT_EQ(mounts.find("xprt:\ttcp 1020 "), std::string::npos);
}

TEST_F(ReservedPortTest, OthersAreNotServedWhereTheServerInsists)
{
    for (const std::string version : {"2", "3", "4.0", "4.1"})
    {
        m_directory.WriteFile("secure.ini", MakeText("secure = true\nversion = " + version + "\n"));
        const auto result = Run({"run", "secure.ini", "--out", "out"});
        EXPECT_EQ(result.status, 1) << version << result.output << result.errors;
        EXPECT_NE(m_directory.ReadFile("out/counters.csv")
                      .find("server-0,nfsd,unreserved_ports_refused,"),
                  std::string::npos)
            << version;
    }
}

} // namespace
} // namespace ns3::nfsrdma
