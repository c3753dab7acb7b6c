/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/reply-offer-solver.h"

#include "rpcrdma/message/reply-header-size.h"
#include "rpcrdma/message/transport-header.h"

namespace ns3::nfsrdma
{

std::vector<std::size_t>
FindReducible(const ReplyChoice& choice)
{
    const std::vector<RpcReplyItem>& items = choice.reply.items;
    std::vector<std::size_t> reducible;
    uint32_t chunks = 0;
    for (std::size_t i = 0; choice.reduction && i < items.size() && chunks < choice.maxWriteChunks;
         ++i)
    {
        if (items[i].ddpEligible)
        {
            ++chunks;
            if (items[i].maximum > 0)
            {
                reducible.push_back(i);
            }
        }
    }
    return reducible;
}

ReplySolution
SolveReply(const ReplyChoice& choice)
{
    ReplySolution solution;
    solution.minimum = choice.reply.minimum;
    solution.header = RpcRdmaHeader::MINIMUM_SIZE;
    if (solution.header + choice.reply.GetTotal() <= choice.threshold)
    {
        solution.fits = true;
        return solution;
    }
    std::vector<ReplyHeaderSize::Candidate> candidates;
    std::vector<std::size_t> items;
    for (std::size_t i = 0; choice.reduction && i < choice.reply.items.size() &&
                            candidates.size() < choice.maxWriteChunks;
         ++i)
    {
        const RpcReplyItem& item = choice.reply.items[i];
        if (item.ddpEligible)
        {
            items.push_back(i);
            candidates.push_back({item.maximum, choice.countSegments(item)});
        }
    }
    const auto used = ReplyHeaderSize(choice.threshold).Solve(choice.reply.GetTotal(), candidates);
    solution.fits = used.has_value();
    std::vector<uint32_t> segments;
    for (std::size_t i = 0, next = 0; i < items.size(); ++i)
    {
        const bool isUsed = used ? next < used->size() && (*used)[next] == i
                                 : choice.reply.items[items[i]].maximum > 0;
        segments.push_back(isUsed ? candidates[i].segments : 0);
        if (isUsed)
        {
            ++next;
            solution.reduced.push_back(items[i]);
            solution.minimum -= std::min(solution.minimum, candidates[i].maximum);
        }
    }
    while (!segments.empty() && segments.back() == 0)
    {
        segments.pop_back();
    }
    solution.header = ReplyHeaderSize::Get(segments, std::nullopt);
    return solution;
}

ReplyOffer
OfferReplyChunk(const ReplyChoice& choice, const ReplySolution& solution)
{
    const uint32_t replyChunk =
        ReplyHeaderSize::Get({}, choice.maxSegments) - RpcRdmaHeader::MINIMUM_SIZE;
    if (solution.header + replyChunk > choice.threshold)
    {
        return {{}, true};
    }
    return {solution.reduced, true};
}

ReplyOffer
AddReplyChunk(const ReplyChoice& choice, const ReplyOffer& offer)
{
    std::vector<uint32_t> segments;
    for (std::size_t i = 0, next = 0; next < offer.reduced.size(); ++i)
    {
        const RpcReplyItem& item = choice.reply.items[i];
        const bool isReduced = offer.reduced[next] == i;
        next += isReduced ? 1 : 0;
        if (item.ddpEligible)
        {
            segments.push_back(isReduced ? choice.countSegments(item) : 0);
        }
    }
    ReplySolution solution;
    solution.reduced = offer.reduced;
    solution.header = ReplyHeaderSize::Get(segments, std::nullopt);
    return OfferReplyChunk(choice, solution);
}

} // namespace ns3::nfsrdma
