/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/mpa-startup-fixture.h"

#include <array>

namespace ns3::nfsrdma
{
namespace
{

using State = MpaConnection::State;

/// The ten rules of RFC 5044 section 7.1.2.
class StartupRulesTest : public MpaStartupTest
{
};

/// The same, with a consumer that takes its time.
class UndecidedStartupRulesTest : public MpaStartupTest
{
  protected:
    void OnRequest(const MpaStartupParameters& peer) override
    {
        request = peer;
    }
};

std::string
Hex(uint16_t value)
{
    constexpr const char* DIGITS = "0123456789abcdef";
    std::string text;
    for (const int shift : {12, 8, 4, 0})
    {
        text += DIGITS[(value >> shift) & 15];
    }
    return text;
}

TEST_F(StartupRulesTest, Rule1InitiatorSendsTheRequestFirst)
{
    local.privateData = {1, 2, 3};
    StartInitiator();
    ASSERT_EQ(stream->sent.size(), 1U);
    EXPECT_EQ(stream->sent[0], FromHex(REQUEST_KEY + "1002000700000000010203"));
    EXPECT_FALSE(connection->CanSend());
}

TEST_F(UndecidedStartupRulesTest, Rule2ResponderSendsNothingBeforeARequest)
{
    StartResponder();
    EXPECT_TRUE(stream->sent.empty());
    EXPECT_FALSE(connection->CanSend());
    stream->Arrive(FromHex(REQUEST_KEY + "00010000"));
    EXPECT_TRUE(stream->sent.empty());
    connection->Accept(local);
    EXPECT_EQ(stream->sent.size(), 1U);
    stream->Arrive(Fpdu::Encode(FromHex("01020304"), false));
    EXPECT_EQ(ulpdus.size(), 1U) << "ready for FPDUs at once";
}

TEST_F(StartupRulesTest, Rule2BadRequestClosesWithoutReply)
{
    StartResponder();
    stream->Arrive(FromHex("4d504120494420526571205872616d65" + std::string("00010000")));
    EXPECT_TRUE(stream->sent.empty());
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(UndecidedStartupRulesTest, Rule2RejectionLeavesTheStreamOpen)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "00010001aa"));
    connection->Reject(FromHex("beef"));
    EXPECT_EQ(stream->sent.at(0), FromHex(REPLY_KEY + "20010002beef"));
    ASSERT_EQ(connection->GetState(), State::REJECTED);
    stream->Arrive(FromHex("0102"));
    const auto released = connection->ReleaseStream();
    EXPECT_EQ(connection->GetState(), State::CLOSED);
    EXPECT_FALSE(stream->closed);
    EXPECT_EQ(released.stream, stream);
    EXPECT_TRUE(released.unread.empty());
    EXPECT_EQ(released.stream->Receive()->GetSize(), 2U) << "of streaming mode, not touched";
    connection->Close();
    EXPECT_FALSE(stream->closed) << "the stream is no longer the connection's";
}

TEST_F(StartupRulesTest, Rule3RejectingReplyLeavesTheStreamOpen)
{
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "30020006000000000102" + "aabbcc"));
    ASSERT_TRUE(rejection.has_value());
    EXPECT_EQ(*rejection, FromHex("0102"));
    ASSERT_EQ(connection->GetState(), State::REJECTED);
    EXPECT_FALSE(connection->CanSend());
    const auto released = connection->ReleaseStream();
    EXPECT_EQ(released.unread, FromHex("aabbcc")) << "behind the Reply: streaming mode";
    EXPECT_FALSE(stream->closed);
    EXPECT_TRUE(ulpdus.empty());
}

TEST_F(StartupRulesTest, Rule3BadReplyCloses)
{
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "10020003000000"));
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(StartupRulesTest, Rule3InitiatorSendsNoFpduBeforeTheReply)
{
    StartInitiator();
    EXPECT_FALSE(connection->CanSend());
    stream->Arrive(FromHex(REPLY_KEY + "00010000"));
    EXPECT_TRUE(connection->CanSend());
}

