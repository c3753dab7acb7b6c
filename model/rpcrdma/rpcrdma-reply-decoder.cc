/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/rpcrdma-reply-decoder.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

uint32_t
CountFixup(const RpcReplyEstimate& estimate, std::size_t length)
{
    return length > estimate.head
               ? std::min<uint32_t>(estimate.GetItemsTotal(),
                                    static_cast<uint32_t>(length) - estimate.head)
               : 0;
}

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
    auto room = request.call->reply.items.begin();
    message.items.reserve(request.header.chunks.writeList.size());
    for (std::size_t i = 0; i < request.header.chunks.writeList.size(); ++i)
    {
        room = std::find_if(room, request.call->reply.items.end(), [](const RpcReplyItem& item) {
            return item.ddpEligible;
        });
        const uint64_t written =
            header.chunks.writeList.empty() ? 0 : GetChunkLength(header.chunks.writeList[i]);
        message.items.push_back({0,
                                 room->address,
                                 static_cast<uint32_t>(std::min<uint64_t>(written, room->maximum)),
                                 nullptr});
        total += written;
        ++room;
    }
    return total;
}

RpcReceivedMessage
DecodeMessage(RpcRdmaRequest& request,
              const RpcRdmaHeader& header,
              ByteSpan payload,
              XprtRdmaStatistics& statistics)
{
    const RpcReplyEstimate& estimate = request.call->reply;
    RpcReceivedMessage message;
    message.octets.assign(payload.begin(), payload.end());
    const uint64_t written = TakeWritten(request, header, message);
    if (written > 0)
    {
        statistics.totalRdmaReply += written;
        request.call->record.writeChunkBytes = written;
    }
    else
    {
        const auto fixedUp = static_cast<uint32_t>(CountFixup(estimate, payload.size()));
        statistics.fixupCopy += fixedUp;
        request.call->record.copiedBytes += fixedUp;
    }
    return message;
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
    if (checked.verdict != ReplyVerdict::COMPLETE)
    {
        ++statistics.badReply;
        record.outcome = checked.verdict == ReplyVerdict::ERROR ? RpcOutcome::TRANSPORT_ERROR
                                                                : RpcOutcome::BAD_REPLY;
        return {};
    }
    if (request.pulled)
    {
        record.outcome = RpcOutcome::SUCCESS;
        return DecodeMessage(request, *checked.header, *request.pulled, statistics);
    }
    if (!checked.header->chunks.readList.empty())
    {
        ++statistics.badReply;
        record.outcome = RpcOutcome::BAD_REPLY;
        return {};
    }
    record.outcome = RpcOutcome::SUCCESS;
    if (checked.header->proc == RpcRdmaProc::MSG)
    {
        return DecodeMessage(request,
                             *checked.header,
                             ByteSpan(request.reply).subspan(checked.payloadOffset),
                             statistics);
    }
    RpcReceivedMessage message;
    message.octets = Assemble(*checked.header->chunks.replyChunk, request.replyAddresses, memory);
    record.replyChunkBytes = message.octets.size();
    statistics.totalRdmaReply += message.octets.size();
    return message;
}

} // namespace ns3::nfsrdma
