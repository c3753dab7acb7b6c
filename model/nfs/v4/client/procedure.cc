/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/procedure.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace ns3::nfsrdma
{

namespace
{

using Procedure = Nfs4ClientProcedure;

bool
IsHousekeeping(Nfs4Op op)
{
    switch (op)
    {
    case Nfs4Op::SEQUENCE:
    case Nfs4Op::PUTFH:
    case Nfs4Op::PUTROOTFH:
    case Nfs4Op::PUTPUBFH:
    case Nfs4Op::GETFH:
    case Nfs4Op::SAVEFH:
    case Nfs4Op::RESTOREFH:
    case Nfs4Op::GETATTR:
        return true;
    default:
        return false;
    }
}

bool
AsksFor(const Nfs4Bitmap& request, std::initializer_list<Nfs4Attr> attributes)
{
    return std::any_of(attributes.begin(), attributes.end(), [&request](Nfs4Attr attribute) {
        return request.Has(static_cast<uint32_t>(attribute));
    });
}

Procedure
FindOfGetattr(const Nfs4Bitmap& request)
{
    if (AsksFor(request, {Nfs4Attr::ACL, Nfs4Attr::DACL, Nfs4Attr::SACL}))
    {
        return Procedure::GETACL;
    }
    if (AsksFor(request, {Nfs4Attr::FS_LOCATIONS}))
    {
        return Procedure::FS_LOCATIONS;
    }
    if (AsksFor(request, {Nfs4Attr::SUPPORTED_ATTRS}))
    {
        return Procedure::SERVER_CAPS;
    }
    if (AsksFor(request, {Nfs4Attr::LEASE_TIME}))
    {
        return Procedure::FSINFO;
    }
    if (AsksFor(request, {Nfs4Attr::SPACE_TOTAL, Nfs4Attr::FILES_TOTAL}))
    {
        return Procedure::STATFS;
    }
    if (AsksFor(request, {Nfs4Attr::MAXLINK, Nfs4Attr::MAXNAME}))
    {
        return Procedure::PATHCONF;
    }
    return Procedure::GETATTR;
}

bool
Holds(const Compound4Args& call, Nfs4Op op)
{
    return std::any_of(call.ops.begin(), call.ops.end(), [op](const Nfs4ArgOp& args) {
        return GetOp(args) == op;
    });
}

/// Of a COMPOUND of housekeeping alone.
Procedure
FindOfHousekeeping(const Compound4Args& call)
{
    if (Holds(call, Nfs4Op::PUTROOTFH))
    {
        return Procedure::LOOKUP_ROOT;
    }
    for (const Nfs4ArgOp& args : call.ops)
    {
        if (const auto* getattr = std::get_if<GetattrArgs4>(&args))
        {
            return FindOfGetattr(getattr->attrRequest);
        }
    }
    return Holds(call, Nfs4Op::SEQUENCE) ? Procedure::SEQUENCE : Procedure::OTHER;
}

Procedure
FindOfOp(const Nfs4ArgOp& args)
{
    switch (GetOp(args))
    {
    case Nfs4Op::READ:
        return Procedure::READ;
    case Nfs4Op::WRITE:
        return Procedure::WRITE;
    case Nfs4Op::COMMIT:
        return Procedure::COMMIT;
    case Nfs4Op::OPEN_CONFIRM:
        return Procedure::OPEN_CONFIRM;
    case Nfs4Op::OPEN_DOWNGRADE:
        return Procedure::OPEN_DOWNGRADE;
    case Nfs4Op::CLOSE:
        return Procedure::CLOSE;
    case Nfs4Op::RENEW:
        return Procedure::RENEW;
    case Nfs4Op::SETCLIENTID:
        return Procedure::SETCLIENTID;
    case Nfs4Op::SETCLIENTID_CONFIRM:
        return Procedure::SETCLIENTID_CONFIRM;
    case Nfs4Op::LOCK:
        return Procedure::LOCK;
    case Nfs4Op::LOCKT:
        return Procedure::LOCKT;
    case Nfs4Op::LOCKU:
        return Procedure::LOCKU;
    case Nfs4Op::ACCESS:
        return Procedure::ACCESS;
    case Nfs4Op::LOOKUP:
        return Procedure::LOOKUP;
    case Nfs4Op::REMOVE:
        return Procedure::REMOVE;
    case Nfs4Op::RENAME:
        return Procedure::RENAME;
    case Nfs4Op::LINK:
        return Procedure::LINK;
    case Nfs4Op::READLINK:
        return Procedure::READLINK;
    case Nfs4Op::READDIR:
        return Procedure::READDIR;
    case Nfs4Op::DELEGRETURN:
        return Procedure::DELEGRETURN;
    case Nfs4Op::RELEASE_LOCKOWNER:
        return Procedure::RELEASE_LOCKOWNER;
    case Nfs4Op::SECINFO:
        return Procedure::SECINFO;
    case Nfs4Op::EXCHANGE_ID:
        return Procedure::EXCHANGE_ID;
    case Nfs4Op::CREATE_SESSION:
        return Procedure::CREATE_SESSION;
    case Nfs4Op::DESTROY_SESSION:
        return Procedure::DESTROY_SESSION;
    case Nfs4Op::RECLAIM_COMPLETE:
        return Procedure::RECLAIM_COMPLETE;
    case Nfs4Op::LAYOUTGET:
        return Procedure::LAYOUTGET;
    case Nfs4Op::GETDEVICEINFO:
        return Procedure::GETDEVICEINFO;
    case Nfs4Op::LAYOUTCOMMIT:
        return Procedure::LAYOUTCOMMIT;
    case Nfs4Op::LAYOUTRETURN:
        return Procedure::LAYOUTRETURN;
    case Nfs4Op::SECINFO_NO_NAME:
        return Procedure::SECINFO_NO_NAME;
    case Nfs4Op::TEST_STATEID:
        return Procedure::TEST_STATEID;
    case Nfs4Op::FREE_STATEID:
        return Procedure::FREE_STATEID;
    case Nfs4Op::BIND_CONN_TO_SESSION:
        return Procedure::BIND_CONN_TO_SESSION;
    case Nfs4Op::DESTROY_CLIENTID:
        return Procedure::DESTROY_CLIENTID;
    case Nfs4Op::SEEK:
        return Procedure::SEEK;
    case Nfs4Op::ALLOCATE:
        return Procedure::ALLOCATE;
    case Nfs4Op::DEALLOCATE:
        return Procedure::DEALLOCATE;
    case Nfs4Op::CLONE:
        return Procedure::CLONE;
    case Nfs4Op::COPY:
        return Procedure::COPY;
    case Nfs4Op::OFFLOAD_CANCEL:
        return Procedure::OFFLOAD_CANCEL;
    case Nfs4Op::OFFLOAD_STATUS:
        return Procedure::OFFLOAD_STATUS;
    case Nfs4Op::LOOKUPP:
        return Procedure::LOOKUPP;
    case Nfs4Op::GETXATTR:
        return Procedure::GETXATTR;
    case Nfs4Op::SETXATTR:
        return Procedure::SETXATTR;
    case Nfs4Op::LISTXATTRS:
        return Procedure::LISTXATTRS;
    case Nfs4Op::REMOVEXATTR:
        return Procedure::REMOVEXATTR;
    case Nfs4Op::READ_PLUS:
        return Procedure::READ_PLUS;
    case Nfs4Op::SETATTR:
        return std::get<SetattrArgs4>(args).attributes.acl ? Procedure::SETACL : Procedure::SETATTR;
    case Nfs4Op::CREATE:
        return std::get<CreateArgs4>(args).type == Ftype4::LNK ? Procedure::SYMLINK
                                                               : Procedure::CREATE;
    default:
        return Procedure::OTHER;
    }
}

} // namespace

const char*
ToString(Nfs4ClientProcedure procedure)
{
    constexpr std::array<const char*, NFS4_CLIENT_PROCEDURES> NAMES{
        "NULL",
        "READ",
        "WRITE",
        "COMMIT",
        "OPEN",
        "OPEN_CONFIRM",
        "OPEN_NOATTR",
        "OPEN_DOWNGRADE",
        "CLOSE",
        "SETATTR",
        "FSINFO",
        "RENEW",
        "SETCLIENTID",
        "SETCLIENTID_CONFIRM",
        "LOCK",
        "LOCKT",
        "LOCKU",
        "ACCESS",
        "GETATTR",
        "LOOKUP",
        "LOOKUP_ROOT",
        "REMOVE",
        "RENAME",
        "LINK",
        "SYMLINK",
        "CREATE",
        "PATHCONF",
        "STATFS",
        "READLINK",
        "READDIR",
        "SERVER_CAPS",
        "DELEGRETURN",
        "GETACL",
        "SETACL",
        "FS_LOCATIONS",
        "RELEASE_LOCKOWNER",
        "SECINFO",
        "EXCHANGE_ID",
        "CREATE_SESSION",
        "DESTROY_SESSION",
        "SEQUENCE",
        "RECLAIM_COMPLETE",
        "LAYOUTGET",
        "GETDEVICEINFO",
        "LAYOUTCOMMIT",
        "LAYOUTRETURN",
        "SECINFO_NO_NAME",
        "TEST_STATEID",
        "FREE_STATEID",
        "BIND_CONN_TO_SESSION",
        "DESTROY_CLIENTID",
        "SEEK",
        "ALLOCATE",
        "DEALLOCATE",
        "CLONE",
        "COPY",
        "OFFLOAD_CANCEL",
        "OFFLOAD_STATUS",
        "LOOKUPP",
        "GETXATTR",
        "SETXATTR",
        "LISTXATTRS",
        "REMOVEXATTR",
        "READ_PLUS",
        "COMPOUND",
    };
    const auto index = static_cast<std::size_t>(procedure);
    return index < NAMES.size() ? NAMES.at(index) : "COMPOUND";
}

Nfs4ClientProcedure
FindNfs4ClientProcedure(const Compound4Args& call)
{
    for (const Nfs4Op last : {Nfs4Op::CLOSE, Nfs4Op::DELEGRETURN})
    {
        if (Holds(call, last))
        {
            return last == Nfs4Op::CLOSE ? Procedure::CLOSE : Procedure::DELEGRETURN;
        }
    }
    const auto found = std::find_if(call.ops.begin(), call.ops.end(), [](const Nfs4ArgOp& args) {
        return !IsHousekeeping(GetOp(args));
    });
    if (found == call.ops.end())
    {
        return FindOfHousekeeping(call);
    }
    if (GetOp(*found) == Nfs4Op::OPEN)
    {
        return Holds(call, Nfs4Op::GETFH) ? Procedure::OPEN : Procedure::OPEN_NOATTR;
    }
    return FindOfOp(*found);
}

} // namespace ns3::nfsrdma
