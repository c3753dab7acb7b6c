/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/mpa-startup-fixture.h"

namespace ns3::nfsrdma
{
namespace
{

using State = MpaConnection::State;

class MpaInitiatorTest : public MpaStartupTest
{
};

const std::string PRIVATE = "f6ab0e1801010303";

TEST_F(MpaInitiatorTest, SendsNothingBeforeTheStreamIsEstablished)
{
    connection->StartInitiator(stream, local);
    EXPECT_TRUE(stream->sent.empty());
    EXPECT_EQ(connection->GetState(), State::WAIT_REPLY);
}

TEST_F(MpaInitiatorTest, RequestAndReplyOfRevision2AreByteExact)
{
    connection->GetSettings()->SetAttribute("Crc", BooleanValue(true));
    local = {0, 128, FromHex(PRIVATE)};
    StartInitiator();
    ASSERT_EQ(stream->sent.size(), 1U);
    EXPECT_EQ(stream->sent[0], FromHex(REQUEST_KEY + "5002000c00000080" + PRIVATE));

    stream->Arrive(FromHex(REPLY_KEY + "5002000c00800000f6ab0e1801000303"));
    ASSERT_TRUE(operational.has_value());
    EXPECT_EQ(operational->ird, 0);
    EXPECT_EQ(operational->ord, 128);
    EXPECT_EQ(operational->privateData, FromHex("f6ab0e1801000303"));
    EXPECT_TRUE(connection->IsCrcEnabled());
    EXPECT_TRUE(connection->CanSend());
    EXPECT_EQ(connection->GetMulpdu(), 1442U);
}

TEST_F(MpaInitiatorTest, CrcsAreAskedForUnlessToldOtherwise)
{
    connection = CreateObject<MpaConnection>();
    BooleanValue crc;
    connection->GetSettings()->GetAttribute("Crc", crc);
    EXPECT_TRUE(crc.Get()) << "RFC 5044 section 4.4 (2a)";
    StartInitiator();
    EXPECT_EQ(stream->sent.at(0), FromHex(REQUEST_KEY + "5002000400000000"));
}

TEST_F(MpaInitiatorTest, Revision1HasNoEnhancedBlock)
{
    connection->GetSettings()->SetAttribute("Revision", UintegerValue(1));
    local = {4, 5, {1, 2, 3}};
    StartInitiator();
    EXPECT_EQ(stream->sent.at(0), FromHex(REQUEST_KEY + "00010003010203"));
    stream->Arrive(FromHex(REPLY_KEY + "0001000109"));
    ASSERT_TRUE(operational.has_value());
    EXPECT_EQ(operational->ird, 4);
    EXPECT_EQ(operational->ord, 5);
    EXPECT_EQ(operational->privateData, ByteVector{9});
    EXPECT_FALSE(connection->IsCrcEnabled());
}

TEST_F(MpaInitiatorTest, Revision1ReplyToRevision2RequestIsAccepted)
{
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "00010000"));
    EXPECT_TRUE(operational.has_value());
}

TEST_F(MpaInitiatorTest, ResponderAloneTurnsCrcOn)
{
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "5002000400000000"));
    ASSERT_TRUE(operational.has_value());
    EXPECT_TRUE(connection->IsCrcEnabled());
}

TEST_F(MpaInitiatorTest, InitiatorAloneTurnsCrcOn)
{
    connection->GetSettings()->SetAttribute("Crc", BooleanValue(true));
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "1002000400000000"));
    EXPECT_TRUE(connection->IsCrcEnabled());
}

TEST_F(MpaInitiatorTest, LowersOrdAndRaisesIrd)
{
    local = {2, 16, {}};
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "1002000400080006"));
    ASSERT_TRUE(operational.has_value());
    EXPECT_EQ(operational->ord, 8);
    EXPECT_EQ(operational->ird, 6);
}

TEST_F(MpaInitiatorTest, LeavesDepthsAloneWithoutNegotiation)
{
    local = {2, 16, {}};
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "100200043fff3fff"));
    ASSERT_TRUE(operational.has_value());
    EXPECT_EQ(operational->ord, 16);
    EXPECT_EQ(operational->ird, 2);
}

TEST_F(MpaInitiatorTest, PeerWantsMoreReadsThanTheDeviceHolds)
{
    connection->GetSettings()->SetAttribute("MaxIrd", UintegerValue(4));
    local = {2, 16, {}};
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "1002000400080006"));
    ExpectObstructedBy(MpaError::INSUFFICIENT_IRD);
}

