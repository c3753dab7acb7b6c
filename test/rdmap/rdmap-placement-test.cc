/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/placement-consumer.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

using RdmapPlacementTest = PlacementFixture;

const char* const WRITE = "c140 000000a1 0000000000000004 01020304";

TEST_F(RdmapPlacementTest, AWriteIsPlacedOnce)
{
    EXPECT_TRUE(Place(WRITE));
    EXPECT_EQ(m_consumer.events, Events{"write 4+4"});
    EXPECT_EQ(m_consumer.segments, 0U) << "its turn has not come";
    m_consumer.memory[0xa1][4] = 0x77;
    Receive(WRITE, true);
    EXPECT_EQ(m_consumer.events, Events{"write 4+4"});
    EXPECT_EQ(m_consumer.segments, 1U);
    EXPECT_EQ(m_consumer.memory[0xa1][4], 0x77) << "not written a second time";
}

TEST_F(RdmapPlacementTest, ASendFarAheadGoesIntoItsOwnBuffer)
{
    const char* const third = "4143 00000000 00000000 00000003 00000004 0506";
    EXPECT_TRUE(Place(third));
    EXPECT_EQ(m_consumer.buffers[3], HexBytes("0000000005060000"));
    EXPECT_TRUE(m_consumer.sends.empty());
    Receive("4143 00000000 00000000 00000001 00000000 11");
    Receive("4144 00000009 00000000 00000002 00000000 22");
    Receive("0143 00000000 00000000 00000003 00000000 01020304");
    EXPECT_EQ(m_consumer.sends.size(), 2U);
    Receive(third, true);
    ASSERT_EQ(m_consumer.delivered.size(), 3U);
    EXPECT_EQ(m_consumer.delivered[2], HexBytes("010203040506"));
}

TEST_F(RdmapPlacementTest, SegmentsOfTheSendUnderWay)
{
    Receive("0143 00000000 00000000 00000001 00000000 0102");
    EXPECT_FALSE(Place("0143 00000000 00000000 00000001 00000000 ffff")) << "it has come";
    EXPECT_TRUE(Place("4143 00000000 00000000 00000001 00000004 0506"));
    Receive("0143 00000000 00000000 00000001 00000002 0304");
    Receive("4143 00000000 00000000 00000001 00000004 0506", true);
    ASSERT_EQ(m_consumer.delivered.size(), 1U);
    EXPECT_EQ(m_consumer.delivered[0], HexBytes("010203040506"));
}

TEST_F(RdmapPlacementTest, AReadResponseInsideASink)
{
    RequestRead(0, 8);
    RequestRead(8, 8);
    const char* const second = "c142 000000a1 000000000000000c 05060708";
    EXPECT_TRUE(Place(second));
    EXPECT_EQ(m_stream.GetOutstandingReads(), 2U);
    Receive("c142 000000a1 0000000000000000 1111111111111111");
    Receive("8142 000000a1 0000000000000008 01020304");
    Receive(second, true);
    EXPECT_EQ(m_stream.GetOutstandingReads(), 0U);
    EXPECT_EQ(m_consumer.memory[0xa1], HexBytes("1111111111111111 0102030405060708"));
    EXPECT_EQ(m_consumer.events,
              (Events{"response 12+4", "response 0+8", "read done", "response 8+4", "read done"}));
}

TEST_F(RdmapPlacementTest, SinksThatOverlapWaitForTheirTurn)
{
    RequestRead(0, 8);
    RequestRead(4, 8);
    EXPECT_TRUE(Place("8142 000000a1 0000000000000000 01020304"));
    EXPECT_FALSE(Place("8142 000000a1 0000000000000004 01020304"));
    EXPECT_FALSE(Place("8142 000000a1 0000000000000003 01020304"));
    EXPECT_TRUE(Place("c142 000000a1 0000000000000008 01020304"));
}

struct Left
{
    const char* name;
    const char* ulpdu;
};

