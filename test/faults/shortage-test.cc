/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-test.h"

#include <cstdint>
#include <gmock/gmock.h>
#include <string>
#include <tuple>

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

INSTANTIATE_TEST_SUITE_P(Quick,
                         EveryStrategy,
                         ::testing::Combine(::testing::Values("frwr",
                                                              "memory-window",
                                                              "regular",
                                                              "all-physical",
                                                              "preregistered",
                                                              "cache"),
                                            ::testing::Values("read", "write"),
                                            ::testing::Values(1U)));

INSTANTIATE_TEST_SUITE_P(Nightly,
                         EveryStrategy,
                         ::testing::Combine(::testing::Values("frwr",
                                                              "memory-window",
                                                              "regular",
                                                              "all-physical",
                                                              "preregistered",
                                                              "cache"),
                                            ::testing::Values("read", "write"),
                                            ::testing::Values(2U, 4U)));

} // namespace

} // namespace ns3::nfsrdma
