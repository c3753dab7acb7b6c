/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <sstream>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

struct AnsweredCall
{
    const char* name;
    const char* version;
    const char* operation;
    const char* status;
    uint64_t failed; ///< Operations of the workload that end with it; 0: the client tries again.
};

/// A server that answers a call with an error and does nothing (fault "answer").
class AnsweredCallsTest : public SimulatorTest
{
  protected:
    ProcessResult RunMix(const std::string& version, const std::string& sentence)
    {
        m_directory.WriteFile("mix.ini",
                              "[nfs]\nversion = " + version +
                                  "\n[workload]\nkind = mix\noperations = 400\nfiles = 4\n"
                                  "file_size = 16KiB\nsymlinks = 2\nqueue_depth = 4\n"
                                  "io_sizes = 4096:1\n"
                                  "operation_mix = read:4,write:4,getattr:2,create:2,remove:2\n"
                                  "[faults]\nrefusal = " +
                                  sentence + "\n");
        return Run({"run", "mix.ini", "--out", "out"});
    }

    /// \return how many calls failed in the workload or its set-up for the reason \p status.
    [[nodiscard]] uint64_t CountRefusals(const nlohmann::json& summary,
                                         const std::string& status) const
    {
        const auto& reasons = summary["failed"]["reasons"];
        return reasons.contains(status) ? reasons[status].get<uint64_t>() : 0;
    }
};

class OneAnsweredCallTest : public AnsweredCallsTest,
                            public ::testing::WithParamInterface<AnsweredCall>
{
};

/// The call is there with its status, no data are lost, and what the client does is what Linux
/// does: it tries again, or tells the program.
TEST_P(OneAnsweredCallTest, EndsAsLinuxHasIt)
{
    const auto& call = GetParam();
    const std::string status = call.status;
    const auto result =
        RunMix(call.version,
               std::string("3rd nfs ") + call.operation + " call after 3ms: answer " + status);
    EXPECT_EQ(result.status, 0) << result.output << result.errors;
    const auto summary = m_directory.ReadJson("out/summary.json");
    EXPECT_EQ(summary["faults"]["plan"][0]["firings"], 1);
    EXPECT_EQ(CountRefusals(summary, status), 1) << summary["failed"];
    EXPECT_EQ(summary["verification"]["reads"]["mismatches"], 0);
    uint64_t failed = 0;
    for (const auto& item : summary["workloads"][0]["items"])
    {
        failed += item["errors"].get<uint64_t>();
    }
    EXPECT_EQ(failed, call.failed);
}

INSTANTIATE_TEST_SUITE_P(
    Calls,
    OneAnsweredCallTest,
    ::testing::Values(AnsweredCall{"GetattrStale2", "2", "GETATTR", "NFSERR_STALE", 1},
                      AnsweredCall{"CreateNospc2", "2", "CREATE", "NFSERR_NOSPC", 1},
                      AnsweredCall{"ReadJukebox3", "3", "READ", "NFS3ERR_JUKEBOX", 0},
                      AnsweredCall{"CreateJukebox3", "3", "CREATE", "NFS3ERR_JUKEBOX", 0},
                      AnsweredCall{"GetattrStale3", "3", "GETATTR", "NFS3ERR_STALE", 1},
                      AnsweredCall{"WriteNospc3", "3", "WRITE", "NFS3ERR_NOSPC", 1},
                      AnsweredCall{"ReadIo3", "3", "READ", "NFS3ERR_IO", 1},
                      AnsweredCall{"OpenDelay40", "4.0", "OPEN", "NFS4ERR_DELAY", 0},
                      AnsweredCall{"ReadDelay40", "4.0", "READ", "NFS4ERR_DELAY", 0},
                      AnsweredCall{"OpenNospc40", "4.0", "OPEN", "NFS4ERR_NOSPC", 1},
                      AnsweredCall{"OpenDelay41", "4.1", "OPEN", "NFS4ERR_DELAY", 0},
                      AnsweredCall{"SequenceDelay41", "4.1", "SEQUENCE", "NFS4ERR_DELAY", 0},
                      AnsweredCall{"WriteNospc41", "4.1", "WRITE", "NFS4ERR_NOSPC", 1},
                      AnsweredCall{"ReadIo42", "4.2", "READ", "NFS4ERR_IO", 1}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_F(AnsweredCallsTest, EveryFewthCallMayBeDelayed)
{
    for (const std::string version : {"3", "4.0", "4.1"})
    {
        const std::string status = version == "3" ? "NFS3ERR_JUKEBOX" : "NFS4ERR_DELAY";
        const auto result =
            RunMix(version, "nfs call with probability 0.1 after 3ms: answer " + status);
        EXPECT_EQ(result.status, 0) << version << result.output << result.errors;
        const auto summary = m_directory.ReadJson("out/summary.json");
        EXPECT_GT(CountRefusals(summary, status), 5) << version;
    }
}

TEST_F(AnsweredCallsTest, WhatMakesNoSenseIsRefused)
{
    const std::vector<std::pair<std::string, std::string>> refusals{
        {"3rd nfs READ call: answer NFS4ERR_DELAY", "an error of nfs.version 3 such as"},
        {"3rd nfs READ call: answer NFS3_OK", "an error of nfs.version 3 such as"},
        {"3rd nfs READ call: answer", "answer needs a status"},
        {"3rd nfs READ reply: answer NFS3ERR_IO", "a call of NFS to answer"},
        {"3rd nfs NULL call: answer NFS3ERR_IO", "a call of NFS to answer"},
        {"at 3ms: answer NFS3ERR_IO", "a call of NFS to answer"},
        {"3rd nfs READ call: answer NFS3ERR_IO on server-0", "whoever gets the call answers"},
        {"3rd nfs READ call: answer NFS3ERR_IO for 3ms", "answer has no duration"}};
    for (const auto& [sentence, expected] : refusals)
    {
        const auto result = RunMix("3", sentence);
        EXPECT_EQ(result.status, 2) << sentence;
        EXPECT_NE(result.errors.find(expected), std::string::npos) << sentence << result.errors;
        EXPECT_NE(result.errors.find("mix.ini:"), std::string::npos) << result.errors;
    }
}

} // namespace
} // namespace ns3::nfsrdma
