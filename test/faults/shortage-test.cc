/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-test.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <gmock/gmock.h>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

/// Shortages wait: what runs out is shared, or waited for in turn; no RPC fails, no connection is
/// lost, and nobody starves.
class ShortagesWait : public FaultTest
{
  protected:
    void ExpectAllDone(const ProcessResult& result) const
    {
        ASSERT_EQ(result.status, 0) << result.errors << result.output;
        EXPECT_EQ(Summary()["errors"], 0) << result.output;
        EXPECT_EQ(Summary()["connections_lost"], 0) << result.output;
    }

    /// Sections for a device with so many memory regions on one side.
    static std::string Few(const std::string& hosts, uint32_t regions)
    {
        return "[rnic few]\nhosts = " + hosts + "\nmax_mrs = " + std::to_string(regions) + "\n";
    }
};

TEST_F(ShortagesWait, ConnectionsShareTheRegionsOfAServer)
{
    ExpectAllDone(RunFault("region-pool-nconnect"));
}

TEST_F(ShortagesWait, RepliesWaitForARegionToBeExposed)
{
    ExpectAllDone(RunFault("pull-no-region"));
}

TEST_F(ShortagesWait, HeadersAreBoundByTheInlineThresholdAlone)
{
    ExpectAllDone(RunFault("header-cap"));
    const auto result = RunFault("header-cap", {"--set", "rpcrdma.inline_threshold=1KiB"});
    EXPECT_EQ(result.status, 1) << result.output;
    EXPECT_THAT(result.output, ::testing::HasSubstr("the inline threshold is 1024"));
    EXPECT_EQ(Summary()["never_sent"].size(), 1U) << Summary()["never_sent"];
}

class EveryUseOfRegions
    : public ShortagesWait,
      public ::testing::WithParamInterface<std::tuple<const char*, const char*, uint32_t>>
{
};

TEST_P(EveryUseOfRegions, GoesOnWithFew)
{
    const auto [side, work, regions] = GetParam();
    const std::string name = work;
    std::string text = "[cluster]\nclients = 1\n" + Few(side, regions);
    if (name == "pulled")
    {
        text += "[rpcrdma]\nprofile = read-chunk-replies\n"
                "client_reply_mechanism = reply-chunk-never\n[workload]\nkind = listing\n"
                "list_directories = 1\nlist_entries = 200\nlist_count = 32768\n"
                "requests = 20\niodepth = 8\n";
    }
    else
    {
        text += "[nfs]\nnconnect = 4\n[workload]\nkind = fio\nreadwrite = " + name +
                "\ndirect = true\nbs = 65536\nsize = 1MiB\niodepth = 16\nrequests = 32\n";
    }
    ExpectAllDone(RunText(text));
}

INSTANTIATE_TEST_SUITE_P(Quick,
                         EveryUseOfRegions,
                         ::testing::Combine(::testing::Values("server-0", "client-0"),
                                            ::testing::Values("read", "write", "pulled"),
                                            ::testing::Values(1U, 2U, 4U)));

class EveryStrategy
    : public ShortagesWait,
      public ::testing::WithParamInterface<std::tuple<const char*, const char*, uint32_t>>
{
};

TEST_P(EveryStrategy, GoesOnWithFewRegions)
{
    const auto [strategy, work, regions] = GetParam();
    ExpectAllDone(RunText("[cluster]\nclients = 1\n" + Few("client-0", regions) +
                          "[nfs]\nnconnect = 2\n[rpcrdma]\nclient_registration_strategy = " +
                          strategy + "\n[workload]\nkind = fio\nreadwrite = " + work +
                          "\ndirect = true\nbs = 65536\nsize = 1MiB\niodepth = 8\n"
                          "requests = 24\n"));
}

constexpr const char* WAITING_STRATEGIES[] =
    {"frwr", "memory-window", "regular", "all-physical", "preregistered", "cache"};

INSTANTIATE_TEST_SUITE_P(Quick,
                         EveryStrategy,
                         ::testing::Combine(::testing::ValuesIn(WAITING_STRATEGIES),
                                            ::testing::Values("read", "write"),
                                            ::testing::Values(1U)));

INSTANTIATE_TEST_SUITE_P(Nightly,
                         EveryStrategy,
                         ::testing::Combine(::testing::ValuesIn(WAITING_STRATEGIES),
                                            ::testing::Values("read", "write"),
                                            ::testing::Values(2U, 4U)));

/// A counted resource, and how a scenario has few of it.
struct Resource
{
    const char* name;
    /// \return sections for \p pool of it; keys of [rpcrdma] are of all hosts.
    std::function<std::string(uint32_t pool)> few;
    uint32_t least{1};       ///< Of a pool that can do at all.
    const char* version{""}; ///< The only version that has it; empty: all.
};