TEST_F(StartupRulesTest, Rule4ResponderWaitsForAValidFpdu)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "c0010000"));
    ASSERT_EQ(connection->GetState(), State::OPERATIONAL);
    EXPECT_TRUE(connection->GetAgreement().sendMarkers);
    EXPECT_EQ(stream->sent.size(), 1U) << "no marker either";
    EXPECT_FALSE(connection->CanSend());
    ByteVector bad = Fpdu::Encode(FromHex("01020304"), true);
    bad.back() ^= 1;
    stream->Arrive(bad);
    EXPECT_EQ(error, MpaError::CRC_MISMATCH);
    EXPECT_FALSE(connection->CanSend()) << "not even to report it";
}

TEST_F(StartupRulesTest, Rule5KeyIsCheckedFromItsFirstOctet)
{
    StartResponder();
    stream->Arrive(FromHex("4d51"));
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(UndecidedStartupRulesTest, Rule6PrivateDataIsTheConsumersToJudge)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "10020006000100020102"));
    ASSERT_TRUE(request.has_value());
    EXPECT_EQ(request->privateData, FromHex("0102"));
    EXPECT_EQ(request->ird, 1);
    EXPECT_EQ(request->ord, 2);
    EXPECT_EQ(connection->GetState(), State::WAIT_DECISION);
}

TEST_F(StartupRulesTest, Rule6InitiatorsOwnerMayCloseForThePrivateData)
{
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "00010002dead"));
    ASSERT_TRUE(operational.has_value());
    EXPECT_EQ(operational->privateData, FromHex("dead"));
    EXPECT_FALSE(stream->closed) << "MPA itself does not judge them";
    connection->Close();
    EXPECT_TRUE(stream->closed);
    EXPECT_FALSE(connection->CanSend());
    EXPECT_FALSE(error.has_value());
    EXPECT_EQ(stream->sent.size(), 1U) << "nothing but the Request";
}

TEST_F(StartupRulesTest, Rule7FirstFpduBeginsWithAMarkerOrWithItsLength)
{
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "80010000"));
    ASSERT_TRUE(connection->CanSend());
    const ByteVector ulpdu = FromHex("0102030405");
    std::copy(ulpdu.begin(), ulpdu.end(), connection->BeginUlpdu(5).begin());
    connection->CommitUlpdu();
    EXPECT_EQ(stream->sent.at(1), FromHex("00000000 0005 0102030405 00 00000000"));
    stream->Arrive(FromHex("0002 0708 00000000"));
    ASSERT_EQ(ulpdus.size(), 1U) << "no markers in the other direction";
    EXPECT_EQ(ulpdus[0], FromHex("0708"));
}

TEST_F(StartupRulesTest, Rule8TwoInitiatorsFindEachOther)
{
    StartInitiator();
    stream->Arrive(stream->sent.at(0));
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(StartupRulesTest, Rule8TwoRespondersTimeOut)
{
    StartResponder();
    Simulator::Run();
    EXPECT_EQ(Simulator::Now(), Seconds(5));
    EXPECT_TRUE(stream->sent.empty());
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

class PrivateDataLengthTest : public StartupRulesTest,
                              public ::testing::WithParamInterface<uint16_t>
{
};

TEST_P(PrivateDataLengthTest, Rule9IsTakenUpToTheLimit)
{
    const ByteVector data(GetParam(), 0x5a);
    StartResponder();
    stream->Arrive(Concatenate(FromHex(REQUEST_KEY + "0001" + Hex(GetParam())), data));
    ASSERT_TRUE(request.has_value());
    EXPECT_EQ(request->privateData, data);
}

TEST_P(PrivateDataLengthTest, Rule9IsSentUpToTheLimit)
{
    connection->GetSettings()->SetAttribute("Revision", UintegerValue(1));
    local.privateData = ByteVector(GetParam(), 0x5a);
    StartInitiator();
    EXPECT_EQ(stream->sent.at(0).size(), 20U + GetParam());
    stream->Arrive(Concatenate(FromHex(REPLY_KEY + "0001" + Hex(GetParam())), local.privateData));
    ASSERT_TRUE(operational.has_value());
    EXPECT_EQ(operational->privateData, local.privateData);
}

INSTANTIATE_TEST_SUITE_P(Octets,
                         PrivateDataLengthTest,
                         ::testing::Values(0, 1, 3, 4, 5, 508, 509, 511, 512));

class EnhancedPrivateDataTest : public StartupRulesTest,
                                public ::testing::WithParamInterface<uint16_t>
{
};

TEST_P(EnhancedPrivateDataTest, Rule9IsTakenUpToTheLimit)
{
    local.privateData = ByteVector(GetParam(), 0x5a);
    StartResponder();
    stream->Arrive(Concatenate(
        FromHex(REQUEST_KEY + "1002" + Hex(static_cast<uint16_t>(GetParam() + 4)) + "00000000"),
        local.privateData));
    ASSERT_TRUE(request.has_value());
    EXPECT_EQ(request->privateData, local.privateData);
    EXPECT_EQ(stream->sent.at(0).size(), 24U + GetParam());
}

INSTANTIATE_TEST_SUITE_P(Octets, EnhancedPrivateDataTest, ::testing::Values(0, 1, 507, 508));

class BadLengthTest : public StartupRulesTest, public ::testing::WithParamInterface<std::string>
{
};

TEST_P(BadLengthTest, Rule9IsABadRequest)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + GetParam()));
    EXPECT_TRUE(stream->sent.empty());
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

