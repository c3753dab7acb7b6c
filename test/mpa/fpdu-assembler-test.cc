/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/fpdu-assembler.h"
#include "mpa/made-stream.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

/// How the start of an FPDU behind a gap is found.
struct Method
{
    const char* name;
    FpduFraming framing;
};

const Method MARKERS{"Markers", {true, true}};
const Method MARKERS_WITHOUT_CRC{"MarkersWithoutCrc", {false, true}};
const Method ALIGNMENT{"Alignment", {true, false}};

/// A stream of five FPDUs, and an assembler to which a case gives parts of it.
class FpduAssemblerTest : public testing::Test
{
  protected:
    virtual FpduFraming GetFraming()
    {
        return ALIGNMENT.framing;
    }

    virtual FpduAssembler::Options GetOptions()
    {
        FpduAssembler::Options options;
        options.framing = GetFraming();
        options.trustAlignment = true;
        return options;
    }

    virtual bool Place(ByteSpan ulpdu)
    {
        placed.emplace_back(ulpdu.begin(), ulpdu.end());
        return true;
    }

    void SetUp() override
    {
        for (const std::size_t length : {600U, 700U, 1100U, 540U, 800U})
        {
            made.AddPattern(length, static_cast<uint8_t>(made.starts.size()));
        }
        assembler = std::make_unique<FpduAssembler>(GetOptions(), [this](ByteSpan ulpdu) {
            return Place(ulpdu);
        });
    }

    bool Receive(uint64_t begin, uint64_t end)
    {
        return assembler->Receive(begin, made.Cut(begin, end));
    }

    /// Octets \p begin to \p end, with one of them changed.
    bool ReceiveDamaged(uint64_t begin, uint64_t end, uint64_t at)
    {
        const ByteSpan cut = made.Cut(begin, end);
        ByteVector octets(cut.begin(), cut.end());
        octets[at - begin] ^= 0x40;
        return assembler->Receive(begin, octets);
    }

    bool ReceiveFpdu(std::size_t fpdu)
    {
        return Receive(made.starts[fpdu], made.EndOf(fpdu));
    }

    void ExpectPlaced(const std::vector<std::size_t>& fpdus)
    {
        std::vector<ByteVector> expected;
        for (const std::size_t fpdu : fpdus)
        {
            expected.push_back(made.ulpdus[fpdu]);
            const auto* record = assembler->FindPlaced(made.starts[fpdu]);
            ASSERT_NE(record, nullptr) << fpdu;
            EXPECT_EQ(ByteVector(record->ulpdu.begin(), record->ulpdu.end()), made.ulpdus[fpdu]);
            EXPECT_EQ(record->wireSize, made.EndOf(fpdu) - made.starts[fpdu]);
        }
        EXPECT_EQ(placed, expected);
        EXPECT_EQ(assembler->GetStatistics().placedFpdus, fpdus.size());
    }

    MadeStream made{GetFraming()};
    std::unique_ptr<FpduAssembler> assembler;
    std::vector<ByteVector> placed;
};

class LocatingTest : public FpduAssemblerTest, public testing::WithParamInterface<Method>
{
  protected:
    FpduFraming GetFraming() override
    {
        return GetParam().framing;
    }

    bool HasMarkers() const
    {
        return GetParam().framing.markers;
    }

    void SetUp() override
    {
        made = MadeStream(GetFraming());
        FpduAssemblerTest::SetUp();
    }
};

TEST_P(LocatingTest, InOrderNothingIsPlacedOrHeld)
{
    for (std::size_t i = 0; i < 5; ++i)
    {
        EXPECT_TRUE(ReceiveFpdu(i));
        EXPECT_EQ(assembler->GetHeldOctets(), 0U);
    }
    ExpectPlaced({});
}

TEST_P(LocatingTest, Case1OneCompleteFpduIsPlacedAtOnce)
{
    EXPECT_TRUE(ReceiveFpdu(2));
    ExpectPlaced({2});
    EXPECT_EQ(assembler->GetHeldOctets(), 0U);
    EXPECT_TRUE(Receive(0, made.starts[2]));
    ExpectPlaced({2});
    EXPECT_EQ(assembler->GetHeldOctets(), 0U);
}

TEST_P(LocatingTest, Case2SeveralCompleteFpdusAreAllPlaced)
{
    EXPECT_TRUE(Receive(made.starts[1], made.EndOf(3)));
    ExpectPlaced({1, 2, 3});
}

