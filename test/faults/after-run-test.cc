/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-test.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;
using ::testing::Matcher;
using ::testing::Not;

/// What is under way when the work is done, and what an earlier run has left.
class AfterRunFaultTest : public FaultTest
{
  protected:
    [[nodiscard]] bool Has(const std::string& name) const
    {
        return std::filesystem::exists(m_directory.GetPath() + "/out/" + name);
    }
};

TEST_F(AfterRunFaultTest, ReadAheadThatIsUnderWayIsNoFailure)
{
    for (const auto* version : {"2", "3", "4.0", "4.1", "4.2"})
    {
        for (int requests = 1; requests <= 10; ++requests)
        {
            SCOPED_TRACE(std::string(version) + " " + std::to_string(requests));
            const auto result = RunText("[cluster]\nclients = 1\n[workload]\nkind = fio\n"
                                        "readwrite = read\ndirect = false\nbs = 4096\n"
                                        "size = 4MiB\nrequests = " +
                                            std::to_string(requests) + "\n",
                                        {"--set", std::string("nfs.version=") + version});
            EXPECT_EQ(result.status, 0) << result.output << result.errors;
        }
    }
}

TEST_F(AfterRunFaultTest, WriteBackThatIsUnderWayIsNoFailure)
{
    for (const auto* version : {"3", "4.1"})
    {
        for (const auto* direction : {"write", "randwrite", "rw"})
        {
            SCOPED_TRACE(std::string(version) + " " + direction);
            const auto result = RunText("[cluster]\nclients = 1\n[workload]\nkind = fio\n"
                                        "direct = false\nbs = 4096\nsize = 1MiB\nrequests = 9\n"
                                        "dirty_background = 4096B\nreadwrite = " +
                                            std::string(direction) + "\n",
                                        {"--set", std::string("nfs.version=") + version});
            EXPECT_EQ(result.status, 0) << result.output << result.errors;
        }
    }
}

/// Whatever a job has begun when its last request is done, in any mode, through the cache or not.
class AfterRunOfFio
    : public AfterRunFaultTest,
      public ::testing::WithParamInterface<std::tuple<const char*, const char*, const char*>>
{
};

