/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

/// Many flows through one narrow link, small enough for a test.
class CongestionTest : public SimulatorTest
{
  protected:
    /// Runs what is like the incast scenario, with one congestion control; clients read.
    nlohmann::json RunIncast(const std::string& control, const std::vector<std::string>& settings)
    {
        m_directory.WriteFile("incast.ini",
                              "[cluster]\nclients = 8\n"
                              "[topology]\nshape = dumbbell\ntrunk_rate = 10Gbps\n"
                              "trunk_queue = 512KiB\n"
                              "[link]\nrate = 25Gbps\nswitch_marking = threshold\n"
                              "mark_threshold = 64KiB\n"
                              "[tcp]\necn = true\n"
                              "[workload]\nkind = fio\nbs = 256KiB\nsize = 1MiB\niodepth = 2\n"
                              "requests = 12\ndirect = true\nstart_spread = 100us\n"
                              "readwrite = randread\n");
        std::vector<std::string> arguments{"run",
                                           "incast.ini",
                                           "--out",
                                           "out",
                                           "--set",
                                           "tcp.congestion_control=" + control};
        for (const auto& setting : settings)
        {
            arguments.insert(arguments.end(), {"--set", setting});
        }
        const auto result = Run(arguments);
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        return m_directory.ReadJson("out/summary.json");
    }

    static constexpr double THRESHOLD = 65536;
    static constexpr double QUEUE = 524288;
};

/// What scenarios/clusters/incast.ini promises, with less work for each of fewer clients.
TEST_F(CongestionTest, IncastScenarioShowsWhoFillsTheQueue)
{
    const auto result = Run({"run",
                             std::string(NFSRDMA_SOURCE_DIR) + "/scenarios/clusters/incast.ini",
                             "--out",
                             "out",
                             "--set",
                             "cluster.clients=8",
                             "--set",
                             "workload.requests=12"});
    ASSERT_EQ(result.status, 0) << result.output << result.errors;
    for (int point = 0; point < 6; ++point)
    {
        const auto folder = "out/points/" + std::to_string(point) + "-s1/";
        const auto config = m_directory.ReadJson(folder + "manifest.json")["config"];
        const auto network = m_directory.ReadJson(folder + "summary.json")["network"];
        const bool reads = config["workload"]["readwrite"] == "randread";
        const auto control = config["tcp"]["congestion_control"].get<std::string>();
        const auto mean = network["queue_mean_octets"].get<double>();
        EXPECT_EQ(network["fullest_port"], reads ? "right to left" : "left to right");
        if (control == "TcpDctcp")
        {
            EXPECT_NEAR(mean, THRESHOLD, THRESHOLD / 2);
            EXPECT_EQ(network["frames_dropped"], 0);
            EXPECT_GT(network["frames_marked"].get<uint64_t>(), 1000U);
        }
        else
        {
            EXPECT_GT(mean, 3 * THRESHOLD) << control;
            EXPECT_GT(network["queue_most_octets"].get<double>(), QUEUE - 1600) << control;
            EXPECT_GT(network["frames_dropped"].get<uint64_t>(), 0U) << control;
            EXPECT_EQ(network["frames_marked"], 0) << control;
        }
        EXPECT_GT(m_directory.ReadFile(folder + "queues.csv").size(), 1000U);
    }
}

TEST_F(CongestionTest, EcnSparesLossBasedControlsTheLoss)
{
    const auto network = RunIncast("TcpLinuxReno", {"tcp.ecn=true"})["network"];
    EXPECT_GT(network["frames_marked"].get<uint64_t>(), 0U);
    EXPECT_EQ(network["frames_dropped"], 0);
    EXPECT_LT(network["queue_mean_octets"].get<double>(), 2 * THRESHOLD);
}

TEST_F(CongestionTest, DctcpWithoutMarksFillsTheQueueToo)
{
    const auto network = RunIncast("TcpDctcp", {"link.switch_marking=none"})["network"];
    EXPECT_GT(network["queue_mean_octets"].get<double>(), 3 * THRESHOLD);
    EXPECT_GT(network["frames_dropped"].get<uint64_t>(), 0U);
}

TEST_F(CongestionTest, BbrKeepsTheQueueShortWithoutMarks)
{
    const auto network = RunIncast("TcpBbr", {"link.switch_marking=none"})["network"];
    EXPECT_EQ(network["frames_dropped"], 0);
    EXPECT_LT(network["queue_mean_octets"].get<double>(), 1.5 * THRESHOLD);
}

