/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/status3.h"
#include "nfs/v4/captured-rpcs.h"
#include "nfs/v4/protocol/reply-size.h"
#include "parameter-name.h"
#include "rpcrdma/client/inline-limits.h"
#include "rpcrdma/policy/call-form.h"
#include "rpcrdma/policy/reply-mechanism.h"

#include <gtest/gtest.h>
#include <numeric>

namespace ns3::nfsrdma::test
{
namespace
{

using Lengths = std::vector<uint32_t>;

/// siw takes 6 elements in a Send; 4 segments are set aside in each header.
constexpr uint32_t ELEMENTS = 6;
constexpr uint32_t SEGMENTS = 4;
/// Inline thresholds of both peers.
constexpr RpcRdmaPrivateData THRESHOLDS{false, 4096, 4096};

/// What a call has: lengths of the segments of each chunk.
struct Chunks
{
    std::vector<Lengths> write;
    Lengths reply;
    std::vector<uint32_t> readPositions;
    Lengths read;

    bool operator==(const Chunks& other) const
    {
        return write == other.write && reply == other.reply && read == other.read &&
               readPositions == other.readPositions;
    }
};

std::ostream&
operator<<(std::ostream& stream, const Chunks& chunks)
{
    for (const Lengths& lengths : chunks.write)
    {
        stream << " Write " << testing::PrintToString(lengths);
    }
    return stream << " Reply " << testing::PrintToString(chunks.reply) << " Read "
                  << testing::PrintToString(chunks.read) << " at "
                  << testing::PrintToString(chunks.readPositions);
}

Chunks
GetCaptured(const RpcRdmaChunkLists& lists)
{
    Chunks chunks;
    for (const RpcRdmaWriteChunk& chunk : lists.writeList)
    {
        Lengths& lengths = chunks.write.emplace_back();
        for (const RpcRdmaSegment& segment : chunk)
        {
            lengths.push_back(segment.length);
        }
    }
    for (const RpcRdmaSegment& segment : lists.replyChunk.value_or(RpcRdmaWriteChunk()))
    {
        chunks.reply.push_back(segment.length);
    }
    for (const RpcRdmaReadSegment& segment : lists.readList)
    {
        chunks.readPositions.push_back(segment.position);
        chunks.read.push_back(segment.target.length);
    }
    return chunks;
}

/// Chooses as a client does that sends the captured COMPOUND again.
class LinuxClient
{
  public:
    LinuxClient()
    {
        m_limits = InlineLimits::Negotiate(THRESHOLDS, THRESHOLDS, SEGMENTS);
    }

    [[nodiscard]] Chunks Choose(const CapturedRpc& rpc, Compound4Args args) const
    {
        Chunks chunks;
        ChooseReply(chunks, args, rpc);
        ChooseCall(chunks, args, rpc);
        return chunks;
    }

  private:
    void ChooseReply(Chunks& chunks, const Compound4Args& args, const CapturedRpc& rpc) const
    {
        Nfs4ReplyLimits limits;
        limits.guess.aclOctets = GetAclRoom(rpc);
        const RpcReplyEstimate estimate = EstimateNfs4Reply(args, limits);
        const ReplyChoice choice{
            estimate,
            true,
            m_limits.maxReply,
            m_limits.receive,
            SEGMENTS,
            1,
            false,
            NFS_PROGRAM,
            NFSPROC4_COMPOUND,
            // A region takes an item; a pad has one of its own.
            [](const RpcReplyItem& item) { return item.maximum % 4 == 0 ? 1U : 2U; }};
        const ReplyOffer offer = ReplyMechanismPolicy::Create("linux")->Choose(choice);
        for (const std::size_t item : offer.reduced)
        {
            const uint32_t maximum = estimate.items.at(item).maximum;
            chunks.write.push_back({maximum});
            if (maximum % 4 != 0)
            {
                chunks.write.back().push_back(Pad4(maximum));
            }
        }
        if (offer.replyChunk)
        {
            chunks.reply = {estimate.head};
            for (const RpcReplyItem& item : estimate.items)
            {
                chunks.reply.push_back(item.maximum);
            }
            if (!estimate.items.empty())
            {
                chunks.reply.push_back(estimate.tail);
            }
        }
    }

    /// How much room for an ACL the application has is not in the COMPOUND.
    static uint32_t GetAclRoom(const CapturedRpc& rpc)
    {
        const auto& reply = rpc.callTransport.chunks.replyChunk;
        return reply && reply->size() == 3 ? reply->at(1).length : 0;
    }

