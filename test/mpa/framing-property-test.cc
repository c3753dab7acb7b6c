/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/made-stream.h"
#include "mpa/ordered-reader.h"

#include <gtest/gtest.h>
#include <random>

namespace ns3::nfsrdma
{

namespace
{

struct Segment
{
    uint64_t begin;
    uint64_t end;
};

/// Any ULPDU sizes, markers, CRC, segmentation, order, repetition and overlap.
class FramingPropertyTest : public testing::TestWithParam<unsigned>
{
  protected:
    std::size_t Below(std::size_t bound)
    {
        return static_cast<std::size_t>(m_random() % bound);
    }

    bool OneIn(std::size_t many)
    {
        return Below(many) == 0;
    }

    FpduFraming AnyFraming()
    {
        return {OneIn(2), OneIn(2)};
    }

    /// Each ULPDU begins with its number, so that none is like another.
    MadeStream AnyStream(const FpduFraming& framing, std::size_t octets)
    {
        MadeStream made(framing);
        const std::size_t longest = OneIn(4) ? 9000 : (OneIn(2) ? 40 : 1500);
        while (made.octets.size() < octets)
        {
            ByteVector ulpdu(4 + Below(longest));
            for (uint8_t& octet : ulpdu)
            {
                octet = static_cast<uint8_t>(m_random());
            }
            ulpdu[0] = static_cast<uint8_t>(made.starts.size() >> 8);
            ulpdu[1] = static_cast<uint8_t>(made.starts.size());
            made.Add(ulpdu);
        }
        return made;
    }

    /// Cuts that together are the whole stream: at FPDUs, or anywhere.
    std::vector<Segment> AnyCuts(const MadeStream& made)
    {
        std::vector<Segment> segments;
        const bool aligned = OneIn(3);
        const std::size_t longest = OneIn(3) ? 60 : 3000;
        uint64_t begin = 0;
        std::size_t fpdu = 0;
        while (begin < made.octets.size())
        {
            uint64_t end = begin + 1 + Below(longest);
            if (aligned)
            {
                fpdu = std::min(fpdu + Below(3), made.starts.size() - 1);
                end = made.EndOf(fpdu++);
            }
            end = std::min<uint64_t>(end, made.octets.size());
            segments.push_back({begin, end});
            begin = end;
        }
        return segments;
    }

    /// Moves segments about, near or far, and repeats some, cut differently.
    void Disturb(std::vector<Segment>& segments, uint64_t size)
    {
        const std::size_t reach = 1 + Below(OneIn(2) ? 4 : 60);
        for (std::size_t i = 0; i < segments.size(); ++i)
        {
            std::swap(segments[i], segments[std::min(i + Below(reach), segments.size() - 1)]);
        }
        const std::size_t repeats = Below(segments.size() + 1) / 2;
        for (std::size_t i = 0; i < repeats; ++i)
        {
            const uint64_t begin = Below(size);
            const uint64_t end = std::min<uint64_t>(size, begin + 1 + Below(4000));
            segments.insert(segments.begin() + static_cast<std::ptrdiff_t>(Below(segments.size())),
                            {begin, end});
        }
    }

    OrderedReader::Settings AnySettings(const FpduFraming& framing)
    {
        OrderedReader::Settings settings;
        settings.framing = framing;
        settings.lookAhead = !OneIn(4);
        settings.dropBadSegments = OneIn(2);
        settings.limit = OneIn(2) ? UINT64_MAX : Below(20000);
        return settings;
    }

    /// Segments that are dropped are sent again until none is.
    void Deliver(OrderedReader& reader, const MadeStream& made, std::vector<Segment> segments)
    {
        for (int rounds = 0; !segments.empty(); ++rounds)
        {
            ASSERT_LT(rounds, 10000);
            std::vector<Segment> dropped;
            for (const Segment& segment : segments)
            {
                if (!reader.Arrive(segment.begin, made.Cut(segment.begin, segment.end)))
                {
                    dropped.push_back(segment);
                }
            }
            segments = dropped;
        }
    }

