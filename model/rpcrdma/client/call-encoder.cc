/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/call-encoder.h"

#include "rpcrdma/client/reply-offer-solver.h"
#include "rpcrdma/message/reply-header-size.h"
#include "rpcrdma/message/transport-header.h"
#include "rpcrdma/policy/form-explanation.h"
#include "wire/spare-octets.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

/// Octets of the send buffer before the message.
constexpr uint32_t HEADER_AREA = 1024;
/// Octets of an XDR unit.
constexpr uint32_t UNIT = 4;
/// Octets of the memory for a Write chunk's pad.
constexpr uint32_t WRITE_PAD = 4;

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
IsReduced(const CallForm& form, std::size_t item)
{
    return std::binary_search(form.reduced.begin(), form.reduced.end(), item);
}

/// \return octets of the call without what is reduced.
uint32_t
GetRestLength(const RpcPayload& payload, const CallForm& form)
{
    uint32_t length = payload.GetLength();
    for (const std::size_t item : form.reduced)
    {
        length -= RoundUp4(payload.items[item].length);
    }
    return length;
}

/// \return pages of pieces that are not in \p buffer.
template <typename Pieces>
uint32_t
CountMappedPages(const HostBuffer& buffer, const Pieces& pieces)
{
    uint32_t pages = 0;
    for (const auto& piece : pieces)
    {
        if (piece.address - buffer.GetAddress() >= buffer.GetLength())
        {
            pages +=
                (piece.address % HostMemory::PAGE_SIZE + piece.length + HostMemory::PAGE_SIZE - 1) /
                HostMemory::PAGE_SIZE;
        }
    }
    return pages;
}

/// Notes how large the messages of \p call may be, and what of that chunks may carry.
void
CountReducible(const RpcTransportCall& call, RpcRecord& record)
{
    record.callReducible = 0;
    for (const RpcDataItem& item : call.call.items)
    {
        record.callReducible += item.ddpEligible && !call.noReduction ? item.length : 0;
    }
    record.replyMaximum = call.reply.GetTotal();
    record.replyReducible = 0;
    for (const RpcReplyItem& item : call.reply.items)
    {
        record.replyReducible += item.ddpEligible && !call.noReduction ? item.maximum : 0;
    }
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
                                       const CallFormPolicy& callForms,
                                       const ReplyMechanismPolicy& replyMechanisms,
                                       XprtRdmaStatistics& statistics,
                                       const CallEncoderSettings& settings)
    : m_memory(memory),
      m_registrar(registrar),
      m_callForms(callForms),
      m_replyMechanisms(replyMechanisms),
      m_statistics(statistics),
      m_settings(settings)
{
}

tl::expected<std::vector<SendWorkRequest>, RpcRdmaCallEncoder::Failure>
RpcRdmaCallEncoder::Encode(RpcRdmaRequest& request)
{
    PrepareBuffers(request);
    const CallFormChoice choice = MakeFormChoice(request);
    CallForm form = m_callForms.Choose(choice);
    CallReason reason = ExplainCall(choice, form);
    auto chain = EncodeInTurn(request, form);
    if (!chain && chain.error() == Failure::TOO_LONG && !form.positionZero)
    {
        form.positionZero = true;
        reason = CallReason::CHUNK_LISTS_TOO_LARGE;
        chain = EncodeInTurn(request, form);
    }
    SpareOctets::Give(std::move(m_scratch));
    if (chain)
    {
        request.call->record.callReason = reason;
    }
    return chain;
}

CallFormChoice
RpcRdmaCallEncoder::MakeFormChoice(RpcRdmaRequest& request) const
{
    const RpcTransportCall& call = *request.call;
    CallFormChoice choice{call.call,
                          !call.noReduction,
                          m_settings.limits.maxCall,
                          m_settings.elements,
                          m_settings.maxReadChunks};
    if (m_settings.exactHeader)
    {
        const uint32_t header = GetOfferHeaderSize(request, ChooseOffer(call));
        choice.maxInline = m_settings.limits.send > header ? m_settings.limits.send - header : 0;
        choice.getReadChunkSize = [this](const RpcDataItem& item) {
            const bool hasPad = m_settings.readPad != READ_PAD_NONE && Pad4(item.length) > 0;
            return (CountExtents({item.address, item.length}) + (hasPad ? 1 : 0)) *
                   (XDR_WORD + RpcRdmaReadSegment::SIZE);
        };
    }
    return choice;
}

