/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;

constexpr const char* LOCKS = NFSRDMA_SOURCE_DIR "/scenarios/clusters/file-locks.ini";

/// A version of NFS, and what of the scenario it has no use for.
struct LockCase
{
    std::string name;
    std::string version;
    bool hasLockManager{false};
};

/// Clients that count in records of a file that they share.
class LocksRunTest : public SimulatorTest, public ::testing::WithParamInterface<LockCase>
{
  protected:
    static constexpr int RECORDS = 3;

    [[nodiscard]] static std::string MakeVersion()
    {
        const std::string text = "[nfs]\nversion = " + GetParam().version + "\n";
        return GetParam().hasLockManager ? text + "local_lock = none\nmount = linux\n" : text;
    }

    [[nodiscard]] std::string MakeScenario() const
    {
        return "[cluster]\nclients = 3\n" + MakeVersion() +
               "[workload]\nkind = lock\nrequests = 20\niodepth = 2\nlock_records = 3\n"
               "lock_shared_fraction = 0.25\n";
    }
};

TEST_P(LocksRunTest, NoCountIsLost)
{
    m_directory.WriteFile("a.ini", MakeScenario());
    for (const char* const out : {"a", "b"})
    {
        const auto result = Run({"run", "a.ini", "--out", out});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
    }
    EXPECT_EQ(m_directory.ReadAll("a"), m_directory.ReadAll("b"));
    const auto summary = m_directory.ReadJson("a/summary.json");
    EXPECT_EQ(summary["verification"]["exports"]["mismatches"], 0);
    EXPECT_EQ(summary["verification"]["failed_operations"], 0);
    uint64_t sections = 0;
    for (const auto& workload : summary["workloads"])
    {
        for (const auto& item : workload["items"])
        {
            EXPECT_EQ(item["errors"], 0) << item["item"];
            sections += item["item"] == "lock" ? 0 : item["operations"].get<uint64_t>();
        }
    }
    EXPECT_EQ(sections, 60U);
}

/// Whatever is under way when the server crashes: a LOCK whose lock owner the server has forgotten
/// takes a seqid of its open owner when it is made again.
TEST_P(LocksRunTest, WhoWaitsForALockOutlivesACrashOfTheServer)
{
    for (const char* time : {"1500us", "1700us", "1900us", "2100us", "2300us", "2500us", "2700us"})
    {
        m_directory.WriteFile("a.ini",
                              "[cluster]\nclients = 2\n" + MakeVersion() +
                                  "[workload]\nkind = lock\nrequests = 20\n[faults]\na = at " +
                                  time + ": crash for 2ms on server-0\n");
        const auto result = Run({"run", "a.ini", "--out", "a"});
        EXPECT_EQ(result.status, 0) << time << result.output << result.errors;
    }
}

INSTANTIATE_TEST_SUITE_P(Versions,
                         LocksRunTest,
                         ::testing::Values(LockCase{"V2", "2", true},
                                           LockCase{"V3", "3", true},
                                           LockCase{"V40", "4.0", false},
                                           LockCase{"V41", "4.1", false},
                                           LockCase{"V42", "4.2", false}),
                         [](const auto& test) { return test.param.name; });

using LockRunTest = SimulatorTest;

TEST_F(LockRunTest, LocksThatTheServerDoesNotKnowLoseCounts)
{
    const auto result = Run({"run", LOCKS, "--out", "a", "--set", "nfs.local_lock=all"});
    EXPECT_EQ(result.status, 1) << result.output << result.errors;
    const auto summary = m_directory.ReadJson("a/summary.json");
    EXPECT_GT(summary["verification"]["exports"]["mismatches"], 0);
    EXPECT_EQ(summary["verification"]["failed_operations"], 0);
}

TEST_F(LockRunTest, FlockIsOfTheWholeFile)
{
    for (const char* const local : {"none", "posix"})
    {
        const auto result = Run({"run",
                                 LOCKS,
                                 "--out",
                                 local,
                                 "--set",
                                 "workload.lock_call=flock",
                                 "--set",
                                 std::string("nfs.local_lock=") + local});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
    }
    const auto result = Run({"run",
                             LOCKS,
                             "--out",
                             "flock",
                             "--set",
                             "workload.lock_call=flock",
                             "--set",
                             "nfs.local_lock=flock"});
    EXPECT_EQ(result.status, 1) << result.output << result.errors;
    EXPECT_THAT(m_directory.ReadFile("none/mountstats.txt"), HasSubstr("local_lock=none"));
    EXPECT_THAT(m_directory.ReadFile("posix/mountstats.txt"), HasSubstr("local_lock=posix"));
}

} // namespace

} // namespace ns3::nfsrdma
