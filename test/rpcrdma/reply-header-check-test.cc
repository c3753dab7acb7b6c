/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/reply-header-check.h"
#include "wire/hex-bytes.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

using V = ReplyVerdict;
using F = ReplyFault;

const std::string START = "00001001 00000001 00000040 ";
const std::string MSG = START + "00000000 ";
const std::string NOMSG = START + "00000001 ";
const std::string ERROR = START + "00000004 ";
const std::string REPLY = "00001001 00000001 00000000 00000000 00000000 00000000";

// The call offered Write chunks of (7, 100 octets, 8, 50 octets) and (9, 20), and a Reply chunk
// of (10, 200).
const RpcRdmaChunkLists OFFERED{{},
                                {{{7, 100, 0x1000}, {8, 50, 0x2000}}, {{9, 20, 0x3000}}},
                                RpcRdmaWriteChunk{{10, 200, 0x4000}}};
const std::string WRITES = "00000001 00000002 00000007 00000064 0000000000001000 "
                           "00000008 00000005 0000000000002000 "
                           "00000001 00000001 00000009 00000000 0000000000003000 00000000 ";
const std::string UNUSED_REPLY_CHUNK = "00000001 00000001 0000000a 00000000 0000000000004000 ";
const std::string REPLY_CHUNK = "00000001 00000001 0000000a 00000048 0000000000004000 ";

/// What both sets of rules make of one reply.
struct Case
{
    const char* name;
    std::string message;
    V rfcVerdict;
    V linuxVerdict;
    F fault;
    F linuxFault;
};

const std::vector<Case> CASES{
    {"inline, no chunk returned",
     MSG + "00000000 00000000 00000000 " + REPLY,
     V::COMPLETE,
     V::COMPLETE,
     F::NONE,
     F::NONE},
    {"inline, all chunks returned",
     MSG + "00000000 " + WRITES + UNUSED_REPLY_CHUNK + REPLY,
     V::COMPLETE,
     V::COMPLETE,
     F::NONE,
     F::NONE},
    {"inline, Reply chunk used",
     MSG + "00000000 " + WRITES + REPLY_CHUNK + REPLY,
     V::DISCARD,
     V::BAD,
     F::OTHER_CHUNKS,
     F::OTHER_CHUNKS},
    {"second segment used before the first is full",
     MSG +
         "00000000 00000001 00000002 00000007 00000063 0000000000001000 "
         "00000008 00000005 0000000000002000 "
         "00000001 00000001 00000009 00000000 0000000000003000 00000000 00000000 " +
         REPLY,
     V::DISCARD,
     V::BAD,
     F::OTHER_CHUNKS,
     F::OTHER_CHUNKS},
    {"RDMA_NOMSG, Reply chunk unused",
     NOMSG + "00000000 00000000 " + UNUSED_REPLY_CHUNK,
     V::DISCARD,
     V::BAD,
     F::NO_REPLY_CHUNK,
     F::NO_REPLY_CHUNK},
    {"in the Reply chunk",
     NOMSG + "00000000 00000000 " + REPLY_CHUNK,
     V::COMPLETE,
     V::COMPLETE,
     F::NONE,
     F::NONE},
    {"in the Reply chunk, Write chunks used",
     NOMSG + "00000000 " + WRITES + REPLY_CHUNK,
     V::COMPLETE,
     V::COMPLETE,
     F::NONE,
     F::NONE},
    {"RDMA_NOMSG without Reply chunk",
     NOMSG + "00000000 " + WRITES + "00000000",
     V::DISCARD,
     V::BAD,
     F::NO_REPLY_CHUNK,
     F::NO_REPLY_CHUNK},
    {"Read list",
     NOMSG + "00000001 00000000 00000001 00000010 0000000000000000 00000000 00000000 00000000",
     V::BAD,
     V::BAD,
     F::READ_LIST,
     F::READ_LIST},
    {"other handle",
     NOMSG + "00000000 00000000 00000001 00000001 0000000b 00000048 0000000000004000",
     V::DISCARD,
     V::BAD,
     F::OTHER_CHUNKS,
     F::OTHER_CHUNKS},
    {"other offset",
     NOMSG + "00000000 00000000 00000001 00000001 0000000a 00000048 0000000000004001",
     V::DISCARD,
     V::BAD,
     F::OTHER_CHUNKS,
     F::OTHER_CHUNKS},
    {"longer than offered",
     NOMSG + "00000000 00000000 00000001 00000001 0000000a 000000c9 0000000000004000",
     V::DISCARD,
     V::BAD,
     F::OTHER_CHUNKS,
     F::OTHER_CHUNKS},
    {"one Write chunk of two returned",
     MSG +
         "00000000 00000001 00000002 00000007 00000064 0000000000001000 "
         "00000008 00000005 0000000000002000 00000000 00000000 " +
         REPLY,
     V::DISCARD,
     V::BAD,
     F::OTHER_CHUNKS,
     F::OTHER_CHUNKS},
    {"empty Write chunk for one that holds no data",
     MSG +
         "00000000 00000001 00000000 "
         "00000001 00000001 00000009 00000000 0000000000003000 00000000 00000000 " +
         REPLY,
     V::COMPLETE,
     V::COMPLETE,
     F::NONE,
     F::NONE},
    {"one segment of two returned",
     MSG +
         "00000000 00000001 00000001 00000007 00000064 0000000000001000 "
         "00000001 00000001 00000009 00000000 0000000000003000 00000000 00000000 " +
         REPLY,
     V::DISCARD,
     V::BAD,
     F::OTHER_CHUNKS,
     F::OTHER_CHUNKS},
    {"fixed header alone", MSG, V::DISCARD, V::BAD, F::TRUNCATED, F::TRUNCATED},
    {"list cut short",
     MSG + "00000000 00000001 00000002 00000007 00000064",
     V::DISCARD,
     V::BAD,
     F::TRUNCATED,
     F::TRUNCATED},
    {"too many segments",
     NOMSG + "00000000 00000000 00000001 ffffffff",
     V::DISCARD,
     V::BAD,
     F::TOO_MANY,
     F::TOO_MANY},
    {"discriminator 2",
     NOMSG + "00000000 00000000 00000002 00000001 0000000a 00000048 0000000000004000",
     V::DISCARD,
     V::COMPLETE,
     F::BAD_VALUE,
     F::NONE},
    {"RDMA_MSGP",
     START + "00000002 00000000 00000000 00000000 00000000 00000000 " + REPLY,
     V::DISCARD,
     V::BAD,
     F::MSGP,
     F::MSGP},
    {"RDMA_DONE", START + "00000003", V::DISCARD, V::BAD, F::DONE, F::DONE},
    {"procedure 5",
     START + "00000005 00000000 00000000 00000000",
     V::DISCARD,
     V::BAD,
     F::PROC,
     F::PROC},
    {"ERR_VERS",
     ERROR + "00000001 00000001 00000001",
     V::ERROR,
     V::ERROR,
     F::ERR_VERS,
     F::ERR_VERS},
    {"ERR_CHUNK", ERROR + "00000002", V::ERROR, V::ERROR, F::ERR_CHUNK, F::ERR_CHUNK},
    {"error code 3", ERROR + "00000003", V::DISCARD, V::BAD, F::ERROR_CODE, F::ERROR_CODE},
    {"error without code", ERROR, V::DISCARD, V::BAD, F::ERROR_TRUNCATED, F::ERROR_TRUNCATED},
    {"ERR_VERS cut short",
     ERROR + "00000001 00000001",
     V::DISCARD,
     V::BAD,
     F::ERROR_TRUNCATED,
     F::ERROR_TRUNCATED},
};

