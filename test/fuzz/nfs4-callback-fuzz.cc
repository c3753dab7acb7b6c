/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/fuzz-target.h"
#include "nfs/v4/protocol/callback-compound.h"

namespace ns3::nfsrdma
{

/// The first octet: 0 for CB_COMPOUND4args, else CB_COMPOUND4res; the octets follow.
void
FuzzOne(ByteSpan input)
{
    if (input.empty())
    {
        return;
    }
    const ByteSpan octets = input.subspan(1);
    XdrReader reader(octets);
    XdrWriter writer;
    if (input[0] == 0)
    {
        const auto args = CbCompound4Args::Decode(reader);
        if (!args || args->error || args->ops.size() != args->opCount)
        {
            return;
        }
        args->Encode(writer);
    }
    else
    {
        const auto result = CbCompound4Res::Decode(reader);
        if (!result)
        {
            return;
        }
        result->Encode(writer);
    }
    FuzzExpect(SameOctets(octets.first(reader.Position()), writer.GetOctets()));
}

} // namespace ns3::nfsrdma
