/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ddp/buffer-error.h"
#include "ddp/segment-header.h"
#include "wire/hex-bytes.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace ns3::nfsrdma
{

namespace
{

ByteVector
EncodeHeader(const DdpHeader& header)
{
    ByteVector octets(DdpUntaggedHeader::SIZE);
    ByteWriter writer(octets);
    std::visit([&writer](const auto& alternative) { alternative.Encode(writer); }, header);
    octets.resize(writer.Position());
    return octets;
}

Decoded<DdpHeader>
DecodeHeader(ByteSpan octets)
{
    ByteReader reader(octets);
    return DecodeDdpHeader(reader);
}

TEST(DdpHeaderTest, Write)
{
    const ByteVector octets = HexBytes("c140 00abcd01 0000000000010000");
    const auto header = DecodeHeader(octets);
    ASSERT_TRUE(header);
    const auto* tagged = std::get_if<DdpTaggedHeader>(&*header);
    ASSERT_NE(tagged, nullptr);
    EXPECT_TRUE(tagged->last);
    EXPECT_EQ(tagged->rsvdUlp, 0x40);
    EXPECT_EQ(tagged->stag, 0x00abcd01U);
    EXPECT_EQ(tagged->taggedOffset, 0x10000U);
    EXPECT_EQ(EncodeHeader(*header), octets);
}

TEST(DdpHeaderTest, LinuxWriteInTheMiddleOfAMessage)
{
    const ByteVector octets = HexBytes("8140 3e434e01 98ecc7e745449000");
    const auto header = DecodeHeader(octets);
    ASSERT_TRUE(header);
    EXPECT_FALSE(std::get<DdpTaggedHeader>(*header).last);
    EXPECT_EQ(std::get<DdpTaggedHeader>(*header).taggedOffset, 0x98ecc7e745449000U);
    EXPECT_EQ(EncodeHeader(*header), octets);
}

TEST(DdpHeaderTest, SendWithInvalidate)
{
    const ByteVector octets = HexBytes("4144 00abcd01 00000000 00000001 00000000");
    const auto header = DecodeHeader(octets);
    ASSERT_TRUE(header);
    const auto* untagged = std::get_if<DdpUntaggedHeader>(&*header);
    ASSERT_NE(untagged, nullptr);
    EXPECT_TRUE(untagged->last);
    EXPECT_EQ(untagged->rsvdUlp, 0x44);
    EXPECT_EQ(untagged->rsvdUlpWord, 0x00abcd01U);
    EXPECT_EQ(untagged->queueNumber, 0U);
    EXPECT_EQ(untagged->messageSequenceNumber, 1U);
    EXPECT_EQ(untagged->messageOffset, 0U);
    EXPECT_EQ(EncodeHeader(*header), octets);
}

TEST(DdpHeaderTest, LinuxReadRequest)
{
    const ByteVector octets = HexBytes("4141 00000000 00000001 00000004 00000000");
    const auto header = DecodeHeader(octets);
    ASSERT_TRUE(header);
    EXPECT_EQ(std::get<DdpUntaggedHeader>(*header).queueNumber, 1U);
    EXPECT_EQ(std::get<DdpUntaggedHeader>(*header).messageSequenceNumber, 4U);
    EXPECT_EQ(EncodeHeader(*header), octets);
}

TEST(DdpHeaderTest, EveryTruncationIsRefused)
{
    for (const char* text :
         {"c140 00abcd01 0000000000010000", "4144 00abcd01 00000000 00000001 00000000"})
    {
        const ByteVector octets = HexBytes(text);
        for (std::size_t length = 0; length < octets.size(); ++length)
        {
            const auto header = DecodeHeader(ByteSpan(octets).first(length));
            ASSERT_FALSE(header) << length;
            EXPECT_EQ(header.error(), WireError::TRUNCATED) << length;
        }
    }
}

TEST(DdpHeaderTest, OtherVersionsAreRefused)
{
    for (const uint8_t control : {0x40, 0x42, 0x43, 0xc0, 0xc2, 0xc3})
    {
        ByteVector octets(DdpUntaggedHeader::SIZE);
        octets[0] = control;
        const auto header = DecodeHeader(octets);
        ASSERT_FALSE(header);
        EXPECT_EQ(header.error(), WireError::BAD_VERSION);
    }
}

TEST(DdpHeaderTest, VersionZeroIsTakenWhereItIsAskedFor)
{
    for (const char* text :
         {"c000 00abcd01 0000000000010000", "4003 00000000 00000000 00000001 00000000"})
    {
        const ByteVector octets = HexBytes(text);
        ByteReader reader(octets);
        const auto header = DecodeDdpHeader(reader, DDP_VERSION_RDMAC);
        ASSERT_TRUE(header);
        EXPECT_EQ(reader.Remaining(), 0U);
        EXPECT_EQ(EncodeHeader(*header), octets);
    }
    const ByteVector version1 = HexBytes("c140 00abcd01 0000000000010000");
    ByteReader reader(version1);
    const auto header = DecodeDdpHeader(reader, DDP_VERSION_RDMAC);
    ASSERT_FALSE(header);
    EXPECT_EQ(header.error(), WireError::BAD_VERSION);
}

TEST(DdpHeaderTest, ACopyMayHaveAnyVersion)
{
    for (const uint8_t control : {0x40, 0x41, 0x42, 0x43, 0xc0, 0xc1, 0xc2, 0xc3})
    {
        ByteVector octets((control & 0x80) != 0 ? DdpTaggedHeader::SIZE : DdpUntaggedHeader::SIZE);
        octets[0] = control;
        ByteReader reader(octets);
        const auto header = DecodeAnyDdpHeader(reader);
        ASSERT_TRUE(header);
        EXPECT_EQ(EncodeHeader(*header), octets);
    }
}

TEST(DdpHeaderTest, ReservedBitsAreIgnored)
{
    const auto header = DecodeHeader(HexBytes("fd40 00000001 0000000000000002"));
    ASSERT_TRUE(header);
    EXPECT_EQ(EncodeHeader(*header), HexBytes("c140 00000001 0000000000000002"));
}

TEST(DdpHeaderTest, RandomHeadersRoundTrip)
{
    std::mt19937 generator(5041);
    for (int round = 0; round < 2000; ++round)
    {
        ByteVector octets = RandomBytes(generator, DdpUntaggedHeader::SIZE);
        octets[0] = static_cast<uint8_t>((octets[0] & 0xc0) | DDP_VERSION);
        const auto header = DecodeHeader(octets);
        ASSERT_TRUE(header);
        const ByteVector again = EncodeHeader(*header);
        EXPECT_EQ(again.size(), (octets[0] & 0x80) != 0 ? 14U : 18U);
        EXPECT_TRUE(std::equal(again.begin(), again.end(), octets.begin()));
    }
}

TEST(DdpErrorTest, NamesAreKnown)
{
    for (const uint16_t value :
         {0x000, 0x100, 0x101, 0x102, 0x103, 0x104, 0x201, 0x202, 0x203, 0x204, 0x205, 0x206})
    {
        EXPECT_STRNE(ToString(static_cast<DdpError>(value)), "unknown") << value;
    }
    EXPECT_STREQ(ToString(static_cast<DdpError>(0x105)), "unknown");
}

} // namespace

} // namespace ns3::nfsrdma