TEST_P(LocatingTest, Case3AnIncompleteFpduWaitsForTheRest)
{
    const uint64_t middle = made.starts[2] + 400;
    EXPECT_TRUE(Receive(made.starts[1], middle));
    ExpectPlaced({1});
    EXPECT_EQ(assembler->GetHeldOctets(), 400U);
    EXPECT_TRUE(Receive(middle, made.EndOf(2)));
    ExpectPlaced({1, 2});
    EXPECT_EQ(assembler->GetHeldOctets(), 0U);
}

TEST_P(LocatingTest, Case3TheRestIsAlreadyThere)
{
    const uint64_t middle = made.starts[2] + 400;
    EXPECT_TRUE(Receive(middle, made.EndOf(2)));
    ExpectPlaced({});
    EXPECT_EQ(assembler->GetHeldOctets(), made.EndOf(2) - middle);
    EXPECT_TRUE(Receive(made.starts[2], middle));
    ExpectPlaced({2});
}

TEST_P(LocatingTest, Case4UnalignedStart)
{
    const uint64_t middle = made.starts[1] + 300;
    EXPECT_TRUE(Receive(middle, made.EndOf(2)));
    if (HasMarkers())
    {
        ExpectPlaced({2});
        EXPECT_EQ(assembler->GetHeldOctets(), made.EndOf(1) - middle);
        EXPECT_TRUE(Receive(made.starts[1], middle));
        ExpectPlaced({2, 1});
    }
    else
    {
        ExpectPlaced({});
        EXPECT_TRUE(Receive(made.starts[1], middle));
        ExpectPlaced({1, 2});
    }
    EXPECT_EQ(assembler->GetHeldOctets(), 0U);
}

TEST_P(LocatingTest, Case5MixturesGiveEveryWholeFpdu)
{
    const uint64_t first = made.starts[1] + 300;
    const uint64_t second = made.starts[3] + 100;
    EXPECT_TRUE(Receive(second, made.EndOf(4)));
    EXPECT_TRUE(Receive(first, second));
    if (HasMarkers())
    {
        ExpectPlaced({4, 2, 3});
        EXPECT_EQ(assembler->GetHeldOctets(), made.EndOf(1) - first);
    }
    else
    {
        ExpectPlaced({});
    }
    EXPECT_TRUE(Receive(made.starts[1] - 50, first));
    EXPECT_EQ(placed.size(), HasMarkers() ? 4U : 0U);
    EXPECT_TRUE(Receive(0, made.starts[1] - 50));
    EXPECT_EQ(assembler->GetHeldOctets(), 0U);
    EXPECT_EQ(placed.size(), HasMarkers() ? 4U : 0U);
}

TEST_P(LocatingTest, FpdusThatFollowAPlacedOneAreFoundByLength)
{
    EXPECT_TRUE(ReceiveFpdu(1));
    EXPECT_TRUE(Receive(made.starts[2], made.starts[2] + 2));
    for (uint64_t at = made.starts[2] + 2; at < made.octets.size(); at += 2)
    {
        EXPECT_TRUE(Receive(at, at + 2));
    }
    ExpectPlaced({1, 2, 3, 4});
}

