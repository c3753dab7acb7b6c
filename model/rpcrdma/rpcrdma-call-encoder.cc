/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/rpcrdma-call-encoder.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t HEADER_AREA = 1024;
/// RPCRDMA_MIN_SEND_SGES: transport header, head, tail.
constexpr uint32_t ELEMENTS_WITHOUT_ITEM = 3;

uint64_t
CountPages(const RpcDataItem& item)
{
    const uint64_t first = item.address / HostMemory::PAGE_SIZE;
    return (item.address + item.length + HostMemory::PAGE_SIZE - 1) / HostMemory::PAGE_SIZE - first;
}

uint64_t
CountPages(const std::vector<RpcDataItem>& items)
{
    uint64_t pages = 0;
    for (const RpcDataItem& item : items)
    {
        pages += CountPages(item);
    }
    return pages;
}

/// \return octets of \p payload besides its items.
uint32_t
GetLocalLength(const RpcPayload& payload)
{
    uint32_t length = payload.octets.size();
    for (const RpcDataItem& item : payload.items)
    {
        length += Pad4(item.length);
    }
    return length;
}

bool
MayReduce(const RpcDataItem& item)
{
    return item.ddpEligible && item.length > 0;
}

void
GrowTo(uint32_t needed, uint32_t& size, uint64_t& counter)
{
    if (needed > size)
    {
        size = needed;
        counter += needed;
    }
}

} // namespace

RpcRdmaCallEncoder::RpcRdmaCallEncoder(Ptr<HostMemory> memory,
                                       ChunkRegistrar& registrar,
                                       const ReplyMechanismPolicy& policy,
                                       XprtRdmaStatistics& statistics,
                                       const CallEncoderSettings& settings)
    : m_memory(memory),
      m_registrar(registrar),
      m_policy(policy),
      m_statistics(statistics),
      m_settings(settings)
{
}

tl::expected<std::vector<SendWorkRequest>, RpcRdmaCallEncoder::Failure>
RpcRdmaCallEncoder::Encode(RpcRdmaRequest& request)
{
    PrepareBuffers(request);
    request.header = RpcRdmaHeader();
    request.header.xid = request.call->record.xid;
    request.header.credit = m_settings.credits;
    request.replyAddresses.clear();

    const CallForm form = ChooseForm(*request.call, request.sendBufferSize);
    request.header.proc = form == CallForm::POSITION_ZERO ? RpcRdmaProc::NOMSG : RpcRdmaProc::MSG;
    LayOut(request, form);
    Chain chain;
    if (!EncodeReadList(request, form, chain) || !EncodeReplyPath(request, chain))
    {
        Abandon(request);
        return tl::unexpected(Failure::NO_REGIONS);
    }
    if (!EncodeSend(request, form, chain))
    {
        Abandon(request);
        return tl::unexpected(Failure::TOO_LONG);
    }
    Count(request, form);
    return chain;
}

void
RpcRdmaCallEncoder::PrepareBuffers(RpcRdmaRequest& request)
{
    const RpcTransportCall& call = *request.call;
    request.sendBufferSize = std::max(request.sendBufferSize, m_settings.bufferSize);
    request.replyBufferSize = std::max(request.replyBufferSize, m_settings.bufferSize);
    GrowTo(GetLocalLength(call.call), request.sendBufferSize, m_statistics.hardwayRegister);
    GrowTo(call.reply.head + call.reply.tail,
           request.replyBufferSize,
           m_statistics.hardwayRegister);
    if (request.sendBuffer.IsNull() ||
        request.sendBuffer.GetLength() < HEADER_AREA + request.sendBufferSize)
    {
        request.sendBuffer = HostBuffer(m_memory, HEADER_AREA + request.sendBufferSize);
    }
}

RpcRdmaCallEncoder::CallForm
RpcRdmaCallEncoder::ChooseForm(const RpcTransportCall& call, uint32_t bufferSize) const
{
    const RpcPayload& payload = call.call;
    const bool fits = payload.GetLength() <= m_settings.limits.maxCall;
    if (fits && (payload.items.empty() ||
                 ELEMENTS_WITHOUT_ITEM + CountPages(payload.items) <= m_settings.elements))
    {
        return payload.items.empty() || payload.GetLength() < bufferSize ? CallForm::PULLED_UP
                                                                         : CallForm::MAPPED;
    }
    if (!call.noReduction && std::any_of(payload.items.begin(), payload.items.end(), MayReduce))
    {
        return CallForm::READ_CHUNK;
    }
    return CallForm::POSITION_ZERO;
}