    void ExpectAllDelivered(const OrderedReader& reader, const MadeStream& made)
    {
        ASSERT_FALSE(reader.error.has_value());
        ASSERT_EQ(reader.delivered, made.ulpdus);
        std::vector<ByteVector> asPlaced;
        for (std::size_t i = 0; i < made.ulpdus.size(); ++i)
        {
            if (reader.deliveredAsPlaced[i])
            {
                asPlaced.push_back(made.ulpdus[i]);
            }
        }
        std::vector<ByteVector> placed = reader.placed;
        std::sort(placed.begin(), placed.end());
        std::sort(asPlaced.begin(), asPlaced.end());
        ASSERT_EQ(placed, asPlaced);
        ASSERT_TRUE(std::adjacent_find(placed.begin(), placed.end()) == placed.end());
        if (reader.GetReceiver().GetAssembler() != nullptr)
        {
            ASSERT_EQ(reader.GetReceiver().GetAssembler()->GetHeldOctets(), 0U);
        }
    }

    std::mt19937_64 m_random{GetParam()};
};

TEST_P(FramingPropertyTest, WhatIsSentIsDeliveredOnceInOrder)
{
    for (int round = 0; round < 12; ++round)
    {
        const FpduFraming framing = AnyFraming();
        const MadeStream made = AnyStream(framing, 2000 + Below(40000));
        std::vector<Segment> segments = AnyCuts(made);
        Disturb(segments, made.octets.size());
        OrderedReader reader(AnySettings(framing));
        reader.queue.laterWins = OneIn(2);
        reader.refusePlacing = Below(4);
        Deliver(reader, made, segments);
        ExpectAllDelivered(reader, made);
    }
}

/// With CRCs, whatever single octets change on the way: what is delivered is what was sent, up to
/// an error, and only what was sent is placed. When bad segments are dropped and FPDUs are not cut,
/// there is no error at all.
TEST_P(FramingPropertyTest, DamageIsNeverPlacedOrDelivered)
{
    for (int round = 0; round < 12; ++round)
    {
        const FpduFraming framing{true, OneIn(2)};
        const MadeStream made = AnyStream(framing, 2000 + Below(20000));
        std::vector<Segment> segments = AnyCuts(made);
        Disturb(segments, made.octets.size());
        OrderedReader reader(AnySettings(framing));
        reader.queue.laterWins = OneIn(2);
        for (int repeat = 0; repeat < 3; ++repeat)
        {
            for (const Segment& segment : segments)
            {
                const ByteSpan cut = made.Cut(segment.begin, segment.end);
                ByteVector octets(cut.begin(), cut.end());
                if (OneIn(10))
                {
                    octets[Below(octets.size())] ^= static_cast<uint8_t>(1 + Below(255));
                }
                reader.Arrive(segment.begin, octets);
            }
        }
        ASSERT_LE(reader.delivered.size(), made.ulpdus.size());
        ASSERT_TRUE(
            std::equal(reader.delivered.begin(), reader.delivered.end(), made.ulpdus.begin()));
        for (const ByteVector& ulpdu : reader.placed)
        {
            ASSERT_NE(std::find(made.ulpdus.begin(), made.ulpdus.end(), ulpdu), made.ulpdus.end());
        }
    }
}

TEST_P(FramingPropertyTest, WhereWholeFpdusTravelDroppingRepairsAllDamage)
{
    const FpduFraming framing{true, OneIn(2)};
    const MadeStream made = AnyStream(framing, 20000);
    OrderedReader::Settings settings;
    settings.framing = framing;
    settings.lookAhead = true;
    settings.dropBadSegments = true;
    OrderedReader reader(settings);
    for (std::size_t fpdu = 0; fpdu < made.starts.size(); ++fpdu)
    {
        const uint64_t begin = made.starts[fpdu];
        const ByteSpan cut = made.Cut(begin, made.EndOf(fpdu));
        if (OneIn(2))
        {
            ByteVector octets(cut.begin(), cut.end());
            const std::size_t header = framing.markers ? 6 : 2;
            octets[header + Below(octets.size() - header)] ^= 1;
            ASSERT_FALSE(reader.Arrive(begin, octets)) << fpdu;
        }
        ASSERT_TRUE(reader.Arrive(begin, cut)) << fpdu;
    }
    ExpectAllDelivered(reader, made);
}

INSTANTIATE_TEST_SUITE_P(Seeds, FramingPropertyTest, testing::Range(1U, 41U));

} // namespace

} // namespace ns3::nfsrdma
