/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_V3_REPLY_SIZE3_H
#define NFSRDMA_NFS_V3_REPLY_SIZE3_H

#include "nfs/v3/status3.h"
#include "rpc/payload.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief The largest reply of a procedure, RFC 8267 section 3, as Linux's client computes it, and
 * the smallest one with NFS3_OK, by XDR: without optional attributes, data or entries.
 *
 * All of NFSv3's replies are bounded (section 4.1). head counts the RPC reply header with an
 * AUTH_NONE verifier; the item's address is left 0, the caller has the memory.
 *
 * \param procedure the procedure
 * \param count the bulk part in octets: READ's count, READDIR's count, READDIRPLUS's maxcount, for
 *        READLINK the room for the path; not used with the others
 * \param reduceReadlink RFC 8267 section 4 lets READLINK's path be reduced; Linux's client asks for
 * a Reply chunk instead (false)
 */
[[nodiscard]] RpcReplyEstimate EstimateNfs3Reply(Nfs3Procedure procedure,
                                                 uint32_t count = 0,
                                                 bool reduceReadlink = false);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_V3_REPLY_SIZE3_H
