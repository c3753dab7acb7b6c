/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/reply-writer.h"

#include "rpc/absent-item.h"
#include "rpc/service-times.h"
#include "rpcrdma/message/continuation.h"

#include "ns3/log.h"

#include <algorithm>
#include <iterator>
#include <utility>

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

/// Takes the segments of the Write chunks of items that are absent away (RFC 8267 section 6.4.1).
/// \param assignment for each item the Write chunk it goes into, or no chunk's number
void
EmptyAbsent(const RpcPayload& payload,
            const std::vector<std::size_t>& assignment,
            std::vector<RpcRdmaWriteChunk>& returned)
{
    for (std::size_t i = 0; i < assignment.size(); ++i)
    {
        if (assignment[i] < returned.size() && IsAbsentItem(payload.items[i]))
        {
            returned[assignment[i]].clear();
        }
    }
}

void
AppendElement(ScatterGatherElement element, ScatterGatherList& elements)
{
    ScatterGatherElement& last = elements.back();
    if (last.address + last.length == element.address)
    {
        last.length += element.length;
    }
    else
    {
        elements.push_back(element);
    }
}

uint32_t
CountTouchedPages(uint64_t address, uint32_t length)
{
    const uint64_t end = address % HostMemory::PAGE_SIZE + length;
    return static_cast<uint32_t>((end + HostMemory::PAGE_SIZE - 1) / HostMemory::PAGE_SIZE);
}

bool
OffersReplyChunk(const RpcRdmaChunkLists& chunks)
{
    return chunks.replyChunk && !chunks.replyChunk->empty();
}

/// What lies behind a chunk without segments is taken for one.
void
ReadBehindEmptyChunks(std::vector<RpcRdmaWriteChunk>& chunks)
{
    constexpr RpcRdmaSegment FOREIGN{0x5a5a5a5a, 0x5a5a5a5a, 0x5a5a5a5a};
    for (RpcRdmaWriteChunk& chunk : chunks)
    {
        if (chunk.empty())
        {
            chunk.push_back(FOREIGN);
        }
    }
}

} // namespace

SvcRdmaReplyWriter::SvcRdmaReplyWriter(Ptr<HostMemory> memory,
                                       ChunkRegistrar& registrar,
                                       SvcRdmaSendQueue& queue,
                                       std::shared_ptr<const SvcRdmaSettings> settings,
                                       std::shared_ptr<SvcRdmaStatistics> statistics,
                                       const ReplyWriterLimits& limits)
    : m_memory(memory),
      m_registrar(registrar),
      m_queue(queue),
      m_settings(std::move(settings)),
      m_statistics(std::move(statistics)),
      m_limits(limits)
{
}

SvcRdmaReplyWriter::~SvcRdmaReplyWriter()
{
    if (m_waiting > 0)
    {
        m_exposer->GetRegistrar().GetBroker()->Cancel(this);
    }
}

void
SvcRdmaReplyWriter::Reply(const SvcRdmaCall& call, RpcPayload&& payload)
{
    if (m_settings->emptyChunks == EmptyChunkUse::FOREIGN && call.chunks.HasEmptyWriteChunk())
    {
        SvcRdmaCall misread(call);
        ReadBehindEmptyChunks(misread.chunks.writeList);
        Reply(misread, std::move(payload));
        return;
    }
    if (!HasContext())
    {
        ++m_statistics->abandoned;
        return;
    }
    const Assignment assignment = Assign(payload, call.chunks);
    RpcRdmaHeader header;
    header.xid = call.xid;
    header.credit = call.credits;
    header.chunks = MakeUnused(call.chunks);
    EmptyAbsent(payload, assignment, header.chunks.writeList);
    const auto length = Measure(call, payload, assignment);
    if (m_settings->careless)
    {
        header.proc = OffersReplyChunk(call.chunks) ? RpcRdmaProc::NOMSG : RpcRdmaProc::MSG;
        SendReply(call, header, std::move(payload), assignment);
        return;
    }
    const ReplyRoom room = length ? GetRoom(call, header, *length) : ReplyRoom();
    const bool usesReplyChunk = m_settings->replyChunks->IsUsed(room);
    const bool fits = usesReplyChunk ? room.replyChunkFits : room.inlineFits;
    if (!fits && !room.inlineFits && room.continuationFits)
    {
        header.proc = RpcRdmaProc::MSG;
        SendContinued(call, header, std::move(payload), assignment, *length);
        return;
    }
    if (length && m_exposer && m_settings->readChunks->policy->Provides(room))
    {
        const auto sent = SendExposed(call, header, payload, assignment);
        if (sent)
        {
            return;
        }
        if (!fits && sent.error() == SvcRdmaReplyExposer::Refusal::REGIONS)
        {
            AwaitRegions(call, std::move(payload));
            return;
        }
    }
    header.proc = usesReplyChunk ? RpcRdmaProc::NOMSG : RpcRdmaProc::MSG;
    if (!fits)
    {
        SendTooLarge(call);
        return;
    }
    SendReply(call, header, std::move(payload), assignment);
}

