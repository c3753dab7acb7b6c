/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/call-encoder.h"
#include "rpcrdma/client/reply-offer-solver.h"

#include <algorithm>

namespace ns3::nfsrdma
{

namespace
{

/// Octets of the memory for a Write chunk's pad.
constexpr uint32_t WRITE_PAD = 4;

} // namespace

RpcRdmaCallEncoder::Result<void>
RpcRdmaCallEncoder::EncodeReplyPath(RpcRdmaRequest& request, Chain& chain)
{
    const RpcTransportCall& call = *request.call;
    const ReplyChoice choice{call.reply,
                             !call.noReduction,
                             m_settings.limits.maxReply,
                             m_settings.limits.receive,
                             m_settings.limits.segments,
                             m_settings.maxWriteChunks,
                             m_settings.peerGivesReadChunks,
                             call.record.program,
                             call.record.procedure,
                             [this](const RpcReplyItem& item) { return CountSegments(item); }};
    ReplyOffer offer = m_replyMechanisms.Choose(choice);
    if (call.reply.outgrown > 0 && !offer.replyChunk)
    {
        offer = AddReplyChunk(choice, offer);
    }
    if (auto done = EncodeWriteList(request, offer.reduced, chain); !done)
    {
        return done;
    }
    return offer.replyChunk ? EncodeReplyChunk(request, offer.reduced, chain) : Result<void>();
}

uint64_t
RpcRdmaCallEncoder::GetReplyRoom(const RpcRdmaChunkLists& chunks) const
{
    if (chunks.replyChunk)
    {
        return GetChunkLength(*chunks.replyChunk);
    }
    RpcRdmaHeader reply;
    reply.chunks.writeList = chunks.writeList;
    const uint32_t header = reply.GetEncodedSize();
    return m_settings.limits.receive > header ? m_settings.limits.receive - header : 0;
}

uint64_t
RpcRdmaCallEncoder::GetLargestRoom(const RpcReplyEstimate& reply) const
{
    uint32_t taken = 0;
    uint64_t length = reply.head;
    for (const RpcReplyItem& item : reply.items)
    {
        if (!item.ddpEligible && item.maximum > 0)
        {
            length += item.maximum;
            taken += CountExtents({item.address, item.maximum});
        }
    }
    // A head apart from the tail has a segment of its own.
    taken += taken > 0 ? 1 : 0;
    if (taken >= m_settings.maxChunkSegments)
    {
        return 0;
    }
    const uint64_t segment = m_registrar.GetExtent(0, UINT32_MAX);
    const uint64_t tail = (m_settings.maxChunkSegments - taken) * segment;
    return (taken > 0 ? length : 0) + tail - std::min<uint64_t>(tail, HostMemory::PAGE_SIZE);
}

bool
RpcRdmaCallEncoder::NeedsPadSegment(const RpcReplyItem& item) const
{
    return Pad4(item.maximum) != 0 &&
           (m_settings.writePad || (m_settings.ownWritePads && !m_savesRegions));
}

uint32_t
RpcRdmaCallEncoder::CountSegments(const RpcReplyItem& item) const
{
    return CountExtents({item.address, item.maximum}) + (NeedsPadSegment(item) ? 1 : 0);
}

RpcRdmaCallEncoder::Result<void>
RpcRdmaCallEncoder::AppendWritePad(RpcRdmaRequest& request,
                                   std::size_t number,
                                   Chain& chain,
                                   RpcRdmaWriteChunk& segments)
{
    if (m_settings.writePad)
    {
        segments.push_back(*m_settings.writePad);
        return {};
    }
    if (segments.size() >= m_settings.maxChunkSegments)
    {
        return {};
    }
    m_mayHaveFewer = true;
    auto done =
        RegisterPiece(request,
                      {GetPadAddress(request, m_settings.maxReadChunks + number), WRITE_PAD},
                      ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE,
                      chain,
                      segments);
    // A device with no region more for the call does without the pad, which nothing depends on.
    const bool spares = !done && done.error() == Failure::NO_REGIONS &&
                        m_registrar.GetBroker()->HasTurn(m_registrar);
    return spares ? Result<void>() : done;
}

RpcRdmaCallEncoder::Result<void>
RpcRdmaCallEncoder::EncodeWriteList(RpcRdmaRequest& request,
                                    const std::vector<std::size_t>& reduced,
                                    Chain& chain)
{
    const std::vector<RpcReplyItem>& items = request.call->reply.items;
    auto next = reduced.begin();
    for (std::size_t i = 0; next != reduced.end(); ++i)
    {
        if (!items[i].ddpEligible)
        {
            continue;
        }
        RpcRdmaWriteChunk chunk;
        if (*next == i)
        {
            ++next;
            auto done = RegisterPiece(request,
                                      {items[i].address, items[i].maximum},
                                      ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE,
                                      chain,
                                      chunk);
            if (done && NeedsPadSegment(items[i]))
            {
                done =
                    AppendWritePad(request, request.header.chunks.writeList.size(), chain, chunk);
            }
            if (!done)
            {
                request.header.chunks.writeList.push_back(std::move(chunk));
                return done;
            }
        }
        request.header.chunks.writeList.push_back(std::move(chunk));
    }
    return {};
}

std::vector<RpcRdmaCallEncoder::Piece>
RpcRdmaCallEncoder::GetReplyPieces(RpcRdmaRequest& request,
                                   const std::vector<std::size_t>& reduced) const
{
    const RpcReplyEstimate& reply = request.call->reply;
    std::vector<Piece> items;
    uint32_t inItems = 0;
    for (std::size_t i = 0; i < reply.items.size(); ++i)
    {
        if (reply.items[i].maximum > 0 && !std::binary_search(reduced.begin(), reduced.end(), i))
        {
            items.push_back({reply.items[i].address, reply.items[i].maximum});
            inItems += reply.items[i].maximum;
        }
    }
    request.replyJoined = m_savesRegions && !items.empty();
    const uint32_t needed = reply.head + reply.tail + (request.replyJoined ? inItems : 0);
    if (request.replyBuffer.IsNull() || request.replyBuffer.GetLength() < needed)
    {
        request.replyBuffer = HostBuffer(m_memory, std::max(needed, request.replyBufferSize));
    }
    const uint64_t head = request.replyBuffer.GetAddress();
    if (items.empty() || request.replyJoined)
    {
        return {{head, needed}};
    }
    std::vector<Piece> pieces{{head, reply.head}};
    pieces.insert(pieces.end(), items.begin(), items.end());
    pieces.push_back({head + reply.head, reply.tail});
    return pieces;
}

RpcRdmaCallEncoder::Result<void>
RpcRdmaCallEncoder::EncodeReplyChunk(RpcRdmaRequest& request,
                                     const std::vector<std::size_t>& reduced,
                                     Chain& chain)
{
    const std::vector<Piece> pieces = GetReplyPieces(request, reduced);
    m_mayHaveFewer = m_mayHaveFewer || pieces.size() > 1;
    RpcRdmaWriteChunk& chunk = request.header.chunks.replyChunk.emplace();
    for (const Piece& piece : pieces)
    {
        uint64_t address = piece.address;
        const std::size_t first = chunk.size();
        if (auto done = RegisterPiece(request,
                                      piece,
                                      ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE,
                                      chain,
                                      chunk);
            !done)
        {
            return done;
        }
        for (std::size_t i = first; i < chunk.size(); ++i)
        {
            request.replyAddresses.push_back(address);
            address += chunk[i].length;
        }
    }
    return {};
}

} // namespace ns3::nfsrdma