class ReplyHeaderCheckTest : public testing::TestWithParam<Case>
{
};

TEST_P(ReplyHeaderCheckTest, GetsTheVerdictOfEachSetOfRules)
{
    const ByteVector message = HexBytes(GetParam().message);
    const CheckedReply strict =
        ReplyHeaderCheck(*ReplyHeaderRules::Create("rfc8166")).Check(message, OFFERED);
    EXPECT_EQ(strict.verdict, GetParam().rfcVerdict) << ToString(strict.verdict);
    EXPECT_EQ(strict.fault, GetParam().fault) << ToString(strict.fault);
    const CheckedReply linux =
        ReplyHeaderCheck(*ReplyHeaderRules::Create("linux")).Check(message, OFFERED);
    EXPECT_EQ(linux.verdict, GetParam().linuxVerdict) << ToString(linux.verdict);
    EXPECT_EQ(linux.fault, GetParam().linuxFault) << ToString(linux.fault);
    if (strict.verdict == V::COMPLETE)
    {
        const bool isInline = strict.header->proc == RpcRdmaProc::MSG;
        EXPECT_EQ(message.size() - strict.payloadOffset, isInline ? 24U : 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(Headers,
                         ReplyHeaderCheckTest,
                         testing::ValuesIn(CASES),
                         [](const auto& test) {
                             std::string name = test.param.name;
                             std::replace_if(
                                 name.begin(),
                                 name.end(),
                                 [](char c) { return c == ' ' || c == ','; },
                                 '_');
                             return name;
                         });

TEST(ReplyHeaderCheckReadChunks, AgreedOnAreToBePulled)
{
    const std::string zero = "00000001 00000000 00000001 00000010 0000000000000000 ";
    const std::string four = "00000001 00000004 00000001 00000010 0000000000000000 ";
    const std::string empty = "00000001 00000000 00000001 00000000 0000000000000000 ";
    const std::string end = "00000000 00000000 00000000";
    ReplyHeaderCheck check(*ReplyHeaderRules::Create("linux"));
    const auto judge = [&check](const std::string& message) {
        return check.Check(HexBytes(message), OFFERED).verdict;
    };
    EXPECT_EQ(judge(NOMSG + zero + end), V::BAD);
    check.AllowReadChunks();
    EXPECT_EQ(judge(NOMSG + zero + end), V::PULL);
    EXPECT_EQ(judge(NOMSG + zero + empty + zero + end), V::PULL);
    const std::string unused = "00000001 00000001 0000000a 00000000 0000000000004000 ";
    EXPECT_EQ(judge(NOMSG + zero + "00000000 " + WRITES + unused), V::PULL);
    EXPECT_EQ(judge(NOMSG + zero + "00000000 " + WRITES + REPLY_CHUNK), V::PULL);
    EXPECT_EQ(judge(NOMSG + empty + end), V::BAD);
    EXPECT_EQ(judge(NOMSG + zero + four + end), V::BAD);
    EXPECT_EQ(judge(NOMSG + four + end), V::BAD);
    EXPECT_EQ(judge(MSG + zero + end + REPLY), V::BAD);
    EXPECT_EQ(judge(MSG + end + REPLY), V::COMPLETE);
}

TEST(ReplyHeaderRulesTest, Names)
{
    for (const std::string& name : ReplyHeaderRules::GetNames())
    {
        EXPECT_TRUE(ReplyHeaderRules::Create(name)) << name;
    }
    EXPECT_FALSE(ReplyHeaderRules::Create("solaris"));
}

} // namespace
} // namespace ns3::nfsrdma
