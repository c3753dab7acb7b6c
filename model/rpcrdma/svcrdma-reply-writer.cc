/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/svcrdma-reply-writer.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaSvcRdmaReplyWriter");

namespace
{

RpcRdmaChunkLists
MakeUnused(const RpcRdmaChunkLists& offered)
{
    RpcRdmaChunkLists unused;
    unused.writeList = offered.writeList;
    unused.replyChunk = offered.replyChunk;
    const auto clear = [](RpcRdmaWriteChunk& chunk) {
        for (RpcRdmaSegment& segment : chunk)
        {
            segment.length = 0;
        }
    };
    std::for_each(unused.writeList.begin(), unused.writeList.end(), clear);
    if (unused.replyChunk)
    {
        clear(*unused.replyChunk);
    }
    return unused;
}

bool
OffersReplyChunk(const RpcRdmaChunkLists& chunks)
{
    return chunks.replyChunk && !chunks.replyChunk->empty();
}

} // namespace

SvcRdmaReplyWriter::SvcRdmaReplyWriter(Ptr<HostMemory> memory,
                                       SvcRdmaSendQueue& queue,
                                       std::shared_ptr<const SvcRdmaSettings> settings,
                                       std::shared_ptr<SvcRdmaStatistics> statistics,
                                       const ReplyWriterLimits& limits)
    : m_memory(memory),
      m_queue(queue),
      m_settings(std::move(settings)),
      m_statistics(std::move(statistics)),
      m_limits(limits)
{
}

void
SvcRdmaReplyWriter::Reply(const SvcRdmaCall& call, RpcPayload&& payload)
{
    const auto& writeList = call.chunks.writeList;
    const bool reduced = payload.item && payload.item->ddpEligible && !writeList.empty() &&
                         !writeList.front().empty();
    RpcRdmaHeader header;
    header.xid = call.xid;
    header.credit = call.credits;
    header.proc = OffersReplyChunk(call.chunks) ? RpcRdmaProc::NOMSG : RpcRdmaProc::MSG;
    header.chunks = MakeUnused(call.chunks);

    const uint32_t itemLength = payload.item ? RoundUp4(payload.item->length) : 0;
    const uint32_t messageLength = payload.GetLength() - (reduced ? itemLength : 0);
    if (!Fits(call, header, payload, reduced, messageLength))
    {
        NS_LOG_LOGIC("reply of XID " << call.xid << " is too large");
        SendError(call.xid, RpcRdmaHeader::VERSION, call.credits, RpcRdmaErrorCode::ERR_CHUNK);
        return;
    }
    SendReply(call, header, std::move(payload), reduced);
}

bool
SvcRdmaReplyWriter::Fits(const SvcRdmaCall& call,
                         const RpcRdmaHeader& header,
                         const RpcPayload& payload,
                         bool reduced,
                         uint32_t messageLength) const
{
    if (reduced && payload.item->length > GetChunkLength(call.chunks.writeList.front()))
    {
        return false;
    }
    const uint32_t headerLength = header.GetEncodedSize();
    if (header.proc == RpcRdmaProc::NOMSG)
    {
        return messageLength <= GetChunkLength(*call.chunks.replyChunk) &&
               headerLength <= m_limits.threshold;
    }
    return headerLength + messageLength <= m_limits.threshold;
}

