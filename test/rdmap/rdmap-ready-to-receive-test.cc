/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/rdmap-stream-fixture.h"

namespace ns3::nfsrdma
{

namespace
{

const char* const READ_RTR = "4141 00000000 00000001 00000001 00000000"
                             "00000001 0000000000000000 00000000 00000001 0000000000000000";
const char* const READ_RTR_ANSWER = "c142 00000001 0000000000000000";

template <ReadyToReceive RTR, bool INITIATOR>
class ReadyToReceiveTest : public RdmapStreamFixture
{
  protected:
    ReadyToReceiveTest()
        : RdmapStreamFixture({IRD, RDMAP_VERSION, false, RTR, INITIATOR})
    {
    }
};

using SendInitiator = ReadyToReceiveTest<ReadyToReceive::SEND, true>;
using SendResponder = ReadyToReceiveTest<ReadyToReceive::SEND, false>;
using WriteInitiator = ReadyToReceiveTest<ReadyToReceive::WRITE, true>;
using WriteResponder = ReadyToReceiveTest<ReadyToReceive::WRITE, false>;
using ReadInitiator = ReadyToReceiveTest<ReadyToReceive::READ, true>;
using ReadResponder = ReadyToReceiveTest<ReadyToReceive::READ, false>;

TEST_F(SendInitiator, GoesOnWithMsn2AndExpects1)
{
    m_stream.StartSend(RdmapOpcode::SEND, 0, 0, nullptr);
    EXPECT_EQ(Emit(), HexBytes("4143 00000000 00000000 00000002 00000000"));
    m_stream.StartReadRequest({1, 0, 0, 1, 0});
    EXPECT_EQ(Emit(), HexBytes(READ_RTR)) << "queue 1 starts at 1";
    Receive("4143 00000000 00000000 00000001 00000000");
    EXPECT_EQ(m_consumer.sends.size(), 1U);
}

TEST_F(SendResponder, ExpectsMsn2AndStartsWith1)
{
    m_stream.StartSend(RdmapOpcode::SEND, 0, 0, nullptr);
    EXPECT_EQ(Emit(), HexBytes("4143 00000000 00000000 00000001 00000000"));
    Receive("4143 00000000 00000000 00000002 00000000");
    EXPECT_EQ(m_consumer.sends.size(), 1U);
    Receive("4143 00000000 00000000 00000001 00000000");
    EXPECT_TRUE(m_stream.IsFailed());
}

TEST_F(SendResponder, RefusesTheMsnUsedUp)
{
    Receive("4143 00000000 00000000 00000001 00000000");
    EXPECT_EQ(Emit(),
              HexBytes(std::string(TERMINATE_HEADER) +
                       "1203 c000 0012 4143 00000000 00000000 00000001 00000000"));
}

TEST_F(WriteInitiator, HasUsedUpNothing)
{
    m_stream.StartSend(RdmapOpcode::SEND, 0, 0, nullptr);
    EXPECT_EQ(Emit(), HexBytes("4143 00000000 00000000 00000001 00000000"));
    EXPECT_EQ(m_stream.GetOutstandingReads(), 0U);
}

TEST_F(WriteResponder, ExpectsMsn1)
{
    Receive("4143 00000000 00000000 00000001 00000000");
    EXPECT_EQ(m_consumer.sends.size(), 1U);
}

TEST_F(ReadInitiator, DropsTheAnswerSilently)
{
    EXPECT_EQ(m_stream.GetOutstandingReads(), 1U);
    Receive(READ_RTR_ANSWER);
    EXPECT_EQ(m_stream.GetOutstandingReads(), 0U);
    EXPECT_TRUE(m_consumer.events.empty());
    EXPECT_EQ(m_consumer.segments, 0U);
    EXPECT_EQ(m_consumer.emissionsReady, 1U) << "a Read may have waited for ORD";
    Receive(READ_RTR_ANSWER);
    EXPECT_TRUE(m_stream.IsFailed()) << "there is one answer only";
}

TEST_F(ReadInitiator, GoesOnWithMsn2OfQueue1)
{
    m_consumer.memory[0xa1] = ByteVector(4);
    m_stream.StartReadRequest({0xa1, 0, 4, 0xb1, 0});
    EXPECT_EQ(Emit(),
              HexBytes("4141 00000000 00000001 00000002 00000000"
                       "000000a1 0000000000000000 00000004 000000b1 0000000000000000"));
    EXPECT_EQ(m_stream.GetOutstandingReads(), 2U);
    EXPECT_TRUE(m_stream.PlaceUlpdu(HexBytes("c142 000000a1 0000000000000000 01020304")));
    Receive(READ_RTR_ANSWER);
    m_stream.ReceiveUlpdu(HexBytes("c142 000000a1 0000000000000000 01020304"), true);
    EXPECT_EQ(m_consumer.events, (std::vector<std::string>{"response 0+4", "read done"}));
}

TEST_F(ReadInitiator, TheAnswerMayNotHavePayload)
{
    Receive("c142 00000000 0000000000000000 01");
    EXPECT_EQ(
        Emit(),
        HexBytes(std::string(TERMINATE_HEADER) + "1101 c000 000f c142 00000000 0000000000000000"));
}

TEST_F(ReadResponder, AnswersAsAnyReadOfLengthZero)
{
    Receive(READ_RTR);
    EXPECT_TRUE(m_consumer.events.empty()) << "the source is not checked";
    EXPECT_EQ(m_stream.GetInboundReads(), 1U);
    EXPECT_EQ(Emit(), HexBytes(READ_RTR_ANSWER));
    EXPECT_EQ(m_stream.GetInboundReads(), 0U);
}

TEST_F(ReadResponder, CountsItInIrd)
{
    Receive(READ_RTR);
    Receive("4141 00000000 00000001 00000002 00000000"
            "00000001 0000000000000000 00000000 00000001 0000000000000000");
    EXPECT_FALSE(m_stream.IsFailed());
    Receive("4141 00000000 00000001 00000003 00000000"
            "00000001 0000000000000000 00000000 00000001 0000000000000000");
    ASSERT_TRUE(m_consumer.failure);
    EXPECT_EQ(m_consumer.failure->reason, TerminateReason::From(DdpError::UNTAGGED_NO_BUFFER));
}

} // namespace

} // namespace ns3::nfsrdma
