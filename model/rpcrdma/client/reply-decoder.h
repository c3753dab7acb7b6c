/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_REPLY_DECODER_H
#define NFSRDMA_RPCRDMA_CLIENT_REPLY_DECODER_H

#include "rpcrdma/client/request.h"
#include "rpcrdma/client/xprt-statistics.h"

namespace ns3::nfsrdma
{

/**
 * \brief Makes the RPC message of a matched reply, once no chunk of the request is registered.
 *
 * A reply that was pulled has its message in request.pulled, and its items are copied from there.
 *
 * Sets outcome, reply type and chunk octets of the record, by the verdict of ReplyHeaderCheck: BAD
 * is BAD_REPLY, ERROR is TRANSPORT_ERROR. Both count as bad_reply.
 *
 * The n-th Write chunk of the call is the n-th eligible item of its estimate: the message has an
 * item for each, with length 0 when it was empty or is returned unused.
 *
 * \return the message; empty unless the outcome is SUCCESS
 */
RpcReceivedMessage DecodeReply(RpcRdmaRequest& request,
                               const HostMemory& memory,
                               XprtRdmaStatistics& statistics);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_REPLY_DECODER_H