void
SvcRdmaReplyWriter::SendTooLarge(const SvcRdmaCall& call)
{
    NS_LOG_LOGIC("reply of XID " << call.xid << " is too large");
    SendError(call.xid, RpcRdmaHeader::VERSION, call.credits, RpcRdmaErrorCode::ERR_CHUNK);
}

void
SvcRdmaReplyWriter::AwaitRegions(const SvcRdmaCall& call, RpcPayload&& payload)
{
    ++m_waiting;
    ++m_statistics->regionWaits;
    const ChunkRegistrar& registrar = m_exposer->GetRegistrar();
    const auto held = std::make_shared<RpcPayload>(std::move(payload));
    RegionBroker::Waiter waiter;
    waiter.owner = this;
    waiter.registrar = &registrar;
    waiter.attempt = [this, call, held, &registrar] {
        const Assignment assignment = Assign(*held, call.chunks);
        RpcRdmaHeader header;
        header.xid = call.xid;
        header.credit = call.credits;
        header.chunks = MakeUnused(call.chunks);
        const auto sent = SendExposed(call, header, *held, assignment);
        if (!sent && sent.error() == SvcRdmaReplyExposer::Refusal::REGIONS)
        {
            return registrar.IsShortForNow() ? RegionBroker::Attempt::DELAYED
                                             : RegionBroker::Attempt::SHORT;
        }
        --m_waiting;
        if (!sent)
        {
            SendTooLarge(call);
        }
        return RegionBroker::Attempt::SERVED;
    };
    waiter.never = [this, call] {
        --m_waiting;
        SendTooLarge(call);
    };
    registrar.GetBroker()->Wait(RegionUse::OFFER, std::move(waiter));
}

SvcRdmaReplyWriter::Assignment
SvcRdmaReplyWriter::Assign(const RpcPayload& payload, const RpcRdmaChunkLists& offered)
{
    Assignment assignment;
    assignment.reserve(payload.items.size());
    std::size_t chunk = 0;
    for (const RpcDataItem& item : payload.items)
    {
        std::size_t assigned = INLINE;
        if (item.ddpEligible && chunk < offered.writeList.size())
        {
            assigned = offered.writeList[chunk].empty() ? INLINE : chunk;
            ++chunk;
        }
        assignment.push_back(assigned);
    }
    return assignment;
}

std::optional<uint32_t>
SvcRdmaReplyWriter::Measure(const SvcRdmaCall& call,
                            const RpcPayload& payload,
                            const Assignment& assignment)
{
    uint32_t messageLength = payload.GetLength();
    for (std::size_t i = 0; i < assignment.size(); ++i)
    {
        if (assignment[i] == INLINE)
        {
            continue;
        }
        if (payload.items[i].length > GetChunkLength(call.chunks.writeList[assignment[i]]))
        {
            return std::nullopt;
        }
        messageLength -= RoundUp4(payload.items[i].length);
    }
    return messageLength;
}

