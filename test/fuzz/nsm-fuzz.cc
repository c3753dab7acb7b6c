/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/xdr-round-trip.h"
#include "nfs/mount/nsm-messages.h"

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
        return CheckXdrRoundTrip<NsmName>(message);
    case 1:
        return CheckXdrRoundTrip<NsmStatRes>(message);
    case 2:
        return CheckXdrRoundTrip<NsmState>(message);
    case 3:
        return CheckXdrRoundTrip<NsmMyId>(message);
    case 4:
        return CheckXdrRoundTrip<NsmMonId>(message);
    case 5:
        return CheckXdrRoundTrip<NsmMonArgs>(message);
    case 6:
        return CheckXdrRoundTrip<NsmNotifyArgs>(message);
    default:
        return;
    }
}

} // namespace ns3::nfsrdma
