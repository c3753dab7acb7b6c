/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/rdmap-stream-fixture.h"

namespace ns3::nfsrdma
{

namespace
{

using RdmapStreamEmissionTest = RdmapStreamFixture;

const char* const READ_REQUEST_1 = "4141 00000000 00000001 00000001 00000000"
                                   "00000077 0000000000009000 00000003 000000a1 0000000000000002";
const char* const READ_REQUEST_2 = "4141 00000000 00000001 00000002 00000000"
                                   "00000078 000000000000a000 00000002 000000a1 0000000000000000";
const char* const READ_RESPONSE_1 = "c142 00000077 0000000000009000 020304";
const char* const READ_RESPONSE_2 = "c142 00000078 000000000000a000 0001";

TEST_F(RdmapStreamEmissionTest, NothingAtFirst)
{
    EXPECT_TRUE(m_stream.IsIdle());
    EXPECT_FALSE(m_stream.HasSegment());
    EXPECT_FALSE(m_stream.IsFailed());
    EXPECT_EQ(m_stream.GetInboundReads(), 0U);
    EXPECT_EQ(m_stream.GetOutstandingReads(), 0U);
}

TEST_F(RdmapStreamEmissionTest, SendsCountMsnFromOne)
{
    m_stream.StartSend(RdmapOpcode::SEND, 2, 0, SourceOf(HexBytes("aabb")));
    EXPECT_FALSE(m_stream.IsIdle());
    EXPECT_EQ(Emit(), HexBytes("4143 00000000 00000000 00000001 00000000 aabb"));
    EXPECT_EQ(m_emitted.opcode, RdmapOpcode::SEND);
    EXPECT_EQ(m_emitted.payloadLength, 2U);
    EXPECT_TRUE(m_emitted.messageComplete);
    EXPECT_TRUE(m_stream.IsIdle());
    EXPECT_FALSE(m_stream.HasSegment());

    m_stream.StartSend(RdmapOpcode::SEND_SE, 0, 0, nullptr);
    EXPECT_EQ(Emit(), HexBytes("4145 00000000 00000000 00000002 00000000"));
}

TEST_F(RdmapStreamEmissionTest, InvalidateStagIsInEverySegment)
{
    m_lower.mulpdu = 128;
    m_stream.StartSend(RdmapOpcode::SEND_INVALIDATE, 200, 0x00abcd01, SourceOf(ByteVector(200, 1)));
    const ByteVector first = Emit();
    EXPECT_FALSE(m_emitted.messageComplete);
    EXPECT_EQ(m_emitted.payloadLength, 108U);
    EXPECT_EQ(ByteVector(first.begin(), first.begin() + 18),
              HexBytes("0144 00abcd01 00000000 00000001 00000000"));
    const ByteVector second = Emit();
    EXPECT_TRUE(m_emitted.messageComplete);
    EXPECT_EQ(ByteVector(second.begin(), second.begin() + 18),
              HexBytes("4144 00abcd01 00000000 00000001 0000006c"));

    m_stream.StartSend(RdmapOpcode::SEND_SE_INVALIDATE, 0, 0x00abcd02, nullptr);
    EXPECT_EQ(Emit(), HexBytes("4146 00abcd02 00000000 00000002 00000000"));
}

TEST_F(RdmapStreamEmissionTest, WriteAdvancesTheTaggedOffset)
{
    m_lower.mulpdu = 128;
    m_stream.StartWrite(0xab, 0x10000, 120, SourceOf(ByteVector(120, 5)));
    const ByteVector first = Emit();
    EXPECT_EQ(m_emitted.payloadLength, 112U);
    EXPECT_EQ(ByteVector(first.begin(), first.begin() + 14),
              HexBytes("8140 000000ab 0000000000010000"));
    EXPECT_EQ(Emit(), HexBytes("c140 000000ab 0000000000010070 0505050505050505"));
}

TEST_F(RdmapStreamEmissionTest, ZeroLengthWriteIsOneSegment)
{
    m_stream.StartWrite(1, 0, 0, nullptr);
    EXPECT_EQ(Emit(), HexBytes("c140 00000001 0000000000000000"));
    EXPECT_TRUE(m_emitted.messageComplete);
}

TEST_F(RdmapStreamEmissionTest, ReadRequestsCountMsnOnTheirOwn)
{
    m_stream.StartSend(RdmapOpcode::SEND, 0, 0, nullptr);
    Emit();
    m_stream.StartReadRequest({0x77, 0x9000, 0x1000, 0x00abcd02, 0x20000});
    EXPECT_EQ(Emit(),
              HexBytes("4141 00000000 00000001 00000001 00000000 00000077 0000000000009000"
                       "00001000 00abcd02 0000000000020000"));
    EXPECT_EQ(m_emitted.opcode, RdmapOpcode::READ_REQUEST);
    EXPECT_EQ(m_emitted.payloadLength, 0U);
    EXPECT_EQ(m_stream.GetOutstandingReads(), 1U);
    m_stream.StartReadRequest({1, 0, 0, 1, 0});
    EXPECT_EQ(Emit(),
              HexBytes("4141 00000000 00000001 00000002 00000000 00000001 0000000000000000"
                       "00000000 00000001 0000000000000000"));
    EXPECT_EQ(m_stream.GetOutstandingReads(), 2U);
}

TEST_F(RdmapStreamEmissionTest, ReadResponsesKeepTheOrderOfTheRequests)
{
    m_consumer.memory[0xa1] = HexBytes("0001020304");
    Receive(READ_REQUEST_1);
    EXPECT_EQ(m_consumer.emissionsReady, 1U);
    Receive(READ_REQUEST_2);
    EXPECT_EQ(m_stream.GetInboundReads(), 2U);
    EXPECT_TRUE(m_stream.IsIdle());
    EXPECT_EQ(Emit(), HexBytes(READ_RESPONSE_1));
    EXPECT_EQ(m_emitted.opcode, RdmapOpcode::READ_RESPONSE);
    EXPECT_EQ(m_emitted.payloadLength, 3U);
    EXPECT_EQ(m_stream.GetInboundReads(), 1U);
    EXPECT_EQ(Emit(), HexBytes(READ_RESPONSE_2));
    EXPECT_EQ(m_stream.GetInboundReads(), 0U);
    EXPECT_FALSE(m_stream.HasSegment());
}

TEST_F(RdmapStreamEmissionTest, ReadOfLengthZeroLeavesTheSourceUnchecked)
{
    Receive("4141 00000000 00000001 00000001 00000000"
            "00000001 0000000000000000 00000000 0badbad0 ffffffffffffffff");
    EXPECT_TRUE(m_consumer.events.empty());
    EXPECT_EQ(Emit(), HexBytes("c142 00000001 0000000000000000"));
    EXPECT_TRUE(m_emitted.messageComplete);
}

TEST_F(RdmapStreamEmissionTest, OwnerAndReadResponsesTakeTurns)
{
    m_consumer.memory[0xa1] = HexBytes("0001020304");
    Receive(READ_REQUEST_1);
    Receive(READ_REQUEST_2);
    std::vector<RdmapOpcode> order;
    for (int message = 0; message < 5; ++message)
    {
        if (m_stream.IsIdle() && message < 4)
        {
            m_stream.StartSend(RdmapOpcode::SEND, 0, 0, nullptr);
        }
        Emit();
        order.push_back(m_emitted.opcode);
    }
    const std::vector<RdmapOpcode> expected{RdmapOpcode::SEND,
                                            RdmapOpcode::READ_RESPONSE,
                                            RdmapOpcode::SEND,
                                            RdmapOpcode::READ_RESPONSE,
                                            RdmapOpcode::SEND};
    EXPECT_EQ(order, expected);
}

TEST_F(RdmapStreamEmissionTest, OwnerGoesFirstAfterAReadResponse)
{
    m_consumer.memory[0xa1] = HexBytes("0001020304");
    Receive(READ_REQUEST_1);
    Receive(READ_REQUEST_2);
    EXPECT_EQ(Emit(), HexBytes(READ_RESPONSE_1));
    m_stream.StartSend(RdmapOpcode::SEND, 0, 0, nullptr);
    Emit();
    EXPECT_EQ(m_emitted.opcode, RdmapOpcode::SEND);
    EXPECT_EQ(Emit(), HexBytes(READ_RESPONSE_2));
}

TEST_F(RdmapStreamEmissionTest, MessagesAreNotInterleaved)
{
    m_lower.mulpdu = 128;
    m_consumer.memory[0xa1] = HexBytes("0001020304");
    m_stream.StartWrite(0xab, 0, 300, SourceOf(ByteVector(300, 5)));
    Emit();
    Receive(READ_REQUEST_1);
    Emit();
    EXPECT_EQ(m_emitted.opcode, RdmapOpcode::WRITE);
    Emit();
    EXPECT_EQ(m_emitted.opcode, RdmapOpcode::WRITE);
    EXPECT_TRUE(m_emitted.messageComplete);
    EXPECT_EQ(Emit(), HexBytes(READ_RESPONSE_1));
}

TEST_F(RdmapStreamEmissionTest, TerminateGoesAheadAndCutsOffTheMessageUnderWay)
{
    m_lower.mulpdu = 128;
    m_consumer.memory[0xa1] = HexBytes("0001020304");
    m_stream.StartWrite(0xab, 0, 300, SourceOf(ByteVector(300, 5)));
    Emit();
    Receive(READ_REQUEST_1);
    TerminateMessage message;
    message.reason = TerminateReason::From(MpaError::CRC_MISMATCH);
    m_stream.Fail(message);
    EXPECT_TRUE(m_stream.IsFailed());
    EXPECT_TRUE(m_stream.IsIdle());
    EXPECT_EQ(m_stream.GetInboundReads(), 0U);
    EXPECT_EQ(Emit(), HexBytes("4147 00000000 00000002 00000001 00000000 20020000"));
    EXPECT_EQ(m_emitted.opcode, RdmapOpcode::TERMINATE);
    EXPECT_TRUE(m_emitted.messageComplete);
    EXPECT_FALSE(m_stream.HasSegment());
}

TEST_F(RdmapStreamEmissionTest, FailTellsTheConsumerOnce)
{
    TerminateMessage message;
    message.reason = TerminateReason::From(MpaError::CRC_MISMATCH);
    m_stream.Fail(message);
    message.reason = TerminateReason::From(RdmapError::LOCAL_CATASTROPHIC);
    m_stream.Fail(message);
    EXPECT_EQ(m_consumer.events, std::vector<std::string>{"failed"});
    EXPECT_EQ(m_consumer.emissionsReady, 1U);
    EXPECT_EQ(m_consumer.failure->reason, TerminateReason::From(MpaError::CRC_MISMATCH));
    Emit();
    EXPECT_FALSE(m_stream.HasSegment());
}

TEST_F(RdmapStreamEmissionTest, NothingStartsAfterAFailure)
{
    m_stream.Fail(TerminateMessage());
    Emit();
    m_stream.StartSend(RdmapOpcode::SEND, 0, 0, nullptr);
    m_stream.StartWrite(1, 0, 0, nullptr);
    m_stream.StartReadRequest(RdmaReadRequest());
    EXPECT_TRUE(m_stream.IsIdle());
    EXPECT_FALSE(m_stream.HasSegment());
}

} // namespace

} // namespace ns3::nfsrdma
