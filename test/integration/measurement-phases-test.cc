/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <map>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;
using ::testing::Not;

/// Setup, barrier, warm-up, measurement and drain, as a user sees them.
class MeasurementPhasesTest : public SimulatorTest
{
  protected:
    using Row = std::map<std::string, std::string>;

    ProcessResult RunText(const std::string& text, const std::vector<std::string>& settings = {})
    {
        m_directory.WriteFile("phases.ini", text);
        std::vector<std::string> arguments{"run", "phases.ini", "--out", "out"};
        for (const auto& setting : settings)
        {
            arguments.insert(arguments.end(), {"--set", setting});
        }
        auto result = Run(arguments);
        m_summary = nlohmann::json();
        if (result.status == 0)
        {
            m_summary = m_directory.ReadJson("out/summary.json");
        }
        return result;
    }

    std::vector<Row> ReadTable(const std::string& file) const
    {
        std::istringstream lines(m_directory.ReadFile("out/" + file));
        const auto split = [](const std::string& line) {
            std::vector<std::string> fields;
            std::istringstream row(line);
            for (std::string field; std::getline(row, field, ',');)
            {
                fields.push_back(field);
            }
            return fields;
        };
        std::string line;
        std::getline(lines, line);
        const auto names = split(line);
        std::vector<Row> rows;
        while (std::getline(lines, line))
        {
            const auto fields = split(line);
            Row& row = rows.emplace_back();
            for (std::size_t i = 0; i < std::min(fields.size(), names.size()); ++i)
            {
                row[names[i]] = fields[i];
            }
        }
        return rows;
    }

    double Window(const char* key) const
    {
        return m_summary["window"][key];
    }

    /// \return when each client submitted its first RPC of the work, s.
    std::map<std::string, double> ListBegins() const
    {
        std::map<std::string, double> begins;
        const double window = Window("begins_s");
        for (const auto& row : ReadTable("rpc.csv"))
        {
            const double submitted = std::stod(row.at("submit_ns")) * 1e-9;
            if (submitted >= window - 1e-9)
            {
                const auto [entry, isNew] = begins.emplace(row.at("client"), submitted);
                entry->second = std::min(entry->second, submitted);
            }
        }
        return begins;
    }

    double Phase(const std::string& name) const
    {
        for (const auto& phase : m_summary["window"]["phases"])
        {
            if (phase["phase"] == name)
            {
                return phase["begins_s"];
            }
        }
        return -1;
    }

    nlohmann::json m_summary;
};

const std::string MANY = "[cluster]\nclients = 12\n[workload]\nkind = fio\nreadwrite = randread\n"
                         "direct = true\nsize = 64KiB\nrequests = 20\n";

TEST_F(MeasurementPhasesTest, AllClientsBeginAtOneInstantWhenAllAreReady)
{
    ASSERT_EQ(RunText(MANY).status, 0);
    const auto begins = ListBegins();
    ASSERT_EQ(begins.size(), 12U);
    for (const auto& [client, begin] : begins)
    {
        // A client's core takes 5 us before it sends.
        EXPECT_NEAR(begin, Window("begins_s"), 10e-6) << client;
    }
}

TEST_F(MeasurementPhasesTest, OrSpreadAsSaid)
{
    ASSERT_EQ(RunText(MANY, {"measure.spread=1200us"}).status, 0);
    const auto begins = ListBegins();
    ASSERT_EQ(begins.size(), 12U);
    for (uint32_t client = 0; client < 12; ++client)
    {
        EXPECT_NEAR(begins.at(std::to_string(client)), Window("begins_s") + client * 100e-6, 10e-6)
            << client;
    }
}

TEST_F(MeasurementPhasesTest, WithoutABarrierEachBeginsWhenItIsReady)
{
    ASSERT_EQ(RunText(MANY, {"measure.barrier=false"}).status, 0);
    const auto begins = ListBegins();
    double last = 0;
    for (const auto& [client, begin] : begins)
    {
        last = std::max(last, begin);
    }
    EXPECT_GT(last, Window("begins_s") + 100e-6);
}

TEST_F(MeasurementPhasesTest, PopulationsOfDifferentSetupsWorkAtTheSameTime)
{
    ASSERT_EQ(RunText("[cluster]\nclients = 2\n[workload]\nkind = none\n"
                      "[workload quick]\nkind = fio\nclients = 0\nsize = 4KiB\nrequests = 10\n"
                      "[workload slow]\nkind = mix\nclients = 1\nfiles = 200\noperations = 50\n")
                  .status,
              0);
    const auto begins = ListBegins();
    ASSERT_EQ(begins.size(), 2U);
    EXPECT_NEAR(begins.at("0"), begins.at("1"), 10e-6);
}

