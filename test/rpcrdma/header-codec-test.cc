/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/message/transport-header.h"
#include "wire/hex-bytes.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

struct Vector
{
    const char* name;
    const char* octets;
};

class HeaderVector : public ::testing::TestWithParam<Vector>
{
};

ByteVector
Encode(const RpcRdmaHeader& header)
{
    ByteVector octets(header.GetEncodedSize());
    ByteWriter writer(octets);
    header.Encode(writer);
    EXPECT_TRUE(writer.Ok());
    EXPECT_EQ(writer.Remaining(), 0U);
    return octets;
}

Decoded<RpcRdmaHeader>
Decode(const ByteVector& octets, const RpcRdmaDecodeLimits& limits = {})
{
    ByteReader reader(octets);
    return RpcRdmaHeader::Decode(reader, limits);
}

TEST_P(HeaderVector, RoundTrips)
{
    const ByteVector octets = HexBytes(GetParam().octets);
    ByteReader reader(octets);
    const auto header = RpcRdmaHeader::Decode(reader);
    ASSERT_TRUE(header);
    EXPECT_EQ(reader.Remaining(), 0U);
    EXPECT_EQ(Encode(*header), octets);
}

TEST_P(HeaderVector, NoCutOneDecodes)
{
    const ByteVector octets = HexBytes(GetParam().octets);
    for (std::size_t length = 0; length < octets.size(); ++length)
    {
        const auto header = Decode(
            ByteVector(octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(length)));
        ASSERT_FALSE(header) << length;
        EXPECT_EQ(header.error(), WireError::TRUNCATED) << length;
    }
}

// Captured from Linux 6.1 (NFSv3 on siw), except where a name says otherwise.
INSTANTIATE_TEST_SUITE_P(
    All,
    HeaderVector,
    ::testing::Values(
        Vector{"NullCall", "601d87f8 00000001 00000080 00000000 00000000 00000000 00000000"},
        Vector{"HandMadeReadCall",
               "00000007 00000001 00000020 00000000 00000000 00000001 00000001 00abcd01 00001000 "
               "0000000000010000 00000000 00000000"},
        Vector{"GetaclCallWithReplyChunk",
               "691d87f8 00000001 00000080 00000000 00000000 00000000 00000001 00000003 63db6201 "
               "00000100 691d87f842f34800 9158e701 00007000 691d87f84446d000 04892c01 00000004 "
               "691d87f842f34900"},
        Vector{"GetaclReplyInReplyChunk",
               "691d87f8 00000001 00000040 00000001 00000000 00000000 00000001 00000003 63db6201 "
               "000000b8 691d87f842f34800 9158e701 00000000 691d87f84446d000 04892c01 00000000 "
               "691d87f842f34900"},
        Vector{"ReadReplyWithWriteChunk",
               "811d87f8 00000001 00000040 00000000 00000000 00000001 00000001 eea8ab01 00000064 "
               "811d87f8439f0000 00000000 00000000"},
        Vector{"WriteCallWithReadChunk",
               "941d87f8 00000001 00000080 00000000 00000001 0000006c eea8ab02 00001000 "
               "941d87f844191000 00000000 00000000 00000000"},
        Vector{"SetaclCallInPositionZeroChunk",
               "c71f87f8 00000001 00000080 00000001 00000001 00000000 eea8ab0a 0000005c "
               "c71f87f8446d3800 00000001 00000000 74683c04 00000fd0 c71f87f8427a7000 00000000 "
               "00000000 00000000"},
        Vector{"HandMadeTwoWriteChunksAndEmptyOne",
               "00000007 00000001 00000020 00000000 00000000 00000001 00000002 00000001 00000010 "
               "0000000000000000 00000002 00000010 0000000000000010 00000001 00000000 00000000 "
               "00000000"},
        Vector{"HandMadePaddedMessage",
               "00000007 00000001 00000020 00000002 00000004 00000400 00000000 00000000 00000000"},
        Vector{"Done", "00001001 00000001 00000020 00000003"},
        Vector{"ErrorVersion", "00001001 00000002 00000040 00000004 00000001 00000001 00000001"},
        Vector{"ErrorChunk", "00001001 00000001 00000040 00000004 00000002"}),
    [](const auto& parameter) { return parameter.param.name; });

