/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/reply-decoder.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

ByteVector
Assemble(const RpcRdmaWriteChunk& chunk,
         const std::vector<uint64_t>& addresses,
         const HostMemory& memory)
{
    ByteVector octets(GetChunkLength(chunk));
    const MutableByteSpan all(octets);
    std::size_t offset = 0;
    for (std::size_t i = 0; i < chunk.size(); ++i)
    {
        if (chunk[i].length > 0)
        {
            memory.Read(addresses[i], all.subspan(offset, chunk[i].length));
            offset += chunk[i].length;
        }
    }
    return octets;
}

/// Makes an item of each Write chunk that the call offered.
/// \return octets in all of them.
uint64_t
TakeWritten(const RpcRdmaRequest& request, const RpcRdmaHeader& header, RpcReceivedMessage& message)
{
    uint64_t total = 0;
    const std::size_t chunks = request.header.chunks.writeList.size();
    auto room = request.call->reply.items.begin();
    message.items.reserve(chunks);
    while (message.items.size() < chunks)
    {
        if (room->ddpEligible)
        {
            const auto& returned = header.chunks.writeList;
            const uint64_t written =
                returned.empty() ? 0 : GetChunkLength(returned[message.items.size()]);
            const auto length = static_cast<uint32_t>(std::min<uint64_t>(written, room->maximum));
            message.items.push_back({0, room->address, length, nullptr});
            total += written;
        }
        ++room;
    }
    return total;
}

/// \return octets of items in an inline reply that are copied to where the program wants them.
uint32_t
CountFixup(const RpcReplyEstimate& estimate, const RpcReceivedMessage& message)
{
    uint32_t maximum = 0;
    std::size_t chunk = 0;
    for (const RpcReplyItem& item : estimate.items)
    {
        const bool reduced = item.ddpEligible && message.IsReduced(chunk);
        maximum += reduced ? 0 : item.maximum;
        chunk += item.ddpEligible ? 1 : 0;
    }
    const auto length = static_cast<uint32_t>(message.octets.size());
    return length > estimate.head ? std::min(maximum, length - estimate.head) : 0;
}

/// \return why the reply came as it did, where that is not why its chunks were offered.
ReplyReason
ExplainReply(const RpcRdmaRequest& request, bool isRead)
{
    const RpcRecord& record = request.call->record;
    if (isRead)
    {
        return ReplyReason::PULLED;
    }
    if (request.replySends > 1)
    {
        return ReplyReason::CONTINUED;
    }
    const bool offered = record.writeSegments + record.replySegments > 0;
    if (offered && record.writeChunkBytes + record.replyChunkBytes == 0)
    {
        return ReplyReason::CHUNK_UNUSED;
    }
    return request.replyJoined ? ReplyReason::NO_REGISTRATION_AVAILABLE : record.replyReason;
}

} // namespace

RpcReceivedMessage
DecodeReply(RpcRdmaRequest& request, const HostMemory& memory, XprtRdmaStatistics& statistics)
{
    RpcRecord& record = request.call->record;
    const CheckedReply& checked = request.checked;
    if (checked.header)
    {
        record.replyType = static_cast<uint32_t>(checked.header->proc);
    }
    const bool isRead = checked.verdict == ReplyVerdict::PULL && request.pulled;
    if (checked.verdict != ReplyVerdict::COMPLETE && !isRead)
    {
        ++statistics.badReply;
        record.replyReason =
            checked.verdict == ReplyVerdict::ERROR ? ReplyReason::RDMA_ERROR : record.replyReason;
        record.outcome = checked.verdict == ReplyVerdict::ERROR ? RpcOutcome::TRANSPORT_ERROR
                                                                : RpcOutcome::BAD_REPLY;
        return {};
    }
    record.outcome = RpcOutcome::SUCCESS;
    RpcReceivedMessage message;
    const auto fixUp = [&] {
        const uint32_t octets = CountFixup(request.call->reply, message);
        statistics.fixupCopy += octets;
        record.copiedBytes += octets;
    };
    record.writeChunkBytes = TakeWritten(request, *checked.header, message);
    if (checked.header->proc == RpcRdmaProc::NOMSG && !isRead)
    {
        message.octets =
            Assemble(*checked.header->chunks.replyChunk, request.replyAddresses, memory);
        record.replyChunkBytes = message.octets.size();
        if (request.replyJoined)
        {
            fixUp();
        }
    }
    else
    {
        const ByteSpan payload = isRead ? ByteSpan(*request.pulled)
                                        : ByteSpan(request.reply).subspan(checked.payloadOffset);
        message.octets.assign(payload.data(), payload.data() + payload.size());
        fixUp();
    }
    record.replyReason = ExplainReply(request, isRead);
    statistics.totalRdmaReply += record.writeChunkBytes + record.replyChunkBytes;
    return message;
}

} // namespace ns3::nfsrdma
