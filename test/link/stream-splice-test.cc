/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/stream-splice.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace ns3::nfsrdma
{

namespace
{

TcpSegment
MakeSegment(uint32_t sequence, const ByteVector& payload)
{
    TcpSegment segment;
    segment.sequence = sequence;
    segment.payload = payload;
    segment.flags = TcpSegment::ACK | TcpSegment::PSH;
    return segment;
}

TcpSegment
MakeAck(uint32_t acknowledgment)
{
    TcpSegment segment;
    segment.acknowledgment = acknowledgment;
    return segment;
}

uint32_t
AckFor(StreamSplice& splice, uint32_t acknowledgment)
{
    auto segment = MakeAck(acknowledgment);
    splice.Backward(segment);
    return segment.acknowledgment;
}

TEST(StreamSpliceTest, LeavesAStreamAsItIsWithoutInsertions)
{
    StreamSplice splice;
    EXPECT_FALSE(splice.IsUsed());
    const auto passing = splice.Forward(MakeSegment(100, {1, 2, 3}));
    ASSERT_EQ(passing.size(), 1U);
    EXPECT_EQ(passing[0].sequence, 100U);
    EXPECT_EQ(passing[0].payload, (ByteVector{1, 2, 3}));
    EXPECT_EQ(passing[0].flags, TcpSegment::ACK | TcpSegment::PSH);
    EXPECT_EQ(AckFor(splice, 103), 103U);
}

TEST(StreamSpliceTest, CutsASegmentWhereOctetsArePut)
{
    StreamSplice splice;
    splice.Insert(102, {9, 9, 9});
    const auto passing = splice.Forward(MakeSegment(100, {1, 2, 3, 4}));
    ASSERT_EQ(passing.size(), 3U);
    EXPECT_EQ(passing[0].sequence, 100U);
    EXPECT_EQ(passing[0].payload, (ByteVector{1, 2}));
    EXPECT_EQ(passing[0].flags, TcpSegment::ACK);
    EXPECT_EQ(passing[1].sequence, 102U);
    EXPECT_EQ(passing[1].payload, (ByteVector{9, 9, 9}));
    EXPECT_EQ(passing[2].sequence, 105U);
    EXPECT_EQ(passing[2].payload, (ByteVector{3, 4}));
    EXPECT_EQ(passing[2].flags, TcpSegment::ACK | TcpSegment::PSH);
}

TEST(StreamSpliceTest, RenumbersWhatComesAfterAndNotWhatCameBefore)
{
    StreamSplice splice;
    splice.Insert(102, {9, 9, 9});
    EXPECT_EQ(splice.Forward(MakeSegment(100, {1, 2})).at(0).sequence, 100U);
    EXPECT_EQ(splice.Forward(MakeSegment(104, {5})).at(0).sequence, 107U);
    EXPECT_EQ(splice.Forward(MakeSegment(102, {})).at(0).sequence, 105U) << "an acknowledgment";
    EXPECT_EQ(splice.Forward(MakeSegment(101, {})).at(0).sequence, 101U);
}

TEST(StreamSpliceTest, SendsTheOctetsAgainUntilTheyAreAcknowledged)
{
    StreamSplice splice;
    splice.Insert(102, {9, 9, 9});
    EXPECT_EQ(splice.Forward(MakeSegment(102, {3})).size(), 2U);
    EXPECT_EQ(splice.Forward(MakeSegment(102, {3})).size(), 2U);
    EXPECT_EQ(AckFor(splice, 104), 102U) << "within the octets put in";
    EXPECT_EQ(splice.Forward(MakeSegment(102, {3})).size(), 2U);
    EXPECT_EQ(AckFor(splice, 105), 102U) << "all of them";
    const auto passing = splice.Forward(MakeSegment(102, {3}));
    ASSERT_EQ(passing.size(), 1U);
    EXPECT_EQ(passing[0].sequence, 105U);
    EXPECT_EQ(AckFor(splice, 106), 103U);
    EXPECT_TRUE(splice.IsUsed());
}

TEST(StreamSpliceTest, RenumbersSackBlocks)
{
    StreamSplice splice;
    splice.Insert(102, {9, 9, 9});
    auto segment = MakeAck(101);
    segment.options = {1, 1, 5, 10, 0, 0, 0, 105, 0, 0, 0, 110};
    splice.Backward(segment);
    EXPECT_EQ(segment.acknowledgment, 101U);
    EXPECT_EQ(segment.options, (ByteVector{1, 1, 5, 10, 0, 0, 0, 102, 0, 0, 0, 107}));
}

TEST(StreamSpliceTest, ReadsOptionsThatAreCutShort)
{
    StreamSplice splice;
    splice.Insert(102, {9});
    for (const ByteVector& options :
         {ByteVector{5, 10, 0, 0}, ByteVector{5, 1, 0, 0}, ByteVector{1, 1, 1, 5}})
    {
        auto segment = MakeAck(103);
        segment.options = options;
        splice.Backward(segment);
        EXPECT_EQ(segment.options, options);
    }
}

/// A sender, a receiver and a lossy path with somebody on it: the receiver reads the stream with
/// what was put in, the sender never sees a number that it has not sent.
class StreamSpliceProperty : public ::testing::TestWithParam<uint32_t>
{
};

TEST_P(StreamSpliceProperty, HoldsOverLossAndWrap)
{
    std::mt19937 random(GetParam());
    const auto below = [&random](uint32_t bound) {
        return static_cast<uint32_t>(random() % bound);
    };
    constexpr uint32_t FIRST = 0xffffff00;
    constexpr uint32_t OCTETS = 2000;
    StreamSplice splice;
    ByteVector expected;
    std::map<uint32_t, uint8_t> received; // By offset from FIRST.
    uint32_t next = 0;                    // Of the receiver.
    uint32_t acknowledged = 0;
    uint32_t furthest = 0;
    while (acknowledged < OCTETS)
    {
        const uint32_t begin = acknowledged + below(std::max(furthest - acknowledged, 1U));
        const uint32_t size = std::min(1 + below(40), OCTETS - begin);
        ByteVector payload(size);
        for (uint32_t i = 0; i < size; ++i)
        {
            payload[i] = static_cast<uint8_t>((begin + i) % 251);
        }
        if (begin <= furthest && begin + size > furthest)
        {
            if (below(4) == 0)
            {
                const uint32_t place = furthest + below(begin + size - furthest);
                for (uint32_t i = furthest; i < place; ++i)
                {
                    expected.push_back(static_cast<uint8_t>(i % 251));
                }
                splice.Insert(FIRST + place, {255, 254, 253});
                expected.insert(expected.end(), {255, 254, 253});
                furthest = place;
            }
            for (uint32_t i = furthest; i < begin + size; ++i)
            {
                expected.push_back(static_cast<uint8_t>(i % 251));
            }
            furthest = begin + size;
        }
        for (const auto& piece : splice.Forward(MakeSegment(FIRST + begin, payload)))
        {
            for (std::size_t i = 0; below(3) != 0 && i < piece.payload.size(); ++i)
            {
                received.emplace(piece.sequence - FIRST + i, piece.payload[i]);
            }
        }
        while (received.count(next) != 0)
        {
            ++next;
        }
        if (below(2) == 0)
        {
            const uint32_t told = AckFor(splice, FIRST + next) - FIRST;
            ASSERT_LE(told, furthest);
            ASSERT_GE(told, acknowledged);
            acknowledged = told;
        }
    }
    ByteVector read;
    for (const auto& [offset, octet] : received)
    {
        ASSERT_EQ(offset, read.size());
        read.push_back(octet);
    }
    EXPECT_EQ(read, expected);
    EXPECT_GT(read.size(), OCTETS);
}

INSTANTIATE_TEST_SUITE_P(Seeds, StreamSpliceProperty, ::testing::Range(0U, 40U));

} // namespace

} // namespace ns3::nfsrdma