ReplyRoom
SvcRdmaReplyWriter::GetRoom(const SvcRdmaCall& call,
                            const RpcRdmaHeader& header,
                            uint32_t messageLength) const
{
    const uint32_t headerLength = header.GetEncodedSize();
    ReplyRoom room;
    room.inlineFits = headerLength + messageLength <= m_limits.threshold;
    room.replyChunkOffered = OffersReplyChunk(call.chunks);
    room.replyChunkFits = room.replyChunkOffered && headerLength <= m_limits.threshold &&
                          messageLength <= GetChunkLength(*call.chunks.replyChunk);
    room.continuationFits =
        m_limits.messages > 1 && headerLength + RpcRdmaContinuation::EXTRA <= m_limits.threshold &&
        messageLength <=
            RpcRdmaContinuation::GetCapacity(m_limits.threshold, headerLength, m_limits.messages);
    return room;
}

tl::expected<void, SvcRdmaReplyExposer::Refusal>
SvcRdmaReplyWriter::SendExposed(const SvcRdmaCall& call,
                                RpcRdmaHeader& header,
                                RpcPayload& payload,
                                const Assignment& assignment)
{
    const uint32_t fixedLength = header.GetEncodedSize();
    if (fixedLength > m_limits.threshold)
    {
        return tl::make_unexpected(SvcRdmaReplyExposer::Refusal::SEGMENTS);
    }
    std::vector<SvcRdmaReplyExposer::Part> parts;
    std::size_t item = 0;
    for (const Piece& piece : LayOut(payload, assignment, 0))
    {
        if (piece.inBuffer)
        {
            const ByteSpan octets = ByteSpan(m_scratch).subspan(piece.address, piece.length);
            parts.push_back({octets, 0, 0, nullptr});
            continue;
        }
        while (payload.items[item].address != piece.address)
        {
            ++item;
        }
        parts.push_back({ByteSpan(), piece.address, piece.length, payload.items[item].owner});
    }
    Chain chain;
    const uint32_t maxSegments =
        (m_limits.threshold - fixedLength) / (RpcRdmaReadSegment::SIZE + sizeof(uint32_t));
    auto readList = m_exposer->Expose(call.xid, parts, maxSegments, chain);
    if (!readList)
    {
        return tl::make_unexpected(readList.error());
    }
    m_queue.Begin();
    Chain writes = WriteItems(call, header, payload, assignment);
    chain.insert(chain.begin(),
                 std::make_move_iterator(writes.begin()),
                 std::make_move_iterator(writes.end()));
    header.proc = RpcRdmaProc::NOMSG;
    header.chunks.readList = std::move(*readList);
    m_scratch.resize(header.GetEncodedSize());
    ByteWriter writer(m_scratch);
    header.Encode(writer);
    HostBuffer buffer = TakeBuffer(m_scratch.size());
    buffer.Write(0, m_scratch);
    SendWorkRequest send;
    send.elements.push_back({buffer.GetAddress(), static_cast<uint32_t>(m_scratch.size())});
    const auto headerLength = static_cast<uint32_t>(m_scratch.size());
    Finish(call,
           headerLength,
           std::move(send),
           std::move(chain),
           std::move(buffer),
           std::move(payload));
    return {};
}

