/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

/// A version of NFS and how it is carried.
using Carried = std::tuple<const char*, const char*>;

std::string
MakeSections(const Carried& carried)
{
    std::ostringstream text;
    text << "[cluster]\nclients = 2\nstall_limit = 20s\ntransport = " << std::get<1>(carried)
         << "\n[nfs]\nversion = " << std::get<0>(carried) << "\n";
    return text.str();
}

class ClientCrashTest : public SimulatorTest, public ::testing::WithParamInterface<Carried>
{
  protected:
    /// Runs it twice, the same way. \return summary.json
    nlohmann::json RunTwice(const std::string& text)
    {
        m_directory.WriteFile("a.ini", text);
        for (const char* const out : {"a", "b"})
        {
            const auto result = Run({"run", "a.ini", "--out", out});
            EXPECT_EQ(result.status, 0) << text << result.output << result.errors;
        }
        EXPECT_EQ(m_directory.ReadAll("a"), m_directory.ReadAll("b"));
        return m_directory.ReadJson("a/summary.json");
    }

    static void ExpectOnlyLostOnes(const nlohmann::json& summary, uint64_t most)
    {
        EXPECT_EQ(summary["verification"]["exports"]["mismatches"], 0);
        EXPECT_EQ(summary["verification"]["reads"]["mismatches"], 0);
        EXPECT_GE(summary["verification"]["failed_operations"].get<uint64_t>(), 1U);
        EXPECT_LE(summary["verification"]["failed_operations"].get<uint64_t>(), most);
        EXPECT_GE(summary["connections_lost"].get<uint64_t>(), 1U);
    }
};

/// What was under way is lost, all else is done, the files are as they should be.
TEST_P(ClientCrashTest, LosesWhatIsUnderWayAndGoesOn)
{
    for (const char* const call : {"3rd nfs READ", "20th nfs WRITE", "31st nfs GETATTR"})
    {
        const auto summary =
            RunTwice(MakeSections(GetParam()) +
                     "[workload]\nkind = mix\noperations = 200\nqueue_depth = 4\n"
                     "files = 4\nfile_size = 64KiB\nsymlinks = 2\n"
                     "operation_mix = read:3,write:3,getattr:2,create:1,remove:1\n"
                     "[faults]\ngone = " +
                     std::string(call) + " call from client-0: crash for 20ms on client-0\n");
        ExpectOnlyLostOnes(summary, 4);
    }
}

/// A workload that cannot make its files gives up; the run ends all the same.
TEST_P(ClientCrashTest, EndsAlsoWhenFilesAreBeingMade)
{
    const auto summary = RunTwice(MakeSections(GetParam()) +
                                  "[workload]\nkind = mix\noperations = 20\nfiles = 8\n"
                                  "file_size = 256KiB\nsymlinks = 2\n[faults]\ngone = 2nd nfs "
                                  "WRITE call from client-0: crash for 20ms on client-0\n");
    EXPECT_EQ(summary["verification"]["exports"]["mismatches"], 0);
    EXPECT_EQ(summary["connections_lost"], 1);
}

TEST_P(ClientCrashTest, LosesDirtyPages)
{
    const auto summary = RunTwice(
        MakeSections(GetParam()) +
        "[workload]\nkind = fio\nreadwrite = randrw\nbs = 16384\nsize = 1MiB\niodepth = 4\n"
        "requests = 300\nend_fsync = true\n[faults]\ngone = 20th nfs READ call from "
        "client-0: crash for 20ms on client-0\n");
    EXPECT_EQ(summary["verification"]["exports"]["mismatches"], 0);
    EXPECT_EQ(summary["verification"]["reads"]["mismatches"], 0);
}

/// What was kept of files from one open to the next, too; they are opened again.
TEST_P(ClientCrashTest, LosesWhatIsKeptOfFiles)
{
    const auto summary = RunTwice(MakeSections(GetParam()) +
                                  "[workload]\nkind = fio\nreadwrite = randread\nbs = 4096\n"
                                  "size = 64KiB\nnrfiles = 2\nreopen = 4\nrequests = 200\n"
                                  "thinktime = 50us\n[faults]\ngone = at 5ms: crash for 20ms on "
                                  "client-0\n");
    EXPECT_EQ(summary["verification"]["reads"]["mismatches"], 0);
    EXPECT_LE(summary["verification"]["failed_operations"].get<uint64_t>(), 4U);
    EXPECT_GT(summary["simulated_s"].get<double>(), 0.025);
}

