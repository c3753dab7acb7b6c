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
        if (layer == "rpcs")
        {
            continue;
        }
        const bool counted = layer == "work_requests" || layer == "contexts";
        const std::string unit = counted ? layer : "octets";
        EXPECT_EQ(balance["sent_" + unit].get<uint64_t>(),
                  balance["delivered_" + unit].get<uint64_t>() +
                      balance["dropped_" + unit].get<uint64_t>() +
                      balance["in_flight_" + unit].get<uint64_t>())
            << layer;
        EXPECT_GT(balance["delivered_" + unit].get<uint64_t>(), 0U) << layer;
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

/// Reads of 4 KiB that arrive at a constant rate, few enough that none waits for long: what each
/// adds to the work of a resource is known.
class UtilisationLawTest : public MeasuresRunTest
{
  protected:
    static constexpr double READS = 20000; ///< A second.

    /// \return the mean number of busy places of each resource.
    std::map<std::string, double> Measure(const std::vector<std::string>& settings = {})
    {
        m_directory.WriteFile(
            "law.ini",
            "[cluster]\nclients = 1\n[storage]\nread_latency = 40us\nrate = 0bps\n"
            "[workload]\nkind = fio\nreadwrite = randread\ndirect = true\nbs = 4KiB\n"
            "size = 256KiB\niodepth = 64\narrivals = constant\narrival_rate = 20000\n"
            "[measure]\nwarm_up = 5ms\nduration = 50ms\n");
        std::vector<std::string> arguments{"run", "law.ini", "--out", "out"};
        for (const auto& setting : settings)
        {
            arguments.insert(arguments.end(), {"--set", setting});
        }
        const auto result = Run(arguments);
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        std::map<std::string, double> numbers;
        for (auto row : ReadTable("out/utilisation.csv"))
        {
            numbers[row["host"] + " " + row["resource"]] = std::stod(row["mean_number"]);
        }
        const auto summary = m_directory.ReadJson("out/summary.json");
        m_rate = summary["rpcs_per_second"];
        EXPECT_EQ(summary["registrations_per_rpc"], 1.0);
        return numbers;
    }

    /// \return mean of the time from column \p begin to column \p end of rpc.csv, of the RPCs
    /// measured; s.
    double GetMeanStay(const std::string& begin, const std::string& end) const
    {
        double sum = 0;
        std::size_t count = 0;
        for (auto row : ReadTable("out/rpc.csv"))
        {
            if (row["phase"] == "measurement")
            {
                sum += std::stod(row[end]) - std::stod(row[begin]);
                ++count;
            }
        }
        return sum / static_cast<double>(count) * 1e-9;
    }

    double m_rate{0}; ///< READs a second, of the latest run.
};

/// Busy places = throughput x service time, where the service time is a key.
TEST_F(UtilisationLawTest, HoldsForServiceTimesThatAreSet)
{
    auto numbers = Measure();
    EXPECT_NEAR(m_rate, READS, READS * 0.002);
    // Registration of a region of one page, which the server's reply invalidates.
    EXPECT_NEAR(numbers["client-0 memory_unit"], READS * (300e-9 + 10e-9), READS * 2e-9);
    EXPECT_NEAR(numbers["server-0 storage"], READS * 40e-6, 0.005);
    EXPECT_NEAR(numbers["server-0 threads"],
                READS * GetMeanStay("thread_ns", "server_reply_ns"),
                0.01);
    EXPECT_NEAR(numbers["client-0 credits 0"], READS * GetMeanStay("send_ns", "reply_ns"), 0.01);
}

TEST_F(UtilisationLawTest, HoldsForCallsThatWaitForAThread)
{
    auto numbers =
        Measure({"workload.arrivals=poisson", "nfs.threads=1", "storage.read_latency=20us"});
    const double waiting = m_rate * GetMeanStay("server_queue_ns", "thread_ns");
    EXPECT_GT(waiting, 0.1);
    EXPECT_NEAR(numbers["server-0 thread_queue"], waiting, 0.05 * waiting);
    EXPECT_NEAR(numbers["server-0 threads"],
                m_rate * GetMeanStay("thread_ns", "server_reply_ns"),
                0.01);
}

struct LawOfAKey
{
    const char* resource;
    const char* setting;
    double more;  ///< Service time with the setting, less without; s.
    double times; ///< How often a READ of 4 KiB has need of it.
};

