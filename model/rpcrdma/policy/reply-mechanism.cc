/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/policy/reply-mechanism.h"

#include "rpcrdma/client/reply-offer-solver.h"
#include "rpcrdma/message/continuation.h"
#include "rpcrdma/message/reply-header-size.h"
#include "rpcrdma/policy/running-size-estimate.h"

#include <map>

namespace ns3::nfsrdma
{
namespace
{

/// \return whether all but \p reduced surely fits inline.
bool
RestFits(const ReplyChoice& choice, const std::vector<std::size_t>& reduced)
{
    uint32_t rest = choice.reply.GetTotal();
    std::vector<uint32_t> segments;
    for (const std::size_t item : reduced)
    {
        rest -= choice.reply.items[item].maximum;
        segments.push_back(choice.countSegments(choice.reply.items[item]));
    }
    // Linux sets the header of one Write chunk aside.
    return rest < choice.maxInline &&
           (reduced.size() <= 1 ||
            ReplyHeaderSize::Get(segments, std::nullopt) + rest <= choice.threshold);
}

class LinuxReplyMechanismPolicy : public ReplyMechanismPolicy
{
  public:
    [[nodiscard]] ReplyOffer Choose(const ReplyChoice& choice) const override
    {
        return choice.reply.GetTotal() <= choice.maxInline ? ReplyOffer() : OfferChunks(choice);
    }

  protected:
    static ReplyOffer OfferChunks(const ReplyChoice& choice)
    {
        std::vector<std::size_t> reducible = FindReducible(choice);
        if (reducible.empty() || !RestFits(choice, reducible))
        {
            return {{}, true};
        }
        return {std::move(reducible), false};
    }
};

class WriteChunkFirstPolicy : public LinuxReplyMechanismPolicy
{
  public:
    [[nodiscard]] ReplyOffer Choose(const ReplyChoice& choice) const override
    {
        ReplyOffer offer = OfferChunks(choice);
        return offer.replyChunk ? LinuxReplyMechanismPolicy::Choose(choice) : offer;
    }
};

class WriteAndReplyChunkPolicy : public ReplyMechanismPolicy
{
  public:
    [[nodiscard]] ReplyOffer Choose(const ReplyChoice& choice) const override
    {
        return {FindReducible(choice), true};
    }
};

class ReplyChunkAlwaysPolicy : public ReplyMechanismPolicy
{
  public:
    [[nodiscard]] ReplyOffer Choose(const ReplyChoice& /*choice*/) const override
    {
        return {{}, true};
    }
};

/// Exact headers; what follows when Write chunks do not suffice is left to others.
class SolvedPolicy : public ReplyMechanismPolicy
{
  public:
    [[nodiscard]] ReplyOffer Choose(const ReplyChoice& choice) const override
    {
        ReplySolution solution = SolveReply(choice);
        if (!solution.fits && WantsReplyChunk(choice, solution))
        {
            return OfferReplyChunk(choice, solution);
        }
        return {std::move(solution.reduced), false};
    }

  private:
    [[nodiscard]] virtual bool WantsReplyChunk(const ReplyChoice& /*choice*/,
                                               const ReplySolution& /*solution*/) const
    {
        return true;
    }
};

class ReplyChunkWhenSurelyLargePolicy : public SolvedPolicy
{
  protected:
    [[nodiscard]] bool WantsReplyChunk(const ReplyChoice& choice,
                                       const ReplySolution& solution) const override
    {
        return !choice.peerGivesReadChunks || IsSurelyLarge(choice, solution);
    }

    static bool IsSurelyLarge(const ReplyChoice& choice, const ReplySolution& solution)
    {
        return solution.header + solution.minimum > choice.threshold;
    }
};

class ContinuationPolicy : public ReplyChunkWhenSurelyLargePolicy
{
  protected:
    [[nodiscard]] bool WantsReplyChunk(const ReplyChoice& choice,
                                       const ReplySolution& solution) const override
    {
        uint64_t rest = choice.reply.GetTotal();
        for (const std::size_t item : solution.reduced)
        {
            rest -= choice.reply.items[item].maximum;
        }
        return rest > RpcRdmaContinuation::GetCapacity(choice.threshold,
                                                       solution.header,
                                                       choice.messages) &&
               ReplyChunkWhenSurelyLargePolicy::WantsReplyChunk(choice, solution);
    }
};

class ReplyChunkNeverPolicy : public SolvedPolicy
{
  private:
    [[nodiscard]] bool WantsReplyChunk(const ReplyChoice& /*choice*/,
                                       const ReplySolution& /*solution*/) const override
    {
        return false;
    }
};

class RunningEstimatePolicy : public ReplyChunkWhenSurelyLargePolicy
{
  public:
    void Observe(const ReplyKind& kind, uint32_t length) override
    {
        m_sizes[kind].Add(length);
    }

  private:
    [[nodiscard]] bool WantsReplyChunk(const ReplyChoice& choice,
                                       const ReplySolution& solution) const override
    {
        if (!choice.peerGivesReadChunks || IsSurelyLarge(choice, solution))
        {
            return true;
        }
        const auto seen = m_sizes.find({choice.program, choice.procedure, choice.reply.kind});
        return seen != m_sizes.end() && solution.header + seen->second.Get() > choice.threshold;
    }

    std::map<ReplyKind, RunningSizeEstimate> m_sizes;
};

} // namespace

Registry<ReplyMechanismPolicy>&
ReplyMechanismPolicy::GetKinds()
{
    static Registry<ReplyMechanismPolicy> kinds{
        {"linux", Make<LinuxReplyMechanismPolicy>},
        {"write-chunk-first", Make<WriteChunkFirstPolicy>},
        {"write-and-reply-chunk", Make<WriteAndReplyChunkPolicy>},
        {"solved", Make<SolvedPolicy>},
        {"reply-chunk-always", Make<ReplyChunkAlwaysPolicy>},
        {"reply-chunk-when-surely-large", Make<ReplyChunkWhenSurelyLargePolicy>},
        {"reply-chunk-never", Make<ReplyChunkNeverPolicy>},
        {"running-estimate", Make<RunningEstimatePolicy>},
        {"continuation", Make<ContinuationPolicy>}};
    return kinds;
}

} // namespace ns3::nfsrdma
