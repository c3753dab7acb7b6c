/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;

/// Runs small clusters whose hosts have two ports, each in a network of its own.
class SubnetsRunTest : public SimulatorTest
{
  protected:
    void RunWell(const std::string& scenario, const std::string& out = "out")
    {
        m_directory.WriteFile("a.ini",
                              "[cluster]\nclients = 2\n[workload]\nkind = fio\nbs = 64KiB\n"
                              "size = 1MiB\ndirect = true\niodepth = 4\n" +
                                  m_requests + scenario);
        const auto result = Run({"run", "a.ini", "--out", out});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        const auto summary = m_directory.ReadJson(out + "/summary.json");
        for (const auto& [what, count] : summary["leftovers"].items())
        {
            EXPECT_EQ(count, 0) << what;
        }
    }

    /// \return what counters.csv has as \p counter, by "host/source".
    [[nodiscard]] std::map<std::string, uint64_t> ReadCounter(const std::string& counter,
                                                              const std::string& out = "out") const
    {
        std::istringstream lines(m_directory.ReadFile(out + "/counters.csv"));
        std::map<std::string, uint64_t> values;
        for (std::string line; std::getline(lines, line);)
        {
            std::istringstream fields(line);
            std::string host;
            std::string source;
            std::string name;
            std::string value;
            std::getline(fields, host, ',');
            std::getline(fields, source, ',');
            std::getline(fields, name, ',');
            std::getline(fields, value, ',');
            if (name == counter)
            {
                values[host + "/" + source] = std::stoull(value);
            }
        }
        return values;
    }

    /// \return octets sent, by "host/port".
    [[nodiscard]] std::map<std::string, uint64_t> ReadSent(const std::string& out = "out") const
    {
        return ReadCounter("tx_bytes", out);
    }

    std::string GetError(const std::string& scenario)
    {
        m_directory.WriteFile("a.ini", scenario);
        const auto result = Run({"run", "a.ini"});
        EXPECT_EQ(result.status, 2) << scenario;
        EXPECT_EQ(result.CountErrorLines(), 1U);
        return result.errors;
    }

    std::string m_requests{"readwrite = randrw\nrequests = 100\n"};
    const std::string RAILS = "[topology]\nshape = rails\n";
    const std::string PORTS = "[host]\nports = 2\nbond = none\n";
};

TEST_F(SubnetsRunTest, AClientReachesItsServerByTheAddressThatItMounts)
{
    constexpr uint64_t MUCH = 3 << 20;
    constexpr uint64_t LITTLE = 1 << 10;
    using Case = std::array<std::string, 3>;
    for (const auto& [ip, version, tcp] : {Case{"ipv4", "3", "offload"},
                                           Case{"ipv6", "3", "ns3"},
                                           Case{"ipv4", "4.0", "ns3"},
                                           Case{"ipv6", "4.0", "offload"},
                                           Case{"ipv6", "4.1", "offload"}})
    {
        SCOPED_TRACE(testing::Message() << ip << " " << version << " " << tcp);
        RunWell(PORTS + RAILS + "ip = " + ip + "\n[rnic]\ntcp = " + tcp +
                "\n[nfs]\nserver_address = 2\nversion = " + version + "\n");
        auto sent = ReadSent();
        EXPECT_GT(sent["client-0/ethtool-2"] + sent["server-0/ethtool-2"], MUCH);
        EXPECT_LT(sent["client-0/ethtool-1"] + sent["server-0/ethtool-1"], LITTLE);
    }
    RunWell(PORTS + RAILS + "[nfs]\nserver_address = 0\n");
    auto sent = ReadSent();
    EXPECT_GT(sent["client-0/ethtool-1"], MUCH / 2);
    EXPECT_LT(sent["client-0/ethtool-2"], LITTLE);
    EXPECT_GT(sent["client-1/ethtool-2"], MUCH / 2);
    EXPECT_LT(sent["client-1/ethtool-1"], LITTLE);
}

TEST_F(SubnetsRunTest, ATrunkedSessionUsesBothAddresses)
{
    for (const std::string ip : {"ipv4", "ipv6"})
    {
        for (const std::string transport : {"rdma", "tcp"})
        {
            SCOPED_TRACE(ip + " " + transport);
            RunWell("[cluster]\ntransport = " + transport + "\n" + PORTS + RAILS + "ip = " + ip +
                    "\n[nfs]\nversion = 4.1\nmax_connect = 2\n");
            auto sent = ReadSent();
            for (const std::string host : {"client-0", "client-1", "server-0"})
            {
                const auto one = static_cast<double>(sent[host + "/ethtool-1"]);
                const auto other = static_cast<double>(sent[host + "/ethtool-2"]);
                EXPECT_NEAR(one / (one + other), 0.5, 0.15) << host;
            }
            EXPECT_THAT(m_directory.ReadFile("out/mountstats.txt"), HasSubstr(",max_connect=2"));
        }
    }
}