TEST_F(CongestionTest, RedKeepsTheAverageBetweenItsBounds)
{
    const auto network = RunIncast("TcpLinuxReno",
                                   {"tcp.ecn=true",
                                    "link.switch_marking=red",
                                    "link.red_minimum=50KiB",
                                    "link.red_maximum=150KiB",
                                    "link.red_weight=0.01"})["network"];
    EXPECT_GT(network["frames_marked"].get<uint64_t>(), 0U);
    EXPECT_GT(network["queue_mean_octets"].get<double>(), 20 * 1024.0);
    EXPECT_LT(network["queue_mean_octets"].get<double>(), 170 * 1024.0);
}

/// What scenarios/policies/pause.ini promises, with less work.
TEST_F(CongestionTest, PauseLosesNothingAndHoldsUpAVictim)
{
    const auto result = Run({"run",
                             std::string(NFSRDMA_SOURCE_DIR) + "/scenarios/policies/pause.ini",
                             "--out",
                             "out",
                             "--set",
                             "workload.requests=16"});
    ASSERT_EQ(result.status, 0) << result.output << result.errors;
    std::vector<uint64_t> victims;
    for (int point = 0; point < 3; ++point)
    {
        const auto folder = "out/points/" + std::to_string(point) + "-s1/";
        const auto network = m_directory.ReadJson(folder + "summary.json")["network"];
        const bool controls =
            m_directory.ReadJson(folder + "manifest.json")["config"]["link"]["flow_control"] !=
            "none";
        EXPECT_EQ(network["frames_dropped"].get<uint64_t>() > 0, !controls);
        EXPECT_EQ(network.contains("pause_frames_sent"), controls);
        const auto rows = m_directory.ReadFile(folder + "workloads.csv");
        const std::string row = "victim,fio,all,write,";
        std::istringstream rest(rows.substr(rows.find("\n" + row) + 1 + row.size()));
        uint64_t operations = 0;
        rest >> operations;
        victims.push_back(operations);
    }
    EXPECT_LT(victims[1], victims[0] / 4);
    EXPECT_GT(victims[1], 10U);
    EXPECT_EQ(victims[1], victims[2]);
}

TEST_F(CongestionTest, SharedBuffersAndThresholdsNeedRoom)
{
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"link.switch_buffer=4KiB", "link.switch_buffer: got '4096B', expected 0, or room"},
        {"link.switch_xoff=1MiB", "link.switch_xoff: got '1048576B', expected at most what"},
        {"middlebox.at=hosts", "link.flow_control: got 'pause', expected none with middleboxes"}};
    for (const auto& [setting, message] : wrong)
    {
        const auto result = Run({"run",
                                 std::string(NFSRDMA_SOURCE_DIR) + "/scenarios/policies/pause.ini",
                                 "--out",
                                 "out",
                                 "--set",
                                 "link.flow_control=pause",
                                 "--set",
                                 setting});
        EXPECT_EQ(result.status, 2) << setting;
        EXPECT_NE(result.errors.find(message), std::string::npos) << result.errors;
    }
}

/// The cost of a run against its size.
class ScaleTest : public SimulatorTest
{
  protected:
    [[nodiscard]] nlohmann::json RunLarge(uint32_t clients, uint32_t operations = 20) const
    {
        const auto result =
            Run({"run",
                 std::string(NFSRDMA_SOURCE_DIR) + "/scenarios/clusters/large-cluster.ini",
                 "--out",
                 "out",
                 "--set",
                 "cluster.clients=" + std::to_string(clients),
                 "--set",
                 "workload.operations=" + std::to_string(operations)});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        return m_directory.ReadJson("out/summary.json");
    }
};

/// The same work for each client, over the same distance: 8 clients against 64. Queues, which are
/// longer, cost one more event for each frame that waits.
TEST_F(ScaleTest, EventsOfAnRpcDoNotGrowWithTheCluster)
{
    const auto few = RunLarge(8);
    const auto many = RunLarge(64);
    const auto perRpc = [](const nlohmann::json& summary, const char* what) {
        return summary[what].get<double>() / summary["rpcs"].get<double>();
    };
    EXPECT_EQ(many["rpcs"], 64 * 20);
    EXPECT_LT(perRpc(many, "events"), 1.1 * perRpc(few, "events"));
    EXPECT_LT(perRpc(many, "frames"), 1.1 * perRpc(few, "frames"));
    EXPECT_EQ(many["network"]["frames_dropped"], 0);
}

TEST_F(ScaleTest, HundredsOfClientsRunToTheEnd)
{
    const auto summary = RunLarge(256, 4);
    EXPECT_EQ(summary["rpcs"], 256 * 4);
    EXPECT_EQ(summary["hosts"].size(), 264U);
    EXPECT_EQ(summary["verification"]["exports"]["mismatches"], 0);
    for (const auto& [what, count] : summary["leftovers"].items())
    {
        EXPECT_EQ(count, 0) << what;
    }
}

} // namespace

} // namespace ns3::nfsrdma
