/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <map>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;
using Row = std::map<std::string, std::string>;

std::vector<std::string>
SplitAtCommas(const std::string& line)
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

/// What runs say of where time went and what was lost.
class MeasuresRunTest : public SimulatorTest
{
  protected:
    [[nodiscard]] std::vector<Row> ReadTable(const std::string& name) const
    {
        std::istringstream table(m_directory.ReadFile(name));
        std::string line;
        std::getline(table, line);
        const auto head = SplitAtCommas(line);
        std::vector<Row> rows;
        while (std::getline(table, line))
        {
            const auto cells = SplitAtCommas(line);
            EXPECT_EQ(cells.size(), head.size()) << line;
            Row row;
            for (std::size_t i = 0; i < head.size(); ++i)
            {
                row[head[i]] = cells.at(i);
            }
            rows.push_back(std::move(row));
        }
        return rows;
    }

    /// Runs a mix of operations with \p sections added.
    ProcessResult RunMix(const std::string& sections)
    {
        m_directory.WriteFile("mix.ini", SMALL_MIX + sections);
        return Run({"run", "mix.ini", "--out", "out"});
    }
};

/// A version of NFS.
class LatencyStackRunTest : public MeasuresRunTest,
                            public ::testing::WithParamInterface<const char*>
{
};

/// In whole nanoseconds, though connections are lost and segments dropped.
TEST_P(LatencyStackRunTest, StagesAddUpToTheWhole)
{
    const auto result = RunMix(std::string("[nfs]\nversion = ") + GetParam() +
                               "\n[middlebox]\nat = servers\ndrop = 0.003\n"
                               "[faults]\nloss = at 700us: qp-error on client-1\n");
    ASSERT_EQ(result.status, 0) << result.output << result.errors;
    std::map<std::string, int64_t> wholes;
    std::size_t repeated = 0;
    for (auto row : ReadTable("out/rpc.csv"))
    {
        repeated += std::stoi(row["transmissions"]) > 1 ? 1 : 0;
        if (row["transmissions"] == "1")
        {
            EXPECT_EQ(row["first_send_ns"], row["send_ns"]);
            EXPECT_EQ(row["reconnects"], "0");
        }
        int64_t latest = 0;
        for (const auto* mark : {"arrival_ns",
                                 "submit_ns",
                                 "transport_ns",
                                 "slot_ns",
                                 "credit_ns",
                                 "first_send_ns",
                                 "send_ns",
                                 "server_arrival_ns",
                                 "server_receive_ns",
                                 "server_queue_ns",
                                 "thread_ns",
                                 "storage_begin_ns",
                                 "storage_end_ns",
                                 "server_reply_ns",
                                 "reply_ns",
                                 "end_ns",
                                 "complete_ns"})
        {
            if (row["outcome"] == "SUCCESS" && !row[mark].empty())
            {
                EXPECT_GE(std::stoll(row[mark]), latest) << mark << " of " << row["xid"];
                latest = std::stoll(row[mark]);
            }
        }
        if (row["outcome"] == "SUCCESS")
        {
            EXPECT_FALSE(row["thread_ns"].empty()) << row["xid"];
        }
        if (row["outcome"] == "SUCCESS" && row["status"] == "0" && row["phase"] == "measurement")
        {
            wholes[row["operation"] + "," + row["form"]] +=
                std::stoll(row["complete_ns"]) - std::stoll(row["arrival_ns"]);
        }
    }
    EXPECT_GT(repeated, 0U);
    std::size_t parts = 0;
    for (auto row : ReadTable("out/latency-stack.csv"))
    {
        int64_t sum = 0;
        for (const auto& [column, cell] : row)
        {
            const bool isStage = column != "operation" && column != "form" && column != "rpcs" &&
                                 column != "total_ns";
            sum += isStage ? std::stoll(cell) : 0;
        }
        EXPECT_EQ(sum, std::stoll(row["total_ns"])) << row["operation"];
        EXPECT_EQ(sum, wholes[row["operation"] + "," + row["form"]]) << row["operation"];
        ++parts;
    }
    EXPECT_EQ(parts, wholes.size());
}

INSTANTIATE_TEST_SUITE_P(Versions, LatencyStackRunTest, ::testing::Values("3", "4.1", "4.2"));