void
RpcRdmaCallEncoder::LayOut(RpcRdmaRequest& request, CallForm form)
{
    const RpcPayload& payload = request.call->call;
    const uint64_t base = request.sendBuffer.GetAddress();
    m_scratch.resize(HEADER_AREA);
    m_pieces.clear();
    std::size_t start = HEADER_AREA;
    uint32_t taken = 0;
    const auto take = [this, &payload, &taken](uint32_t end) {
        m_scratch.insert(m_scratch.end(),
                         payload.octets.begin() + taken,
                         payload.octets.begin() + end);
        taken = end;
    };
    const auto endPiece = [this, base, &start] {
        if (m_scratch.size() > start)
        {
            m_pieces.push_back({base + start, static_cast<uint32_t>(m_scratch.size() - start)});
            start = m_scratch.size();
        }
    };
    for (const RpcDataItem& item : payload.items)
    {
        take(item.offset);
        if (form == CallForm::READ_CHUNK && MayReduce(item))
        {
            continue;
        }
        if (form == CallForm::PULLED_UP)
        {
            const std::size_t offset = m_scratch.size();
            m_scratch.resize(offset + item.length);
            m_memory->Read(item.address, MutableByteSpan(m_scratch).subspan(offset));
        }
        else if (item.length > 0)
        {
            endPiece();
            m_pieces.push_back({item.address, item.length});
        }
        m_scratch.insert(m_scratch.end(), Pad4(item.length), uint8_t{0});
    }
    take(payload.octets.size());
    endPiece();
}

bool
RpcRdmaCallEncoder::RegisterPiece(RpcRdmaRequest& request,
                                  Piece piece,
                                  uint32_t access,
                                  Chain& chain,
                                  RpcRdmaWriteChunk& segments)
{
    while (piece.length > 0)
    {
        const uint32_t extent = m_registrar.GetExtent(piece.address, piece.length);
        const auto registration = m_registrar.Register(request.slot,
                                                       piece.address,
                                                       extent,
                                                       access,
                                                       request.header.xid,
                                                       chain);
        if (!registration)
        {
            return false;
        }
        request.registrations.push_back(*registration);
        segments.push_back(registration->segment);
        piece.address += extent;
        piece.length -= extent;
    }
    return true;
}

bool
RpcRdmaCallEncoder::EncodeReadList(RpcRdmaRequest& request, CallForm form, Chain& chain)
{
    if (form == CallForm::POSITION_ZERO)
    {
        return RegisterReadChunk(request, 0, m_pieces, chain);
    }
    if (form != CallForm::READ_CHUNK)
    {
        return true;
    }
    const RpcPayload& payload = request.call->call;
    for (std::size_t i = 0; i < payload.items.size(); ++i)
    {
        const RpcDataItem& item = payload.items[i];
        if (MayReduce(item) && !RegisterReadChunk(request,
                                                  payload.GetPosition(i),
                                                  {{item.address, item.length}},
                                                  chain))
        {
            return false;
        }
    }
    return true;
}

bool
RpcRdmaCallEncoder::RegisterReadChunk(RpcRdmaRequest& request,
                                      uint32_t position,
                                      const std::vector<Piece>& pieces,
                                      Chain& chain)
{
    RpcRdmaWriteChunk segments;
    for (const Piece& piece : pieces)
    {
        if (!RegisterPiece(request, piece, ACCESS_REMOTE_READ, chain, segments))
        {
            return false;
        }
    }
    for (const RpcRdmaSegment& segment : segments)
    {
        request.header.chunks.readList.push_back({position, segment});
    }
    return true;
}

bool
RpcRdmaCallEncoder::EncodeReplyPath(RpcRdmaRequest& request, Chain& chain)
{
    const RpcReplyEstimate& reply = request.call->reply;
    switch (m_policy.Choose(reply, !request.call->noReduction, m_settings.limits.maxReply))
    {
    case ReplyMechanism::INLINE:
        return true;
    case ReplyMechanism::REPLY_CHUNK:
        return EncodeReplyChunk(request, chain);
    case ReplyMechanism::WRITE_CHUNK:
        break;
    }
    return std::all_of(reply.items.begin(),
                       reply.items.end(),
                       [this, &request, &chain](const RpcReplyItem& item) {
                           return !item.ddpEligible || EncodeWriteChunk(request, item, chain);
                       });
}

bool
RpcRdmaCallEncoder::EncodeWriteChunk(RpcRdmaRequest& request,
                                     const RpcReplyItem& item,
                                     Chain& chain)
{
    RpcRdmaWriteChunk chunk;
    if (!RegisterPiece(request,
                       {item.address, item.maximum},
                       ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE,
                       chain,
                       chunk))
    {
        return false;
    }
    if (Pad4(item.maximum) != 0 && m_settings.writePad)
    {
        chunk.push_back(*m_settings.writePad);
    }
    request.header.chunks.writeList.push_back(std::move(chunk));
    return true;
}

