/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ddp/segmenter.h"
#include "wire/hex-bytes.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint8_t CONTROL = 0x40;

std::vector<DdpSegment>
CutAll(DdpSegmenter& segmenter, uint32_t mulpdu)
{
    std::vector<DdpSegment> segments;
    while (segmenter.IsActive())
    {
        segments.push_back(segmenter.Next(mulpdu));
    }
    return segments;
}

TEST(DdpSegmenterTest, ZeroLengthMessageIsOneSegment)
{
    DdpSegmenter segmenter;
    EXPECT_FALSE(segmenter.IsActive());
    segmenter.StartTagged(CONTROL, 1, 0, 0);
    const auto segments = CutAll(segmenter, 1442);
    ASSERT_EQ(segments.size(), 1U);
    EXPECT_TRUE(segments[0].last);
    EXPECT_EQ(segments[0].payloadLength, 0U);
    EXPECT_EQ(segments[0].Size(), 14U);
    ByteVector octets(14);
    ByteWriter writer(octets);
    segments[0].EncodeHeader(writer);
    EXPECT_EQ(octets, HexBytes("c140 00000001 0000000000000000"));
}

TEST(DdpSegmenterTest, TaggedMessageAtMtu1500LikeLinux)
{
    DdpSegmenter segmenter;
    segmenter.StartTagged(CONTROL, 0x3e434e01, 0x98ecc7e745449000, 4096);
    const auto segments = CutAll(segmenter, 1442);
    ASSERT_EQ(segments.size(), 3U);
    const uint32_t sizes[] = {1442, 1442, 14 + 4096 - 2 * 1428};
    uint64_t offset = 0x98ecc7e745449000;
    for (std::size_t i = 0; i < segments.size(); ++i)
    {
        EXPECT_EQ(segments[i].Size(), sizes[i]);
        const auto& header = std::get<DdpTaggedHeader>(segments[i].header);
        EXPECT_EQ(header.taggedOffset, offset);
        EXPECT_EQ(header.stag, 0x3e434e01U);
        EXPECT_EQ(header.last, i == 2);
        offset += segments[i].payloadLength;
    }
}

TEST(DdpSegmenterTest, UntaggedMessageKeepsMsnAndCountsMo)
{
    DdpSegmenter segmenter;
    segmenter.StartUntagged(0x44, 0xabcd01, 0, 7, 3000);
    const auto segments = CutAll(segmenter, 1442);
    ASSERT_EQ(segments.size(), 3U);
    uint32_t offset = 0;
    for (const DdpSegment& segment : segments)
    {
        const auto& header = std::get<DdpUntaggedHeader>(segment.header);
        EXPECT_EQ(header.rsvdUlp, 0x44);
        EXPECT_EQ(header.rsvdUlpWord, 0xabcd01U);
        EXPECT_EQ(header.queueNumber, 0U);
        EXPECT_EQ(header.messageSequenceNumber, 7U);
        EXPECT_EQ(header.messageOffset, offset);
        EXPECT_EQ(segment.messageOffset, offset);
        offset += segment.payloadLength;
    }
    EXPECT_EQ(offset, 3000U);
}

TEST(DdpSegmenterTest, EveryLengthAndMulpduCoverTheMessageOnce)
{
    for (uint32_t mulpdu = 128; mulpdu < 140; ++mulpdu)
    {
        for (uint32_t length = 0; length < 700; ++length)
        {
            for (const bool tagged : {false, true})
            {
                DdpSegmenter segmenter;
                if (tagged)
                {
                    segmenter.StartTagged(CONTROL, 1, 1000, length);
                }
                else
                {
                    segmenter.StartUntagged(CONTROL, 0, 0, 1, length);
                }
                const auto segments = CutAll(segmenter, mulpdu);
                uint32_t offset = 0;
                for (std::size_t i = 0; i < segments.size(); ++i)
                {
                    ASSERT_LE(segments[i].Size(), mulpdu);
                    ASSERT_EQ(segments[i].messageOffset, offset);
                    ASSERT_EQ(segments[i].last, i + 1 == segments.size());
                    ASSERT_TRUE(segments[i].last || segments[i].payloadLength % 4 == 0);
                    ASSERT_TRUE(segments[i].last || segments[i].Size() + 4 > mulpdu)
                        << "as large as MULPDU lets it be";
                    offset += segments[i].payloadLength;
                }
                ASSERT_EQ(offset, length);
            }
        }
    }
}

TEST(DdpSegmenterTest, FollowsAMulpduThatShrinks)
{
    DdpSegmenter segmenter;
    segmenter.StartTagged(CONTROL, 1, 0, 10000);
    EXPECT_EQ(segmenter.Next(8954).payloadLength, 8940U);
    EXPECT_EQ(segmenter.Next(128).payloadLength, 112U);
    EXPECT_EQ(segmenter.Next(1442).payloadLength, 948U);
    EXPECT_FALSE(segmenter.IsActive());
}

TEST(DdpSegmenterTest, LongestMessageDoesNotOverflow)
{
    DdpSegmenter segmenter;
    segmenter.StartUntagged(CONTROL, 0, 0, 1, 0xffffffff);
    uint64_t total = 0;
    while (segmenter.IsActive())
    {
        total += segmenter.Next(64768).payloadLength;
    }
    EXPECT_EQ(total, 0xffffffffU);
}

TEST(DdpSegmenterTest, EverySegmentHasTheVersionAskedFor)
{
    DdpSegmenter segmenter(DDP_VERSION_RDMAC);
    segmenter.StartTagged(0, 1, 0, 300);
    while (segmenter.IsActive())
    {
        EXPECT_EQ(std::get<DdpTaggedHeader>(segmenter.Next(128).header).version, 0);
    }
    segmenter.StartUntagged(3, 0, 0, 1, 300);
    while (segmenter.IsActive())
    {
        EXPECT_EQ(std::get<DdpUntaggedHeader>(segmenter.Next(128).header).version, 0);
    }
}

TEST(DdpSegmenterTest, AbandonedMessageIsOver)
{
    DdpSegmenter segmenter;
    segmenter.StartTagged(CONTROL, 1, 0, 10000);
    EXPECT_FALSE(segmenter.Next(1442).last);
    segmenter.Abandon();
    EXPECT_FALSE(segmenter.IsActive());
}

} // namespace

} // namespace ns3::nfsrdma
