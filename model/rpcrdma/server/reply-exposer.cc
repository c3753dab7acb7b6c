/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/server/reply-exposer.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

/// Chunks and sinks of a connection are one slot to the registration policy.
constexpr uint32_t CHUNKS = 0;

uint32_t
GetLength(const SvcRdmaReplyExposer::Part& part)
{
    return part.octets.empty() ? part.length : static_cast<uint32_t>(part.octets.size());
}

} // namespace

SvcRdmaReplyExposer::SvcRdmaReplyExposer(Ptr<HostMemory> memory,
                                         ChunkRegistrar& registrar,
                                         SvcRdmaSendQueue& queue,
                                         std::shared_ptr<const SvcReadChunkSettings> settings,
                                         std::shared_ptr<SvcRdmaStatistics> statistics,
                                         HostMemoryAccount account)
    : m_memory(memory),
      m_account(account),
      m_registrar(registrar),
      m_queue(queue),
      m_settings(std::move(settings)),
      m_statistics(std::move(statistics))
{
    m_registrar.GetBroker()->ExpectSinks();
}

SvcRdmaReplyExposer::~SvcRdmaReplyExposer()
{
    m_statistics->exposedBytes -= m_held;
    m_memory->Charge(m_account, HostMemoryCharge::EXPOSED, 0, m_held);
    m_statistics->exposedLost += m_pending.size();
    for (const auto& [xid, exposed] : m_pending)
    {
        exposed->expiry.Cancel();
        m_statistics->exposedTimePeak =
            std::max(m_statistics->exposedTimePeak, Simulator::Now() - exposed->since);
        if (m_settings->released)
        {
            m_settings->released(xid,
                                 ReadChunkRelease::CONNECTION_LOST,
                                 Simulator::Now() - exposed->since);
        }
    }
}

bool
SvcRdmaReplyExposer::HasRoom(const std::vector<Part>& parts) const
{
    uint64_t octets = m_held;
    for (const Part& part : parts)
    {
        octets += GetLength(part);
    }
    return (m_settings->maxPendingReadChunks == 0 ||
            m_pending.size() < m_settings->maxPendingReadChunks) &&
           (m_settings->maxExposedBytes == 0 || octets <= m_settings->maxExposedBytes);
}

std::vector<SvcRdmaReplyExposer::Piece>
SvcRdmaReplyExposer::Place(const std::vector<Part>& parts, Exposed& exposed) const
{
    uint32_t copied = 0;
    for (const Part& part : parts)
    {
        exposed.length += GetLength(part);
        copied += IsCopied(part) ? GetLength(part) : 0;
    }
    if (copied > 0)
    {
        exposed.copied = HostBuffer(m_memory, copied, {HostMemoryUse::REPLY_PAGES, m_account});
        m_statistics->exposedCopied += copied;
        m_registrar.ChargeCopy(copied);
    }
    std::vector<Piece> pieces;
    uint64_t offset = 0;
    bool extends = false;
    ByteVector scratch;
    for (const Part& part : parts)
    {
        const uint32_t length = GetLength(part);
        if (length == 0)
        {
            continue;
        }
        if (!IsCopied(part))
        {
            pieces.push_back({part.address, length});
            exposed.owners.push_back(part.owner);
            extends = false;
            continue;
        }
        if (part.octets.empty())
        {
            scratch.resize(length);
            m_memory->Read(part.address, scratch);
        }
        exposed.copied.Write(offset, part.octets.empty() ? ByteSpan(scratch) : part.octets);
        if (extends)
        {
            pieces.back().length += length;
        }
        else
        {
            pieces.push_back({exposed.copied.GetAddress() + offset, length});
            extends = true;
        }
        offset += length;
    }
    return pieces;
}

std::optional<ChunkRegistrar::Registration>
SvcRdmaReplyExposer::RegisterOne(const Piece& piece, uint32_t xid, Chain& chain)
{
    ChunkRegistrar::Request request;
    request.slot = CHUNKS;
    request.access = ACCESS_REMOTE_READ;
    request.iova = xid;
    return m_registrar.Take(request, piece.address, piece.length, chain);
}

tl::expected<void, SvcRdmaReplyExposer::Refusal>
SvcRdmaReplyExposer::Register(const std::vector<Piece>& pieces,
                              uint32_t maxSegments,
                              Exposed& exposed,
                              Chain& chain)
{
    for (Piece rest : pieces)
    {
        while (rest.length > 0)
        {
            const Piece piece{rest.address, m_registrar.GetExtent(rest.address, rest.length)};
            if (exposed.segments.size() == maxSegments)
            {
                return tl::make_unexpected(Refusal::SEGMENTS);
            }
            const auto registration = RegisterOne(piece, exposed.xid, chain);
            if (!registration)
            {
                return tl::make_unexpected(Refusal::REGIONS);
            }
            exposed.segments.push_back({*registration});
            rest.address += piece.length;
            rest.length -= piece.length;
        }
    }
    return {};
}

