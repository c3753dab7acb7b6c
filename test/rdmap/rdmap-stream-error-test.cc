/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/rdmap-stream-fixture.h"

namespace ns3::nfsrdma
{

namespace
{

/// A rule: what comes in, and the Terminate payload that must go out.
struct ErrorRule
{
    const char* name;
    std::vector<const char*> ulpdus; ///< Only the last one is at fault.
    const char* terminate;
};

const char* const FIRST_SEND = "4143 00000000 00000000 00000001 00000000";
const char* const FIRST_SEND_PART = "0143 00000000 00000000 00000001 00000000 01020304";
const char* const READ_ZERO = "4141 00000000 00000001 00000001 00000000"
                              "00000001 0000000000000000 00000000 00000001 0000000000000000";
const char* const READ_ZERO_2 = "4141 00000000 00000001 00000002 00000000"
                                "00000001 0000000000000000 00000000 00000001 0000000000000000";

// Memory: STag 0xa1 of 16 octets. The stream has requested one Read: sink 0xa1 from 4, 8 octets.
const std::vector<ErrorRule> RULES = {
    {"EmptyUlpdu", {""}, "0207 0000"},
    {"UlpduShorterThanTaggedHeader", {"c140 000000a1 00000000000000"}, "0207 0000"},
    {"UlpduShorterThanUntaggedHeader", {"4143 00000000 00000000 00000001 000000"}, "0207 0000"},
    {"TaggedDdpVersion", {"c040 000000a1 0000000000000000"}, "1104 0000"},
    {"UntaggedDdpVersion", {"4243 00000000 00000000 00000001 00000000"}, "1206 0000"},
    {"TaggedRdmapVersion", {"c100 000000a1 0000000000000000"}, "0205 0000"},
    {"UntaggedRdmapVersion", {"4183 00000000 00000000 00000001 00000000"}, "0205 0000"},
    {"OpcodesOfTheExtensions8",
     {"4148 00000000 00000000 00000001 00000000 0102030405060708"},
     "0206 0000"},
    {"OpcodesOfTheExtensions9",
     {"4149 00000000 00000000 00000001 00000000 0102030405060708"},
     "0206 0000"},
    {"OpcodesOfTheExtensionsA", {"414a 00000000 00000001 00000001 00000000"}, "0206 0000"},
    {"QueueOfTheExtensions",
     {"414b 00000000 00000003 00000001 00000000"},
     "1201 c000 0012 414b 00000000 00000003 00000001 00000000"},
    {"HighestQueue",
     {"4143 00000000 ffffffff 00000001 00000000"},
     "1201 c000 0012 4143 00000000 ffffffff 00000001 00000000"},
    {"UnknownTaggedOpcode", {"c148 000000a1 0000000000000000"}, "0206 0000"},
    {"UnknownUntaggedOpcode", {"4148 00000000 00000000 00000001 00000000"}, "0206 0000"},
    {"SendInATaggedSegment", {"c143 000000a1 0000000000000000"}, "0206 0000"},
    {"WriteInAnUntaggedSegment", {"4140 00000000 00000000 00000001 00000000"}, "0206 0000"},
    {"SendOnTheReadRequestQueue", {"4143 00000000 00000001 00000001 00000000"}, "0206 0000"},
    {"ReadRequestOnTheSendQueue", {"4141 00000000 00000000 00000001 00000000"}, "0206 0000"},
    {"OpcodeChangesWithinASend",
     {FIRST_SEND_PART, "4144 000000a1 00000000 00000001 00000004"},
     "0206 0000"},
    {"UnknownQueue",
     {"4143 00000000 00000005 00000001 00000000"},
     "1201 c000 0012 4143 00000000 00000005 00000001 00000000"},
    {"SendMsnBeyond",
     {"4143 00000000 00000000 00000384 00000000"},
     "1203 c000 0012 4143 00000000 00000000 00000384 00000000"},
    {"SendMsnRepeated",
     {FIRST_SEND, FIRST_SEND},
     "1203 c000 0012 4143 00000000 00000000 00000001 00000000"},
    {"SendMsnZero",
     {"4143 00000000 00000000 00000000 00000000"},
     "1203 c000 0012 4143 00000000 00000000 00000000 00000000"},
    {"NextSendBeforeTheLastSegment",
     {FIRST_SEND_PART, "4143 00000000 00000000 00000002 00000000"},
     "1203 c000 0012 4143 00000000 00000000 00000002 00000000"},
    {"SendOverlaps",
     {FIRST_SEND_PART, "4143 00000000 00000000 00000001 00000003 aa"},
     "1204 c000 0013 4143 00000000 00000000 00000001 00000003"},
    {"SendStartsInTheMiddle",
     {"4143 00000000 00000000 00000001 00000008 aa"},
     "1204 c000 0013 4143 00000000 00000000 00000001 00000008"},
    {"SendHasAGap",
     {FIRST_SEND_PART, "4143 00000000 00000000 00000001 00000005"},
     "1204 c000 0012 4143 00000000 00000000 00000001 00000005"},
    {"WriteToUnknownStag",
     {"c140 00000055 0000000000000066 01"},
     "1100 c000 000f c140 00000055 0000000000000066"},
    {"WriteOutOfBounds",
     {"c140 000000a1 000000000000000f 0102"},
     "1101 c000 0010 c140 000000a1 000000000000000f"},
    {"WriteOfALastOctetThenOneBeyond",
     {"c140 000000a1 000000000000000f 01", "c140 000000a1 0000000000000010 01"},
     "1101 c000 000f c140 000000a1 0000000000000010"},
    {"WriteToTheLastTaggedOffset",
     {"c140 000000a1 ffffffffffffffff 01"},
     "1101 c000 000f c140 000000a1 ffffffffffffffff"},
    {"WriteWraps",
     {"c140 000000a1 ffffffffffffffff 0102"},
     "1103 c000 0010 c140 000000a1 ffffffffffffffff"},
    {"ReadResponseForAnotherSink",
     {"c142 000000a2 0000000000000004 0102030405060708"},
     "1100 c000 0016 c142 000000a2 0000000000000004"},
    {"ReadResponseAtAnotherOffset",
     {"c142 000000a1 0000000000000005 0102030405060708"},
     "1101 c000 0016 c142 000000a1 0000000000000005"},
    {"ReadResponseTooLong",
     {"8142 000000a1 0000000000000004 010203040506070809"},
     "1101 c000 0017 8142 000000a1 0000000000000004"},
    {"ReadResponseTooShort",
     {"8142 000000a1 0000000000000004 01020304", "c142 000000a1 0000000000000008 010203"},
     "1101 c000 0011 c142 000000a1 0000000000000008"},
    {"ReadResponseToNoRead",
     {"c142 000000a1 0000000000000004 0102030405060708", "c142 000000a1 000000000000000c"},
     "0206 0000"},
    {"ReadRequestMsn", {READ_ZERO_2}, "1203 c000 002e 4141 00000000 00000001 00000002 00000000"},
    {"ReadRequestTooLong",
     {"4141 00000000 00000001 00000001 00000000"
      "00000001 0000000000000000 00000000 00000001 0000000000000000 00"},
     "1205 c000 002f 4141 00000000 00000001 00000001 00000000"},
    {"ReadRequestTooShort",
     {"4141 00000000 00000001 00000001 00000000"
      "00000001 0000000000000000 00000000 00000001 00000000000000"},
     "02ff c000 002d 4141 00000000 00000001 00000001 00000000"},
    {"ReadRequestInSeveralSegments",
     {"0141 00000000 00000001 00000001 00000000"
      "00000001 0000000000000000 00000000 00000001 0000000000000000"},
     "02ff c000 002e 0141 00000000 00000001 00000001 00000000"},
    {"ReadRequestBeyondIrd",
     {READ_ZERO,
      READ_ZERO_2,
      "4141 00000000 00000001 00000003 00000000"
      "00000077 0000000000000001 00000010 000000a1 0000000000000000"},
     "1202 e000 002e 4141 00000000 00000001 00000003 00000000"
     "00000077 0000000000000001 00000010 000000a1 0000000000000000"},
    {"ReadRequestUnknownSource",
     {"4141 00000000 00000001 00000001 00000000"
      "00000077 0000000000000001 00000010 00000055 0000000000000000"},
     "0100 e000 002e 4141 00000000 00000001 00000001 00000000"
     "00000077 0000000000000001 00000010 00000055 0000000000000000"},
    {"ReadRequestOutOfBounds",
     {"4141 00000000 00000001 00000001 00000000"
      "00000077 0000000000000001 00000010 000000a1 0000000000000001"},
     "0101 e000 002e 4141 00000000 00000001 00000001 00000000"
     "00000077 0000000000000001 00000010 000000a1 0000000000000001"},
    {"ReadRequestMo",
     {"4141 00000000 00000001 00000001 00000001"
      "00000001 0000000000000000 00000000 00000001 0000000000000000"},
     "1204 c000 002e 4141 00000000 00000001 00000001 00000001"},
    {"TerminateOnTheSendQueue", {"4147 00000000 00000000 00000001 00000000 00000000"}, "0206 0000"},
    {"TerminateMo",
     {"4147 00000000 00000002 00000001 00000004 00000000"},
     "1204 c000 0016 4147 00000000 00000002 00000001 00000004"},
    {"TerminateMsn",
     {"4147 00000000 00000002 00000002 00000000 00000000"},
     "1203 c000 0016 4147 00000000 00000002 00000002 00000000"},
};

class RdmapStreamErrorTest : public RdmapStreamFixture,
                             public testing::WithParamInterface<ErrorRule>
{
  protected:
    void SetUp() override
    {
        m_consumer.memory[0xa1] = ByteVector(16);
        m_stream.StartReadRequest({0xa1, 4, 8, 1, 0});
        Emit();
    }
};

TEST_P(RdmapStreamErrorTest, EndsTheStreamWithItsTerminate)
{
    const ErrorRule& rule = GetParam();
    for (const char* ulpdu : rule.ulpdus)
    {
        ASSERT_FALSE(m_stream.IsFailed());
        Receive(ulpdu);
    }
    ASSERT_TRUE(m_stream.IsFailed());
    ASSERT_TRUE(m_consumer.failure);
    EXPECT_EQ(m_consumer.events.back(), "failed");
    EXPECT_EQ(m_consumer.segments, rule.ulpdus.size() - 1);
    EXPECT_GE(m_consumer.emissionsReady, 1U);
    EXPECT_EQ(Emit(),
              HexBytes("4147 00000000 00000002 00000001 00000000" + std::string(rule.terminate)));
    EXPECT_FALSE(m_stream.HasSegment());
}

TEST_P(RdmapStreamErrorTest, NothingIsDeliveredAfterwards)
{
    for (const char* ulpdu : GetParam().ulpdus)
    {
        Receive(ulpdu);
    }
    const auto events = m_consumer.events;
    const uint32_t segments = m_consumer.segments;
    Receive(FIRST_SEND);
    Receive("c140 000000a1 0000000000000000 0102");
    Receive("4147 00000000 00000002 00000001 00000000 20020000");
    EXPECT_EQ(m_consumer.events, events);
    EXPECT_EQ(m_consumer.segments, segments);
    EXPECT_FALSE(m_consumer.peerTerminate);
}

INSTANTIATE_TEST_SUITE_P(Rules,
                         RdmapStreamErrorTest,
                         testing::ValuesIn(RULES),
                         [](const testing::TestParamInfo<ErrorRule>& rule) {
                             return std::string(rule.param.name);
                         });

/// A consumer that refuses Sends.
class SendRefusingConsumer : public RecordingConsumer
{
  public:
    std::optional<DdpError> placeError;
    std::optional<RdmapError> deliverError;