TEST_P(AfterRunOfFio, LeavesNothingAndIsNoFailure)
{
    const auto [readwrite, version, direct] = GetParam();
    for (int requests = 2; requests <= 9; ++requests)
    {
        SCOPED_TRACE(requests);
        const auto result =
            RunText(std::string("[cluster]\nclients = 1\n[nfs]\nversion = ") + version +
                    "\n[workload]\nkind = fio\nbs = 4096\nsize = 256KiB\nreadwrite = " + readwrite +
                    "\ndirect = " + direct + "\nrequests = " + std::to_string(requests) + "\n");
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        for (const auto& [kind, count] : Summary()["leftovers"].items())
        {
            EXPECT_EQ(count, 0) << kind;
        }
        uint64_t operations = 0;
        for (const auto& row : Table("workloads.csv"))
        {
            const bool counts = row.at("client") == "all" && row.at("item") != "sync";
            operations += counts ? std::stoull(row.at("operations")) : 0;
        }
        EXPECT_EQ(operations, static_cast<uint64_t>(requests));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Quick,
    AfterRunOfFio,
    ::testing::Combine(::testing::Values("write", "randread", "randwrite", "rw", "randrw"),
                       ::testing::Values("3", "4.1"),
                       ::testing::Values("false")));

INSTANTIATE_TEST_SUITE_P(
    Nightly,
    AfterRunOfFio,
    ::testing::Combine(::testing::Values("read", "write", "randread", "randwrite", "rw", "randrw"),
                       ::testing::Values("2", "3", "4.0", "4.1", "4.2"),
                       ::testing::Values("false", "true")));

TEST_F(AfterRunFaultTest, FilesOfAnEarlierRunAreGone)
{
    const std::string mix = "[cluster]\nclients = 1\n[workload]\nkind = mix\noperations = 20\n"
                            "files = 2\nfile_size = 4096\n";
    ASSERT_EQ(RunText(mix + "[output]\npcap = all\ntimeline = 1ms\ntrace_events = true\n").status,
              0);
    EXPECT_TRUE(Has("client-0.pcap") && Has("timeline.csv") && Has("trace.json"));
    m_directory.WriteFile("out/notes.txt", "mine");
    ASSERT_EQ(RunText(mix).status, 0);
    for (const auto* gone : {"client-0.pcap", "server-0.pcap", "timeline.csv", "trace.json"})
    {
        EXPECT_FALSE(Has(gone)) << gone;
    }
    EXPECT_TRUE(Has("notes.txt") && Has("rpc.csv") && Has("summary.json"));

    ASSERT_EQ(RunText(mix + "[sweep]\nlink.mtu = 1500, 9000\n").status, 0);
    EXPECT_FALSE(Has("rpc.csv") || Has("summary.json") || Has("mountstats.txt"));
    EXPECT_TRUE(Has("notes.txt") && Has("sweep.csv") && Has("points/1-s1"));

    ASSERT_EQ(RunText(mix + "[sweep]\nlink.mtu = 1500\n").status, 0);
    EXPECT_TRUE(Has("points/0-s1"));
    EXPECT_FALSE(Has("points/1-s1"));

    ASSERT_EQ(RunText(mix).status, 0);
    EXPECT_FALSE(Has("sweep.csv") || Has("sweep-summary.csv") || Has("points"));
    EXPECT_TRUE(Has("notes.txt") && Has("rpc.csv"));
}

TEST_F(AfterRunFaultTest, UnfinishedResultsAreNotMixedWithARun)
{
    const std::string mix = "[cluster]\nclients = 1\n[workload]\nkind = mix\noperations = 20\n"
                            "files = 2\nfile_size = 4096\n";
    ASSERT_EQ(RunText(mix + "[sweep]\nlink.mtu = 1500, 9000\n", {"--shard", "1/2"}).status, 0);
    const auto result = RunText(mix);
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.errors, HasSubstr("no unfinished results there"));
    EXPECT_FALSE(Has("rpc.csv"));
}

TEST_F(AfterRunFaultTest, MountstatsSaysHowManyConnections)
{
    for (const auto* version : {"2", "3", "4.0", "4.1", "4.2"})
    {
        for (const auto* count : {"1", "2", "4"})
        {
            SCOPED_TRACE(std::string(version) + " " + count);
            const auto result = RunText("[cluster]\nclients = 1\n[workload]\nkind = mix\n"
                                        "operations = 5\nfiles = 2\nfile_size = 4096\n[nfs]\n"
                                        "version = " +
                                        std::string(version) + "\nnconnect = " + count + "\n");
            EXPECT_EQ(result.status, 0) << result.errors;
            const auto stats = m_directory.ReadFile("out/mountstats.txt");
            const std::string option = std::string(",proto=rdma,nconnect=") + count + ",port=";
            EXPECT_THAT(stats,
                        std::string(count) == "1" ? Matcher<std::string>(Not(HasSubstr("nconnect")))
                                                  : Matcher<std::string>(HasSubstr(option)));
        }
    }
}

TEST_F(AfterRunFaultTest, RefusalsSpeakOfKeysAlone)
{
    for (const auto* value : {"bssplit=foo", "bssplit=4096:0", "bssplit=4096:1,x:2", "bssplit=0:1"})
    {
        const auto result = RunFault("failed-io-rate", {"--set", std::string("workload.") + value});
        EXPECT_EQ(result.status, 2) << value;
        EXPECT_THAT(result.errors, HasSubstr("expected")) << value;
        EXPECT_THAT(result.errors, HasSubstr("workload.bs:")) << value;
        for (const auto* type : {"BlockSize", "std::", "ns3::", "basic_string"})
        {
            EXPECT_THAT(result.errors, Not(HasSubstr(type))) << value;
        }
    }
}

} // namespace

} // namespace ns3::nfsrdma