std::vector<SvcRdmaReplyWriter::Piece>
SvcRdmaReplyWriter::LayOut(const RpcPayload& payload,
                           const Assignment& assignment,
                           uint32_t headerLength,
                           bool pullUp)
{
    std::vector<Piece> pieces;
    m_scratch.resize(headerLength);
    std::size_t start = headerLength;
    uint32_t taken = 0;
    const auto take = [this, &payload, &taken](uint32_t end) {
        m_scratch.insert(m_scratch.end(),
                         payload.octets.begin() + taken,
                         payload.octets.begin() + end);
        taken = end;
    };
    const auto endPiece = [this, &pieces, &start] {
        if (m_scratch.size() > start)
        {
            pieces.push_back({start, static_cast<uint32_t>(m_scratch.size() - start), true});
            start = m_scratch.size();
        }
    };
    for (std::size_t i = 0; i < assignment.size(); ++i)
    {
        const RpcDataItem& item = payload.items[i];
        take(item.offset);
        if (assignment[i] == INLINE && item.length > 0)
        {
            if (pullUp)
            {
                const std::size_t offset = m_scratch.size();
                m_scratch.resize(offset + item.length);
                m_memory->Read(item.address, MutableByteSpan(m_scratch).subspan(offset));
            }
            else
            {
                endPiece();
                pieces.push_back({item.address, item.length, false});
            }
            m_scratch.insert(m_scratch.end(), Pad4(item.length), uint8_t{0});
        }
    }
    take(payload.octets.size());
    endPiece();
    return pieces;
}

SvcRdmaReplyWriter::Chain
SvcRdmaReplyWriter::WriteItems(const SvcRdmaCall& call,
                               RpcRdmaHeader& header,
                               const RpcPayload& payload,
                               const Assignment& assignment)
{
    Chain chain;
    for (std::size_t i = 0; i < assignment.size(); ++i)
    {
        const RpcDataItem& item = payload.items[i];
        if (assignment[i] != INLINE && item.length > 0)
        {
            AppendWrites({{item.address, item.length}},
                         call.chunks.writeList[assignment[i]],
                         header.chunks.writeList[assignment[i]],
                         chain);
            if (m_settings->replyChaining == ReplyChaining::ALL)
            {
                continue;
            }
            // The Send that follows keeps the items, unless a filter takes it out.
            SvcRdmaSendQueue::Done done;
            if (!m_settings->filters->empty())
            {
                done = [owner = item.owner] {};
            }
            if (m_registrar.Translates())
            {
                const std::vector<MemoryPiece> mapped{{item.address, item.length}};
                m_registrar.Map(mapped);
                done = [this, mapped, owner = item.owner] { m_registrar.Unmap(mapped); };
            }
            m_queue.Post(std::exchange(chain, {}), std::move(done));
        }
    }
    return chain;
}

void
SvcRdmaReplyWriter::SendReply(const SvcRdmaCall& call,
                              RpcRdmaHeader& header,
                              RpcPayload&& payload,
                              const Assignment& assignment)
{
    m_queue.Begin();
    Chain chain = WriteItems(call, header, payload, assignment);
    const uint32_t headerLength = header.GetEncodedSize();
    std::vector<Piece> pieces = LayOut(payload, assignment, headerLength);
    if (header.proc == RpcRdmaProc::MSG && pieces.size() > m_limits.elements)
    {
        pieces = LayOut(payload, assignment, headerLength, true);
    }
    m_registrar.ChargeCopy(m_scratch.size() - headerLength);
    HostBuffer buffer = TakeBuffer(m_scratch.size());
    uint32_t mapped = 0;
    for (Piece& piece : pieces)
    {
        mapped += piece.inBuffer ? 0 : CountTouchedPages(piece.address, piece.length);
        piece.address += piece.inBuffer ? buffer.GetAddress() : 0;
    }

    SendWorkRequest send;
    send.elements.push_back({buffer.GetAddress(), headerLength});
    if (header.proc == RpcRdmaProc::NOMSG)
    {
        AppendWrites(pieces, *call.chunks.replyChunk, *header.chunks.replyChunk, chain);
    }
    else
    {
        m_registrar.ChargeMapping(mapped);
        for (const Piece& piece : pieces)
        {
            AppendElement({piece.address, piece.length}, send.elements);
        }
    }
    ByteWriter writer(m_scratch);
    header.Encode(writer);
    buffer.Write(0, m_scratch);

    Finish(call,
           headerLength,
           std::move(send),
           std::move(chain),
           std::move(buffer),
           std::move(payload));
}

