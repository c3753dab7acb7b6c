/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/pseudo-header.h"
#include "toe/sequence-space.h"
#include "toe/wire-header.h"
#include "wire/hex-bytes.h"

#include <gtest/gtest.h>
#include <random>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t LINUX_CLIENT = 0x0a000001; // 10.0.0.1
constexpr uint32_t LINUX_SERVER = 0x0a000002;

ByteVector
Encoded(const TcpWireHeader& header)
{
    ByteVector octets(header.GetSize());
    EXPECT_TRUE(header.Encode(octets));
    return octets;
}

WireError
FlawOf(const ByteVector& octets)
{
    const auto received = ReceivedTcpSegment::Decode(octets);
    EXPECT_FALSE(received.has_value());
    return received.error();
}

/// A header of 20 octets and \p options, whose data offset covers them.
ByteVector
WithOptions(const ByteVector& options)
{
    ByteVector octets(TcpWireHeader::FIXED_OCTETS);
    octets.insert(octets.end(), options.begin(), options.end());
    octets[12] = static_cast<uint8_t>(octets.size() / 4 << 4);
    return octets;
}

TEST(WireHeaderTest, SynOfLinuxIsTheSameOctetsAgain)
{
    // MSS 1460, SACK permitted, timestamps, window scale 7; ECE and CWR.
    const auto octets = HexBytes("c001 4e51 00001000 00000000 a0c2 faf0 0000 0000"
                                 "020405b4 0402080a 00000007 00000000 01030307");
    const auto received = ReceivedTcpSegment::Decode(octets);
    ASSERT_TRUE(received.has_value());
    const TcpWireHeader& header = received->header;
    EXPECT_EQ(header.sourcePort, 49153);
    EXPECT_EQ(header.destinationPort, 20049);
    EXPECT_EQ(header.sequence, 0x1000U);
    EXPECT_EQ(header.acknowledgment, 0U);
    EXPECT_EQ(header.flags, TcpWireHeader::SYN | TcpWireHeader::ECE | TcpWireHeader::CWR);
    EXPECT_EQ(header.window, 64240);
    EXPECT_EQ(header.options.maximumSegmentSize, 1460);
    EXPECT_EQ(header.options.windowScale, 7);
    EXPECT_TRUE(header.options.sackPermitted);
    ASSERT_TRUE(header.options.timestamps.has_value());
    EXPECT_EQ(header.options.timestamps->value, 7U);
    EXPECT_EQ(header.options.timestamps->echo, 0U);
    EXPECT_EQ(received->headerSize, 40U);
    EXPECT_TRUE(received->payload.empty());
    EXPECT_EQ(Encoded(header), octets);
}

TEST(WireHeaderTest, AcknowledgmentOfLinuxWithThreeSackRangesIsTheSameOctetsAgain)
{
    const auto octets = HexBytes("4e51 c001 00002000 00001000 f010 01f6 0000 0000"
                                 "0101080a 00000009 00000007"
                                 "0101051a 00001800 00001c00 00002000 00002400 00002800 00002c00");
    const auto received = ReceivedTcpSegment::Decode(octets);
    ASSERT_TRUE(received.has_value());
    const SackRanges& sack = received->header.options.sack;
    ASSERT_EQ(sack.GetSize(), 3U);
    EXPECT_EQ(sack.begin()[0].begin, 0x1800U);
    EXPECT_EQ(sack.begin()[0].end, 0x1c00U);
    EXPECT_EQ(sack.begin()[2].end, 0x2c00U);
    EXPECT_EQ(Encoded(received->header), octets);
}

