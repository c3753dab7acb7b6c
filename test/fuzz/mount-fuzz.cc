/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/xdr-round-trip.h"
#include "nfs/mount/mnt-messages.h"

namespace ns3::nfsrdma
{

/// The first octet chooses the type of the message that follows.
void
FuzzOne(ByteSpan input)
{
    if (input.empty())
    {
        return;
    }
    const ByteSpan message = input.subspan(1);
    switch (input[0])
    {
    case 0:
        return CheckXdrRoundTrip<MountPath>(message);
    case 1:
        return CheckXdrRoundTrip<Mount3Res>(message);
    case 2:
        return CheckXdrRoundTrip<Mount1Res>(message);
    case 3:
        return CheckXdrRoundTrip<MountList>(message);
    case 4:
        return CheckXdrRoundTrip<ExportList>(message);
    default:
        return;
    }
}

} // namespace ns3::nfsrdma
