/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "nfs/v4/protocol/compound.h"

namespace ns3::nfsrdma
{

/// COMPOUND4res. The first octet: how many Write chunks there were, at most 3; then the length of
/// each in words.
void
FuzzOne(ByteSpan input)
{
    const std::size_t chunks = input.empty() ? 0 : input[0] & 3;
    if (input.size() < 1 + chunks)
    {
        return;
    }
    RpcReceivedMessage message;
    for (std::size_t i = 0; i < chunks; ++i)
    {
        message.items.push_back({0, 0, 4U * input[1 + i], nullptr});
    }
    const ByteSpan octets = input.subspan(1 + chunks);
    XdrReader reader(octets);
    auto items = Nfs4DataItems::OfReply(message);
    const auto result = Compound4Res::Decode(reader, &items);
    if (!result)
    {
        return;
    }
    FuzzExpect(reader.Ok() && result->ops.size() <= NFS4_MAX_DECODED_OPS);
    XdrWriter writer;
    result->Encode(writer);
    FuzzExpect(SameOctets(octets.first(reader.Position()), writer.GetOctets()));
}

} // namespace ns3::nfsrdma
