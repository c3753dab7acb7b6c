/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/status3.h"
#include "nfs/v4/captured-rpcs.h"
#include "nfs/v4/protocol/callback-compound.h"
#include "parameter-name.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{
namespace
{

/// What a capture holds.
struct CaptureCounts
{
    const char* name;
    uint32_t compounds;
    uint32_t replies;
    uint32_t reducedCalls;
    uint32_t reducedReplies;
    uint32_t callbacks;
};

std::ostream&
operator<<(std::ostream& stream, const CaptureCounts& counts)
{
    return stream << counts.name;
}

constexpr CaptureCounts COUNTS[]{
    {"linux-6.1-nfs-v4.1-mount", 21, 21, 0, 0, 0},
    {"linux-6.1-nfs-v4.1-mtu1500", 670, 670, 7, 9, 1},
    {"linux-6.1-nfs-v4.1-nfsd-restart", 42, 41, 8, 0, 0},
};

class Nfs41Capture : public testing::TestWithParam<CaptureCounts>
{
  protected:
    void CheckCompound(const CapturedRpc& rpc)
    {
        ++m_counts.compounds;
        m_counts.reducedCalls += rpc.call.items.empty() ? 0 : 1;
        XdrReader reader(rpc.GetArguments());
        auto items = Nfs4DataItems::OfCall(rpc.call, static_cast<uint32_t>(rpc.argumentsPosition));
        const auto args = Compound4Args::Decode(reader, &items);
        ASSERT_TRUE(args);
        EXPECT_FALSE(args->error) << args->error->op;
        EXPECT_EQ(args->opCount, args->ops.size());
        EXPECT_EQ(reader.Remaining(), 0U);
        EXPECT_TRUE(items.AllUsed());
        XdrWriter writer;
        args->Encode(writer);
        EXPECT_EQ(ByteSpan(writer.GetOctets()), rpc.GetArguments());
        if (!rpc.replyTransport)
        {
            return;
        }
        ++m_counts.replies;
        XdrReader resultReader(rpc.GetResults());
        auto resultItems = Nfs4DataItems::OfReply(rpc.reply);
        const auto result = Compound4Res::Decode(resultReader, &resultItems);
        ASSERT_TRUE(result);
        m_counts.reducedReplies += rpc.reply.IsReduced(0) ? 1 : 0;
        EXPECT_EQ(resultReader.Remaining(), 0U);
        XdrWriter resultWriter;
        result->Encode(resultWriter);
        EXPECT_EQ(ByteSpan(resultWriter.GetOctets()), rpc.GetResults());
        ASSERT_LE(result->ops.size(), args->ops.size());
        for (std::size_t i = 0; i < result->ops.size(); ++i)
        {
            EXPECT_EQ(GetOp(result->ops[i]), GetOp(args->ops[i]));
        }
    }

    void CheckCallback(const CapturedRpc& rpc)
    {
        ++m_counts.callbacks;
        XdrReader reader(rpc.GetArguments());
        const auto args = CbCompound4Args::Decode(reader);
        ASSERT_TRUE(args);
        EXPECT_FALSE(args->error);
        EXPECT_EQ(reader.Remaining(), 0U);
        XdrWriter writer;
        args->Encode(writer);
        EXPECT_EQ(ByteSpan(writer.GetOctets()), rpc.GetArguments());
        ASSERT_TRUE(rpc.replyTransport);
        XdrReader resultReader(rpc.GetResults());
        const auto result = CbCompound4Res::Decode(resultReader);
        ASSERT_TRUE(result);
        XdrWriter resultWriter;
        result->Encode(resultWriter);
        EXPECT_EQ(ByteSpan(resultWriter.GetOctets()), rpc.GetResults());
    }

    CaptureCounts m_counts{};
};

TEST_P(Nfs41Capture, EveryCompoundComesOutAgain)
{
    for (const CapturedRpc& rpc : ReadCapturedRpcs(GetParam().name))
    {
        SCOPED_TRACE(rpc.ToString());
        if (rpc.callHeader.procedure == NFSPROC4_NULL)
        {
            continue;
        }
        if (rpc.callHeader.program == NFS_PROGRAM)
        {
            CheckCompound(rpc);
        }
        else
        {
            ASSERT_EQ(rpc.callHeader.program, NFS4_CALLBACK_PROGRAM);
            CheckCallback(rpc);
        }
    }
    EXPECT_EQ(m_counts.compounds, GetParam().compounds);
    EXPECT_EQ(m_counts.replies, GetParam().replies);
    EXPECT_EQ(m_counts.reducedCalls, GetParam().reducedCalls);
    EXPECT_EQ(m_counts.reducedReplies, GetParam().reducedReplies);
    EXPECT_EQ(m_counts.callbacks, GetParam().callbacks);
}

INSTANTIATE_TEST_SUITE_P(Linux, Nfs41Capture, testing::ValuesIn(COUNTS), [](const auto& test) {
    return ToParameterName(test.param.name);
});

} // namespace
} // namespace ns3::nfsrdma::test
