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
    CheckChosen<MountPath, Mount3Res, Mount1Res, MountList, ExportList>(input);
}

} // namespace ns3::nfsrdma
