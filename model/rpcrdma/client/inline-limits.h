/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_INLINE_LIMITS_H
#define NFSRDMA_RPCRDMA_CLIENT_INLINE_LIMITS_H

#include "rpcrdma/message/private-data.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief What fits into a Send of a connection, as its requester sees it.
 *
 * Thresholds bound whole messages, RFC 8797 section 4.2. As Linux's client does, the largest
 * possible transport header is set aside before the RPC message is measured: with 4 segments, 4096
 * octets leave 3948 for a call and 3996 for a reply.
 */
struct InlineLimits
{
    uint32_t send{RpcRdmaPrivateData::MINIMUM_INLINE};    ///< Largest Send to the responder.
    uint32_t receive{RpcRdmaPrivateData::MINIMUM_INLINE}; ///< Largest Send from the responder.
    uint32_t segments{0}; ///< Segments at most in a chunk list of a call.
    uint32_t maxCall{0};  ///< Largest inline RPC call.
    uint32_t maxReply{0}; ///< Largest inline RPC reply.

    /// \return octets set aside in a call: a Read list of \p segments and a Reply chunk of one.
    static uint32_t GetCallHeaderReserve(uint32_t segments);
    /// \return octets set aside in a reply: a Write chunk of \p segments.
    static uint32_t GetReplyHeaderReserve(uint32_t segments);
    /// \return segments for \p dataPages pages and a head and a tail, with regions of
    /// \p regionPages pages; at most \p maximum.
    static uint32_t GetMaxSegments(uint32_t dataPages, uint32_t regionPages, uint32_t maximum);

    /// \param own what the requester advertised
    /// \param peer what the responder advertised, or its default
    static InlineLimits Negotiate(const RpcRdmaPrivateData& own,
                                  const RpcRdmaPrivateData& peer,
                                  uint32_t segments);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_INLINE_LIMITS_H