TEST(WireHeaderTest, EveryCombinationOfOptionsIsDecodedAsEncoded)
{
    for (uint32_t choice = 0; choice < 16 * 5; ++choice)
    {
        TcpWireHeader header;
        header.flags = TcpWireHeader::ACK;
        TcpOptions& options = header.options;
        if ((choice & 1) != 0)
        {
            options.maximumSegmentSize = 8960;
        }
        if ((choice & 2) != 0)
        {
            options.windowScale = 14;
        }
        options.sackPermitted = (choice & 4) != 0;
        if ((choice & 8) != 0)
        {
            options.timestamps = TcpTimestamps{0xfffffffeU, 3};
        }
        const uint32_t ranges = choice / 16;
        for (uint32_t i = 0; i < ranges; ++i)
        {
            options.sack.Add({i * 100, i * 100 + 50});
        }
        ByteVector octets(header.GetSize());
        ASSERT_EQ(header.Encode(octets), options.GetSize() <= TcpOptions::MOST_OCTETS);
        if (options.GetSize() > TcpOptions::MOST_OCTETS)
        {
            continue;
        }
        const auto received = ReceivedTcpSegment::Decode(octets);
        ASSERT_TRUE(received.has_value()) << choice;
        EXPECT_EQ(Encoded(received->header), octets) << choice;
        EXPECT_EQ(received->header.options.sack.GetSize(), ranges);
    }
    EXPECT_EQ(TcpOptions::MostSackRanges(true), 3U);
    EXPECT_EQ(TcpOptions::MostSackRanges(false), 4U);
}

TEST(WireHeaderTest, OptionsOfAForeignOrderMeanTheSame)
{
    // Window scale, an unknown option, MSS, end, and rubbish behind the end.
    const auto received =
        ReceivedTcpSegment::Decode(WithOptions(HexBytes("030305 fd06aabbccdd 02042300 00 0200")));
    ASSERT_TRUE(received.has_value());
    EXPECT_EQ(received->header.options.windowScale, 5);
    EXPECT_EQ(received->header.options.maximumSegmentSize, 0x2300);
    EXPECT_EQ(received->headerSize, 36U);
    EXPECT_EQ(received->header.GetSize(), 28U);
}

TEST(WireHeaderTest, MalformedHeadersAreNamed)
{
    const ByteVector sound = WithOptions({1, 1, 1, 0});
    ASSERT_TRUE(ReceivedTcpSegment::Decode(sound).has_value());
    for (std::size_t size = 0; size < sound.size(); ++size)
    {
        EXPECT_EQ(FlawOf({sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(size)}),
                  WireError::TRUNCATED);
    }
    ByteVector shortOffset = sound;
    shortOffset[12] = 0x40;
    EXPECT_EQ(FlawOf(shortOffset), WireError::BAD_VALUE);
    EXPECT_EQ(FlawOf(WithOptions({2, 0, 0, 0})), WireError::BAD_VALUE); // Length 0.
    EXPECT_EQ(FlawOf(WithOptions({2, 1, 0, 0})), WireError::BAD_VALUE);
    EXPECT_EQ(FlawOf(WithOptions({2, 3, 5, 0})), WireError::BAD_VALUE); // MSS of one octet.
    EXPECT_EQ(FlawOf(WithOptions({3, 4, 5, 0})), WireError::BAD_VALUE);
    EXPECT_EQ(FlawOf(WithOptions({4, 3, 5, 0})), WireError::BAD_VALUE);
    EXPECT_EQ(FlawOf(WithOptions({5, 2, 0, 0})), WireError::BAD_VALUE); // SACK of nothing.
    EXPECT_EQ(FlawOf(WithOptions({8, 4, 0, 0})), WireError::BAD_VALUE);
    EXPECT_EQ(FlawOf(WithOptions({1, 1, 2, 4})), WireError::TRUNCATED);
    EXPECT_EQ(FlawOf(WithOptions({1, 1, 1, 2})), WireError::TRUNCATED);
    EXPECT_EQ(FlawOf(WithOptions({0xfd, 5, 0, 0})), WireError::TRUNCATED);
}

TEST(WireHeaderTest, ReservedBitsAndUrgentPointerAreKept)
{
    TcpWireHeader header;
    header.flags = 0x0fff;
    header.urgentPointer = 0x1234;
    const auto octets = Encoded(header);
    EXPECT_EQ(Encoded(ReceivedTcpSegment::Decode(octets)->header), octets);
    EXPECT_EQ(octets[12], 0x5f);
}

