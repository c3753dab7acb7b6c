/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/rdmap-stream-fixture.h"

namespace ns3::nfsrdma
{

namespace
{

using RdmapStreamReceptionTest = RdmapStreamFixture;
using Events = std::vector<std::string>;

TEST_F(RdmapStreamReceptionTest, SendInSegments)
{
    Receive("0143 00000000 00000000 00000001 00000000 01020304");
    EXPECT_TRUE(m_consumer.sends.empty());
    Receive("4143 00000000 00000000 00000001 00000004 05");
    EXPECT_EQ(m_consumer.events, (Events{"send 1@0+4", "send 1@4+1", "send done"}));
    ASSERT_EQ(m_consumer.sends.size(), 1U);
    EXPECT_EQ(m_consumer.sends[0].opcode, RdmapOpcode::SEND);
    EXPECT_EQ(m_consumer.sends[0].length, 5U);
    EXPECT_EQ(m_consumer.send, HexBytes("0102030405"));
    EXPECT_EQ(m_consumer.segments, 2U);
}

TEST_F(RdmapStreamReceptionTest, ZeroLengthSendTakesABuffer)
{
    Receive("4143 00000000 00000000 00000001 00000000");
    EXPECT_EQ(m_consumer.events, (Events{"send 1@0+0", "send done"}));
    EXPECT_EQ(m_consumer.sends[0].length, 0U);
}

TEST_F(RdmapStreamReceptionTest, EachKindOfSend)
{
    Receive("4143 00000007 00000000 00000001 00000000");
    Receive("4144 00abcd01 00000000 00000002 00000000");
    Receive("4145 00000007 00000000 00000003 00000000");
    Receive("4146 00abcd02 00000000 00000004 00000000");
    ASSERT_EQ(m_consumer.sends.size(), 4U);
    EXPECT_EQ(m_consumer.sends[0].opcode, RdmapOpcode::SEND);
    EXPECT_EQ(m_consumer.sends[0].invalidateStag, 0U);
    EXPECT_EQ(m_consumer.sends[1].opcode, RdmapOpcode::SEND_INVALIDATE);
    EXPECT_EQ(m_consumer.sends[1].invalidateStag, 0x00abcd01U);
    EXPECT_EQ(m_consumer.sends[2].opcode, RdmapOpcode::SEND_SE);
    EXPECT_EQ(m_consumer.sends[2].invalidateStag, 0U);
    EXPECT_EQ(m_consumer.sends[3].opcode, RdmapOpcode::SEND_SE_INVALIDATE);
    EXPECT_EQ(m_consumer.sends[3].invalidateStag, 0x00abcd02U);
}

TEST_F(RdmapStreamReceptionTest, WritePlacesAndDeliversNothing)
{
    m_consumer.memory[0xa1] = ByteVector(4);
    Receive("8140 000000a1 0000000000000000 0102");
    Receive("c140 000000a1 0000000000000002 0304");
    EXPECT_EQ(m_consumer.events, (Events{"write 0+2", "write 2+2"}));
    EXPECT_EQ(m_consumer.memory[0xa1], HexBytes("01020304"));
}

TEST_F(RdmapStreamReceptionTest, ZeroLengthWriteIsNotChecked)
{
    Receive("c140 00000001 0000000000000000");
    EXPECT_TRUE(m_consumer.events.empty());
    EXPECT_EQ(m_consumer.segments, 1U);
    EXPECT_FALSE(m_stream.IsFailed());
}

TEST_F(RdmapStreamReceptionTest, WriteBetweenTheSegmentsOfASend)
{
    m_consumer.memory[0xa1] = ByteVector(4);
    Receive("0143 00000000 00000000 00000001 00000000 01020304");
    Receive("c140 000000a1 0000000000000000 0102");
    Receive("4143 00000000 00000000 00000001 00000004");
    EXPECT_EQ(m_consumer.sends.size(), 1U);
    EXPECT_FALSE(m_stream.IsFailed());
}

TEST_F(RdmapStreamReceptionTest, ReadResponsesAnswerTheOldestRead)
{
    m_consumer.memory[0xa1] = ByteVector(8);
    m_stream.StartReadRequest({0xa1, 4, 4, 1, 0});
    Emit();
    m_stream.StartReadRequest({0xa1, 0, 0, 1, 0});
    Emit();
    Receive("8142 000000a1 0000000000000004 0102");
    Receive("c142 000000a1 0000000000000006 0304");
    EXPECT_EQ(m_stream.GetOutstandingReads(), 1U);
    Receive("c142 000000a1 0000000000000000");
    EXPECT_EQ(m_stream.GetOutstandingReads(), 0U);
    EXPECT_EQ(m_consumer.events,
              (Events{"response 4+2", "response 6+2", "read done", "read done"}));
    EXPECT_EQ(m_consumer.memory[0xa1], HexBytes("0000000001020304"));
}

TEST_F(RdmapStreamReceptionTest, TerminateEndsTheStreamWithoutAnAnswer)
{
    m_stream.StartWrite(1, 0, 10, SourceOf(ByteVector(10)));
    Receive("4147 00000000 00000002 00000001 00000000 0101e000 002e 4141 00000000 00000001 00000002"
            "00000000 00000077 0000000000009000 000007d0 00abcd02 0000000000020000");
    ASSERT_TRUE(m_consumer.peerTerminate);
    EXPECT_EQ(m_consumer.peerTerminate->reason,
              TerminateReason::From(RdmapError::PROTECTION_BOUNDS));
    EXPECT_EQ(m_consumer.peerTerminate->readRequest->length, 2000U);
    EXPECT_TRUE(m_stream.IsFailed());
    EXPECT_TRUE(m_stream.IsIdle());
    EXPECT_FALSE(m_stream.HasSegment());
    EXPECT_EQ(m_consumer.events, Events{"terminated"});

    m_stream.Fail(TerminateMessage());
    EXPECT_FALSE(m_stream.HasSegment());
    EXPECT_FALSE(m_consumer.failure);
}

TEST_F(RdmapStreamReceptionTest, TerminateInTheMiddleOfASend)
{
    Receive("0143 00000000 00000000 00000001 00000000 01020304");
    Receive("4147 00000000 00000002 00000001 00000000 20020000");
    ASSERT_TRUE(m_consumer.peerTerminate);
    EXPECT_EQ(m_consumer.peerTerminate->reason, TerminateReason::From(MpaError::CRC_MISMATCH));
    EXPECT_TRUE(m_consumer.sends.empty());
}

TEST_F(RdmapStreamReceptionTest, LinuxTerminateOfAWrite)
{
    Receive(
        "4147 00000000 00000002 00000001 00000000 11000300 0020 c140 12345678 0000000000001000");
    ASSERT_TRUE(m_consumer.peerTerminate);
    EXPECT_EQ(m_consumer.peerTerminate->reason,
              TerminateReason::From(DdpError::TAGGED_INVALID_STAG));
}

TEST_F(RdmapStreamReceptionTest, TerminateCutShortKeepsItsReason)
{
    Receive("4147 00000000 00000002 00000001 00000000 0101e000 002e 4141 0000");
    ASSERT_TRUE(m_consumer.peerTerminate);
    EXPECT_EQ(m_consumer.peerTerminate->reason,
              TerminateReason::From(RdmapError::PROTECTION_BOUNDS));
    EXPECT_FALSE(m_consumer.peerTerminate->ddpHeader);
}

TEST_F(RdmapStreamReceptionTest, EmptyTerminateIsStillOne)
{
    Receive("4147 00000000 00000002 00000001 00000000");
    ASSERT_TRUE(m_consumer.peerTerminate);
    EXPECT_EQ(m_consumer.peerTerminate->reason,
              TerminateReason::From(RdmapError::OPERATION_UNSPECIFIED));
    EXPECT_FALSE(m_stream.HasSegment());
}

} // namespace

} // namespace ns3::nfsrdma
