/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/placement-consumer.h"

namespace ns3::nfsrdma
{

namespace
{

/**
 * \brief The ordering table of RFC 5040 section 5.5, at the remote side: what the first message and
 * the second may do before and after each other. Completion at the issuer is the RNIC's.
 */
class RdmapOrderingTest : public PlacementFixture
{
  protected:
    ByteVector Emit()
    {
        EXPECT_TRUE(m_stream.HasSegment());
        m_stream.EmitSegment();
        return m_lower.ulpdus.back();
    }
};

const char* const SEND_1 = "4143 00000000 00000000 00000001 00000000 0a";
const char* const SEND_2 = "4143 00000000 00000000 00000002 00000000 0b";
const char* const WRITE_1 = "c140 000000a1 0000000000000000 01";
const char* const WRITE_2 = "c140 000000a1 0000000000000000 02";
const char* const READ_1 = "4141 00000000 00000001 00000001 00000000"
                           "00000077 0000000000000000 00000001 000000a1 0000000000000000";
const char* const READ_2 = "4141 00000000 00000001 00000002 00000000"
                           "00000078 0000000000000000 00000001 000000a1 0000000000000001";

TEST_F(RdmapOrderingTest, SendThenSendPlacementHasNoOrder)
{
    EXPECT_TRUE(Place(SEND_2));
    Receive(SEND_1);
    Receive(SEND_2, true);
    EXPECT_EQ(m_consumer.events, (Events{"send 2@0+1", "send 1@0+1", "send done", "send done"}));
}

TEST_F(RdmapOrderingTest, SendThenSendDeliveryIsInOrder)
{
    EXPECT_TRUE(Place(SEND_2));
    EXPECT_TRUE(m_consumer.delivered.empty());
    Receive(SEND_1);
    ASSERT_EQ(m_consumer.delivered.size(), 1U);
    EXPECT_EQ(m_consumer.delivered[0], HexBytes("0a"));
    Receive(SEND_2, true);
    EXPECT_EQ(m_consumer.delivered[1], HexBytes("0b"));
}

TEST_F(RdmapOrderingTest, WriteThenSendTheWriteIsPlacedBeforeTheSendIsDelivered)
{
    EXPECT_TRUE(Place(SEND_1));
    EXPECT_TRUE(m_consumer.sends.empty());
    Receive(WRITE_1);
    Receive(SEND_1, true);
    EXPECT_EQ(m_consumer.events, (Events{"send 1@0+1", "write 0+1", "send done"}));
}

TEST_F(RdmapOrderingTest, WriteThenWritePlacementHasNoOrder)
{
    EXPECT_TRUE(Place(WRITE_2));
    EXPECT_EQ(m_consumer.memory[0xa1][0], 2);
    Receive(WRITE_1);
    Receive(WRITE_2, true);
    EXPECT_EQ(m_consumer.memory[0xa1][0], 1) << "what was placed last";
}

TEST_F(RdmapOrderingTest, WriteThenWriteNothingIsDelivered)
{
    Receive(WRITE_1);
    Receive(WRITE_2);
    EXPECT_EQ(m_consumer.memory[0xa1][0], 2);
    EXPECT_TRUE(m_consumer.sends.empty());
    EXPECT_EQ(m_consumer.events, (Events{"write 0+1", "write 0+1"}));
}

TEST_F(RdmapOrderingTest, SendThenWriteTheWriteMayBePlacedFirst)
{
    EXPECT_TRUE(Place(WRITE_1));
    Receive(SEND_1);
    Receive(WRITE_1, true);
    EXPECT_EQ(m_consumer.events, (Events{"write 0+1", "send 1@0+1", "send done"}));
}

TEST_F(RdmapOrderingTest, SendThenReadTheRequestIsTakenAfterTheSendIsDelivered)
{
    EXPECT_FALSE(Place(READ_1));
    EXPECT_EQ(m_stream.GetInboundReads(), 0U);
    Receive(SEND_1);
    Receive(READ_1);
    EXPECT_EQ(m_consumer.events, (Events{"send 1@0+1", "send done", "open 0+1"}));
}

TEST_F(RdmapOrderingTest, WriteThenReadTheReadReturnsWhatWasWritten)
{
    EXPECT_FALSE(Place(READ_1));
    Receive(WRITE_2);
    Receive(READ_1);
    EXPECT_EQ(Emit(), HexBytes("c142 00000077 0000000000000000 02"));
}

TEST_F(RdmapOrderingTest, ReadThenWriteTheResponseMayHoldTheLaterWrite)
{
    Receive(READ_1);
    Receive(WRITE_2);
    EXPECT_EQ(Emit(), HexBytes("c142 00000077 0000000000000000 02"));
}

TEST_F(RdmapOrderingTest, ReadThenSendTheSendMayBeDeliveredFirst)
{
    Receive(READ_1);
    Receive(SEND_1);
    EXPECT_EQ(m_consumer.sends.size(), 1U);
    EXPECT_EQ(m_stream.GetInboundReads(), 1U) << "the response is still owed";
}

TEST_F(RdmapOrderingTest, ReadThenReadRequestsAndResponsesKeepTheirOrder)
{
    EXPECT_FALSE(Place(READ_2));
    Receive(READ_1);
    Receive(READ_2);
    EXPECT_EQ(m_consumer.events, (Events{"open 0+1", "open 1+1"}));
    EXPECT_EQ(Emit(), HexBytes("c142 00000077 0000000000000000 00"));
    EXPECT_EQ(Emit(), HexBytes("c142 00000078 0000000000000000 00"));
}

TEST_F(RdmapOrderingTest, ReadThenReadTheSourcesAreSampledApart)
{
    Receive(READ_1);
    Receive(READ_2);
    Emit();
    Receive("c140 000000a1 0000000000000000 0505");
    EXPECT_EQ(Emit(), HexBytes("c142 00000078 0000000000000000 05"))
        << "the first was sampled before the Write, the second after";
}

TEST_F(RdmapOrderingTest, ReadThenReadAnswersAreDeliveredInOrder)
{
    RequestRead(0, 1);
    RequestRead(1, 1);
    EXPECT_TRUE(Place("c142 000000a1 0000000000000001 02"));
    EXPECT_EQ(m_stream.GetOutstandingReads(), 2U);
    Receive("c142 000000a1 0000000000000000 01");
    EXPECT_EQ(m_stream.GetOutstandingReads(), 1U);
    Receive("c142 000000a1 0000000000000001 02", true);
    EXPECT_EQ(m_consumer.events,
              (Events{"response 1+1", "response 0+1", "read done", "read done"}));
}

TEST_F(RdmapOrderingTest, ATerminateIsTakenInItsTurnOnly)
{
    EXPECT_FALSE(Place("4147 00000000 00000002 00000001 00000000 20020000"));
    Receive(SEND_1);
    Receive("4147 00000000 00000002 00000001 00000000 20020000");
    EXPECT_EQ(m_consumer.events, (Events{"send 1@0+1", "send done", "terminated"}));
}

} // namespace

} // namespace ns3::nfsrdma