TEST(WireHeaderTest, SurvivesAnyOctets)
{
    std::mt19937 random(7);
    uint32_t sound = 0;
    for (int i = 0; i < 50'000; ++i)
    {
        ByteVector octets = RandomBytes(random, random() % 64);
        if (octets.size() > 12)
        {
            octets[12] = static_cast<uint8_t>((5 + random() % 4) << 4);
        }
        for (std::size_t at = 20; at < octets.size(); ++at)
        {
            octets[at] = static_cast<uint8_t>(octets[at] % 12);
        }
        const auto received = ReceivedTcpSegment::Decode(octets);
        if (received)
        {
            ++sound;
            const auto again = ReceivedTcpSegment::Decode(Encoded(received->header));
            ASSERT_TRUE(again.has_value());
            ASSERT_EQ(Encoded(again->header), Encoded(received->header));
        }
    }
    EXPECT_GT(sound, 1'000U);
}

TEST(PseudoHeaderTest, ChecksumOverIpv4IsLinuxs)
{
    // From 10.0.0.1 to 10.0.0.2, ten octets of payload.
    auto segment = HexBytes("c001 4e51 00001000 00002000 8018 01f6 c4da 0000"
                            "0101080a 00000007 00000006 4d504120494420526571");
    const auto pseudo = TcpPseudoHeader::OfIpv4(LINUX_CLIENT, LINUX_SERVER);
    EXPECT_EQ(pseudo.Checksum(segment), 0);
    const auto sealed = segment;
    segment[16] = segment[17] = 0xee;
    EXPECT_NE(pseudo.Checksum(segment), 0);
    pseudo.Seal(segment);
    EXPECT_EQ(segment, sealed);
}

TEST(PseudoHeaderTest, ChecksumOverIpv6CoversAddressesAndLength)
{
    // fe80::1 to fe80::2, a SYN of 20 octets: 2 * fe80 + 1 + 2 + 0014 + 0006 of the pseudo header,
    // 1000 + 0050 + 0001 + 5002 + ffff of the segment.
    ByteVector segment = HexBytes("1000 0050 00000001 00000000 5002 ffff 0000 0000");
    TcpPseudoHeader::Ipv6Octets source{0xfe, 0x80};
    TcpPseudoHeader::Ipv6Octets destination = source;
    source[15] = 1;
    destination[15] = 2;
    const auto pseudo = TcpPseudoHeader::OfIpv6(source, destination);
    uint32_t sum = 2 * 0xfe80 + 1 + 2 + 0x14 + 6 + 0x1000 + 0x50 + 1 + 0x5002 + 0xffff;
    sum = (sum & 0xffff) + (sum >> 16);
    EXPECT_EQ(pseudo.Checksum(segment), static_cast<uint16_t>(~sum));
    pseudo.Seal(segment);
    EXPECT_EQ(pseudo.Checksum(segment), 0);
    destination[0] = 0xff;
    EXPECT_NE(TcpPseudoHeader::OfIpv6(source, destination).Checksum(segment), 0);
    segment.push_back(0); // One octet more, of no value, is seen by the length.
    EXPECT_NE(pseudo.Checksum(segment), 0);
}

TEST(SequenceSpaceTest, PositionsDoNotWrap)
{
    const SequenceSpace space(0xfffffff0U);
    EXPECT_EQ(space.ToSequence(0), 0xfffffff0U);
    EXPECT_EQ(space.ToSequence(0x20), 0x10U);
    EXPECT_EQ(space.ToPosition(0x10, 0), 0x20);
    EXPECT_EQ(space.ToPosition(0xffffffe0U, 0), -16);
    constexpr Position FAR = 5'000'000'000;
    EXPECT_EQ(space.ToPosition(space.ToSequence(FAR + 70'000), FAR), FAR + 70'000);
    EXPECT_EQ(space.ToPosition(space.ToSequence(FAR - 70'000), FAR), FAR - 70'000);
}

} // namespace
} // namespace ns3::nfsrdma