bool
RpcRdmaCallEncoder::EncodeReplyChunk(RpcRdmaRequest& request, Chain& chain)
{
    const RpcReplyEstimate& reply = request.call->reply;
    if (request.replyBuffer.IsNull() || request.replyBuffer.GetLength() < reply.head + reply.tail)
    {
        request.replyBuffer = HostBuffer(m_memory, request.replyBufferSize);
    }
    const uint64_t head = request.replyBuffer.GetAddress();
    std::vector<Piece> pieces;
    if (reply.GetItemsTotal() > 0)
    {
        pieces.push_back({head, reply.head});
        for (const RpcReplyItem& item : reply.items)
        {
            pieces.push_back({item.address, item.maximum});
        }
        pieces.push_back({head + reply.head, reply.tail});
    }
    else
    {
        pieces.push_back({head, reply.head + reply.tail});
    }
    RpcRdmaWriteChunk chunk;
    for (const Piece& piece : pieces)
    {
        uint64_t address = piece.address;
        const std::size_t first = chunk.size();
        if (!RegisterPiece(request, piece, ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE, chain, chunk))
        {
            return false;
        }
        for (std::size_t i = first; i < chunk.size(); ++i)
        {
            request.replyAddresses.push_back(address);
            address += chunk[i].length;
        }
    }
    request.header.chunks.replyChunk = std::move(chunk);
    return true;
}

bool
RpcRdmaCallEncoder::EncodeSend(RpcRdmaRequest& request, CallForm form, Chain& chain)
{
    const uint32_t headerLength = request.header.GetEncodedSize();
    if (headerLength > HEADER_AREA)
    {
        return false;
    }
    const uint32_t offset = HEADER_AREA - headerLength;
    const MutableByteSpan octets = MutableByteSpan(m_scratch).subspan(offset);
    ByteWriter writer(octets);
    request.header.Encode(writer);
    request.sendBuffer.Write(offset, octets);

    SendWorkRequest send;
    send.opcode = WorkRequestOpcode::SEND;
    send.id = request.slot;
    send.elements.push_back({request.sendBuffer.GetAddress() + offset, headerLength});
    uint32_t sent = headerLength;
    if (form != CallForm::POSITION_ZERO)
    {
        for (const Piece& piece : m_pieces)
        {
            sent += piece.length;
            ScatterGatherElement& last = send.elements.back();
            if (last.address + last.length == piece.address)
            {
                last.length += piece.length;
            }
            else
            {
                send.elements.push_back({piece.address, piece.length});
            }
        }
    }
    send.signaled = send.elements.size() > 1;
    request.call->record.callInlineBytes = sent;
    chain.push_back(std::move(send));
    return sent <= m_settings.limits.send;
}

void
RpcRdmaCallEncoder::Abandon(RpcRdmaRequest& request)
{
    ++m_statistics.failedMarshal;
    while (!request.registrations.empty())
    {
        m_registrar.Release(request.slot, request.registrations.back());
        request.registrations.pop_back();
    }
}

void
RpcRdmaCallEncoder::Count(RpcRdmaRequest& request, CallForm form)
{
    const RpcPayload& payload = request.call->call;
    const RpcRdmaChunkLists& chunks = request.header.chunks;
    RpcRecord& record = request.call->record;
    record.callType = static_cast<uint32_t>(request.header.proc);
    record.readSegments = chunks.readList.size();
    record.writeChunks = chunks.writeList.size();
    record.writeSegments = 0;
    record.replySegments = chunks.replyChunk ? chunks.replyChunk->size() : 0;
    record.registrations = request.registrations.size();
    record.readChunkBytes = 0;
    for (const RpcRdmaReadSegment& segment : chunks.readList)
    {
        record.readChunkBytes += segment.target.length;
    }

    for (const RpcRdmaWriteChunk& chunk : chunks.writeList)
    {
        record.writeSegments += chunk.size();
        m_statistics.totalRdmaRequest += GetChunkLength(chunk);
    }
    m_statistics.readChunk += record.readSegments;
    m_statistics.writeChunk += record.writeSegments;
    m_statistics.replyChunk += record.replySegments;
    if (chunks.replyChunk)
    {
        m_statistics.totalRdmaRequest += GetChunkLength(*chunks.replyChunk);
    }
    if (form == CallForm::PULLED_UP && !payload.items.empty())
    {
        const uint32_t pulledUp = payload.GetLength() - payload.items.front().offset;
        m_statistics.pullupCopy += pulledUp;
        record.copiedBytes += pulledUp;
    }
    if (form == CallForm::POSITION_ZERO)
    {
        ++m_statistics.nomsgCall;
    }
}

} // namespace ns3::nfsrdma
