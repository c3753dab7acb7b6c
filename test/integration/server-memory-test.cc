/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <string>

namespace ns3::nfsrdma
{
namespace
{

/// A server whose memory for contexts, receives and sinks is bounded, or given back late.
class ServerMemoryTest : public SimulatorTest
{
  protected:
    nlohmann::json RunWith(const std::string& settings)
    {
        m_directory.WriteFile("memory.ini",
                              "[cluster]\nclients = 4\n[rpcrdma]\n" + settings +
                                  "[workload]\nkind = mix\noperations = 200\nqueue_depth = 16\n"
                                  "files = 4\nfile_size = 64KiB\nsymlinks = 0\n"
                                  "io_sizes = 16384:1\noperation_mix = read:1,write:1\n");
        const auto result = Run({"run", "memory.ini", "--out", "out"});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        return m_directory.ReadJson("out/summary.json");
    }

    /// \return a counter of the server; 0 when it counts no such thing.
    uint64_t GetCounter(const std::string& name) const
    {
        const auto counters = m_directory.ReadFile("out/counters.csv");
        const auto row = "server-0,svc_rdma," + name + ",";
        const auto begin = counters.find(row);
        return begin == std::string::npos ? 0 : std::stoull(counters.substr(begin + row.size()));
    }

    static bool HasEnd(const nlohmann::json& summary, const std::string& reason)
    {
        for (const auto& host : summary["ends"])
        {
            if (host["host"] == "server-0" && host["connections"].contains(reason))
            {
                return true;
            }
        }
        return false;
    }
};

TEST_F(ServerMemoryTest, ABoundThatIsLargeEnoughCostsNothing)
{
    const auto free = RunWith("");
    EXPECT_EQ(GetCounter("memory_peak"), 0U);
    const auto bounded = RunWith("server_memory_limit = 64MiB\n");
    EXPECT_EQ(free["digest"], bounded["digest"]);
    EXPECT_GT(GetCounter("memory_peak"), 4 * 64 * 4096U);
    EXPECT_EQ(GetCounter("memory_refused"), 0U);
}

/// Work goes on, with connections that end for want of memory, and no more of it than the bound.
TEST_F(ServerMemoryTest, WhatDoesNotFitEndsItsConnection)
{
    RunWith("server_memory_limit = 64MiB\n");
    const auto peak = GetCounter("memory_peak");
    const auto limit = peak * 9 / 10;
    const auto summary = RunWith("server_memory_limit = " + std::to_string(limit) + "B\n");
    EXPECT_GT(GetCounter("memory_refused"), 0U);
    EXPECT_LT(GetCounter("memory_peak"), peak);
    EXPECT_GT(summary["connections_lost"], 0);
    EXPECT_TRUE(HasEnd(summary, "no memory for RDMA Reads (server_memory_limit)") ||
                HasEnd(summary, "no memory for a Send context (server_memory_limit)"));
}

/// Receives of a grant that grows count, too: it grows less. A run whose memory passes its bound
/// has not status 0.
TEST_F(ServerMemoryTest, AGrantGrowsAsFarAsThereIsMemory)
{
    const auto free = RunWith("server_credit_grant = adaptive\nserver_memory_limit = 64MiB\n");
    EXPECT_GT(GetCounter("memory_peak"), 600 * 1024U);
    const auto bounded = RunWith("server_credit_grant = adaptive\nserver_memory_limit = 600KiB\n");
    EXPECT_NE(free["digest"], bounded["digest"]);
    EXPECT_FALSE(bounded.contains("broken_guarantees"));
}

TEST_F(ServerMemoryTest, ContextsWaitForAWorkQueueThatIsTooSlow)
{
    RunWith("server_send_release = work-queue\nserver_release_cost = 1ns\n");
    const auto fast = GetCounter("releases_peak");
    RunWith("server_send_release = work-queue\nserver_release_cost = 20us\n");
    EXPECT_GT(GetCounter("releases_peak"), 4 * fast);
    const auto summary = RunWith("server_send_release = work-queue\nserver_release_cost = 20us\n"
                                 "server_send_contexts = 24\n");
    EXPECT_TRUE(HasEnd(summary, "no Send context is left (server_send_contexts)"));
    EXPECT_GT(GetCounter("contexts_limited"), 0U);
}

} // namespace
} // namespace ns3::nfsrdma
