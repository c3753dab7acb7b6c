/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/fpdu-framing.h"
#include "mpa/fpdu-transmitter.h"
#include "wire/hex-bytes.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

ByteVector
Join(std::initializer_list<ByteVector> parts)
{
    ByteVector joined;
    for (const ByteVector& part : parts)
    {
        joined.insert(joined.end(), part.begin(), part.end());
    }
    return joined;
}

ByteVector
Fill(std::size_t length, uint8_t octet = 0x5a)
{
    return ByteVector(length, octet);
}

/// One FPDU with markers, as literal octets. CRCs of the vectors that have one are those of
/// RFC 5044 figures 5 and 6, else the field is zero.
struct MarkedVector
{
    const char* name;
    uint64_t position;
    bool crc;
    ByteVector ulpdu;
    ByteVector octets;
};

std::vector<MarkedVector>
Vectors()
{
    const std::string send1 = "4143 00000000 00000000 00000001 00000000";
    const std::string send2 = "4143 00000000 00000000 00000002 00000000";
    return {
        {"Figure5MarkerPrecedesTheFirstFpdu",
         0,
         true,
         Join({HexBytes(send1), Fill(24, 0)}),
         Join({HexBytes("00000000 002a" + send1), Fill(24, 0), HexBytes("52239983")})},
        {"Figure6MarkerInside",
         0x1ec,
         true,
         Join({HexBytes(send2), Fill(24, 0)}),
         Join({HexBytes("002a" + send2 + "00000014"), Fill(24, 0), HexBytes("84925898")})},
        {"Figure4MarkerInside",
         512 - 12,
         false,
         Fill(16),
         Join({HexBytes("0010"),
               Fill(10),
               HexBytes("0000000c"),
               Fill(6),
               HexBytes("0000 00000000")})},
        {"NoMarker", 8, false, Fill(6), Join({HexBytes("0006"), Fill(6), HexBytes("00000000")})},
        {"MarkerBetweenFpdusBelongsToTheSecond",
         1024,
         false,
         Fill(2),
         HexBytes("00000000 0002 5a5a 00000000")},
        {"FpduThatEndsWhereAMarkerFollows",
         512 - 12,
         false,
         Fill(6),
         Join({HexBytes("0006"), Fill(6), HexBytes("00000000")})},
        {"MarkerBetweenPadAndCrc",
         512 - 8,
         false,
         Fill(5),
         Join({HexBytes("0005"), Fill(5), HexBytes("00 00000008 00000000")})},
        {"MarkerBeforePad",
         512 - 4,
         false,
         Fill(3),
         Join({HexBytes("0003 5a5a 00000004 5a 000000 00000000")})},
        {"MarkerRightAfterLength",
         (uint64_t{1} << 32) - 4,
         false,
         Fill(6),
         Join({HexBytes("0006 5a5a 00000004"), Fill(4), HexBytes("00000000")})},
        {"SeveralMarkersPointToTheSameLength",
         512 * 7,
         false,
         Fill(1042),
         Join({HexBytes("00000000 0412"),
               Fill(506),
               HexBytes("000001fc"),
               Fill(508),
               HexBytes("000003fc"),
               Fill(28),
               HexBytes("00000000")})},
        {"SeveralMarkersAndOneBeforeTheCrc",
         512 - 20,
         false,
         Fill(526),
         Join({HexBytes("020e"),
               Fill(18),
               HexBytes("00000014"),
               Fill(508),
               HexBytes("00000214 00000000")})},
    };
}

class MarkedFpduTest : public testing::TestWithParam<MarkedVector>
{
};

TEST_P(MarkedFpduTest, EncodesTheseOctets)
{
    const MarkedVector& vector = GetParam();
    const auto length = static_cast<uint32_t>(vector.ulpdu.size());
    EXPECT_EQ(MarkedFpdu::Encode(vector.ulpdu, vector.position, vector.crc), vector.octets);
    EXPECT_EQ(MarkedFpdu::WireSize(length, vector.position), vector.octets.size());
}

TEST_P(MarkedFpduTest, DecodesToTheUlpdu)
{
    const MarkedVector& vector = GetParam();
    EXPECT_EQ(MarkedFpdu::PeekWireSize(vector.octets, vector.position), vector.octets.size());
    EXPECT_TRUE(MarkedFpdu::Check(vector.octets, vector.position, vector.crc));
    ByteVector octets = vector.octets;
    const auto ulpdu = MarkedFpdu::Strip(octets, vector.position);
    EXPECT_EQ(ByteVector(ulpdu.begin(), ulpdu.end()), vector.ulpdu);
}

TEST_P(MarkedFpduTest, EveryTruncationIsRefused)
{
    const MarkedVector& vector = GetParam();
    const std::size_t header = Marker::IsAt(vector.position) ? 6 : 2;
    for (std::size_t length = 0; length < vector.octets.size(); ++length)
    {
        const ByteSpan part = ByteSpan(vector.octets).first(length);
        EXPECT_EQ(MarkedFpdu::PeekWireSize(part, vector.position).has_value(), length >= header);
        const auto checked = MarkedFpdu::Check(part, vector.position, false);
        ASSERT_FALSE(checked) << length;
        EXPECT_EQ(checked.error(), WireError::TRUNCATED);
    }
    const auto longer = MarkedFpdu::Check(Join({vector.octets, {0}}), vector.position, false);
    ASSERT_FALSE(longer);
    EXPECT_EQ(longer.error(), WireError::TRAILING_DATA);
}

