/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/call-header-check.h"
#include "wire/hex-bytes.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

using V = CallVerdict;
using F = CallFault;

const std::string MSG = "00001001 00000001 00000020 00000000";
const std::string NOMSG = "00001001 00000001 00000020 00000001";
const std::string LISTS = "00000000 00000000 00000000";
const std::string CALL = "00001001 00000000 00000002 00061a80 00000001 00000002 00000000 00000000";

std::string
Word(uint32_t value)
{
    std::string text(8, '0');
    for (int digit = 7; digit >= 0; --digit, value >>= 4)
    {
        text[static_cast<std::size_t>(digit)] = "0123456789abcdef"[value & 15];
    }
    return text + " ";
}

std::string
Segment(uint32_t length)
{
    return "00000007 " + Word(length) + "0000000000001000 ";
}

/// An entry of a Read list.
std::string
Read(uint32_t position, uint32_t length)
{
    return "00000001 " + Word(position) + Segment(length);
}

/// What both sets of rules make of one message.
struct Case
{
    const char* name;
    std::string message;
    V rfcVerdict;
    F rfcFault;
    V linuxVerdict;
    F linuxFault;
};

const std::string AFTER_READS = "00000000 00000000 00000000 ";

// The inline CALL has 32 octets.
const std::vector<Case> CASES{
    {"call", MSG + LISTS + CALL, V::CALL, F::NONE, V::CALL, F::NONE},
    {"empty", "", V::DISCARD, F::TOO_SHORT, V::DISCARD, F::TOO_SHORT},
    {"15 octets",
     "00001001 00000001 00000020 000000",
     V::DISCARD,
     F::TOO_SHORT,
     V::DISCARD,
     F::TOO_SHORT},
    {"16 octets", MSG, V::DISCARD, F::TOO_SHORT, V::ERR_CHUNK, F::TRUNCATED},
    {"27 octets",
     MSG + "00000000 00000000 000000",
     V::DISCARD,
     F::TOO_SHORT,
     V::ERR_CHUNK,
     F::TRUNCATED},
    {"28 octets", MSG + LISTS, V::CALL, F::NONE, V::CALL, F::NONE},
    {"version 0",
     "00001001 00000000 00000020 00000000" + LISTS + CALL,
     V::ERR_VERS,
     F::VERSION,
     V::ERR_VERS,
     F::VERSION},
    {"version 2 and nothing that version 1 knows",
     "00001001 00000002 00000020 00000077 ffffffff ffffffff ffffffff",
     V::ERR_VERS,
     F::VERSION,
     V::ERR_VERS,
     F::VERSION},
    {"version 2 in 16 octets",
     "00001001 00000002 00000020 00000000",
     V::DISCARD,
     F::TOO_SHORT,
     V::ERR_VERS,
     F::VERSION},
    {"procedure 5",
     "00001001 00000001 00000020 00000005" + LISTS + CALL,
     V::ERR_CHUNK,
     F::PROC,
     V::ERR_CHUNK,
     F::PROC},
    {"procedure ffffffff",
     "00001001 00000001 00000020 ffffffff" + LISTS + CALL,
     V::ERR_CHUNK,
     F::PROC,
     V::ERR_CHUNK,
     F::PROC},
    {"RDMA_MSGP",
     "00001001 00000001 00000020 00000002 00000004 00000400" + LISTS + CALL,
     V::ERR_CHUNK,
     F::MSGP,
     V::ERR_CHUNK,
     F::MSGP},
    {"RDMA_DONE", "00001001 00000001 00000020 00000003", V::DONE, F::DONE, V::DONE, F::DONE},
    {"RDMA_DONE with octets after it",
     "00001001 00000001 00000020 00000003" + LISTS + CALL,
     V::DONE,
     F::DONE,
     V::DONE,
     F::DONE},
    {"RDMA_ERROR",
     "00001001 00000001 00000020 00000004 00000002",
     V::ERROR,
     F::ERROR,
     V::ERROR,
     F::ERROR},
    {"RDMA_ERROR cut short",
     "00001001 00000001 00000020 00000004",
     V::ERROR,
     F::ERROR,
     V::ERROR,
     F::ERROR},
    {"Read list discriminator 2",
     MSG + "00000002 00000000 00000000 " + CALL,
     V::ERR_CHUNK,
     F::BAD_VALUE,
     V::ERR_CHUNK,
     F::TRUNCATED},
    {"Read list discriminator 2 before a whole segment",
     MSG + "00000002 00000020 " + Segment(8) + AFTER_READS + CALL,
     V::ERR_CHUNK,
     F::BAD_VALUE,
     V::CALL,
     F::NONE},
    {"Write list discriminator ffffffff",
     MSG + "00000000 ffffffff 00000000 00000000 00000000 " + CALL,
     V::ERR_CHUNK,
     F::BAD_VALUE,
     V::CALL,
     F::NONE},
    {"Reply chunk discriminator 3",
     MSG + "00000000 00000000 00000003 00000001 " + Segment(100) + CALL,
     V::ERR_CHUNK,
     F::BAD_VALUE,
     V::CALL,
     F::NONE},
    {"Read segment cut short",
     MSG + "00000001 00000020 00000007 00000010",
     V::ERR_CHUNK,
     F::TRUNCATED,
     V::ERR_CHUNK,
     F::TRUNCATED},
    {"Read list without end",
     MSG + Read(32, 8),
     V::ERR_CHUNK,
     F::TRUNCATED,
     V::ERR_CHUNK,
     F::TRUNCATED},
    {"Write chunk of more segments than there are",
     MSG + "00000000 00000001 00000002 " + Segment(8) + "00000000 00000000",
     V::ERR_CHUNK,
     F::TRUNCATED,
     V::ERR_CHUNK,
     F::TRUNCATED},
    {"Write list without end",
     MSG + "00000000 00000001 00000001 " + Segment(8),
     V::ERR_CHUNK,
     F::TRUNCATED,
     V::ERR_CHUNK,
     F::TRUNCATED},
    {"Reply chunk of ffffffff segments",
     MSG + "00000000 00000000 00000001 ffffffff",
     V::ERR_CHUNK,
     F::TOO_MANY,
     V::ERR_CHUNK,
     F::TOO_MANY},
    {"Write chunk of 10000000 segments",
     MSG + "00000000 00000001 10000000 " + Segment(8) + "00000000 00000000",
     V::ERR_CHUNK,
     F::TOO_MANY,
     V::ERR_CHUNK,
     F::TOO_MANY},
    {"Reply chunk of 10000000 segments",
     MSG + "00000000 00000000 00000001 10000000 " + Segment(8),
     V::ERR_CHUNK,
     F::TOO_MANY,
     V::ERR_CHUNK,
     F::TOO_MANY},
    {"Reply chunk missing",
     MSG + "00000000 00000001 00000000 00000000",
     V::ERR_CHUNK,
     F::TRUNCATED,
     V::ERR_CHUNK,
     F::TRUNCATED},
    {"Position 30",
     MSG + Read(30, 8) + AFTER_READS + CALL,
     V::ERR_CHUNK,
     F::BAD_VALUE,
     V::ERR_CHUNK,
     F::BAD_VALUE},
    {"Position at the end of the message",
     MSG + Read(32, 8) + AFTER_READS + CALL,
     V::CALL,
     F::NONE,
     V::CALL,
     F::NONE},
    {"Position beyond the end",
     MSG + Read(36, 8) + AFTER_READS + CALL,
     V::ERR_CHUNK,
     F::POSITION,
     V::ERR_CHUNK,
     F::POSITION},
    {"Position that only the chunk before makes good",
     MSG + Read(32, 8) + Read(40, 4) + AFTER_READS + CALL,
     V::CALL,
     F::NONE,
     V::CALL,
     F::NONE},
    {"Position in the chunk before",
     MSG + Read(24, 8) + Read(28, 4) + AFTER_READS + CALL,
     V::ERR_CHUNK,
     F::POSITION,
     V::ERR_CHUNK,
     F::POSITION},
    {"Position in the pad of the chunk before",
     MSG + Read(24, 9) + Read(32, 4) + AFTER_READS + CALL,
     V::ERR_CHUNK,
     F::POSITION,
     V::ERR_CHUNK,
     F::POSITION},
    {"Position ffff fffc",
     MSG + Read(0xfffffffc, 0xffffffff) + AFTER_READS + CALL,
     V::ERR_CHUNK,
     F::POSITION,
     V::ERR_CHUNK,
     F::POSITION},
    {"Positions not ascending",
     MSG + Read(32, 8) + Read(24, 4) + AFTER_READS + CALL,
     V::ERR_CHUNK,
     F::LIST_ORDER,
     V::CALL,
     F::NONE},
    {"segments of a Position not together",
     MSG + Read(24, 8) + Read(32, 4) + Read(24, 4) + AFTER_READS + CALL,
     V::ERR_CHUNK,
     F::LIST_ORDER,
     V::ERR_CHUNK,
     F::POSITION},
    {"Read chunk of three segments, one of no octets",
     MSG + Read(24, 8) + Read(24, 0) + Read(24, 1) + AFTER_READS + CALL,
     V::CALL,
     F::NONE,
     V::CALL,
     F::NONE},
    {"Read chunk of no octets",
     MSG + Read(24, 0) + AFTER_READS + CALL,
     V::CALL,
     F::NONE,
     V::CALL,
     F::NONE},
    {"Write chunks of no segments and of no octets",
     MSG + "00000000 00000001 00000000 00000001 00000001 " + Segment(0) + "00000000 00000000" +
         CALL,
     V::CALL,
     F::NONE,
     V::CALL,
     F::NONE},
    {"Write chunk and Reply chunk",
     MSG + "00000000 00000001 00000001 " + Segment(9) + "00000000 00000001 00000002 " + Segment(8) +
         Segment(8) + CALL,
     V::CALL,
     F::NONE,
     V::CALL,
     F::NONE},
    {"RDMA_NOMSG", NOMSG + Read(0, 40) + AFTER_READS, V::CALL, F::NONE, V::CALL, F::NONE},
    {"RDMA_NOMSG of several segments and another chunk",
     NOMSG + Read(0, 20) + Read(0, 0) + Read(0, 20) + Read(40, 5) + AFTER_READS,
     V::CALL,
     F::NONE,
     V::CALL,
     F::NONE},
    {"RDMA_NOMSG, other chunk beyond that of Position zero",
     NOMSG + Read(0, 40) + Read(44, 5) + AFTER_READS,
     V::ERR_CHUNK,
     F::POSITION,
     V::ERR_CHUNK,
     F::POSITION},
    {"RDMA_NOMSG, all lists empty",
     NOMSG + LISTS,
     V::ERR_CHUNK,
     F::NO_MESSAGE,
     V::DISCARD,
     F::NO_MESSAGE},
    {"RDMA_NOMSG, all lists empty, with a message",
     NOMSG + LISTS + CALL,
     V::ERR_CHUNK,
     F::NO_MESSAGE,
     V::CALL,
     F::NONE},
    {"RDMA_NOMSG with a Reply chunk alone",
     NOMSG + "00000000 00000000 00000001 00000001 " + Segment(8),
     V::ERR_CHUNK,
     F::NOMSG_WITHOUT_ZERO,
     V::CALL,
     F::NONE},
    {"RDMA_NOMSG with a Read chunk at another Position",
     NOMSG + Read(40, 8) + AFTER_READS,
     V::ERR_CHUNK,
     F::NOMSG_WITHOUT_ZERO,
     V::ERR_CHUNK,
     F::POSITION},
    {"RDMA_NOMSG with Position zero and a message",
     NOMSG + Read(0, 40) + AFTER_READS + CALL,
     V::ERR_CHUNK,
     F::NOMSG_WITH_MESSAGE,
     V::CALL,
     F::NONE},
    {"RDMA_MSG with Position zero",
     MSG + Read(0, 40) + AFTER_READS + CALL,
     V::ERR_CHUNK,
     F::MSG_WITH_ZERO,
     V::CALL,
     F::NONE},
    {"XID of the message differs",
     MSG + LISTS + "00001002 00000000 00000002 00061a80",
     V::ERR_CHUNK,
     F::XID,
     V::CALL,
     F::NONE},
    {"reverse Reply",
     MSG + LISTS + "00001001 00000001 00000000 00000000 00000000 00000000",
     V::REPLY,
     F::NONE,
     V::REPLY,
     F::NONE},
    {"a Reply with a chunk is no reverse Reply",
     MSG + "00000000 00000000 00000001 00000000 00001001 00000001 00000000",
     V::CALL,
     F::NONE,
     V::CALL,
     F::NONE},
};

