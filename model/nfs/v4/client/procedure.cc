/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/client/procedure.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

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

/// The procedures that are named as operations are, in the order of these.
std::array<Procedure, NFS4_OPS>
FindByName()
{
    constexpr std::array<const char*, NFS4_OPS> NAMES{
#define NFS4_OPERATION(number, NAME, ...) #NAME,
#include "nfs/v4/protocol/operations.def"
    };
    std::array<Procedure, NFS4_OPS> found;
    std::transform(NAMES.begin(), NAMES.end(), found.begin(), [](std::string_view name) {
        std::size_t procedure = 0;
        while (procedure < NFS4_CLIENT_PROCEDURES &&
               name != ToString(static_cast<Procedure>(procedure)))
        {
            ++procedure;
        }
        return procedure < NFS4_CLIENT_PROCEDURES ? static_cast<Procedure>(procedure)
                                                  : Procedure::OTHER;
    });
    return found;
}

Procedure
FindOfOp(const Nfs4ArgOp& args)
{
    if (const auto* setattr = std::get_if<SetattrArgs4>(&args))
    {
        return setattr->attributes.acl ? Procedure::SETACL : Procedure::SETATTR;
    }
    const auto* create = std::get_if<CreateArgs4>(&args);
    if (create != nullptr && create->type == Ftype4::LNK)
    {
        return Procedure::SYMLINK;
    }
    static const std::array<Procedure, NFS4_OPS> BY_NAME = FindByName();
    return BY_NAME[args.index()];
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