void
SvcRdmaReplyWriter::SendContinued(const SvcRdmaCall& call,
                                  RpcRdmaHeader& header,
                                  RpcPayload&& payload,
                                  const Assignment& assignment,
                                  uint32_t messageLength)
{
    m_queue.Begin();
    Chain chain = WriteItems(call, header, payload, assignment);
    ByteVector plain(header.GetEncodedSize());
    ByteWriter writer(plain);
    header.Encode(writer);
    const uint32_t count = RpcRdmaContinuation::CountMessages(m_limits.threshold,
                                                              header.GetEncodedSize(),
                                                              messageLength);
    std::vector<ByteVector> headers;
    headers.reserve(count);
    uint32_t area = 0;
    uint32_t offset = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        headers.push_back(RpcRdmaContinuation{offset, messageLength}.Encode(plain));
        area += headers.back().size();
        offset += m_limits.threshold - headers.back().size();
    }
    std::vector<Piece> pieces = LayOut(payload, assignment, area);
    HostBuffer buffer = TakeBuffer(m_scratch.size());
    Chain parts = MakeParts(pieces, headers, buffer);
    if (parts.empty())
    {
        pieces = LayOut(payload, assignment, area, true);
        buffer = HostBuffer(m_memory, m_scratch.size(), {HostMemoryUse::SENDS, m_limits.account});
        parts = MakeParts(pieces, headers, buffer);
    }
    m_registrar.ChargeCopy(m_scratch.size() - area);
    uint32_t mapped = 0;
    for (const Piece& piece : pieces)
    {
        mapped += piece.inBuffer ? 0 : CountTouchedPages(piece.address, piece.length);
    }
    m_registrar.ChargeMapping(mapped);
    auto out = m_scratch.begin();
    for (const ByteVector& one : headers)
    {
        out = std::copy(one.begin(), one.end(), out);
    }
    buffer.Write(0, m_scratch);
    ++m_statistics->continuedReplies;
    m_statistics->continuationSends += count;
    SendWorkRequest last = std::move(parts.back());
    parts.pop_back();
    chain.insert(chain.end(),
                 std::make_move_iterator(parts.begin()),
                 std::make_move_iterator(parts.end()));
    Finish(call,
           headers.front().size(),
           std::move(last),
           std::move(chain),
           std::move(buffer),
           std::move(payload));
}

