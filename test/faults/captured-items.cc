/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "captured-items.h"

#include "helper/capture/capture-file.h"
#include "helper/capture/rpcrdma-conversation.h"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <map>

namespace ns3::nfsrdma
{

namespace
{

using Reads = std::deque<ByteVector>;

/// \return what each RDMA Read of \p requester got, in their order.
Reads
CollectReads(const MpaConversation& conversation, std::size_t requester)
{
    Reads reads;
    ByteVector octets;
    for (const CapturedFpdu& fpdu : conversation.GetDirection(1 - requester).fpdus)
    {
        if (fpdu.opcode == RdmapOpcode::READ_RESPONSE)
        {
            octets.insert(octets.end(), fpdu.payload.begin(), fpdu.payload.end());
            if (fpdu.last)
            {
                reads.push_back(std::move(octets));
                octets.clear();
            }
        }
    }
    return reads;
}

/// Takes the \p length octets that the next Reads got.
ByteVector
Take(Reads& reads, uint32_t length)
{
    ByteVector octets;
    while (octets.size() < length && !reads.empty())
    {
        octets.insert(octets.end(), reads.front().begin(), reads.front().end());
        reads.pop_front();
    }
    return octets;
}

void
TakeReadChunks(const RpcRdmaHeader& header, Reads& reads, CapturedItems& items)
{
    std::map<uint32_t, ByteVector> chunks;
    for (const RpcRdmaReadSegment& segment : header.chunks.readList)
    {
        const ByteVector octets = Take(reads, segment.target.length);
        ByteVector& chunk = chunks[segment.position];
        chunk.insert(chunk.end(), octets.begin(), octets.end());
    }
    for (auto& [position, octets] : chunks)
    {
        (position == 0 ? items.messages : items.readChunks).push_back(std::move(octets));
    }
}

void
TakeReturned(const RpcRdmaChunkLists& chunks, CapturedItems& items)
{
    for (const RpcRdmaWriteChunk& chunk : chunks.writeList)
    {
        const uint64_t length = GetChunkLength(chunk);
        items.writtenToChunks += length;
        if (length > 0)
        {
            items.writeChunks.push_back(length);
        }
    }
    items.writtenToChunks += chunks.replyChunk ? GetChunkLength(*chunks.replyChunk) : 0;
}

std::vector<Stag>
GetHandles(const RpcRdmaChunkLists& chunks)
{
    std::vector<Stag> handles;
    for (const RpcRdmaReadSegment& segment : chunks.readList)
    {
        handles.push_back(segment.target.handle);
    }
    for (const RpcRdmaWriteChunk& chunk : chunks.writeList)
    {
        for (const RpcRdmaSegment& segment : chunk)
        {
            handles.push_back(segment.handle);
        }
    }
    if (chunks.replyChunk)
    {
        for (const RpcRdmaSegment& segment : *chunks.replyChunk)
        {
            handles.push_back(segment.handle);
        }
    }
    return handles;
}

/// Which calls name an STag.
class SharedTags
{
  public:
    void AddCall(const RpcRdmaHeader& header)
    {
        for (const Stag handle : GetHandles(header.chunks))
        {
            m_calls[handle].push_back(header.xid);
        }
    }

    [[nodiscard]] bool IsShared(Stag handle, uint32_t xid) const
    {
        const auto found = m_calls.find(handle);
        return found == m_calls.end() ||
               std::any_of(found->second.begin(), found->second.end(), [xid](uint32_t other) {
                   return other != xid;
               });
    }

    void Invalidate(Stag handle)
    {
        m_calls.erase(handle);
    }

  private:
    std::map<Stag, std::vector<uint32_t>> m_calls;
};

void
Add(const MpaConversation& conversation, CapturedItems& items)
{
    const std::size_t client = conversation.GetInitiator();
    Reads ofServer = CollectReads(conversation, 1 - client);
    Reads ofClient = CollectReads(conversation, client);
    for (std::size_t side = 0; side < TcpConversation::SIDES; ++side)
    {
        for (const CapturedFpdu& fpdu : conversation.GetDirection(side).fpdus)
        {
            items.written += fpdu.opcode == RdmapOpcode::WRITE ? fpdu.payload.size() : 0;
        }
    }
    SharedTags tags;
    const RpcRdmaConversation messages(conversation);
    for (const CapturedRpcRdma& message : messages.GetMessages())
    {
        if (!message.header)
        {
            continue;
        }
        const bool isDone = message.header->proc == RpcRdmaProc::DONE;
        items.dones += isDone ? 1 : 0;
        items.invalidatingDones += isDone && message.invalidated ? 1 : 0;
        if (isDone || message.header->proc == RpcRdmaProc::ERROR)
        {
            continue;
        }
        if (message.header->proc == RpcRdmaProc::MSG)
        {
            const ByteSpan payload = message.GetPayload();
            items.messages.emplace_back(payload.begin(), payload.end());
        }
        TakeReadChunks(*message.header, message.fromRequester ? ofServer : ofClient, items);
        if (message.fromRequester)
        {
            tags.AddCall(*message.header);
            continue;
        }
        TakeReturned(message.header->chunks, items);
        if (message.invalidated)
        {
            ++items.invalidations;
            items.sharedInvalidated +=
                tags.IsShared(*message.invalidated, message.header->xid) ? 1 : 0;
            tags.Invalidate(*message.invalidated);
        }
    }
}

} // namespace

CapturedItems
CapturedItems::Read(const std::string& path)
{
    CapturedItems items;
    const auto file = ReadCaptureFile(path);
    if (!file)
    {
        ADD_FAILURE() << file.error();
        return items;
    }
    const auto capture = TcpCapture::Read(*file);
    if (!capture)
    {
        ADD_FAILURE() << capture.error().ToString();
        return items;
    }
    for (const TcpConversation& tcp : capture->conversations)
    {
        const MpaConversation conversation(tcp);
        if (RpcRdmaConversation::IsRpcRdma(conversation))
        {
            ++items.connections;
            Add(conversation, items);
        }
    }
    return items;
}

} // namespace ns3::nfsrdma
