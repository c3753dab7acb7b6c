/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-test.h"

#include <algorithm>
#include <cstdint>
#include <gmock/gmock.h>
#include <set>
#include <string>
#include <tuple>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t MEBIBYTE = uint64_t{1} << 20;

/// Promised bounds hold: what is granted was reserved before, and no credit is without a receive.
class PromisedBounds : public FaultTest
{
  protected:
    [[nodiscard]] uint64_t GetPeak() const
    {
        return Summary()["server_memory"]["receive_buffers_peak_octets"].get<uint64_t>();
    }

    void ExpectAllDone(const ProcessResult& result) const
    {
        ASSERT_EQ(result.status, 0) << result.errors << result.output;
        EXPECT_EQ(Summary()["errors"], 0);
        EXPECT_EQ(Summary()["connections_lost"], 0);
    }
};

TEST_F(PromisedBounds, FairShareNeverPassesItsPool)
{
    ExpectAllDone(RunFault("fair-share-pool"));
    EXPECT_LE(GetPeak(), 64U * 4096);
    EXPECT_GE(GetPeak(), 24U * 4096);
}

TEST_F(PromisedBounds, MemoryShareNeverPassesItsLimit)
{
    ExpectAllDone(RunFault("memory-share"));
    EXPECT_LE(GetPeak(), 16 * MEBIBYTE);
    ExpectAllDone(RunFault("memory-share", {"--set", "workload.start_spread=0ns"}));
    EXPECT_LE(GetPeak(), 16 * MEBIBYTE);
}

TEST_F(PromisedBounds, AdaptiveNeverPassesItsLimit)
{
    ExpectAllDone(RunFault("adaptive-limit"));
    EXPECT_LE(GetPeak(), 60U * 4096);
}

TEST_F(PromisedBounds, BoundsThatCannotHoldEveryConnectionAreRefused)
{
    const auto shared = RunFault("fair-share-pool", {"--set", "rpcrdma.server_shared_receives=23"});
    EXPECT_EQ(shared.status, 2);
    EXPECT_THAT(shared.errors, ::testing::HasSubstr("server_shared_receives"));
    EXPECT_THAT(shared.errors, ::testing::HasSubstr("24"));
    const auto memory =
        RunFault("adaptive-limit", {"--set", "rpcrdma.server_receive_memory_limit=4KiB"});
    EXPECT_EQ(memory.status, 2);
    EXPECT_THAT(memory.errors, ::testing::HasSubstr("server_receive_memory_limit"));
}

/// The client connects at 1 ms and has its first reply at 2 ms; calls are given up all the time.
TEST_F(PromisedBounds, OneRequestUntilTheFirstReplyThoughCallsAreGivenUp)
{
    const auto result = RunFault("credits-after-cancel", {"--set", "output.timeline=50us"});
    ASSERT_EQ(result.status, 0) << result.errors << result.output;
    std::set<std::string> sent;
    for (const auto& row : Table("timeline.csv"))
    {
        const int64_t time = std::stoll(row.at("time_ns"));
        if (time >= 1'000'000 && time <= 1'950'000)
        {
            sent.insert(row.at("sent_octets"));
        }
    }
    EXPECT_EQ(sent.size(), 1U) << ::testing::PrintToString(sent);
}

class EveryGrantAndThreshold
    : public PromisedBounds,
      public ::testing::WithParamInterface<std::tuple<const char*, const char*, uint32_t>>
{
};

TEST_P(EveryGrantAndThreshold, StaysWithinItsBound)
{
    const auto [grant, threshold, clients] = GetParam();
    const std::string name = grant;
    const uint32_t connections = 2 * clients;
    const std::string pool = std::to_string(connections + 5);
    ExpectAllDone(RunText("[cluster]\nclients = " + std::to_string(clients) +
                          "\n[nfs]\nnconnect = 2\n[rpcrdma]\nserver_credit_grant = " + grant +
                          "\nserver_inline_policy = " + threshold +
                          (name == "fair-share" ? "\nserver_shared_receives = " + pool : "") +
                          "\nserver_receive_memory_limit = " + pool + "00KiB" +
                          "\ninline_threshold = 16KiB\n[workload]\nkind = mix\n"
                          "operations = 40\nqueue_depth = 8\nfiles = 3\nfile_size = 32KiB\n"));
    const uint64_t receives = (connections + 5) * uint64_t{16384};
    const uint64_t memory = (connections + 5) * uint64_t{102400};
    EXPECT_LE(GetPeak(), name == "fair-share" ? std::min(receives, memory) : memory);
}

INSTANTIATE_TEST_SUITE_P(
    Quick,
    EveryGrantAndThreshold,
    ::testing::Combine(::testing::Values("fixed", "requested", "fair-share", "adaptive"),
                       ::testing::Values("fixed", "as-peer", "memory-share"),
                       ::testing::Values(1U, 6U)));

INSTANTIATE_TEST_SUITE_P(
    Nightly,
    EveryGrantAndThreshold,
    ::testing::Combine(::testing::Values("fixed", "requested", "fair-share", "adaptive"),
                       ::testing::Values("fixed", "as-peer", "memory-share"),
                       ::testing::Values(2U, 3U, 12U, 24U)));

} // namespace

} // namespace ns3::nfsrdma