class UnreachableClientTest : public SimulatorTest, public ::testing::WithParamInterface<Carried>
{
};

/// A client that is away for longer than its lease is a new one when it is back: what the server
/// had for calls to the old one is over, its connection too.
TEST_P(UnreachableClientTest, LeavesNothingWhenItsLeaseIsOver)
{
    m_directory.WriteFile(
        "a.ini",
        MakeSections(GetParam()) +
            "lease_time = 10s\n[workload]\nkind = mix\noperations = 120\n"
            "exports = shared\ndirectory = d\nfiles = 2\nfile_size = 16KiB\n"
            "thinktime = 20ms\nsystem_calls = true\n[faults]\ngone = 2nd nfs OPEN "
            "call from client-1: partition client-0 | server-0 for 15s\n");
    const auto result = Run({"run", "a.ini", "--out", "a"});
    EXPECT_EQ(result.output.find("tcp_sockets"), std::string::npos) << result.output;
    const auto summary = m_directory.ReadJson("a/summary.json");
    for (const auto& [kind, count] : summary["leftovers"].items())
    {
        EXPECT_EQ(count, 0) << kind;
    }
}

INSTANTIATE_TEST_SUITE_P(Versions,
                         UnreachableClientTest,
                         ::testing::Values(Carried{"4.0", "rdma"},
                                           Carried{"4.0", "tcp"},
                                           Carried{"4.1", "rdma"},
                                           Carried{"4.1", "tcp"}),
                         [](const auto& test) {
                             return std::string("V4_") + std::get<0>(test.param)[2] + "_" +
                                    std::get<1>(test.param);
                         });

INSTANTIATE_TEST_SUITE_P(Versions,
                         ClientCrashTest,
                         ::testing::Combine(::testing::Values("3", "4.0", "4.1"),
                                            ::testing::Values("rdma", "tcp")),
                         [](const auto& test) {
                             std::string name = std::get<0>(test.param);
                             name.erase(std::remove(name.begin(), name.end(), '.'), name.end());
                             return "V" + name + std::get<1>(test.param);
                         });

class ClientCrashScenarioTest : public SimulatorTest, public ::testing::WithParamInterface<Carried>
{
  protected:
    nlohmann::json RunScenario(const std::string& fault)
    {
        const auto result = Run({"run",
                                 NFSRDMA_SOURCE_DIR "/scenarios/losses/client-crash.ini",
                                 "--out",
                                 "out",
                                 "--set",
                                 std::string("nfs.version=") + std::get<0>(GetParam()),
                                 "--set",
                                 std::string("cluster.transport=") + std::get<1>(GetParam()),
                                 "--set",
                                 "faults.crash=" + fault});
        EXPECT_EQ(result.status, 0) << fault << result.output << result.errors;
        return m_directory.ReadJson("out/summary.json");
    }
};

/// Locks of the dead are there until the lease is over and somebody asks for them, or until their
/// client is back with another verifier.
TEST_P(ClientCrashScenarioTest, LocksOutliveTheirClient)
{
    const bool isNotified = std::string(std::get<0>(GetParam())) != "4.0";
    EXPECT_LT(RunScenario("none")["simulated_s"].get<double>(), 2);
    const std::string when = "5th nfs WRITE call from client-0: crash for ";
    const auto late = RunScenario(when + "15s on client-0");
    EXPECT_GT(late["simulated_s"].get<double>(), 15);
    EXPECT_LT(late["simulated_s"].get<double>(), isNotified ? 31 : 17);
    EXPECT_EQ(late["verification"]["exports"]["mismatches"], 0);
    EXPECT_EQ(late["verification"]["failed_operations"], 1);
    const auto soon = RunScenario(when + "1s on client-0");
    EXPECT_GT(soon["simulated_s"].get<double>(), 1);
    EXPECT_LT(soon["simulated_s"].get<double>(), isNotified ? 1.5 : 4);
    EXPECT_EQ(soon["verification"]["exports"]["mismatches"], 0);
    EXPECT_EQ(soon["verification"]["failed_operations"], 1);
}

INSTANTIATE_TEST_SUITE_P(Versions,
                         ClientCrashScenarioTest,
                         ::testing::Combine(::testing::Values("4.0", "4.1"),
                                            ::testing::Values("rdma", "tcp")),
                         [](const auto& test) {
                             std::string name = std::get<0>(test.param);
                             name.erase(std::remove(name.begin(), name.end(), '.'), name.end());
                             return "V" + name + std::get<1>(test.param);
                         });

} // namespace
} // namespace ns3::nfsrdma
