/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/replay/schedule.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace ns3::nfsrdma::test
{

namespace
{

TraceRow
MakeRow(int64_t call, std::optional<int64_t> reply, uint32_t client = 0)
{
    TraceRow row;
    row.time = NanoSeconds(call);
    if (reply)
    {
        row.replyTime = NanoSeconds(*reply);
    }
    row.client = client;
    return row;
}

ReplaySchedule
MakeSchedule(std::vector<TraceRow> rows, uint32_t client = 0)
{
    Trace trace;
    trace.clients.resize(2);
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        rows[i].line = static_cast<uint32_t>(i + 1);
    }
    trace.rows = std::move(rows);
    return {std::make_shared<const Trace>(std::move(trace)), client};
}

} // namespace

TEST(ReplaySchedule, RowsOutstandingTogetherMayStartTogether)
{
    auto schedule =
        MakeSchedule({MakeRow(0, 10), MakeRow(5, 20), MakeRow(10, 30), MakeRow(25, 40)});
    EXPECT_TRUE(schedule.MayStart(0));
    EXPECT_TRUE(schedule.MayStart(1));
    EXPECT_FALSE(schedule.MayStart(2));
    EXPECT_EQ(schedule.GetBlocker(2).line, 1U);
    schedule.Complete(1);
    EXPECT_FALSE(schedule.MayStart(2));
    schedule.Complete(0);
    EXPECT_TRUE(schedule.MayStart(2));
    EXPECT_TRUE(schedule.MayStart(3));
    EXPECT_EQ(schedule.GetCompleted(), 2U);
}

TEST(ReplaySchedule, OtherClientsDoNotMatter)
{
    auto schedule = MakeSchedule({MakeRow(0, 10, 1), MakeRow(20, 30, 0), MakeRow(40, 50, 1)}, 1);
    ASSERT_EQ(schedule.GetCount(), 2U);
    EXPECT_EQ(schedule.GetRow(1).line, 3U);
    EXPECT_FALSE(schedule.MayStart(1));
    schedule.Complete(0);
    EXPECT_TRUE(schedule.MayStart(1));
}

TEST(ReplaySchedule, NothingWaitsForRowsWithoutReply)
{
    auto schedule = MakeSchedule({MakeRow(0, std::nullopt), MakeRow(5, 6)});
    EXPECT_TRUE(schedule.MayStart(1));
}

TEST(ReplaySchedule, RowsAtOneInstantDoNotWaitForThemselves)
{
    auto schedule = MakeSchedule({MakeRow(5, 5), MakeRow(5, 5), MakeRow(5, 5)});
    EXPECT_TRUE(schedule.MayStart(0));
    EXPECT_FALSE(schedule.MayStart(1));
    schedule.Complete(0);
    EXPECT_TRUE(schedule.MayStart(1));
    schedule.Complete(1);
    EXPECT_TRUE(schedule.MayStart(2));
}

TEST(ReplaySchedule, IsTheRuleOnRandomTraces)
{
    std::mt19937 random(12);
    for (int round = 0; round < 200; ++round)
    {
        std::vector<TraceRow> rows;
        int64_t time = 0;
        for (int i = 0; i < 20; ++i)
        {
            time += 1 + static_cast<int64_t>(random() % 3);
            const bool answered = random() % 10 != 0;
            rows.push_back(MakeRow(
                time,
                answered ? std::optional<int64_t>(time + 1 + static_cast<int64_t>(random() % 12))
                         : std::nullopt));
        }
        auto schedule = MakeSchedule(rows);
        std::vector<bool> done(rows.size(), false);
        std::vector<std::size_t> order(rows.size());
        for (std::size_t i = 0; i < order.size(); ++i)
        {
            order[i] = i;
        }
        std::shuffle(order.begin(), order.end(), random);
        for (const auto next : order)
        {
            bool before = true;
            for (std::size_t i = 0; i < rows.size(); ++i)
            {
                bool allowed = true;
                for (std::size_t j = 0; j < rows.size(); ++j)
                {
                    allowed = allowed &&
                              (done[j] || !rows[j].replyTime || *rows[j].replyTime > rows[i].time);
                }
                ASSERT_EQ(schedule.MayStart(i), allowed) << round << " row " << i;
                ASSERT_TRUE(before || !allowed);
                before = allowed;
            }
            schedule.Complete(next);
            done[next] = true;
        }
    }
}

} // namespace ns3::nfsrdma::test
