/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_MESSAGE_KIND_H
#define NFSRDMA_RPCRDMA_CLIENT_MESSAGE_KIND_H

#include "rpcrdma/message/transport-header.h"

namespace ns3::nfsrdma
{

/// What a requester takes a message for that it has received.
enum class MessageKind
{
    REPLY,        ///< Of a call that waits for it.
    REVERSE_CALL, ///< RFC 8167.
    UNKNOWN_XID,
    MALFORMED
};

/// What a requester knows of the XID of a message.
enum class XidState
{
    UNKNOWN,
    AWAITED, ///< Of a call that waits for its reply.
    KNOWN    ///< Of one that was given up, or has its reply.
};

/**
 * \brief Tells what a message is whose direction its transport header may not show.
 *
 * RDMA_NOMSG with a Position-Zero Read chunk is a reply where the peers have agreed on such
 * replies, or when its XID is known; else a reverse Call, which may have no chunk.
 *
 * \param servesCalls whether a callback service serves reverse calls
 * \param agreed whether the peers have agreed on replies in Read chunks
 */
[[nodiscard]] MessageKind Classify(const Decoded<RpcRdmaFixedHeader>& header,
                                   ByteSpan message,
                                   XidState xid,
                                   bool servesCalls,
                                   bool agreed);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_MESSAGE_KIND_H
