/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V2_REPLY_SIZE2_H
#define NFSRDMA_NFS_V2_REPLY_SIZE2_H

#include "nfs/v2/types2.h"
#include "rpc/payload.h"

namespace ns3::nfsrdma
{

/**
 * \brief The largest reply of a procedure, RFC 8267 section 3, and the smallest one with NFS_OK, by
 * XDR. All of NFSv2's replies are bounded (section 4.1); those without an item have one size.
 *
 * head counts the RPC reply header with an AUTH_NONE verifier; the item's address is left 0.
 *
 * \param procedure the procedure
 * \param count the bulk part in octets: READ's count, READDIR's count, for READLINK the room for
 * the path; not used with the others \param reduceReadlink a Write chunk may carry READLINK's path;
 * Linux's client asks for a Reply chunk instead (false)
 */
[[nodiscard]] RpcReplyEstimate EstimateNfs2Reply(Nfs2Procedure procedure,
                                                 uint32_t count = 0,
                                                 bool reduceReadlink = false);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V2_REPLY_SIZE2_H