INSTANTIATE_TEST_SUITE_P(All,
                         BadLengthTest,
                         ::testing::Values("00010201",         // 513 octets announced
                                           "0001ffff",         //
                                           "000100020102ff",   // more than announced
                                           "0001000000",       //
                                           "10020000",         // S, and no block
                                           "10020003000000")); // S, and part of it

TEST_F(StartupRulesTest, Rule9LessThanAnnouncedIsWaitedFor)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "0001000201"));
    EXPECT_EQ(connection->GetState(), State::WAIT_REQUEST);
    Simulator::Run();
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(StartupRulesTest, Rule10OctetsThatDripInDoNotExtendTheTime)
{
    StartResponder();
    const ByteVector frame = FromHex(REQUEST_KEY + "00010000");
    for (std::size_t i = 0; i < frame.size(); ++i)
    {
        Simulator::Schedule(Seconds(1) * static_cast<int64_t>(i),
                            [this, &frame, i] { stream->Arrive(ByteSpan(frame).subspan(i, 1)); });
    }
    Simulator::Stop(MilliSeconds(5001));
    Simulator::Run();
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(StartupRulesTest, Rule10TimeIsAnAttribute)
{
    connection->GetSettings()->SetAttribute("ReplyTimeout", TimeValue(Seconds(60)));
    StartInitiator();
    Simulator::Run();
    EXPECT_EQ(Simulator::Now(), Seconds(60));
    ExpectClosedWith(MpaError::INVALID_STARTUP);
}

TEST_F(StartupRulesTest, Revision0ReplyClosesInOrder)
{
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "c0000000"));
    ExpectClosedWith(MpaError::INVALID_STARTUP);
    EXPECT_FALSE(stream->aborted);
}

TEST_F(StartupRulesTest, PermissiveResponderTellsItsOwnerTheHeaderVersion)
{
    connection->GetSettings()->SetAttribute("Conformance", StringValue("permissive"));
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "c0000001aa"));
    EXPECT_EQ(stream->sent.at(0), FromHex(REPLY_KEY + "c0000000"));
    EXPECT_EQ(connection->GetAgreement().headerVersion, 0);
    EXPECT_TRUE(connection->IsCrcEnabled());
}

TEST_F(StartupRulesTest, ReservedBitsAreIgnored)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "3f010000"));
    EXPECT_EQ(stream->sent.at(0), FromHex(REPLY_KEY + "00010000"))
        << "S is a reserved bit in revision 1, R means nothing in a Request";
    EXPECT_TRUE(operational.has_value());
}

class FailureTraceTest : public StartupRulesTest
{
  protected:
    void SetUp() override
    {
        StartupRulesTest::SetUp();
        connection->TraceConnectWithoutContext("StartupFailed",
                                               MakeCallback(&FailureTraceTest::OnFailed, this));
    }

    void OnFailed(MpaError e)
    {
        failures.push_back(e);
    }

    std::vector<MpaError> failures;
};

TEST_F(FailureTraceTest, TellsTheReason)
{
    local = {2, 2, {}};
    connection->GetSettings()->SetAttribute("MaxIrd", UintegerValue(4));
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "1002000400080006"));
    EXPECT_EQ(failures, std::vector<MpaError>{MpaError::INSUFFICIENT_IRD});
    connection->Close();
}

