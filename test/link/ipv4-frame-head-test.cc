/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ipv4-frame-head.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

// clang-format off
/// From 10.0.0.1 to 10.0.0.2, 62 octets of IPv4, not to be fragmented, ECT(0), checksum zero.
const ByteVector HEAD{
    0x02, 0, 0, 0, 0, 0x02, 0x02, 0, 0, 0, 0, 0x01, 0x08, 0x00,
    0x45, 0x02, 0x00, 0x3e, 0x12, 0x34, 0x40, 0x00, 0x40, 0x06, 0x00, 0x00,
    10, 0, 0, 1, 10, 0, 0, 2};

// clang-format on

ByteVector
With(std::size_t index, uint8_t value)
{
    ByteVector changed = HEAD;
    changed[index] = value;
    return changed;
}

TEST(Ipv4FrameHeadTest, DecodesEveryFieldAndEncodesTheSameOctets)
{
    const auto head = Ipv4FrameHead::Decode(HEAD);
    ASSERT_TRUE(head.has_value());
    EXPECT_EQ(head->hardwareDestination, (Ipv4FrameHead::HardwareAddress{2, 0, 0, 0, 0, 2}));
    EXPECT_EQ(head->hardwareSource, (Ipv4FrameHead::HardwareAddress{2, 0, 0, 0, 0, 1}));
    EXPECT_EQ(head->typeOfService, 2);
    EXPECT_EQ(head->totalLength, 62);
    EXPECT_EQ(head->identification, 0x1234);
    EXPECT_EQ(head->fragmentFlags, Ipv4FrameHead::DONT_FRAGMENT);
    EXPECT_EQ(head->timeToLive, 64);
    EXPECT_EQ(head->protocol, IP_PROTOCOL_TCP);
    EXPECT_EQ(head->source, 0x0a000001U);
    EXPECT_EQ(head->destination, 0x0a000002U);
    ByteVector again(HEAD.size(), 0xff);
    head->Encode(again);
    EXPECT_EQ(again, HEAD);
}

TEST(Ipv4FrameHeadTest, IgnoresTheChecksumAndWhatFollows)
{
    ByteVector longer = With(24, 0xab);
    longer.push_back(0x55);
    EXPECT_TRUE(Ipv4FrameHead::Decode(longer).has_value());
}

TEST(Ipv4FrameHeadTest, RefusesWhatItDoesNotDescribe)
{
    for (std::size_t size = 0; size < HEAD.size(); ++size)
    {
        EXPECT_FALSE(Ipv4FrameHead::Decode(ByteSpan(HEAD).subspan(0, size)).has_value()) << size;
    }
    EXPECT_FALSE(Ipv4FrameHead::Decode(With(13, 0x06)).has_value()) << "ARP";
    EXPECT_FALSE(Ipv4FrameHead::Decode(With(14, 0x46)).has_value()) << "options";
    EXPECT_FALSE(Ipv4FrameHead::Decode(With(14, 0x65)).has_value()) << "version 6";
    EXPECT_FALSE(Ipv4FrameHead::Decode(With(20, 0x20)).has_value()) << "more fragments";
    EXPECT_FALSE(Ipv4FrameHead::Decode(With(21, 0x01)).has_value()) << "an offset";
    EXPECT_FALSE(Ipv4FrameHead::Decode(With(17, 19)).has_value()) << "shorter than its header";
    EXPECT_TRUE(Ipv4FrameHead::Decode(With(17, 20)).has_value());
}

} // namespace
} // namespace ns3::nfsrdma
