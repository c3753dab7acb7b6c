/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/full-operation-fixture.h"

namespace ns3::nfsrdma
{

namespace
{

/// RFC 5044 section 8: after error 2 or 3 nothing more is passed or delivered, MPA does not close,
/// and the other direction works on.
class ErrorAftermathTest : public FullOperationTest
{
  protected:
    void Configure() override
    {
        connection->GetSettings()->SetAttribute("OutOfOrderPlacement", BooleanValue(true));
        connection->GetSettings()->SetAttribute("PlaceByAlignment", BooleanValue(true));
    }

    void ExpectAftermath(MpaError error)
    {
        const auto deliveredBefore = delivered.size();
        const auto placedBefore = placed.size();
        EXPECT_EQ(errors, std::vector<MpaError>{error});
        EXPECT_FALSE(stream->closed);
        EXPECT_FALSE(stream->aborted);
        EXPECT_EQ(connection->GetState(), MpaConnection::State::OPERATIONAL);
        EXPECT_TRUE(Arrive(0, made.octets.size()));
        EXPECT_TRUE(ArriveFpdu(3));
        EXPECT_TRUE(stream->ArriveAt(first + made.octets.size() + 8, made.Cut(0, made.EndOf(0))));
        EXPECT_EQ(delivered.size(), deliveredBefore);
        EXPECT_EQ(placed.size(), placedBefore);
        EXPECT_EQ(errors.size(), 1U);
        EXPECT_TRUE(connection->CanSend());
        Send(22);
        EXPECT_EQ(stream->sent.size(), 1U);
        connection->Close();
        EXPECT_TRUE(stream->closed);
    }
};

class DroppingTest : public ErrorAftermathTest
{
  protected:
    void Configure() override
    {
        connection->GetSettings()->SetAttribute("DropBadSegments", BooleanValue(true));
    }
};

TEST_F(ErrorAftermathTest, CrcErrorInOrder)
{
    EXPECT_TRUE(ArriveFpdu(0));
    EXPECT_TRUE(ArriveDamaged(1));
    EXPECT_EQ(delivered, Deliveries({0}, {}));
    EXPECT_EQ(connection->GetCounters().crcErrors, 1U);
    EXPECT_EQ(connection->GetCounters().markerErrors, 0U);
    ExpectAftermath(MpaError::CRC_MISMATCH);
}

TEST_F(ErrorAftermathTest, CrcErrorOutOfOrderIsReportedInOrder)
{
    EXPECT_TRUE(ArriveDamaged(1));
    EXPECT_TRUE(ArriveFpdu(2));
    EXPECT_TRUE(errors.empty());
    EXPECT_TRUE(ArriveFpdu(0));
    EXPECT_EQ(placed, std::vector<ByteVector>{made.ulpdus[2]});
    EXPECT_EQ(delivered, Deliveries({0}, {}));
    ExpectAftermath(MpaError::CRC_MISMATCH);
}

TEST_F(ErrorAftermathTest, AnFpduStartThatLengthsDisprove)
{
    MadeStream inner(FpduFraming{true, false});
    inner.AddPattern(40, 7);
    ByteVector ulpdu(20);
    ulpdu.insert(ulpdu.end(), inner.octets.begin(), inner.octets.end());
    const uint64_t image = made.octets.size() + Fpdu::LENGTH_SIZE + 20;
    made.Add(ulpdu);
    EXPECT_TRUE(Arrive(image, made.octets.size()));
    EXPECT_EQ(placed, inner.ulpdus);
    EXPECT_TRUE(Arrive(0, image));
    EXPECT_EQ(delivered, Deliveries({0, 1, 2, 3}, {}));
    EXPECT_EQ(connection->GetCounters().markerErrors, 1U);
    ExpectAftermath(MpaError::MARKER_MISMATCH);
}

TEST_F(DroppingTest, TcpRepeatsABadSegmentAndNoErrorComesOfIt)
{
    EXPECT_TRUE(ArriveFpdu(0));
    EXPECT_FALSE(ArriveDamaged(1));
    EXPECT_TRUE(ArriveFpdu(2));
    EXPECT_TRUE(ArriveFpdu(1));
    EXPECT_TRUE(errors.empty());
    EXPECT_TRUE(placed.empty());
    EXPECT_EQ(delivered, Deliveries({0, 1, 2}, {}));
    EXPECT_EQ(connection->GetCounters().droppedSegments, 1U);
    EXPECT_EQ(connection->GetCounters().crcErrors, 0U);
}

TEST_F(DroppingTest, ABadFpduThatIsCutInTwoIsAnError)
{
    const ByteSpan cut = made.Cut(0, made.EndOf(0));
    ByteVector octets(cut.begin(), cut.end());
    octets[10] ^= 1;
    EXPECT_TRUE(stream->ArriveAt(first, ByteSpan(octets).first(30)));
    EXPECT_TRUE(stream->ArriveAt(first + 30, ByteSpan(octets).subspan(30)));
    ExpectAftermath(MpaError::CRC_MISMATCH);
}

} // namespace

} // namespace ns3::nfsrdma
