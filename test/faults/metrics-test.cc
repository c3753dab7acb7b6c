/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;

/// Measures count what happened: nothing that failed, and all that the table says it covers.
class MetricsFaultTest : public FaultTest
{
  protected:
    /// Checks what holds of every row of workloads.csv and every operation of summary.json,
    /// whatever failed.
    void ExpectConsistent(const std::string& what) const
    {
        for (auto row : Table("workloads.csv"))
        {
            SCOPED_TRACE(what + " " + row["item"]);
            const double operations = std::stod(row["operations"]);
            EXPECT_EQ(operations + std::stod(row["errors"]), std::stod(row["attempts"]));
            EXPECT_NEAR(std::stod(row["per_second"]) * std::stod(row["seconds"]),
                        operations,
                        1e-6 * operations);
            EXPECT_NEAR(std::stod(row["octets_per_second"]) * std::stod(row["seconds"]),
                        std::stod(row["octets"]),
                        1e-6 * std::stod(row["octets"]));
            if (operations == 0)
            {
                EXPECT_EQ(std::stod(row["octets"]), 0);
                EXPECT_EQ(std::stod(row["latency_max_us"]), 0);
            }
        }
        const auto summary = Summary();
        uint64_t attempts = 0;
        for (const auto& operation : summary["operations"])
        {
            const uint64_t count = operation["count"];
            const uint64_t errors = operation["errors"];
            EXPECT_EQ(count + errors, operation["attempts"]) << what;
            uint64_t forms = 0;
            for (const auto& form : operation["forms"])
            {
                forms += form.get<uint64_t>();
            }
            EXPECT_EQ(forms, count) << what;
            attempts += operation["attempts"].get<uint64_t>();
        }
        EXPECT_EQ(attempts, summary["rpc_attempts"]) << what;
        EXPECT_NEAR(summary["rpcs_per_second"].get<double>() * summary["duration_s"].get<double>(),
                    summary["rpcs"].get<double>(),
                    1e-6 * summary["rpcs"].get<double>())
            << what;
        EXPECT_EQ(summary["rpc_attempts"].get<uint64_t>() +
                      summary["window"]["rpcs_of_setup"].get<uint64_t>() +
                      summary["window"]["rpcs_of_unmount"].get<uint64_t>(),
                  Table("rpc.csv").size())
            << what;
    }

    /// \return the row of all clients for \p item.
    [[nodiscard]] std::map<std::string, std::string> Row(const std::string& item) const
    {
        for (const auto& row : Table("workloads.csv"))
        {
            if (row.at("client") == "all" && row.at("item") == item)
            {
                return row;
            }
        }
        ADD_FAILURE() << "no row of " << item;
        return {};
    }
};

TEST_F(MetricsFaultTest, WritesThatFailMoveNothing)
{
    for (const auto* version : {"2", "3", "4.0", "4.1", "4.2"})
    {
        for (const auto* direct : {"true", "false"})
        {
            const auto what = std::string(version) + " direct " + direct;
            SCOPED_TRACE(what);
            // Version 2 writes 8 KiB at a time, two pages: one of a region.
            const auto result = RunFault(
                "failed-io-rate",
                {"--set",
                 std::string("nfs.version=") + version,
                 "--set",
                 std::string("workload.direct=") + direct,
                 "--set",
                 std::string("rpcrdma.server_max_read_segments=") + (*version == '2' ? "1" : "2"),
                 "--set",
                 std::string("rpcrdma.client_region_pages=") + (*version == '2' ? "1" : "4")});
            ASSERT_EQ(result.status, 1) << result.errors;
            auto row = Row("write");
            EXPECT_EQ(row["operations"], "0");
            EXPECT_EQ(row["attempts"], "16");
            EXPECT_EQ(row["errors"], "16");
            EXPECT_EQ(row["octets"], "0");
            EXPECT_EQ(std::stod(row["octets_per_second"]), 0);
            EXPECT_EQ(std::stod(row["per_second"]), 0);
            EXPECT_EQ(std::stod(row["latency_mean_us"]), 0);
            const auto summary = Summary();
            EXPECT_EQ(summary["goodput_bps"].get<double>(), 0);
            EXPECT_EQ(summary["bytes"]["read_chunk"], 0);
            EXPECT_GT(summary["errors"], 0);
            EXPECT_GT(summary["failed"]["bytes"]["read_chunk"], 0);
            for (const auto& operation : summary["operations"])
            {
                if (operation["operation"] == "WRITE")
                {
                    EXPECT_EQ(operation["count"], 0);
                    EXPECT_TRUE(operation["latency_us"]["p99"].is_null());
                }
            }
            EXPECT_THAT(result.output, HasSubstr("errors "));
            ExpectConsistent(what);
        }
    }
}

TEST_F(MetricsFaultTest, RpcsBeforeTheLastWorkloadBeginsAreCounted)
{
    const auto result = RunFault("late-workload");
    ASSERT_EQ(result.status, 0) << result.errors;
    const auto summary = Summary();
    std::map<std::string, uint64_t> counts;
    for (const auto& operation : summary["operations"])
    {
        counts[operation["operation"]] = operation["count"];
    }
    EXPECT_EQ(counts["READ"], 32U);
    EXPECT_GE(counts["GETATTR"], 100U);
    EXPECT_GT(summary["window"]["rpcs_of_setup"], 0);
    // 32 MiB in the time of all.
    EXPECT_NEAR(summary["goodput_bps"].get<double>() * summary["duration_s"].get<double>(),
                8.0 * (32 << 20),
                8.0 * 16384);
    EXPECT_THAT(result.output, HasSubstr("RPCs of setups"));
    ExpectConsistent("late workload");
}

TEST_F(MetricsFaultTest, EveryKindOfWorkloadTellsWhatFailed)
{
    const std::map<std::string, std::string> kinds{
        {"mix", "operations = 60\nqueue_depth = 4\nfiles = 4\nfile_size = 64KiB\n"},
        {"fio", "readwrite = randrw\ndirect = true\nbs = 16KiB\nsize = 256KiB\niodepth = 4\n"},
        {"mdtest", "items = 4\nbranch = 1\ndepth = 1\nwrite_bytes = 16KiB\n"},
        {"listing", "list_entries = 50\nrequests = 20\n"},
        {"acl", "acl_files = 4\nrequests = 20\n"},
        {"lock", "lock_files = 2\nrequests = 20\n"}};
    for (const auto& [kind, keys] : kinds)
    {
        SCOPED_TRACE(kind);
        // Soft calls end with TIMED_OUT while the server's threads are stalled.
        const auto result = RunText("[cluster]\nclients = 1\n[rpcrdma]\nclient_soft = true\n"
                                    "client_timeout = 200ms\nclient_retries = 0\n"
                                    "[workload]\nkind = " +
                                    kind + "\n" + keys +
                                    "[faults]\nsilent = 40th nfs call from client-0: "
                                    "thread-stall for 900ms on server-0\n");
        ASSERT_TRUE(result.status == 0 || result.status == 1) << result.errors;
        ExpectConsistent(kind);
        const auto summary = Summary();
        for (const auto& operation : summary["operations"])
        {
            // What timed out took 200 ms or more, what did not much less.
            if (operation["failed"]["reasons"].contains("TIMED_OUT") &&
                summary["faults"]["plan"][0]["firings"] == 1)
            {
                const auto& median = operation["latency_us"]["p50"];
                EXPECT_LT(median.is_null() ? 0 : median.get<double>(), 200e3);
            }
        }
    }
}

} // namespace

} // namespace ns3::nfsrdma
