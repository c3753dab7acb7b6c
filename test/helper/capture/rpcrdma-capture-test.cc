/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/capture/capture-list.h"
#include "helper/capture/rpcrdma-conversation.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{

namespace
{

const std::string HEADER_PROBES = "linux-6.1-nfs-v3-rpcrdma-probes.pcap.gz";

/// The RPC-over-RDMA connections of one capture.
std::vector<RpcRdmaConversation>
Load(const std::string& name)
{
    const TcpCapture capture = ReadCapture(name);
    std::vector<RpcRdmaConversation> conversations;
    for (const TcpConversation& tcp : capture.conversations)
    {
        const MpaConversation conversation(tcp);
        if (RpcRdmaConversation::IsRpcRdma(conversation))
        {
            conversations.emplace_back(conversation);
        }
    }
    return conversations;
}

/// What a capture holds.
struct CaptureCounts
{
    const char* name;
    std::size_t messages;
    std::size_t rpcs; ///< Inline ones.
};

constexpr CaptureCounts COUNTS[]{
    {"linux-6.1-nfs-v3-1m-read", 28, 28},
    {"linux-6.1-nfs-v3-acl-syserr", 28, 25},
    {"linux-6.1-nfs-v3-crc-client-only", 22, 22},
    {"linux-6.1-nfs-v3-crc-mtu1500", 1272, 1256},
    {"linux-6.1-nfs-v3-crc-server-only", 22, 22},
    {"linux-6.1-nfs-v3-lo-mtu1500-gso", 30, 30},
    {"linux-6.1-nfs-v3-loss3", 36, 36},
    {"linux-6.1-nfs-v3-mtu1500", 1272, 1256},
    {"linux-6.1-nfs-v3-nfsd-restart", 33, 33},
    {"linux-6.1-nfs-v3-p2p", 22, 22},
    {"linux-6.1-nfs-v3-rpcrdma-probes", 30, 11},
    {"linux-6.1-nfs-v4.1-mount", 44, 42},
    {"linux-6.1-nfs-v4.1-mtu1500", 1344, 1305},
    {"linux-6.1-nfs-v4.1-nfsd-restart", 85, 79},
    {"linux-6.1-verbs-ib_read_lat", 0, 0},
    {"linux-6.1-verbs-ib_send_lat", 0, 0},
    {"linux-6.1-verbs-mpa-probes", 0, 0},
    {"linux-6.1-verbs-rping", 0, 0},
};

class RpcRdmaCapture : public testing::TestWithParam<std::string>
{
};

TEST_P(RpcRdmaCapture, EveryMessageComesOutAgain)
{
    std::size_t messages = 0;
    std::size_t rpcs = 0;
    for (const RpcRdmaConversation& conversation : Load(GetParam()))
    {
        messages += conversation.GetMessages().size();
        for (const CapturedRpcRdma& message : conversation.GetMessages())
        {
            if (!message.header && GetParam() == HEADER_PROBES)
            {
                continue; // Broken on purpose: see below.
            }
            EXPECT_TRUE(message.header) << message.ToString();
            EXPECT_TRUE(message.sameHeader) << message.ToString();
            EXPECT_EQ(message.hasRpc, message.sameRpc) << message.ToString();
            rpcs += message.hasRpc ? 1 : 0;
        }
    }
    const auto* const counts =
        std::find_if(std::begin(COUNTS), std::end(COUNTS), [](const CaptureCounts& one) {
            return GetParam() == std::string(one.name) + ".pcap.gz";
        });
    ASSERT_NE(counts, std::end(COUNTS));
    EXPECT_EQ(messages, counts->messages);
    EXPECT_EQ(rpcs, counts->rpcs);
}

INSTANTIATE_TEST_SUITE_P(Linux, RpcRdmaCapture, testing::ValuesIn(FindCaptures()), NameCaptureTest);

/// What a probe sent, and what came back; null for silence.
struct Probe
{
    const char* call;
    const char* fault; ///< Null: the header decodes.
    const char* answer;
};

constexpr Probe PROBE_ANSWERS[]{
    {"XID 0x00001001 RDMA_MSG", nullptr, "XID 0x00001001 RDMA_MSG"},
    {"XID 0x00001001 version 2 RDMA_MSG",
     "bad version",
     "XID 0x00001001 version 2 RDMA_ERROR ERR_VERS"},
    {"XID 0x00001001 procedure 9", "bad value", "XID 0x00001001 RDMA_ERROR ERR_CHUNK"},
    {"XID 0x00001001 RDMA_MSGP", "bad value", "XID 0x00001001 RDMA_ERROR ERR_CHUNK"},
    {"XID 0x00001001 RDMA_DONE", nullptr, nullptr},
    {"XID 0x00001001 RDMA_ERROR ERR_CHUNK", nullptr, nullptr},
    {"XID 0x00001001 RDMA_MSG", "truncated", "XID 0x00001001 RDMA_ERROR ERR_CHUNK"},
    {"XID 0x00001001 RDMA_MSG", "truncated", "XID 0x00001001 RDMA_ERROR ERR_CHUNK"},
    {"XID 0x00001001 RDMA_NOMSG", nullptr, nullptr},
    {"XID 0x00001001 RDMA_MSG", nullptr, "XID 0x00001001 RDMA_MSG"},             // No credits.
    {"XID 0x00001001 RDMA_NOMSG", nullptr, "XID 0x00001001 RDMA_MSG"},           // Position zero.
    {"XID 0x00001001 RDMA_NOMSG", nullptr, "XID 0x00001001 RDMA_MSG"},           // In two segments.
    {"XID 0x00001001 RDMA_MSG", nullptr, "XID 0x00001001 RDMA_NOMSG"},           // Reply chunk.
    {"XID 0x00001001 RDMA_MSG", nullptr, "XID 0x00001001 RDMA_NOMSG"},           // In two segments.
    {"XID 0x00001001 RDMA_MSG", nullptr, "XID 0x00001001 RDMA_ERROR ERR_CHUNK"}, // Too small.
    {"XID 0x00001001 RDMA_MSG", nullptr, "XID 0x00001001 RDMA_MSG"}, // Unused Write chunk.
    {"XID 0x00001001 RDMA_NOMSG", nullptr, nullptr},                 // Its Read is refused.
};

TEST(RpcRdmaProbes, AreNamedWithTheirAnswers)
{
    const auto conversations = Load(HEADER_PROBES);
    ASSERT_EQ(conversations.size(), std::size(PROBE_ANSWERS));
    for (std::size_t i = 0; i < conversations.size(); ++i)
    {
        SCOPED_TRACE(i);
        const Probe& expected = PROBE_ANSWERS[i];
        const CapturedRpcRdma& call = conversations[i].GetMessages().front();
        EXPECT_TRUE(call.fromRequester);
        EXPECT_EQ(call.ToString(), expected.call);
        EXPECT_STREQ(call.header ? nullptr : ToString(call.header.error()), expected.fault);
        const CapturedRpcRdma* const answer = conversations[i].FindAnswer(0);
        EXPECT_STREQ(answer ? answer->ToString().c_str() : nullptr, expected.answer);
    }
}

} // namespace

} // namespace ns3::nfsrdma::test
