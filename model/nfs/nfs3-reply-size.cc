/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/nfs3-reply-size.h"

#include "nfs/nfs3-attributes.h"
#include "rpc/rpc-message.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t STATUS = 4;
constexpr uint32_t HANDLE = 4 + NFS3_FHSIZE;
constexpr uint32_t POST_OP_ATTR = 4 + Fattr3::SIZE;
constexpr uint32_t POST_OP_FH = 4 + HANDLE;
constexpr uint32_t PRE_OP_ATTR = 4 + 24;
constexpr uint32_t WCC_DATA = PRE_OP_ATTR + POST_OP_ATTR;
constexpr uint32_t VERIFIER = 8;
constexpr uint32_t PAD_WORD = 4;

uint32_t
GetHeadResults(Nfs3Procedure procedure)
{
    switch (procedure)
    {
    case Nfs3Procedure::NULLPROC:
        return 0;
    case Nfs3Procedure::GETATTR:
        return STATUS + Fattr3::SIZE;
    case Nfs3Procedure::SETATTR:
    case Nfs3Procedure::REMOVE:
    case Nfs3Procedure::RMDIR:
        return STATUS + WCC_DATA;
    case Nfs3Procedure::LOOKUP:
        return STATUS + HANDLE + 2 * POST_OP_ATTR;
    case Nfs3Procedure::ACCESS:
    case Nfs3Procedure::READLINK:
        return STATUS + POST_OP_ATTR + 4;
    case Nfs3Procedure::READ:
        return STATUS + POST_OP_ATTR + 4 + 4 + 4;
    case Nfs3Procedure::WRITE:
        return STATUS + WCC_DATA + 4 + 4 + VERIFIER;
    case Nfs3Procedure::CREATE:
    case Nfs3Procedure::MKDIR:
    case Nfs3Procedure::SYMLINK:
    case Nfs3Procedure::MKNOD:
        return STATUS + POST_OP_FH + POST_OP_ATTR + WCC_DATA;
    case Nfs3Procedure::RENAME:
        return STATUS + 2 * WCC_DATA;
    case Nfs3Procedure::LINK:
        return STATUS + POST_OP_ATTR + WCC_DATA;
    case Nfs3Procedure::READDIR:
    case Nfs3Procedure::READDIRPLUS:
        return STATUS + POST_OP_ATTR + VERIFIER;
    case Nfs3Procedure::FSSTAT:
        return STATUS + POST_OP_ATTR + 6 * 8 + 4;
    case Nfs3Procedure::FSINFO:
        return STATUS + POST_OP_ATTR + 7 * 4 + 8 + 8 + 4;
    case Nfs3Procedure::PATHCONF:
        return STATUS + POST_OP_ATTR + 6 * 4;
    case Nfs3Procedure::COMMIT:
        return STATUS + WCC_DATA + VERIFIER;
    }
    return 0;
}

bool
HasItem(Nfs3Procedure procedure)
{
    return procedure == Nfs3Procedure::READ || procedure == Nfs3Procedure::READLINK ||
           procedure == Nfs3Procedure::READDIR || procedure == Nfs3Procedure::READDIRPLUS;
}

} // namespace

RpcReplyEstimate
EstimateNfs3Reply(Nfs3Procedure procedure, uint32_t count, bool reduceReadlink)
{
    RpcReplyEstimate estimate;
    estimate.head = RpcReplyHeader::ACCEPTED_SIZE + GetHeadResults(procedure);
    if (HasItem(procedure))
    {
        const bool eligible = procedure == Nfs3Procedure::READ ||
                              (procedure == Nfs3Procedure::READLINK && reduceReadlink);
        estimate.items.push_back({count, 0, eligible});
        estimate.tail = PAD_WORD;
    }
    return estimate;
}

} // namespace ns3::nfsrdma
