/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/linux-call-size.h"

namespace ns3::nfsrdma
{
namespace
{

// All below in words.
constexpr uint32_t COMPOUND = 3;
constexpr uint32_t OP = 1;
constexpr uint32_t STATEID = 4;
constexpr uint32_t VERIFIER = 2;
constexpr uint32_t BITMAP = 4;
constexpr uint32_t SESSION_ID = 4;
constexpr uint32_t OWNER_NAME = 1 + 128 / 4; ///< IDMAP_NAMESZ.
constexpr uint32_t NAME = 1 + (255 + 3) / 4; ///< NFS4_MAXNAMLEN.
constexpr uint32_t OPAQUE = 1024 / 4;        ///< NFS4_OPAQUE_LIMIT.
constexpr uint32_t LABEL = 4 + 4 + 1 + 2048 / 4;
constexpr uint32_t TIME = 3;
constexpr uint32_t OPEN_OWNER = 7;
constexpr uint32_t LOCK_OWNER = 7;
constexpr uint32_t SHARE_ACCESS = 2;
constexpr uint32_t CHANNEL = 7;
constexpr uint32_t OP_MAP = 1 + 4;
constexpr uint32_t MDSTHRESHOLD = 1 + 1 + BITMAP + 1 + 8;
constexpr uint32_t NETADDR = 1 + 1 + 1 + 15; ///< RPCBIND_MAXNETIDLEN, RPCBIND_MAXUADDRLEN.
constexpr uint32_t IMPLEMENTATION_NAME = (4 * 65 + 8) / 4; ///< Of four fields of utsname.
constexpr uint32_t MACHINE_NAME = 64 / 4;
constexpr uint32_t XATTR_NAME = (255 + 3) / 4;
constexpr uint32_t DEVICE_ID = 16 / 4;

constexpr uint32_t ATTRIBUTES =
    BITMAP + 1 + 2 + 1 + OWNER_NAME + OWNER_NAME + LABEL + 1 + TIME + 1 + TIME;
constexpr uint32_t FATTR =
    BITMAP + 1 +
    (1 + 2 + 2 + 4 + 2 + 1 + 1 + 2 + 2 + 3 * TIME + OWNER_NAME + OWNER_NAME + LABEL + MDSTHRESHOLD);
constexpr uint32_t PUTFH = OP + 1 + 128 / 4;
constexpr uint32_t SEQUENCE = OP + SESSION_ID + 4;
constexpr uint32_t GETATTR = OP + BITMAP;
constexpr uint32_t GETFH = OP;
constexpr uint32_t RENEW = OP + 3;
constexpr uint32_t ACCESS = OP + 1;
constexpr uint32_t LOOKUP = OP + NAME;
constexpr uint32_t COMMIT = OP + 3;
constexpr uint32_t OPEN =
    OP + 2 + SHARE_ACCESS + 2 + OPEN_OWNER + (1 + 1 + ATTRIBUTES + VERIFIER) + (1 + NAME);
constexpr uint32_t LAYOUTGET = OP + 10 + STATEID;
constexpr uint32_t LAYOUTRETURN = 8 + OP + STATEID + 1 + OPAQUE;
constexpr uint32_t SETCLIENTID = OP + VERIFIER + 1 + OPAQUE + 1 + NETADDR + 1;
constexpr uint32_t EXCHANGE_ID = OP + VERIFIER + 1 + 1 + OPAQUE + 1 + 1 + 2 * OP_MAP + 1 + 1 +
                                 OPAQUE + 1 + IMPLEMENTATION_NAME + 3;
constexpr uint32_t CREATE_SESSION =
    OP + 2 + 1 + 1 + 2 * CHANNEL + 1 + 1 + 1 + 1 + 1 + MACHINE_NAME + 1 + 1 + 1;
constexpr uint32_t LAYOUTCOMMIT = OP + 2 + 2 + 1 + STATEID + 1 + 2 + 1 + 1 + 1;
constexpr uint32_t COPY_SERVER = 1 + 1 + OPAQUE;

/// What begins most procedures.
constexpr uint32_t ON_FILE = COMPOUND + SEQUENCE + PUTFH;

uint32_t
GetWords(Nfs4ClientProcedure procedure)
{
    using Procedure = Nfs4ClientProcedure;
    switch (procedure)
    {
    case Procedure::NONE:
    case Procedure::OTHER:
        return 0;
    case Procedure::READ:
    case Procedure::READ_PLUS:
        return ON_FILE + OP + STATEID + 3;
    case Procedure::WRITE:
        return ON_FILE + OP + STATEID + 4 + GETATTR;
    case Procedure::COMMIT:
        return ON_FILE + COMMIT;
    case Procedure::OPEN:
        return ON_FILE + OPEN + ACCESS + GETFH + GETATTR + LAYOUTGET;
    case Procedure::OPEN_CONFIRM:
        return COMPOUND + PUTFH + OP + STATEID + 1;
    case Procedure::OPEN_NOATTR:
        return ON_FILE + OPEN + ACCESS + GETATTR + LAYOUTGET;
    case Procedure::OPEN_DOWNGRADE:
        return ON_FILE + LAYOUTRETURN + OP + STATEID + 1 + SHARE_ACCESS;
    case Procedure::CLOSE:
        return ON_FILE + LAYOUTRETURN + OP + 1 + STATEID + GETATTR;
    case Procedure::SETATTR:
        return ON_FILE + OP + STATEID + ATTRIBUTES + GETATTR;
    case Procedure::FSINFO:
    case Procedure::PATHCONF:
    case Procedure::STATFS:
    case Procedure::SERVER_CAPS:
    case Procedure::GETACL:
        return ON_FILE + GETATTR;
    case Procedure::RENEW:
        return COMPOUND + RENEW;
    case Procedure::SETCLIENTID:
        return COMPOUND + SETCLIENTID;
    case Procedure::SETCLIENTID_CONFIRM:
        return COMPOUND + OP + 3 + VERIFIER;
    case Procedure::LOCK:
        return ON_FILE + OP + 7 + 1 + STATEID + 1 + LOCK_OWNER;
    case Procedure::LOCKT:
        return ON_FILE + OP + 5 + LOCK_OWNER;
    case Procedure::LOCKU:
        return ON_FILE + OP + 3 + STATEID + 4;
    case Procedure::ACCESS:
        return ON_FILE + ACCESS + GETATTR;
    case Procedure::GETATTR:
        return ON_FILE + GETATTR + RENEW;
    case Procedure::LOOKUP:
        return ON_FILE + LOOKUP + GETATTR + GETFH;
    case Procedure::LOOKUPP:
        return ON_FILE + OP + GETATTR + GETFH;
    case Procedure::LOOKUP_ROOT:
        return COMPOUND + SEQUENCE + OP + GETATTR + GETFH;
    case Procedure::REMOVE:
    case Procedure::SECINFO:
        return ON_FILE + OP + NAME;
    case Procedure::RENAME:
        return ON_FILE + OP + PUTFH + OP + 2 * NAME;
    case Procedure::LINK:
        return ON_FILE + OP + PUTFH + OP + NAME + OP + GETATTR;
    case Procedure::SYMLINK:
        return ON_FILE + OP + 1 + NAME + 1 + FATTR + GETATTR + GETFH;
    case Procedure::CREATE:
        return ON_FILE + OP + 1 + 2 + NAME + ATTRIBUTES + GETFH + GETATTR;
    case Procedure::READLINK:
        return ON_FILE + OP;
    case Procedure::READDIR:
        return ON_FILE + OP + 2 + VERIFIER + 5 + LABEL;
    case Procedure::DELEGRETURN:
        return ON_FILE + LAYOUTRETURN + OP + 4 + GETATTR;
    case Procedure::SETACL:
        return ON_FILE + OP + STATEID + 3;
    case Procedure::FS_LOCATIONS:
        return ON_FILE + LOOKUP + GETATTR + RENEW;
    case Procedure::RELEASE_LOCKOWNER:
        return COMPOUND + LOCK_OWNER;
    case Procedure::EXCHANGE_ID:
        return COMPOUND + EXCHANGE_ID;
    case Procedure::CREATE_SESSION:
        return COMPOUND + CREATE_SESSION;
    case Procedure::DESTROY_SESSION:
        return COMPOUND + OP + SESSION_ID;
    case Procedure::SEQUENCE:
        return COMPOUND + SEQUENCE;
    case Procedure::RECLAIM_COMPLETE:
        return COMPOUND + SEQUENCE + OP + 4;
    case Procedure::LAYOUTGET:
        return ON_FILE + LAYOUTGET;
    case Procedure::GETDEVICEINFO:
        return COMPOUND + SEQUENCE + OP + DEVICE_ID + 5;
    case Procedure::LAYOUTCOMMIT:
        return ON_FILE + LAYOUTCOMMIT + GETATTR;
    case Procedure::LAYOUTRETURN:
        return ON_FILE + LAYOUTRETURN;
    case Procedure::SECINFO_NO_NAME:
        return COMPOUND + SEQUENCE + OP + OP + 1;
    case Procedure::TEST_STATEID:
        return COMPOUND + SEQUENCE + OP + 2 + STATEID;
    case Procedure::FREE_STATEID:
        return COMPOUND + SEQUENCE + OP + 1 + STATEID;
    case Procedure::BIND_CONN_TO_SESSION:
        return COMPOUND + OP + SESSION_ID + 2;
    case Procedure::DESTROY_CLIENTID:
        return COMPOUND + OP + 2;
    case Procedure::SEEK:
        return ON_FILE + OP + STATEID + 2 + 1;
    case Procedure::ALLOCATE:
    case Procedure::DEALLOCATE:
        return ON_FILE + OP + STATEID + 2 + 2 + GETATTR;
    case Procedure::CLONE:
        return ON_FILE + OP + PUTFH + 2 * STATEID + 2 + 2 + 2 + GETATTR;
    case Procedure::COPY:
        return ON_FILE + OP + PUTFH + OP + 2 * STATEID + 2 + 2 + 2 + 1 + 1 + 1 + 1 + COPY_SERVER +
               COMMIT;
    case Procedure::OFFLOAD_CANCEL:
    case Procedure::OFFLOAD_STATUS:
        return ON_FILE + OP + STATEID;
    case Procedure::GETXATTR:
    case Procedure::REMOVEXATTR:
        return ON_FILE + OP + 1 + XATTR_NAME;
    case Procedure::SETXATTR:
        return ON_FILE + OP + 1 + XATTR_NAME + 1;
    case Procedure::LISTXATTRS:
        return ON_FILE + OP + 2 + 1;
    }
    return 0;
}

} // namespace

uint32_t
GetNfs4LinuxCallSize(Nfs4ClientProcedure procedure)
{
    return GetWords(procedure) * XDR_WORD;
}

} // namespace ns3::nfsrdma
