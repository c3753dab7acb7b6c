/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-test.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::AnyOf;
using ::testing::HasSubstr;

/// A run has stalled when nothing pending can help, and whatever ends says why.
class StallFaultTest : public FaultTest
{
  protected:
    /// \return lines of \p text.
    [[nodiscard]] static std::size_t CountLines(const std::string& text)
    {
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }
};

TEST_F(StallFaultTest, ATimeoutThatIsPendingIsNoStall)
{
    const auto result = RunFault("call-in-service");
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_GT(Summary()["simulated_s"], 60);
    EXPECT_LT(Summary()["simulated_s"], 61);
}

TEST_F(StallFaultTest, WhateverIsPendingIsWaitedFor)
{
    const std::string mix = "[workload]\nkind = mix\noperations = 40\nqueue_depth = 2\n"
                            "files = 4\nfile_size = 4096\n";
    const std::vector<std::pair<std::string, std::string>> cases{
        {"lost reply", "[faults]\nlost = 30th nfs reply: drop\nwith = 30th rdma-msg: drop\n" + mix},
        {"storage stall", "[faults]\nslow = at 1ms on server-0: storage-stall for 400s\n" + mix},
        {"thread stall", "[faults]\nslow = at 1ms on server-0: thread-stall for 400s\n" + mix},
        {"link down", "[faults]\ndown = at 1ms on client-0: link-down for 200s\n" + mix},
        {"crash", "[faults]\nreboot = at 1ms: crash for 200s on server-0\n" + mix},
        {"short limit",
         "[faults]\nreboot = at 1ms: crash for 200s on server-0\n[nfs]\nversion = 4.1\n" + mix},
        {"slow link",
         "[link]\nrate = 1Mbps\n[workload]\nkind = fio\nreadwrite = write\n"
         "direct = true\nbs = 1MiB\nsize = 2MiB\niodepth = 2\n[nfs]\ntransfer_size = 1MiB\n"},
        {"late start", mix + "start_delay = 100s\n"},
        {"held lock",
         "[nfs]\nversion = 4.1\n[workload]\nkind = lock\nrequests = 4\niodepth = 2\n"
         "lock_hold_time = 100s\n"}};
    for (const auto& [name, text] : cases)
    {
        SCOPED_TRACE(name);
        const auto result = RunText("[cluster]\nclients = 1\nstall_limit = 10s\n" + text);
        EXPECT_THAT(result.status, AnyOf(0, 1)) << result.errors;
    }
}

TEST_F(StallFaultTest, AttemptsAfterTheEndOfAFaultAreWaitedFor)
{
    for (const std::string& limit : std::vector<std::string>{"100ms", "2s", "30s"})
    {
        for (const std::string& version : std::vector<std::string>{"3", "4.1"})
        {
            SCOPED_TRACE(limit + ", NFSv" + version);
            const auto result = RunText(
                "[cluster]\nclients = 1\n[workload]\nkind = mix\noperations = 40\n"
                "queue_depth = 2\nfiles = 4\nfile_size = 4096\n"
                "[faults]\ndown = at 1ms on client-0: link-down for 200s\n",
                {"--set", "cluster.stall_limit=" + limit, "--set", "nfs.version=" + version});
            EXPECT_EQ(result.status, 0) << result.errors;
        }
    }
}

TEST_F(StallFaultTest, CopiesEndHoweverSoonTheirStatusIsAskedFor)
{
    // CB_OFFLOADs go one after the other: of sixteen copies some come later than the question.
    const std::string text = "[cluster]\nclients = 2\n[nfs]\nversion = 4.2\n"
                             "transfer_size = 64KiB\n[workload]\nkind = mix\noperations = 60\n"
                             "operation_mix = getattr:2,read:3,write:3,copy:4\n"
                             "queue_depth = 16\nfiles = 4\nfile_size = 1MiB\n"
                             "io_sizes = 1048576:1,65536:1\n";
    for (const std::string& way : std::vector<std::string>{"1us", "800us", "25ms"})
    {
        uint64_t copies = 0;
        for (const std::string& delay : std::vector<std::string>{"0ns", "20us", "1ms", "50ms"})
        {
            SCOPED_TRACE(way + ", " + delay);
            const auto result = RunText(
                text,
                {"--set", "link.delay=" + way, "--set", "nfs.offload_status_delay=" + delay});
            ASSERT_EQ(result.status, 0) << result.errors << result.output;
            const auto rows = Table("rpc.csv");
            const auto count =
                static_cast<uint64_t>(std::count_if(rows.begin(), rows.end(), [](const auto& row) {
                    return row.at("operation") == "COPY";
                }));
            copies = copies == 0 ? count : copies;
            EXPECT_EQ(count, copies) << "none is made again";
        }
    }
}

