/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/mpa-startup-fixture.h"
#include "mpa/ready-to-receive.h"

namespace ns3::nfsrdma
{
namespace
{

struct ReadyKind
{
    ReadyToReceive kind;
    const char* name;
    const char* fpdu; ///< With CRC.
    const char* ordWord;
    const char* irdWord;
    bool delivered; ///< By the responder's MPA.
};

const ReadyKind READY_KINDS[] = {
    {ReadyToReceive::SEND,
     "Send",
     "0012 4143 00000000 00000000 00000001 00000000 587be8c4",
     "0001",
     "c001",
     false},
    {ReadyToReceive::WRITE,
     "Write",
     "000e c140 00000001 0000000000000000 ebd34c5f",
     "8001",
     "8001",
     false},
    {ReadyToReceive::READ,
     "Read",
     "002e 4141 00000000 00000001 00000001 00000000 00000001 0000000000000000 00000000 00000001 "
     "0000000000000000 27dbd7e7",
     "4001",
     "8001",
     true}};

class ReadyToReceiveTest : public MpaStartupTest, public ::testing::WithParamInterface<ReadyKind>
{
  protected:
    void SetUp() override
    {
        MpaStartupTest::SetUp();
        connection->GetSettings()->SetAttribute("PeerToPeer", BooleanValue(true));
        connection->GetSettings()->SetAttribute("ReadyToReceive", StringValue(GetParam().name));
        connection->GetSettings()->SetAttribute("MaxIrd", UintegerValue(16));
        local = {1, 1, {}};
    }

    static std::string Block()
    {
        return std::string(GetParam().irdWord) + GetParam().ordWord;
    }
};

TEST_P(ReadyToReceiveTest, IsTheInitiatorsFirstFpdu)
{
    connection->GetSettings()->SetAttribute("Crc", BooleanValue(true));
    StartInitiator();
    EXPECT_EQ(stream->sent.at(0), FromHex(REQUEST_KEY + "50020004" + Block()));
    stream->Arrive(FromHex(REPLY_KEY + "50020004" + Block()));
    ASSERT_TRUE(operational.has_value());
    ASSERT_EQ(stream->sent.size(), 2U);
    EXPECT_EQ(stream->sent[1], FromHex(GetParam().fpdu));
    EXPECT_EQ(connection->GetAgreement().rtr, GetParam().kind);
    EXPECT_TRUE(connection->GetAgreement().peerToPeer);
}

TEST_P(ReadyToReceiveTest, LetsTheResponderSpeak)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "50020004" + Block()));
    EXPECT_EQ(stream->sent.at(0), FromHex(REPLY_KEY + "50020004" + Block()));
    EXPECT_EQ(connection->GetAgreement().rtr, GetParam().kind);
    EXPECT_FALSE(connection->CanSend());
    stream->Arrive(FromHex(GetParam().fpdu));
    EXPECT_TRUE(connection->CanSend());
    EXPECT_EQ(readyCalls, 1);
    EXPECT_EQ(ulpdus.size(), GetParam().delivered ? 1U : 0U);
    stream->Arrive(FromHex(GetParam().fpdu));
    EXPECT_EQ(ulpdus.size(), GetParam().delivered ? 2U : 1U) << "only the first one is special";
}

TEST_P(ReadyToReceiveTest, AnotherFirstFpduIsDelivered)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "10020004" + Block()));
    stream->Arrive(Fpdu::Encode(FromHex("41430000000000000000000000020000000a"), false));
    EXPECT_EQ(ulpdus.size(), 1U);
    EXPECT_TRUE(connection->CanSend());
}

TEST_P(ReadyToReceiveTest, WaitsForRoomInTheStream)
{
    stream->room = 24;
    StartInitiator();
    ASSERT_EQ(stream->sent.size(), 1U);
    stream->Arrive(FromHex(REPLY_KEY + "10020004" + Block()));
    ASSERT_TRUE(operational.has_value());
    EXPECT_EQ(stream->sent.size(), 1U);
    stream->MakeRoom(100000);
    EXPECT_EQ(stream->sent.size(), 2U);
    EXPECT_TRUE(connection->CanSend());
}

TEST_P(ReadyToReceiveTest, IsRecognisedWhateverItsStags)
{
    const ByteSpan own = GetReadyToReceiveUlpdu(GetParam().kind);
    EXPECT_TRUE(IsReadyToReceiveUlpdu(GetParam().kind, own));
    ByteVector other(own.begin(), own.end());
    if (GetParam().kind == ReadyToReceive::WRITE)
    {
        other[5] = 0x77;
    }
    else if (GetParam().kind == ReadyToReceive::READ)
    {
        other[21] = 0x77;
    }
    EXPECT_TRUE(IsReadyToReceiveUlpdu(GetParam().kind, other));
    other.push_back(0);
    EXPECT_FALSE(IsReadyToReceiveUlpdu(GetParam().kind, other));
    EXPECT_FALSE(IsReadyToReceiveUlpdu(ReadyToReceive::NONE, own));
    EXPECT_FALSE(IsReadyToReceiveUlpdu(GetParam().kind, {}));
}

