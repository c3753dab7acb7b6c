/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/inline-limits.h"

#include "rpcrdma/message/transport-header.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

uint32_t
Without(uint32_t threshold, uint32_t reserve)
{
    return threshold > reserve ? threshold - reserve : 0;
}

} // namespace

uint32_t
InlineLimits::GetCallHeaderReserve(uint32_t segments)
{
    const uint32_t readList = segments * (XDR_WORD + RpcRdmaReadSegment::SIZE);
    const uint32_t replyChunk = 2 * XDR_WORD + RpcRdmaSegment::SIZE;
    return RpcRdmaHeader::MINIMUM_SIZE + readList + replyChunk;
}

uint32_t
InlineLimits::GetReplyHeaderReserve(uint32_t segments)
{
    return RpcRdmaHeader::MINIMUM_SIZE + 2 * XDR_WORD + segments * RpcRdmaSegment::SIZE;
}

uint32_t
InlineLimits::GetMaxSegments(uint32_t dataPages, uint32_t regionPages, uint32_t maximum)
{
    const uint32_t headAndTail = 2;
    const uint32_t depth = std::clamp(regionPages, 1U, dataPages);
    return std::min((dataPages + depth - 1) / depth + headAndTail, maximum);
}

InlineLimits
InlineLimits::Negotiate(const RpcRdmaPrivateData& own,
                        const RpcRdmaPrivateData& peer,
                        uint32_t segments)
{
    InlineLimits limits;
    limits.send = std::min(own.sendSize, peer.receiveSize);
    limits.receive = std::min(own.receiveSize, peer.sendSize);
    limits.segments = segments;
    limits.maxCall = Without(limits.send, GetCallHeaderReserve(segments));
    limits.maxReply = Without(limits.receive, GetReplyHeaderReserve(segments));
    return limits;
}

} // namespace ns3::nfsrdma