TEST_F(StallFaultTest, AStallNamesItsLimitAndWhatWouldHaveHappened)
{
    // A hard client whose server never comes back.
    const auto result = RunText("[cluster]\nclients = 1\n[workload]\nkind = mix\n"
                                "operations = 40\nfiles = 4\nfile_size = 4096\n"
                                "[faults]\ndown = at 1ms on client-0: link-down for 100000s\n"
                                "[output]\nrpc_csv = false\n",
                                {"--set", "rpcrdma.client_reconnect_delay_max=30s"});
    EXPECT_EQ(result.status, 0) << "a link that comes back is waited for: " << result.errors;
    const auto never = RunText("[cluster]\nclients = 1\nservers = 1\n[middlebox]\nat = servers\n"
                               "mtu = 1500\nblack_hole = true\n[link]\nmtu = 9000\n"
                               "[workload]\nkind = fio\nreadwrite = write\ndirect = true\n"
                               "bs = 64KiB\nsize = 64KiB\n");
    EXPECT_EQ(never.status, 3);
    EXPECT_THAT(never.errors, HasSubstr("stalled at "));
    EXPECT_THAT(never.errors, AnyOf(HasSubstr("cluster.stall_"), HasSubstr("no event is left")));
    EXPECT_THAT(never.errors, HasSubstr("what would have happened next:\n  at "));
    EXPECT_THAT(Summary()["stall"]["reason"].get<std::string>(), HasSubstr("cluster.stall_"));
    EXPECT_FALSE(Summary()["stall"]["pending"].empty());
}

TEST_F(StallFaultTest, DeadConnectionsAgeAndEqualLinesAreOne)
{
    const auto result = RunFault("black-hole", {"--set", "nfs.max_connections=100000"});
    EXPECT_EQ(result.status, 3);
    EXPECT_LE(CountLines(result.errors), 20U) << result.errors;
    uint64_t aged = 0;
    const auto summary = Summary();
    for (const auto& host : summary["ends"])
    {
        if (host["host"] == "server-0")
        {
            aged = host["connections"]["nothing was received for server_age_period"];
        }
    }
    EXPECT_GT(aged, 0U);
    EXPECT_THAT(result.errors, HasSubstr(" times as: server-0: connection "));
}

/// Where there are too many of them for a server before they age, the oldest goes for each
/// newcomer.
TEST_F(StallFaultTest, DeadConnectionsGoForNewcomers)
{
    const auto result = RunFault("black-hole", {"--set", "cluster.stall_connections=200"});
    EXPECT_EQ(result.status, 3);
    EXPECT_THAT(result.errors, HasSubstr("connections ended: closed for a newcomer: "));
    EXPECT_THAT(Summary()["stall"]["reason"].get<std::string>(),
                HasSubstr("cluster.stall_connections"));
}

TEST_F(StallFaultTest, AgeingSparesConnectionsInUse)
{
    const std::string text = "[cluster]\nclients = 1\n[workload]\nkind = mix\noperations = 20\n"
                             "thinktime = 300ms\nfiles = 2\nfile_size = 4096\n";
    const auto used = RunText(text, {"--set", "rpcrdma.server_age_period=1s"});
    EXPECT_EQ(used.status, 0) << used.errors;
    EXPECT_EQ(Summary()["connections_lost"], 0);
    // Silent for a whole period: closed, made anew, and all is done.
    const auto silent = RunText(text, {"--set", "rpcrdma.server_age_period=50ms"});
    EXPECT_EQ(silent.status, 0) << silent.errors;
    EXPECT_GT(Summary()["connections_lost"], 0);
    const auto never = RunText(text, {"--set", "rpcrdma.server_age_period=0s"});
    EXPECT_EQ(never.status, 0) << never.errors;
    EXPECT_EQ(Summary()["connections_lost"], 0);
}

