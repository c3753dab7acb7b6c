/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/fpdu-receiver.h"
#include "mpa/mpa-startup-fixture.h"
#include "wire/spare-octets.h"

#include "ns3/packet.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace ns3::nfsrdma
{
namespace
{

ByteVector
Pattern(std::size_t length, uint8_t first)
{
    ByteVector octets(length);
    std::iota(octets.begin(), octets.end(), first);
    return octets;
}

/// An initiator in full operation, with CRCs.
class FpduStreamTest : public MpaStartupTest
{
  protected:
    void SetUp() override
    {
        MpaStartupTest::SetUp();
        connection->GetSettings()->SetAttribute("Crc", BooleanValue(true));
        StartInitiator();
        stream->Arrive(FromHex(REPLY_KEY + "40020000"));
        stream->sent.clear();
    }

    void Send(const ByteVector& ulpdu)
    {
        const auto lent = connection->BeginUlpdu(static_cast<uint32_t>(ulpdu.size()));
        std::copy(ulpdu.begin(), ulpdu.end(), lent.begin());
        connection->CommitUlpdu();
    }
};

class DroppingOwnerTest : public FpduStreamTest
{
  protected:
    void OnUlpdu(ByteSpan ulpdu) override
    {
        FpduStreamTest::OnUlpdu(ulpdu);
        connection->Close();
        connection = nullptr;
    }
};

TEST_F(FpduStreamTest, OneUnitForEachUlpdu)
{
    for (const std::size_t length : {1U, 2U, 3U, 4U, 5U, 1441U, 1442U})
    {
        const ByteVector ulpdu = Pattern(length, 3);
        Send(ulpdu);
        EXPECT_EQ(stream->sent.back(), Fpdu::Encode(ulpdu, true));
    }
    EXPECT_EQ(connection->GetCounters().txFpdus, 7U);
}

TEST_F(FpduStreamTest, ShorterUlpduAfterLongerHasZeroPad)
{
    Send(ByteVector(64, 0xff));
    Send({0xaa});
    EXPECT_EQ(stream->sent.back(), Fpdu::Encode(ByteVector{0xaa}, true));
}

TEST_F(FpduStreamTest, EveryCutOfTwoFpdus)
{
    const ByteVector both =
        Concatenate(Fpdu::Encode(Pattern(7, 1), true), Fpdu::Encode(Pattern(20, 9), true));
    for (std::size_t a = 1; a < both.size(); ++a)
    {
        for (std::size_t b = a + 1; b < both.size(); ++b)
        {
            ulpdus.clear();
            stream->Arrive(ByteSpan(both).first(a));
            stream->Arrive(ByteSpan(both).subspan(a, b - a));
            stream->Arrive(ByteSpan(both).subspan(b));
            ASSERT_EQ(ulpdus, (std::vector<ByteVector>{Pattern(7, 1), Pattern(20, 9)}));
        }
    }
}

TEST_F(FpduStreamTest, ManyFpdusInOneSegment)
{
    ByteVector octets;
    for (uint8_t i = 1; i < 100; ++i)
    {
        octets = Concatenate(octets, Fpdu::Encode(Pattern(i, i), true));
    }
    stream->Arrive(octets);
    ASSERT_EQ(ulpdus.size(), 99U);
    for (uint8_t i = 1; i < 100; ++i)
    {
        EXPECT_EQ(ulpdus[i - 1], Pattern(i, i));
    }
    EXPECT_EQ(connection->GetCounters().rxOctets, octets.size());
}

TEST_F(FpduStreamTest, LongestFpdu)
{
    const ByteVector ulpdu = Pattern(Fpdu::MAX_MULPDU, 0);
    const ByteVector fpdu = Fpdu::Encode(ulpdu, true);
    for (std::size_t i = 0; i < fpdu.size(); i += 1000)
    {
        stream->Arrive(ByteSpan(fpdu).subspan(i, std::min<std::size_t>(1000, fpdu.size() - i)));
    }
    ASSERT_EQ(ulpdus.size(), 1U);
    EXPECT_EQ(ulpdus[0], ulpdu);
}

TEST_F(FpduStreamTest, NothingIsDeliveredAfterACrcError)
{
    const ByteVector good = Fpdu::Encode(Pattern(8, 1), true);
    ByteVector bad = good;
    bad[5] ^= 1;
    stream->Arrive(Concatenate(good, Concatenate(bad, good)));
    stream->Arrive(good);
    EXPECT_EQ(ulpdus.size(), 1U);
    EXPECT_EQ(error, MpaError::CRC_MISMATCH);
    EXPECT_EQ(connection->GetCounters().crcErrors, 1U);
    EXPECT_FALSE(stream->closed);
    EXPECT_TRUE(connection->CanSend());
    Send(Pattern(22, 0));
    EXPECT_EQ(stream->sent.size(), 1U);
    connection->Close();
    EXPECT_TRUE(stream->closed);
}

TEST_F(FpduStreamTest, RoomIsWaitedFor)
{
    stream->room = Fpdu::WireSize(connection->GetMulpdu()) - 1;
    EXPECT_FALSE(connection->CanSend());
    stream->MakeRoom(1);
    EXPECT_EQ(readyCalls, 1);
    EXPECT_TRUE(connection->CanSend());
}

TEST_F(FpduStreamTest, PeerClosesInOrder)
{
    stream->End(StreamEnd::GRACEFUL);
    EXPECT_TRUE(closed);
    EXPECT_FALSE(error.has_value());
    EXPECT_TRUE(stream->closed);
    EXPECT_EQ(connection->GetState(), MpaConnection::State::CLOSED);
}

TEST_F(FpduStreamTest, PeerClosesWithinAnFpdu)
{
    stream->Arrive(FromHex("000801"));
    stream->End(StreamEnd::GRACEFUL);
    EXPECT_FALSE(closed);
    EXPECT_EQ(error, MpaError::LLP_LOST);
}

TEST_F(FpduStreamTest, Reset)
{
    stream->End(StreamEnd::RESET);
    EXPECT_EQ(error, MpaError::LLP_LOST);
    EXPECT_FALSE(connection->CanSend());
}

TEST_F(FpduStreamTest, AbortTellsTheOwnerNothing)
{
    connection->Abort();
    EXPECT_TRUE(stream->aborted);
    EXPECT_FALSE(error.has_value());
    EXPECT_FALSE(closed);
}

TEST_F(DroppingOwnerTest, OwnerLetsGoWithinTheCallback)
{
    const ByteVector good = Fpdu::Encode(Pattern(8, 1), true);
    stream->Arrive(Concatenate(good, good));
    EXPECT_EQ(ulpdus.size(), 1U);
    EXPECT_TRUE(stream->closed);
}

TEST(FpduReceiverTest, ABufferThatIsEmptyGrowsToWhatArrives)
{
    while (SpareOctets::Count() > 0)
    {
        std::ignore = SpareOctets::Take();
    }
    FpduReceiver receiver;
    receiver.StartFullOperation(FpduFraming());
    for (const uint32_t size : {40'000U, 50'000U})
    {
        receiver.Append(*Create<Packet>(size));
        receiver.Skip(size);
        EXPECT_EQ(SpareOctets::Count(), 0U);
        const auto taken = receiver.TakeFpdu();
        ASSERT_TRUE(taken && !taken->has_value());
        EXPECT_EQ(SpareOctets::Count(), 1U) << size << " octets are kept for others";
    }
    EXPECT_EQ(SpareOctets::Take().capacity(), 50'000U);
}

} // namespace
} // namespace ns3::nfsrdma