std::string
Key(const char* key, uint32_t value)
{
    return std::string(key) + " = " + std::to_string(value) + "\n";
}

std::string
Section(const char* kind, const char* hosts, const std::string& keys)
{
    return std::string("[") + kind + " few]\nhosts = " + hosts + "\n" + keys;
}

const std::vector<Resource>&
GetResources()
{
    constexpr uint32_t RECEIVE = 4096;
    constexpr uint32_t CLIENTS = 3;
    // What the largest item of a call takes, and its neighbours.
    constexpr uint32_t PAGES = 20;
    static const std::vector<Resource> all{
        {"ClientRegions", [](uint32_t n) { return Section("rnic", "clients", Key("max_mrs", n)); }},
        {"ServerRegions", [](uint32_t n) { return Section("rnic", "servers", Key("max_mrs", n)); }},
        {"ClientQueues",
         [](uint32_t n) {
             return "[rpcrdma]\n" + Key("client_slots", n) +
                    Section("rnic", "clients", Key("max_queue_depth", n));
         },
         2},
        {"ClientCompletions",
         [](uint32_t n) { return Section("rnic", "clients", Key("max_cq_depth", n)); },
         2},
        {"ServerQueues",
         [](uint32_t n) {
             return "[rpcrdma]\n" + Key("server_send_queue_depth", n) + Key("server_credits", n) +
                    Key("server_backchannel_credits", 1) +
                    Section("rnic", "servers", Key("max_queue_depth", n));
         },
         2},
        {"ServerCompletions",
         [](uint32_t n) {
             return "[rpcrdma]\n" + Key("server_backchannel_credits", 1) +
                    Section("rnic", "servers", Key("max_cq_depth", n));
         },
         2},
        {"ServerSends",
         [](uint32_t n) { return "[rpcrdma]\n" + Key("server_send_queue_depth", n); },
         2},
        {"Ord", [](uint32_t n) { return Section("rnic", "servers", Key("max_ord", n)); }},
        {"Ird", [](uint32_t n) { return Section("rnic", "clients", Key("max_ird", n)); }},
        {"OutboundReads",
         [](uint32_t n) { return "[rpcrdma]\n" + Key("server_max_outbound_reads", n); }},
        {"ServerCredits", [](uint32_t n) { return "[rpcrdma]\n" + Key("server_credits", n); }},
        {"ClientSlots", [](uint32_t n) { return "[rpcrdma]\n" + Key("client_slots", n); }},
        {"ReverseCredits",
         [](uint32_t n) { return "[rpcrdma]\n" + Key("client_reverse_credits", n); },
         1,
         "4.1"},
        {"SessionSlots", [](uint32_t n) { return "[nfs]\n" + Key("session_slots", n); }, 1, "4.1"},
        {"Threads", [](uint32_t n) { return "[nfs]\n" + Key("threads", n); }},
        {"ClientPages",
         [](uint32_t n) { return Section("host", "clients", Key("max_pinned_pages", PAGES * n)); }},
        {"ServerPages",
         [](uint32_t n) { return Section("host", "servers", Key("max_pinned_pages", PAGES * n)); }},
        {"ClientBuffers",
         [](uint32_t n) {
             return "[rpcrdma]\nclient_registration_strategy = preregistered\n" +
                    Key("client_pool_buffers", n);
         }},
        {"ServerBuffers",
         [](uint32_t n) {
             return "[rpcrdma]\nserver_registration_strategy = preregistered\n" +
                    Key("server_pool_buffers", n);
         }},
        {"ClientCache",
         [](uint32_t n) {
             return "[host]\nreuse_buffers = true\n[rpcrdma]\n"
                    "client_registration_strategy = cache\n" +
                    Key("client_cache_capacity", n);
         }},
        {"ServerCache",
         [](uint32_t n) {
             return "[host]\nreuse_buffers = true\n[rpcrdma]\n"
                    "server_registration_strategy = cache\n" +
                    Key("server_cache_capacity", n);
         }},
        {"Windows",
         [](uint32_t n) {
             return "[rpcrdma]\nclient_registration_strategy = memory-window\n" +
                    Section("rnic", "clients", Key("max_windows", n));
         }},
        {"SharedReceives",
         [](uint32_t n) {
             return "[rpcrdma]\nserver_credit_grant = fair-share\n" +
                    Key("server_shared_receives", CLIENTS * n);
         }},
        {"ReceiveMemory",
         [](uint32_t n) {
             return "[rpcrdma]\nserver_receive_memory_limit = " +
                    std::to_string(CLIENTS * RECEIVE * n) + "B\n";
         }},
        {"ReadPads", [](uint32_t n) {
             return "[rpcrdma]\nclient_read_pad = last-segment\n" +
                    Section("rnic", "clients", Key("max_mrs", n));
         }}};
    return all;
}