TEST_F(MeasurementPhasesTest, AMeasurementOfALengthEndsAllAtOnceAndDrains)
{
    const auto result = RunText(MANY + "[measure]\nwarm_up = 200us\nduration = 1ms\n"
                                       "[workload more]\nkind = mix\nfiles = 4\n",
                                {"workload.requests=100000"});
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_NEAR(Window("ends_s") - Window("begins_s"), 1e-3, 1e-9);
    EXPECT_NEAR(Window("begins_s") - Phase("warm-up"), 200e-6, 1e-9);
    EXPECT_NEAR(Phase("drain"), Window("ends_s"), 1e-9);
    EXPECT_GE(Phase("done"), Phase("drain"));
    EXPECT_GT(m_summary["window"]["rpcs_of_warm_up"], 0);
    EXPECT_GT(m_summary["window"]["rpcs_of_drain"], 0);
    EXPECT_NEAR(m_summary["duration_s"], 1e-3, 1e-9);
    for (const auto& row : ReadTable("workloads.csv"))
    {
        EXPECT_NEAR(std::stod(row.at("seconds")), 1e-3, 1e-9) << row.at("item");
        EXPECT_NEAR(std::stod(row.at("per_second")),
                    std::stod(row.at("operations")) / 1e-3,
                    1e-6 * std::stod(row.at("per_second")));
    }
    EXPECT_THAT(result.output, Not(HasSubstr("uneven load")));
}

TEST_F(MeasurementPhasesTest, TheRpcsOfTheWindowAreThoseOfTheTable)
{
    ASSERT_EQ(RunText(MANY + "[measure]\nwarm_up = 100us\nduration = 500us\n").status, 0);
    const double begin = Window("begins_s");
    const double end = Window("ends_s");
    uint64_t ended = 0;
    double latency = 0;
    uint64_t arrived = 0;
    for (const auto& row : ReadTable("rpc.csv"))
    {
        const double submitted = std::stod(row.at("submit_ns")) * 1e-9;
        const double completed = std::stod(row.at("complete_ns")) * 1e-9;
        ended += completed >= begin - 1e-12 && completed <= end + 1e-12 ? 1 : 0;
        if (submitted >= begin - 1e-12 && submitted <= end + 1e-12)
        {
            ++arrived;
            latency += completed - submitted;
        }
    }
    EXPECT_EQ(m_summary["rpcs"], ended);
    EXPECT_NEAR(m_summary["rpcs_per_second"], ended / 500e-6, 1e-3 * ended / 500e-6);
    EXPECT_NEAR(m_summary["latency_us"]["mean"], latency / arrived * 1e6, 1e-3);
}

TEST_F(MeasurementPhasesTest, TheBackgroundRunsAsLongAsTheForeground)
{
    const std::string text = "[cluster]\nclients = 2\n[workload]\nkind = mix\nclients = 0\n"
                             "operations = 300\nfiles = 4\n"
                             "[workload noise]\nkind = fio\nclients = 1\nsize = 64KiB\n"
                             "direct = true\nreadwrite = randread\n";
    ASSERT_EQ(RunText(text + "background = true\n").status, 0);
    const double with = Window("ends_s") - Window("begins_s");
    double noise = 0;
    for (const auto& row : ReadTable("workloads.csv"))
    {
        if (row.at("workload") == "noise" && row.at("client") == "all")
        {
            noise = std::stod(row.at("operations"));
            EXPECT_NEAR(std::stod(row.at("seconds")), with, 1e-9);
        }
    }
    EXPECT_GT(noise, 16); // The 64 KiB of its own work are 16 requests.
    const auto alone = RunText(text + "background = true\n", {"workload.background=true"});
    EXPECT_EQ(alone.status, 2);
    EXPECT_THAT(alone.errors,
                HasSubstr("workload.background: got 'true', expected false for one "));
}

TEST_F(MeasurementPhasesTest, AWarmUpLongerThanTheWorkIsSaid)
{
    const auto result = RunText(MANY + "ramp_time = 1s\n");
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("measured        nothing: the work was over at "));
    EXPECT_EQ(m_summary["rpcs"], 0);
    EXPECT_EQ(ReadTable("workloads.csv").size(), 0U);
}

TEST_F(MeasurementPhasesTest, StragglersAreSaid)
{
    const auto result = RunText("[cluster]\nclients = 2\n[workload]\nkind = none\n"
                                "[workload short]\nkind = mix\nclients = 0\noperations = 20\n"
                                "[workload long]\nkind = mix\nclients = 1\noperations = 2000\n");
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("uneven load     in the last "));
    EXPECT_LT(Window("full_load_ends_s"), Window("ends_s"));
}