uint32_t
RpcRdmaCallEncoder::GetOfferHeaderSize(RpcRdmaRequest& request, const ReplyOffer& offer) const
{
    std::vector<uint32_t> writeChunks;
    auto next = offer.reduced.begin();
    const std::vector<RpcReplyItem>& items = request.call->reply.items;
    for (std::size_t i = 0; next != offer.reduced.end(); ++i)
    {
        const bool isReduced = *next == i;
        next += isReduced ? 1 : 0;
        if (items[i].ddpEligible)
        {
            writeChunks.push_back(isReduced ? CountSegments(items[i]) : 0);
        }
    }
    std::optional<uint32_t> replyChunk;
    if (offer.replyChunk)
    {
        replyChunk = 0;
        for (const Piece& piece : GetReplyPieces(request, offer.reduced))
        {
            *replyChunk += CountExtents(piece);
        }
    }
    return ReplyHeaderSize::Get(writeChunks, replyChunk);
}

RpcRdmaCallEncoder::Result<RpcRdmaCallEncoder::Chain>
RpcRdmaCallEncoder::EncodeInTurn(RpcRdmaRequest& request, const CallForm& form)
{
    auto chain = EncodeAs(request, form);
    if (!chain && chain.error() == Failure::NO_REGIONS && m_mayHaveFewer &&
        m_registrar.GetBroker()->HasTurn(m_registrar) && !m_registrar.IsShortForNow())
    {
        m_savesRegions = true;
        chain = EncodeAs(request, form);
        m_savesRegions = false;
    }
    return chain;
}

