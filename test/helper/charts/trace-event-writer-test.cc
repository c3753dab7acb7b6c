/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/charts/trace-event-writer.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

TEST(TraceEventWriterTest, WritesEachKindOfEvent)
{
    std::ostringstream stream;
    TraceEventWriter writer(stream);
    writer.NameProcess(3, "client-0");
    writer.NameTrack({3, 7}, "QP \"1\"\\\n");
    writer
        .AddSlice({3, 7}, "work", "Send", NanoSeconds(1005), NanoSeconds(3010), {{"status", "OK"}});
    writer.AddInstant({3, 7}, "fault", "cut", NanoSeconds(7), true);
    writer.AddCounter(3, "queue", MicroSeconds(12), "octets", 1500);
    writer.Finish();
    EXPECT_EQ(
        stream.str(),
        "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
        R"({"ph":"M","name":"process_name","pid":3,"args":{"name":"client-0"}},)"
        "\n"
        R"({"ph":"M","name":"thread_name","pid":3,"tid":7,"args":{"name":"QP \"1\"\\ "}},)"
        "\n"
        R"({"ph":"M","name":"thread_sort_index","pid":3,"tid":7,"args":{"sort_index":7}},)"
        "\n"
        R"({"ph":"X","name":"Send","cat":"work","pid":3,"tid":7,"ts":1.005,"dur":2.005,"args":{"status":"OK"}},)"
        "\n"
        R"({"ph":"i","name":"cut","cat":"fault","pid":3,"tid":7,"ts":0.007,"s":"g"},)"
        "\n"
        R"({"ph":"C","name":"queue","pid":3,"ts":12.000,"args":{"octets":1500}})"
        "\n]}\n");
}

TEST(TraceEventWriterTest, WithoutEventsItIsADocument)
{
    std::ostringstream stream;
    TraceEventWriter(stream).Finish();
    EXPECT_EQ(stream.str(), "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n]}\n");
}

TEST(TraceLanesTest, SlicesThatFollowShareALane)
{
    TraceLanes lanes;
    EXPECT_EQ(lanes.Take(NanoSeconds(0), NanoSeconds(10)), 0U);
    EXPECT_EQ(lanes.Take(NanoSeconds(5), NanoSeconds(12)), 1U);
    EXPECT_EQ(lanes.Take(NanoSeconds(10), NanoSeconds(20)), 0U);
    EXPECT_EQ(lanes.Take(NanoSeconds(12), NanoSeconds(20)), 1U);
    EXPECT_EQ(lanes.Take(NanoSeconds(19), NanoSeconds(21)), 2U);
}

TEST(TraceLanesTest, SlicesOfALaneNeverOverlap)
{
    std::mt19937_64 random(7);
    TraceLanes lanes;
    std::vector<std::vector<std::pair<Time, Time>>> slices;
    for (int i = 0; i < 2000; ++i)
    {
        const auto begin = NanoSeconds(static_cast<int64_t>(random() % 10000));
        const auto end = begin + NanoSeconds(static_cast<int64_t>(random() % 100));
        const auto lane = lanes.Take(begin, end);
        ASSERT_LE(lane, slices.size());
        slices.resize(std::max<std::size_t>(slices.size(), lane + 1));
        for (const auto& [other, until] : slices[lane])
        {
            ASSERT_TRUE(until <= begin || end <= other);
        }
        slices[lane].emplace_back(begin, end);
    }
}

} // namespace

} // namespace ns3::nfsrdma