tl::expected<std::vector<RpcRdmaReadSegment>, SvcRdmaReplyExposer::Refusal>
SvcRdmaReplyExposer::Expose(uint32_t xid,
                            const std::vector<Part>& parts,
                            uint32_t maxSegments,
                            Chain& chain)
{
    if (!HasRoom(parts))
    {
        ++m_statistics->exposureRefused;
        return tl::make_unexpected(Refusal::LIMIT);
    }
    if (!m_registrar.GetBroker()->MayTake(m_registrar, RegionUse::OFFER))
    {
        return tl::make_unexpected(Refusal::REGIONS);
    }
    const auto exposed = std::make_shared<Exposed>();
    exposed->xid = xid;
    const std::size_t before = chain.size();
    const auto registered = Register(Place(parts, *exposed), maxSegments, *exposed, chain);
    if (!registered)
    {
        for (const Segment& segment : exposed->segments)
        {
            m_registrar.GiveUp(CHUNKS, segment.registration);
        }
        chain.resize(before);
        m_statistics->exposedCopied -= exposed->copied.GetLength();
        return tl::make_unexpected(registered.error());
    }
    std::vector<RpcRdmaReadSegment> readList;
    for (const Segment& segment : exposed->segments)
    {
        readList.push_back({0, segment.registration.segment});
    }
    if (!m_settings->readChunkTimeout.IsZero())
    {
        exposed->expiry = Simulator::Schedule(m_settings->readChunkTimeout,
                                              [this, key = exposed.get()] { Expire(*key); });
    }
    exposed->since = Simulator::Now();
    m_held += exposed->length;
    m_statistics->exposedHeldPeak = std::max(m_statistics->exposedHeldPeak, m_held);
    m_memory->Charge(m_account, HostMemoryCharge::EXPOSED, exposed->length, 0);
    ++m_statistics->exposedChunks;
    m_statistics->exposedSegments += readList.size();
    m_statistics->exposedBytes += exposed->length;
    m_statistics->exposedBytesPeak =
        std::max(m_statistics->exposedBytesPeak, m_statistics->exposedBytes);
    if (m_settings->exposed)
    {
        m_settings->exposed(xid, readList.size(), exposed->length);
    }
    m_pending.emplace(xid, exposed);
    m_statistics->exposedWaitingPeak =
        std::max<uint64_t>(m_statistics->exposedWaitingPeak, m_pending.size());
    return readList;
}

void
SvcRdmaReplyExposer::HandleInvalidated(Stag stag)
{
    for (const auto& [xid, exposed] : m_pending)
    {
        for (Segment& segment : exposed->segments)
        {
            if (segment.registration.segment.handle == stag)
            {
                segment.valid = false;
                return;
            }
        }
    }
}

bool
SvcRdmaReplyExposer::HandleDone(uint32_t xid)
{
    const auto found = m_pending.find(xid);
    if (found == m_pending.end())
    {
        ++m_statistics->doneUnknown;
        return false;
    }
    const std::shared_ptr<Exposed> exposed = found->second;
    m_pending.erase(found);
    ++m_statistics->exposedDone;
    Release(exposed, ReadChunkRelease::DONE);
    return true;
}

void
SvcRdmaReplyExposer::Expire(const Exposed& expired)
{
    const auto range = m_pending.equal_range(expired.xid);
    const auto found = std::find_if(range.first, range.second, [&expired](const auto& entry) {
        return entry.second.get() == &expired;
    });
    const std::shared_ptr<Exposed> exposed = found->second;
    m_pending.erase(found);
    ++m_statistics->exposedExpired;
    Release(exposed, ReadChunkRelease::EXPIRED);
}

void
SvcRdmaReplyExposer::Release(const std::shared_ptr<Exposed>& exposed, ReadChunkRelease reason)
{
    exposed->expiry.Cancel();
    m_statistics->exposedTimePeak =
        std::max(m_statistics->exposedTimePeak, Simulator::Now() - exposed->since);
    if (m_settings->released)
    {
        m_settings->released(exposed->xid, reason, Simulator::Now() - exposed->since);
    }
    const bool fences = reason != ReadChunkRelease::DONE &&
                        m_registrar.GetFencing() == ChunkRegistrar::Fencing::INVALIDATES;
    Chain chain;
    for (Segment& segment : exposed->segments)
    {
        if (segment.valid && fences)
        {
            m_registrar.Fence(segment.registration, chain);
        }
        else if (segment.valid)
        {
            m_registrar.Retire(segment.registration, 0, chain);
        }
    }
    m_queue.PostIfAny(std::move(chain), [this, exposed] {
        m_registrar.Await([this, exposed] { Finish(*exposed); });
    });
}

void
SvcRdmaReplyExposer::Finish(Exposed& exposed)
{
    for (const Segment& segment : exposed.segments)
    {
        m_registrar.GiveUp(CHUNKS, segment.registration);
    }
    m_held -= exposed.length;
    m_memory->Charge(m_account, HostMemoryCharge::EXPOSED, 0, exposed.length);
    m_statistics->exposedBytes -= exposed.length;
    exposed.owners.clear();
    exposed.copied = HostBuffer();
}

} // namespace ns3::nfsrdma
