/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-test.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

/// \return "1st", "2nd", ...
std::string
OrdinalOfReply(uint32_t number)
{
    const std::string digits = std::to_string(number);
    const bool teens = number % 100 >= 11 && number % 100 <= 13;
    const uint32_t last = teens ? 0 : number % 10;
    return digits + (last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

/// A small workload, and the operations whose replies it gets while it is under way.
struct ReplayedWork
{
    const char* name;
    const char* section;
    std::vector<const char*> operations;
};

constexpr const char* REPLAYED_MIX =
    "kind = mix\n"
    "operations = 60\n"
    "operation_mix = create:3,write:2,read:2,remove:2,setattr:1,lookup:1\n"
    "io_sizes = 4096:1,512:1\n"
    "files = 8\n"
    "file_size = 8KiB\n"
    "symlinks = 2\n";
constexpr const char* REPLAYED_TREES = "kind = mdtest\n"
                                       "items = 3\n"
                                       "tasks = 2\n"
                                       "write_bytes = 1000B\n";
constexpr const char* REPLAYED_JOBS = "kind = fio\n"
                                      "readwrite = randrw\n"
                                      "requests = 30\n"
                                      "size = 64KiB\n"
                                      "numjobs = 2\n"
                                      "fsync = 5\n";
constexpr const char* REPLAYED_LOCKS = "kind = lock\n"
                                       "requests = 15\n"
                                       "iodepth = 2\n"
                                       "lock_records = 3\n"
                                       "lock_shared_fraction = 0.3\n";

std::vector<ReplayedWork>
GetReplayedWorks(const std::string& version)
{
    if (version == "2" || version == "3")
    {
        return {{"mix", REPLAYED_MIX, {"CREATE", "WRITE", "READ", "REMOVE", "SETATTR", "SYMLINK"}},
                {"mdtest", REPLAYED_TREES, {"MKDIR", "RMDIR", "REMOVE", "LOOKUP"}},
                {"fio", REPLAYED_JOBS, {"WRITE", "READ"}}};
    }
    std::vector<ReplayedWork> works{
        {"mix",
         REPLAYED_MIX,
         {"OPEN", "WRITE", "READ", "REMOVE", "SETATTR", "CREATE", "DELEGRETURN"}},
        {"mdtest", REPLAYED_TREES, {"OPEN", "CLOSE", "CREATE", "REMOVE", "DELEGRETURN"}},
        {"fio", REPLAYED_JOBS, {"WRITE", "COMMIT"}},
        {"lock", REPLAYED_LOCKS, {"LOCK", "LOCKU", "WRITE", "READ"}}};
    auto& first = works.front().operations;
    const std::vector<const char*> begins =
        version == "4.0"
            ? std::vector<const char*>{"OPEN_CONFIRM", "SETCLIENTID", "SETCLIENTID_CONFIRM"}
            : std::vector<const char*>{"EXCHANGE_ID", "CREATE_SESSION", "RECLAIM_COMPLETE"};
    first.insert(first.end(), begins.begin(), begins.end());
    return works;
}

/**
 * Replies that are lost with their connection, or with their segment: the call is made again, and
 * what the server answers from a replay cache (a slot, an owner's seqid, duplicate requests) must
 * leave everything behind it as the first time.
 */
class ReplayedState : public FaultTest, public ::testing::WithParamInterface<const char*>
{
  protected:
    [[nodiscard]] static std::string MakeScenario(const ReplayedWork& work,
                                                  const std::string& fault)
    {
        const bool locks = std::string(work.name) == "lock";
        return std::string("[cluster]\nclients = ") + (locks ? "3" : "1") +
               "\nstall_limit = 200s\n[nfs]\nversion = " + GetParam() + "\n[workload]\n" +
               work.section + "[faults]\nlost = " + fault + "\n";
    }

    /// The latest run ended well, nothing failed, and the fault happened.
    void ExpectAllDone(const ProcessResult& result, bool struck) const
    {
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        const auto summary = Summary();
        EXPECT_EQ(summary["verification"]["failed_operations"], 0);
        EXPECT_EQ(summary["verification"]["exports"]["uncertain_octets"], 0);
        for (const auto& [what, left] : summary["leftovers"].items())
        {
            EXPECT_EQ(left, 0) << what;
        }
        if (struck)
        {
            EXPECT_GT(summary["faults"]["plan"][0]["firings"].get<uint32_t>(), 0U);
        }
    }

    /// Each operation of each small work, with \p fault made of "Nth nfs OP reply".
    void LoseEach(const std::vector<uint32_t>& numbers, const std::string& what) const
    {
        for (const ReplayedWork& work : GetReplayedWorks(GetParam()))
        {
            for (const char* operation : work.operations)
            {
                for (const uint32_t number : numbers)
                {
                    const std::string fault =
                        OrdinalOfReply(number) + " nfs " + operation + " reply: " + what;
                    SCOPED_TRACE(std::string(work.name) + ": " + fault);
                    ExpectAllDone(RunText(MakeScenario(work, fault)), number == 1);
                }
            }
        }
    }
};

TEST_P(ReplayedState, FirstReplyOfEachOperation)
{
    LoseEach({1}, "qp-error on client-0");
}

TEST_P(ReplayedState, ManyRepliesOfAnyOperation)
{
    for (const ReplayedWork& work : GetReplayedWorks(GetParam()))
    {
        SCOPED_TRACE(work.name);
        // With eight calls outstanding a session gets further only when a connection carries 17
        // replies: BIND_CONN_TO_SESSION, RETRY_UNCACHED_REP for each, and those to the calls anew.
        ExpectAllDone(RunText(MakeScenario(work, "every 19th nfs reply: qp-error on client-0")),
                      true);
        ExpectAllDone(RunText(MakeScenario(work, "every 5th nfs reply: drop")), true);
    }
}

/// The scenario of observed-threshold with more losses, by one client and by three.
TEST_P(ReplayedState, ConnectionsLostInALargeMix)
{
    for (const char* clients : {"1", "3"})
    {
        SCOPED_TRACE(clients);
        const auto result = RunFault("observed-threshold",
                                     {"--set",
                                      std::string("nfs.version=") + GetParam(),
                                      "--set",
                                      std::string("cluster.clients=") + clients,
                                      "--set",
                                      "workload.operations=800",
                                      "--set",
                                      "faults.f=every 100th rpc-call: qp-error on client-0"});
        ExpectAllDone(result, true);
    }
}

const auto REPLAYED_VERSION_NAME = [](const auto& info) {
    std::string name = std::string("V") + info.param;
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
};

INSTANTIATE_TEST_SUITE_P(Versions,
                         ReplayedState,
                         ::testing::Values("2", "3", "4.0", "4.1", "4.2"),
                         REPLAYED_VERSION_NAME);

class ReplayedOpen : public FaultTest
{
};

TEST_F(ReplayedOpen, LeavesTheFileAsCurrentFilehandle)
{
    const auto result = RunFault("open-replay-v40");
    EXPECT_EQ(result.status, 0) << result.output;
    const auto summary = Summary();
    EXPECT_EQ(summary["verification"]["failed_operations"], 0);
    EXPECT_EQ(summary["faults"]["plan"][0]["firings"], 1);
}

TEST_F(ReplayedOpen, ManySeedsOfALargeMix)
{
    for (const char* seed : {"1", "2", "3", "4", "5", "6"})
    {
        SCOPED_TRACE(seed);
        const auto result =
            RunFault("observed-threshold",
                     {"--set", "nfs.version=4.0", "--set", std::string("cluster.seed=") + seed});
        EXPECT_EQ(result.status, 0) << result.output;
        EXPECT_EQ(Summary()["verification"]["failed_operations"], 0);
    }
}

/// All of it: any of the first replies of each operation, lost in each way.
class NightlyReplayedState : public ReplayedState
{
};

TEST_P(NightlyReplayedState, AnyReplyLostWithItsConnection)
{
    LoseEach({1, 2, 3, 5, 8, 13, 21}, "qp-error on client-0");
}

TEST_P(NightlyReplayedState, AnyReplyLostByTheServer)
{
    LoseEach({1, 2, 4, 7, 11}, "qp-error on server-0");
}

TEST_P(NightlyReplayedState, AnyReplyLostWithItsSegment)
{
    LoseEach({1, 3, 9}, "drop");
}

TEST_P(NightlyReplayedState, RnicsThatAreReset)
{
    LoseEach({2, 6}, "rnic-reset for 1ms on client-0");
}

INSTANTIATE_TEST_SUITE_P(Nightly,
                         NightlyReplayedState,
                         ::testing::Values("2", "3", "4.0", "4.1", "4.2"),
                         REPLAYED_VERSION_NAME);

} // namespace

} // namespace ns3::nfsrdma