    tl::expected<void, DdpError> PlaceSend(uint32_t msn,
                                           uint32_t messageOffset,
                                           ByteSpan payload) override
    {
        if (placeError)
        {
            return tl::make_unexpected(*placeError);
        }
        return RecordingConsumer::PlaceSend(msn, messageOffset, payload);
    }

    tl::expected<void, RdmapError> DeliverSend(const SendDelivery& delivery) override
    {
        if (deliverError)
        {
            return tl::make_unexpected(*deliverError);
        }
        return RecordingConsumer::DeliverSend(delivery);
    }
};

class RdmapStreamRefusedSendTest : public testing::Test
{
  protected:
    /// \return the ULPDU that answers \p send.
    ByteVector Answer(const char* send)
    {
        m_stream.ReceiveUlpdu(HexBytes(send));
        if (!m_stream.HasSegment())
        {
            return {};
        }
        m_stream.EmitSegment();
        return m_lower.ulpdus.back();
    }

    RecordingUlpduStream m_lower;
    SendRefusingConsumer m_consumer;
    RdmapStream m_stream{m_lower, m_consumer, {1}};
};

TEST_F(RdmapStreamRefusedSendTest, NoReceivePosted)
{
    m_consumer.placeError = DdpError::UNTAGGED_NO_BUFFER;
    EXPECT_EQ(Answer(FIRST_SEND),
              HexBytes("4147 00000000 00000002 00000001 00000000"
                       "1202 c000 0012 4143 00000000 00000000 00000001 00000000"));
    EXPECT_TRUE(m_consumer.sends.empty());
}

TEST_F(RdmapStreamRefusedSendTest, LongerThanTheReceive)
{
    m_consumer.placeError = DdpError::UNTAGGED_TOO_LONG;
    EXPECT_EQ(Answer(FIRST_SEND_PART),
              HexBytes("4147 00000000 00000002 00000001 00000000"
                       "1205 c000 0016 0143 00000000 00000000 00000001 00000000"));
}

TEST_F(RdmapStreamRefusedSendTest, LocalFaultCarriesNoCopies)
{
    m_consumer.placeError = DdpError::LOCAL_CATASTROPHIC;
    EXPECT_EQ(Answer(FIRST_SEND), HexBytes("4147 00000000 00000002 00000001 00000000 1000 0000"));
}

TEST_F(RdmapStreamRefusedSendTest, StagThatCannotBeInvalidated)
{
    m_consumer.deliverError = RdmapError::PROTECTION_CANNOT_INVALIDATE;
    EXPECT_EQ(Answer("4144 00000055 00000000 00000001 00000000"),
              HexBytes("4147 00000000 00000002 00000001 00000000"
                       "0109 c000 0012 4144 00000055 00000000 00000001 00000000"));
    EXPECT_EQ(m_consumer.segments, 0U);
}

/// A consumer that fails its own stream from within a callback.
class SelfFailingConsumer : public RecordingConsumer
{
  public:
    RdmapStream* stream{nullptr};

    tl::expected<PayloadSource, RdmapError> OpenReadSource(Stag stag,
                                                           uint64_t offset,
                                                           uint32_t length) override
    {
        stream->Fail(TerminateMessage());
        return RecordingConsumer::OpenReadSource(stag, offset, length);
    }
};

TEST(RdmapStreamSelfFailTest, OnlyTheTerminateIsLeft)
{
    RecordingUlpduStream lower;
    SelfFailingConsumer consumer;
    RdmapStream stream(lower, consumer, {1});
    consumer.stream = &stream;
    consumer.memory[0xa1] = ByteVector(16);
    stream.ReceiveUlpdu(HexBytes("4141 00000000 00000001 00000001 00000000"
                                 "00000077 0000000000000001 00000010 000000a1 0000000000000000"));
    EXPECT_EQ(consumer.segments, 0U);
    EXPECT_EQ(stream.EmitSegment().opcode, RdmapOpcode::TERMINATE);
    EXPECT_FALSE(stream.HasSegment());
}

} // namespace

} // namespace ns3::nfsrdma