// A Read of 4 octets into 0xa1 from 4 is outstanding; of a Send, 4 octets have come.
const Left LEFT_FOR_THEIR_TURN[] = {
    {"Empty", ""},
    {"HeaderCutShort", "c140 000000a1 00000000000000"},
    {"OtherVersion", "c240 000000a1 0000000000000004 01"},
    {"OtherRdmapVersion", "c180 000000a1 0000000000000004 01"},
    {"OpcodeUnknown", "414c 00000000 00000000 00000001 00000004 01"},
    {"OpcodeOfAnExtension", "4148 00000000 00000000 00000002 00000000 0102030405060708"},
    {"WriteUntagged", "4140 00000000 00000000 00000001 00000004 01"},
    {"SendTagged", "c143 000000a1 0000000000000004 01"},
    {"WriteToUnknownStag", "c140 000000a2 0000000000000004 01"},
    {"WriteOutOfBounds", "c140 000000a1 000000000000000f 0102"},
    {"WriteWraps", "c140 000000a1 ffffffffffffffff 0102"},
    {"WriteWithoutPayload", "c140 000000a1 0000000000000004"},
    {"SendWithoutPayload", "4143 00000000 00000000 00000002 00000000"},
    {"SendOnAnotherQueue", "4143 00000000 00000001 00000002 00000000 01"},
    {"SendWithoutBuffer", "4143 00000000 00000000 00000005 00000000 01"},
    {"SendTooLong", "4143 00000000 00000000 00000002 00000001 0102030405060708"},
    {"SendBeyond32Bits", "4143 00000000 00000000 00000002 ffffffff 01"},
    {"SendOfThePast", "4143 00000000 00000000 00000000 00000000 01"},
    {"SendOfAnotherKind", "4145 00000000 00000000 00000001 00000004 01"},
    {"ReadRequest",
     "4141 00000000 00000001 00000001 00000000"
     "00000001 0000000000000000 00000000 00000001 0000000000000000"},
    {"Terminate", "4147 00000000 00000002 00000001 00000000 20020000"},
    {"ResponseBeforeTheSink", "8142 000000a1 0000000000000003 01"},
    {"ResponsePastTheSink", "8142 000000a1 0000000000000004 0102030405"},
    {"ResponseOfAnotherSink", "8142 000000a3 0000000000000004 01"},
    {"ResponseWithoutPayload", "c142 000000a1 0000000000000004"},
};

class RdmapLeftForItsTurn : public PlacementFixture, public testing::WithParamInterface<Left>
{
};

TEST_P(RdmapLeftForItsTurn, ChangesNothingAndIsNoErrorYet)
{
    RequestRead(4, 4);
    Receive("0143 00000000 00000000 00000001 00000000 01020304");
    const auto memory = m_consumer.memory;
    const auto buffers = m_consumer.buffers;
    EXPECT_FALSE(Place(GetParam().ulpdu));
    EXPECT_FALSE(m_stream.IsFailed());
    EXPECT_FALSE(m_stream.HasSegment());
    EXPECT_EQ(m_consumer.refusals, 0U);
    EXPECT_EQ(m_consumer.memory, memory);
    EXPECT_EQ(m_consumer.buffers, buffers);
    EXPECT_EQ(m_consumer.segments, 1U);
    EXPECT_FALSE(m_consumer.peerTerminate);
}

INSTANTIATE_TEST_SUITE_P(Ulpdus,
                         RdmapLeftForItsTurn,
                         testing::ValuesIn(LEFT_FOR_THEIR_TURN),
                         [](const auto& left) { return std::string(left.param.name); });

TEST_F(RdmapPlacementTest, AnErrorAheadIsFoundInItsTurn)
{
    const char* const bad = "c140 000000a2 0000000000000004 01";
    EXPECT_FALSE(Place(bad));
    Receive(WRITE);
    EXPECT_FALSE(m_stream.IsFailed());
    Receive(bad);
    EXPECT_TRUE(m_stream.IsFailed());
    EXPECT_EQ(m_consumer.refusals, 1U);
    EXPECT_EQ(m_consumer.failure->reason, TerminateReason::From(DdpError::TAGGED_INVALID_STAG));
}

TEST_F(RdmapPlacementTest, SequenceIsCheckedThoughItWasPlaced)
{
    EXPECT_TRUE(Place("4143 00000000 00000000 00000002 00000000 01"));
    Receive("4143 00000000 00000000 00000002 00000000 01", true);
    ASSERT_TRUE(m_consumer.failure);
    EXPECT_EQ(m_consumer.failure->reason, TerminateReason::From(DdpError::UNTAGGED_MSN_RANGE));
    EXPECT_TRUE(m_consumer.sends.empty());
}

TEST_F(RdmapPlacementTest, AGapIsFoundThoughAllWasPlaced)
{
    EXPECT_TRUE(Place("4143 00000000 00000000 00000001 00000004 05"));
    Receive("0143 00000000 00000000 00000001 00000000 010203");
    Receive("4143 00000000 00000000 00000001 00000004 05", true);
    ASSERT_TRUE(m_consumer.failure);
    EXPECT_EQ(m_consumer.failure->reason, TerminateReason::From(DdpError::UNTAGGED_INVALID_MO));
}

TEST_F(RdmapPlacementTest, AReadResponseMustStillBeTheNext)
{
    RequestRead(0, 8);
    EXPECT_TRUE(Place("c142 000000a1 0000000000000004 05060708"));
    Receive("c142 000000a1 0000000000000004 05060708", true);
    ASSERT_TRUE(m_consumer.failure);
    EXPECT_EQ(m_consumer.failure->reason, TerminateReason::From(DdpError::TAGGED_BOUNDS));
}

