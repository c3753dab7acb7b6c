/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/connection-error.h"
#include "mpa/startup-frame.h"
#include "mpa/startup-keys.h"
#include "wire/hex-bytes.h"

#include <gtest/gtest.h>
#include <set>

namespace ns3::nfsrdma
{

namespace
{

using Kind = MpaStartupFrame::Kind;

struct FrameVector
{
    const char* name;
    const char* octets;
    Kind kind;
    bool markers;
    bool crc;
    bool rejected;
    bool enhanced;
    uint8_t revision;
    const char* privateData;
};

const FrameVector FRAMES[] = {
    {"RequestRevision2Crc",
     "4d504120494420526571204672616d65 50 02 000c 0000 0080 f6ab0e18 01 01 03 03",
     Kind::REQUEST,
     false,
     true,
     false,
     true,
     2,
     "00000080f6ab0e1801010303"},
    {"ReplyRevision2Crc",
     "4d504120494420526570204672616d65 50 02 000c 0080 0000 f6ab0e18 01 00 03 03",
     Kind::REPLY,
     false,
     true,
     false,
     true,
     2,
     "00800000f6ab0e1801000303"},
    {"LinuxRequestPeerToPeer",
     "4d504120494420526571204672616d65 10 02 000c 8080 c001 f6ab0e18 01 01 03 03",
     Kind::REQUEST,
     false,
     false,
     false,
     true,
     2,
     "8080c001f6ab0e1801010303"},
    {"LinuxReplyPeerToPeer",
     "4d504120494420526570204672616d65 10 02 000c 8001 8080 f6ab0e18 01 00 03 03",
     Kind::REPLY,
     false,
     false,
     false,
     true,
     2,
     "80018080f6ab0e1801000303"},
    {"LinuxReplyToMarkersRejects",
     "4d504120494420526570204672616d65 30 02 0004 0000 0000",
     Kind::REPLY,
     false,
     false,
     true,
     true,
     2,
     "00000000"},
    {"LinuxReplyToMarkersAndCrcRejects",
     "4d504120494420526570204672616d65 70 02 0004 0000 0000",
     Kind::REPLY,
     false,
     true,
     true,
     true,
     2,
     "00000000"},
    {"ProbeRequestMarkers",
     "4d504120494420526571204672616d65 90 02 0004 0001 0001",
     Kind::REQUEST,
     true,
     false,
     false,
     true,
     2,
     "00010001"},
    {"LinuxReplyRevision0",
     "4d504120494420526570204672616d65 00 00 0000",
     Kind::REPLY,
     false,
     false,
     false,
     false,
     0,
     ""},
    {"LinuxReplyRevision1Crc",
     "4d504120494420526570204672616d65 40 01 0000",
     Kind::REPLY,
     false,
     true,
     false,
     false,
     1,
     ""},
};

class StartupFrameVectorTest : public testing::TestWithParam<FrameVector>
{
};

TEST_P(StartupFrameVectorTest, DecodesAndEncodesTheSameOctets)
{
    const FrameVector& expected = GetParam();
    const ByteVector octets = HexBytes(expected.octets);
    const auto frame = MpaStartupFrame::Decode(octets, expected.kind);
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->kind, expected.kind);
    EXPECT_EQ(frame->markers, expected.markers);
    EXPECT_EQ(frame->crc, expected.crc);
    EXPECT_EQ(frame->rejected, expected.rejected);
    EXPECT_EQ(frame->enhanced, expected.enhanced);
    EXPECT_EQ(frame->revision, expected.revision);
    EXPECT_EQ(frame->privateData, HexBytes(expected.privateData));
    EXPECT_EQ(frame->EncodedSize(), octets.size());
    EXPECT_EQ(frame->Encode(), octets);
}

TEST_P(StartupFrameVectorTest, EveryTruncationIsRefused)
{
    const ByteVector octets = HexBytes(GetParam().octets);
    for (std::size_t length = 0; length < octets.size(); ++length)
    {
        const auto frame = MpaStartupFrame::Decode(ByteSpan(octets).first(length), GetParam().kind);
        ASSERT_FALSE(frame) << length;
        EXPECT_EQ(frame.error(), WireError::TRUNCATED) << length;
    }
}

TEST_P(StartupFrameVectorTest, SizeIsKnownOnceTheHeaderIsThere)
{
    const ByteVector octets = HexBytes(GetParam().octets);
    for (std::size_t length = 0; length <= octets.size(); ++length)
    {
        const auto size =
            MpaStartupFrame::FrameSize(ByteSpan(octets).first(length), GetParam().kind);
        ASSERT_TRUE(size) << length;
        ASSERT_EQ(size->has_value(), length >= MpaStartupFrame::HEADER_SIZE) << length;
        EXPECT_EQ(size->value_or(octets.size()), octets.size());
    }
}

TEST_P(StartupFrameVectorTest, OtherKindIsRefused)
{
    const ByteVector octets = HexBytes(GetParam().octets);
    const Kind other = GetParam().kind == Kind::REQUEST ? Kind::REPLY : Kind::REQUEST;
    const auto frame = MpaStartupFrame::Decode(octets, other);
    ASSERT_FALSE(frame);
    EXPECT_EQ(frame.error(), WireError::BAD_VALUE);
}

INSTANTIATE_TEST_SUITE_P(Vectors,
                         StartupFrameVectorTest,
                         testing::ValuesIn(FRAMES),
                         [](const testing::TestParamInfo<FrameVector>& vector) {
                             return std::string(vector.param.name);
                         });

TEST(StartupFrameTest, WrongKeyShowsAtItsFirstWrongOctet)
{
    ByteVector octets = HexBytes(REQUEST_KEY);
    octets[5] ^= 0x20;
    EXPECT_TRUE(MpaStartupFrame::FrameSize(ByteSpan(octets).first(5), Kind::REQUEST));
    const auto size = MpaStartupFrame::FrameSize(ByteSpan(octets).first(6), Kind::REQUEST);
    ASSERT_FALSE(size);
    EXPECT_EQ(size.error(), WireError::BAD_VALUE);
}

TEST(StartupFrameTest, PrivateDataOf512OctetsPassesAnd513Not)
{
    ByteVector octets = HexBytes(REPLY_KEY + "00010200");
    octets.resize(octets.size() + 512, 0x5a);
    const auto longest = MpaStartupFrame::Decode(octets, Kind::REPLY);
    ASSERT_TRUE(longest);
    EXPECT_EQ(longest->privateData, ByteVector(512, 0x5a));
    EXPECT_EQ(longest->Encode(), octets);

    octets[19] = 0x01;
    octets.push_back(0x5a);
    const auto tooLong = MpaStartupFrame::Decode(octets, Kind::REPLY);
    ASSERT_FALSE(tooLong);
    EXPECT_EQ(tooLong.error(), WireError::TOO_LONG);
}

TEST(StartupFrameTest, OctetsAfterTheFrameAreRefused)
{
    const ByteVector octets = HexBytes(REQUEST_KEY + "00010000 00");
    const auto frame = MpaStartupFrame::Decode(octets, Kind::REQUEST);
    ASSERT_FALSE(frame);
    EXPECT_EQ(frame.error(), WireError::TRAILING_DATA);
}

TEST(StartupFrameTest, ReservedBitsAndRejectedOfARequestAreIgnored)
{
    const ByteVector octets = HexBytes(REQUEST_KEY + "6f010000");
    const auto frame = MpaStartupFrame::Decode(octets, Kind::REQUEST);
    ASSERT_TRUE(frame);
    EXPECT_TRUE(frame->crc);
    EXPECT_FALSE(frame->rejected);
    EXPECT_FALSE(frame->markers);
    EXPECT_FALSE(frame->enhanced);
}

TEST(EnhancedBlockTest, DecodesLinuxPeerToPeerRequest)
{
    const auto frame = MpaStartupFrame::Decode(
        HexBytes("4d504120494420526571204672616d65 10 02 000c 8080 c001 f6ab0e18 01 01 03 03"),
        Kind::REQUEST);
    ASSERT_TRUE(frame);
    const auto block = frame->GetEnhancedBlock();
    ASSERT_TRUE(block);
    EXPECT_TRUE(block->peerToPeer);
    EXPECT_FALSE(block->rtrSend);
    EXPECT_TRUE(block->rtrWrite);
    EXPECT_TRUE(block->rtrRead);
    EXPECT_EQ(block->ird, 128);
    EXPECT_EQ(block->ord, 1);
    const ByteSpan consumer = frame->GetConsumerPrivateData();
    EXPECT_EQ(ByteVector(consumer.begin(), consumer.end()), HexBytes("f6ab0e1801010303"));
}

TEST(EnhancedBlockTest, EveryFlagAndDepthSurvives)
{
    for (unsigned flags = 0; flags < 16; ++flags)
    {
        for (const uint16_t depth : {uint16_t{0}, uint16_t{1}, uint16_t{0x1234}, uint16_t{0x3fff}})
        {
            MpaEnhancedBlock block;
            block.peerToPeer = (flags & 1) != 0;
            block.rtrSend = (flags & 2) != 0;
            block.rtrWrite = (flags & 4) != 0;
            block.rtrRead = (flags & 8) != 0;
            block.ird = depth;
            block.ord = static_cast<uint16_t>(0x3fff - depth);
            MpaStartupFrame frame;
            frame.revision = 2;
            frame.SetEnhancedPrivateData(block, HexBytes("0102"));
            const auto decoded = MpaStartupFrame::Decode(frame.Encode(), Kind::REQUEST);
            ASSERT_TRUE(decoded);
            const auto got = decoded->GetEnhancedBlock();
            ASSERT_TRUE(got);
            EXPECT_EQ(got->peerToPeer, block.peerToPeer);
            EXPECT_EQ(got->rtrSend, block.rtrSend);
            EXPECT_EQ(got->rtrWrite, block.rtrWrite);
            EXPECT_EQ(got->rtrRead, block.rtrRead);
            EXPECT_EQ(got->ird, block.ird);
            EXPECT_EQ(got->ord, block.ord);
            EXPECT_EQ(decoded->GetConsumerPrivateData().size(), 2U);
        }
    }
}

TEST(EnhancedBlockTest, NeedsTheFlagAndFourOctets)
{
    MpaStartupFrame frame;
    frame.privateData = HexBytes("00010001");
    ASSERT_FALSE(frame.GetEnhancedBlock());
    EXPECT_EQ(frame.GetEnhancedBlock().error(), WireError::BAD_VALUE);
    EXPECT_EQ(frame.GetConsumerPrivateData().size(), 4U);

    frame.enhanced = true;
    for (std::size_t length = 0; length < MpaEnhancedBlock::SIZE; ++length)
    {
        frame.privateData.resize(length);
        ASSERT_FALSE(frame.GetEnhancedBlock());
        EXPECT_EQ(frame.GetEnhancedBlock().error(), WireError::TRUNCATED);
        EXPECT_TRUE(frame.GetConsumerPrivateData().empty());
    }
}

TEST(StartupFrameTest, RandomFramesRoundTrip)
{
    std::mt19937 generator(7);
    for (int round = 0; round < 500; ++round)
    {
        MpaStartupFrame frame;
        frame.kind = generator() % 2 == 0 ? Kind::REQUEST : Kind::REPLY;
        frame.markers = generator() % 2 == 0;
        frame.crc = generator() % 2 == 0;
        frame.rejected = frame.kind == Kind::REPLY && generator() % 2 == 0;
        frame.enhanced = generator() % 2 == 0;
        frame.revision = static_cast<uint8_t>(generator() % 4);
        frame.privateData = RandomBytes(generator, generator() % 513);
        const ByteVector octets = frame.Encode();
        const auto decoded = MpaStartupFrame::Decode(octets, frame.kind);
        ASSERT_TRUE(decoded);
        EXPECT_EQ(decoded->markers, frame.markers);
        EXPECT_EQ(decoded->rejected, frame.rejected);
        EXPECT_EQ(decoded->privateData, frame.privateData);
        EXPECT_EQ(decoded->Encode(), octets);
    }
}

TEST(MpaErrorTest, NamesDiffer)
{
    std::set<std::string> names;
    for (uint8_t error = 1; error <= 7; ++error)
    {
        names.insert(ToString(static_cast<MpaError>(error)));
    }
    EXPECT_EQ(names.size(), 7U);
    EXPECT_EQ(names.count(ToString(static_cast<MpaError>(8))), 0U);
}

} // namespace

} // namespace ns3::nfsrdma
