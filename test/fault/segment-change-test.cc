/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault/followed-stream.h"
#include "fault/link-state.h"
#include "fault/segment-change.h"
#include "fault/sentence.h"

#include <bitset>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace ns3::nfsrdma::test
{

namespace
{

/// Parameter: whether the stream has markers.
class SegmentChangeTest : public testing::TestWithParam<bool>
{
  protected:
    SegmentChangeTest()
        : m_stream(FpduFraming{true, GetParam()})
    {
    }

    static FaultWhat MakeWhat(const std::string& what)
    {
        return ParseFault("name", "1st fpdu: " + what).value().what;
    }

    uint64_t Corrupt(TcpSegment& segment, const std::string& what, const FollowedFpdu* fpdu)
    {
        return CorruptSegment(segment, MakeWhat(what), fpdu, [this](uint64_t bound) {
            return m_random() % bound;
        });
    }

    /// \return numbers of octets of the payload in which \p a and \p b differ.
    static std::vector<std::size_t> Compare(const TcpSegment& a, const TcpSegment& b)
    {
        std::vector<std::size_t> octets;
        for (std::size_t i = 0; i < a.payload.size(); ++i)
        {
            if (a.payload[i] != b.payload[i])
            {
                octets.push_back(i);
            }
        }
        return octets;
    }

    static std::size_t CountBits(const TcpSegment& a, const TcpSegment& b)
    {
        std::size_t bits = 0;
        for (std::size_t i = 0; i < a.payload.size(); ++i)
        {
            bits += std::bitset<8>(a.payload[i] ^ b.payload[i]).count();
        }
        return bits;
    }

    FollowedStream m_stream;
    std::mt19937_64 m_random{1};
};

TEST_P(SegmentChangeTest, InvertsAsManyBitsAsSaid)
{
    const auto segment = m_stream.MakeSegment(0, m_stream.MakeWrite(600, true));
    m_stream.Take(0, segment);
    for (const uint64_t bits : {1, 2, 17})
    {
        auto changed = segment;
        EXPECT_EQ(Corrupt(changed, "corrupt " + std::to_string(bits) + " bits", nullptr), bits);
        EXPECT_EQ(CountBits(segment, changed), bits);
    }
}

TEST_P(SegmentChangeTest, BehindTheCrcTheFpduIsNotValid)
{
    const auto segment = m_stream.MakeSegment(0, m_stream.MakeWrite(600, true));
    m_stream.Take(0, segment);
    const auto& fpdu = m_stream.frame.fpdus.at(0);
    ASSERT_TRUE(fpdu.framing.Check(segment.payload, fpdu.position));
    auto changed = segment;
    EXPECT_EQ(Corrupt(changed, "corrupt 3 bits", &fpdu), 3U);
    EXPECT_FALSE(fpdu.framing.Check(changed.payload, fpdu.position));
}

TEST_P(SegmentChangeTest, BeforeTheCrcTheFpduIsValidAndDifferent)
{
    const auto segment = m_stream.MakeSegment(0, m_stream.MakeWrite(1200, true));
    m_stream.Take(0, segment);
    const auto& fpdu = m_stream.frame.fpdus.at(0);
    for (int i = 0; i < 200; ++i)
    {
        auto changed = segment;
        EXPECT_EQ(Corrupt(changed, "corrupt 3 bits before crc field data", &fpdu), 3U);
        EXPECT_TRUE(fpdu.framing.Check(changed.payload, fpdu.position));
        EXPECT_NE(changed.payload, segment.payload);
    }
}

TEST_P(SegmentChangeTest, FieldsAreWhereTheyAre)
{
    const auto segment = m_stream.MakeSegment(0, m_stream.MakeWrite(100, true));
    m_stream.Take(0, segment);
    const auto& fpdu = m_stream.frame.fpdus.at(0);
    ASSERT_TRUE(fpdu.tagged);
    const std::size_t marker = GetParam() ? 4 : 0; // Before ULPDU_Length.
    auto changed = segment;
    EXPECT_EQ(Corrupt(changed, "corrupt 4096 bits field stag", &fpdu), 32U);
    EXPECT_THAT(Compare(segment, changed),
                testing::ElementsAre(marker + 4, marker + 5, marker + 6, marker + 7));
    EXPECT_EQ(changed.payload[marker + 4], 0xfe);
    changed = segment;
    EXPECT_EQ(Corrupt(changed, "corrupt 8 bits octet 0", &fpdu), 8U);
    EXPECT_THAT(Compare(segment, changed), testing::ElementsAre(marker));
    changed = segment;
    EXPECT_EQ(Corrupt(changed, "corrupt field msn", &fpdu), 0U);
    EXPECT_EQ(Corrupt(changed, "corrupt octet 5000", &fpdu), 0U);
    EXPECT_EQ(changed.payload, segment.payload);
}

TEST_P(SegmentChangeTest, OnlyWhatIsInTheSegmentIsChanged)
{
    const auto octets = m_stream.MakeWrite(600, true);
    const auto first = m_stream.MakeSegment(0, ByteSpan(octets).first(300));
    const auto second = m_stream.MakeSegment(0, ByteSpan(octets).subspan(300));
    m_stream.Take(0, first);
    EXPECT_TRUE(m_stream.frame.fpdus.empty());
    m_stream.Take(0, second);
    const auto& fpdu = m_stream.frame.fpdus.at(0);
    EXPECT_EQ(fpdu.begin, -300);
    auto changed = second;
    EXPECT_EQ(Corrupt(changed, "corrupt before crc field stag", &fpdu), 0U);
    EXPECT_EQ(Corrupt(changed, "corrupt 5 bits before crc", &fpdu), 5U);
    auto whole = octets;
    std::copy(changed.payload.begin(), changed.payload.end(), whole.begin() + 300);
    EXPECT_TRUE(fpdu.framing.Check(whole, fpdu.position));
    EXPECT_NE(whole, octets);
}

TEST_P(SegmentChangeTest, ACrcThatHasLeftInPartCannotBeMadeRight)
{
    const auto octets = m_stream.MakeWrite(600, true);
    m_stream.Take(0, m_stream.MakeSegment(0, ByteSpan(octets).first(octets.size() - 3)));
    auto last = m_stream.MakeSegment(0, ByteSpan(octets).last(3));
    m_stream.Take(0, last);
    EXPECT_EQ(Corrupt(last, "corrupt before crc", &m_stream.frame.fpdus.at(0)), 0U);
}

TEST_P(SegmentChangeTest, MessagesOfSeveralFpdusAreOneEvent)
{
    const auto take = [this](bool last) {
        return m_stream.Take(0, m_stream.MakeSegment(0, m_stream.MakeWrite(600, last)));
    };
    EXPECT_THAT(take(false), testing::ElementsAre("segment", "data", "fpdu", "rdma-write"));
    EXPECT_THAT(take(false), testing::ElementsAre("segment", "data", "fpdu"));
    EXPECT_THAT(take(true), testing::ElementsAre("segment", "data", "fpdu"));
    EXPECT_THAT(take(true), testing::ElementsAre("segment", "data", "fpdu", "rdma-write"));
}

TEST_P(SegmentChangeTest, WhatIsSentAgainIsOnlyASegment)
{
    const auto segment = m_stream.MakeSegment(0, m_stream.MakeWrite(600, true));
    EXPECT_EQ(m_stream.Take(0, segment).size(), 4U);
    EXPECT_THAT(m_stream.Take(0, segment),
                testing::ElementsAre("segment", "data", "retransmission"));
    const auto one = m_stream.MakeSegment(0, m_stream.MakeWrite(100, true));
    const auto two = m_stream.MakeSegment(0, m_stream.MakeWrite(100, true));
    EXPECT_THAT(m_stream.Take(0, two), testing::ElementsAre("segment", "data"));
    EXPECT_THAT(m_stream.Take(0, one),
                testing::ElementsAre("segment",
                                     "data",
                                     "retransmission",
                                     "fpdu",
                                     "rdma-write",
                                     "fpdu",
                                     "rdma-write"));
}

INSTANTIATE_TEST_SUITE_P(Markers, SegmentChangeTest, testing::Bool(), [](const auto& test) {
    return test.param ? "With" : "Without";
});

TEST(LinkStateTest, IsDownUntilTheLastEnds)
{
    LinkState link;
    EXPECT_FALSE(link.IsDown());
    link.TakeDown();
    link.TakeDown();
    link.BringUp();
    EXPECT_TRUE(link.IsDown());
    link.BringUp();
    EXPECT_FALSE(link.IsDown());
    link.BringUp();
    EXPECT_FALSE(link.IsDown());
    link.TakeDown();
    EXPECT_TRUE(link.IsDown());
    link.Heal();
    EXPECT_FALSE(link.IsDown());
}

TEST(LinkStateTest, TheNarrowestLimitHolds)
{
    LinkState link;
    EXPECT_EQ(link.GetLimit(), nullptr);
    const auto wide = link.AddLimit({1400, false});
    const auto narrow = link.AddLimit({600, true});
    EXPECT_EQ(link.GetLimit()->mtu, 600U);
    EXPECT_TRUE(link.GetLimit()->silently);
    link.RemoveLimit(narrow);
    EXPECT_EQ(link.GetLimit()->mtu, 1400U);
    link.RemoveLimit(wide);
    EXPECT_EQ(link.GetLimit(), nullptr);
    link.AddLimit({600, true});
    link.Heal();
    EXPECT_EQ(link.GetLimit(), nullptr);
}

} // namespace

} // namespace ns3::nfsrdma::test
