/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_CLIENT_REPLY_OFFER_SOLVER_H
#define NFSRDMA_RPCRDMA_CLIENT_REPLY_OFFER_SOLVER_H

#include "rpcrdma/policy/reply-mechanism.h"

namespace ns3::nfsrdma
{

/// \return the items that may have a Write chunk, ascending: the first eligible ones.
[[nodiscard]] std::vector<std::size_t> FindReducible(const ReplyChoice& choice);

/// What exact header sizes say about a reply.
struct ReplySolution
{
    /// The Write chunks needed when fits, else all that may be offered.
    std::vector<std::size_t> reduced;
    bool fits{false};    ///< The largest reply fits inline, but for what is reduced.
    uint32_t header{0};  ///< Octets of the header with those Write chunks.
    uint32_t minimum{0}; ///< Octets at least of the smallest reply, but for what is reduced.
};

[[nodiscard]] ReplySolution SolveReply(const ReplyChoice& choice);

/// \return the Write chunks of \p solution and a Reply chunk; the Reply chunk alone when the header
/// with both would not fit a Send.
[[nodiscard]] ReplyOffer OfferReplyChunk(const ReplyChoice& choice, const ReplySolution& solution);

/// \return \p offer, which has no Reply chunk, with one, as OfferReplyChunk() does.
[[nodiscard]] ReplyOffer AddReplyChunk(const ReplyChoice& choice, const ReplyOffer& offer);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_CLIENT_REPLY_OFFER_SOLVER_H
