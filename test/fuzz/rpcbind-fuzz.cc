/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/xdr-round-trip.h"
#include "nfs/mount/rpcbind-messages.h"

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
        return CheckXdrRoundTrip<PortMapping>(message);
    case 1:
        return CheckXdrRoundTrip<PortMappingList>(message);
    case 2:
        return CheckXdrRoundTrip<RpcbindMapping>(message);
    case 3:
        return CheckXdrRoundTrip<RpcbindMappingList>(message);
    case 4:
        return CheckXdrRoundTrip<RpcbindAddress>(message);
    case 5:
        return CheckXdrRoundTrip<XdrWord>(message);
    case 6:
        return CheckXdrRoundTrip<XdrBool>(message);
    default:
        return;
    }
}

} // namespace ns3::nfsrdma
