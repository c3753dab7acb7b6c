/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V4_CLIENT_PROCEDURE_H
#define NFSRDMA_NFS_V4_CLIENT_PROCEDURE_H

#include "nfs/v4/protocol/compound.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// What a COMPOUND is for, as Linux's client names it in /proc/self/mountstats: those of
/// nfs4_procedures (fs/nfs/nfs4xdr.c) that this client, or a recording of Linux's, sends.
enum class Nfs4ClientProcedure : uint32_t
{
    NONE, ///< NULL.
    READ,
    WRITE,
    COMMIT,
    OPEN,
    OPEN_CONFIRM,
    OPEN_NOATTR,
    OPEN_DOWNGRADE,
    CLOSE,
    SETATTR,
    FSINFO,
    RENEW,
    SETCLIENTID,
    SETCLIENTID_CONFIRM,
    LOCK,
    LOCKT,
    LOCKU,
    ACCESS,
    GETATTR,
    LOOKUP,
    LOOKUP_ROOT,
    REMOVE,
    RENAME,
    LINK,
    SYMLINK,
    CREATE,
    PATHCONF,
    STATFS,
    READLINK,
    READDIR,
    SERVER_CAPS,
    DELEGRETURN,
    GETACL,
    SETACL,
    FS_LOCATIONS,
    RELEASE_LOCKOWNER,
    SECINFO,
    EXCHANGE_ID,
    CREATE_SESSION,
    DESTROY_SESSION,
    SEQUENCE,
    RECLAIM_COMPLETE,
    LAYOUTGET,
    GETDEVICEINFO,
    LAYOUTCOMMIT,
    LAYOUTRETURN,
    SECINFO_NO_NAME,
    TEST_STATEID,
    FREE_STATEID,
    BIND_CONN_TO_SESSION,
    DESTROY_CLIENTID,
    SEEK,
    ALLOCATE,
    DEALLOCATE,
    CLONE,
    COPY,
    OFFLOAD_CANCEL,
    OFFLOAD_STATUS,
    LOOKUPP,
    GETXATTR,
    SETXATTR,
    LISTXATTRS,
    REMOVEXATTR,
    READ_PLUS,
    OTHER ///< None of them.
};

constexpr std::size_t NFS4_CLIENT_PROCEDURES = 65;

/// \return "READ", "LOOKUP_ROOT", ...; "NULL" of NONE, "COMPOUND" of OTHER.
[[nodiscard]] const char* ToString(Nfs4ClientProcedure procedure);

/**
 * \brief Tells what a COMPOUND is for: its first operation that is no SEQUENCE, nothing about
 * handles, and no GETATTR. Without one: LOOKUP_ROOT when it begins with PUTROOTFH, and else what
 * the GETATTR asks for tells (FSINFO, STATFS, PATHCONF, SERVER_CAPS, GETACL, FS_LOCATIONS).
 *
 * A CLOSE or DELEGRETURN goes before a LAYOUTRETURN that it carries. An OPEN without GETFH is
 * OPEN_NOATTR, a SETATTR of an access list SETACL, a CREATE of a link SYMLINK.
 */
[[nodiscard]] Nfs4ClientProcedure FindNfs4ClientProcedure(const Compound4Args& call);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V4_CLIENT_PROCEDURE_H