void
SvcRdmaReplyWriter::SendReply(const SvcRdmaCall& call,
                              RpcRdmaHeader& header,
                              RpcPayload&& payload,
                              bool reduced)
{
    const uint32_t headerLength = header.GetEncodedSize();
    const Piece item = payload.item ? Piece{payload.item->address, payload.item->length} : Piece{};
    const auto headLength = static_cast<uint32_t>(payload.head.size());
    const uint32_t tailLength = payload.tail.size() + (reduced ? 0 : Pad4(item.length));
    HostBuffer buffer = TakeBuffer(headerLength + headLength + tailLength);
    const uint64_t address = buffer.GetAddress();
    const Piece head{address + headerLength, headLength};
    const Piece tail{head.address + headLength, tailLength};

    Chain chain;
    if (reduced && item.length > 0)
    {
        AppendWrites({item}, call.chunks.writeList.front(), header.chunks.writeList.front(), chain);
        m_queue.Post(std::move(chain), nullptr);
        chain.clear();
    }
    SendWorkRequest send;
    if (header.proc == RpcRdmaProc::NOMSG)
    {
        const std::vector<Piece> pieces =
            reduced ? std::vector<Piece>{head, tail} : std::vector<Piece>{head, item, tail};
        AppendWrites(pieces, *call.chunks.replyChunk, *header.chunks.replyChunk, chain);
        send.elements.push_back({address, headerLength});
    }
    else if (reduced || item.length == 0)
    {
        send.elements.push_back({address, headerLength + headLength + tailLength});
    }
    else
    {
        send.elements.push_back({address, headerLength + headLength});
        send.elements.push_back({item.address, item.length});
        if (tail.length > 0)
        {
            send.elements.push_back({tail.address, tail.length});
        }
    }

    m_scratch.resize(headerLength);
    ByteWriter writer(m_scratch);
    header.Encode(writer);
    m_scratch.insert(m_scratch.end(), payload.head.begin(), payload.head.end());
    m_scratch.insert(m_scratch.end(), tailLength - payload.tail.size(), uint8_t{0});
    m_scratch.insert(m_scratch.end(), payload.tail.begin(), payload.tail.end());
    buffer.Write(0, m_scratch);

    const auto invalidated = m_settings->invalidation->Choose(m_limits.requesterInvalidates,
                                                              m_settings->remoteInvalidation,
                                                              call.chunks);
    send.opcode = invalidated ? WorkRequestOpcode::SEND_WITH_INVALIDATE : WorkRequestOpcode::SEND;
    send.invalidateStag = invalidated.value_or(0);
    m_statistics->sendWithInvalidate += invalidated ? 1 : 0;
    ++m_statistics->replies;
    chain.push_back(std::move(send));
    PostSend(std::move(chain), std::move(buffer), std::move(payload));
}

void
SvcRdmaReplyWriter::AppendWrites(const std::vector<Piece>& pieces,
                                 const RpcRdmaWriteChunk& offered,
                                 RpcRdmaWriteChunk& returned,
                                 Chain& chain)
{
    std::size_t current = 0;
    for (Piece piece : pieces)
    {
        while (piece.length > 0)
        {
            while (returned[current].length == offered[current].length)
            {
                ++current;
            }
            const RpcRdmaSegment& target = offered[current];
            RpcRdmaSegment& filled = returned[current];
            const uint64_t pages = uint64_t{m_settings->writePages} * HostMemory::PAGE_SIZE -
                                   piece.address % HostMemory::PAGE_SIZE;
            const auto length = static_cast<uint32_t>(
                std::min<uint64_t>({piece.length, target.length - filled.length, pages}));
            SendWorkRequest write;
            write.opcode = WorkRequestOpcode::RDMA_WRITE;
            write.elements.push_back({piece.address, length});
            write.remoteStag = target.handle;
            write.remoteOffset = target.offset + filled.length;
            chain.push_back(std::move(write));
            filled.length += length;
            piece.address += length;
            piece.length -= length;
            ++m_statistics->write;
            m_statistics->writeBytes += length;
        }
    }
}

void
SvcRdmaReplyWriter::SendError(uint32_t xid,
                              uint32_t version,
                              uint32_t credits,
                              RpcRdmaErrorCode error)
{
    RpcRdmaHeader header;
    header.xid = xid;
    header.version = version;
    header.credit = credits;
    header.proc = RpcRdmaProc::ERROR;
    header.error = error;
    m_scratch.resize(header.GetEncodedSize());
    ByteWriter writer(m_scratch);
    header.Encode(writer);
    HostBuffer buffer = TakeBuffer(m_scratch.size());
    buffer.Write(0, m_scratch);

    SendWorkRequest send;
    send.opcode = WorkRequestOpcode::SEND;
    send.elements.push_back({buffer.GetAddress(), static_cast<uint32_t>(m_scratch.size())});
    ++(error == RpcRdmaErrorCode::ERR_VERS ? m_statistics->errVers : m_statistics->errChunk);
    Chain chain;
    chain.push_back(std::move(send));
    PostSend(std::move(chain), std::move(buffer), RpcPayload());
}

HostBuffer
SvcRdmaReplyWriter::TakeBuffer(uint32_t length)
{
    if (length > m_settings->inlineSend)
    {
        return {m_memory, length};
    }
    if (m_freeBuffers.empty())
    {
        return {m_memory, m_settings->inlineSend};
    }
    HostBuffer buffer = std::move(m_freeBuffers.back());
    m_freeBuffers.pop_back();
    return buffer;
}

void
SvcRdmaReplyWriter::PostSend(Chain&& chain, HostBuffer&& buffer, RpcPayload&& payload)
{
    m_queue.Post(std::move(chain),
                 [this,
                  held = std::make_shared<HostBuffer>(std::move(buffer)),
                  itemOwner = std::move(payload.itemOwner)] {
                     if (held->GetLength() == m_settings->inlineSend)
                     {
                         m_freeBuffers.push_back(std::move(*held));
                     }
                 });
}

} // namespace ns3::nfsrdma
