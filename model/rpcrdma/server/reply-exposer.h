/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_REPLY_EXPOSER_H
#define NFSRDMA_RPCRDMA_SERVER_REPLY_EXPOSER_H

#include "rpcrdma/registration/chunk-registrar.h"
#include "rpcrdma/server/read-chunk-settings.h"
#include "rpcrdma/server/send-queue.h"

#include "ns3/event-id.h"

#include <map>
#include <memory>
#include <optional>
#include <tl/expected.hpp>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The responder-provided Read chunks of one connection: memory with replies, registered for
 * remote read only, until the requester has told that it has pulled them (section 4.1.1 of the
 * draft).
 *
 *     Expose() -> pending -> DONE, or timeout -> local invalidation -> given back
 *
 * Guaranteed, each where its bound is set:
 * - octets exposed on a connection <= server_max_exposed_bytes;
 * - Read chunks of a connection without a notice <= server_max_pending_read_chunks;
 * - time that a Read chunk waits for its notice <= server_read_chunk_timeout.
 *
 * A chunk stays as it is, and registered, until RDMA_DONE comes with its XID, its time is over, or
 * the connection ends. A part of a reply that lies in host memory with an owner is registered where
 * it is: its owner is kept, so that the memory is not given back, and it has no other user. Parts
 * shorter than the copy limit, and those without an owner, which may change, are copied together,
 * as one registration costs more than the copy.
 */
class SvcRdmaReplyExposer
{
  public:
    /// A part of the reply's stream: octets, or host memory.
    struct Part
    {
        ByteSpan octets;                   ///< Copied; empty for host memory.
        uint64_t address{0};               ///< Host memory, when octets is empty.
        uint32_t length{0};                ///< Octets of host memory.
        std::shared_ptr<HostBuffer> owner; ///< Null: the memory may change, so it is copied.
    };

    /// Why a reply is not exposed.
    enum class Refusal
    {
        REGIONS,  ///< There are not enough memory regions at present.
        SEGMENTS, ///< It has more segments than the transport header has room for.
        LIMIT     ///< The connection has as much exposed as it may.
    };

    SvcRdmaReplyExposer(Ptr<HostMemory> memory,
                        ChunkRegistrar& registrar,
                        SvcRdmaSendQueue& queue,
                        std::shared_ptr<const SvcReadChunkSettings> settings,
                        std::shared_ptr<SvcRdmaStatistics> statistics,
                        HostMemoryAccount account = 0);
    /// The connection has ended: what is pending is given back. The registrar may be gone.
    ~SvcRdmaReplyExposer();
    SvcRdmaReplyExposer(const SvcRdmaReplyExposer&) = delete;
    SvcRdmaReplyExposer& operator=(const SvcRdmaReplyExposer&) = delete;

    /**
     * \brief Makes \p parts, in order, the Position-Zero Read chunk of the reply to \p xid. Its
     * registrations are appended to \p chain, to which the Send must be appended.
     * \param maxSegments what the transport header has room for
     * \return its segments; else why not, and \p chain is unchanged
     */
    tl::expected<std::vector<RpcRdmaReadSegment>, Refusal> Expose(
        uint32_t xid,
        const std::vector<Part>& parts,
        uint32_t maxSegments,
        std::vector<SendWorkRequest>& chain);
    /// A message came as Send with Invalidate of \p stag.
    void HandleInvalidated(Stag stag);
    /// Pull completion was notified. \return false when nothing is pending for \p xid.
    bool HandleDone(uint32_t xid);

    [[nodiscard]] const ChunkRegistrar& GetRegistrar() const
    {
        return m_registrar;
    }

    /// \return chunks that are pending.
    [[nodiscard]] uint32_t GetPending() const
    {
        return m_pending.size();
    }

  private:
    struct Segment
    {
        ChunkRegistrar::Registration registration;
        bool valid{true};
    };

    struct Exposed
    {
        uint32_t xid{0};
        uint64_t length{0};
        HostBuffer copied;
        std::vector<std::shared_ptr<HostBuffer>> owners;
        std::vector<Segment> segments;
        Time since;
        EventId expiry;
    };

    struct Piece
    {
        uint64_t address{0};
        uint32_t length{0};
    };

    using Chunks = std::multimap<uint32_t, std::shared_ptr<Exposed>>; ///< By XID; oldest first.
    using Chain = std::vector<SendWorkRequest>;

    [[nodiscard]] bool IsCopied(const Part& part) const
    {
        return !part.octets.empty() || !part.owner || part.length < m_settings->readChunkCopyLimit;
    }

    /// \return whether \p parts may be exposed beside what is.
    [[nodiscard]] bool HasRoom(const std::vector<Part>& parts) const;
    std::vector<Piece> Place(const std::vector<Part>& parts, Exposed& exposed) const;
    tl::expected<void, Refusal> Register(const std::vector<Piece>& pieces,
                                         uint32_t maxSegments,
                                         Exposed& exposed,
                                         Chain& chain);
    std::optional<ChunkRegistrar::Registration> RegisterOne(const Piece& piece,
                                                            uint32_t xid,
                                                            Chain& chain);
    void Expire(const Exposed& expired);
    void Release(const std::shared_ptr<Exposed>& exposed, ReadChunkRelease reason);
    void Finish(Exposed& exposed);

    Ptr<HostMemory> m_memory;
    HostMemoryAccount m_account; ///< That memory is charged to.
    ChunkRegistrar& m_registrar;
    SvcRdmaSendQueue& m_queue;
    std::shared_ptr<const SvcReadChunkSettings> m_settings;
    std::shared_ptr<SvcRdmaStatistics> m_statistics;
    Chunks m_pending;
    uint64_t m_held{0}; ///< Octets exposed, those under invalidation included.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_REPLY_EXPOSER_H
