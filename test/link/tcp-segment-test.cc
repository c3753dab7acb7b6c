/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/tcp-segment.h"

#include <gtest/gtest.h>
#include <random>

namespace ns3::nfsrdma
{
namespace
{

// clang-format off
/// Ten octets from 10.0.0.1:49153 to 10.0.0.2:20049, as Linux sends them: DF, PSH, timestamps.
const ByteVector STARTUP_FRAME{
    0x02, 0, 0, 0, 0, 0x02, 0x02, 0, 0, 0, 0, 0x01, 0x08, 0x00,
    0x45, 0x00, 0x00, 0x3e, 0x12, 0x34, 0x40, 0x00, 0x40, 0x06, 0x14, 0x84, 10, 0, 0, 1, 10, 0, 0, 2,
    0xc0, 0x01, 0x4e, 0x51, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x20, 0x00,
    0x80, 0x18, 0x01, 0xf6, 0xc4, 0xda, 0x00, 0x00,
    1, 1, 8, 10, 0, 0, 0, 7, 0, 0, 0, 6,
    'M', 'P', 'A', ' ', 'I', 'D', ' ', 'R', 'e', 'q'};

/// As STARTUP_FRAME, from fd00:77::1 to fd00:77::2, with ECN and a flow label.
const ByteVector FRAME_OF_IPV6{
    0x02, 0, 0, 0, 0, 0x02, 0x02, 0, 0, 0, 0, 0x01, 0x86, 0xdd,
    0x60, 0x2a, 0xbc, 0xde, 0x00, 0x2a, 0x06, 0x40,
    0xfd, 0, 0, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
    0xfd, 0, 0, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2,
    0xc0, 0x01, 0x4e, 0x51, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x20, 0x00,
    0x80, 0x18, 0x01, 0xf6, 0xdd, 0xea, 0x00, 0x00,
    1, 1, 8, 10, 0, 0, 0, 7, 0, 0, 0, 6,
    'M', 'P', 'A', ' ', 'I', 'D', ' ', 'R', 'e', 'q'};

// clang-format on

TEST(TcpSegmentTest, DecodesEveryField)
{
    const auto segment = TcpSegment::Decode(STARTUP_FRAME);
    ASSERT_TRUE(segment.has_value());
    EXPECT_EQ(segment->identification, 0x1234);
    EXPECT_EQ(segment->fragmentFlags, TcpSegment::DONT_FRAGMENT);
    EXPECT_EQ(segment->timeToLive, 64);
    EXPECT_EQ(segment->source, 0x0a000001U);
    EXPECT_EQ(segment->destination, 0x0a000002U);
    EXPECT_EQ(segment->sourcePort, 49153);
    EXPECT_EQ(segment->destinationPort, 20049);
    EXPECT_EQ(segment->sequence, 0x1000U);
    EXPECT_EQ(segment->acknowledgment, 0x2000U);
    EXPECT_EQ(segment->flags, TcpSegment::PSH | TcpSegment::ACK);
    EXPECT_EQ(segment->window, 502);
    EXPECT_EQ(segment->options.size(), 12U);
    EXPECT_EQ(segment->payload.size(), 10U);
    EXPECT_EQ(segment->EndSequence(), 0x100aU);
    EXPECT_EQ(segment->HeaderSize(), 52U);
    EXPECT_TRUE(segment->IsPlainData());
}

TEST(TcpSegmentTest, EncodesTheSameOctetsWithChecksums)
{
    EXPECT_EQ(TcpSegment::Decode(STARTUP_FRAME)->Encode(true), STARTUP_FRAME);
}

TEST(TcpSegmentTest, LeavesChecksumsZeroWhenAsked)
{
    ByteVector expected = STARTUP_FRAME;
    expected[24] = expected[25] = 0;
    expected[50] = expected[51] = 0;
    EXPECT_EQ(TcpSegment::Decode(STARTUP_FRAME)->Encode(false), expected);
}

TEST(TcpSegmentTest, KeepsOptionsOfIpAndReservedBits)
{
    auto segment = *TcpSegment::Decode(STARTUP_FRAME);
    segment.ipOptions = {0x94, 4, 0, 0}; // Router alert.
    segment.flags |= 0x0d00;
    segment.typeOfService = 0xb9;
    segment.payload.clear();
    const auto frame = segment.Encode(true);
    const auto again = TcpSegment::Decode(frame);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->ipOptions, segment.ipOptions);
    EXPECT_EQ(again->flags, segment.flags);
    EXPECT_EQ(again->Encode(true), frame);
    EXPECT_FALSE(again->IsPlainData());
}

TEST(TcpSegmentTest, DropsEthernetPadding)
{
    ByteVector padded = STARTUP_FRAME;
    padded.resize(padded.size() + 6);
    EXPECT_EQ(TcpSegment::Decode(padded)->Encode(true), STARTUP_FRAME);
}

TEST(TcpSegmentTest, RefusesWhatIsNoSegment)
{
    const auto changed = [](std::size_t offset, uint8_t value) {
        ByteVector frame = STARTUP_FRAME;
        frame[offset] = value;
        return TcpSegment::Decode(frame);
    };
    EXPECT_EQ(changed(13, 0x06).error(), WireError::BAD_VALUE); // ARP.
    EXPECT_EQ(changed(14, 0x65).error(), WireError::BAD_VALUE); // Version 6.
    EXPECT_EQ(changed(14, 0x44).error(), WireError::BAD_VALUE); // 16 octets of header.
    EXPECT_EQ(changed(23, 17).error(), WireError::BAD_VALUE);   // UDP.
    EXPECT_EQ(changed(20, 0x20).error(), WireError::BAD_VALUE); // More fragments.
    EXPECT_EQ(changed(21, 0x01).error(), WireError::BAD_VALUE); // Not the first fragment.
    EXPECT_EQ(changed(46, 0x40).error(), WireError::BAD_VALUE); // 16 octets of TCP header.
    EXPECT_EQ(changed(46, 0xf0).error(), WireError::TRUNCATED); // 60 of them.
    EXPECT_EQ(changed(17, 0x3f).error(), WireError::TRUNCATED); // Longer than the frame.
}

TEST(TcpSegmentTest, DecodesEveryFieldOfIpv6AndEncodesTheSameOctets)
{
    const auto segment = TcpSegment::Decode(FRAME_OF_IPV6);
    ASSERT_TRUE(segment.has_value());
    EXPECT_EQ(segment->typeOfService, 2);
    EXPECT_EQ(segment->flowLabel, 0xabcdeU);
    EXPECT_EQ(segment->timeToLive, 64);
    EXPECT_EQ(segment->source.GetHigh(), 0xfd00'0077'0000'0000U);
    EXPECT_EQ(segment->source.GetLow(), 1U);
    EXPECT_EQ(segment->destination.GetLow(), 2U);
    EXPECT_FALSE(segment->destination.IsIpv4());
    EXPECT_EQ(segment->sourcePort, 49153);
    EXPECT_EQ(segment->destinationPort, 20049);
    EXPECT_EQ(segment->payload.size(), 10U);
    EXPECT_EQ(segment->HeaderSize(), 72U);
    EXPECT_EQ(segment->Encode(true), FRAME_OF_IPV6);
    EXPECT_EQ(segment->Encode(false).size(), FRAME_OF_IPV6.size());
}

TEST(TcpSegmentTest, RefusesWhatIpv6HasElse)
{
    const auto changed = [](std::size_t offset, uint8_t octet) {
        auto frame = FRAME_OF_IPV6;
        frame[offset] = octet;
        return TcpSegment::Decode(frame);
    };
    EXPECT_EQ(changed(14, 0x40).error(), WireError::BAD_VALUE); // Version 4.
    EXPECT_EQ(changed(20, 0).error(), WireError::BAD_VALUE);    // Hop-by-hop options.
    EXPECT_EQ(changed(20, 44).error(), WireError::BAD_VALUE);   // A fragment.
    EXPECT_EQ(changed(19, 0x2b).error(), WireError::TRUNCATED); // Longer than the frame.
    EXPECT_EQ(changed(19, 19).error(), WireError::TRUNCATED);   // Shorter than TCP's header.
}

TEST(TcpSegmentTest, RefusesEveryShorterFrame)
{
    for (const ByteVector& frame : {STARTUP_FRAME, FRAME_OF_IPV6})
    {
        for (std::size_t size = 0; size < frame.size(); ++size)
        {
            EXPECT_EQ(TcpSegment::Decode(ByteSpan(frame).subspan(0, size)).error(),
                      WireError::TRUNCATED);
        }
    }
}

TEST(TcpSegmentTest, SurvivesAnyOctets)
{
    std::mt19937_64 random(3);
    for (int i = 0; i < 20'000; ++i)
    {
        ByteVector frame = i % 2 == 0 ? STARTUP_FRAME : FRAME_OF_IPV6;
        for (int change = 0; change < 3; ++change)
        {
            frame[random() % frame.size()] = static_cast<uint8_t>(random());
        }
        const auto segment = TcpSegment::Decode(frame);
        if (segment)
        {
            EXPECT_LE(segment->Encode(true).size(), frame.size());
        }
    }
}

} // namespace
} // namespace ns3::nfsrdma