RpcRdmaCallEncoder::Result<RpcRdmaCallEncoder::Chain>
RpcRdmaCallEncoder::EncodeAs(RpcRdmaRequest& request, const CallForm& form)
{
    request.header = RpcRdmaHeader();
    request.header.xid = request.call->record.xid;
    request.header.credit = m_settings.credits;
    request.header.proc = form.positionZero ? RpcRdmaProc::NOMSG : RpcRdmaProc::MSG;
    request.replyAddresses.clear();
    request.replyJoined = false;
    m_mayHaveFewer = false;
    LayOut(request, form);
    Chain chain;
    auto done = EncodeReadList(request, form, chain);
    if (done)
    {
        done = EncodeReplyPath(request, chain);
    }
    if (done)
    {
        done = EncodeSend(request, form, chain);
    }
    if (!done)
    {
        Abandon(request, done.error());
        return tl::unexpected(done.error());
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
    GrowTo(std::max(call.call.room, GetLocalLength(call.call)),
           request.sendBufferSize,
           m_statistics.hardwayRegister);
    GrowTo(call.reply.head + call.reply.tail,
           request.replyBufferSize,
           m_statistics.hardwayRegister);
    if (request.sendBuffer.IsNull() ||
        request.sendBuffer.GetLength() < HEADER_AREA + request.sendBufferSize)
    {
        request.sendBuffer = HostBuffer(m_memory,
                                        HEADER_AREA + request.sendBufferSize,
                                        {HostMemoryUse::SENDS, m_settings.account});
    }
}

void
RpcRdmaCallEncoder::LayOut(RpcRdmaRequest& request, const CallForm& form)
{
    const RpcPayload& payload = request.call->call;
    const uint64_t base = request.sendBuffer.GetAddress();
    const bool pullUp = !form.positionZero && GetRestLength(payload, form) < request.sendBufferSize;
    if (m_scratch.empty())
    {
        m_scratch = SpareOctets::Take();
    }
    m_scratch.resize(HEADER_AREA);
    m_pieces.clear();
    m_pulledUp = false;
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
    for (std::size_t i = 0; i < payload.items.size(); ++i)
    {
        const RpcDataItem& item = payload.items[i];
        take(item.offset);
        if (IsReduced(form, i))
        {
            continue;
        }
        if (pullUp)
        {
            const std::size_t offset = m_scratch.size();
            m_scratch.resize(offset + item.length);
            m_memory->Read(item.address, MutableByteSpan(m_scratch).subspan(offset));
            m_pulledUp = true;
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

RpcRdmaCallEncoder::Result<void>
RpcRdmaCallEncoder::RegisterPiece(RpcRdmaRequest& request,
                                  Piece piece,
                                  uint32_t access,
                                  Chain& chain,
                                  RpcRdmaWriteChunk& segments)
{
    while (piece.length > 0)
    {
        if (segments.size() == m_settings.maxChunkSegments)
        {
            return tl::unexpected(
                Refuse("a chunk of more segments than client_max_chunk_segments, " +
                       std::to_string(m_settings.maxChunkSegments)));
        }
        const uint32_t extent = m_registrar.GetExtent(piece.address, piece.length);
        ChunkRegistrar::Request wanted;
        wanted.slot = request.slot;
        wanted.access = access;
        wanted.iova = request.header.xid;
        wanted.grows = false;
        const auto registration = m_registrar.Take(wanted, piece.address, extent, chain);
        if (!registration)
        {
            return tl::unexpected(Failure::NO_REGIONS);
        }
        request.registrations.push_back(*registration);
        segments.push_back(registration->segment);
        piece.address += extent;
        piece.length -= extent;
    }
    return {};
}

RpcRdmaCallEncoder::Result<void>
RpcRdmaCallEncoder::EncodeReadList(RpcRdmaRequest& request, const CallForm& form, Chain& chain)
{
    const RpcPayload& payload = request.call->call;
    if (form.positionZero)
    {
        request.sendBuffer.Write(HEADER_AREA, ByteSpan(m_scratch).subspan(HEADER_AREA));
        if (auto done = RegisterReadChunk(request, 0, m_pieces, chain); !done)
        {
            return done;
        }
    }
    for (std::size_t number = 0; number < form.reduced.size(); ++number)
    {
        const std::size_t i = form.reduced[number];
        if (auto done =
                RegisterItem(request, payload.items[i], payload.GetPosition(i), number, chain);
            !done)
        {
            return done;
        }
    }
    return {};
}

uint64_t
RpcRdmaCallEncoder::GetPadAddress(RpcRdmaRequest& request, std::size_t number) const
{
    if (request.padBuffer.IsNull())
    {
        request.padBuffer =
            HostBuffer(m_memory,
                       uint64_t{UNIT} * (m_settings.maxReadChunks + m_settings.maxWriteChunks));
    }
    return request.padBuffer.GetAddress() + UNIT * number;
}

uint32_t
RpcRdmaCallEncoder::CountExtents(const Piece& piece) const
{
    uint32_t count = 0;
    for (uint32_t counted = 0; counted < piece.length; ++count)
    {
        counted += m_registrar.GetExtent(piece.address + counted, piece.length - counted);
    }
    return count;
}

std::vector<RpcRdmaCallEncoder::Piece>
RpcRdmaCallEncoder::GetReadPieces(RpcRdmaRequest& request,
                                  const RpcDataItem& item,
                                  std::size_t number) const
{
    const uint32_t pad = Pad4(item.length);
    const bool copied = m_settings.readPad == READ_PAD_LAST_SEGMENT && !m_registrar.HoldsCopies();
    const uint32_t end = copied ? item.length % UNIT : 0;
    const Piece whole{item.address, item.length};
    const Piece front{item.address, item.length - end};
    if (CountExtents(front) >= m_settings.maxChunkSegments)
    {
        return {whole};
    }
    const uint64_t address = GetPadAddress(request, number);
    ByteVector octets(end + pad);
    m_memory->Read(item.address + front.length, MutableByteSpan(octets).first(end));
    m_registrar.ChargeCopy(end);
    m_memory->Write(address, octets);
    return {front, {address, end + pad}};
}

RpcRdmaCallEncoder::Result<void>
RpcRdmaCallEncoder::RegisterItem(RpcRdmaRequest& request,
                                 const RpcDataItem& item,
                                 uint32_t position,
                                 std::size_t number,
                                 Chain& chain)
{
    const Piece whole{item.address, item.length};
    if (m_settings.readPad == READ_PAD_NONE || Pad4(item.length) == 0 || m_savesRegions)
    {
        return RegisterReadChunk(request, position, {whole}, chain);
    }
    m_mayHaveFewer = true;
    std::vector<Piece> pieces = GetReadPieces(request, item, number);
    if (m_settings.readPad == READ_PAD_LAST_SEGMENT && m_registrar.HoldsCopies())
    {
        if (auto done = RegisterReadChunk(request, position, {whole}, chain); !done)
        {
            return done;
        }
        if (m_registrar.AppendZeros(request.registrations.back(), Pad4(item.length)))
        {
            request.header.chunks.readList.back().target = request.registrations.back().segment;
            return {};
        }
        pieces.erase(pieces.begin());
    }
    return RegisterReadChunk(request, position, pieces, chain);
}

RpcRdmaCallEncoder::Result<void>
RpcRdmaCallEncoder::RegisterReadChunk(RpcRdmaRequest& request,
                                      uint32_t position,
                                      const std::vector<Piece>& pieces,
                                      Chain& chain)
{
    Result<void> done;
    RpcRdmaWriteChunk segments;
    for (auto piece = pieces.begin(); done && piece != pieces.end(); ++piece)
    {
        done = RegisterPiece(request, *piece, ACCESS_REMOTE_READ, chain, segments);
    }
    for (const RpcRdmaSegment& segment : segments)
    {
        request.header.chunks.readList.push_back({position, segment});
    }
    return done;
}

RpcRdmaCallEncoder::Result<void>
RpcRdmaCallEncoder::EncodeSend(RpcRdmaRequest& request, const CallForm& form, Chain& chain)
{
    const uint32_t headerLength = request.header.GetEncodedSize();
    uint32_t sent = headerLength;
    if (!form.positionZero)
    {
        for (const Piece& piece : m_pieces)
        {
            sent += piece.length;
        }
    }
    request.call->record.callInlineBytes = sent;
    if (sent > m_settings.limits.send)
    {
        return tl::unexpected(Refuse(
            "a Send of " + std::to_string(sent) + " octets, " + std::to_string(headerLength) +
            " of them the transport header with " + std::to_string(request.registrations.size()) +
            " segments, where the inline threshold is " + std::to_string(m_settings.limits.send)));
    }
    SendWorkRequest send;
    send.opcode = WorkRequestOpcode::SEND;
    send.id = request.slot;
    send.elements.push_back(PlaceHeader(request, headerLength));
    if (!form.positionZero)
    {
        for (const Piece& piece : m_pieces)
        {
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
    if (send.elements.size() > m_settings.elements)
    {
        return tl::unexpected(Refuse("a Send of " + std::to_string(send.elements.size()) +
                                     " pieces, where the device takes " +
                                     std::to_string(m_settings.elements)));
    }
    send.signaled = send.elements.size() > 1;
    chain.push_back(std::move(send));
    if (chain.back().signaled)
    {
        m_registrar.ChargeMapping(CountMappedPages(request.sendBuffer, m_pieces));
        MapPieces(request);
    }
    return {};
}

void
RpcRdmaCallEncoder::MapPieces(RpcRdmaRequest& request)
{
    if (!m_registrar.Translates())
    {
        return;
    }
    for (const Piece& piece : m_pieces)
    {
        if (piece.address - request.sendBuffer.GetAddress() >= request.sendBuffer.GetLength())
        {
            request.mapped.push_back({piece.address, piece.length});
        }
    }
    m_registrar.Map(request.mapped);
}

ScatterGatherElement
RpcRdmaCallEncoder::PlaceHeader(RpcRdmaRequest& request, uint32_t length)
{
    if (length <= HEADER_AREA)
    {
        const uint32_t offset = HEADER_AREA - length;
        const MutableByteSpan octets = MutableByteSpan(m_scratch).subspan(offset);
        ByteWriter writer(octets);
        request.header.Encode(writer);
        request.sendBuffer.Write(offset, octets);
        return {request.sendBuffer.GetAddress() + offset, length};
    }
    ByteVector header(length);
    ByteWriter writer(header);
    request.header.Encode(writer);
    if (request.headerBuffer.IsNull() || request.headerBuffer.GetLength() < length)
    {
        request.headerBuffer = HostBuffer(m_memory,
                                          m_settings.limits.send,
                                          {HostMemoryUse::SENDS, m_settings.account});
    }
    request.headerBuffer.Write(0, header);
    request.sendBuffer.Write(HEADER_AREA, ByteSpan(m_scratch).subspan(HEADER_AREA));
    return {request.headerBuffer.GetAddress(), length};
}

RpcRdmaCallEncoder::Failure
RpcRdmaCallEncoder::Refuse(const std::string& reason)
{
    m_refusal = "it needs " + reason;
    return Failure::TOO_LONG;
}

void
RpcRdmaCallEncoder::Abandon(RpcRdmaRequest& request, Failure failure)
{
    ++m_statistics.failedMarshal;
    if (failure == Failure::NO_REGIONS)
    {
        CountChunks(request.header.chunks);
    }
    while (!request.registrations.empty())
    {
        m_registrar.GiveUp(request.slot, request.registrations.back());
        request.registrations.pop_back();
    }
}

void
RpcRdmaCallEncoder::CountChunks(const RpcRdmaChunkLists& chunks)
{
    m_statistics.readChunk += chunks.readList.size();
    for (const RpcRdmaWriteChunk& chunk : chunks.writeList)
    {
        m_statistics.writeChunk += chunk.size();
        m_statistics.totalRdmaRequest += GetChunkLength(chunk);
    }
    if (chunks.replyChunk)
    {
        m_statistics.replyChunk += chunks.replyChunk->size();
        m_statistics.totalRdmaRequest += GetChunkLength(*chunks.replyChunk);
    }
}

void
RpcRdmaCallEncoder::Count(RpcRdmaRequest& request, const CallForm& form)
{
    const RpcPayload& payload = request.call->call;
    const RpcRdmaChunkLists& chunks = request.header.chunks;
    RpcRecord& record = request.call->record;
    record.callType = static_cast<uint32_t>(request.header.proc);
    CountReducible(*request.call, record);
    record.readSegments = chunks.readList.size();
    record.writeChunks = chunks.writeList.size();
    record.writeSegments = 0;
    record.replySegments = chunks.replyChunk ? chunks.replyChunk->size() : 0;
    record.replyRoom = GetReplyRoom(chunks);
    record.registrations = 0;
    for (const ChunkRegistrar::Registration& registration : request.registrations)
    {
        record.registrations += registration.made ? 1 : 0;
    }
    record.readChunkBytes = 0;
    for (const RpcRdmaReadSegment& segment : chunks.readList)
    {
        record.readChunkBytes += segment.target.length;
    }
    for (const RpcRdmaWriteChunk& chunk : chunks.writeList)
    {
        record.writeSegments += chunk.size();
    }
    CountChunks(chunks);
    if (m_pulledUp)
    {
        // What is copied starts with the first item that stays.
        std::size_t first = 0;
        while (IsReduced(form, first))
        {
            ++first;
        }
        const uint32_t before = payload.items[first].offset;
        const uint32_t pulledUp = GetRestLength(payload, form) - before;
        m_statistics.pullupCopy += pulledUp;
        record.copiedBytes += pulledUp;
    }
    if (form.positionZero)
    {
        ++m_statistics.nomsgCall;
    }
}

ReplyChoice
RpcRdmaCallEncoder::MakeReplyChoice(const RpcTransportCall& call) const
{
    return {call.reply,
            !call.noReduction,
            m_settings.limits.maxReply,
            m_settings.limits.receive,
            m_settings.limits.segments,
            m_settings.maxWriteChunks,
            m_settings.peerGivesReadChunks,
            call.record.program,
            call.record.procedure,
            [this](const RpcReplyItem& item) { return CountSegments(item); },
            m_settings.replyMessages};
}

ReplyOffer
RpcRdmaCallEncoder::ChooseOffer(const RpcTransportCall& call) const
{
    const ReplyChoice choice = MakeReplyChoice(call);
    ReplyOffer offer = m_replyMechanisms.Choose(choice);
    if (call.reply.outgrown > 0 && !offer.replyChunk)
    {
        offer = AddReplyChunk(choice, offer);
    }
    return offer;
}

RpcRdmaCallEncoder::Result<void>
RpcRdmaCallEncoder::EncodeReplyPath(RpcRdmaRequest& request, Chain& chain)
{
    const ReplyOffer offer = ChooseOffer(*request.call);
    request.call->record.replyReason = ExplainOffer(MakeReplyChoice(*request.call), offer);
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
        request.replyBuffer = HostBuffer(m_memory,
                                         std::max(needed, request.replyBufferSize),
                                         {HostMemoryUse::REPLY_PAGES, m_settings.account});
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
