/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/sweep/summary.h"
#include "scenarios/simulator/sweep/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

SweepResult
MakeResult(std::size_t point, uint64_t seed, RunStatus status, double rate)
{
    SweepResult result;
    result.name = std::to_string(point) + "-s" + std::to_string(seed);
    result.point = point;
    result.seed = seed;
    result.values = {std::to_string(point) + ",x"};
    result.texts = result.values;
    result.status = status;
    for (const auto& measure : GetSweepMeasures())
    {
        result.summary[measure.pointer] = 0;
    }
    result.summary["rpcs_per_second"] = rate;
    result.summary["digest"] = "d";
    return result;
}

/// Fields of line \p line, by the names in the first; the one quoted field holds one comma.
std::string
GetField(const std::string& csv, std::size_t line, const std::string& name)
{
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(csv);
    for (std::string text; std::getline(lines, text);)
    {
        rows.emplace_back();
        std::istringstream fields(text);
        for (std::string field; std::getline(fields, field, ',');)
        {
            if (!rows.back().empty() && rows.back().back().front() == '"' &&
                rows.back().back().back() != '"')
            {
                rows.back().back() += "," + field;
                continue;
            }
            rows.back().push_back(field.empty() ? " " : field);
        }
    }
    for (std::size_t column = 0; column < rows[0].size(); ++column)
    {
        if (rows[0][column] == name)
        {
            return rows.at(line).size() > column ? rows[line][column] : " ";
        }
    }
    return "no column " + name;
}

TEST(SweepSummaryTest, IntervalIsStudents)
{
    const auto mean = GetSampleMean({10, 12, 14});
    EXPECT_DOUBLE_EQ(mean.mean, 12);
    // 97.5 % quantile of t with 2 degrees of freedom: 4.302653; s = 2.
    EXPECT_NEAR(mean.halfWidth.value(), 4.302653 * 2 / std::sqrt(3), 1e-5);
    // With 9 degrees of freedom: 2.262157; s of 1..10 is 3.027650.
    EXPECT_NEAR(GetSampleMean({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}).halfWidth.value(),
                2.262157 * 3.027650 / std::sqrt(10),
                1e-5);
    EXPECT_EQ(GetSampleMean({5}).halfWidth, std::nullopt);
    EXPECT_DOUBLE_EQ(GetSampleMean({5}).mean, 5);
    EXPECT_DOUBLE_EQ(GetSampleMean({5, 5}).halfWidth.value(), 0);
}

TEST(SweepSummaryTest, LeavesOutRunsThatDidNotEnd)
{
    auto lost = MakeResult(1, 2, RunStatus::FAILED, 0);
    lost.summary = nullptr;
    const std::vector<SweepResult> results{MakeResult(0, 1, RunStatus::OK, 10),
                                           MakeResult(0, 2, RunStatus::FAILED, 14),
                                           MakeResult(0, 3, RunStatus::STALLED, 1e9),
                                           MakeResult(1, 1, RunStatus::STALLED, 3),
                                           lost};
    const auto csv = MakeSweepSummaryCsv({"a.b"}, results, {});
    EXPECT_THAT(csv, StartsWith("point,a.b,runs,lost,rpcs,rpcs_ci95,"));
    EXPECT_EQ(GetField(csv, 1, "a.b"), "\"0,x\"");
    EXPECT_EQ(GetField(csv, 1, "runs"), "2");
    EXPECT_EQ(GetField(csv, 1, "lost"), "1");
    EXPECT_EQ(GetField(csv, 1, "rpcs_per_second"), "12.0");
    EXPECT_NEAR(std::stod(GetField(csv, 1, "rpcs_per_second_ci95")), 12.7062 * 2, 1e-2);
    EXPECT_EQ(GetField(csv, 2, "runs"), "0");
    EXPECT_EQ(GetField(csv, 2, "lost"), "2");
    EXPECT_EQ(GetField(csv, 2, "rpcs_per_second"), " ");
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
}

TEST(SweepSummaryTest, TableHasARowForEveryRunWithItsStatus)
{
    auto lost = MakeResult(1, 1, RunStatus::FAILED, 0);
    lost.summary = nullptr;
    const auto csv = MakeSweepCsv({"a.b"}, {MakeResult(0, 1, RunStatus::STALLED, 10), lost});
    EXPECT_EQ(GetField(csv, 1, "status"), "3");
    EXPECT_EQ(GetField(csv, 1, "rpcs_per_second"), "10.0");
    EXPECT_EQ(GetField(csv, 2, "status"), "1");
    EXPECT_EQ(GetField(csv, 2, "rpcs_per_second"), " ");
    EXPECT_THAT(MakeSweepSummary({"a.b"}, {lost}), HasSubstr(" - "));
}

