/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/xdr-round-trip.h"
#include "nfs/v3/arguments.h"

namespace ns3::nfsrdma
{

/// The first octet chooses the procedure by its number, whose arguments follow; its highest
/// bit, whether the data item is reduced.
void
FuzzOne(ByteSpan input)
{
    CheckChosenReducible<Null3Args,
                         Getattr3Args,
                         Setattr3Args,
                         Lookup3Args,
                         Access3Args,
                         Readlink3Args,
                         Read3Args,
                         Write3Args,
                         Create3Args,
                         Mkdir3Args,
                         Symlink3Args,
                         Mknod3Args,
                         Remove3Args,
                         Rmdir3Args,
                         Rename3Args,
                         Link3Args,
                         Readdir3Args,
                         Readdirplus3Args,
                         Fsstat3Args,
                         Fsinfo3Args,
                         Pathconf3Args,
                         Commit3Args>(input);
}

} // namespace ns3::nfsrdma
