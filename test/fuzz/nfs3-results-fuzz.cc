/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz/xdr-round-trip.h"
#include "nfs/v3/results.h"

namespace ns3::nfsrdma
{

/// The first octet chooses the procedure; the results follow.
void
FuzzOne(ByteSpan input)
{
    if (input.empty())
    {
        return;
    }
    const ByteSpan results = input.subspan(1);
    const bool reduced = (input[0] & 0x80) != 0;
    switch (static_cast<Nfs3Procedure>(input[0] & 0x7f))
    {
    case Nfs3Procedure::READLINK:
        return CheckXdrRoundTrip<Readlink3Res>(results, reduced);
    case Nfs3Procedure::READ:
        return CheckXdrRoundTrip<Read3Res>(results, reduced);
    case Nfs3Procedure::CREATE:
    case Nfs3Procedure::MKDIR:
    case Nfs3Procedure::SYMLINK:
    case Nfs3Procedure::MKNOD:
        return CheckXdrRoundTrip<Make3Res>(results);
    case Nfs3Procedure::SETATTR:
    case Nfs3Procedure::REMOVE:
    case Nfs3Procedure::RMDIR:
        return CheckXdrRoundTrip<Wcc3Res>(results);
    case Nfs3Procedure::NULLPROC:
        return CheckXdrRoundTrip<Null3Res>(results);
    case Nfs3Procedure::GETATTR:
        return CheckXdrRoundTrip<Getattr3Res>(results);
    case Nfs3Procedure::LOOKUP:
        return CheckXdrRoundTrip<Lookup3Res>(results);
    case Nfs3Procedure::ACCESS:
        return CheckXdrRoundTrip<Access3Res>(results);
    case Nfs3Procedure::WRITE:
        return CheckXdrRoundTrip<Write3Res>(results);
    case Nfs3Procedure::RENAME:
        return CheckXdrRoundTrip<Rename3Res>(results);
    case Nfs3Procedure::LINK:
        return CheckXdrRoundTrip<Link3Res>(results);
    case Nfs3Procedure::READDIR:
        return CheckXdrRoundTrip<Readdir3Res>(results);
    case Nfs3Procedure::READDIRPLUS:
        return CheckXdrRoundTrip<Readdirplus3Res>(results);
    case Nfs3Procedure::FSSTAT:
        return CheckXdrRoundTrip<Fsstat3Res>(results);
    case Nfs3Procedure::FSINFO:
        return CheckXdrRoundTrip<Fsinfo3Res>(results);
    case Nfs3Procedure::PATHCONF:
        return CheckXdrRoundTrip<Pathconf3Res>(results);
    case Nfs3Procedure::COMMIT:
        return CheckXdrRoundTrip<Commit3Res>(results);
    }
}

} // namespace ns3::nfsrdma