TEST_P(MarkedFpduTest, ReservedAndLowBitsAreIgnored)
{
    const MarkedVector& vector = GetParam();
    ByteVector octets = vector.octets;
    for (uint64_t at = Marker::NextPosition(vector.position); at < vector.position + octets.size();
         at += Marker::INTERVAL)
    {
        const std::size_t offset = at - vector.position;
        octets[offset] = 0xab;
        octets[offset + 1] = 0xcd;
        octets[offset + 3] |= 3;
    }
    EXPECT_TRUE(MarkedFpdu::Check(octets, vector.position, false));
}

TEST_P(MarkedFpduTest, EveryWrongPointerShows)
{
    const MarkedVector& vector = GetParam();
    for (uint64_t at = Marker::NextPosition(vector.position);
         at < vector.position + vector.octets.size();
         at += Marker::INTERVAL)
    {
        for (unsigned bit = 2; bit < 16; ++bit)
        {
            ByteVector octets = vector.octets;
            octets[at - vector.position + (bit < 8 ? 3 : 2)] ^= static_cast<uint8_t>(1U << bit % 8);
            const auto checked = MarkedFpdu::Check(octets, vector.position, false);
            ASSERT_FALSE(checked) << at << " " << bit;
            EXPECT_EQ(checked.error(), WireError::BAD_VALUE);
        }
    }
}

TEST_P(MarkedFpduTest, EveryFlippedBitButTheLengthShowsInTheCrc)
{
    const MarkedVector& vector = GetParam();
    const ByteVector good = MarkedFpdu::Encode(vector.ulpdu, vector.position, true);
    EXPECT_TRUE(MarkedFpdu::Check(good, vector.position, true));
    const std::size_t length = Marker::LengthPosition(vector.position) - vector.position;
    for (std::size_t bit = 0; bit < good.size() * 8; ++bit)
    {
        if (bit / 8 == length || bit / 8 == length + 1)
        {
            continue;
        }
        ByteVector damaged = good;
        damaged[bit / 8] ^= static_cast<uint8_t>(1U << (bit % 8));
        const auto checked = MarkedFpdu::Check(damaged, vector.position, true);
        ASSERT_FALSE(checked) << bit;
        EXPECT_EQ(checked.error(), WireError::BAD_CHECKSUM);
    }
}

INSTANTIATE_TEST_SUITE_P(Vectors,
                         MarkedFpduTest,
                         testing::ValuesIn(Vectors()),
                         [](const testing::TestParamInfo<MarkedVector>& vector) {
                             return std::string(vector.param.name);
                         });

TEST(MarkerTest, EncodesFourOctets)
{
    ByteVector octets(4, 0xff);
    Marker{0x1234}.Encode(octets);
    EXPECT_EQ(octets, HexBytes("00001234"));
    EXPECT_EQ(Marker::Decode(HexBytes("ffff1237")).fpduPointer, 0x1234);
}

TEST(MarkerTest, PositionsCountFromTheFirstFpduWhateverItsSequenceNumber)
{
    const uint32_t start = 11;
    std::vector<uint64_t> sequence;
    for (uint64_t at = 0; sequence.size() < 3; at = Marker::NextPosition(at + 1))
    {
        EXPECT_TRUE(Marker::IsAt(at));
        sequence.push_back(start + at);
    }
    EXPECT_EQ(sequence, (std::vector<uint64_t>{11, 523, 1035}));
}

TEST(MarkerTest, FindsTheFpduThatContainsIt)
{
    EXPECT_EQ(Marker{0}.FindFpdu(1024), 1024U);
    EXPECT_EQ(Marker{20}.FindFpdu(512), 492U);
    EXPECT_EQ(Marker{508}.FindFpdu(512), 0U);
    EXPECT_EQ(Marker{1020}.FindFpdu(2048), 1024U);
    EXPECT_FALSE(Marker{516}.FindFpdu(512).has_value());
    EXPECT_FALSE(Marker{512}.FindFpdu(1024).has_value());
    EXPECT_EQ(Marker{508}.FindFpdu(uint64_t{1} << 33), (uint64_t{1} << 33) - 512);
}

TEST(MarkerTest, CountAgreesWithWalkingOctetByOctet)
{
    for (uint64_t position = 0; position < 512; position += 4)
    {
        for (const uint32_t size : {8U, 12U, 500U, 504U, 508U, 512U, 516U, 1016U, 1020U, 65536U})
        {
            uint32_t markers = 0;
            uint64_t at = position;
            for (uint32_t octets = 0; octets < size; octets += 4, at += 4)
            {
                if (at % 512 == 0)
                {
                    ++markers;
                    at += 4;
                }
            }
            ASSERT_EQ(Marker::Count(position, size), markers) << position << " " << size;
        }
    }
}