TEST_P(LocatingTest, SegmentsOfFourOctetsInReverseOrder)
{
    for (uint64_t at = made.octets.size() - 4; at >= made.starts[1]; at -= 4)
    {
        ASSERT_TRUE(Receive(at, at + 4));
    }
    ASSERT_EQ(placed.size(), 4U);
    std::sort(placed.begin(), placed.end());
    std::vector<ByteVector> expected(made.ulpdus.begin() + 1, made.ulpdus.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(placed, expected);
    EXPECT_EQ(assembler->GetHeldOctets(), 0U);
}

TEST_P(LocatingTest, DuplicatesAreIgnoredAndCounted)
{
    EXPECT_TRUE(ReceiveFpdu(2));
    EXPECT_TRUE(ReceiveDamaged(made.starts[2], made.EndOf(2), made.starts[2] + 30));
    ExpectPlaced({2});
    EXPECT_EQ(assembler->GetStatistics().duplicateOctets, made.EndOf(2) - made.starts[2]);
    EXPECT_EQ(assembler->GetHeldOctets(), 0U);
    EXPECT_TRUE(Receive(made.starts[1], made.EndOf(3)));
    ExpectPlaced({2, 1, 3});
}

TEST_P(LocatingTest, OfUnplacedOctetsTheFirstToArriveAreKept)
{
    const uint64_t middle = made.starts[2] + 400;
    EXPECT_TRUE(Receive(made.starts[2], middle));
    EXPECT_TRUE(ReceiveDamaged(made.starts[2], made.EndOf(2), made.starts[2] + 30));
    ExpectPlaced({2});
}

TEST_P(LocatingTest, OctetsBeforeTheFrontAreNotKept)
{
    EXPECT_TRUE(ReceiveFpdu(0));
    EXPECT_TRUE(Receive(0, made.EndOf(1) + 8));
    EXPECT_EQ(assembler->GetHeldOctets(), 8U);
    EXPECT_EQ(assembler->GetStatistics().duplicateOctets, made.EndOf(0));
}

TEST_P(LocatingTest, PlacedFpdusAreForgottenOnceDelivered)
{
    EXPECT_TRUE(ReceiveFpdu(1));
    EXPECT_TRUE(ReceiveFpdu(0));
    assembler->Advance(made.EndOf(0), made.EndOf(1));
    EXPECT_NE(assembler->FindPlaced(made.starts[1]), nullptr);
    assembler->Advance(made.EndOf(1), made.EndOf(1));
    EXPECT_EQ(assembler->FindPlaced(made.starts[1]), nullptr);
    EXPECT_TRUE(ReceiveFpdu(1));
    EXPECT_EQ(placed.size(), 1U);
}

TEST_P(LocatingTest, ADamagedFpduIsNotPlaced)
{
    const uint64_t at =
        HasMarkers() ? Marker::NextPosition(made.starts[2] + 100) + 2 : made.starts[2] + 100;
    EXPECT_TRUE(ReceiveDamaged(made.starts[2], made.EndOf(2), at));
    ExpectPlaced({});
    EXPECT_TRUE(ReceiveFpdu(3));
    ExpectPlaced({3});
}

TEST_P(LocatingTest, WhatTcpHadBeforeIsSkippedOver)
{
    assembler->Advance(0, made.starts[2] + 20);
    EXPECT_TRUE(ReceiveFpdu(4));
    assembler->Advance(made.starts[2], made.starts[2] + 20);
    EXPECT_TRUE(ReceiveFpdu(3));
    ExpectPlaced({4, 3});
    EXPECT_TRUE(Receive(made.starts[2] + 20, made.EndOf(2)));
    assembler->Advance(made.octets.size(), made.octets.size());
    EXPECT_EQ(assembler->GetHeldOctets(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Methods,
                         LocatingTest,
                         testing::Values(MARKERS, MARKERS_WITHOUT_CRC, ALIGNMENT),
                         [](const testing::TestParamInfo<Method>& method) {
                             return std::string(method.param.name);
                         });

class NoCertaintyTest : public FpduAssemblerTest
{
  protected:
    FpduFraming GetFraming() override
    {
        return {false, false};
    }

    void SetUp() override
    {
        made = MadeStream(GetFraming());
        FpduAssemblerTest::SetUp();
    }
};

TEST_F(NoCertaintyTest, WithoutMarkersAndCrcNothingIsPlaced)
{
    EXPECT_TRUE(Receive(made.starts[1], made.octets.size()));
    ExpectPlaced({});
    EXPECT_EQ(assembler->GetHeldOctets(), made.octets.size() - made.starts[1]);
    EXPECT_TRUE(ReceiveFpdu(0));
    EXPECT_EQ(assembler->GetHeldOctets(), 0U);
}

TEST_F(FpduAssemblerTest, WhereAnIncompleteFpduShouldEndACrcConfirmsTheNext)
{
    EXPECT_TRUE(Receive(0, 100));
    EXPECT_TRUE(Receive(200, made.EndOf(1)));
    ExpectPlaced({1});
    EXPECT_EQ(assembler->GetHeldOctets(), made.starts[1] - 100);
    EXPECT_TRUE(Receive(100, 200));
    EXPECT_EQ(assembler->GetHeldOctets(), 0U);
}

TEST_F(FpduAssemblerTest, AnImageOfAnFpduInsideAnotherShowsWhenTheGapIsClosed)
{
    MadeStream inner(GetFraming());
    inner.AddPattern(40, 7);
    ByteVector ulpdu(20);
    ulpdu.insert(ulpdu.end(), inner.octets.begin(), inner.octets.end());
    MadeStream outer(GetFraming());
    outer.AddPattern(100, 1);
    outer.Add(ulpdu);
    const uint64_t image = outer.starts[1] + Fpdu::LENGTH_SIZE + 20;
    EXPECT_TRUE(assembler->Receive(image, outer.Cut(image, outer.octets.size())));
    EXPECT_EQ(placed, inner.ulpdus);
    EXPECT_FALSE(assembler->HasPlacedBetween(0, outer.EndOf(0)));
    EXPECT_TRUE(assembler->HasPlacedBetween(outer.starts[1], outer.EndOf(1)));
}

class UnwillingTest : public FpduAssemblerTest
{
  protected:
    bool Place(ByteSpan /*ulpdu*/) override
    {
        ++asked;
        return false;
    }

    int asked{0};
};

TEST_F(UnwillingTest, WhatIsNotPlacedStaysHeldAndIsOfferedOnce)
{
    EXPECT_TRUE(ReceiveFpdu(1));
    EXPECT_TRUE(ReceiveFpdu(3));
    EXPECT_TRUE(ReceiveFpdu(2));
    EXPECT_TRUE(Receive(made.starts[1], made.EndOf(3)));
    EXPECT_EQ(asked, 3);
    EXPECT_EQ(assembler->FindPlaced(made.starts[1]), nullptr);
    EXPECT_EQ(assembler->GetHeldOctets(), made.EndOf(3) - made.starts[1]);
    EXPECT_TRUE(ReceiveFpdu(0));
    EXPECT_EQ(assembler->GetHeldOctets(), 0U);
    EXPECT_EQ(assembler->GetStatistics().placedFpdus, 0U);
}

/// Without markers, and with nothing but section 6 of RFC 5044.
class UntrustedAlignmentTest : public FpduAssemblerTest
{
  protected:
    FpduAssembler::Options GetOptions() override
    {
        FpduAssembler::Options options;
        options.framing = GetFraming();
        return options;
    }
};

TEST_F(UntrustedAlignmentTest, NothingIsFoundBehindAGap)
{
    EXPECT_TRUE(Receive(made.starts[1], made.EndOf(2)));
    EXPECT_TRUE(Receive(made.starts[3], made.EndOf(3)));
    ExpectPlaced({});
    EXPECT_EQ(assembler->GetHeldOctets(), made.EndOf(3) - made.starts[1]);
}

class LimitTest : public FpduAssemblerTest
{
  protected:
    FpduAssembler::Options GetOptions() override
    {
        FpduAssembler::Options options = FpduAssemblerTest::GetOptions();
        options.limit = 0;
        return options;
    }
};

TEST_F(LimitTest, NeverBelow140Octets)
{
    const uint64_t at = made.starts[1] + 8;
    EXPECT_TRUE(Receive(at, at + 140));
    EXPECT_FALSE(Receive(at + 140, at + 144));
    EXPECT_EQ(assembler->GetHeldOctets(), 140U);
    EXPECT_EQ(assembler->GetStatistics().refusedSegments, 1U);
}

TEST_F(LimitTest, WhatIsPlacedDoesNotCount)
{
    EXPECT_TRUE(Receive(made.starts[1], made.EndOf(2)));
    ExpectPlaced({1, 2});
}

TEST_F(LimitTest, OfASegmentThatIsRefusedWhatWasPlacedStaysPlaced)
{
    EXPECT_FALSE(Receive(made.starts[1], made.starts[2] + 400));
    ExpectPlaced({1});
    EXPECT_EQ(assembler->GetHeldOctets(), 0U);
    EXPECT_TRUE(Receive(made.starts[1], made.EndOf(2)));
    ExpectPlaced({1, 2});
}

TEST_F(LimitTest, WhatIsInOrderIsNeverRefused)
{
    EXPECT_TRUE(Receive(0, 300));
    EXPECT_TRUE(Receive(300, 500));
    EXPECT_EQ(assembler->GetHeldOctets(), 500U);
    EXPECT_TRUE(Receive(500, made.EndOf(1)));
    EXPECT_EQ(assembler->GetHeldOctets(), 0U);
}

TEST_F(LimitTest, WhatFollowsOctetsThatTcpHadBeforeIsInOrder)
{
    assembler->Advance(made.starts[1], made.starts[1] + 300);
    EXPECT_TRUE(Receive(made.starts[1] + 300, made.starts[1] + 600));
    EXPECT_FALSE(Receive(made.starts[1] + 601, made.starts[1] + 650));
}

class DropTest : public FpduAssemblerTest
{
  protected:
    FpduAssembler::Options GetOptions() override
    {
        FpduAssembler::Options options = FpduAssemblerTest::GetOptions();
        options.dropBadSegments = true;
        return options;
    }
};

class DropWithMarkersTest : public DropTest
{
  protected:
    FpduFraming GetFraming() override
    {
        return MARKERS.framing;
    }

    void SetUp() override
    {
        made = MadeStream(GetFraming());
        DropTest::SetUp();
    }
};

TEST_F(DropTest, ASegmentInOrderWithABadFpdu)
{
    EXPECT_FALSE(ReceiveDamaged(0, made.EndOf(1), made.starts[1] + 50));
    EXPECT_EQ(assembler->GetStatistics().droppedSegments, 1U);
    EXPECT_EQ(assembler->GetHeldOctets(), 0U);
    EXPECT_TRUE(Receive(0, made.EndOf(1)));
    EXPECT_EQ(assembler->GetHeldOctets(), 0U);
    ExpectPlaced({});
}

TEST_F(DropTest, ASegmentInOrderWithABadFpduBehindTheRestOfOne)
{
    EXPECT_TRUE(Receive(0, 300));
    EXPECT_FALSE(ReceiveDamaged(300, made.EndOf(1), made.starts[1] + 50));
    EXPECT_TRUE(Receive(300, made.EndOf(1)));
    EXPECT_EQ(assembler->GetHeldOctets(), 0U);
}

TEST_F(DropTest, ABadFpduCutInTwoIsLeftToTheOrderedStream)
{
    EXPECT_TRUE(ReceiveDamaged(0, 300, 50));
    EXPECT_TRUE(Receive(300, made.EndOf(0)));
    EXPECT_EQ(assembler->GetStatistics().droppedSegments, 0U);
}

TEST_F(DropTest, WithoutMarkersASegmentOutOfOrderNeedNotBeginWithAnFpdu)
{
    EXPECT_TRUE(ReceiveDamaged(made.starts[2], made.EndOf(2), made.starts[2] + 50));
    EXPECT_TRUE(Receive(made.starts[3] + 4, made.EndOf(3)));
    ExpectPlaced({});
}

TEST_F(DropTest, BehindAValidFpduOutOfOrderABadOneIsCertain)
{
    EXPECT_FALSE(ReceiveDamaged(made.starts[1], made.EndOf(2), made.starts[2] + 50));
    ExpectPlaced({1});
    EXPECT_TRUE(ReceiveFpdu(2));
    ExpectPlaced({1, 2});
}

TEST_F(DropWithMarkersTest, ASegmentOutOfOrderWithABadFpdu)
{
    EXPECT_FALSE(ReceiveDamaged(made.starts[2], made.EndOf(2), made.starts[2] + 50));
    EXPECT_EQ(assembler->GetHeldOctets(), 0U);
    EXPECT_TRUE(ReceiveFpdu(2));
    ExpectPlaced({2});
    EXPECT_EQ(assembler->GetStatistics().droppedSegments, 1U);
}

TEST_F(DropWithMarkersTest, ASegmentInOrderWithABadMarker)
{
    EXPECT_FALSE(ReceiveDamaged(0, made.EndOf(0), 512 + 2));
    EXPECT_TRUE(ReceiveFpdu(0));
}

TEST(ReassemblyBufferTest, ExtentsJoinAndSplit)
{
    ReassemblyBuffer buffer;
    const ByteVector octets{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const ByteSpan span(octets);
    buffer.Add(100, span.first(2));
    buffer.Add(106, span.subspan(6, 4));
    EXPECT_EQ(buffer.NextHeld(0), 100U);
    EXPECT_EQ(buffer.NextHeld(102), 106U);
    EXPECT_TRUE(buffer.From(102).empty());
    buffer.Add(102, span.subspan(2, 4));
    EXPECT_EQ(buffer.GetOctets(), 10U);
    const ByteSpan all = buffer.From(100);
    EXPECT_TRUE(std::equal(all.begin(), all.end(), octets.begin(), octets.end()));
    buffer.Erase(103, 105);
    EXPECT_EQ(buffer.GetOctets(), 8U);
    EXPECT_EQ(buffer.From(101).size(), 2U);
    EXPECT_EQ(buffer.From(105).front(), 5);
    EXPECT_EQ(buffer.ExtentAt(109)->begin, 105U);
    EXPECT_FALSE(buffer.ExtentAt(110).has_value());
    buffer.Erase(0, 1000);
    EXPECT_EQ(buffer.GetOctets(), 0U);
    EXPECT_EQ(buffer.NextHeld(0), std::numeric_limits<uint64_t>::max());
}

} // namespace

} // namespace ns3::nfsrdma
