/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/xdr-round-trip.h"
#include "nfs/v2/messages2.h"

namespace ns3::nfsrdma
{

/// The first octet chooses the type of the message that follows; its highest bit, whether the data
/// item is reduced.
void
FuzzOne(ByteSpan input)
{
    if (input.empty())
    {
        return;
    }
    const ByteSpan message = input.subspan(1);
    const bool reduced = (input[0] & 0x80) != 0;
    switch (input[0] & 0x7f)
    {
    case 0:
        return CheckXdrRoundTrip<Status2Res>(message);
    case 1:
        return CheckXdrRoundTrip<Attr2Res>(message);
    case 2:
        return CheckXdrRoundTrip<DirOp2Res>(message);
    case 3:
        return CheckXdrRoundTrip<Readlink2Res>(message, reduced);
    case 4:
        return CheckXdrRoundTrip<Read2Res>(message, reduced);
    case 5:
        return CheckXdrRoundTrip<Readdir2Res>(message);
    case 6:
        return CheckXdrRoundTrip<Statfs2Res>(message);
    default:
        return;
    }
}

} // namespace ns3::nfsrdma