TEST_F(StallFaultTest, EachEndSaysItsReasonAtTheEndThatDecidedIt)
{
    const std::string base = "[cluster]\nclients = 1\n[output]\ntimeline = 1ms\n[workload]\n"
                             "kind = mix\noperations = 40\nqueue_depth = 2\nfiles = 2\n"
                             "file_size = 64KiB\n";

    struct Case
    {
        const char* name;
        std::string text;
        const char* host;
        const char* reason;
    };

    const std::vector<Case> cases{
        {"timeout",
         "[rpcrdma]\nclient_timeout = 100ms\n[faults]\nslow = at 1ms on server-0: thread-stall "
         "for 150ms\n",
         "client-0",
         "lost: no reply in client_timeout"},
        {"credits",
         "[rpcrdma]\nserver_age_period = 30ms\n[faults]\nslow = at 1ms on client-0: link-down for "
         "40ms\n",
         "server-0",
         "closed: "},
        {"crash",
         "[faults]\nreboot = at 1ms: crash for 30ms on server-0\n",
         "server-0",
         "closed: the server has crashed"},
        {"qp",
         "[faults]\ncut = at 1ms: qp-error on client-0\n",
         "client-0",
         "lost: terminate sent: "},
        {"its peer",
         "[faults]\ncut = at 1ms: qp-error on client-0\n",
         "server-0",
         "closed: terminate received: "},
        {"path",
         "[faults]\ndown = at 1ms on client-0: link-down for 5s\n",
         "client-0",
         "lost: given up by TCP without an answer (tcp.data_retries)"},
        {"stop",
         "[faults]\nstop = at 1ms: restart for 5ms on server-0\n",
         "client-0",
         "lost: closed by the other host (FIN)"},
        {"no RNIC",
         "[faults]\nno = at 1ms: rnic-reset for 5ms on client-0\n",
         "client-0",
         "lost: the RNIC is gone"}};
    for (const auto& one : cases)
    {
        SCOPED_TRACE(one.name);
        const auto result = RunText(base + one.text);
        EXPECT_THAT(result.status, AnyOf(0, 1)) << result.errors;
        bool found = false;
        for (const auto& row : Table("events.csv"))
        {
            found =
                found || (row.at("host") == one.host && row.at("what").rfind(one.reason, 0) == 0);
        }
        EXPECT_TRUE(found) << m_directory.ReadFile("out/events.csv").substr(0, 2000);
    }
}

/// xprt_reconnect_delay() and call_connect_status() of net/sunrpc: a device that is gone for 5 ms
/// costs a client that cannot try 5 s, and one that tries in vain 3 s.
TEST_F(StallFaultTest, ARemovedDeviceCostsWhatClientsWaitBeforeTheyConnectAgain)
{
    struct Case
    {
        const char* host;
        const char* delays;
        double seconds;
    };

    for (const auto& one : {Case{"client-0", "", 5},
                            Case{"client-0", "client_reconnect_delay = 20ms\n", 0.02},
                            Case{"client-0", "client_retry_delay = 20ms\n", 5},
                            Case{"server-0", "", 3},
                            Case{"server-0", "client_retry_delay = 20ms\n", 0.02},
                            Case{"server-0", "client_reconnect_delay = 20ms\n", 3}})
    {
        SCOPED_TRACE(std::string(one.host) + " " + one.delays);
        const auto result = RunText(std::string("[cluster]\nclients = 2\n[workload]\nkind = mix\n"
                                                "operations = 200\nfiles = 4\nqueue_depth = 4\n"
                                                "[faults]\ngone = at 1ms: rnic-remove on ") +
                                    one.host + " for 5ms\n[rpcrdma]\n" + one.delays);
        EXPECT_EQ(result.status, 0) << result.errors;
        EXPECT_NEAR(Summary()["simulated_s"].get<double>(), one.seconds, 0.006);
    }
}