TEST_F(RdmapPlacementTest, AWritePlacedStaysGoodWhenItsStagIsInvalidatedBeforeItsTurn)
{
    EXPECT_TRUE(Place(WRITE));
    Receive("4144 000000a1 00000000 00000001 00000000");
    ASSERT_EQ(m_consumer.memory.count(0xa1), 0U);
    Receive(WRITE, true);
    EXPECT_FALSE(m_stream.IsFailed());
    Receive(WRITE);
    EXPECT_TRUE(m_stream.IsFailed()) << "in its turn the STag is unknown";
}

TEST_F(RdmapPlacementTest, NothingIsPlacedAfterTheEnd)
{
    Receive("4147 00000000 00000002 00000001 00000000 20020000");
    EXPECT_FALSE(Place(WRITE));
    EXPECT_EQ(m_consumer.memory[0xa1], ByteVector(16));
}

/// Both directions of messages, with what is in flight placed in any order before its turn.
class RdmapPlacementPairTest : public testing::Test
{
  protected:
    static constexpr uint32_t READS = 4;
    static constexpr uint32_t SINK = 1000;
    static constexpr Stag REMOTE = 0xb001;
    static constexpr Stag LOCAL = 0xa001;

    struct Side
    {
        RecordingUlpduStream lower;
        PlacementConsumer consumer;
        RdmapStream stream{lower, consumer, {READS}};
    };

    void SetUp() override
    {
        m_b.consumer.memory[REMOTE] = RandomBytes(m_bytes, 40000);
        m_b.consumer.Post(2000, 700);
        m_a.consumer.memory[LOCAL] = ByteVector(READS * SINK);
    }

    /// Starts a message of the initiator that does not overlap those in flight.
    void StartNext(uint32_t number)
    {
        switch (m_generator() % 3)
        {
        case 0: {
            m_sent.push_back(RandomBytes(m_bytes, m_generator() % 700));
            const auto length = static_cast<uint32_t>(m_sent.back().size());
            m_a.stream.StartSend(RdmapOpcode::SEND, length, 0, SourceOf(m_sent.back()));
            break;
        }
        case 1: {
            const uint32_t offset = 20000 + number % 20 * 1000;
            m_a.stream.StartWrite(REMOTE, offset, 1000, SourceOf(RandomBytes(m_bytes, 1000)));
            break;
        }
        default:
            if (m_a.stream.GetOutstandingReads() < READS)
            {
                const uint32_t slot = m_reads++ % READS * SINK;
                m_a.stream.StartReadRequest({LOCAL, slot, SINK, REMOTE, slot});
            }
            break;
        }
    }

    /// Places some of what \p from has sent, in any order, then delivers all of it in order.
    void Deliver(Side& from, Side& to)
    {
        std::vector<std::size_t> order(from.lower.ulpdus.size());
        for (std::size_t i = 0; i < order.size(); ++i)
        {
            order[i] = i;
        }
        std::shuffle(order.begin(), order.end(), m_generator);
        std::vector<bool> placed(order.size());
        for (const std::size_t i : order)
        {
            if (i != 0 && m_generator() % 4 != 0)
            {
                placed[i] = to.stream.PlaceUlpdu(from.lower.ulpdus[i]);
                m_placed += placed[i] ? 1 : 0;
            }
        }
        for (std::size_t i = 0; i < order.size(); ++i)
        {
            to.stream.ReceiveUlpdu(from.lower.ulpdus[i], placed[i]);
        }
        from.lower.ulpdus.clear();
    }

    void EmitAll(Side& side)
    {
        while (side.stream.HasSegment())
        {
            side.lower.mulpdu = 128 + m_generator() % 600;
            side.stream.EmitSegment();
        }
    }

    std::mt19937_64 m_generator{5041};
    std::mt19937 m_bytes{5041};
    Side m_a;
    Side m_b;
    std::vector<ByteVector> m_sent;
    uint32_t m_reads{0};
    uint32_t m_placed{0};
};

TEST_F(RdmapPlacementPairTest, WhatIsDeliveredEqualsWhatWasSent)
{
    uint32_t started = 0;
    for (int round = 0; round < 200; ++round)
    {
        for (int message = 0; message < 8; ++message)
        {
            StartNext(started++);
            EmitAll(m_a);
        }
        Deliver(m_a, m_b);
        EmitAll(m_b);
        Deliver(m_b, m_a);
        ASSERT_FALSE(m_a.stream.IsFailed());
        ASSERT_FALSE(m_b.stream.IsFailed());
    }
    EXPECT_EQ(m_b.consumer.delivered, m_sent);
    EXPECT_EQ(m_a.stream.GetOutstandingReads(), 0U);
    const ByteVector& remote = m_b.consumer.memory[REMOTE];
    ASSERT_GE(m_reads, READS);
    EXPECT_EQ(m_a.consumer.memory[LOCAL],
              ByteVector(remote.begin(), remote.begin() + READS * SINK));
    EXPECT_GT(m_placed, 1000U);
    EXPECT_EQ(m_a.consumer.refusals + m_b.consumer.refusals, 0U);
}

} // namespace

} // namespace ns3::nfsrdma