TEST_F(MpaInitiatorTest, RejectionCarriesPrivateData)
{
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "3002000600000000abcd"));
    ASSERT_TRUE(rejection.has_value());
    EXPECT_EQ(*rejection, FromHex("abcd"));
    EXPECT_FALSE(operational.has_value());
    EXPECT_FALSE(error.has_value());
    EXPECT_FALSE(stream->closed);
    EXPECT_EQ(connection->GetState(), State::REJECTED);
    connection->Close();
    EXPECT_TRUE(stream->closed);
}

TEST_F(MpaInitiatorTest, AnotherInitiatorIsFoundByItsKey)
{
    StartInitiator();
    stream->Arrive(FromHex(REQUEST_KEY + "00020000"));
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(MpaInitiatorTest, PrivateDataAbove512Octets)
{
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "00020201"));
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(MpaInitiatorTest, ReplyOfHigherRevision)
{
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "00030000"));
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(MpaInitiatorTest, ReplyOfRevision0)
{
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "c0000000"));
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(MpaInitiatorTest, ReplyThatWantsMarkersOfSiw)
{
    connection->GetSettings()->SetAttribute("MarkerSupport", BooleanValue(false));
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "80020000"));
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(MpaInitiatorTest, EnhancedReplyWithoutItsBlock)
{
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "10020002abcd"));
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(MpaInitiatorTest, SilenceEndsAfterTenSeconds)
{
    StartInitiator();
    Simulator::Stop(MilliSeconds(9999));
    Simulator::Run();
    EXPECT_FALSE(error.has_value());
    Simulator::Stop(MilliSeconds(2));
    Simulator::Run();
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(MpaInitiatorTest, ReplyArrivesOctetByOctet)
{
    StartInitiator();
    const ByteVector reply = FromHex(REPLY_KEY + "5002000600080006abcd");
    for (std::size_t i = 0; i < reply.size(); ++i)
    {
        EXPECT_FALSE(operational.has_value());
        stream->Arrive(ByteSpan(reply).subspan(i, 1));
    }
    ASSERT_TRUE(operational.has_value());
    EXPECT_EQ(operational->privateData, FromHex("abcd"));
}

TEST_F(MpaInitiatorTest, ReplyCoalescedWithTheBeginningOfAnFpdu)
{
    StartInitiator();
    const ByteVector fpdu = Fpdu::Encode(FromHex("0102030405"), false);
    const ByteVector head(fpdu.begin(), fpdu.begin() + 3);
    const ByteVector tail(fpdu.begin() + 3, fpdu.end());
    stream->Arrive(Concatenate(FromHex(REPLY_KEY + "00020000"), head));
    ASSERT_TRUE(operational.has_value());
    EXPECT_TRUE(ulpdus.empty());
    stream->Arrive(tail);
    ASSERT_EQ(ulpdus.size(), 1U);
    EXPECT_EQ(ulpdus[0], FromHex("0102030405"));
}

TEST_F(MpaInitiatorTest, StreamLostDuringStartup)
{
    StartInitiator();
    stream->End(StreamEnd::GRACEFUL);
    ExpectClosedWith(MpaError::LLP_LOST);
}

TEST_F(MpaInitiatorTest, PeerToPeerSendsReadyToReceiveFirst)
{
    connection->GetSettings()->SetAttribute("PeerToPeer", BooleanValue(true));
    connection->GetSettings()->SetAttribute("Crc", BooleanValue(true));
    local = {1, 1, {}};
    StartInitiator();
    EXPECT_EQ(stream->sent.at(0), FromHex(REQUEST_KEY + "500200048001c001"));
    stream->Arrive(FromHex(REPLY_KEY + "5002000480018001"));
    ASSERT_EQ(stream->sent.size(), 2U);
    EXPECT_EQ(stream->sent[1], FromHex("000ec140000000010000000000000000ebd34c5f"));
}

TEST_F(MpaInitiatorTest, PeerToPeerWithoutACommonReadyToReceive)
{
    connection->GetSettings()->SetAttribute("PeerToPeer", BooleanValue(true));
    connection->GetSettings()->SetAttribute("ReadyToReceive", StringValue("Write"));
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "1002000480014001"));
    ExpectObstructedBy(MpaError::NO_MATCHING_RTR);
}

TEST_F(MpaInitiatorTest, PeerDeclinesPeerToPeer)
{
    connection->GetSettings()->SetAttribute("PeerToPeer", BooleanValue(true));
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "1002000400000000"));
    EXPECT_TRUE(operational.has_value());
    EXPECT_EQ(stream->sent.size(), 1U);
}

TEST_F(MpaInitiatorTest, EmssIsRoundedAsSiwDoes)
{
    connection->GetSettings()->SetAttribute("EmssMultiple", UintegerValue(8));
    stream->emss = 8948;
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "00020000"));
    EXPECT_EQ(connection->GetMulpdu(), 8938U);
}

} // namespace
} // namespace ns3::nfsrdma
