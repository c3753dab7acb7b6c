/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/xdr-round-trip.h"
#include "nfs/v3/arguments.h"

namespace ns3::nfsrdma
{

/// The first octet chooses the procedure; the arguments follow.
void
FuzzOne(ByteSpan input)
{
    if (input.empty())
    {
        return;
    }
    const ByteSpan arguments = input.subspan(1);
    const bool reduced = (input[0] & 0x80) != 0;
    switch (static_cast<Nfs3Procedure>(input[0] & 0x7f))
    {
    case Nfs3Procedure::NULLPROC:
        return CheckXdrRoundTrip<Null3Args>(arguments);
    case Nfs3Procedure::GETATTR:
        return CheckXdrRoundTrip<Getattr3Args>(arguments);
    case Nfs3Procedure::SETATTR:
        return CheckXdrRoundTrip<Setattr3Args>(arguments);
    case Nfs3Procedure::LOOKUP:
        return CheckXdrRoundTrip<Lookup3Args>(arguments);
    case Nfs3Procedure::ACCESS:
        return CheckXdrRoundTrip<Access3Args>(arguments);
    case Nfs3Procedure::READLINK:
        return CheckXdrRoundTrip<Readlink3Args>(arguments);
    case Nfs3Procedure::READ:
        return CheckXdrRoundTrip<Read3Args>(arguments);
    case Nfs3Procedure::WRITE:
        return CheckXdrRoundTrip<Write3Args>(arguments, reduced);
    case Nfs3Procedure::SYMLINK:
        return CheckXdrRoundTrip<Symlink3Args>(arguments, reduced);
    case Nfs3Procedure::CREATE:
        return CheckXdrRoundTrip<Create3Args>(arguments);
    case Nfs3Procedure::MKDIR:
        return CheckXdrRoundTrip<Mkdir3Args>(arguments);
    case Nfs3Procedure::MKNOD:
        return CheckXdrRoundTrip<Mknod3Args>(arguments);
    case Nfs3Procedure::REMOVE:
        return CheckXdrRoundTrip<Remove3Args>(arguments);
    case Nfs3Procedure::RMDIR:
        return CheckXdrRoundTrip<Rmdir3Args>(arguments);
    case Nfs3Procedure::RENAME:
        return CheckXdrRoundTrip<Rename3Args>(arguments);
    case Nfs3Procedure::LINK:
        return CheckXdrRoundTrip<Link3Args>(arguments);
    case Nfs3Procedure::READDIR:
        return CheckXdrRoundTrip<Readdir3Args>(arguments);
    case Nfs3Procedure::READDIRPLUS:
        return CheckXdrRoundTrip<Readdirplus3Args>(arguments);
    case Nfs3Procedure::FSSTAT:
        return CheckXdrRoundTrip<Fsstat3Args>(arguments);
    case Nfs3Procedure::FSINFO:
        return CheckXdrRoundTrip<Fsinfo3Args>(arguments);
    case Nfs3Procedure::PATHCONF:
        return CheckXdrRoundTrip<Pathconf3Args>(arguments);
    case Nfs3Procedure::COMMIT:
        return CheckXdrRoundTrip<Commit3Args>(arguments);
    }
}

} // namespace ns3::nfsrdma
