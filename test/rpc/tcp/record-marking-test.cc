/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/tcp/record-marking.h"
#include "wire/hex-bytes.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace ns3::nfsrdma
{
namespace
{

/// Feeds \p stream in pieces of \p piece octets.
std::vector<ByteVector>
TakeAll(RecordMarkingDecoder& decoder, ByteSpan stream, std::size_t piece)
{
    std::vector<ByteVector> records;
    while (!stream.empty())
    {
        ByteSpan octets = stream.first(std::min(piece, stream.size()));
        stream = stream.subspan(octets.size());
        while (true)
        {
            auto taken = decoder.Take(octets);
            if (!taken || !*taken)
            {
                break;
            }
            records.push_back(std::move(**taken));
        }
    }
    return records;
}

TEST(RecordMarking, OneFragmentHasTheLastBit)
{
    EXPECT_EQ(MarkRecord(HexBytes("01020304 05")), HexBytes("80000005 01020304 05"));
}

TEST(RecordMarking, RecordsAreCutIntoFragments)
{
    EXPECT_EQ(MarkRecord(HexBytes("01020304 05"), 2),
              HexBytes("00000002 0102 00000002 0304 80000001 05"));
    EXPECT_EQ(MarkRecord(HexBytes("01020304"), 2), HexBytes("00000002 0102 80000002 0304"));
}

TEST(RecordMarking, AnyCutGivesTheSameRecords)
{
    const ByteVector stream =
        HexBytes("80000004 01020304 00000001 05 00000002 0607 80000001 08 80000002 090a");
    const std::vector<ByteVector> expected{HexBytes("01020304"),
                                           HexBytes("05060708"),
                                           HexBytes("090a")};
    for (std::size_t piece = 1; piece <= stream.size(); ++piece)
    {
        RecordMarkingDecoder decoder(4);
        EXPECT_EQ(TakeAll(decoder, stream, piece), expected) << piece;
        EXPECT_FALSE(decoder.IsInside());
    }
}

TEST(RecordMarking, EmptyFragmentsAreNoHarm)
{
    RecordMarkingDecoder decoder(4);
    const ByteVector stream = HexBytes("00000000 00000001 01 00000000 80000000 80000000");
    const std::vector<ByteVector> expected{HexBytes("01"), ByteVector()};
    EXPECT_EQ(TakeAll(decoder, stream, stream.size()), expected);
}

TEST(RecordMarking, PartsOfARecordAreKept)
{
    RecordMarkingDecoder decoder(4);
    const ByteVector stream = HexBytes("8000");
    EXPECT_TRUE(TakeAll(decoder, stream, 1).empty());
    EXPECT_TRUE(decoder.IsInside());
}

TEST(RecordMarking, LongRecordsAreRefusedByTheirHeader)
{
    for (const char* const hex : {"80000005", "ffffffff", "00000004 01020304 80000001"})
    {
        RecordMarkingDecoder decoder(4);
        const ByteVector stream = HexBytes(hex);
        ByteSpan octets(stream);
        const auto taken = decoder.Take(octets);
        ASSERT_FALSE(taken) << hex;
        EXPECT_EQ(taken.error(), WireError::TOO_LONG);
        ByteSpan none;
        EXPECT_FALSE(decoder.Take(none));
    }
}

TEST(RecordMarking, RandomRecordsSurviveRandomCuts)
{
    std::mt19937_64 random(20240611);
    const auto below = [&random](uint64_t limit) { return random() % limit; };
    for (int round = 0; round < 300; ++round)
    {
        std::vector<ByteVector> records;
        ByteVector stream;
        for (uint64_t i = 0; i < 1 + below(8); ++i)
        {
            ByteVector record(1 + below(200));
            std::generate(record.begin(), record.end(), [&random] {
                return static_cast<uint8_t>(random());
            });
            const ByteVector marked = MarkRecord(record, static_cast<uint32_t>(1 + below(250)));
            stream.insert(stream.end(), marked.begin(), marked.end());
            records.push_back(std::move(record));
        }
        RecordMarkingDecoder decoder(200);
        EXPECT_EQ(TakeAll(decoder, stream, 1 + below(90)), records);
    }
}

} // namespace
} // namespace ns3::nfsrdma