/// What a service takes longer occupies its resource longer, as often as it is used.
TEST_F(UtilisationLawTest, HoldsForWhatAServiceTakesLonger)
{
    const auto before = Measure();
    for (const auto& law : {
             LawOfAKey{"server-0 cores", "host.server_call_cost=8us", 3e-6, 1},
             LawOfAKey{"client-0 cores", "host.client_call_cost=8us", 3e-6, 1},
             LawOfAKey{"client-0 cores", "host.client_reply_cost=8us", 3e-6, 1},
             LawOfAKey{"client-0 transmit_engine", "rnic.tx_per_wqe=530ns", 500e-9, 1},
             LawOfAKey{"server-0 transmit_engine", "rnic.tx_per_wqe=530ns", 500e-9, 2},
             LawOfAKey{"server-0 receive_engine", "rnic.rx_per_fpdu=520ns", 500e-9, 1},
             LawOfAKey{"client-0 memory_unit", "rnic.register_base=800ns", 500e-9, 1},
             LawOfAKey{"server-0 storage", "storage.read_latency=45us", 5e-6, 1},
         })
    {
        auto after = Measure({law.setting});
        const double expected = READS * law.more * law.times;
        EXPECT_NEAR(after[law.resource] - before.at(law.resource), expected, expected * 0.02)
            << law.resource << " with " << law.setting;
    }
}

TEST_F(UtilisationLawTest, HoldsForLinksAndBuses)
{
    auto fast = Measure();
    auto narrow = Measure({"link.rate=25Gbps"});
    for (const auto* link : {"server-0 link", "client-0 link"})
    {
        EXPECT_NEAR(narrow[link], 4 * fast[link], 0.05 * narrow[link]) << link;
    }
    auto slow = Measure({"rnic.pcie_rate=104Gbps"});
    for (const auto* bus : {"client-0 bus_to_host", "server-0 bus_to_device"})
    {
        EXPECT_NEAR(slow[bus], 2 * fast[bus], 0.02 * slow[bus]) << bus;
    }
    // Of the data alone: a frame has headers, too.
    const double data = READS * 4096 * 8 / 100e9;
    EXPECT_GT(fast["server-0 link"], data);
    EXPECT_LT(fast["server-0 link"], data * 1.2);
}

TEST_F(MeasuresRunTest, WhatCoresDidIsTheSumOfWhatEachDid)
{
    const auto result = RunMix("[host]\ncores = 3\n");
    ASSERT_EQ(result.status, 0) << result.output << result.errors;
    std::map<std::string, double> sums;
    std::map<std::string, double> all;
    std::map<std::string, int> counts;
    for (auto row : ReadTable("out/utilisation.csv"))
    {
        const double number = std::stod(row["mean_number"]);
        if (row["resource"] == "cores")
        {
            all[row["host"]] = number;
        }
        else if (row["resource"].rfind("core ", 0) == 0)
        {
            EXPECT_LE(number, 1);
            sums[row["host"]] += number;
            ++counts[row["host"]];
        }
    }
    ASSERT_EQ(all.size(), 5U);
    for (const auto& [host, number] : all)
    {
        EXPECT_GT(number, 0) << host;
        EXPECT_NEAR(sums[host], number, 2e-6) << host;
        EXPECT_EQ(counts[host], 3) << host;
    }
}

/// Lost connections, cancelled RPCs, a restart: each call is somewhere all the same.
TEST_F(MeasuresRunTest, RpcsAreConservedWhateverBecomesOfThem)
{
    struct Case
    {
        const char* sections;
        const char* side;
        const char* count; ///< That must not be zero.
    };

    for (const auto& one :
         {Case{"", "clients", "succeeded"},
          Case{"[nfs]\nversion = 4.1\n", "servers", "answered"},
          Case{"[rpcrdma]\nprofile = read-chunk-replies\nclient_reply_mechanism = "
               "reply-chunk-never\n[workload lists]\nkind = listing\nlist_entries = 300\n"
               "list_count = 32KiB\nrequests = 5\n",
               "servers",
               "no_calls"},
          Case{"[faults]\nf = every 60th fpdu: drop\n", "clients", "succeeded"},
          Case{"[faults]\nf = every 40th nfs READ call: qp-error on client-0\n",
               "clients",
               "calls_repeated"}})
    {
        const auto result = RunMix(one.sections);
        ASSERT_EQ(result.status, 0) << one.sections << result.output << result.errors;
        const auto summary = m_directory.ReadJson("out/summary.json");
        const auto& rpcs = summary["conservation"]["rpcs"];
        SCOPED_TRACE(one.sections + rpcs.dump());
        EXPECT_TRUE(rpcs["broken"].empty());
        EXPECT_GT(rpcs[one.side][one.count].get<uint64_t>(), 0U);
        EXPECT_EQ(rpcs["clients"]["outstanding"], 0U);
        EXPECT_EQ(rpcs["servers"]["in_service"], 0U);
        const auto& clients = rpcs["clients"];
        EXPECT_EQ(clients["submitted"].get<uint64_t>(),
                  clients["succeeded"].get<uint64_t>() + clients["failed"].get<uint64_t>() +
                      clients["cancelled"].get<uint64_t>());
        EXPECT_EQ(clients["messages_sent"].get<uint64_t>(),
                  rpcs["lost"].get<uint64_t>() +
                      rpcs["servers"]["messages_received"].get<uint64_t>());
    }
}

