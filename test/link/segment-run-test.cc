/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/segment-run.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace ns3::nfsrdma
{
namespace
{

TcpSegment
Data(uint32_t sequence, std::size_t size, uint16_t flags = TcpSegment::ACK)
{
    TcpSegment segment;
    segment.identification = 100;
    segment.sequence = sequence;
    segment.flags = flags;
    segment.payload.resize(size);
    std::iota(segment.payload.begin(), segment.payload.end(), static_cast<uint8_t>(sequence));
    return segment;
}

TEST(SegmentRunTest, SplitsInSequence)
{
    const auto segment = Data(0xfffffff0, 100, TcpSegment::ACK | TcpSegment::PSH | TcpSegment::CWR);
    const auto pieces = SegmentRun::Split(segment, []() { return 40U; });
    ASSERT_EQ(pieces.size(), 3U);
    EXPECT_EQ(pieces[0].payload.size(), 40U);
    EXPECT_EQ(pieces[2].payload.size(), 20U);
    EXPECT_EQ(pieces[1].sequence, 24U); // Past the wrap.
    EXPECT_EQ(pieces[2].sequence, 64U);
    EXPECT_EQ(pieces[0].flags, TcpSegment::ACK | TcpSegment::CWR);
    EXPECT_EQ(pieces[1].flags, TcpSegment::ACK);
    EXPECT_EQ(pieces[2].flags, TcpSegment::ACK | TcpSegment::PSH);
    EXPECT_EQ(pieces[2].identification, 102);
    EXPECT_EQ(pieces[1].payload[0], segment.payload[40]);
}

TEST(SegmentRunTest, SizeZeroCountsAsOne)
{
    EXPECT_EQ(SegmentRun::Split(Data(0, 5), []() { return 0U; }).size(), 5U);
}

TEST(SegmentRunTest, MergedSegmentHasTheLatestAcknowledgment)
{
    SegmentRun run;
    auto first = Data(1000, 10);
    first.acknowledgment = 5;
    auto second = Data(1010, 20, TcpSegment::ACK | TcpSegment::PSH);
    second.acknowledgment = 9;
    second.window = 77;
    second.identification = 101;
    run.Append(first);
    ASSERT_TRUE(run.Accepts(second));
    run.Append(second);
    const auto merged = run.Take(run.GetSize());
    EXPECT_EQ(merged.sequence, 1000U);
    EXPECT_EQ(merged.acknowledgment, 9U);
    EXPECT_EQ(merged.window, 77);
    EXPECT_EQ(merged.identification, 100);
    EXPECT_EQ(merged.flags, TcpSegment::ACK | TcpSegment::PSH);
    EXPECT_EQ(merged.payload.size(), 30U);
    EXPECT_EQ(run.GetSize(), 0U);
}

TEST(SegmentRunTest, PushStaysWithItsOctet)
{
    SegmentRun run;
    run.Append(Data(0, 10, TcpSegment::ACK | TcpSegment::PSH));
    run.Append(Data(10, 10));
    EXPECT_EQ(run.Take(9).flags, TcpSegment::ACK);
    EXPECT_EQ(run.Take(5).flags, TcpSegment::ACK | TcpSegment::PSH);
    EXPECT_EQ(run.Take(6).flags, TcpSegment::ACK);
}

TEST(SegmentRunTest, AcceptsOnlyWhatContinuesIt)
{
    SegmentRun run;
    run.Append(Data(1000, 10));
    EXPECT_TRUE(run.Accepts(Data(1010, 1)));
    EXPECT_FALSE(run.Accepts(Data(1011, 1)));  // Gap.
    EXPECT_FALSE(run.Accepts(Data(1005, 10))); // Overlap.
    EXPECT_FALSE(run.Accepts(Data(1000, 10))); // Again.
    EXPECT_FALSE(run.Accepts(Data(1010, 0)));  // No data.
    EXPECT_FALSE(run.Accepts(Data(1010, 1, TcpSegment::ACK | TcpSegment::FIN)));
    EXPECT_FALSE(run.Accepts(Data(1010, 1, TcpSegment::ACK | TcpSegment::URG)));
    EXPECT_FALSE(run.Accepts(Data(1010, 1, TcpSegment::ACK | TcpSegment::CWR)));
    auto other = Data(1010, 1);
    other.options = {1, 1, 1, 0};
    EXPECT_FALSE(run.Accepts(other));
    other = Data(1010, 1);
    other.sourcePort = 1;
    EXPECT_FALSE(run.Accepts(other));
    other = Data(1010, 1);
    other.typeOfService = 3;
    EXPECT_FALSE(run.Accepts(other));
}

TEST(SegmentRunTest, WhatGoesInComesOut)
{
    std::mt19937_64 random(11);
    SegmentRun run;
    ByteVector in;
    ByteVector out;
    uint32_t inNext = 0xfffff000;
    uint32_t outNext = inNext;
    for (int i = 0; i < 2000; ++i)
    {
        if (random() % 2 == 0)
        {
            const auto segment = Data(inNext, 1 + random() % 100);
            ASSERT_TRUE(run.Accepts(segment));
            run.Append(segment);
            inNext = segment.EndSequence();
            in.insert(in.end(), segment.payload.begin(), segment.payload.end());
        }
        else if (run.GetSize() > 0)
        {
            const auto segment = run.Take(1 + random() % run.GetSize());
            ASSERT_EQ(segment.sequence, outNext);
            outNext = segment.EndSequence();
            out.insert(out.end(), segment.payload.begin(), segment.payload.end());
        }
    }
    const auto rest = run.Take(run.GetSize());
    out.insert(out.end(), rest.payload.begin(), rest.payload.end());
    EXPECT_EQ(in, out);
    EXPECT_GT(in.size(), 40'000U);
}

} // namespace
} // namespace ns3::nfsrdma