/// Each counted resource, of which there are few: READs, WRITEs and READDIRs of three clients.
class EveryResource
    : public ShortagesWait,
      public ::testing::WithParamInterface<std::tuple<std::size_t, uint32_t, const char*>>
{
  public:
    static std::vector<ParamType> MakeCases(const std::vector<uint32_t>& pools,
                                            const std::vector<const char*>& versions)
    {
        std::vector<ParamType> cases;
        for (std::size_t number = 0; number < GetResources().size(); ++number)
        {
            const std::string only = GetResources()[number].version;
            for (const uint32_t pool : pools)
            {
                for (const char* version : versions)
                {
                    if (only.empty() || only == version)
                    {
                        cases.emplace_back(number, pool, version);
                    }
                }
            }
        }
        return cases;
    }

    static ParamType MakeCase(const std::string& name, uint32_t pool, const char* version)
    {
        const auto& all = GetResources();
        const auto found = std::find_if(all.begin(), all.end(), [&name](const Resource& resource) {
            return name == resource.name;
        });
        return {static_cast<std::size_t>(found - all.begin()), pool, version};
    }

    static std::string Name(const ::testing::TestParamInfo<ParamType>& info)
    {
        const std::string version = std::get<2>(info.param);
        return std::string(GetResources().at(std::get<0>(info.param)).name) +
               std::to_string(std::get<1>(info.param)) + "V" + version.substr(0, 1);
    }

  protected:
    /// Runs the case, each client with \p connections.
    void ExpectTurns(uint32_t connections)
    {
        const auto& [number, pool, version] = GetParam();
        const Resource& resource = GetResources().at(number);
        const auto result = RunText(
            "[cluster]\nclients = 3\n[workload]\nkind = mix\noperations = 120\n"
            "queue_depth = 8\noperation_mix = read:4,write:4,readdir:2\n"
            "io_sizes = 65537:1,1001:1\nfiles = 2\nfile_size = 256KiB\n"
            "start_spread = 0ns\n[nfs]\nversion = " +
            std::string(version) + "\n" + Key("nconnect", connections) + resource.few(pool));
        if (pool < resource.least * connections && result.status == 2)
        {
            EXPECT_THAT(result.errors, ::testing::HasSubstr("scenario.ini:"));
            EXPECT_THAT(result.errors, ::testing::HasSubstr("expected "));
            return;
        }
        ExpectAllDone(result);
        ExpectFairShares();
    }

    /// Expects that none has less than half of its share of what ends while all are at work.
    void ExpectFairShares() const
    {
        std::map<std::string, std::vector<uint64_t>> ends;
        for (const auto& row : Table("rpc.csv"))
        {
            if (row.at("operation").rfind("READ", 0) == 0 || row.at("operation") == "WRITE")
            {
                ends[row.at("client")].push_back(std::stoull(row.at("complete_ns")));
            }
        }
        ASSERT_EQ(ends.size(), 3U);
        uint64_t begin = 0;
        uint64_t end = UINT64_MAX;
        for (auto& [client, times] : ends)
        {
            std::sort(times.begin(), times.end());
            begin = std::max(begin, times.front());
            end = std::min(end, times.back());
        }
        std::map<std::string, std::ptrdiff_t> counts;
        std::ptrdiff_t all = 0;
        for (const auto& [client, times] : ends)
        {
            counts[client] = std::count_if(times.begin(), times.end(), [begin, end](uint64_t time) {
                return time >= begin && time <= end;
            });
            all += counts[client];
        }
        for (const auto& [client, count] : counts)
        {
            EXPECT_GE(2 * 3 * count, all) << "client-" << client << " has " << count;
        }
    }
};

TEST_P(EveryResource, IsWaitedForInTurn)
{
    ExpectTurns(1);
}

INSTANTIATE_TEST_SUITE_P(Quick,
                         EveryResource,
                         ::testing::ValuesIn(EveryResource::MakeCases({1}, {"4.1"})),
                         EveryResource::Name);

// The receive queue has room before the completion queue has been read.
INSTANTIATE_TEST_SUITE_P(ReceivesNotTaken,
                         EveryResource,
                         ::testing::Values(EveryResource::MakeCase("ServerCompletions", 4, "3")),
                         EveryResource::Name);