TEST_F(StallFaultTest, ConnectionsThatAnRnicCanNotHaveAreRefusedByFileAndLine)
{
    const std::string workload = "[nfs]\nnconnect = 2\n[workload]\nkind = mix\noperations = 4\n"
                                 "files = 1\nfile_size = 4096\n";
    const std::vector<std::pair<std::string, const char*>> cases{
        {"[cluster]\nclients = 1\n[rnic few]\nhosts = servers\nmax_qps = 1\n",
         "scenario.ini:5: rnic few.max_qps: got '1', expected at least 2, 1 for each of a "
         "server's 2 connections (nfs.nconnect)"},
        {"[cluster]\nclients = 3\nservers = 2\n[rnic few]\nhosts = server-0\nmax_cqs = 7\n",
         "scenario.ini:6: rnic few.max_cqs: got '7', expected at least 8, 2 for each of a "
         "server's 4 connections (nfs.nconnect)"},
        {"[cluster]\nclients = 2\n[rnic few]\nhosts = client-1\nmax_pds = 1\n",
         "scenario.ini:5: rnic few.max_pds: got '1', expected at least 2, 1 for each of a "
         "client's 2 connections (nfs.nconnect)"}};
    for (const auto& [text, line] : cases)
    {
        const auto result = RunText(text + workload);
        EXPECT_EQ(result.status, 2) << text;
        EXPECT_THAT(result.errors, HasSubstr(line));
    }
    const auto result = RunText("[cluster]\nclients = 3\nservers = 2\n[rnic few]\n"
                                "hosts = server-1\nmax_qps = 2\nmax_cqs = 4\n" +
                                workload);
    EXPECT_EQ(result.status, 0) << result.errors;
}

TEST_F(StallFaultTest, EndsCountTheErrorsOfHeadersByHost)
{
    const std::string cluster = "[cluster]\nclients = 2\n[workload]\nkind = mix\noperations = 40\n"
                                "files = 1\nfile_size = 4096\n";
    const auto clean = RunText(cluster);
    ASSERT_EQ(clean.status, 0) << clean.errors;
    EXPECT_TRUE(Summary()["ends"].empty());
    const auto spoilt =
        RunText(cluster + "[adversary bad]\nrole = malformed-calls\nhosts = client-1\n");
    ASSERT_EQ(spoilt.status, 0) << spoilt.errors;
    const auto ends = Summary()["ends"];
    ASSERT_EQ(ends.size(), 1U);
    EXPECT_EQ(ends[0]["host"], "server-0");
    EXPECT_EQ(ends[0]["errors"]["sent: ERR_CHUNK, for what cannot be served"], 2);
    EXPECT_THAT(spoilt.output, HasSubstr("server-0: 2 errors sent"));
}

TEST_F(StallFaultTest, ServersCountWhatTheyDropByReason)
{
    const auto result = RunFault("call-in-service");
    EXPECT_EQ(result.status, 0);
    uint64_t duplicates = 0;
    const auto summary = Summary();
    for (const auto& host : summary["ends"])
    {
        if (host["host"] == "server-0")
        {
            duplicates = host["messages_dropped"].value("duplicate in service", 0);
        }
    }
    EXPECT_GT(duplicates, 0U);
}

TEST_F(StallFaultTest, ASweepTellsWhichFaultsNeverStruck)
{
    const auto result = RunFault("fault-never-struck");
    EXPECT_EQ(result.status, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("down never happened in 10 of 10 runs"));
    const auto rows = Table("sweep.csv");
    ASSERT_FALSE(rows.empty());
    EXPECT_THAT(m_directory.ReadFile("out/sweep.csv"), HasSubstr(",firings_down,"));
    EXPECT_THAT(m_directory.ReadFile("out/sweep-summary.csv"), HasSubstr(",firings_down,"));
    const auto early = RunFault("fault-never-struck", {"--set", "workload.requests=64"});
    EXPECT_EQ(early.status, 0);
}

} // namespace

} // namespace ns3::nfsrdma