TEST_F(MeasurementPhasesTest, TheMeasurementEndsWhenTheMeanIsKnownWellEnough)
{
    const std::string text = "[cluster]\nclients = 1\n[measure]\nwarm_up = auto\nlongest = 2s\n"
                             "[workload]\nkind = fio\nreadwrite = randread\ndirect = true\n"
                             "size = 1MiB\narrivals = poisson\narrival_rate = 4000\niodepth = 64\n"
                             "[storage]\nread_latency = 100us\nlatency_distribution = exponential\n"
                             "queue_depth = 1\nrate = 0bps\n[output]\nrpc_csv = false\n";
    const auto coarse = RunText(text, {"measure.until=20%"});
    ASSERT_EQ(coarse.status, 0) << coarse.errors;
    const auto first = m_summary["window"];
    EXPECT_TRUE(first["steady_state"]["steady"]);
    EXPECT_LE(first["steady_state"]["half_width"], first["steady_state"]["mean"].get<double>() / 5);
    EXPECT_THAT(coarse.output, HasSubstr("steady state    transient of "));
    const auto fine = RunText(text, {"measure.until=6%"});
    ASSERT_EQ(fine.status, 0) << fine.errors;
    const auto second = m_summary["window"];
    EXPECT_LE(second["steady_state"]["half_width"],
              second["steady_state"]["mean"].get<double>() * 0.06);
    EXPECT_GT(second["ends_s"], 2 * first["ends_s"].get<double>());
    const auto bound = RunText(text, {"measure.until=6%", "measure.longest=300ms"});
    EXPECT_THAT(bound.output, HasSubstr("asked for"));
}

TEST_F(MeasurementPhasesTest, ArrivalsOfAFileAreThoseOfEachClientOrOfAllInTurn)
{
    m_directory.WriteFile("times.txt", "# late\n0.001\n0.001\n\n0.0015\n0.002\n");
    const std::string text = "[cluster]\nclients = 2\n[workload]\nkind = fio\nsize = 64KiB\n"
                             "direct = true\nreadwrite = randread\narrivals = trace\n"
                             "arrival_trace = times.txt\n";
    ASSERT_EQ(RunText(text).status, 0);
    EXPECT_EQ(m_summary["rpcs"], 8);
    ASSERT_EQ(RunText(text, {"workload.arrivals_of=population"}).status, 0);
    EXPECT_EQ(m_summary["rpcs"], 4);
    const auto begins = ListBegins();
    EXPECT_NEAR(begins.at("0"), Window("begins_s") + 0.001, 10e-6);
    m_directory.WriteFile("times.txt", "0.001\n0.0005\n");
    const auto refused = RunText(text);
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.errors, HasSubstr("times.txt:2: "));
    EXPECT_THAT(refused.errors, HasSubstr("got '0.0005', expected a time in seconds, not before"));
    EXPECT_THAT(RunText(text, {"workload.arrival_trace=none.txt"}).errors,
                HasSubstr("workload.arrival_trace: got 'none.txt', expected a file of times"));
}

TEST_F(MeasurementPhasesTest, RatesOfAPopulationAreSharedByItsClients)
{
    const std::string text = "[cluster]\nclients = 4\n[measure]\nduration = 20ms\n[workload]\n"
                             "kind = mix\nfiles = 4\narrivals = poisson\narrival_rate = 20000\n";
    ASSERT_EQ(RunText(text, {"workload.arrivals_of=population"}).status, 0);
    EXPECT_NEAR(m_summary["rpcs_per_second"], 20000, 5 * std::sqrt(20000 * 0.02) / 0.02);
}

TEST_F(MeasurementPhasesTest, WhatCanNotBeIsRefusedByFileAndLine)
{
    const std::vector<std::pair<std::string, const char*>> cases{
        {"[measure]\nwarm_up = soon\n",
         "phases.ini:2: measure.warm_up: got 'soon', expected auto, or a time"},
        {"[measure]\nuntil = 5\n",
         "phases.ini:2: measure.until: got '5', expected none, or a share above 0% and below 100%"},
        {"[measure]\nduration = 1ms\n[workload]\nkind = replay\n",
         "phases.ini:2: measure.duration: got '1ms', expected 0ns with kind = replay"},
        {"[measure]\nuntil = 5%\nduration = 1ms\n",
         "phases.ini:3: measure.duration: got '1ms', expected this key only with measure.until = "
         "none"},
        {"[measure]\nbarrier = false\nspread = 1ms\n",
         "phases.ini:3: measure.spread: got '1ms', expected this key only with measure.barrier"},
        {"[measure]\nmetric = operations_per_second\n",
         "phases.ini:2: measure.metric: got 'operations_per_second', expected this key only with"},
        {"[workload]\nkind = replay\nbackground = true\n",
         "phases.ini:3: workload.background: got 'true', expected false with kind = replay"}};
    for (const auto& [text, line] : cases)
    {
        const auto result = RunText(text);
        EXPECT_EQ(result.status, 2) << text;
        EXPECT_THAT(result.errors, ::testing::StartsWith(line));
    }
}

} // namespace

} // namespace ns3::nfsrdma
