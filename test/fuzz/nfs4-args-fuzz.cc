/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "nfs/v4/protocol/compound.h"
#include "nfs/v4/protocol/reply-size.h"

namespace ns3::nfsrdma
{

/**
 * COMPOUND4args. The first octet: how many Read chunks there are, at most 3; then for each the
 * position in words, and the length.
 */
void
FuzzOne(ByteSpan input)
{
    const std::size_t chunks = input.empty() ? 0 : input[0] & 3;
    if (input.size() < 1 + 2 * chunks)
    {
        return;
    }
    RpcReceivedMessage message;
    uint32_t position = 0;
    for (std::size_t i = 0; i < chunks; ++i)
    {
        position += 4U * input[1 + 2 * i];
        message.items.push_back({position, 0, input[2 + 2 * i], nullptr});
    }
    const ByteSpan octets = input.subspan(1 + 2 * chunks);
    XdrReader reader(octets);
    auto items = Nfs4DataItems::OfCall(message, 0);
    const auto args = Compound4Args::Decode(reader, &items);
    if (!args)
    {
        return;
    }
    FuzzExpect(args->ops.size() <= args->opCount && args->ops.size() <= NFS4_MAX_DECODED_OPS);
    XdrWriter writer;
    args->Encode(writer);
    if (!args->error && args->ops.size() == args->opCount)
    {
        FuzzExpect(reader.Ok());
        FuzzExpect(SameOctets(octets.first(reader.Position()), writer.GetOctets()));
    }
    for (const auto policy : {Nfs4ReplySizePolicy::LINUX, Nfs4ReplySizePolicy::XDR})
    {
        const RpcReplyEstimate estimate = EstimateNfs4Reply(*args, {}, policy);
        FuzzExpect(estimate.minimum >= 36);
    }
}

} // namespace ns3::nfsrdma
