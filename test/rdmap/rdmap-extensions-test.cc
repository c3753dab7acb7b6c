/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/rdmap-stream-fixture.h"

namespace ns3::nfsrdma
{

namespace
{

using Events = std::vector<std::string>;

const char* const READ_ZERO_1 = "4141 00000000 00000001 00000001 00000000"
                                "00000001 0000000000000000 00000000 00000001 0000000000000000";
const char* const ADD_5_AT_8 = "00000000 0000002a 000000a1 0000000000000008"
                               "0000000000000005 0000000000000000"
                               "0000000000000000 0000000000000000";

/// \return an Atomic Request that adds 5 at TO 8, with \p msn of queue 1.
std::string
AtomicUlpdu(const std::string& msn)
{
    return "414a 00000000 00000001 " + msn + " 00000000 " + ADD_5_AT_8;
}

/// One stream with RFC 7306, over a consumer that takes it.
class RdmapExtensionsTest : public testing::Test
{
  protected:
    static constexpr uint32_t IRD = 2;

    void Receive(const std::string& ulpdu)
    {
        m_stream.ReceiveUlpdu(HexBytes(ulpdu));
    }

    ByteVector Emit()
    {
        EXPECT_TRUE(m_stream.HasSegment());
        m_emitted = m_stream.EmitSegment();
        return m_lower.ulpdus.back();
    }

