/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/connection-settings.h"

#include "rpcrdma/client/reply-pull-session.h"

#include <algorithm>
#include <cmath>

namespace ns3::nfsrdma
{

namespace
{

/// RPCRDMA_BACKWARD_WRS and one for draining.
constexpr uint32_t EXTRA_WORK_REQUESTS = 33;
/// Registration and invalidation of head, item and tail, and the Send (frwr_query_device).
constexpr uint32_t WORK_REQUESTS_PER_CALL = 7;
/// Registration and invalidation of a Read chunk's pad.
constexpr uint32_t PAD_WORK_REQUESTS = 2;

} // namespace

RpcRdmaQueueSizes
RpcRdmaConnectionSettings::FitTo(const RnicDevice& device)
{
    uint32_t& regionPages = registration.regionPages;
    regionPages = std::min({regionPages, maxDataPages, device.GetSettings().maxFastRegisterPages});
    RpcRdmaQueueSizes sizes;
    sizes.segments = InlineLimits::GetMaxSegments(maxDataPages, regionPages, maxSegments);
    const uint32_t chunks = std::max(maxReadChunks + maxWriteChunks, 2U) - 1;
    sizes.pair.sendDepth =
        slots * std::max(WORK_REQUESTS_PER_CALL, 2 * sizes.segments * chunks + 1) +
        EXTRA_WORK_REQUESTS;
    sizes.pair.sendDepth +=
        readPad == READ_PAD_NONE ? 0 : slots * PAD_WORK_REQUESTS * maxReadChunks;
    sizes.pair.sendDepth += replyPull.IsEnabled() ? ReplyPullSession::WORK_REQUESTS : 0;
    sizes.reverseReceives = RpcRdmaReverseResponder::GetReceives(backchannelCredits);
    const uint32_t deepest =
        std::min(device.GetSettings().maxQueueDepth, device.GetSettings().maxCqDepth);
    const uint32_t others = sizes.reverseReceives + receiveBatch + 1;
    replyMessages =
        deepest > others ? std::clamp((deepest - others) / slots, 1U, replyMessages) : 1;
    sizes.pair.receiveDepth = slots * replyMessages + others;

    sizes.pair.sendDepth = std::min(sizes.pair.sendDepth, deepest);
    if (sizes.pair.receiveDepth > deepest)
    {
        sizes.pair.receiveDepth = deepest;
        sizes.hasSpareReceives = false;
        sizes.reverseReceives = std::min(sizes.reverseReceives, deepest / 2);
        if (reverse.server)
        {
            reverse.credits = std::clamp(sizes.reverseReceives / 2, 1U, reverse.credits);
        }
        slots = std::min(slots, deepest - sizes.reverseReceives);
        reservedCredits = std::min(reservedCredits, slots - 1);
    }
    return sizes;
}

uint32_t
RpcRdmaConnectionSettings::CountRequests() const
{
    return requests == 0 ? UINT32_MAX : std::max<uint32_t>(1, std::floor(slots * requests));
}

} // namespace ns3::nfsrdma
