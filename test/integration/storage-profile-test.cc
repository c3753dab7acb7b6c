/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

namespace ns3::nfsrdma
{

namespace
{

/// What limits a server with each of the storage profiles.
class StorageProfileTest : public SimulatorTest
{
  protected:
    /// Runs READs \return summary.json
    nlohmann::json RunReads(const std::string& storage, const std::string& workload)
    {
        m_directory.WriteFile("reads.ini",
                              "[cluster]\nclients = 2\n[link]\nmtu = 9000\n[host]\ncores = 32\n"
                              "[nfs]\nthreads = 256\n[storage]\n" +
                                  storage +
                                  "[workload]\noperation_mix = read:1\nsymlinks = 0\n"
                                  "setup_io_size = 256KiB\nio_alignment = 4096\n" +
                                  workload);
        const auto result =
            Run({"run", "reads.ini", "--set", "output.resources=true", "--out", "out"});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        return m_directory.ReadJson("out/summary.json");
    }

    static nlohmann::json Find(const nlohmann::json& summary, const std::string& name)
    {
        for (const auto& resource : summary["resources"])
        {
            if (resource["resource"] == name)
            {
                return resource;
            }
        }
        ADD_FAILURE() << "no " << name;
        return {};
    }
};

TEST_F(StorageProfileTest, MemoryLeavesTheLinkAsBottleneck)
{
    const auto summary = RunReads("profile = ram\n",
                                  "operations = 600\nqueue_depth = 16\nfiles = 8\n"
                                  "file_size = 1MiB\nio_sizes = 262144:1\n");
    EXPECT_GT(summary["goodput_bps"], 93e9);
    EXPECT_LT(Find(summary, "storage")["number"], 2);
    EXPECT_LT(Find(summary, "threads")["utilisation"], 0.1);
}

/// Utilisation law: 42 places of 85 us and the transfer each.
TEST_F(StorageProfileTest, FlashGivesDepthByLatency)
{
    const auto summary = RunReads("profile = nvme\ncache = 0\n",
                                  "operations = 4000\nqueue_depth = 64\nfiles = 8\n"
                                  "file_size = 1MiB\nio_sizes = 4096:1\n");
    const auto storage = Find(summary, "storage");
    EXPECT_GT(storage["utilisation"], 0.97);
    EXPECT_GT(storage["stay_us"], 86.2);
    EXPECT_LT(storage["stay_us"], 90);
    EXPECT_NEAR(storage["throughput_per_second"].get<double>(), 490000, 0.06 * 490000);
    EXPECT_NEAR(summary["rpcs_per_second"].get<double>(), 490000, 0.06 * 490000);
}

TEST_F(StorageProfileTest, PageCacheTakesTheLoadFromFlash)
{
    const auto summary = RunReads("profile = nvme\n",
                                  "operations = 4000\nqueue_depth = 64\nfiles = 8\n"
                                  "file_size = 1MiB\nio_sizes = 4096:1\n");
    const auto& cache = summary["page_caches"][0];
    EXPECT_EQ(cache["reads"], cache["read_hits"]);
    EXPECT_EQ(cache["reads"], 8000);
    EXPECT_EQ(cache["pages_read"], 0);
    EXPECT_GT(summary["rpcs_per_second"], 1e6);
}

/// A cache for half of what is read: about half of the READs are hits.
TEST_F(StorageProfileTest, HitsAreTheShareThatTheCacheHolds)
{
    const auto summary = RunReads("profile = nvme\ncache = 8MiB\nread_ahead = 0\n",
                                  "operations = 8000\nqueue_depth = 16\nfiles = 8\n"
                                  "file_size = 1MiB\nio_sizes = 4096:1\n");
    const auto& cache = summary["page_caches"][0];
    const double share = cache["read_hits"].get<double>() / cache["reads"].get<double>();
    EXPECT_NEAR(share, 0.5, 0.08);
    EXPECT_EQ(cache["pages_cached"], 2048);
}

/// Over all of a (small) disk: 1 / (overhead + mean seek + half a turn + transfer).
TEST_F(StorageProfileTest, DiskGivesSeekAndRotation)
{
    const auto summary = RunReads("profile = disk\ncache = 0\ncapacity = 134217728\n",
                                  "operations = 400\nqueue_depth = 4\nfiles = 64\n"
                                  "file_size = 1MiB\nio_sizes = 4096:1\n");
    const auto storage = Find(summary, "storage");
    const double expected = 0.2e-3 + 8.2e-3 + 8.333e-3 / 2 + 4096 * 8 / 1.4e9;
    EXPECT_GT(storage["utilisation"], 0.99);
    EXPECT_NEAR(storage["stay_us"].get<double>() / 1e6, expected, 0.05 * expected);
    EXPECT_NEAR(storage["throughput_per_second"].get<double>(), 1 / expected, 0.05 / expected);
}

} // namespace

} // namespace ns3::nfsrdma
