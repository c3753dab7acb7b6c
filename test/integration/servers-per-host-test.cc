/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace ns3::nfsrdma
{
namespace
{

/// scenarios/clusters/servers-on-a-host.ini, over RDMA and over TCP.
class ServersPerHostTest : public SimulatorTest, public ::testing::WithParamInterface<const char*>
{
  protected:
    nlohmann::json RunScenario(uint32_t servers, const std::vector<std::string>& settings = {})
    {
        std::ifstream file(std::string(NFSRDMA_SOURCE_DIR) +
                           "/scenarios/clusters/servers-on-a-host.ini");
        std::ostringstream text;
        text << file.rdbuf();
        // One run, with all that it writes.
        m_directory.WriteFile("one.ini", text.str().substr(0, text.str().find("[sweep]")));
        std::vector<std::string> words{"run",
                                       "one.ini",
                                       "--out",
                                       "out",
                                       "--set",
                                       std::string("cluster.transport=") + GetParam(),
                                       "--set",
                                       "output.rpc_csv=true",
                                       "--set",
                                       "cluster.servers_per_host=" + std::to_string(servers)};
        for (const auto& setting : settings)
        {
            words.insert(words.end(), {"--set", setting});
        }
        const auto result = Run(words);
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        return m_directory.ReadJson("out/summary.json");
    }

    /// \return RPCs that each server answered while it was measured, by its number.
    std::map<uint32_t, uint64_t> CountRpcs() const
    {
        std::istringstream table(m_directory.ReadFile("out/rpc.csv"));
        std::string line;
        std::getline(table, line);
        const auto server = FindColumn(line, "server");
        const auto phase = FindColumn(line, "phase");
        std::map<uint32_t, uint64_t> counts;
        while (std::getline(table, line))
        {
            if (GetField(line, phase) == "measurement")
            {
                ++counts[std::stoul(GetField(line, server))];
            }
        }
        return counts;
    }

    static std::size_t FindColumn(const std::string& header, const std::string& name)
    {
        for (std::size_t i = 0;; ++i)
        {
            const auto field = GetField(header, i);
            if (field == name || field.empty())
            {
                return i;
            }
        }
    }

    static std::string GetField(const std::string& line, std::size_t number)
    {
        std::istringstream fields(line);
        std::string field;
        for (std::size_t i = 0; i <= number; ++i)
        {
            field.clear();
            std::getline(fields, field, ',');
        }
        return field;
    }

    static uint64_t Add(const std::map<uint32_t, uint64_t>& counts)
    {
        uint64_t sum = 0;
        for (const auto& [server, count] : counts)
        {
            sum += count;
        }
        return sum;
    }
};

/// The cores are what there is too little of: several servers get no more of them than one.
TEST_P(ServersPerHostTest, TogetherTheyMakeWhatTheCoresGive)
{
    RunScenario(1);
    const auto one = Add(CountRpcs());
    EXPECT_GT(one, 1000U);
    for (const uint32_t servers : {2U, 4U})
    {
        RunScenario(servers);
        const auto counts = CountRpcs();
        ASSERT_EQ(counts.size(), servers);
        const auto sum = static_cast<double>(Add(counts));
        EXPECT_NEAR(sum / static_cast<double>(one), 1, 0.05) << servers;
        for (const auto& [server, count] : counts)
        {
            EXPECT_NEAR(static_cast<double>(count) * servers / sum, 1, 0.03)
                << server << " of " << servers;
        }
    }
}

/// Each server is told apart where it counts for itself.
TEST_P(ServersPerHostTest, EachHasCountersAndThreadsOfItsOwn)
{
    RunScenario(2);
    const auto counters = m_directory.ReadFile("out/counters.csv");
    const auto utilisation = m_directory.ReadFile("out/utilisation.csv");
    for (const char* const name : {"server-0.0", "server-0.1"})
    {
        EXPECT_NE(counters.find(std::string(name) + ",pool_stats,"), std::string::npos) << name;
        EXPECT_NE(utilisation.find(std::string(name) + ",threads,"), std::string::npos) << name;
    }
    EXPECT_NE(counters.find("server-0,rnic,"), std::string::npos);
    EXPECT_EQ(counters.find("server-0,pool_stats,"), std::string::npos);
}

/// Only the clients of a server that is restarted lose their connections.
TEST_P(ServersPerHostTest, ARestartOfOneLeavesTheOthersAlone)
{
    const auto summary = RunScenario(2, {"faults.restart=at 20ms: restart for 5ms on server-0.1"});
    for (const auto& host : summary["ends"])
    {
        const auto name = host["host"].get<std::string>();
        const auto stops = host["connections"].value("the server stops", 0);
        if (name == "server-0.0")
        {
            EXPECT_EQ(stops, 0);
        }
    }
    EXPECT_EQ(summary["connections_lost"], 4);
    const auto counts = CountRpcs();
    EXPECT_GT(counts.at(0), counts.at(1));
    EXPECT_GT(counts.at(1), 0U);
}

INSTANTIATE_TEST_SUITE_P(Transports, ServersPerHostTest, ::testing::Values("rdma", "tcp"));

class ServersPerHostErrorTest : public SimulatorTest
{
};

TEST_F(ServersPerHostErrorTest, NonsenseIsRefusedInOneLine)
{
    const std::pair<std::string, std::string> refused[]{
        {"[cluster]\nclients = 3\nservers_per_host = 4\n",
         "nonsense.ini:3: cluster.servers_per_host: got '4', expected a client for each server"},
        {"[cluster]\nclients = 4\nservers_per_host = 2\n[adversary a]\nrole = abort-storm\nhosts = "
         "client-0\n",
         "nonsense.ini:3: cluster.servers_per_host: got '2', expected 1 with adversaries"},
        {"[cluster]\nclients = 4\nservers_per_host = 2\n[faults]\na = at 1ms: restart on "
         "server-0.2\n",
         "nonsense.ini:5: faults.a: got 'server-0.2'"},
        {"[cluster]\nclients = 4\nservers_per_host = 2\n[faults]\na = at 1ms: crash for 1ms on "
         "server-0.1\n",
         "nonsense.ini:5: faults.a: got 'server-0.1', expected server-0, the host, for crash"},
        {"[cluster]\nclients = 4\n[faults]\na = at 1ms: restart on server-0.0\n",
         "nonsense.ini:4: faults.a: got 'server-0.0'"}};
    for (const auto& [text, expected] : refused)
    {
        m_directory.WriteFile("nonsense.ini", text);
        const auto result = Run({"run", "nonsense.ini", "--out", "out"});
        EXPECT_EQ(result.status, 2) << text;
        EXPECT_THAT(result.errors, ::testing::HasSubstr(expected));
        EXPECT_FALSE(std::filesystem::exists(m_directory.GetPath() + "/out"));
    }
}

} // namespace
} // namespace ns3::nfsrdma
