/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/inline-limits.h"
#include "rpcrdma/message/private-data.h"
#include "wire/hex-bytes.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

TEST(PrivateData, ExamplesOfRfc8797)
{
    EXPECT_EQ((RpcRdmaPrivateData{true, 4096, 4096}.Encode()), HexBytes("f6ab0e18 01 01 03 03"));
    EXPECT_EQ((RpcRdmaPrivateData{false, 8192, 65536}.Encode()), HexBytes("f6ab0e18 01 00 07 3f"));
    EXPECT_EQ((RpcRdmaPrivateData{false, 1024, 262144}.Encode()), HexBytes("f6ab0e18 01 00 00 ff"));
}

TEST(PrivateData, IsFoundAtAnyOffset)
{
    const ByteVector message = RpcRdmaPrivateData{true, 8192, 2048}.Encode();
    for (uint32_t before = 0; before < 9; ++before)
    {
        ByteVector octets(before, 0xf6);
        octets.insert(octets.end(), message.begin(), message.end());
        octets.push_back(0x55);
        const auto data = RpcRdmaPrivateData::Decode(octets);
        ASSERT_TRUE(data) << before;
        EXPECT_TRUE(data->remoteInvalidation);
        EXPECT_EQ(data->sendSize, 8192U);
        EXPECT_EQ(data->receiveSize, 2048U);
    }
}

TEST(PrivateData, ForeignDataWithTheIdentifierDoNotHideTheMessage)
{
    const std::string message = "f6ab0e18 01 01 07 01";
    const std::vector<std::string> before{
        "f6ab0e18 02 01 3f 3f", // another version
        "f6ab0e18",             // the version would be f6
        "f6ab0e",
        "f6 f6 f6",
        "f6ab0e18 00 f6ab0e18 ff",
    };
    for (const std::string& foreign : before)
    {
        const auto data = RpcRdmaPrivateData::Decode(HexBytes(foreign + message));
        ASSERT_TRUE(data) << foreign;
        EXPECT_TRUE(data->remoteInvalidation) << foreign;
        EXPECT_EQ(data->sendSize, 8192U) << foreign;
        EXPECT_EQ(data->receiveSize, 2048U) << foreign;
    }
    // Of two good ones the first counts.
    EXPECT_EQ(RpcRdmaPrivateData::Decode(HexBytes(message + "f6ab0e18 01 01 3f 3f"))->sendSize,
              8192U);
    EXPECT_EQ(RpcRdmaPrivateData::Decode(HexBytes("f6ab0e18 02 01 3f 3f f6ab0e18 01")).error(),
              WireError::BAD_VERSION);
}

TEST(PrivateData, NotSentWhereThereIsNoRoom)
{
    const RpcRdmaPrivateData data{true, 5000, 2047};
    EXPECT_EQ(data.EncodeWithin(8), HexBytes("f6ab0e18 01 01 03 00"));
    EXPECT_TRUE(data.EncodeWithin(7).empty());
    EXPECT_TRUE(data.GetAdvertised(8).remoteInvalidation);
    EXPECT_EQ(data.GetAdvertised(8).sendSize, 4096U);
    EXPECT_EQ(data.GetAdvertised(8).receiveSize, 1024U);
    EXPECT_FALSE(data.GetAdvertised(7).remoteInvalidation);
    EXPECT_EQ(data.GetAdvertised(7).sendSize, 1024U);
}

TEST(PrivateData, ReservedFlagsAreIgnored)
{
    const auto data = RpcRdmaPrivateData::Decode(HexBytes("f6ab0e18 01 fe 03 03"));
    ASSERT_TRUE(data);
    EXPECT_FALSE(data->remoteInvalidation);
}

TEST(PrivateData, AbsentCutOrUnknownCountsAsNone)
{
    EXPECT_EQ(RpcRdmaPrivateData::Decode(HexBytes("f6ab0e18 02 01 03 03")).error(),
              WireError::BAD_VERSION);
    const ByteVector whole = HexBytes("f6ab0e18 01 01 03 03");
    for (std::size_t length = 0; length < whole.size(); ++length)
    {
        const ByteVector cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
        EXPECT_EQ(RpcRdmaPrivateData::Decode(cut).error(), WireError::TRUNCATED);
        const RpcRdmaPrivateData assumed = DecodePrivateDataOrDefault(cut);
        EXPECT_EQ(assumed.sendSize, 1024U);
        EXPECT_EQ(assumed.receiveSize, 1024U);
        EXPECT_FALSE(assumed.remoteInvalidation);
    }
}

TEST(InlineLimits, AsLinuxOnSiw)
{
    const uint32_t segments = InlineLimits::GetMaxSegments(257, 256, 16);
    EXPECT_EQ(segments, 4U);
    const RpcRdmaPrivateData both{true, 4096, 4096};
    const InlineLimits limits = InlineLimits::Negotiate(both, both, segments);
    EXPECT_EQ(limits.maxCall, 3948U);
    EXPECT_EQ(limits.maxReply, 3996U);
}

TEST(InlineLimits, RegionOfFullDepthLeavesMore)
{
    const uint32_t segments = InlineLimits::GetMaxSegments(257, 257, 16);
    EXPECT_EQ(segments, 3U);
    const RpcRdmaPrivateData both{true, 4096, 4096};
    const InlineLimits limits = InlineLimits::Negotiate(both, both, segments);
    EXPECT_EQ(limits.maxCall, 3972U);
    EXPECT_EQ(limits.maxReply, 4012U);
    EXPECT_EQ(InlineLimits::GetMaxSegments(257, 4, 16), 16U);
}

TEST(InlineLimits, EachDirectionTakesTheSmaller)
{
    const RpcRdmaPrivateData own{true, 8192, 2048};
    const RpcRdmaPrivateData peer{true, 4096, 16384};
    const InlineLimits limits = InlineLimits::Negotiate(own, peer, 4);
    EXPECT_EQ(limits.send, 8192U);
    EXPECT_EQ(limits.receive, 2048U);
    EXPECT_EQ(InlineLimits::Negotiate(own, {}, 4).send, 1024U);
    EXPECT_EQ(InlineLimits::Negotiate(own, {}, 4).receive, 1024U);
}

} // namespace
} // namespace ns3::nfsrdma
