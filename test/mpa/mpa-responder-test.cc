/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/mpa-startup-fixture.h"

namespace ns3::nfsrdma
{
namespace
{

using State = MpaConnection::State;

class MpaResponderTest : public MpaStartupTest
{
};

class MpaUndecidedResponderTest : public MpaStartupTest
{
  protected:
    void OnRequest(const MpaStartupParameters& peer) override
    {
        request = peer;
    }
};

TEST_F(MpaResponderTest, AnswersRevision2AsLinuxNfsdDoes)
{
    local = {0, 128, FromHex("f6ab0e1801000303")};
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "1002000c00800000f6ab0e1801010303"));
    ASSERT_TRUE(request.has_value());
    EXPECT_EQ(request->ird, 128);
    EXPECT_EQ(request->ord, 0);
    EXPECT_EQ(request->privateData, FromHex("f6ab0e1801010303"));
    ASSERT_EQ(stream->sent.size(), 1U);
    EXPECT_EQ(stream->sent[0], FromHex(REPLY_KEY + "1002000c00000080f6ab0e1801000303"));
    ASSERT_TRUE(operational.has_value());
    EXPECT_EQ(operational->ird, 0);
    EXPECT_EQ(operational->ord, 128);
    EXPECT_FALSE(connection->IsCrcEnabled());
}

TEST_F(MpaResponderTest, LowersOrdAndRaisesIrd)
{
    local = {1, 64, {}};
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "1002000400100020"));
    ASSERT_TRUE(operational.has_value());
    EXPECT_EQ(operational->ord, 0x10);
    EXPECT_EQ(operational->ird, 0x20);
    EXPECT_EQ(stream->sent.at(0), FromHex(REPLY_KEY + "1002000400200010"));
}

TEST_F(MpaResponderTest, ReportsItsTrueIrdWhenItCannotHoldMore)
{
    connection->GetSettings()->SetAttribute("MaxIrd", UintegerValue(16));
    local = {1, 1, {}};
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "1002000400100080"));
    EXPECT_EQ(stream->sent.at(0), FromHex(REPLY_KEY + "1002000400100001"));
}

TEST_F(MpaResponderTest, AnswersRevision1WithRevision1)
{
    local = {3, 4, {7}};
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "000100020102"));
    EXPECT_EQ(request->ird, MpaEnhancedBlock::NO_NEGOTIATION);
    EXPECT_EQ(request->privateData, FromHex("0102"));
    EXPECT_EQ(stream->sent.at(0), FromHex(REPLY_KEY + "0001000107"));
    EXPECT_EQ(operational->ird, 3);
    EXPECT_EQ(operational->ord, 4);
}

TEST_F(MpaResponderTest, CrcWhenEitherSideAsks)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "40010000"));
    EXPECT_EQ(stream->sent.at(0), FromHex(REPLY_KEY + "40010000"));
    EXPECT_TRUE(connection->IsCrcEnabled());
}

TEST_F(MpaResponderTest, CrcWhenOnlyTheResponderAsks)
{
    connection->GetSettings()->SetAttribute("Crc", BooleanValue(true));
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "00010000"));
    EXPECT_EQ(stream->sent.at(0), FromHex(REPLY_KEY + "40010000"));
    EXPECT_TRUE(connection->IsCrcEnabled());
}

TEST_F(MpaResponderTest, MarkersAreRejectedAsSiwDoes)
{
    connection->GetSettings()->SetAttribute("MarkerSupport", BooleanValue(false));
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "9002000400010001"));
    EXPECT_EQ(stream->sent.at(0), FromHex(REPLY_KEY + "3002000400000000"));
    ExpectClosedWith(MpaError::INVALID_STARTUP);
    EXPECT_FALSE(request.has_value());
}

