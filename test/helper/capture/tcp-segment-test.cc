/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/capture-builder.h"
#include "helper/capture/tcp-segment.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

CapturedFrame
FrameOf(const ByteVector& octets)
{
    CapturedFrame frame;
    frame.octets = octets;
    frame.wireLength = static_cast<uint32_t>(octets.size());
    return frame;
}

const SegmentSpec SPEC{0, 77, SegmentSpec::ACK | SegmentSpec::FIN, TextOctets("payload")};

void
ExpectSpec(uint32_t linkType, const OctetBuilder& frame)
{
    const auto segment = DecodeTcpSegment(linkType, FrameOf(frame.Get()));
    ASSERT_TRUE(segment) << linkType;
    EXPECT_EQ(segment->source.ToString(), "10.0.0.1:1000");
    EXPECT_EQ(segment->destination.ToString(), "10.0.0.2:20049");
    EXPECT_EQ(segment->sequence, 77U);
    EXPECT_TRUE(segment->fin && segment->ack);
    EXPECT_FALSE(segment->syn || segment->rst);
    EXPECT_EQ(ByteVector(segment->payload.begin(), segment->payload.end()), SPEC.payload);
    EXPECT_EQ(segment->cutOctets, 0U);
}

TEST(TcpSegmentTest, IsFoundBehindEachLinkHeader)
{
    const ByteVector packet = SPEC.Encode();
    ExpectSpec(1, OctetBuilder().Zeros(12).U16(0x0800).Octets(packet));
    ExpectSpec(1, OctetBuilder().Zeros(12).U16(0x8100).U16(5).U16(0x0800).Octets(packet));
    ExpectSpec(
        1,
        OctetBuilder().Zeros(12).U16(0x88a8).U16(5).U16(0x8100).U16(6).U16(0x0800).Octets(packet));
    ExpectSpec(0, OctetBuilder().U32(0x02000000).Octets(packet));
    ExpectSpec(0, OctetBuilder().U32(2).Octets(packet));
    ExpectSpec(101, OctetBuilder().Octets(packet));
    ExpectSpec(113, OctetBuilder().Zeros(14).U16(0x0800).Octets(packet));
    ExpectSpec(276, OctetBuilder().U16(0x0800).Zeros(18).Octets(packet));
}

TEST(TcpSegmentTest, IsFoundInIpv6)
{
    SegmentSpec spec = SPEC;
    spec.ipv6 = true;
    const auto octets = OctetBuilder().Zeros(12).U16(0x86dd).Octets(spec.Encode()).Get();
    const auto segment = DecodeTcpSegment(1, FrameOf(octets));
    ASSERT_TRUE(segment);
    EXPECT_EQ(segment->source.ToString(), "[fd00::1]:1000");
    EXPECT_EQ(ByteVector(segment->payload.begin(), segment->payload.end()), SPEC.payload);
}

TEST(TcpSegmentTest, DoesNotTakeEthernetPaddingForPayload)
{
    ExpectSpec(1, OctetBuilder().Zeros(12).U16(0x0800).Octets(SPEC.Encode()).Zeros(9));
}

TEST(TcpSegmentTest, CountsWhatTheSnapLengthCutOff)
{
    auto octets = OctetBuilder().Zeros(12).U16(0x0800).Octets(SPEC.Encode()).Get();
    CapturedFrame frame = FrameOf(octets);
    frame.octets = frame.octets.first(octets.size() - 4);
    auto segment = DecodeTcpSegment(1, frame);
    ASSERT_TRUE(segment);
    EXPECT_EQ(segment->payload.size(), SPEC.payload.size() - 4);
    EXPECT_EQ(segment->cutOctets, 4U);
    frame.octets = frame.octets.first(14 + 20 + 20);
    segment = DecodeTcpSegment(1, frame);
    ASSERT_TRUE(segment);
    EXPECT_TRUE(segment->payload.empty());
    EXPECT_EQ(segment->cutOctets, SPEC.payload.size());
}

TEST(TcpSegmentTest, TakesTheWireLengthWhereIpSaysNone)
{
    ByteVector packet = SPEC.Encode();
    packet[2] = packet[3] = 0;
    ExpectSpec(1, OctetBuilder().Zeros(12).U16(0x0800).Octets(packet));
}

TEST(TcpSegmentTest, LeavesOutEverythingElse)
{
    ByteVector udp = SPEC.Encode();
    udp[9] = 17;
    ByteVector fragment = SPEC.Encode();
    fragment[7] = 1;
    for (const auto& packet : {udp, fragment})
    {
        EXPECT_FALSE(DecodeTcpSegment(101, FrameOf(packet)));
    }
    const auto arp = OctetBuilder().Zeros(12).U16(0x0806).Zeros(28).Get();
    EXPECT_FALSE(DecodeTcpSegment(1, FrameOf(arp)));
}

TEST(TcpSegmentTest, NeedsWholeHeaders)
{
    const ByteVector packet = SPEC.Encode();
    for (std::size_t size = 0; size < 34; ++size)
    {
        CapturedFrame frame = FrameOf(packet);
        frame.octets = frame.octets.first(size);
        EXPECT_FALSE(DecodeTcpSegment(101, frame)) << size;
    }
}

} // namespace

} // namespace ns3::nfsrdma
