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

uint32_t
GetTailLength(const RpcPayload& payload)
{
    return (payload.item ? Pad4(payload.item->length) : 0) + payload.tail.size();
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
    GrowTo(call.call.head.size() + GetTailLength(call.call),
           request.sendBufferSize,
           m_statistics.hardwayRegister);
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
    if (fits &&
        (!payload.item || ELEMENTS_WITHOUT_ITEM + CountPages(*payload.item) <= m_settings.elements))
    {
        return !payload.item || payload.GetLength() < bufferSize ? CallForm::PULLED_UP
                                                                 : CallForm::MAPPED;
    }
    if (payload.item && payload.item->ddpEligible && payload.item->length > 0 && !call.noReduction)
    {
        return CallForm::READ_CHUNK;
    }
    return CallForm::POSITION_ZERO;
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
    if (form != CallForm::READ_CHUNK && form != CallForm::POSITION_ZERO)
    {
        return true;
    }
    const RpcPayload& payload = request.call->call;
    const auto headLength = static_cast<uint32_t>(payload.head.size());
    const uint32_t tailLength = GetTailLength(payload);
    const uint64_t head = request.sendBuffer.GetAddress() + HEADER_AREA;
    const Piece item = payload.item ? Piece{payload.item->address, payload.item->length} : Piece{};

    std::vector<Piece> pieces;
    if (form == CallForm::READ_CHUNK)
    {
        pieces = {item};
    }
    else if (item.length > 0)
    {
        pieces = {{head, headLength}, item, {head + headLength, tailLength}};
    }
    else
    {
        pieces = {{head, headLength + tailLength}};
    }
    RpcRdmaWriteChunk segments;
    for (const Piece& piece : pieces)
    {
        if (!RegisterPiece(request, piece, ACCESS_REMOTE_READ, chain, segments))
        {
            return false;
        }
    }
    const uint32_t position = form == CallForm::READ_CHUNK ? headLength : 0;
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
    RpcRdmaWriteChunk chunk;
    if (!RegisterPiece(request,
                       {reply.itemAddress, reply.item},
                       ACCESS_LOCAL_WRITE | ACCESS_REMOTE_WRITE,
                       chain,
                       chunk))
    {
        return false;
    }
    if (Pad4(reply.item) != 0 && m_settings.writePad)
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
    if (reply.item > 0)
    {
        pieces = {{head, reply.head},
                  {reply.itemAddress, reply.item},
                  {head + reply.head, reply.tail}};
    }
    else
    {
        pieces = {{head, reply.head + reply.tail}};
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
    const RpcPayload& payload = request.call->call;
    const uint32_t headerLength = request.header.GetEncodedSize();
    if (headerLength > HEADER_AREA)
    {
        return false;
    }
    m_scratch.resize(headerLength);
    ByteWriter writer(m_scratch);
    request.header.Encode(writer);
    m_scratch.insert(m_scratch.end(), payload.head.begin(), payload.head.end());
    if (form == CallForm::PULLED_UP && payload.item)
    {
        const std::size_t offset = m_scratch.size();
        m_scratch.resize(offset + payload.item->length);
        m_memory->Read(payload.item->address, MutableByteSpan(m_scratch).subspan(offset));
    }
    const auto tailOffset = static_cast<uint32_t>(m_scratch.size());
    if (payload.item && form != CallForm::READ_CHUNK)
    {
        m_scratch.insert(m_scratch.end(), Pad4(payload.item->length), uint8_t{0});
    }
    m_scratch.insert(m_scratch.end(), payload.tail.begin(), payload.tail.end());

    const uint32_t offset = HEADER_AREA - headerLength;
    const uint64_t address = request.sendBuffer.GetAddress() + offset;
    const auto total = static_cast<uint32_t>(m_scratch.size());
    request.sendBuffer.Write(offset, m_scratch);

    SendWorkRequest send;
    send.opcode = WorkRequestOpcode::SEND;
    send.id = request.slot;
    send.signaled = form == CallForm::MAPPED;
    uint32_t sent = total;
    if (form == CallForm::POSITION_ZERO)
    {
        sent = headerLength;
        send.elements.push_back({address, headerLength});
    }
    else if (form == CallForm::MAPPED)
    {
        sent += payload.item->length;
        send.elements.push_back({address, tailOffset});
        send.elements.push_back({payload.item->address, payload.item->length});
        if (total > tailOffset)
        {
            send.elements.push_back({address + tailOffset, total - tailOffset});
        }
    }
    else
    {
        send.elements.push_back({address, total});
    }
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
    record.writeSegments = chunks.writeList.empty() ? 0 : chunks.writeList.front().size();
    record.replySegments = chunks.replyChunk ? chunks.replyChunk->size() : 0;
    record.registrations = request.registrations.size();
    record.readChunkBytes = 0;
    for (const RpcRdmaReadSegment& segment : chunks.readList)
    {
        record.readChunkBytes += segment.target.length;
    }

    m_statistics.readChunk += record.readSegments;
    m_statistics.writeChunk += record.writeSegments;
    m_statistics.replyChunk += record.replySegments;
    for (const RpcRdmaWriteChunk& chunk : chunks.writeList)
    {
        m_statistics.totalRdmaRequest += GetChunkLength(chunk);
    }
    if (chunks.replyChunk)
    {
        m_statistics.totalRdmaRequest += GetChunkLength(*chunks.replyChunk);
    }
    if (form == CallForm::PULLED_UP && payload.item)
    {
        const uint32_t pulledUp = payload.item->length + GetTailLength(payload);
        m_statistics.pullupCopy += pulledUp;
        record.copiedBytes += pulledUp;
    }
    if (form == CallForm::POSITION_ZERO)
    {
        ++m_statistics.nomsgCall;
    }
}

} // namespace ns3::nfsrdma
