/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/xdr-round-trip.h"
#include "nfs/message-types.h"

namespace ns3::nfsrdma
{

/// The first octet chooses the type of the message that follows.
void
FuzzOne(ByteSpan input)
{
    CheckChosen<test::MountTypes>(input);
}

} // namespace ns3::nfsrdma
