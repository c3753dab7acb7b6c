/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/policy/form-explanation.h"

#include "rpcrdma/message/transport-header.h"

namespace ns3::nfsrdma
{

CallReason
ExplainCall(const CallFormChoice& choice, const CallForm& form)
{
    if (!form.positionZero && form.reduced.empty())
    {
        return CallReason::FITS_INLINE;
    }
    if (choice.call.GetLength() > choice.maxInline)
    {
        return form.positionZero ? CallReason::CALL_TOO_LARGE : CallReason::READ_CHUNK_ARGUMENT;
    }
    return FitsInline(choice) ? CallReason::POLICY : CallReason::TOO_MANY_ELEMENTS;
}

ReplyReason
ExplainOffer(const ReplyChoice& choice, const ReplyOffer& offer)
{
    const uint64_t largest = choice.reply.GetTotal();
    const bool fits = largest <= choice.maxInline;
    if (!offer.replyChunk && offer.reduced.empty())
    {
        return fits || RpcRdmaHeader::MINIMUM_SIZE + largest <= choice.threshold
                   ? ReplyReason::FITS_INLINE
                   : ReplyReason::EXPECTED_SMALL;
    }
    if (offer.replyChunk && choice.reply.outgrown > 0)
    {
        return ReplyReason::RETRIED_LARGER_REPLY_CHUNK;
    }
    if (fits)
    {
        return ReplyReason::POLICY;
    }
    return offer.replyChunk ? ReplyReason::REPLY_ESTIMATE_TOO_LARGE
                            : ReplyReason::WRITE_CHUNK_RESULT;
}

} // namespace ns3::nfsrdma
