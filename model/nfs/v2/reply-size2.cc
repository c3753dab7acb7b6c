/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/v2/reply-size2.h"

#include "nfs/types/reply-parts.h"
#include "rpc/message.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t LENGTH = 4;
constexpr uint32_t STATFS = 5 * 4;

/// \return octets of the results of \p procedure, NFS_OK, before their item.
uint32_t
GetHeadResults(Nfs2Procedure procedure)
{
    switch (procedure)
    {
    case Nfs2Procedure::NULLPROC:
    case Nfs2Procedure::ROOT:
    case Nfs2Procedure::WRITECACHE:
        return 0;
    case Nfs2Procedure::GETATTR:
    case Nfs2Procedure::SETATTR:
    case Nfs2Procedure::WRITE:
        return REPLY_STATUS_SIZE + Fattr2::SIZE;
    case Nfs2Procedure::LOOKUP:
    case Nfs2Procedure::CREATE:
    case Nfs2Procedure::MKDIR:
        return REPLY_STATUS_SIZE + NFS2_FHSIZE + Fattr2::SIZE;
    case Nfs2Procedure::READLINK:
        return REPLY_STATUS_SIZE + LENGTH;
    case Nfs2Procedure::READ:
        return REPLY_STATUS_SIZE + Fattr2::SIZE + LENGTH;
    case Nfs2Procedure::REMOVE:
    case Nfs2Procedure::RENAME:
    case Nfs2Procedure::LINK:
    case Nfs2Procedure::SYMLINK:
    case Nfs2Procedure::RMDIR:
    case Nfs2Procedure::READDIR:
        return REPLY_STATUS_SIZE;
    case Nfs2Procedure::STATFS:
        return REPLY_STATUS_SIZE + STATFS;
    }
    return 0;
}

} // namespace

RpcReplyEstimate
EstimateNfs2Reply(Nfs2Procedure procedure, uint32_t count, bool reduceReadlink)
{
    RpcReplyEstimate estimate;
    estimate.head = RpcReplyHeader::ACCEPTED_SIZE + GetHeadResults(procedure);
    estimate.minimum = estimate.head;
    switch (procedure)
    {
    case Nfs2Procedure::READDIR:
        estimate.minimum += EMPTY_LIST_SIZE;
        estimate.items.push_back({std::max(count, EMPTY_LIST_SIZE), 0, false});
        estimate.tail = Pad4(count);
        break;
    case Nfs2Procedure::READLINK:
        estimate.items.push_back({count, 0, reduceReadlink});
        estimate.tail = Pad4(count);
        break;
    case Nfs2Procedure::READ:
        estimate.items.push_back({count, 0, true});
        estimate.tail = Pad4(count);
        break;
    default:
        break;
    }
    return estimate;
}

} // namespace ns3::nfsrdma