SvcRdmaReplyWriter::Chain
SvcRdmaReplyWriter::MakeParts(const std::vector<Piece>& pieces,
                              const std::vector<ByteVector>& headers,
                              const HostBuffer& buffer) const
{
    Chain parts;
    uint64_t front = buffer.GetAddress();
    auto piece = pieces.begin();
    uint32_t taken = 0;
    for (const ByteVector& header : headers)
    {
        SendWorkRequest part;
        part.opcode = WorkRequestOpcode::SEND;
        const auto headerLength = static_cast<uint32_t>(header.size());
        part.elements.push_back({front, headerLength});
        front += headerLength;
        uint32_t left = m_limits.threshold - headerLength;
        while (left > 0 && piece != pieces.end())
        {
            const uint32_t length = std::min(left, piece->length - taken);
            const uint64_t base = piece->inBuffer ? buffer.GetAddress() : 0;
            AppendElement({base + piece->address + taken, length}, part.elements);
            left -= length;
            taken += length;
            if (taken == piece->length)
            {
                ++piece;
                taken = 0;
            }
        }
        if (part.elements.size() > m_limits.elements)
        {
            return {};
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

void
SvcRdmaReplyWriter::Finish(const SvcRdmaCall& call,
                           uint32_t headerLength,
                           SendWorkRequest&& send,
                           Chain&& chain,
                           HostBuffer&& buffer,
                           RpcPayload&& payload)
{
    const auto invalidated = m_settings->invalidation->Choose(m_limits.requesterInvalidates,
                                                              m_settings->remoteInvalidation,
                                                              call.chunks);
    send.opcode = invalidated ? WorkRequestOpcode::SEND_WITH_INVALIDATE : WorkRequestOpcode::SEND;
    send.invalidateStag = invalidated.value_or(0);
    m_statistics->sendWithInvalidate += invalidated ? 1 : 0;
    ++m_statistics->replies;
    chain.push_back(std::move(send));
    if (call.times && m_settings->replied)
    {
        call.times->posted = Simulator::Now();
        m_settings->replied(*call.times);
    }
    if (!m_settings->filters->empty())
    {
        PostFiltered(call, headerLength, std::move(chain), std::move(buffer), std::move(payload));
        return;
    }
    PostSend(std::move(chain), std::move(buffer), std::move(payload));
}

void
SvcRdmaReplyWriter::PostFiltered(const SvcRdmaCall& call,
                                 uint32_t headerLength,
                                 Chain&& chain,
                                 HostBuffer&& buffer,
                                 RpcPayload&& payload)
{
    const auto isSend = [](const SendWorkRequest& request) {
        return request.opcode == WorkRequestOpcode::SEND ||
               request.opcode == WorkRequestOpcode::SEND_WITH_INVALIDATE;
    };
    const auto first = std::find_if(chain.begin(), chain.end(), isSend);
    std::vector<SvcRdmaOutgoingReply::Send> sends;
    for (auto request = first; request != chain.end(); ++request)
    {
        SvcRdmaOutgoingReply::Send whole;
        for (const ScatterGatherElement& element : request->elements)
        {
            const std::size_t start = whole.octets.size();
            whole.octets.resize(start + element.length);
            m_memory->Read(element.address, MutableByteSpan(whole.octets).subspan(start));
        }
        if (request->opcode == WorkRequestOpcode::SEND_WITH_INVALIDATE)
        {
            whole.invalidates = request->invalidateStag;
        }
        sends.push_back(std::move(whole));
    }
    chain.erase(first, chain.end());
    SvcRdmaOutgoingReply reply{call.xid,
                               call.client,
                               call.chunks,
                               headerLength,
                               std::move(chain),
                               std::move(sends)};
    for (SvcRdmaReplyFilter* filter : *m_settings->filters)
    {
        filter->Filter(reply);
    }
    auto held = std::make_shared<std::vector<HostBuffer>>();
    for (const SvcRdmaOutgoingReply::Send& one : reply.sends)
    {
        if (one.octets.empty())
        {
            continue;
        }
        const auto length = static_cast<uint32_t>(one.octets.size());
        held->emplace_back(m_memory, length);
        held->back().Write(0, one.octets);
        SendWorkRequest send;
        send.opcode =
            one.invalidates ? WorkRequestOpcode::SEND_WITH_INVALIDATE : WorkRequestOpcode::SEND;
        send.invalidateStag = one.invalidates.value_or(0);
        send.elements.push_back({held->back().GetAddress(), length});
        reply.chain.push_back(std::move(send));
    }
    if (!reply.chain.empty())
    {
        held->push_back(std::move(buffer)); // RDMA Writes take from it.
        Post(std::move(reply.chain),
             [held,
              more = std::move(reply.held),
              items = std::move(payload.items),
              sending = std::move(payload.sending)] {});
    }
}

void
SvcRdmaReplyWriter::Post(Chain&& chain, SvcRdmaSendQueue::Done done)
{
    if (m_settings->replyChaining == ReplyChaining::NONE)
    {
        const auto isWrite = [](const SendWorkRequest& request) {
            return request.opcode == WorkRequestOpcode::RDMA_WRITE;
        };
        const auto last = std::find_if_not(chain.begin(), chain.end(), isWrite);
        if (last != chain.begin() && last != chain.end())
        {
            Chain writes(std::make_move_iterator(chain.begin()), std::make_move_iterator(last));
            chain.erase(chain.begin(), last);
            m_queue.Post(std::move(writes), {});
        }
    }
    m_queue.Post(std::move(chain), std::move(done));
}

std::vector<MemoryPiece>
SvcRdmaReplyWriter::Map(const Chain& chain, const HostBuffer& buffer)
{
    std::vector<MemoryPiece> pieces;
    if (!m_registrar.Translates())
    {
        return pieces;
    }
    for (const SendWorkRequest& request : chain)
    {
        for (const ScatterGatherElement& element : request.elements)
        {
            const bool inBuffer = element.address >= buffer.GetAddress() &&
                                  element.address < buffer.GetAddress() + buffer.GetLength();
            if (inBuffer || element.length == 0)
            {
                continue;
            }
            if (!pieces.empty() && pieces.back().address + pieces.back().length == element.address)
            {
                pieces.back().length += element.length;
            }
            else
            {
                pieces.push_back({element.address, element.length});
            }
        }
    }
    m_registrar.Map(pieces);
    return pieces;
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
            while (current + 1 < offered.size() &&
                   returned[current].length >= offered[current].length)
            {
                ++current;
            }
            const RpcRdmaSegment& target = offered[current];
            RpcRdmaSegment& filled = returned[current];
            const uint32_t room = filled.length < target.length ? target.length - filled.length
                                                                : piece.length; // careless
            const uint64_t pages = uint64_t{m_settings->writePages} * HostMemory::PAGE_SIZE -
                                   piece.address % HostMemory::PAGE_SIZE;
            const auto length =
                static_cast<uint32_t>(std::min<uint64_t>({piece.length, room, pages}));
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

    m_queue.Begin();
    SendWorkRequest send;
    send.opcode = WorkRequestOpcode::SEND;
    send.elements.push_back({buffer.GetAddress(), static_cast<uint32_t>(m_scratch.size())});
    ++(error == RpcRdmaErrorCode::ERR_VERS ? m_statistics->errVers : m_statistics->errChunk);
    Chain chain;
    chain.push_back(std::move(send));
    PostSend(std::move(chain), std::move(buffer), RpcPayload());
}

bool
SvcRdmaReplyWriter::HasContext()
{
    if (m_settings->releases && m_settings->sendContexts != 0 &&
        m_contexts >= m_settings->sendContexts)
    {
        ++m_statistics->contextsLimited;
        m_limits.failed("no Send context is left (server_send_contexts)");
        return false;
    }
    if (m_settings->memory && m_freeBuffers.empty() &&
        !m_settings->memory->Allows(m_settings->inlineSend))
    {
        m_limits.failed("no memory for a Send context (server_memory_limit)");
        return false;
    }
    return true;
}

HostBuffer
SvcRdmaReplyWriter::TakeBuffer(uint32_t length)
{
    if (length > m_settings->inlineSend)
    {
        return {m_memory, length, {HostMemoryUse::SENDS, m_limits.account}};
    }
    if (m_freeBuffers.empty())
    {
        return {m_memory, m_settings->inlineSend, {HostMemoryUse::SENDS, m_limits.account}};
    }
    HostBuffer buffer = std::move(m_freeBuffers.back());
    m_freeBuffers.pop_back();
    return buffer;
}

void
SvcRdmaReplyWriter::PostSend(Chain&& chain, HostBuffer&& buffer, RpcPayload&& payload)
{
    auto mapped = Map(chain, buffer);
    ++m_contexts;
    auto release = [this,
                    held = std::make_shared<HostBuffer>(std::move(buffer)),
                    items = std::move(payload.items),
                    mapped = std::move(mapped)] {
        --m_contexts;
        m_registrar.Unmap(mapped);
        if (held->GetLength() == m_settings->inlineSend)
        {
            m_freeBuffers.push_back(std::move(*held));
        }
    };
    if (!m_settings->releases)
    {
        Post(std::move(chain),
             [release = std::move(release), sending = std::move(payload.sending)]() mutable {
                 release();
             });
        return;
    }
    Post(std::move(chain),
         [releases = m_settings->releases,
          sending = std::move(payload.sending),
          here = std::weak_ptr<bool>(m_here),
          release = std::move(release)]() mutable {
             releases->Put([here = std::move(here), release = std::move(release)] {
                 if (!here.expired())
                 {
                     release();
                 }
             });
         });
}

} // namespace ns3::nfsrdma
