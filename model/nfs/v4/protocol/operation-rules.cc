/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v4/protocol/operation-rules.h"

namespace ns3::nfsrdma
{

namespace
{

// Octets of results: opcode and status, and what follows.
constexpr uint32_t STATUS = 8;
constexpr uint32_t CHANGE_INFO = 20;
constexpr uint32_t STATEID = 16;
constexpr uint32_t BITMAP = 16;
constexpr uint32_t VERIFIER = 8;
constexpr uint32_t OWNER = 8 + 4 + NFS4_OPAQUE_LIMIT;
constexpr uint32_t LOCK_DENIED = 8 + 8 + 4 + OWNER;
constexpr uint32_t DELEGATION = 4 + STATEID + 4 + 12 + 12 + 4 + 64;
constexpr uint32_t SESSION = 16 + 8 + 2 * 32;
constexpr uint32_t EXCHANGE = 8 + 4 + 4 + 4 + 40 + 8 + 2 * (4 + NFS4_OPAQUE_LIMIT) + 4;

} // namespace

bool
MayBeFirst(Nfs4Op op)
{
    switch (op)
    {
    case Nfs4Op::EXCHANGE_ID:
    case Nfs4Op::CREATE_SESSION:
    case Nfs4Op::DESTROY_SESSION:
    case Nfs4Op::BIND_CONN_TO_SESSION:
    case Nfs4Op::DESTROY_CLIENTID:
    case Nfs4Op::SEQUENCE:
        return true;
    default:
        return false;
    }
}

bool
MayLackHandle(Nfs4Op op)
{
    switch (op)
    {
    case Nfs4Op::DELEGPURGE:
    case Nfs4Op::PUTFH:
    case Nfs4Op::PUTPUBFH:
    case Nfs4Op::PUTROOTFH:
    case Nfs4Op::RENEW:
    case Nfs4Op::RESTOREFH:
    case Nfs4Op::SETCLIENTID:
    case Nfs4Op::SETCLIENTID_CONFIRM:
    case Nfs4Op::RELEASE_LOCKOWNER:
    case Nfs4Op::BACKCHANNEL_CTL:
    case Nfs4Op::BIND_CONN_TO_SESSION:
    case Nfs4Op::EXCHANGE_ID:
    case Nfs4Op::CREATE_SESSION:
    case Nfs4Op::DESTROY_SESSION:
    case Nfs4Op::FREE_STATEID:
    case Nfs4Op::GETDEVICEINFO:
    case Nfs4Op::GETDEVICELIST:
    case Nfs4Op::SEQUENCE:
    case Nfs4Op::SET_SSV:
    case Nfs4Op::TEST_STATEID:
    case Nfs4Op::DESTROY_CLIENTID:
    case Nfs4Op::RECLAIM_COMPLETE:
    case Nfs4Op::OFFLOAD_CANCEL:
    case Nfs4Op::ILLEGAL:
        return true;
    default:
        return false;
    }
}

bool
ModifiesSomething(Nfs4Op op)
{
    return GetGreatestResult(op) != 0;
}

uint32_t
GetGreatestResult(Nfs4Op op)
{
    switch (op)
    {
    case Nfs4Op::CLOSE:
    case Nfs4Op::OPEN_CONFIRM:
    case Nfs4Op::OPEN_DOWNGRADE:
    case Nfs4Op::LOCKU:
        return STATUS + STATEID;
    case Nfs4Op::CREATE:
        return STATUS + CHANGE_INFO + BITMAP;
    case Nfs4Op::DELEGRETURN:
    case Nfs4Op::RENEW:
    case Nfs4Op::SETCLIENTID_CONFIRM:
    case Nfs4Op::RELEASE_LOCKOWNER:
    case Nfs4Op::DESTROY_CLIENTID:
    case Nfs4Op::DESTROY_SESSION:
    case Nfs4Op::RECLAIM_COMPLETE:
    case Nfs4Op::BACKCHANNEL_CTL:
    case Nfs4Op::FREE_STATEID:
    case Nfs4Op::ALLOCATE:
    case Nfs4Op::DEALLOCATE:
    case Nfs4Op::CLONE:
        return STATUS;
    case Nfs4Op::LINK:
    case Nfs4Op::REMOVE:
    case Nfs4Op::SETXATTR:
    case Nfs4Op::REMOVEXATTR:
        return STATUS + CHANGE_INFO;
    case Nfs4Op::LOCK:
        return STATUS + LOCK_DENIED;
    case Nfs4Op::OPEN:
        return STATUS + STATEID + CHANGE_INFO + 4 + BITMAP + DELEGATION;
    case Nfs4Op::RENAME:
        return STATUS + 2 * CHANGE_INFO;
    case Nfs4Op::SETATTR:
        return STATUS + BITMAP;
    case Nfs4Op::SETCLIENTID:
        return STATUS + 2 * VERIFIER;
    case Nfs4Op::WRITE:
    case Nfs4Op::COMMIT:
        return STATUS + 8 + VERIFIER;
    case Nfs4Op::COPY:
        return STATUS + 4 + STATEID + 12 + VERIFIER + 8;
    case Nfs4Op::CREATE_SESSION:
        return STATUS + SESSION;
    case Nfs4Op::BIND_CONN_TO_SESSION:
        return STATUS + STATEID + 8;
    case Nfs4Op::EXCHANGE_ID:
        return STATUS + EXCHANGE;
    case Nfs4Op::LAYOUTCOMMIT:
        return STATUS + 12;
    case Nfs4Op::LAYOUTRETURN:
        return STATUS + 4 + STATEID;
    default:
        return 0;
    }
}

bool
IsCachedNfs40(Nfs4Op op)
{
    switch (op)
    {
    case Nfs4Op::CREATE:
    case Nfs4Op::LINK:
    case Nfs4Op::REMOVE:
    case Nfs4Op::RENAME:
    case Nfs4Op::SETATTR:
    case Nfs4Op::WRITE:
    case Nfs4Op::SETCLIENTID:
    case Nfs4Op::SETCLIENTID_CONFIRM:
        return true;
    default:
        return false;
    }
}

} // namespace ns3::nfsrdma
