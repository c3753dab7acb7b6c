/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/xdr-reader.h"
#include "rpc/xdr-writer.h"
#include "wire/hex-bytes.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

TEST(Xdr, ItemsRoundTrip)
{
    XdrWriter writer;
    writer.WriteU32(0x01020304);
    writer.WriteU64(0x1122334455667788);
    writer.WriteBool(true);
    writer.WriteString("abcde");
    writer.WriteOpaque(HexBytes("0a0b"));
    writer.WriteFixedOpaque(HexBytes("ff"));
    const ByteVector octets = writer.GetOctets();
    EXPECT_EQ(octets,
              HexBytes("01020304 1122334455667788 00000001 00000005 6162636465 000000"
                       "00000002 0a0b 0000 ff 000000"));

    XdrReader reader(octets);
    EXPECT_EQ(reader.ReadU32(), 0x01020304U);
    EXPECT_EQ(reader.ReadU64(), 0x1122334455667788U);
    EXPECT_TRUE(reader.ReadBool());
    EXPECT_EQ(reader.ReadString(5), "abcde");
    EXPECT_EQ(reader.ReadOpaque(2).size(), 2U);
    EXPECT_EQ(reader.ReadFixedOpaque(1).size(), 1U);
    EXPECT_TRUE(reader.Ok());
    EXPECT_EQ(reader.Remaining(), 0U);
    EXPECT_EQ(writer.Take(), octets);
    EXPECT_EQ(writer.GetSize(), 0U);
}

TEST(Xdr, PatchOverwritesAWord)
{
    XdrWriter writer;
    writer.WriteU32(1);
    writer.WriteU32(2);
    writer.PatchU32(4, 0xdeadbeef);
    EXPECT_EQ(writer.GetOctets(), HexBytes("00000001 deadbeef"));
}

class XdrBadInput : public ::testing::TestWithParam<const char*>
{
};

TEST_P(XdrBadInput, Fails)
{
    const ByteVector octets = HexBytes(GetParam());
    XdrReader reader(octets);
    reader.ReadBool();
    reader.ReadOpaque(8);
    EXPECT_FALSE(reader.Ok());
    EXPECT_EQ(reader.ReadU32(), 0U);
    EXPECT_TRUE(reader.ReadOpaque(8).empty());
}

INSTANTIATE_TEST_SUITE_P(All,
                         XdrBadInput,
                         ::testing::Values("00000002 00000000",          // bool of 2
                                           "00000001 00000009 0000",     // above the limit
                                           "00000001 00000005 01020304", // data cut short
                                           "00000001 00000003 01020304", // pad not zero
                                           "00000001 00000003 010203",   // pad missing
                                           "00000001 0000"));            // length cut short

TEST(Xdr, HugeLengthDoesNotOverrun)
{
    const ByteVector octets = HexBytes("fffffffe 00000000");
    XdrReader reader(octets);
    EXPECT_TRUE(reader.ReadOpaque(UINT32_MAX).empty());
    EXPECT_FALSE(reader.Ok());
}

} // namespace
} // namespace ns3::nfsrdma
