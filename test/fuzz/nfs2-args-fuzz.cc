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
    CheckChosenReducible<Handle2Args,
                         Setattr2Args,
                         DirOp2Args,
                         Read2Args,
                         Write2Args,
                         Create2Args,
                         Rename2Args,
                         Link2Args,
                         Symlink2Args,
                         Readdir2Args>(input);
}

} // namespace ns3::nfsrdma
