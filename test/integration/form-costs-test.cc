/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/form-reason.h"
#include "simulator-test.h"

#include <map>
#include <set>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

using Row = std::map<std::string, std::string>;

constexpr const char* IDLE = "[cluster]\n"
                             "clients = 1\n"
                             "[link]\n"
                             "rate = 100Gbps\n"
                             "mtu = 9000\n"
                             "[rnic]\n"
                             "max_elements = 32\n"
                             "[workload]\n"
                             "kind = mix\n"
                             "operations = 60\n"
                             "queue_depth = 1\n"
                             "files = 2\n"
                             "file_size = 256KiB\n"
                             "symlinks = 0\n"
                             "operation_mix = read:1,write:1\n";

/// What rpc.csv says of forms.
class FormCostsTest : public SimulatorTest
{
  protected:
    /// \return rpc.csv of a run of one client that has one call at a time.
    [[nodiscard]] std::vector<Row> RunWith(std::vector<std::string> settings)
    {
        m_directory.WriteFile("idle.ini", IDLE);
        std::vector<std::string> words{"run", "idle.ini", "--out", "out"};
        for (std::string& setting : settings)
        {
            words.emplace_back("--set");
            words.push_back(std::move(setting));
        }
        const auto result = Run(words);
        EXPECT_LE(result.status, 1) << result.errors;
        std::istringstream table(m_directory.ReadFile("out/rpc.csv"));
        std::string line;
        std::getline(table, line);
        const auto head = Split(line);
        std::vector<Row> rows;
        while (std::getline(table, line))
        {
            const auto cells = Split(line);
            Row row;
            for (std::size_t i = 0; i < head.size(); ++i)
            {
                row[head[i]] = cells.at(i);
            }
            rows.push_back(std::move(row));
        }
        return rows;
    }

    static std::vector<std::string> Split(const std::string& line)
    {
        std::vector<std::string> cells;
        std::istringstream stream(line + ",");
        std::string cell;
        while (std::getline(stream, cell, ','))
        {
            cells.push_back(cell);
        }
        return cells;
    }
};

/// A network, and by how many nanoseconds a predicted difference may be off.
struct Idle
{
    std::vector<std::string> settings;
    int64_t bound;
};

class FormCostDifference : public FormCostsTest, public ::testing::WithParamInterface<Idle>
{
  protected:
    struct Times
    {
        int64_t simulated{0};
        int64_t inlineCost{0};
        int64_t chunkCost{0};
    };

    /// \return of \p operation, whose messages of \p side are all alike, the fastest.
    Times Measure(const std::string& operation,
                  const std::string& side,
                  const std::string& threshold)
    {
        auto settings = GetParam().settings;
        settings.push_back("rpcrdma.inline_threshold=" + threshold);
        settings.push_back("workload.io_sizes=" + m_size + ":1");
        Times times;
        for (Row row : RunWith(settings))
        {
            if (row["operation"] != operation || row["phase"] != "measurement")
            {
                continue;
            }
            const int64_t took = std::stoll(row["complete_ns"]) - std::stoll(row["transport_ns"]);
            if (times.simulated == 0 || took < times.simulated)
            {
                times = {took,
                         std::stoll(row[side + "_inline_cost_ns"]),
                         std::stoll(row[side + "_chunk_cost_ns"])};
            }
        }
        return times;
    }

    std::string m_size;
};

