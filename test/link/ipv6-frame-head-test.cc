/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ipv6-frame-head.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

// clang-format off
/// From fd00:77::1 to fd00:77::2, 42 octets of TCP, ECT(0), with a flow label.
const ByteVector HEAD_OF_IPV6{
    0x02, 0, 0, 0, 0, 0x02, 0x02, 0, 0, 0, 0, 0x01, 0x86, 0xdd,
    0x60, 0x2a, 0xbc, 0xde, 0x00, 0x2a, 0x06, 0x40,
    0xfd, 0, 0, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
    0xfd, 0, 0, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2};

// clang-format on

ByteVector
WithOctet(std::size_t index, uint8_t value)
{
    ByteVector changed = HEAD_OF_IPV6;
    changed[index] = value;
    return changed;
}

TEST(Ipv6FrameHeadTest, DecodesEveryFieldAndEncodesTheSameOctets)
{
    const auto head = Ipv6FrameHead::Decode(HEAD_OF_IPV6);
    ASSERT_TRUE(head.has_value());
    EXPECT_EQ(head->hardwareDestination, (Ipv6FrameHead::HardwareAddress{2, 0, 0, 0, 0, 2}));
    EXPECT_EQ(head->hardwareSource, (Ipv6FrameHead::HardwareAddress{2, 0, 0, 0, 0, 1}));
    EXPECT_EQ(head->trafficClass, 2);
    EXPECT_EQ(head->flowLabel, 0xabcdeU);
    EXPECT_EQ(head->payloadLength, 42);
    EXPECT_EQ(head->nextHeader, IP_PROTOCOL_TCP);
    EXPECT_EQ(head->hopLimit, 64);
    EXPECT_EQ(head->source.GetLow(), 1U);
    EXPECT_EQ(head->destination.GetLow(), 2U);
    EXPECT_EQ(head->destination.GetHigh(), 0xfd00'0077'0000'0000U);
    ByteVector again(HEAD_OF_IPV6.size(), 0xff);
    head->Encode(again);
    EXPECT_EQ(again, HEAD_OF_IPV6);
}

TEST(Ipv6FrameHeadTest, RefusesWhatItDoesNotDescribe)
{
    for (std::size_t size = 0; size < HEAD_OF_IPV6.size(); ++size)
    {
        EXPECT_FALSE(Ipv6FrameHead::Decode(ByteSpan(HEAD_OF_IPV6).subspan(0, size)).has_value())
            << size;
    }
    EXPECT_FALSE(Ipv6FrameHead::Decode(WithOctet(12, 0x08)).has_value()) << "another protocol";
    EXPECT_FALSE(Ipv6FrameHead::Decode(WithOctet(14, 0x45)).has_value()) << "version 4";
}

} // namespace
} // namespace ns3::nfsrdma
