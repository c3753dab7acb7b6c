/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/control-field.h"
#include "rdmap/terminate-message.h"
#include "wire/hex-bytes.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace ns3::nfsrdma
{

namespace
{

ByteVector
EncodeTerminate(const TerminateMessage& message)
{
    ByteVector octets(message.EncodedSize());
    ByteWriter writer(octets);
    message.Encode(writer);
    EXPECT_TRUE(writer.Ok());
    EXPECT_EQ(writer.Remaining(), 0U);
    return octets;
}

TEST(RdmapControlTest, EveryOctet)
{
    for (unsigned octet = 0; octet < 256; ++octet)
    {
        const auto opcode = DecodeRdmapControl(static_cast<uint8_t>(octet));
        if (octet >> 6 != RDMAP_VERSION)
        {
            ASSERT_FALSE(opcode) << octet;
            EXPECT_EQ(opcode.error(), WireError::BAD_VERSION);
        }
        else if ((octet & 0x0f) > 7)
        {
            ASSERT_FALSE(opcode) << octet;
            EXPECT_EQ(opcode.error(), WireError::BAD_VALUE);
        }
        else
        {
            ASSERT_TRUE(opcode) << octet;
            EXPECT_EQ(EncodeRdmapControl(*opcode), octet & 0xcf);
        }
    }
}

TEST(RdmapControlTest, EveryOctetOfEachVersionWithExtensions)
{
    for (const uint8_t version : {0, 1, 2, 3})
    {
        for (unsigned octet = 0; octet < 256; ++octet)
        {
            const auto opcode = DecodeRdmapControl(static_cast<uint8_t>(octet), version, true);
            const bool good = octet >> 6 == version && (octet & 0x0f) < RDMAP_OPCODES;
            ASSERT_EQ(opcode.has_value(), good) << octet;
            if (good)
            {
                EXPECT_EQ(EncodeRdmapControl(*opcode, version), octet & 0xcf);
            }
        }
    }
}

TEST(RdmapControlTest, NamesDiffer)
{
    std::set<std::string> names;
    for (uint8_t opcode = 0; opcode < RDMAP_OPCODES; ++opcode)
    {
        names.insert(ToString(static_cast<RdmapOpcode>(opcode)));
    }
    EXPECT_EQ(names.size(), RDMAP_OPCODES);
    EXPECT_EQ(names.count(ToString(static_cast<RdmapOpcode>(RDMAP_OPCODES))), 0U);
}

struct ReadRequestVector
{
    const char* octets;
    RdmaReadRequest request;
};

const ReadRequestVector READ_REQUESTS[] = {
    {"00000077 0000000000009000 00001000 00abcd02 0000000000020000",
     {0x77, 0x9000, 0x1000, 0x00abcd02, 0x20000}},
    {"66fdfa00 0000563e9bd1e350 000000c8 63bc5c00 000055c46e43bf30", // Linux, rping
     {0x66fdfa00, 0x0000563e9bd1e350, 200, 0x63bc5c00, 0x000055c46e43bf30}},
};

TEST(RdmaReadRequestTest, VectorsDecodeAndEncodeTheSame)
{
    for (const ReadRequestVector& vector : READ_REQUESTS)
    {
        const ByteVector octets = HexBytes(vector.octets);
        ByteReader reader(octets);
        const auto request = RdmaReadRequest::Decode(reader);
        ASSERT_TRUE(request);
        EXPECT_EQ(request->sinkStag, vector.request.sinkStag);
        EXPECT_EQ(request->sinkOffset, vector.request.sinkOffset);
        EXPECT_EQ(request->length, vector.request.length);
        EXPECT_EQ(request->sourceStag, vector.request.sourceStag);
        EXPECT_EQ(request->sourceOffset, vector.request.sourceOffset);
        ByteVector again(RdmaReadRequest::SIZE);
        ByteWriter writer(again);
        request->Encode(writer);
        EXPECT_EQ(again, octets);
    }
}

TEST(RdmaReadRequestTest, EveryTruncationIsRefused)
{
    const ByteVector octets = HexBytes(READ_REQUESTS[0].octets);
    for (std::size_t length = 0; length < octets.size(); ++length)
    {
        ByteReader reader(ByteSpan(octets).first(length));
        const auto request = RdmaReadRequest::Decode(reader);
        ASSERT_FALSE(request) << length;
        EXPECT_EQ(request.error(), WireError::TRUNCATED);
    }
}

struct TerminateVector
{
    const char* name;
    const char* octets;
    TerminateReason reason;
    bool hasLength;
    bool hasDdpHeader;
    bool hasReadRequest;
};

const TerminateVector TERMINATES[] = {
    {"OfReadRequest",
     "0101e000 002e 4141 00000000 00000001 00000002 00000000 00000077 0000000000009000 000007d0"
     "00abcd02 0000000000020000",
     {0, 1, 1},
     true,
     true,
     true},
    {"OfWrite", "1100c000 0072 c140 00000055 0000000000000066", {1, 1, 0}, true, true, false},
    {"OfCrc", "20020000", {2, 0, 2}, false, false, false},
    {"OfSend",
     "1203c000 0022 4143 00000000 00000000 00000384 00000000",
     {1, 2, 3},
     true,
     true,
     false},
    {"LengthOnly", "02078000 0001", {0, 2, 7}, true, false, false},
};

class TerminateVectorTest : public testing::TestWithParam<TerminateVector>
{
};

TEST_P(TerminateVectorTest, DecodesAndEncodesTheSameOctets)
{
    const TerminateVector& expected = GetParam();
    const ByteVector octets = HexBytes(expected.octets);
    const auto message = TerminateMessage::Decode(octets);
    ASSERT_TRUE(message);
    EXPECT_EQ(message->reason, expected.reason);
    EXPECT_EQ(message->segmentLength.has_value(), expected.hasLength);
    EXPECT_EQ(message->ddpHeader.has_value(), expected.hasDdpHeader);
    EXPECT_EQ(message->readRequest.has_value(), expected.hasReadRequest);
    EXPECT_EQ(EncodeTerminate(*message), octets);
}

TEST_P(TerminateVectorTest, EveryTruncationIsRefused)
{
    const ByteVector octets = HexBytes(GetParam().octets);
    for (std::size_t length = 0; length < octets.size(); ++length)
    {
        const ByteSpan part = ByteSpan(octets).first(length);
        const auto message = TerminateMessage::Decode(part);
        ASSERT_FALSE(message) << length;
        EXPECT_EQ(message.error(), WireError::TRUNCATED) << length;
        const auto reason = TerminateMessage::DecodeReason(part);
        ASSERT_EQ(reason.has_value(), length >= 2) << length;
        EXPECT_EQ(reason.value_or(GetParam().reason), GetParam().reason);
    }
}

INSTANTIATE_TEST_SUITE_P(Vectors,
                         TerminateVectorTest,
                         testing::ValuesIn(TERMINATES),
                         [](const testing::TestParamInfo<TerminateVector>& vector) {
                             return std::string(vector.param.name);
                         });

TEST(TerminateMessageTest, FieldsOfTheCopies)
{
    const auto message = TerminateMessage::Decode(HexBytes(TERMINATES[0].octets));
    ASSERT_TRUE(message);
    EXPECT_EQ(message->segmentLength, 46);
    const auto& header = std::get<DdpUntaggedHeader>(*message->ddpHeader);
    EXPECT_EQ(header.queueNumber, 1U);
    EXPECT_EQ(header.messageSequenceNumber, 2U);
    EXPECT_EQ(message->readRequest->length, 2000U);
}

TEST(TerminateMessageTest, LengthIsThereWithTheDdpHeader)
{
    TerminateMessage message;
    message.reason = {1, 1, 0};
    message.ddpHeader = DdpTaggedHeader{true, 0x40, 0x55, 0x66};
    const ByteVector octets = EncodeTerminate(message);
    EXPECT_EQ(octets, HexBytes("11004000 0000 c140 00000055 0000000000000066"));
    const auto decoded = TerminateMessage::Decode(octets);
    ASSERT_TRUE(decoded);
    EXPECT_FALSE(decoded->segmentLength);
    EXPECT_TRUE(decoded->ddpHeader);
}

TEST(TerminateMessageTest, LinuxControlBitsAnnounceNoCopies)
{
    const auto write =
        TerminateMessage::Decode(HexBytes("11000300 0020 c140 12345678 0000000000001000"));
    ASSERT_TRUE(write);
    EXPECT_EQ(write->reason, TerminateReason::From(DdpError::TAGGED_INVALID_STAG));
    EXPECT_FALSE(write->segmentLength);
    EXPECT_FALSE(write->ddpHeader);

    const auto msn = TerminateMessage::Decode(
        HexBytes("21030300 0010 4143 00000000 00000000 00000384 00000000"));
    ASSERT_TRUE(msn);
    EXPECT_EQ(msn->reason, (TerminateReason{2, 1, 3}));
}

TEST(TerminateMessageTest, TheCopyMayBeOfAnyDdpVersion)
{
    for (const char* text : {"1100c000 0072 c000 00000055 0000000000000066",
                             "1204c000 0012 4303 00000000 00000000 00000001 00000005"})
    {
        const ByteVector octets = HexBytes(text);
        const auto message = TerminateMessage::Decode(octets);
        ASSERT_TRUE(message);
        EXPECT_EQ(EncodeTerminate(*message), octets);
    }
}

TEST(TerminateMessageTest, RandomOctetsNeverOverread)
{
    std::mt19937 generator(5040);
    int decoded = 0;
    for (int round = 0; round < 20000; ++round)
    {
        const ByteVector octets = RandomBytes(generator, generator() % 60);
        if (const auto message = TerminateMessage::Decode(octets))
        {
            ++decoded;
            const auto again = TerminateMessage::Decode(EncodeTerminate(*message));
            ASSERT_TRUE(again);
            EXPECT_EQ(again->reason, message->reason);
            EXPECT_EQ(again->segmentLength, message->segmentLength);
            EXPECT_EQ(EncodeTerminate(*again), EncodeTerminate(*message));
        }
    }
    EXPECT_GT(decoded, 1000);
}

TEST(TerminateReasonTest, ShowsNumbersAndName)
{
    EXPECT_EQ(TerminateReason::From(DdpError::UNTAGGED_NO_BUFFER).ToString(), "1/2/02 no buffer");
    EXPECT_EQ(TerminateReason::From(MpaError::CRC_MISMATCH).ToString(), "2/0/02 CRC mismatch");
    EXPECT_EQ(TerminateReason::From(RdmapError::OPERATION_UNSPECIFIED).ToString(),
              "0/2/ff unspecified operation error");
    EXPECT_EQ((TerminateReason{15, 15, 255}).ToString(), "f/f/ff unknown");
    EXPECT_EQ((TerminateReason{2, 1, 2}).ToString(), "2/1/02 unknown");
}

TEST(TerminateReasonTest, EveryRdmapErrorHasAName)
{
    for (const uint16_t value : {0x000,
                                 0x100,
                                 0x101,
                                 0x102,
                                 0x103,
                                 0x104,
                                 0x109,
                                 0x1ff,
                                 0x205,
                                 0x206,
                                 0x207,
                                 0x208,
                                 0x209,
                                 0x2ff})
    {
        const auto reason = TerminateReason::From(static_cast<RdmapError>(value));
        EXPECT_EQ(reason.layer, 0);
        EXPECT_EQ(reason.errorType << 8 | reason.errorCode, value);
        EXPECT_EQ(reason.ToString().find("unknown"), std::string::npos) << value;
    }
}

} // namespace

} // namespace ns3::nfsrdma
