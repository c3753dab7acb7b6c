/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_POLICY_REPLY_MECHANISM_H
#define NFSRDMA_RPCRDMA_POLICY_REPLY_MECHANISM_H

#include "rpc/payload.h"
#include "settings/named.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::nfsrdma
{

/// Replies that are alike in size: of a procedure, and where it has many uses (COMPOUND) of one of
/// these (RpcReplyEstimate::kind).
struct ReplyKind
{
    uint32_t program{0};
    uint32_t procedure{0};
    uint64_t kind{0};

    [[nodiscard]] bool operator<(const ReplyKind& other) const
    {
        return std::tie(program, procedure, kind) <
               std::tie(other.program, other.procedure, other.kind);
    }
};

/// What a requester's offer for the reply is chosen from.
struct ReplyChoice
{
    const RpcReplyEstimate& reply;
    bool reduction{true};    ///< Items may be reduced (the security flavour allows it).
    uint32_t maxInline{0};   ///< Largest inline reply, the largest header set aside (InlineLimits).
    uint32_t threshold{0};   ///< Largest Send from the responder, header included.
    uint32_t maxSegments{1}; ///< Segments set aside for a chunk in maxInline.
    uint32_t maxWriteChunks{1}; ///< In the Write list, at most.
    bool peerGivesReadChunks{
        false}; ///< The responder sends a reply that is too long by Read chunk.
    uint32_t program{0};
    uint32_t procedure{0};
    /// \return segments of a Write chunk for that item.
    std::function<uint32_t(const RpcReplyItem&)> countSegments{nullptr};
    uint32_t messages{1}; ///< Sends that the reply may take (message continuation).
};

/// What a requester offers for the reply.
struct ReplyOffer
{
    /// Items of the estimate with a Write chunk, ascending. Eligible items before them that are not
    /// named have an empty one.
    std::vector<std::size_t> reduced;
    bool replyChunk{false}; ///< A Reply chunk for all that is not reduced.
};

/**
 * \brief What a requester offers for the reply, from what it knows of its size. Policies, by name:
 * - "linux": nothing when the maximum fits inline; else Write chunks when items are eligible and
 *   the rest fits inline; else a Reply chunk (rpcrdma_marshal_req). The largest header is set aside
 *   before the reply is measured;
 * - "write-chunk-first": Write chunks for all eligible items when the rest fits inline, however
 *   small they are; else as "linux";
 * - "write-and-reply-chunk": Write chunks for all eligible items and a Reply chunk in every call;
 * - "solved": as few Write chunks as are needed, by the exact header (ReplyHeaderSize); when they
 *   do not suffice, Write chunks for all eligible items and a Reply chunk for the rest;
 * - "reply-chunk-always": a Reply chunk in every call, and no Write chunk.
 *
 * Requester's choices of draft-responder-provided-read-chunks section 5.3.1: as "solved", but when
 * Write chunks do not suffice there is a Reply chunk beside them
 * - "reply-chunk-when-surely-large": when the smallest reply does not fit inline;
 * - "reply-chunk-never": never;
 * - "running-estimate": when replies of that kind so far have not fitted on average; before the
 *   first one as "reply-chunk-when-surely-large".
 *
 * Message continuation (section 5.5 there), also as "solved", but
 * - "continuation": no Reply chunk when the largest reply fits the Sends that it may take; for
 *   others, and without continuation, as "reply-chunk-when-surely-large".
 *
 * Guaranteed at each call that is sent, where Receives are posted before an RPC ends and after
 * every message: Sends that replies to calls outstanding may still take <= Receives posted.
 *
 * Without a Reply chunk a large reply comes by the responder's Read chunk. From responders that
 * give none, all but "reply-chunk-never" ask as "solved"; "continuation" where it does not suffice.
 *
 * A call whose reply has found no room (RpcReplyEstimate::outgrown) comes with a Reply chunk
 * whatever the policy says: see AddReplyChunk().
 */
class ReplyMechanismPolicy : public Named<ReplyMechanismPolicy>
{
  public:
    virtual ~ReplyMechanismPolicy() = default;

    [[nodiscard]] virtual ReplyOffer Choose(const ReplyChoice& choice) const = 0;

    /// A reply of that kind had \p length octets, without what Write chunks carried.
    virtual void Observe(const ReplyKind& /*kind*/, uint32_t /*length*/)
    {
    }

    [[nodiscard]] static Registry<ReplyMechanismPolicy>& GetKinds();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_POLICY_REPLY_MECHANISM_H
