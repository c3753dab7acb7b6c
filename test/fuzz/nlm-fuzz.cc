/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/xdr-round-trip.h"
#include "nfs/mount/nlm-messages.h"

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
        return CheckXdrRoundTrip<NlmLockArgs>(message);
    case 1:
        return CheckXdrRoundTrip<NlmTestArgs>(message);
    case 2:
        return CheckXdrRoundTrip<NlmTestRes>(message);
    case 3:
        return CheckXdrRoundTrip<NlmRes>(message);
    case 4:
        return CheckXdrRoundTrip<NlmCancelArgs>(message);
    case 5:
        return CheckXdrRoundTrip<NlmUnlockArgs>(message);
    case 6:
        return CheckXdrRoundTrip<NlmShareArgs>(message);
    case 7:
        return CheckXdrRoundTrip<NlmShareRes>(message);
    case 8:
        return CheckXdrRoundTrip<NlmNotify>(message);
    default:
        return;
    }
}

} // namespace ns3::nfsrdma