TEST(FpduTransmitterTest, MarkersAreAtEvery512thOctetOfTheStream)
{
    std::mt19937 generator(7);
    FpduTransmitter transmitter;
    transmitter.StartFullOperation({true, true});
    ByteVector stream;
    std::vector<uint64_t> lengthPositions;
    while (stream.size() < 20000)
    {
        const ByteVector ulpdu = RandomBytes(generator, 1 + generator() % 1500);
        const auto lent = transmitter.Begin(static_cast<uint32_t>(ulpdu.size()));
        std::copy(ulpdu.begin(), ulpdu.end(), lent.begin());
        const ByteSpan fpdu = transmitter.Seal();
        lengthPositions.push_back(Marker::LengthPosition(stream.size()));
        stream.insert(stream.end(), fpdu.begin(), fpdu.end());
        transmitter.Advance(fpdu.size());
        ASSERT_EQ(transmitter.GetPosition(), stream.size());
    }
    for (std::size_t at = 0; at < stream.size(); at += 512)
    {
        const uint16_t pointer = Marker::Decode(ByteSpan(stream).subspan(at, 4)).fpduPointer;
        const auto behind = std::upper_bound(lengthPositions.begin(), lengthPositions.end(), at);
        const bool between =
            std::binary_search(lengthPositions.begin(), lengthPositions.end(), at + 4);
        ASSERT_EQ(pointer, between ? 0 : at - *std::prev(behind)) << at;
    }
}

TEST(FpduTransmitterTest, WhatTheStreamRefusesIsFramedAgainAtTheSamePosition)
{
    FpduTransmitter transmitter;
    transmitter.StartFullOperation({false, true});
    std::fill_n(transmitter.Begin(2).begin(), 2, uint8_t{0x5a});
    const ByteVector expected = HexBytes("00000000 0002 5a5a 00000000");
    for (int i = 0; i < 2; ++i)
    {
        const ByteSpan fpdu = transmitter.Seal();
        EXPECT_EQ(ByteVector(fpdu.begin(), fpdu.end()), expected);
    }
}

TEST(MulpduTest, FollowsEmssWithMarkers)
{
    EXPECT_EQ(Fpdu::MulpduWithMarkers(1460), 1442U);
    EXPECT_EQ(Fpdu::MulpduWithMarkers(8960), 8882U);
    EXPECT_EQ(Fpdu::MulpduWithMarkers(1448), 1430U);
    EXPECT_EQ(Fpdu::MulpduWithMarkers(536), 522U);
    EXPECT_EQ(Fpdu::MulpduWithMarkers(512), 502U);
    EXPECT_EQ(Fpdu::MulpduWithMarkers(0), 128U);
    EXPECT_EQ(Fpdu::MulpduWithMarkers(137), 128U);
    EXPECT_EQ(Fpdu::MulpduWithMarkers(143), 130U);
    EXPECT_EQ(Fpdu::MulpduWithMarkers(1U << 20), 64768U);
}

TEST(MulpduTest, FitsTheSegmentWhereverItBegins)
{
    for (uint32_t emss = 140; emss < 4600; ++emss)
    {
        const uint32_t mulpdu = Fpdu::MulpduWithMarkers(emss);
        for (uint64_t position = 0; position < 512; position += 4)
        {
            ASSERT_LE(MarkedFpdu::WireSize(mulpdu, position), emss) << position;
        }
    }
}

TEST(MulpduTest, RoomThatIsLeftHasNoLowerBound)
{
    const FpduFraming plain{true, false};
    const FpduFraming marked{true, true};
    EXPECT_EQ(plain.UlpduFitting(0), 0U);
    EXPECT_EQ(plain.UlpduFitting(6), 0U);
    EXPECT_EQ(plain.UlpduFitting(100), 94U);
    EXPECT_EQ(marked.UlpduFitting(100), 90U);
    EXPECT_EQ(marked.UlpduFitting(3), 0U);
}

TEST(FpduFramingTest, CrcComesBeforeMarkers)
{
    const FpduFraming framing{true, true};
    ByteVector octets = MarkedFpdu::Encode(Fill(20), 0, true);
    octets[3] = 8;
    EXPECT_EQ(framing.Check(octets, 0).error(), MpaError::CRC_MISMATCH);
    EXPECT_EQ((FpduFraming{false, true}.Check(octets, 0).error()), MpaError::MARKER_MISMATCH);
    EXPECT_EQ((FpduFraming{false, true}.Open(octets, 0).error()), MpaError::MARKER_MISMATCH);
}

TEST(FpduFramingTest, AnUlpduThatNoPointerCanSpanIsAMismatch)
{
    const ByteVector octets = MarkedFpdu::Encode(ByteVector(65535), 8, true);
    const auto checked = MarkedFpdu::Check(octets, 8, true);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error(), WireError::BAD_VALUE);
}

} // namespace

} // namespace ns3::nfsrdma
