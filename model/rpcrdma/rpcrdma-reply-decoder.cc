/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/rpcrdma-reply-decoder.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

/// \return whether \p returned is \p offered, filled in order with no more than was offered.
bool
IsReturnOf(const RpcRdmaWriteChunk& returned, const RpcRdmaWriteChunk& offered)
{
    if (returned.size() != offered.size())
    {
        return false;
    }
    bool full = true;
    for (std::size_t i = 0; i < returned.size(); ++i)
    {
        if (returned[i].handle != offered[i].handle || returned[i].offset != offered[i].offset ||
            returned[i].length > (full ? offered[i].length : 0))
        {
            return false;
        }
        full = full && returned[i].length == offered[i].length;
    }
    return true;
}

bool
AreReturned(const RpcRdmaChunkLists& returned, const RpcRdmaChunkLists& offered)
{
    if (!returned.readList.empty())
    {
        return false;
    }
    if (!returned.writeList.empty() && !std::equal(returned.writeList.begin(),
                                                   returned.writeList.end(),
                                                   offered.writeList.begin(),
                                                   offered.writeList.end(),
                                                   IsReturnOf))
    {
        return false;
    }
    return !returned.replyChunk ||
           (offered.replyChunk && IsReturnOf(*returned.replyChunk, *offered.replyChunk));
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

bool
UsesReplyChunk(const RpcRdmaHeader& header)
{
    return header.chunks.replyChunk && GetChunkLength(*header.chunks.replyChunk) > 0;
}

} // namespace

RpcReceivedMessage
DecodeReply(RpcRdmaRequest& request, const HostMemory& memory, XprtRdmaStatistics& statistics)
{
    RpcRecord& record = request.call->record;
    ByteReader reader(request.reply);
    const auto header = RpcRdmaHeader::Decode(reader);
    if (header)
    {
        record.replyType = static_cast<uint32_t>(header->proc);
    }
    const bool isLong = header && header->proc == RpcRdmaProc::NOMSG;
    const bool isReply = isLong || (header && header->proc == RpcRdmaProc::MSG);
    if (!isReply || isLong != UsesReplyChunk(*header) ||
        !AreReturned(header->chunks, request.header.chunks))
    {
        ++statistics.badReply;
        record.outcome = header && header->proc == RpcRdmaProc::ERROR ? RpcOutcome::TRANSPORT_ERROR
                                                                      : RpcOutcome::BAD_REPLY;
        return {};
    }
    record.outcome = RpcOutcome::SUCCESS;
    RpcReceivedMessage message;
    record.writeChunkBytes = TakeWritten(request, *header, message);
    if (isLong)
    {
        message.octets = Assemble(*header->chunks.replyChunk, request.replyAddresses, memory);
        record.replyChunkBytes = message.octets.size();
    }
    else
    {
        const ByteSpan payload = reader.Rest();
        message.octets.assign(payload.begin(), payload.end());
        const uint32_t fixedUp = CountFixup(request.call->reply, message);
        statistics.fixupCopy += fixedUp;
        record.copiedBytes += fixedUp;
    }
    statistics.totalRdmaReply += record.writeChunkBytes + record.replyChunkBytes;
    return message;
}

} // namespace ns3::nfsrdma
