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
    CheckChosen<Getacl2Args, Getacl2Res, Setacl2Args, Access2Args, Access2Res>(input);
}

} // namespace ns3::nfsrdma
