/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/full-operation-fixture.h"

namespace ns3::nfsrdma
{

namespace
{

class PlacementTest : public FullOperationTest
{
  protected:
    void Configure() override
    {
        connection->GetSettings()->SetAttribute("OutOfOrderPlacement", BooleanValue(true));
        connection->GetSettings()->SetAttribute("PlaceByAlignment", BooleanValue(true));
    }
};

class FarStreamTest : public PlacementTest
{
  protected:
    uint64_t GetStreamStart() override
    {
        return (uint64_t{1} << 32) - 100;
    }
};

class UnwillingOwnerTest : public PlacementTest
{
  protected:
    bool OnPlace(ByteSpan ulpdu) override
    {
        PlacementTest::OnPlace(ulpdu);
        return false;
    }
};

class ClosingOwnerTest : public PlacementTest
{
  protected:
    bool OnPlace(ByteSpan ulpdu) override
    {
        connection->Close();
        connection = nullptr;
        return PlacementTest::OnPlace(ulpdu);
    }
};

class SmallBufferTest : public PlacementTest
{
  protected:
    void Configure() override
    {
        PlacementTest::Configure();
        connection->GetSettings()->SetAttribute("ReassemblyLimit", UintegerValue(1));
        stream->emss = 160;
    }
};

/// Both directions carry markers.
class MarkedConnectionTest : public PlacementTest
{
  protected:
    void Configure() override
    {
        PlacementTest::Configure();
        connection->GetSettings()->SetAttribute("Markers", BooleanValue(true));
        replyMarkers = true;
        made = MadeStream({true, true});
    }
};

class CountingTest : public FullOperationTest
{
  protected:
    void Configure() override
    {
        connection->GetSettings()->SetAttribute("CountReassembly", BooleanValue(true));
    }
};

TEST_F(PlacementTest, PlacedAtOnceDeliveredInOrder)
{
    EXPECT_TRUE(ArriveFpdu(2));
    EXPECT_TRUE(ArriveFpdu(1));
    EXPECT_EQ(placed, (std::vector<ByteVector>{made.ulpdus[2], made.ulpdus[1]}));
    EXPECT_TRUE(delivered.empty());
    EXPECT_TRUE(ArriveFpdu(0));
    EXPECT_TRUE(ArriveFpdu(3));
    EXPECT_EQ(delivered, Deliveries({0, 1, 2, 3}, {1, 2}));
    EXPECT_EQ(connection->GetCounters().rxFpdusPlacedAhead, 2U);
    EXPECT_EQ(connection->GetCounters().rxFpdus, 4U);
    EXPECT_EQ(connection->GetCounters().rxOctets, made.octets.size());
}

TEST_F(PlacementTest, WhatWasPlacedIsDeliveredThoughTcpHasOtherOctetsByNow)
{
    stream->queue.laterWins = true;
    EXPECT_TRUE(ArriveFpdu(1));
    EXPECT_TRUE(ArriveDamaged(1));
    EXPECT_TRUE(ArriveFpdu(0));
    EXPECT_EQ(delivered, Deliveries({0, 1}, {1}));
    EXPECT_TRUE(errors.empty());
    EXPECT_EQ(connection->GetCounters().duplicateOctets, made.EndOf(1) - made.starts[1]);
}

TEST_F(PlacementTest, ReassemblyOctetsAreThoseNotPlaced)
{
    EXPECT_TRUE(ArriveFpdu(2));
    EXPECT_TRUE(Arrive(made.starts[1] + 40, made.EndOf(1)));
    EXPECT_TRUE(Arrive(0, 20));
    EXPECT_TRUE(Arrive(20, made.starts[1] + 40));
    const auto tail = static_cast<uint32_t>(made.EndOf(1) - made.starts[1] - 40);
    EXPECT_EQ(reassembly, (std::vector<uint32_t>{tail, tail + 20, 0}));
    EXPECT_EQ(connection->GetCounters().peakReassemblyOctets, tail + 20);
    EXPECT_EQ(delivered, Deliveries({0, 1, 2}, {2}));
}

TEST_F(PlacementTest, ASegmentThatBeginsBeforeTheFirstFpdu)
{
    ByteVector octets(8);
    const ByteSpan cut = made.Cut(0, made.EndOf(1));
    octets.insert(octets.end(), cut.begin(), cut.end());
    EXPECT_TRUE(stream->ArriveAt(first - 8, octets));
    EXPECT_TRUE(stream->ArriveAt(first - 8, ByteSpan(octets).first(8)));
    EXPECT_EQ(delivered, Deliveries({0, 1}, {}));
}

TEST_F(FarStreamTest, OffsetsPassFourGibi)
{
    EXPECT_LT(first, uint64_t{1} << 32);
    EXPECT_GT(first + made.starts[2], uint64_t{1} << 32);
    EXPECT_TRUE(ArriveFpdu(3));
    EXPECT_TRUE(ArriveFpdu(1));
    EXPECT_TRUE(ArriveFpdu(0));
    EXPECT_TRUE(ArriveFpdu(2));
    EXPECT_EQ(delivered, Deliveries({0, 1, 2, 3}, {1, 3}));
}

TEST_F(MarkedConnectionTest, MarkersGoInAndComeOut)
{
    EXPECT_EQ(connection->GetMulpdu(), 1430U);
    EXPECT_TRUE(ArriveFpdu(0));
    EXPECT_EQ(delivered, Deliveries({0}, {}));
    MadeStream expected({true, true});
    for (const std::size_t length : {60U, 700U, 1430U, 8U})
    {
        Send(length);
        expected.Add(ByteVector(length, 0x33));
        const std::size_t last = expected.starts.size() - 1;
        const ByteSpan fpdu = expected.Cut(expected.starts[last], expected.EndOf(last));
        EXPECT_EQ(stream->sent.back(), ByteVector(fpdu.begin(), fpdu.end()));
    }
}

TEST_F(MarkedConnectionTest, AMarkerFindsTheFpduInASegmentThatDoesNotBeginWithOne)
{
    made.AddPattern(700, 9);
    EXPECT_TRUE(Arrive(made.starts[3] + 4, made.octets.size()));
    EXPECT_EQ(placed, std::vector<ByteVector>{made.ulpdus[4]});
    EXPECT_TRUE(Arrive(0, made.starts[3] + 4));
    EXPECT_EQ(delivered, Deliveries({0, 1, 2, 3, 4}, {4}));
}

TEST_F(UnwillingOwnerTest, WhatIsRefusedComesInOrder)
{
    EXPECT_TRUE(ArriveFpdu(1));
    EXPECT_TRUE(ArriveFpdu(0));
    EXPECT_EQ(placed.size(), 1U);
    EXPECT_EQ(delivered, Deliveries({0, 1}, {}));
    EXPECT_EQ(connection->GetCounters().rxFpdusPlacedAhead, 0U);
}

TEST_F(ClosingOwnerTest, OwnerLetsGoWithinThePlaceCallback)
{
    EXPECT_TRUE(Arrive(made.starts[1], made.octets.size()));
    EXPECT_EQ(placed.size(), 1U);
    EXPECT_TRUE(stream->closed);
    EXPECT_TRUE(ArriveFpdu(0));
    EXPECT_TRUE(delivered.empty());
}

TEST_F(SmallBufferTest, HoldsOneSegmentAtLeast)
{
    const uint64_t begin = made.starts[1] + 4;
    EXPECT_TRUE(Arrive(begin, begin + 160));
    EXPECT_FALSE(Arrive(begin + 160, begin + 168));
    EXPECT_EQ(connection->GetCounters().refusedSegments, 1U);
    EXPECT_EQ(connection->GetCounters().peakReassemblyOctets, 160U);
    EXPECT_TRUE(Arrive(0, begin));
    EXPECT_TRUE(Arrive(begin + 160, made.octets.size()));
    EXPECT_EQ(delivered, Deliveries({0, 1, 2, 3}, {}));
}

TEST_F(CountingTest, WithoutPlacementAllThatTcpHoldsCounts)
{
    EXPECT_TRUE(ArriveFpdu(2));
    EXPECT_TRUE(Arrive(0, 20));
    EXPECT_TRUE(ArriveFpdu(1));
    EXPECT_TRUE(Arrive(20, made.starts[1]));
    EXPECT_TRUE(placed.empty());
    EXPECT_EQ(delivered, Deliveries({0, 1, 2}, {}));
    const auto one = static_cast<uint32_t>(made.EndOf(1) - made.starts[1]);
    const auto two = static_cast<uint32_t>(made.EndOf(2) - made.starts[2]);
    EXPECT_EQ(reassembly, (std::vector<uint32_t>{two, two + 20, one + two + 20, 0}));
    EXPECT_EQ(connection->GetCounters().peakReassemblyOctets, one + two + 20);
}

TEST_F(FullOperationTest, NothingIsPlacedAheadUnlessAskedFor)
{
    EXPECT_TRUE(ArriveFpdu(1));
    EXPECT_TRUE(ArriveFpdu(0));
    EXPECT_TRUE(placed.empty());
    EXPECT_EQ(delivered, Deliveries({0, 1}, {}));
}

} // namespace

} // namespace ns3::nfsrdma
