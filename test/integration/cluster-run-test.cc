/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

namespace ns3::nfsrdma
{

namespace
{

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::Not;

class ClusterRunTest : public SimulatorTest
{
  protected:
    void ExpectNothingLeftOver(const nlohmann::json& summary) const
    {
        EXPECT_GE(summary["leftovers"].size(), 10U);
        for (const auto& [what, count] : summary["leftovers"].items())
        {
            EXPECT_EQ(count, 0) << what;
        }
    }
};

TEST_F(ClusterRunTest, MixRunsToTheEndOfTheWork)
{
    m_directory.WriteFile("mix.ini", SMALL_MIX);
    const auto result = Run({"run", "mix.ini"});
    EXPECT_EQ(result.status, 0) << result.output << result.errors;
    EXPECT_EQ(result.errors, "");
    const auto summary = m_directory.ReadJson("results/mix/summary.json");
    EXPECT_EQ(summary["rpcs"], 3 * 120);
    EXPECT_EQ(summary["verification"]["reads"]["mismatches"], 0);
    EXPECT_EQ(summary["verification"]["exports"]["mismatches"], 0);
    EXPECT_GT(summary["verification"]["exports"]["octets"], 3 * 6 * 32 * 1024 - 1);
    ExpectNothingLeftOver(summary);
    EXPECT_THAT(result.output, HasSubstr(summary["digest"].get<std::string>()));
    EXPECT_THAT(result.output, HasSubstr("results/mix/rpc.csv"));

    const auto manifest = m_directory.ReadJson("results/mix/manifest.json");
    EXPECT_EQ(manifest["name"], "mix");
    EXPECT_EQ(manifest["scenario_file"], "mix.ini");
    EXPECT_EQ(manifest["config"]["cluster"]["clients"], "3");
    EXPECT_EQ(manifest["config"]["link"]["mtu"], "1500B");
    EXPECT_TRUE(manifest["sweep"].is_null());
    EXPECT_EQ(manifest["digest"], summary["digest"]);
    EXPECT_THAT(m_directory.ReadAll("results/mix"),
                ElementsAre(Key("counters.csv"),
                            Key("histograms.csv"),
                            Key("latency-stack.csv"),
                            Key("manifest.json"),
                            Key("memory.csv"),
                            Key("mountstats.txt"),
                            Key("rpc.csv"),
                            Key("summary.json"),
                            Key("utilisation.csv"),
                            Key("workloads.csv")));
}

TEST_F(ClusterRunTest, ReplayAgreesWithTheRecording)
{
    const std::string scenario =
        std::string(NFSRDMA_SOURCE_DIR) + "/scenarios/replays/linux-replay.ini";
    const auto result = Run({"run", scenario, "--out", "out"});
    EXPECT_EQ(result.status, 0) << result.output << result.errors;
    const auto summary = m_directory.ReadJson("out/summary.json");
    EXPECT_EQ(summary["verification"]["replay"]["compared"], 2 * 636);
    EXPECT_EQ(summary["verification"]["replay"]["mismatches"], 0);
    EXPECT_TRUE(summary["unsupported"].empty());
    ExpectNothingLeftOver(summary);
    EXPECT_THAT(m_directory.ReadAll("out"), Contains(Key("client-0.pcap")));
    EXPECT_THAT(m_directory.ReadAll("out"), Not(Contains(Key("client-1.pcap"))));
}

/// Counts of the recorded client that the replay must reproduce.
TEST_F(ClusterRunTest, MountStatisticsHaveLinuxsCounts)
{
    const std::string scenario =
        std::string(NFSRDMA_SOURCE_DIR) + "/scenarios/replays/linux-replay.ini";
    ASSERT_EQ(Run({"run", scenario, "--out", "out", "--pcap", "none"}).status, 0);
    const auto text = m_directory.ReadFile("out/mountstats.txt");
    EXPECT_THAT(
        text,
        HasSubstr("device server-0:/export-0 mounted on /mnt/client-0 with fstype nfs "
                  "statvers=1.1\n\topts:\trw,vers=3,rsize=262144,wsize=262144,namlen=255,"));
    EXPECT_THAT(text,
                HasSubstr("\n\tRPC iostats version: 1.1  p/v: 100003/3 (nfs)\n\txprt:\trdma "));
    EXPECT_THAT(
        text,
        HasSubstr("\n\txprt:\trdma 0 0 1 0 0 636 636 0 636 0 9 8 45 785568 301578 212 3172 0 "
                  "2 0 1 0 0 12 47 0 0\n"));
    EXPECT_THAT(text, HasSubstr("\n\tbytes:\t0 0 216146 216146 216146 216146 0 0 \n"));
    EXPECT_THAT(text, HasSubstr("\n\t     GETATTR: 17 17 0 1472 1904 "));
    EXPECT_THAT(text, HasSubstr("\n\t      LOOKUP: 529 529 0 58676 117200 "));
    EXPECT_THAT(text, HasSubstr("\n\t        READ: 10 10 0 1000 217432 "));
    EXPECT_THAT(text, HasSubstr("\n\t       WRITE: 10 10 0 217232 1360 "));
    EXPECT_THAT(text, HasSubstr("\n\t     SYMLINK: 2 2 0 4252 512 "));
    EXPECT_THAT(text, HasSubstr("\n\t READDIRPLUS: 3 3 0 336 79640 "));
    EXPECT_THAT(text, HasSubstr("\n\t      COMMIT: 0 0 0 0 0 0 0 0 0\n"));
}

TEST_F(ClusterRunTest, SweepGathersPointsInOrder)
{
    m_directory.WriteFile("mix.ini",
                          std::string(SMALL_MIX) +
                              "[sweep]\nseeds = 2\nrpcrdma.inline_threshold = 1KiB, 8KiB\n");
    const auto parallel = Run({"run", "mix.ini", "--jobs", "2", "--out", "two"});
    EXPECT_EQ(parallel.status, 0) << parallel.output << parallel.errors;
    const auto serial = Run({"run", "mix.ini", "--jobs", "1", "--out", "one"});
    EXPECT_EQ(serial.status, 0);
    EXPECT_EQ(m_directory.ReadAll("one"), m_directory.ReadAll("two"));

    const auto table = m_directory.ReadFile("one/sweep.csv");
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 5);
    EXPECT_THAT(table, HasSubstr("point,seed,rpcrdma.inline_threshold,status,rpcs,errors,"));
    EXPECT_LT(table.find("\n0,1,1024,"), table.find("\n0,2,1024,"));
    EXPECT_LT(table.find("\n0,2,1024,"), table.find("\n1,1,8192,"));
    EXPECT_LT(table.find("\n1,1,8192,"), table.find("\n1,2,8192,"));
    const auto manifest = m_directory.ReadJson("one/manifest.json");
    EXPECT_THAT(manifest["sweep"]["keys"].get<std::vector<std::string>>(),
                ElementsAre("rpcrdma.inline_threshold"));
    EXPECT_THAT(manifest["sweep"]["seeds"].get<std::vector<int>>(), ElementsAre(1, 2));
    EXPECT_EQ(manifest["figures"][0], "sweep");
    EXPECT_THAT(m_directory.ReadAll("one/points"),
                ElementsAre(Key("0-s1/histograms.csv"),
                            Key("0-s1/manifest.json"),
                            Key("0-s1/summary.json"),
                            Key("0-s1/workloads.csv"),
                            Key("0-s2/histograms.csv"),
                            Key("0-s2/manifest.json"),
                            Key("0-s2/summary.json"),
                            Key("0-s2/workloads.csv"),
                            Key("1-s1/histograms.csv"),
                            Key("1-s1/manifest.json"),
                            Key("1-s1/summary.json"),
                            Key("1-s1/workloads.csv"),
                            Key("1-s2/histograms.csv"),
                            Key("1-s2/manifest.json"),
                            Key("1-s2/summary.json"),
                            Key("1-s2/workloads.csv")));
}

TEST_F(ClusterRunTest, MiddleboxesCutAndLoseButNothingIsLost)
{
    m_directory.WriteFile("mix.ini",
                          std::string(SMALL_MIX) +
                              "[middlebox]\nat = hosts\nmode = recut\ndrop = 0.02\n"
                              "[rnic]\nmpa_transport = aware\nmpa_markers = true\n"
                              "[output]\nreassembly = true\nfigure = reassembly-memory\n");
    const auto result = Run({"run", "mix.ini", "--out", "out"});
    EXPECT_EQ(result.status, 0) << result.output << result.errors;
    const auto summary = m_directory.ReadJson("out/summary.json");
    ExpectNothingLeftOver(summary);
    EXPECT_GT(summary["goodput_bps"], 0);
    EXPECT_GT(summary["reassembly"]["peak_octets"], 0);
    EXPECT_GT(summary["reassembly"]["mean_octets"], 0);
    EXPECT_GT(summary["reassembly"]["fpdus_placed_ahead"], 0);
    EXPECT_FALSE(summary["hosts"].empty());
    EXPECT_EQ(m_directory.ReadJson("out/manifest.json")["figures"][0], "reassembly-memory");
}

TEST_F(ClusterRunTest, StallIsReportedWithWhatIsWaitedFor)
{
    m_directory.WriteFile("mix.ini", SMALL_MIX);
    const auto result = Run({"run",
                             "mix.ini",
                             "--set",
                             "storage.metadata_cost=2h",
                             "--set",
                             "cluster.stall_limit=2s",
                             "--pcap",
                             "client-0"});
    EXPECT_EQ(result.status, 3);
    EXPECT_THAT(result.errors, HasSubstr("stalled at "));
    EXPECT_THAT(result.errors, ::testing::ContainsRegex("client-0: XID 0x[0-9a-f]{8}"));
    EXPECT_THAT(result.errors, HasSubstr("client-2: "));
    EXPECT_THAT(result.errors, HasSubstr("server-0: 8 threads busy"));
    const auto summary = m_directory.ReadJson("results/mix/summary.json");
    EXPECT_EQ(summary["exit_status"], 3);
    EXPECT_FALSE(summary["waiting"].empty());
    EXPECT_GT(m_directory.ReadFile("results/mix/client-0.pcap").size(), 24U);
}

TEST_F(ClusterRunTest, StallOfOneRunOfASweepIsTheStatusOfAll)
{
    m_directory.WriteFile("mix.ini",
                          std::string(SMALL_MIX) + "[sweep]\nstorage.metadata_cost = 3us, 2h\n");
    const auto result = Run({"run", "mix.ini", "--set", "cluster.stall_limit=1s"});
    EXPECT_EQ(result.status, 3);
    EXPECT_THAT(result.errors, HasSubstr("run 1-s1 stalled at "));
    EXPECT_THAT(result.output, HasSubstr("run 1-s1 ended with status 3"));
}

TEST_F(ClusterRunTest, WhatIsClosedIsWaitedForWhateverTheLimitOfAStall)
{
    m_directory.WriteFile("mix.ini", SMALL_MIX);
    const auto result = Run({"run", "mix.ini", "--set", "cluster.stall_limit=3ms"});
    EXPECT_EQ(result.status, 0) << result.output;
}

TEST_F(ClusterRunTest, ExampleReadsBackWhatItWrote)
{
    const auto result = RunProcess(NFSRDMA_TWO_NODES, {}, m_directory.GetPath());
    EXPECT_EQ(result.status, 0);
    EXPECT_THAT(result.output, HasSubstr("WRITE 65536 octets, msg+R/inline"));
    EXPECT_THAT(result.output, HasSubstr("READ  65536 octets, msg+W"));
    EXPECT_THAT(result.output, HasSubstr("read back as written"));
}

TEST_F(ClusterRunTest, ExampleTakesSizesFromItsCommandLine)
{
    const auto result =
        RunProcess(NFSRDMA_TWO_NODES, {"--mtu=9000", "--octets=262144"}, m_directory.GetPath());
    EXPECT_EQ(result.status, 0);
    EXPECT_THAT(result.output, HasSubstr("WRITE 262144 octets"));
    EXPECT_THAT(result.output, HasSubstr("read back as written"));
    for (const std::string wrong : {"--mtu=575", "--mtu=9001", "--octets=0", "--octets=262145"})
    {
        const auto refused = RunProcess(NFSRDMA_TWO_NODES, {wrong}, m_directory.GetPath());
        EXPECT_EQ(refused.status, 2) << wrong;
        EXPECT_EQ(refused.CountErrorLines(), 1) << refused.errors;
        EXPECT_THAT(refused.errors, HasSubstr(wrong));
    }
}

} // namespace

} // namespace ns3::nfsrdma