/// An RPC is forced to either form by thresholds above and below its size: what one takes longer
/// than the other is what the costs say.
TEST_P(FormCostDifference, IsThatOfTheSimulation)
{
    const std::map<std::string, std::string> sides{{"READ", "reply"}, {"WRITE", "call"}};
    for (const char* size : {"1024", "4096", "16384", "65536"})
    {
        m_size = size;
        for (const auto& [operation, side] : sides)
        {
            const Times whole = Measure(operation, side, "256KiB");
            const Times chunk = Measure(operation, side, "1KiB");
            ASSERT_GT(whole.simulated, 0);
            ASSERT_GT(chunk.simulated, 0);
            EXPECT_NE(whole.simulated, chunk.simulated) << "both had the same form";
            EXPECT_NEAR(whole.chunkCost - whole.inlineCost,
                        chunk.simulated - whole.simulated,
                        GetParam().bound)
                << operation << " of " << size;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Idle,
    FormCostDifference,
    ::testing::Values(Idle{{}, 80},
                      Idle{{"link.mtu=1500"}, 80},
                      Idle{{"link.rate=25Gbps"}, 150},
                      Idle{{"rnic.profile=chelsio-t6-100g"}, 80},
                      Idle{{"rpcrdma.client_remote_invalidation=false"}, 80},
                      Idle{{"host.copy_rate=20Gbps", "rnic.read_request_turnaround=2us"}, 300}));

/// Each reason there is, in runs that have it, and none that is not named.
TEST_F(FormCostsTest, EveryReasonIsSeenAndEveryRpcHasOne)
{
    const std::vector<std::vector<std::string>> runs{
        {"workload.operation_mix=read:1,write:1,readdirplus:1", "workload.io_sizes=16384:1"},
        {"rpcrdma.client_call_form=never-reduce", "workload.io_sizes=16384:1"},
        {"rpcrdma.client_call_form=long", "rpcrdma.client_reply_mechanism=reply-chunk-always"},
        {"rpcrdma.client_reply_mechanism=reply-chunk-always",
         "rpcrdma.server_reply_chunk=when-needed"},
        {"rpcrdma.profile=draft-read-chunks",
         "rpcrdma.client_reply_mechanism=reply-chunk-never",
         "workload.operation_mix=readdirplus:1",
         "workload.operations=10"},
        {"rpcrdma.profile=draft-read-chunks",
         "rpcrdma.client_reply_mechanism=reply-chunk-never",
         "workload.operation_mix=readdirplus:1",
         "workload.operations=10",
         "workload.files=64",
         "workload.file_size=4KiB"},
        {"rpcrdma.profile=message-continuation",
         "workload.operation_mix=readdirplus:1",
         "workload.operations=10",
         "workload.files=64",
         "workload.file_size=4KiB"},
        {"rnic.max_mrs=1", "workload.operation_mix=readdirplus:1", "workload.operations=10"},
        {"rnic.max_elements=6", "rpcrdma.inline_threshold=256KiB", "workload.io_sizes=65536:1"},
        {"rpcrdma.inline_threshold=1KiB",
         "workload.operation_mix=write:1",
         "workload.io_sizes=155648:1",
         "rpcrdma.client_max_chunk_segments=64",
         "rpcrdma.client_max_segments=1",
         "rpcrdma.client_region_pages=1"},
    };
    std::set<std::string> calls;
    std::set<std::string> replies;
    for (const auto& settings : runs)
    {
        for (Row row : RunWith(settings))
        {
            calls.insert(row["call_reason"]);
            replies.insert(row["reply_reason"]);
            EXPECT_NE(row["call_reason"], "") << row["operation"];
            EXPECT_NE(row["reply_reason"], "") << row["operation"];
        }
    }
    // A Reply chunk that is too small, and the next one: test/rpcrdma/reply-size-test.cc.
    replies.insert(
        {ToString(ReplyReason::RDMA_ERROR), ToString(ReplyReason::RETRIED_LARGER_REPLY_CHUNK)});
    for (const auto& reason : GetCallReasons())
    {
        EXPECT_EQ(calls.count(reason.name), *reason.name == '\0' ? 0U : 1U) << reason.name;
    }
    for (const auto& reason : GetReplyReasons())
    {
        EXPECT_EQ(replies.count(reason.name), *reason.name == '\0' ? 0U : 1U) << reason.name;
    }
}

/// Messages that no Send can carry have no cost inline, and RPCs over TCP none at all.
TEST_F(FormCostsTest, ImpossibleFormsHaveNoCost)
{
    bool seen = false;
    for (Row row : RunWith({"workload.io_sizes=1048576:1", "workload.file_size=2MiB"}))
    {
        const bool large = std::stoull(row["call_bytes"]) > 256 * 1024;
        seen = seen || large;
        EXPECT_EQ(row["call_inline_cost_ns"].empty(), large);
        EXPECT_FALSE(row["call_chunk_cost_ns"].empty());
    }
    EXPECT_TRUE(seen);
    for (Row row : RunWith({"cluster.transport=tcp"}))
    {
        EXPECT_EQ(row["call_reason"], "");
        EXPECT_EQ(row["reply_reason"], "");
        EXPECT_EQ(row["call_chunk_cost_ns"], "");
    }
}

} // namespace

} // namespace ns3::nfsrdma