    RecordingUlpduStream m_lower;
    ExtendedConsumer m_consumer;
    RdmapStream m_stream{m_lower, m_consumer, {IRD, RDMAP_VERSION, true}};
    EmittedSegment m_emitted;
};

TEST_F(RdmapExtensionsTest, ImmediateDataSharesTheMsnOfSends)
{
    m_stream.StartSend(RdmapOpcode::SEND, 0, 0, nullptr);
    Emit();
    m_stream.StartImmediate(RdmapOpcode::IMMEDIATE, {0x0102030405060708});
    EXPECT_EQ(Emit(), HexBytes("4148 00000000 00000000 00000002 00000000 0102030405060708"));
    EXPECT_EQ(m_emitted.opcode, RdmapOpcode::IMMEDIATE);
    EXPECT_EQ(m_emitted.payloadLength, 0U) << "nothing is fetched from memory";
    m_stream.StartImmediate(RdmapOpcode::IMMEDIATE_SE, {9});
    EXPECT_EQ(Emit(), HexBytes("4149 00000000 00000000 00000003 00000000 0000000000000009"));

    Receive("4143 00000000 00000000 00000001 00000000");
    Receive("4148 00000000 00000000 00000002 00000000 0102030405060708");
    Receive("4149 00000000 00000000 00000003 00000000 0000000000000009");
    EXPECT_EQ(m_consumer.events, (Events{"send 1@0+0", "send done", "immediate", "immediate"}));
    ASSERT_EQ(m_consumer.immediates.size(), 2U);
    EXPECT_EQ(m_consumer.immediates[0],
              std::make_pair(RdmapOpcode::IMMEDIATE, uint64_t{0x0102030405060708}));
    EXPECT_EQ(m_consumer.immediates[1], std::make_pair(RdmapOpcode::IMMEDIATE_SE, uint64_t{9}));
}

TEST_F(RdmapExtensionsTest, AtomicsShareTheMsnOfReadRequests)
{
    m_stream.StartReadRequest({1, 0, 0, 1, 0});
    Emit();
    AtomicRequest request;
    request.identifier = 42;
    request.remoteStag = 0xa1;
    request.remoteOffset = 8;
    request.data = 5;
    m_stream.StartAtomic(request);
    EXPECT_EQ(Emit(), HexBytes(AtomicUlpdu("00000002")));
    EXPECT_EQ(m_emitted.opcode, RdmapOpcode::ATOMIC_REQUEST);
    EXPECT_EQ(m_stream.GetOutstandingReads(), 2U);

    Receive("c142 00000001 0000000000000000");
    Receive("414b 00000000 00000003 00000001 00000000 0000002a 1112131415161718");
    EXPECT_EQ(m_consumer.answers, std::vector<uint64_t>{0x1112131415161718});
    EXPECT_EQ(m_stream.GetOutstandingReads(), 0U);
    EXPECT_EQ(m_consumer.events, (Events{"read done", "atomic done"}));
}

TEST_F(RdmapExtensionsTest, ResponsesKeepTheOrderOfReadsAndAtomics)
{
    m_consumer.words[8] = 37;
    Receive(AtomicUlpdu("00000001"));
    EXPECT_EQ(m_consumer.emissionsReady, 1U);
    EXPECT_EQ(m_consumer.words[8], 42U);
    EXPECT_EQ(m_stream.GetInboundReads(), 1U);
    Receive("4141 00000000 00000001 00000002 00000000"
            "00000001 0000000000000000 00000000 00000001 0000000000000000");
    EXPECT_EQ(Emit(),
              HexBytes("414b 00000000 00000003 00000001 00000000 0000002a 0000000000000025"));
    EXPECT_EQ(m_emitted.opcode, RdmapOpcode::ATOMIC_RESPONSE);
    EXPECT_EQ(m_emitted.payloadLength, 0U);
    EXPECT_EQ(Emit(), HexBytes("c142 00000001 0000000000000000"));
    Receive(AtomicUlpdu("00000003"));
    EXPECT_EQ(Emit(),
              HexBytes("414b 00000000 00000003 00000002 00000000 0000002a 000000000000002a"));
    EXPECT_EQ(m_consumer.words[8], 47U);
}

TEST_F(RdmapExtensionsTest, CompareAndSwapUnderMasks)
{
    m_consumer.words[16] = 0x1234;
    Receive("414a 00000000 00000001 00000001 00000000 00000002 00000007 000000a1 0000000000000010"
            "000000000000aaaa 00000000000000ff 0000000000001200 000000000000ff00");
    EXPECT_EQ(m_consumer.words[16], 0x12aaU);
    EXPECT_EQ(Emit(),
              HexBytes("414b 00000000 00000003 00000001 00000000 00000007 0000000000001234"));
}

TEST_F(RdmapExtensionsTest, RequestsAndImmediateDataWaitForTheirTurn)
{
    EXPECT_FALSE(m_stream.PlaceUlpdu(HexBytes(AtomicUlpdu("00000001"))));
    EXPECT_FALSE(
        m_stream.PlaceUlpdu(HexBytes("4148 00000000 00000000 00000001 00000000 0102030405060708")));
    EXPECT_FALSE(m_stream.PlaceUlpdu(
        HexBytes("414b 00000000 00000003 00000001 00000000 0000002a 0000000000000025")));
    EXPECT_TRUE(m_consumer.events.empty());
}

struct ExtensionRule
{
    const char* name;
    std::vector<std::string> ulpdus; ///< Only the last one is at fault.
    const char* terminate;
};

// The stream has an Atomic Request with identifier 0x2a outstanding.
const std::vector<ExtensionRule> EXTENSION_RULES = {
    {"OpcodeUnknown", {"414c 00000000 00000000 00000001 00000000"}, "0206 0000"},
    {"QueueUnknown",
     {"414b 00000000 00000004 00000001 00000000"},
     "1201 c000 0012 414b 00000000 00000004 00000001 00000000"},
    {"ImmediateInATaggedSegment", {"c148 000000a1 0000000000000000"}, "0206 0000"},
    {"ImmediateOnTheReadRequestQueue",
     {"4148 00000000 00000001 00000001 00000000 0102030405060708"},
     "0206 0000"},
    {"AtomicRequestOnTheSendQueue", {"414a 00000000 00000000 00000001 00000000"}, "0206 0000"},
    {"SendOnTheAtomicResponseQueue", {"4143 00000000 00000003 00000001 00000000"}, "0206 0000"},
    {"ImmediateWithinASend",
     {"0143 00000000 00000000 00000001 00000000 01020304",
      "4148 00000000 00000000 00000001 00000004 0102030405060708"},
     "0206 0000"},
    {"ImmediateMsn",
     {"4148 00000000 00000000 00000002 00000000 0102030405060708"},
     "1203 c000 001a 4148 00000000 00000000 00000002 00000000"},
    {"ImmediateTooLong",
     {"4148 00000000 00000000 00000001 00000000 010203040506070809"},
     "1205 c000 001b 4148 00000000 00000000 00000001 00000000"},
    {"ImmediateTooShort",
     {"4149 00000000 00000000 00000001 00000000 01020304050607"},
     "02ff c000 0019 4149 00000000 00000000 00000001 00000000"},
    {"ImmediateInSeveralSegments",
     {"0148 00000000 00000000 00000001 00000000 0102030405060708"},
     "02ff c000 001a 0148 00000000 00000000 00000001 00000000"},
    {"AtomicRequestMsn",
     {AtomicUlpdu("00000002")},
     "1203 c000 0046 414a 00000000 00000001 00000002 00000000"},
    {"AtomicRequestTooLong",
     {AtomicUlpdu("00000001") + "00"},
     "1205 c000 0047 414a 00000000 00000001 00000001 00000000"},
    {"AtomicRequestTooShort",
     {"414a 00000000 00000001 00000001 00000000 00"},
     "02ff c000 0013 414a 00000000 00000001 00000001 00000000"},
    {"AtomicRequestBeyondIrd",
     {READ_ZERO_1, AtomicUlpdu("00000002"), AtomicUlpdu("00000003")},
     "1202 c000 0046 414a 00000000 00000001 00000003 00000000"},
    {"AtomicOperationUnknown",
     {"414a 00000000 00000001 00000001 00000000 00000001 0000002a 000000a1 0000000000000008"
      "0000000000000005 0000000000000000 0000000000000000 0000000000000000"},
     "0206 0000"},
    {"AtomicOperandNotAligned",
     {"414a 00000000 00000001 00000001 00000000 00000000 0000002a 000000a1 000000000000000c"
      "0000000000000005 0000000000000000 0000000000000000 0000000000000000"},
     "0207 c000 0046 414a 00000000 00000001 00000001 00000000"},
    {"AtomicStagUnknown",
     {"414a 00000000 00000001 00000001 00000000 00000000 0000002a 000000a2 0000000000000008"
      "0000000000000005 0000000000000000 0000000000000000 0000000000000000"},
     "0100 c000 0046 414a 00000000 00000001 00000001 00000000"},
    {"AtomicResponseMsn",
     {"414b 00000000 00000003 00000002 00000000 0000002a 0000000000000025"},
     "1203 c000 001e 414b 00000000 00000003 00000002 00000000"},
    {"AtomicResponseTooLong",
     {"414b 00000000 00000003 00000001 00000000 0000002a 0000000000000025 00"},
     "1205 c000 001f 414b 00000000 00000003 00000001 00000000"},
    {"AtomicResponseTooShort",
     {"414b 00000000 00000003 00000001 00000000 0000002a 00000000000025"},
     "02ff c000 001d 414b 00000000 00000003 00000001 00000000"},
    {"AtomicResponseToAnotherRequest",
     {"414b 00000000 00000003 00000001 00000000 0000002b 0000000000000025"},
     "02ff c000 001e 414b 00000000 00000003 00000001 00000000"},
    {"AtomicResponseToNoRequest",
     {"414b 00000000 00000003 00000001 00000000 0000002a 0000000000000025",
      "414b 00000000 00000003 00000002 00000000 0000002a 0000000000000025"},
     "0206 0000"},
    {"ReadResponseToAnAtomicRequest", {"c142 00000000 0000000000000000"}, "0206 0000"},
};

class RdmapExtensionsErrorTest : public RdmapExtensionsTest,
                                 public testing::WithParamInterface<ExtensionRule>
{
};

TEST_P(RdmapExtensionsErrorTest, EndsTheStreamWithItsTerminate)
{
    AtomicRequest request;
    request.identifier = 0x2a;
    m_stream.StartAtomic(request);
    Emit();
    for (const std::string& ulpdu : GetParam().ulpdus)
    {
        ASSERT_FALSE(m_stream.IsFailed());
        Receive(ulpdu);
    }
    ASSERT_TRUE(m_stream.IsFailed());
    EXPECT_EQ(Emit(), HexBytes(std::string(TERMINATE_HEADER) + GetParam().terminate));
    EXPECT_FALSE(m_stream.HasSegment());
}

INSTANTIATE_TEST_SUITE_P(Rules,
                         RdmapExtensionsErrorTest,
                         testing::ValuesIn(EXTENSION_RULES),
                         [](const auto& rule) { return std::string(rule.param.name); });

TEST_F(RdmapExtensionsTest, ImmediateDataNeedAReceive)
{
    m_consumer.receives = 0;
    Receive("4148 00000000 00000000 00000001 00000000 0102030405060708");
    EXPECT_EQ(Emit(),
              HexBytes(std::string(TERMINATE_HEADER) +
                       "1202 c000 001a 4148 00000000 00000000 00000001 00000000"));
}

/// A stream with RFC 7306 over a consumer that has not heard of it.
class PlainConsumerTest : public RdmapStreamFixture
{
  protected:
    PlainConsumerTest()
        : RdmapStreamFixture({IRD, RDMAP_VERSION, true})
    {
    }
};

TEST_F(PlainConsumerTest, RefusesImmediateData)
{
    Receive("4148 00000000 00000000 00000001 00000000 0102030405060708");
    EXPECT_EQ(Emit(),
              HexBytes(std::string(TERMINATE_HEADER) +
                       "1202 c000 001a 4148 00000000 00000000 00000001 00000000"));
}

TEST_F(PlainConsumerTest, RefusesAtomics)
{
    Receive(AtomicUlpdu("00000001"));
    EXPECT_EQ(Emit(),
              HexBytes(std::string(TERMINATE_HEADER) +
                       "0102 c000 0046 414a 00000000 00000001 00000001 00000000"));
}

TEST_F(PlainConsumerTest, FailsOnAnAnswerItCannotHaveWanted)
{
    m_stream.StartAtomic(AtomicRequest());
    Emit();
    Receive("414b 00000000 00000003 00000001 00000000 00000000 0000000000000025");
    EXPECT_EQ(Emit(), HexBytes(std::string(TERMINATE_HEADER) + "0000 0000"));
}

} // namespace

} // namespace ns3::nfsrdma