INSTANTIATE_TEST_SUITE_P(Kinds,
                         ReadyToReceiveTest,
                         ::testing::ValuesIn(READY_KINDS),
                         [](const auto& each) { return std::string(each.param.name); });

class PeerToPeerTest : public MpaStartupTest
{
  protected:
    void SetUp() override
    {
        MpaStartupTest::SetUp();
        connection->GetSettings()->SetAttribute("PeerToPeer", BooleanValue(true));
    }
};

TEST_F(PeerToPeerTest, RequestAndReadyToReceiveAreThoseOfLinux)
{
    local = {128, 0, FromHex("f6ab0e1801010303")};
    StartInitiator();
    EXPECT_EQ(stream->sent.at(0), FromHex(REQUEST_KEY + "1002000c8080c001f6ab0e1801010303"));
    stream->Arrive(FromHex(REPLY_KEY + "1002000c80018080f6ab0e1801000303"));
    ASSERT_TRUE(operational.has_value());
    EXPECT_EQ(operational->ord, 1);
    EXPECT_EQ(operational->ird, 128);
    ASSERT_EQ(stream->sent.size(), 2U);
    EXPECT_EQ(stream->sent[1], FromHex("000ec14000000001000000000000000000000000"));
}

TEST_F(PeerToPeerTest, ReplyIsThatOfLinux)
{
    local = {0, 128, FromHex("f6ab0e1801000303")};
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "1002000c8080c001f6ab0e1801010303"));
    EXPECT_EQ(stream->sent.at(0), FromHex(REPLY_KEY + "1002000c80018080f6ab0e1801000303"));
}

TEST_F(PeerToPeerTest, ResponderPicksWhatItPrefers)
{
    connection->GetSettings()->SetAttribute("ReadyToReceive", StringValue("Read Send Write"));
    local = {1, 1, {}};
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "10020004c001c001"));
    EXPECT_EQ(stream->sent.at(0), FromHex(REPLY_KEY + "1002000480014001"));
}

TEST_F(PeerToPeerTest, ResponderWithoutIrdPicksNoRead)
{
    connection->GetSettings()->SetAttribute("ReadyToReceive", StringValue("Read Send Write"));
    connection->GetSettings()->SetAttribute("MaxIrd", UintegerValue(0));
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "10020004c001c001"));
    EXPECT_EQ(stream->sent.at(0), FromHex(REPLY_KEY + "10020004c0000000"));
}

TEST_F(PeerToPeerTest, ResponderThatCanDoWithNoneNamesItsOwn)
{
    StartResponder();
    stream->Arrive(FromHex(REQUEST_KEY + "10020004c0010001"));
    EXPECT_EQ(stream->sent.at(0), FromHex(REPLY_KEY + "1002000480018000"));
}

TEST_F(PeerToPeerTest, InitiatorPicksAmongSeveral)
{
    connection->GetSettings()->SetAttribute("ReadyToReceive", StringValue("Read Write"));
    local = {1, 1, {}};
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "10020004c001c001"));
    EXPECT_EQ(connection->GetAgreement().rtr, ReadyToReceive::READ);
}

TEST_F(PeerToPeerTest, ReadNeedsIrdOfThePeer)
{
    connection->GetSettings()->SetAttribute("ReadyToReceive", StringValue("Read"));
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "1002000480004000"));
    ExpectObstructedBy(MpaError::INSUFFICIENT_IRD);
}

TEST_F(PeerToPeerTest, NothingIsOfferedInRevision1)
{
    connection->GetSettings()->SetAttribute("Revision", UintegerValue(1));
    StartInitiator();
    EXPECT_EQ(stream->sent.at(0), FromHex(REQUEST_KEY + "00010000"));
}

TEST_F(PeerToPeerTest, Revision1ReplyIsTheClientServerModel)
{
    StartInitiator();
    stream->Arrive(FromHex(REPLY_KEY + "00010000"));
    EXPECT_TRUE(operational.has_value());
    EXPECT_EQ(stream->sent.size(), 1U);
}

TEST(ReadyToReceiveKindsTest, AreAList)
{
    EXPECT_EQ(ParseReadyToReceiveKinds("Write Read"),
              (ReadyToReceiveKinds{ReadyToReceive::WRITE, ReadyToReceive::READ}));
    EXPECT_EQ(ParseReadyToReceiveKinds(""), ReadyToReceiveKinds{});
    EXPECT_EQ(ParseReadyToReceiveKinds("Write Write"), std::nullopt);
    EXPECT_EQ(ParseReadyToReceiveKinds("write"), std::nullopt);
    EXPECT_EQ(ToString(*ParseReadyToReceiveKinds("Read Send")), "Read Send");
}

} // namespace
} // namespace ns3::nfsrdma
