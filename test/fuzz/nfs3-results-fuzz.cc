/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/xdr-round-trip.h"
#include "nfs/v3/results.h"

namespace ns3::nfsrdma
{

/// The first octet chooses the procedure by its number, whose results follow; its highest bit,
/// whether the data item is reduced.
void
FuzzOne(ByteSpan input)
{
    CheckChosenReducible<Null3Res,
                         Getattr3Res,
                         Wcc3Res,
                         Lookup3Res,
                         Access3Res,
                         Readlink3Res,
                         Read3Res,
                         Write3Res,
                         Make3Res,
                         Make3Res,
                         Make3Res,
                         Make3Res,
                         Wcc3Res,
                         Wcc3Res,
                         Rename3Res,
                         Link3Res,
                         Readdir3Res,
                         Readdirplus3Res,
                         Fsstat3Res,
                         Fsinfo3Res,
                         Pathconf3Res,
                         Commit3Res>(input);
}

} // namespace ns3::nfsrdma