TEST(RpcRdmaHeader, SizesAsTheTable)
{
    RpcRdmaHeader header;
    EXPECT_EQ(header.GetEncodedSize(), 28U);
    header.chunks.readList.resize(3);
    EXPECT_EQ(header.GetEncodedSize(), 28U + 3 * 24);
    header.chunks.writeList.push_back(RpcRdmaWriteChunk(2));
    EXPECT_EQ(header.GetEncodedSize(), 28U + 3 * 24 + 8 + 2 * 16);
    header.chunks.replyChunk = RpcRdmaWriteChunk(5);
    EXPECT_EQ(header.GetEncodedSize(), 28U + 3 * 24 + 8 + 2 * 16 + 4 + 5 * 16);
}

TEST(RpcRdmaHeader, PayloadFollows)
{
    const ByteVector octets = HexBytes(
        "11223344 00000001 00000020 00000000 00000000 00000000 00000000 11223344 00000000");
    ByteReader reader(octets);
    const auto header = RpcRdmaHeader::Decode(reader);
    ASSERT_TRUE(header);
    EXPECT_EQ(header->xid, 0x11223344U);
    EXPECT_EQ(header->credit, 32U);
    EXPECT_TRUE(header->chunks.IsEmpty());
    EXPECT_EQ(reader.Position(), 28U);
}

struct BadHeader
{
    const char* name;
    const char* octets;
    WireError error;
};

class HeaderError : public ::testing::TestWithParam<BadHeader>
{
};

TEST_P(HeaderError, IsNamed)
{
    RpcRdmaDecodeLimits limits;
    limits.readSegments = 1;
    limits.writeChunks = 1;
    limits.chunkSegments = 2;
    const auto header = Decode(HexBytes(GetParam().octets), limits);
    ASSERT_FALSE(header);
    EXPECT_EQ(header.error(), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    All,
    HeaderError,
    ::testing::Values(
        BadHeader{"Version2", "00000001 00000002 00000020 00000000", WireError::BAD_VERSION},
        BadHeader{"Procedure5", "00000001 00000001 00000020 00000005", WireError::BAD_VALUE},
        BadHeader{"ErrorCode3",
                  "00000001 00000001 00000020 00000004 00000003",
                  WireError::BAD_VALUE},
        BadHeader{"ReadDiscriminator2",
                  "00000001 00000001 00000020 00000000 00000002",
                  WireError::BAD_VALUE},
        BadHeader{"WriteDiscriminator2",
                  "00000001 00000001 00000020 00000000 00000000 00000002",
                  WireError::BAD_VALUE},
        BadHeader{"ReplyDiscriminator2",
                  "00000001 00000001 00000020 00000000 00000000 00000000 00000002",
                  WireError::BAD_VALUE},
        BadHeader{"PositionNotAligned",
                  "00000001 00000001 00000020 00000000 00000001 00000006 00000001 00000004 "
                  "0000000000000000 00000000 00000000 00000000",
                  WireError::BAD_VALUE},
        BadHeader{"TooManyReadSegments",
                  "00000001 00000001 00000020 00000000 00000001 00000004 00000001 00000004 "
                  "0000000000000000 00000001 00000004 00000001 00000004 0000000000000000",
                  WireError::TOO_LONG},
        BadHeader{
            "TooManyWriteChunks",
            "00000001 00000001 00000020 00000000 00000000 00000001 00000000 00000001 00000000",
            WireError::TOO_LONG},
        BadHeader{"TooManySegments",
                  "00000001 00000001 00000020 00000000 00000000 00000000 00000001 00000003",
                  WireError::TOO_LONG},
        BadHeader{
            "CountBeyondMessage",
            "00000001 00000001 00000020 00000000 00000000 00000000 00000001 00000002 00000001",
            WireError::TRUNCATED}),
    [](const auto& parameter) { return parameter.param.name; });

} // namespace
} // namespace ns3::nfsrdma
