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
        return CheckXdrRoundTrip<Handle2Args>(message);
    case 1:
        return CheckXdrRoundTrip<Setattr2Args>(message);
    case 2:
        return CheckXdrRoundTrip<DirOp2Args>(message);
    case 3:
        return CheckXdrRoundTrip<Read2Args>(message);
    case 4:
        return CheckXdrRoundTrip<Write2Args>(message, reduced);
    case 5:
        return CheckXdrRoundTrip<Create2Args>(message);
    case 6:
        return CheckXdrRoundTrip<Rename2Args>(message);
    case 7:
        return CheckXdrRoundTrip<Link2Args>(message);
    case 8:
        return CheckXdrRoundTrip<Symlink2Args>(message, reduced);
    case 9:
        return CheckXdrRoundTrip<Readdir2Args>(message);
    default:
        return;
    }
}

} // namespace ns3::nfsrdma