TEST_F(FailureTraceTest, RejectionIsNoFailure)
{
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "20010000"));
    EXPECT_TRUE(rejection.has_value());
    EXPECT_TRUE(failures.empty());
}

TEST_F(FailureTraceTest, LossDuringStartup)
{
    StartInitiator();
    stream->End(StreamEnd::RESET);
    EXPECT_EQ(failures, std::vector<MpaError>{MpaError::LLP_LOST});
}

TEST_F(StartupRulesTest, PeerClosesAfterItsRejection)
{
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "20010000"));
    stream->End(StreamEnd::GRACEFUL);
    EXPECT_TRUE(closed);
    EXPECT_FALSE(error.has_value());
}

TEST_F(StartupRulesTest, NothingIsDeliveredWhenObstructed)
{
    connection->GetSettings()->SetAttribute("MaxIrd", UintegerValue(4));
    connection->GetSettings()->SetAttribute("Crc", BooleanValue(true));
    StartInitiator();
    stream->Arrive(Concatenate(FromHex(REPLY_KEY + "1002000400080006"),
                               Fpdu::Encode(FromHex("01020304"), true)));
    ExpectObstructedBy(MpaError::INSUFFICIENT_IRD);
    stream->Arrive(Fpdu::Encode(FromHex("01020304"), true));
    EXPECT_TRUE(ulpdus.empty());
    const ByteVector ulpdu = FromHex("0102");
    std::copy(ulpdu.begin(), ulpdu.end(), connection->BeginUlpdu(2).begin());
    connection->CommitUlpdu();
    EXPECT_EQ(stream->sent.at(1), Fpdu::Encode(ulpdu, true)) << "framed as agreed";
}

/// What Linux siw answered to a script: `verbs-mpa-probes`.
struct Probe
{
    const char* name;
    const char* request; ///< Behind the key.
    const char* reply;   ///< Behind the key; empty where it closed without one.
    uint16_t depth;      ///< IRD and ORD of its consumer.
};

class SiwProbeTest : public StartupRulesTest, public ::testing::WithParamInterface<Probe>
{
};

TEST_P(SiwProbeTest, IsAnsweredAsLinuxDoes)
{
    connection->GetSettings()->SetAttribute("MarkerSupport", BooleanValue(false));
    connection->GetSettings()->SetAttribute("ResponderCrc", BooleanValue(false));
    connection->GetSettings()->SetAttribute("MaxIrd", UintegerValue(128));
    local = {GetParam().depth, GetParam().depth, {}};
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + GetParam().request));
    const std::string reply = GetParam().reply;
    if (reply.empty())
    {
        EXPECT_TRUE(stream->sent.empty());
        ExpectClosedWith(MpaError::INVALID_STARTUP);
        return;
    }
    EXPECT_EQ(stream->sent.at(0), FromHex(REPLY_KEY + reply));
    const bool rejected = reply[0] == '3' || reply[0] == '7';
    EXPECT_EQ(connection->GetState(), rejected ? State::CLOSED : State::OPERATIONAL);
    EXPECT_EQ(stream->closed, rejected);
}

INSTANTIATE_TEST_SUITE_P(
    Golden,
    SiwProbeTest,
    ::testing::Values(Probe{"Markers", "9002000400010001", "3002000400000000", 1},
                      Probe{"MarkersAndCrc", "d002000400010001", "7002000400000000", 1},
                      Probe{"Revision3", "00030000", "", 1},
                      Probe{"Revision1", "00010000", "00010000", 1},
                      Probe{"Revision1Crc", "40010000", "40010000", 1},
                      Probe{"Revision2Plain", "00020000", "00020000", 1},
                      Probe{"NoDepths", "100200043fff3fff", "1002000400800080", 128},
                      Probe{"PeerToPeer", "1002000480018001", "1002000480018001", 1},
                      Probe{"Enhanced", "1002000400010001", "1002000400010001", 1},
                      Probe{"EnhancedCrc", "5002000400010001", "5002000400010001", 1}),
    [](const auto& each) { return std::string(each.param.name); });

} // namespace
} // namespace ns3::nfsrdma