/// \return the same with what \p run has found of a steady state.
SweepResult
WithSteadiness(SweepResult result, const nlohmann::ordered_json& steady)
{
    const bool found = steady == true;
    result.summary["window"]["steady_state"]["steady"] = steady;
    result.summary["window"]["steady_state"]["relative_half_width"] =
        found ? nlohmann::ordered_json(0.03) : nlohmann::ordered_json();
    return result;
}

TEST(SweepSummaryTest, TellsRunsWithoutSteadyState)
{
    const std::vector<SweepResult> results{
        WithSteadiness(MakeResult(0, 1, RunStatus::OK, 10), true),
        WithSteadiness(MakeResult(0, 2, RunStatus::OK, 10), true),
        WithSteadiness(MakeResult(1, 1, RunStatus::OK, 10), false),
        WithSteadiness(MakeResult(1, 2, RunStatus::OK, 10), true),
        WithSteadiness(MakeResult(2, 1, RunStatus::OK, 10), nullptr),
        WithSteadiness(MakeResult(2, 2, RunStatus::STALLED, 10), false)};
    const auto csv = MakeSweepCsv({"a.b"}, results);
    EXPECT_EQ(GetField(csv, 1, "steady"), "1");
    EXPECT_EQ(GetField(csv, 1, "steady_half_width"), "0.03");
    EXPECT_EQ(GetField(csv, 3, "steady"), "0");
    EXPECT_EQ(GetField(csv, 3, "steady_half_width"), " ");
    EXPECT_EQ(GetField(csv, 5, "steady"), " ") << "nobody has asked";
    EXPECT_EQ(DescribeSteadyStates(results), "steady state    none in 1 of 4 runs, at points 1\n");
    EXPECT_THAT(MakeSweepSummary({"a.b"}, results),
                AllOf(HasSubstr("steady"), HasSubstr("2/2"), HasSubstr("1/2"), HasSubstr("0/0")));
    const auto means = MakeSweepSummaryCsv({"a.b"}, results, {});
    EXPECT_EQ(GetField(means, 1, "steady"), "1.0");
    EXPECT_EQ(GetField(means, 2, "steady"), "0.5");
    EXPECT_EQ(DescribeSteadyStates({results[0], results[1]}),
              "steady state    found in all of 2 runs\n");
    EXPECT_EQ(DescribeSteadyStates({results[4], results[5]}), "");
}

TEST(SweepSummaryTest, TableForTheTerminalHasTheTroublesThatThereWere)
{
    auto marked = MakeResult(0, 1, RunStatus::OK, 10);
    auto smooth = WithSteadiness(MakeResult(0, 2, RunStatus::OK, 10), nullptr);
    marked.summary["window"] = smooth.summary["window"];
    EXPECT_THAT(MakeSweepSummary({"a.b"}, {marked, smooth}), Not(HasSubstr("ECN marks")));
    EXPECT_THAT(MakeSweepSummary({"a.b"}, {marked, smooth}), Not(HasSubstr("steady")));
    marked.summary["loss"]["ecn_marks"] = 5;
    EXPECT_THAT(MakeSweepSummary({"a.b"}, {marked, smooth}),
                AllOf(HasSubstr("ECN marks"), HasSubstr("2.5"), Not(HasSubstr("lost frames"))));
}

TEST(SweepSummaryTest, DropsHaveAColumnForEachCause)
{
    auto result = MakeResult(0, 1, RunStatus::OK, 10);
    result.summary["drops"]["tcp-checksum"] = 7;
    const auto csv = MakeSweepCsv({"a.b"}, {result});
    EXPECT_EQ(GetField(csv, 1, "dropped_tcp_checksum"), "7");
    EXPECT_EQ(GetField(csv, 1, "dropped_switch"), "0");
}

TEST(SweepShardTest, SharesRunsOut)
{
    const auto shard = SweepShard::Parse("2/3");
    ASSERT_TRUE(shard.has_value());
    EXPECT_EQ(shard->ToText(), "2/3");
    EXPECT_FALSE(shard->IsWhole());
    EXPECT_TRUE(SweepShard{}.IsWhole());
    std::vector<std::size_t> runs;
    for (std::size_t run = 0; run < 9; ++run)
    {
        EXPECT_TRUE(SweepShard{}.Has(run));
        if (shard->Has(run))
        {
            runs.push_back(run);
        }
    }
    EXPECT_THAT(runs, ::testing::ElementsAre(1U, 4U, 7U));
    for (const auto* wrong :
         {"", "1", "0/3", "4/3", "1/", "/3", "1/3/3", "a/3", "-1/3", "1/0", "1/ 3", "1/100001"})
    {
        EXPECT_FALSE(SweepShard::Parse(wrong).has_value()) << wrong;
    }
}

} // namespace

} // namespace ns3::nfsrdma
