/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wire/byte-reader.h"
#include "wire/byte-writer.h"
#include "wire/decode-error.h"
#include "wire/hex-bytes.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace ns3::nfsrdma
{

namespace
{

const char* const FIELDS = "01 0203 04050607 08090a0b0c0d0e0f a1a2a3 0000";

TEST(ByteReaderTest, ReadsEachWidthInNetworkOrder)
{
    const ByteVector octets = HexBytes(FIELDS);
    ByteReader reader(octets);
    EXPECT_EQ(reader.ReadU8(), 0x01);
    EXPECT_EQ(reader.ReadU16(), 0x0203);
    EXPECT_EQ(reader.ReadU32(), 0x04050607U);
    EXPECT_EQ(reader.ReadU64(), 0x08090a0b0c0d0e0fU);
    const ByteSpan bytes = reader.ReadBytes(3);
    EXPECT_EQ(ByteVector(bytes.begin(), bytes.end()), HexBytes("a1a2a3"));
    EXPECT_EQ(reader.Remaining(), 2U);
    EXPECT_EQ(reader.Rest().size(), 2U);
    reader.Skip(2);
    EXPECT_TRUE(reader.Ok());
    EXPECT_EQ(reader.Position(), octets.size());
}

TEST(ByteReaderTest, FailureIsStickyAndMovesNothing)
{
    const ByteVector octets = HexBytes("010203");
    ByteReader reader(octets);
    EXPECT_EQ(reader.ReadU32(), 0U);
    EXPECT_FALSE(reader.Ok());
    EXPECT_EQ(reader.ReadU8(), 0U);
    EXPECT_TRUE(reader.ReadBytes(1).empty());
    EXPECT_EQ(reader.Position(), 0U);
    EXPECT_FALSE(reader.Ok());
}

TEST(ByteReaderTest, HugeLengthsDoNotOverflow)
{
    const ByteVector octets = HexBytes("0102");
    ByteReader reader(octets);
    reader.Skip(1);
    EXPECT_TRUE(reader.ReadBytes(SIZE_MAX).empty());
    EXPECT_FALSE(reader.Ok());
}

TEST(ByteWriterTest, WritesEachWidthInNetworkOrder)
{
    ByteVector octets(20, 0xff);
    ByteWriter writer(octets);
    writer.WriteU8(0x01);
    writer.WriteU16(0x0203);
    writer.WriteU32(0x04050607);
    writer.WriteU64(0x08090a0b0c0d0e0f);
    writer.WriteBytes(HexBytes("a1a2a3"));
    writer.WriteZeros(2);
    EXPECT_TRUE(writer.Ok());
    EXPECT_EQ(writer.Remaining(), 0U);
    EXPECT_EQ(octets, HexBytes(FIELDS));
}

TEST(ByteWriterTest, FailureIsStickyAndWritesNothing)
{
    ByteVector octets(3, 0xee);
    ByteWriter writer(octets);
    writer.WriteU32(1);
    writer.WriteU8(1);
    EXPECT_FALSE(writer.Ok());
    EXPECT_EQ(octets, ByteVector(3, 0xee));
}

TEST(BytesTest, PadsToFour)
{
    EXPECT_EQ(RoundUp4(0), 0U);
    EXPECT_EQ(RoundUp4(1), 4U);
    EXPECT_EQ(RoundUp4(4), 4U);
    EXPECT_EQ(Pad4(5), 3U);
    EXPECT_EQ(Pad4(7), 1U);
    EXPECT_EQ(Pad4(8), 0U);
}

TEST(WireErrorTest, NamesDiffer)
{
    std::set<std::string> names;
    for (const WireError error : {WireError::TRUNCATED,
                                  WireError::TRAILING_DATA,
                                  WireError::BAD_VALUE,
                                  WireError::BAD_VERSION,
                                  WireError::BAD_CHECKSUM,
                                  WireError::TOO_LONG})
    {
        names.insert(ToString(error));
    }
    EXPECT_EQ(names.size(), 6U);
}

} // namespace

} // namespace ns3::nfsrdma
