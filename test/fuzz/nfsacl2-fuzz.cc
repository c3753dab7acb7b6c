/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/xdr-round-trip.h"
#include "nfs/v2/acl-messages2.h"

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
        return CheckXdrRoundTrip<Getacl2Args>(message);
    case 1:
        return CheckXdrRoundTrip<Getacl2Res>(message);
    case 2:
        return CheckXdrRoundTrip<Setacl2Args>(message);
    case 3:
        return CheckXdrRoundTrip<Access2Args>(message);
    case 4:
        return CheckXdrRoundTrip<Access2Res>(message);
    default:
        return;
    }
}

} // namespace ns3::nfsrdma