TEST_F(SubnetsRunTest, CapturesAreOfOnePortEach)
{
    RunWell("[output]\npcap = all\n" + PORTS + RAILS + "[nfs]\nversion = 4.1\nmax_connect = 2\n");
    for (const std::string host : {"client-0", "server-0"})
    {
        for (const std::string port : {"1", "2"})
        {
            const auto name = "out/" + host + "-port-" + port + ".pcap";
            const auto capture = Run({"check-capture", name});
            EXPECT_EQ(capture.status, 0) << capture.output << capture.errors;
            EXPECT_THAT(capture.output, HasSubstr(port == "1" ? "10.77.0." : "10.78.0."));
            EXPECT_THAT(capture.output,
                        ::testing::Not(HasSubstr(port == "1" ? "10.78." : "10.77.")));
        }
    }
}

TEST_F(SubnetsRunTest, WhatIsOverTheOtherSubnetGoesOn)
{
    const std::string scenario =
        PORTS + RAILS + "[tcp]\ndata_retries = 4\n[nfs]\nversion = 4.1\nmax_connect = 2\n";
    // The client writes, so that its TCP has something to repeat.
    m_requests = "readwrite = randwrite\nrequests = 400\n";
    RunWell(scenario, "whole");
    RunWell(scenario + "[faults]\ncut = at 2300us: port-down 1 for 200ms on client-0\n", "cut");
    std::istringstream lines(m_directory.ReadFile("cut/rpc.csv"));
    std::string line;
    std::getline(lines, line);
    std::istringstream names(line);
    std::vector<std::string> columns;
    for (std::string name; std::getline(names, name, ',');)
    {
        columns.push_back(name);
    }
    const auto find = [&columns](const std::string& name) {
        return std::find(columns.begin(), columns.end(), name) - columns.begin();
    };
    const auto client = find("client");
    const auto connection = find("connection");
    const auto reply = find("reply_ns");
    ASSERT_LT(std::max({client, connection, reply}), static_cast<std::ptrdiff_t>(columns.size()));
    constexpr uint64_t CUT_IS_FELT = 3'000'000;
    constexpr uint64_t CUT_ENDS = 202'300'000;
    std::map<std::string, uint32_t> during;     // Replies to client-0, by connection.
    std::map<std::string, uint32_t> afterwards; // The same.
    while (std::getline(lines, line))
    {
        std::istringstream text(line);
        std::vector<std::string> fields;
        for (std::string field; std::getline(text, field, ',');)
        {
            fields.push_back(field);
        }
        const auto time = fields[reply].empty() ? 0 : std::stoull(fields[reply]);
        if (fields[client] == "0")
        {
            during[fields[connection]] += time > CUT_IS_FELT && time < CUT_ENDS ? 1 : 0;
            afterwards[fields[connection]] += time > CUT_ENDS ? 1 : 0;
        }
    }
    EXPECT_EQ(during["0"], 0U);
    EXPECT_GT(during["1"], 0U);
    EXPECT_GT(afterwards["0"], 0U);
    const auto before = ReadSent("whole");
    auto sent = ReadSent("cut");
    EXPECT_GT(sent["client-0/ethtool-2"], before.at("client-0/ethtool-2"));
    EXPECT_GT(ReadCounter("tcpRetransSegs", "cut")["client-0/rdma"], 0U);
    EXPECT_EQ(ReadCounter("TcpExtTCPAbortOnTimeout", "cut")["client-0/nstat"], 1U);
    EXPECT_EQ(ReadCounter("TcpExtTCPAbortOnTimeout", "cut")["client-1/nstat"], 0U);
    EXPECT_EQ(ReadCounter("tcpRetransSegs", "whole")["client-0/rdma"], 0U);
}

TEST_F(SubnetsRunTest, WhatMakesNoSenseIsRefused)
{
    EXPECT_THAT(GetError(RAILS), HasSubstr("rails with host.ports of 2 or more, or star"));
    EXPECT_THAT(GetError(PORTS), HasSubstr("a bond, or topology.shape = rails"));
    EXPECT_THAT(GetError("[host]\nports = 2\n" + RAILS),
                HasSubstr("none with topology.shape = rails"));
    EXPECT_THAT(GetError(PORTS + RAILS + "[nfs]\nserver_address = 3\n"),
                HasSubstr("at most 2, the ports that client-0 and its server both have"));
    EXPECT_THAT(GetError(PORTS + RAILS +
                         "[host one]\nhosts = client-0\nports = 1\n[nfs]\n"
                         "server_address = 2\n"),
                HasSubstr("at most 1, the ports that client-0 and its server both have"));
    EXPECT_THAT(GetError(PORTS + RAILS + "[nfs]\nserver_address = 2\nmount = linux\n"),
                HasSubstr("1 with nfs.mount = linux"));
    EXPECT_THAT(GetError(PORTS + RAILS + "[nfs]\nversion = 3\nmax_connect = 2\n"),
                HasSubstr("nfs.version = 4.1, 4.2"));
    EXPECT_THAT(GetError("[nfs]\nversion = 4.1\nmax_connect = 2\n"),
                HasSubstr("topology.shape = rails"));
    EXPECT_THAT(GetError(PORTS + "bond_miimon = 1ms\n" + RAILS), HasSubstr("host.bond"));
}

} // namespace

} // namespace ns3::nfsrdma
