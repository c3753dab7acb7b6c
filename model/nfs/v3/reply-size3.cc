/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v3/reply-size3.h"

#include "nfs/types/reply-parts.h"
#include "nfs/v3/fattr.h"
#include "rpc/message.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t VERIFIER = 8;

/// Octets of what differs in size from reply to reply.
struct FieldSizes
{
    uint32_t handle{0};
    uint32_t postOpAttr{0};
    uint32_t postOpFh{0};
    uint32_t wccData{0};
};

constexpr uint32_t FULL_POST_OP_ATTR = 4 + Fattr3::SIZE;
constexpr uint32_t FULL_PRE_OP_ATTR = 4 + 24;
constexpr FieldSizes LARGEST{4 + NFS3_FHSIZE,
                             FULL_POST_OP_ATTR,
                             4 + 4 + NFS3_FHSIZE,
                             FULL_PRE_OP_ATTR + FULL_POST_OP_ATTR};
constexpr FieldSizes SMALLEST{4, 4, 4, 4 + 4};

/// \return octets of the results of \p procedure, NFS3_OK, before their item.
uint32_t
GetHeadResults(Nfs3Procedure procedure, const FieldSizes& sizes)
{
    switch (procedure)
    {
    case Nfs3Procedure::NULLPROC:
        return 0;
    case Nfs3Procedure::GETATTR:
        return REPLY_STATUS_SIZE + Fattr3::SIZE;
    case Nfs3Procedure::SETATTR:
    case Nfs3Procedure::REMOVE:
    case Nfs3Procedure::RMDIR:
        return REPLY_STATUS_SIZE + sizes.wccData;
    case Nfs3Procedure::LOOKUP:
        return REPLY_STATUS_SIZE + sizes.handle + 2 * sizes.postOpAttr;
    case Nfs3Procedure::ACCESS:
    case Nfs3Procedure::READLINK:
        return REPLY_STATUS_SIZE + sizes.postOpAttr + 4;
    case Nfs3Procedure::READ:
        return REPLY_STATUS_SIZE + sizes.postOpAttr + 4 + 4 + 4;
    case Nfs3Procedure::WRITE:
        return REPLY_STATUS_SIZE + sizes.wccData + 4 + 4 + VERIFIER;
    case Nfs3Procedure::CREATE:
    case Nfs3Procedure::MKDIR:
    case Nfs3Procedure::SYMLINK:
    case Nfs3Procedure::MKNOD:
        return REPLY_STATUS_SIZE + sizes.postOpFh + sizes.postOpAttr + sizes.wccData;
    case Nfs3Procedure::RENAME:
        return REPLY_STATUS_SIZE + 2 * sizes.wccData;
    case Nfs3Procedure::LINK:
        return REPLY_STATUS_SIZE + sizes.postOpAttr + sizes.wccData;
    case Nfs3Procedure::READDIR:
    case Nfs3Procedure::READDIRPLUS:
        return REPLY_STATUS_SIZE + sizes.postOpAttr + VERIFIER;
    case Nfs3Procedure::FSSTAT:
        return REPLY_STATUS_SIZE + sizes.postOpAttr + 6 * 8 + 4;
    case Nfs3Procedure::FSINFO:
        return REPLY_STATUS_SIZE + sizes.postOpAttr + 7 * 4 + 8 + 8 + 4;
    case Nfs3Procedure::PATHCONF:
        return REPLY_STATUS_SIZE + sizes.postOpAttr + 6 * 4;
    case Nfs3Procedure::COMMIT:
        return REPLY_STATUS_SIZE + sizes.wccData + VERIFIER;
    }
    return 0;
}

bool
ReadsDirectory(Nfs3Procedure procedure)
{
    return procedure == Nfs3Procedure::READDIR || procedure == Nfs3Procedure::READDIRPLUS;
}

bool
HasItem(Nfs3Procedure procedure)
{
    return procedure == Nfs3Procedure::READ || procedure == Nfs3Procedure::READLINK ||
           ReadsDirectory(procedure);
}

} // namespace

RpcReplyEstimate
EstimateNfs3Reply(Nfs3Procedure procedure, uint32_t count, bool reduceReadlink)
{
    RpcReplyEstimate estimate;
    estimate.head = RpcReplyHeader::ACCEPTED_SIZE + GetHeadResults(procedure, LARGEST);
    estimate.minimum = RpcReplyHeader::ACCEPTED_SIZE + GetHeadResults(procedure, SMALLEST) +
                       (ReadsDirectory(procedure) ? EMPTY_LIST_SIZE : 0);
    if (HasItem(procedure))
    {
        const bool eligible = procedure == Nfs3Procedure::READ ||
                              (procedure == Nfs3Procedure::READLINK && reduceReadlink);
        estimate.items.push_back({count, 0, eligible});
        estimate.tail = ITEM_PADDING_ROOM;
    }
    return estimate;
}

} // namespace ns3::nfsrdma
