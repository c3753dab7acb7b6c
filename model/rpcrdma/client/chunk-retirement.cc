/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/chunk-retirement.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

/// \return octets that the reply says were written to \p segment of a Write or Reply chunk.
uint32_t
CountWritten(const RpcRdmaHeader& reply, const RpcRdmaSegment& segment)
{
    const auto find = [&segment](const RpcRdmaWriteChunk& chunk) {
        const auto found =
            std::find_if(chunk.begin(), chunk.end(), [&segment](const RpcRdmaSegment& returned) {
                return returned.handle == segment.handle && returned.offset == segment.offset;
            });
        return found == chunk.end() ? 0 : found->length;
    };
    uint32_t written = reply.chunks.replyChunk ? find(*reply.chunks.replyChunk) : 0;
    for (const RpcRdmaWriteChunk& chunk : reply.chunks.writeList)
    {
        written = std::max(written, find(chunk));
    }
    return written;
}

} // namespace

RpcRdmaChunkRetirement::RpcRdmaChunkRetirement(ChunkRegistrar& registrar,
                                               RpcRdmaSendRoom& room,
                                               XprtRdmaStatistics& statistics,
                                               Progress progress,
                                               Failed failed)
    : m_registrar(registrar),
      m_room(room),
      m_statistics(statistics),
      m_progress(std::move(progress)),
      m_failed(std::move(failed))
{
}

void
RpcRdmaChunkRetirement::Retire(RpcRdmaRequest& request)
{
    if (request.registrations.empty())
    {
        return;
    }
    std::vector<SendWorkRequest> chain;
    for (ChunkRegistrar::Registration& registration : request.registrations)
    {
        const uint32_t written =
            request.checked.header && request.cancellation == RpcCancellation::NONE
                ? CountWritten(*request.checked.header, registration.segment)
                : 0;
        m_registrar.Retire(registration, written, chain);
    }
    Post(request, std::move(chain));
}

void
RpcRdmaChunkRetirement::Fence(RpcRdmaRequest& request)
{
    if (request.registrations.empty())
    {
        return;
    }
    std::vector<SendWorkRequest> chain;
    for (ChunkRegistrar::Registration& registration : request.registrations)
    {
        m_registrar.Fence(registration, chain);
    }
    Post(request, std::move(chain));
}

void
RpcRdmaChunkRetirement::Post(RpcRdmaRequest& request, std::vector<SendWorkRequest>&& chain)
{
    if (!m_registrar.IsReady())
    {
        request.hostPending = true;
        m_registrar.Await([this, &request] {
            request.hostPending = false;
            m_progress(request);
        });
    }
    if (chain.empty())
    {
        return;
    }
    for (SendWorkRequest& invalidation : chain)
    {
        invalidation.id = RpcRdmaSendRoom::OWN_WORK;
    }
    chain.back().signaled = true;
    chain.back().id = request.slot;
    request.invalidationPending = true;
    m_statistics.localInvNeeded += chain.size();
    if (const auto posted = m_room.Post(std::move(chain)); !posted)
    {
        m_failed(std::string("chunks cannot be invalidated: ") + ToString(posted.error()));
    }
}

bool
RpcRdmaChunkRetirement::TakeInvalidated(RpcRdmaRequest& request, Stag stag)
{
    const auto invalidated = std::find_if(request.registrations.begin(),
                                          request.registrations.end(),
                                          [stag](const ChunkRegistrar::Registration& registration) {
                                              return registration.segment.handle == stag;
                                          });
    if (invalidated == request.registrations.end())
    {
        return false;
    }
    request.call->record.remotelyInvalidated = true;
    m_registrar.GiveUp(request.slot, *invalidated);
    request.registrations.erase(invalidated);
    return true;
}

bool
RpcRdmaChunkRetirement::Release(RpcRdmaRequest& request)
{
    const bool some = !request.registrations.empty();
    while (!request.registrations.empty())
    {
        m_registrar.GiveUp(request.slot, request.registrations.back());
        request.registrations.pop_back();
    }
    return some;
}

} // namespace ns3::nfsrdma