TEST_F(MeasuresRunTest, LossIsShownEverywhere)
{
    const auto result = RunMix("[middlebox]\nat = servers\ndrop = 0.01\n");
    ASSERT_EQ(result.status, 0) << result.output << result.errors;
    EXPECT_THAT(result.output, HasSubstr("segments repeated fast"));
    const auto summary = m_directory.ReadJson("out/summary.json");
    const auto& loss = summary["loss"];
    const uint64_t dropped = summary["drops"]["middlebox"];
    EXPECT_GT(dropped, 0U);
    EXPECT_EQ(loss["frames_lost"], dropped);
    EXPECT_GE(loss["fast_retransmits"].get<uint64_t>() + loss["timer_retransmits"].get<uint64_t>(),
              dropped);
    EXPECT_GT(loss["out_of_order_segments"].get<uint64_t>(), 0U);
    for (const auto& [layer, balance] : summary["conservation"].items())
    {
        EXPECT_TRUE(balance["broken"].empty()) << layer << ": " << balance["broken"];
        EXPECT_EQ(balance["sent_octets"].get<uint64_t>(),
                  balance["delivered_octets"].get<uint64_t>() +
                      balance["dropped_octets"].get<uint64_t>() +
                      balance["in_flight_octets"].get<uint64_t>())
            << layer;
        EXPECT_GT(balance["delivered_octets"].get<uint64_t>(), 0U) << layer;
    }
}

TEST_F(MeasuresRunTest, WithoutLossTheRunSaysSo)
{
    const auto result = RunMix("");
    ASSERT_EQ(result.status, 0) << result.output << result.errors;
    EXPECT_THAT(result.output, HasSubstr("\nloss            no loss\n"));
    const auto loss = m_directory.ReadJson("out/summary.json")["loss"];
    EXPECT_EQ(loss["fast_retransmits"], 0);
    EXPECT_EQ(loss["tcp_timeouts"], 0);
}

TEST_F(MeasuresRunTest, MarksAndWindowsAreCounted)
{
    m_directory.WriteFile("incast.ini",
                          "[cluster]\nclients = 8\n"
                          "[topology]\nshape = dumbbell\ntrunk_rate = 10Gbps\n"
                          "trunk_queue = 512KiB\n"
                          "[link]\nrate = 25Gbps\nswitch_marking = threshold\n"
                          "mark_threshold = 64KiB\n"
                          "[tcp]\ncongestion_control = TcpDctcp\n"
                          "[workload]\nkind = fio\nbs = 256KiB\nsize = 1MiB\niodepth = 2\n"
                          "requests = 6\ndirect = true\nreadwrite = randread\n");
    const auto result = Run({"run", "incast.ini", "--out", "out"});
    ASSERT_EQ(result.status, 0) << result.output << result.errors;
    const auto summary = m_directory.ReadJson("out/summary.json");
    const auto& loss = summary["loss"];
    EXPECT_EQ(loss["ecn_marks"], summary["network"]["frames_marked"]);
    EXPECT_EQ(loss["frames_lost"], 0);
    EXPECT_EQ(loss["ecn_marked_segments"], loss["ecn_marks"]);
    EXPECT_GT(loss["ecn_echoes"].get<uint64_t>(), 0U);
    EXPECT_GT(loss["congestion_window_limited_us"].get<double>(), 0);
    EXPECT_GT(summary["utilisation"]["link"]["most"].get<double>(), 0.5);
}

TEST_F(MeasuresRunTest, MemoryAndUtilisationHaveARowForEachPlace)
{
    const auto result = RunMix("");
    ASSERT_EQ(result.status, 0) << result.output << result.errors;
    std::map<std::string, uint64_t> peaks;
    for (auto row : ReadTable("out/memory.csv"))
    {
        EXPECT_LE(std::stod(row["mean_octets"]), std::stod(row["peak_octets"]));
        peaks[row["host"] + " " + row["kind"]] = std::stoull(row["peak_octets"]);
    }
    const auto summary = m_directory.ReadJson("out/summary.json");
    EXPECT_EQ(peaks["server-0 receives"],
              summary["server_memory"]["receive_buffers_peak_octets"].get<uint64_t>());
    for (const auto* kind : {"sends", "reply_pages", "registered", "tcp_send"})
    {
        EXPECT_GT(peaks[std::string("server-0 ") + kind], 0U) << kind;
    }
    std::map<std::string, double> shares;
    for (auto row : ReadTable("out/utilisation.csv"))
    {
        const double share = std::stod(row["utilisation"]);
        EXPECT_TRUE(share >= 0 && share <= 1) << row["host"] << " " << row["resource"];
        const auto kind = row["resource"].substr(0, row["resource"].find(' '));
        shares[row["host"] + " " + kind] += share * std::stod(row["places"]);
    }
    EXPECT_NEAR(shares["server-0 threads"], shares["server-0 thread"], 0.02);
    EXPECT_GT(shares["server-0 link"], 0);
    EXPECT_GT(shares["client-0 transmit_engine"], 0);
}

} // namespace

} // namespace ns3::nfsrdma
