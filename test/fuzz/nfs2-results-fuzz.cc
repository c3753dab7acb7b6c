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
    CheckChosenReducible<Status2Res,
                         Attr2Res,
                         DirOp2Res,
                         Readlink2Res,
                         Read2Res,
                         Readdir2Res,
                         Statfs2Res>(input);
}

} // namespace ns3::nfsrdma