    void ChooseCall(Chunks& chunks, Compound4Args& args, const CapturedRpc& rpc) const
    {
        RpcPayload payload;
        payload.octets.assign(rpc.call.octets.begin(),
                              rpc.call.octets.begin() +
                                  static_cast<std::ptrdiff_t>(rpc.argumentsPosition));
        uint32_t length = 0;
        for (Nfs4ArgOp& op : args.ops)
        {
            if (auto* write = std::get_if<WriteArgs4>(&op))
            {
                length = write->data.length;
                write->data = Nfs3Data::Reduced(length);
            }
            else if (auto* create = std::get_if<CreateArgs4>(&op);
                     create != nullptr && create->type == Ftype4::LNK)
            {
                length = create->link.length;
                create->link = Nfs3Data::Reduced(length);
            }
        }
        XdrWriter writer;
        std::vector<uint32_t> reducedAt;
        args.Encode(writer, &reducedAt);
        const auto start = static_cast<uint32_t>(payload.octets.size());
        payload.octets.insert(payload.octets.end(),
                              writer.GetOctets().begin(),
                              writer.GetOctets().end());
        for (const uint32_t offset : reducedAt)
        {
            payload.items.push_back({0, length, true, start + offset, nullptr});
        }
        MoveAclIntoPages(payload, args);
        const CallForm form =
            CallFormPolicy::Create("linux")->Choose({payload, true, m_limits.maxCall, ELEMENTS, 1});
        if (form.positionZero)
        {
            chunks.read = {static_cast<uint32_t>(payload.octets.size())};
            if (!payload.items.empty())
            {
                chunks.read = {payload.items[0].offset, payload.items[0].length};
            }
            chunks.readPositions.resize(chunks.read.size());
        }
        for (const std::size_t item : form.reduced)
        {
            chunks.readPositions.push_back(payload.GetPosition(item));
            chunks.read.push_back(payload.items[item].length);
        }
    }

    /// SETATTR of an ACL has it in pages, at the end of the call.
    static void MoveAclIntoPages(RpcPayload& payload, const Compound4Args& args)
    {
        const auto* setattr =
            args.ops.empty() ? nullptr : std::get_if<SetattrArgs4>(&args.ops.back());
        if (setattr != nullptr && setattr->attributes.acl)
        {
            const uint32_t octets = setattr->attributes.GetValuesSize();
            const auto offset = static_cast<uint32_t>(payload.octets.size()) - octets;
            payload.octets.resize(offset);
            payload.items.push_back({0, octets, false, offset, nullptr});
        }
    }

    InlineLimits m_limits;
};

class Nfs41LinuxChunks : public testing::TestWithParam<const char*>
{
  protected:
    /// What came back is within both estimates.
    static void CheckReply(const CapturedRpc& rpc, const Compound4Args& args)
    {
        if (!rpc.replyTransport)
        {
            return;
        }
        auto length = static_cast<uint32_t>(rpc.reply.octets.size());
        for (const RpcReceivedItem& item : rpc.reply.items)
        {
            length += RoundUp4(item.length);
        }
        for (const auto policy : {Nfs4ReplySizePolicy::LINUX, Nfs4ReplySizePolicy::XDR})
        {
            const auto estimate = EstimateNfs4Reply(args, {}, policy);
            EXPECT_LE(length, estimate.GetTotal()) << rpc.ToString();
            XdrReader reader(rpc.GetResults());
            if (reader.ReadU32() == 0)
            {
                EXPECT_GE(length, estimate.minimum) << rpc.ToString();
            }
        }
    }
};

TEST_P(Nfs41LinuxChunks, AreThoseOfEachCall)
{
    const LinuxClient client;
    uint32_t calls = 0;
    uint32_t withChunks = 0;
    for (const CapturedRpc& rpc : ReadCapturedRpcs(GetParam()))
    {
        if (rpc.callHeader.program != NFS_PROGRAM || rpc.callHeader.procedure == NFSPROC4_NULL)
        {
            continue;
        }
        XdrReader reader(rpc.GetArguments());
        auto items = Nfs4DataItems::OfCall(rpc.call, static_cast<uint32_t>(rpc.argumentsPosition));
        const auto args = Compound4Args::Decode(reader, &items);
        ASSERT_TRUE(args);
        const Chunks captured = GetCaptured(rpc.callTransport.chunks);
        EXPECT_EQ(client.Choose(rpc, *args), captured)
            << rpc.ToString() << ": " << ToString(GetOp(args->ops.back()));
        CheckReply(rpc, *args);
        ++calls;
        withChunks += captured == Chunks() ? 0 : 1;
    }
    EXPECT_GT(calls, 20U);
    EXPECT_GT(withChunks, 0U);
}

INSTANTIATE_TEST_SUITE_P(Linux,
                         Nfs41LinuxChunks,
                         testing::ValuesIn(NFS41_CAPTURES),
                         [](const auto& test) { return ToParameterName(test.param); });

} // namespace
} // namespace ns3::nfsrdma::test