class CallHeaderCheckTest : public testing::TestWithParam<Case>
{
  protected:
    static void Expect(const char* rules, const std::string& message, V verdict, F fault)
    {
        const CallHeaderCheck check(*CallHeaderRules::Create(rules), {});
        const ByteVector octets = HexBytes(message);
        const CheckedCall checked = check.Check(octets);
        EXPECT_EQ(checked.verdict, verdict) << rules << ": " << ToString(checked.verdict);
        EXPECT_EQ(checked.fault, fault) << rules << ": " << ToString(checked.fault);
        if (verdict == V::CALL || verdict == V::REPLY)
        {
            EXPECT_EQ(checked.header.GetEncodedSize(), checked.payloadOffset);
        }
        if (octets.size() >= RpcRdmaFixedHeader::SIZE)
        {
            EXPECT_EQ(checked.fixed.xid, 0x1001U);
        }
    }
};

TEST_P(CallHeaderCheckTest, GetsTheVerdictOfEachSetOfRules)
{
    Expect("rfc8166", GetParam().message, GetParam().rfcVerdict, GetParam().rfcFault);
    Expect("linux", GetParam().message, GetParam().linuxVerdict, GetParam().linuxFault);
}

std::string
NameOf(const testing::TestParamInfo<Case>& info)
{
    std::string name = info.param.name;
    std::replace_if(
        name.begin(),
        name.end(),
        [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; },
        '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Headers, CallHeaderCheckTest, testing::ValuesIn(CASES), NameOf);

CheckedCall
CheckWith(const CallLimits& limits, const std::string& message)
{
    const CallHeaderCheck check(*CallHeaderRules::Create("rfc8166"), limits);
    return check.Check(HexBytes(message));
}

TEST(CallLimitsTest, Rfc8267TakesOneChunkOfEachKindAndSixteenSegments)
{
    CallLimits limits;
    limits.readChunks = 1;
    limits.lists.writeChunks = 1;
    limits.lists.chunkSegments = 16;
    std::string sixteen;
    for (int i = 0; i < 16; ++i)
    {
        sixteen += Read(24, 4);
    }
    const std::string zero = Read(0, 64);
    EXPECT_EQ(CheckWith(limits, MSG + sixteen + AFTER_READS + CALL).verdict, V::CALL);
    EXPECT_EQ(CheckWith(limits, NOMSG + zero + sixteen + AFTER_READS).verdict, V::CALL);
    EXPECT_EQ(CheckWith(limits, MSG + sixteen + Read(24, 4) + AFTER_READS + CALL).fault,
              F::TOO_MANY);
    EXPECT_EQ(CheckWith(limits, MSG + Read(24, 4) + Read(28, 4) + AFTER_READS + CALL).fault,
              F::TOO_MANY);
    const std::string write = "00000001 00000001 " + Segment(4);
    EXPECT_EQ(CheckWith(limits, MSG + "00000000 " + write + "00000000 00000000" + CALL).verdict,
              V::CALL);
    const CheckedCall two =
        CheckWith(limits, MSG + "00000000 " + write + write + "00000000 00000000" + CALL);
    EXPECT_EQ(two.verdict, V::ERR_CHUNK);
    EXPECT_EQ(two.fault, F::TOO_MANY);
}

TEST(CallLimitsTest, OctetsOfAllReadChunks)
{
    CallLimits limits;
    limits.readOctets = 100;
    EXPECT_EQ(CheckWith(limits, MSG + Read(24, 60) + Read(84, 40) + AFTER_READS + CALL).verdict,
              V::CALL);
    const CheckedCall over =
        CheckWith(limits, MSG + Read(24, 60) + Read(84, 41) + AFTER_READS + CALL);
    EXPECT_EQ(over.verdict, V::ERR_CHUNK);
    EXPECT_EQ(over.fault, F::CALL_TOO_LARGE);
}

TEST(CallLimitsTest, SizesOfTheProgram)
{
    RpcRdmaChunkLists chunks;
    chunks.readList = {{0, {1, 60, 0}}, {40, {1, 41, 0}}};
    EXPECT_EQ(CallHeaderCheck::CheckSizes(chunks, {101, 0}), F::NONE);
    EXPECT_EQ(CallHeaderCheck::CheckSizes(chunks, {100, 0}), F::CALL_TOO_LARGE);
    chunks.writeList = {{{1, 50, 0}, {1, 50, 0}}, {{1, 7, 0}}};
    EXPECT_EQ(CallHeaderCheck::CheckSizes(chunks, {101, 100}), F::NONE);
    EXPECT_EQ(CallHeaderCheck::CheckSizes(chunks, {101, 99}), F::REPLY_TOO_LARGE);
    chunks.replyChunk = RpcRdmaWriteChunk{{1, UINT32_MAX, 0}, {1, UINT32_MAX, 0}};
    EXPECT_EQ(CallHeaderCheck::CheckSizes(chunks, {101, UINT32_MAX}), F::REPLY_TOO_LARGE);
}

TEST(CallHeaderRulesTest, NamesAndDifferences)
{
    for (const std::string& name : CallHeaderRules::GetNames())
    {
        EXPECT_TRUE(CallHeaderRules::Create(name)) << name;
    }
    EXPECT_FALSE(CallHeaderRules::Create("solaris"));
    EXPECT_TRUE(CallHeaderRules::Create("rfc8166")->discardDuplicates);
    EXPECT_FALSE(CallHeaderRules::Create("linux")->discardDuplicates);
}

} // namespace
} // namespace ns3::nfsrdma