INSTANTIATE_TEST_SUITE_P(Nightly,
                         EveryResource,
                         ::testing::ValuesIn(EveryResource::MakeCases({1, 2, 4}, {"3", "4.1"})),
                         EveryResource::Name);

/// As EveryResource, which several connections of a client share.
class EveryResourceOfConnections : public EveryResource
{
};

TEST_P(EveryResourceOfConnections, IsWaitedForInTurn)
{
    ExpectTurns(2);
}

INSTANTIATE_TEST_SUITE_P(Quick,
                         EveryResourceOfConnections,
                         ::testing::Values(EveryResource::MakeCase("Windows", 1, "3")),
                         EveryResource::Name);

INSTANTIATE_TEST_SUITE_P(Nightly,
                         EveryResourceOfConnections,
                         ::testing::ValuesIn(EveryResource::MakeCases({1, 2}, {"3", "4.1"})),
                         EveryResource::Name);

TEST_F(ShortagesWait, SmallQueuesOfCallsThatNeedManyWorkRequests)
{
    for (const uint32_t depth : {2U, 3U, 5U, 8U})
    {
        SCOPED_TRACE(depth);
        ExpectAllDone(RunText("[cluster]\nclients = 1\n[rpcrdma]\n"
                              "profile = read-chunk-replies\nclient_region_pages = 1\n"
                              "client_slots = 2\n" +
                              Section("rnic", "clients", Key("max_queue_depth", depth)) +
                              "[nfs]\ntransfer_size = 32KiB\n[workload]\nkind = fio\nreadwrite = "
                              "randrw\ndirect = true\n"
                              "bs = 32768\nsize = 256KiB\niodepth = 8\nrequests = 32\n"));
    }
}

/// A late reply takes a Receive, too: where none is spare, a cancelled call keeps its credit.
TEST_F(ShortagesWait, LateRepliesOfCancelledCallsWhereNoReceiveIsSpare)
{
    for (const uint32_t depth : {5U, 6U, 8U})
    {
        for (const char* patience : {"5us", "10us", "15us", "25us"})
        {
            SCOPED_TRACE(std::to_string(depth) + ", " + patience);
            const auto result =
                RunText("[cluster]\nclients = 1\n[rpcrdma]\n" + Key("client_slots", 3) +
                        Section("rnic", "clients", Key("max_queue_depth", depth)) +
                        "[nfs]\nversion = 3\n[workload]\nkind = fio\nreadwrite = randread\n"
                        "direct = true\nbs = 512\nsize = 64KiB\niodepth = 4\nrequests = 200\n"
                        "[adversary storm]\nrole = abort-storm\nhosts = client-0\n"
                        "largest_reply = 512\ncalls = 4\nevery = 50us\npatience = " +
                        patience + "\n");
            ExpectAllDone(result);
            EXPECT_THAT(result.output, ::testing::HasSubstr("unknown xids"));
            EXPECT_THAT(result.output, ::testing::Not(::testing::HasSubstr("lost")));
        }
    }
}

TEST_F(ShortagesWait, WhatCanNeverBeIsRefusedByFileAndLine)
{
    const std::vector<std::pair<std::string, const char*>> cases{
        {"[nfs]\nversion = 4.1\n[rpcrdma]\nclient_slots = 1\n[rnic few]\nhosts = clients\n"
         "max_queue_depth = 1\n",
         "scenario.ini:7: rnic few.max_queue_depth: got '1', expected at least 2 on a client"},
        {"[rnic few]\nhosts = servers\nmax_cq_depth = 2\n",
         "scenario.ini:3: rnic few.max_cq_depth: got '2', expected at least 3 on a server"},
        {"[rnic few]\nhosts = clients\nmax_ird = 0\n",
         "scenario.ini:3: rnic few.max_ird: got '0', expected at least 1"},
        {"[rnic few]\nhosts = servers\nmax_ord = 0\n",
         "scenario.ini:3: rnic few.max_ord: got '0', expected at least 1"},
        {"[rpcrdma]\nclient_registration_strategy = memory-window\n[rnic few]\nhosts = client-1\n"
         "max_windows = 0\n",
         "scenario.ini:2: rpcrdma.client_registration_strategy: got 'memory-window', expected "
         "another: client-1 has no windows (rnic few.max_windows is 0)"}};
    for (const auto& [text, line] : cases)
    {
        const auto result = RunText(text);
        EXPECT_EQ(result.status, 2) << text;
        EXPECT_THAT(result.errors, ::testing::HasSubstr(line));
    }
}

} // namespace

} // namespace ns3::nfsrdma
