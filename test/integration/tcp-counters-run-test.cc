/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <map>
#include <string>

namespace ns3::nfsrdma
{

namespace
{

/// Segments are cut anew, lost, doubled and held back; connections are idle for longer than
/// keepalive_time.
constexpr const char* ROUGH = "[cluster]\nclients = 2\n"
                              "[middlebox]\nat = servers\nmode = recut\n"
                              "drop = 0.02\nduplicate = 0.02\nreorder = 0.02\n"
                              "[tcp]\nkeepalive = true\nkeepalive_time = 1ms\n"
                              "[workload]\nkind = fio\nreadwrite = randrw\nbs = 64KiB\n"
                              "size = 1MiB\ndirect = true\niodepth = 4\nrequests = 100\n";

/// What the program reports of an adapter's TCP by the names of nstat.
class TcpCountersRunTest : public SimulatorTest
{
  protected:
    void RunScenario(const std::string& scenario)
    {
        m_directory.WriteFile("a.ini", scenario);
        const auto result = Run({"run", "a.ini", "--out", "out"});
        ASSERT_EQ(result.status, 0) << result.output << result.errors;
        for (const auto& [path, value] : ReadCounters())
        {
            const auto name = path.rfind('/');
            if (path.find("/nstat/") != std::string::npos)
            {
                m_sums[path.substr(name + 1)] += value;
            }
        }
    }

    std::map<std::string, uint64_t> m_sums; ///< Over hosts.
};

TEST_F(TcpCountersRunTest, ARoughPathShows)
{
    RunScenario(ROUGH);
    for (const char* name : {"TcpRetransSegs",
                             "TcpExtTCPFastRetrans",
                             "TcpExtTCPSackRecovery",
                             "TcpExtTCPOFOQueue",
                             "TcpExtTCPDSACKRecv",
                             "TcpExtDelayedACKs",
                             "TcpExtTCPLossProbes",
                             "TcpExtTCPKeepAlive"})
    {
        EXPECT_GT(m_sums[name], 0U) << name;
    }
    EXPECT_EQ(m_sums["TcpExtTCPAbortOnTimeout"], 0U);
    EXPECT_EQ(m_sums["TcpOutRsts"], 0U);
}

TEST_F(TcpCountersRunTest, AConnectionGivenUpShows)
{
    RunScenario("[cluster]\nclients = 1\n"
                "[tcp]\nuser_timeout = 5ms\n"
                "[rpcrdma]\nclient_retry_delay = 5ms\nclient_reconnect_delay = 5ms\n"
                "[workload]\nkind = fio\nreadwrite = randread\nbs = 4KiB\n"
                "size = 64KiB\ndirect = true\nrequests = 100\n"
                "[faults]\ncut = 20th nfs READ call: link-down for 30ms on client-0\n");
    EXPECT_GT(m_sums["TcpExtTCPAbortOnTimeout"], 0U);
    EXPECT_GT(m_sums["TcpExtTCPTimeouts"], 0U);
}

} // namespace

} // namespace ns3::nfsrdma
