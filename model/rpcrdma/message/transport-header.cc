/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/message/transport-header.h"

#include "wire/fields.h"
#include "wire/name-of.h"

#include <algorithm>
#include <numeric>

namespace ns3::nfsrdma
{
namespace
{

constexpr uint32_t ITEM_FOLLOWS = 1;
constexpr uint32_t LIST_ENDS = 0;

void
EncodeSegment(ByteWriter& writer, const RpcRdmaSegment& segment)
{
    WriteFields(writer, segment.handle, segment.length, segment.offset);
}

RpcRdmaSegment
DecodeSegment(ByteReader& reader)
{
    RpcRdmaSegment segment;
    segment.handle = reader.ReadU32();
    segment.length = reader.ReadU32();
    segment.offset = reader.ReadU64();
    return segment;
}

void
EncodeChunk(ByteWriter& writer, const RpcRdmaWriteChunk& chunk)
{
    writer.WriteU32(ITEM_FOLLOWS);
    writer.WriteU32(chunk.size());
    for (const RpcRdmaSegment& segment : chunk)
    {
        EncodeSegment(writer, segment);
    }
}

uint32_t
GetChunkSize(const RpcRdmaWriteChunk& chunk)
{
    return 2 * XDR_WORD + RpcRdmaSegment::SIZE * static_cast<uint32_t>(chunk.size());
}

void
EncodeLists(ByteWriter& writer, const RpcRdmaChunkLists& lists)
{
    for (const RpcRdmaReadSegment& segment : lists.readList)
    {
        writer.WriteU32(ITEM_FOLLOWS);
        writer.WriteU32(segment.position);
        EncodeSegment(writer, segment.target);
    }
    writer.WriteU32(LIST_ENDS);
    for (const RpcRdmaWriteChunk& chunk : lists.writeList)
    {
        EncodeChunk(writer, chunk);
    }
    writer.WriteU32(LIST_ENDS);
    if (lists.replyChunk)
    {
        EncodeChunk(writer, *lists.replyChunk);
    }
    else
    {
        writer.WriteU32(LIST_ENDS);
    }
}

/// Reads a discriminator: true when an item follows.
Decoded<bool>
DecodeDiscriminator(ByteReader& reader, const RpcRdmaDecodeLimits& limits)
{
    const uint32_t value = reader.ReadU32();
    if (!reader.Ok())
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    if (value > ITEM_FOLLOWS && !limits.anyDiscriminator)
    {
        return tl::unexpected(WireError::BAD_VALUE);
    }
    return value != LIST_ENDS;
}

Decoded<RpcRdmaWriteChunk>
DecodeChunk(ByteReader& reader, uint32_t limit)
{
    const uint32_t count = reader.ReadU32();
    if (!reader.Ok())
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    if (count > limit)
    {
        return tl::unexpected(WireError::TOO_LONG);
    }
    if (std::size_t{count} * RpcRdmaSegment::SIZE > reader.Remaining())
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    RpcRdmaWriteChunk chunk;
    chunk.reserve(count);
    for (uint32_t i = 0; i < count; ++i)
    {
        chunk.push_back(DecodeSegment(reader));
    }
    return chunk;
}

Decoded<RpcRdmaReadSegment>
DecodeReadSegment(ByteReader& reader)
{
    RpcRdmaReadSegment segment;
    segment.position = reader.ReadU32();
    segment.target = DecodeSegment(reader);
    if (!reader.Ok())
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    if (Pad4(segment.position) != 0)
    {
        return tl::unexpected(WireError::BAD_VALUE);
    }
    return segment;
}

/// Reads items that \p decode reads, at most \p most, into \p list.
template <typename Item, typename DecodeItem>
tl::expected<void, WireError>
DecodeList(ByteReader& reader,
           const RpcRdmaDecodeLimits& limits,
           std::size_t most,
           std::vector<Item>& list,
           DecodeItem decode)
{
    for (;;)
    {
        const auto follows = DecodeDiscriminator(reader, limits);
        if (!follows)
        {
            return tl::unexpected(follows.error());
        }
        if (!*follows)
        {
            return {};
        }
        if (list.size() == most)
        {
            return tl::unexpected(WireError::TOO_LONG);
        }
        auto item = decode(reader);
        if (!item)
        {
            return tl::unexpected(item.error());
        }
        list.push_back(std::move(*item));
    }
}

tl::expected<void, WireError>
DecodeLists(ByteReader& reader, const RpcRdmaDecodeLimits& limits, RpcRdmaChunkLists& lists)
{
    const auto decodeChunk = [&limits](ByteReader& from) {
        return DecodeChunk(from, limits.chunkSegments);
    };
    if (auto result =
            DecodeList(reader, limits, limits.readSegments, lists.readList, DecodeReadSegment);
        !result)
    {
        return result;
    }
    if (auto result = DecodeList(reader, limits, limits.writeChunks, lists.writeList, decodeChunk);
        !result)
    {
        return result;
    }
    const auto follows = DecodeDiscriminator(reader, limits);
    if (!follows)
    {
        return tl::unexpected(follows.error());
    }
    if (*follows)
    {
        auto chunk = decodeChunk(reader);
        if (!chunk)
        {
            return tl::unexpected(chunk.error());
        }
        lists.replyChunk = std::move(*chunk);
    }
    return {};
}

tl::expected<void, WireError>
DecodeError(ByteReader& reader, RpcRdmaHeader& header)
{
    const uint32_t code = reader.ReadU32();
    if (code == static_cast<uint32_t>(RpcRdmaErrorCode::ERR_VERS))
    {
        header.error = RpcRdmaErrorCode::ERR_VERS;
        header.versionLow = reader.ReadU32();
        header.versionHigh = reader.ReadU32();
    }
    else if (reader.Ok() && code != static_cast<uint32_t>(RpcRdmaErrorCode::ERR_CHUNK))
    {
        return tl::unexpected(WireError::BAD_VALUE);
    }
    if (!reader.Ok())
    {
        return tl::unexpected(WireError::TRUNCATED);
    }
    return {};
}

} // namespace

const char*
ToString(RpcRdmaProc proc)
{
    return NameOf(proc,
                  {{RpcRdmaProc::MSG, "RDMA_MSG"},
                   {RpcRdmaProc::NOMSG, "RDMA_NOMSG"},
                   {RpcRdmaProc::MSGP, "RDMA_MSGP"},
                   {RpcRdmaProc::DONE, "RDMA_DONE"},
                   {RpcRdmaProc::ERROR, "RDMA_ERROR"}});
}

uint64_t
GetChunkLength(const RpcRdmaWriteChunk& chunk)
{
    return std::accumulate(
        chunk.begin(),
        chunk.end(),
        uint64_t{0},
        [](uint64_t sum, const RpcRdmaSegment& segment) { return sum + segment.length; });
}

uint32_t
RpcRdmaChunkLists::GetEncodedSize() const
{
    uint32_t size = 3 * XDR_WORD +
                    (XDR_WORD + RpcRdmaReadSegment::SIZE) * static_cast<uint32_t>(readList.size());
    for (const RpcRdmaWriteChunk& chunk : writeList)
    {
        size += GetChunkSize(chunk);
    }
    return replyChunk ? size - XDR_WORD + GetChunkSize(*replyChunk) : size;
}

bool
RpcRdmaChunkLists::HasEmptyWriteChunk() const
{
    return std::any_of(writeList.begin(), writeList.end(), [](const RpcRdmaWriteChunk& chunk) {
        return chunk.empty();
    });
}

bool
RpcRdmaChunkLists::Names(Stag handle) const
{
    const auto isIt = [handle](const RpcRdmaSegment& segment) { return segment.handle == handle; };
    const auto hasIt = [&isIt](const RpcRdmaWriteChunk& chunk) {
        return std::any_of(chunk.begin(), chunk.end(), isIt);
    };
    return std::any_of(
               readList.begin(),
               readList.end(),
               [&isIt](const RpcRdmaReadSegment& segment) { return isIt(segment.target); }) ||
           std::any_of(writeList.begin(), writeList.end(), hasIt) ||
           (replyChunk && hasIt(*replyChunk));
}

void
RpcRdmaFixedHeader::Encode(ByteWriter& writer) const
{
    WriteFields(writer, xid, version, credit, proc);
}

Decoded<RpcRdmaFixedHeader>
RpcRdmaFixedHeader::Decode(ByteReader& reader)
{
    using Self = RpcRdmaFixedHeader;
    return ReadFields(reader, &Self::xid, &Self::version, &Self::credit, &Self::proc);
}

uint32_t
RpcRdmaHeader::GetEncodedSize() const
{
    switch (proc)
    {
    case RpcRdmaProc::MSG:
    case RpcRdmaProc::NOMSG:
        return RpcRdmaFixedHeader::SIZE + chunks.GetEncodedSize();
    case RpcRdmaProc::MSGP:
        return RpcRdmaFixedHeader::SIZE + 2 * XDR_WORD + chunks.GetEncodedSize();
    case RpcRdmaProc::DONE:
        return RpcRdmaFixedHeader::SIZE;
    case RpcRdmaProc::ERROR:
        return RpcRdmaFixedHeader::SIZE +
               (error == RpcRdmaErrorCode::ERR_VERS ? 3 * XDR_WORD : XDR_WORD);
    }
    return RpcRdmaFixedHeader::SIZE;
}

void
RpcRdmaHeader::Encode(ByteWriter& writer) const
{
    RpcRdmaFixedHeader{xid, version, credit, static_cast<uint32_t>(proc)}.Encode(writer);
    switch (proc)
    {
    case RpcRdmaProc::MSGP:
        writer.WriteU32(align);
        writer.WriteU32(thresh);
        [[fallthrough]];
    case RpcRdmaProc::MSG:
    case RpcRdmaProc::NOMSG:
        EncodeLists(writer, chunks);
        break;
    case RpcRdmaProc::DONE:
        break;
    case RpcRdmaProc::ERROR:
        writer.WriteU32(static_cast<uint32_t>(error));
        if (error == RpcRdmaErrorCode::ERR_VERS)
        {
            writer.WriteU32(versionLow);
            writer.WriteU32(versionHigh);
        }
        break;
    }
}

Decoded<RpcRdmaHeader>
RpcRdmaHeader::Decode(ByteReader& reader, const RpcRdmaDecodeLimits& limits)
{
    const auto fixed = RpcRdmaFixedHeader::Decode(reader);
    if (!fixed)
    {
        return tl::unexpected(fixed.error());
    }
    if (fixed->version != VERSION && fixed->proc != static_cast<uint32_t>(RpcRdmaProc::ERROR))
    {
        return tl::unexpected(WireError::BAD_VERSION);
    }
    if (fixed->proc > static_cast<uint32_t>(RpcRdmaProc::ERROR))
    {
        return tl::unexpected(WireError::BAD_VALUE);
    }
    RpcRdmaHeader header;
    header.xid = fixed->xid;
    header.version = fixed->version;
    header.credit = fixed->credit;
    header.proc = static_cast<RpcRdmaProc>(fixed->proc);

    tl::expected<void, WireError> body;
    switch (header.proc)
    {
    case RpcRdmaProc::MSGP:
        header.align = reader.ReadU32();
        header.thresh = reader.ReadU32();
        [[fallthrough]];
    case RpcRdmaProc::MSG:
    case RpcRdmaProc::NOMSG:
        body = DecodeLists(reader, limits, header.chunks);
        break;
    case RpcRdmaProc::DONE:
        break;
    case RpcRdmaProc::ERROR:
        body = DecodeError(reader, header);
        break;
    }
    if (!body)
    {
        return tl::unexpected(body.error());
    }
    return header;
}

} // namespace ns3::nfsrdma