TEST_F(MpaResponderTest, Revision0IsAnsweredWithRevision1AndClosed)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "c0000000"));
    EXPECT_EQ(stream->sent.at(0), FromHex(REPLY_KEY + "60010000"));
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(MpaResponderTest, HigherRevisionIsClosedWithoutReply)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "00030000"));
    EXPECT_TRUE(stream->sent.empty());
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(MpaResponderTest, WrongKeyIsClosedWithoutReply)
{
    StartResponder();
    stream->Arrive(FromHex(REPLY_KEY + "00020000"));
    EXPECT_TRUE(stream->sent.empty());
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(MpaResponderTest, PrivateDataAbove512Octets)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "00020201"));
    EXPECT_TRUE(stream->sent.empty());
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(MpaResponderTest, EnhancedRequestWithoutItsBlock)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "10020002abcd"));
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(MpaResponderTest, SilenceEndsAfterFiveSeconds)
{
    StartResponder();
    Simulator::Stop(MilliSeconds(4999));
    Simulator::Run();
    EXPECT_FALSE(error.has_value());
    Simulator::Stop(MilliSeconds(2));
    Simulator::Run();
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(MpaResponderTest, RequestWithFollowingOctets)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "0002000000"));
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(MpaUndecidedResponderTest, OctetsBeforeTheReply)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "00020000"));
    EXPECT_EQ(connection->GetState(), State::WAIT_DECISION);
    stream->Arrive(FromHex("00"));
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(MpaUndecidedResponderTest, DecidingHasNoTimeLimit)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "00020000"));
    Simulator::Stop(Seconds(60));
    Simulator::Run();
    connection->Accept(local);
    EXPECT_EQ(connection->GetState(), State::OPERATIONAL);
}

TEST_F(MpaUndecidedResponderTest, RejectsWithPrivateData)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "1002000400010001"));
    connection->Reject(FromHex("beef"));
    EXPECT_EQ(stream->sent.at(0), FromHex(REPLY_KEY + "3002000600000000beef"));
    EXPECT_EQ(connection->GetState(), State::REJECTED);
    EXPECT_FALSE(stream->closed);
    connection->Close();
    EXPECT_TRUE(stream->closed);
    EXPECT_FALSE(error.has_value());
}

TEST_F(MpaUndecidedResponderTest, DecisionAfterTheStreamIsLost)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "00020000"));
    stream->End(StreamEnd::RESET);
    ExpectClosedWith(MpaError::LLP_LOST);
    connection->Accept(local);
    connection->Reject({});
    EXPECT_TRUE(stream->sent.empty());
}

TEST_F(MpaResponderTest, SendsNoFpduBeforeItHasReceivedOne)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "00020000"));
    ASSERT_EQ(connection->GetState(), State::OPERATIONAL);
    EXPECT_FALSE(connection->CanSend());
    stream->Arrive(Fpdu::Encode(FromHex("01020304"), false));
    EXPECT_TRUE(connection->CanSend());
    EXPECT_EQ(readyCalls, 1);
    EXPECT_EQ(ulpdus.size(), 1U);
}

TEST_F(MpaResponderTest, ReadyToReceiveWriteIsNotDelivered)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "500200048001c001"));
    EXPECT_EQ(stream->sent.at(0), FromHex(REPLY_KEY + "5002000480018000"));
    stream->Arrive(FromHex("000ec140000000010000000000000000ebd34c5f"));
    EXPECT_TRUE(ulpdus.empty());
    EXPECT_TRUE(connection->CanSend());
    EXPECT_EQ(readyCalls, 1);
    stream->Arrive(FromHex("000ec140000000010000000000000000ebd34c5f"));
    EXPECT_EQ(ulpdus.size(), 1U);
}

TEST_F(MpaResponderTest, PeerToPeerIsDeclinedWithoutAnyKind)
{
    connection->GetSettings()->SetAttribute("ReadyToReceive", StringValue(""));
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "1002000480014001"));
    EXPECT_EQ(stream->sent.at(0), FromHex(REPLY_KEY + "1002000400010000"));
}

} // namespace
} // namespace ns3::nfsrdma