TEST_F(MeasuresRunTest, MemoryAndUtilisationHaveARowForEachPlace)
{
    const auto result = RunMix("");
    ASSERT_EQ(result.status, 0) << result.output << result.errors;
    std::map<std::string, uint64_t> peaks;
    std::map<std::string, double> means;
    std::map<std::string, double> ofConnections;
    std::map<std::string, int> connections;
    for (auto row : ReadTable("out/memory.csv"))
    {
        EXPECT_LE(std::stod(row["mean_octets"]), std::stod(row["peak_octets"]));
        const auto place = row["host"] + " " + row["kind"];
        if (!row["connection"].empty())
        {
            ofConnections[place] += std::stod(row["mean_octets"]);
            ++connections[place];
            EXPECT_LE(std::stoull(row["peak_octets"]), peaks.at(place)) << row["connection"];
            continue;
        }
        means[place] = std::stod(row["mean_octets"]);
        peaks[row["host"] + " " + row["kind"]] = std::stoull(row["peak_octets"]);
    }
    for (const auto& [place, mean] : ofConnections)
    {
        // Of each, rounded to a tenth of an octet.
        EXPECT_LE(mean, means.at(place) + 0.1 * connections[place]) << place;
    }
    EXPECT_EQ(connections["server-0 receives"], 2) << "client-0 and client-2";
    EXPECT_NEAR(ofConnections["server-0 receives"], means["server-0 receives"], 0.5);
    EXPECT_NEAR(ofConnections["server-0 sends"], means["server-0 sends"], 0.5);
    EXPECT_NEAR(ofConnections["client-0 registered"], means["client-0 registered"], 0.5);
    EXPECT_GT(ofConnections["server-0 read_sinks"], 0);
    EXPECT_GT(ofConnections["server-0 tcp_send"], 0);
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
        if (!row["peak_number"].empty())
        {
            const double peak = std::stod(row["peak_number"]);
            EXPECT_GE(peak, std::stod(row["mean_number"])) << row["host"] << " " << row["resource"];
            EXPECT_TRUE(row["places"] == "0" || peak <= std::stod(row["places"]))
                << row["host"] << " " << row["resource"];
        }
        if (row["places"] == "0")
        {
            EXPECT_EQ(row["utilisation"], "");
            continue;
        }
        const double share = std::stod(row["utilisation"]);
        EXPECT_TRUE(share >= 0 && share <= 1) << row["host"] << " " << row["resource"];
        const auto kind = row["resource"].substr(0, row["resource"].find(' '));
        shares[row["host"] + " " + kind] += share * std::stod(row["places"]);
    }
    EXPECT_NEAR(shares["server-0 threads"], shares["server-0 thread"], 0.02);
    EXPECT_GT(shares["server-0 link"], 0);
    EXPECT_GT(shares["client-0 transmit_engine"], 0);
}

/// What a server exposes it exposes to its clients: at each moment the sum over their connections.
TEST_F(MeasuresRunTest, ExposedMemoryOfAServerIsThatOfItsConnections)
{
    m_directory.WriteFile("exposed.ini",
                          "[cluster]\nclients = 2\n[rpcrdma]\nprofile = read-chunk-replies\n"
                          "[workload]\nkind = mix\noperations = 40\noperation_mix = readdirplus:1\n"
                          "directory_count = 16KiB\nlarge_directory_entries = 90\n"
                          "large_directory_fraction = 1\nqueue_depth = 1\n");
    ASSERT_EQ(Run({"run", "exposed.ini", "--out", "out"}).status, 0);
    double mean = 0;
    double sum = 0;
    uint64_t peak = 0;
    std::vector<uint64_t> peaks;
    for (auto row : ReadTable("out/memory.csv"))
    {
        if (row["host"] != "server-0" || row["kind"] != "exposed")
        {
            continue;
        }
        if (row["connection"].empty())
        {
            mean = std::stod(row["mean_octets"]);
            peak = std::stoull(row["peak_octets"]);
            continue;
        }
        sum += std::stod(row["mean_octets"]);
        peaks.push_back(std::stoull(row["peak_octets"]));
    }
    ASSERT_EQ(peaks.size(), 2U);
    EXPECT_GT(sum, 0);
    EXPECT_NEAR(mean, sum, 0.2);
    EXPECT_GE(peak, std::max(peaks[0], peaks[1]));
    EXPECT_LE(peak, peaks[0] + peaks[1]);
}

} // namespace

} // namespace ns3::nfsrdma
