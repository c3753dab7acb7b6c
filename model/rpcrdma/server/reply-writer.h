/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPCRDMA_SERVER_REPLY_WRITER_H
#define NFSRDMA_RPCRDMA_SERVER_REPLY_WRITER_H

#include "host/memory.h"
#include "rpc/payload.h"
#include "rpcrdma/server/reply-exposer.h"
#include "rpcrdma/server/responder-settings.h"
#include "rpcrdma/server/send-queue.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What the replies of one connection depend on.
struct ReplyWriterLimits
{
    uint32_t threshold{0};            ///< Largest Send to the requester.
    uint32_t messages{1};             ///< Sends that a reply may take.
    bool requesterInvalidates{false}; ///< R flag of the requester.
    uint32_t elements{1};             ///< Scatter/gather elements of a Send, at most.
    HostMemoryAccount account{0};     ///< Of the host's memory, charged for what is sent.
    /// The connection is to end, since a reply cannot be sent: why.
    std::function<void(const std::string& reason)> failed{};
};

/**
 * \brief Sends replies: Writes of the items into the Write chunks, then Writes of the message into
 * the Reply chunk (when the Call offered one and the ReplyChunkPolicy uses it), then the Send.
 * ReplyChaining says which of these are posted together. Chunks that are not used are returned with
 * lengths of 0.
 *
 * What goes through the Send's buffer is copied there, and each page that is sent from where it is
 * is mapped: both take their time (ChunkRegistrar::ChargeCopy(), ChargeMapping()).
 *
 * A reply for which neither a Send nor a Reply chunk has room goes in several Sends, posted
 * together, where the peers have agreed on that (RpcRdmaContinuation); the last one invalidates.
 *
 * An inline reply of more pieces than a Send has elements is copied together
 * (svc_rdma_pull_up_needed()).
 *
 * A careless responder (a fault to be tried out) looks at no size: it writes past the end of the
 * last segment, and sends what passes the threshold.
 *
 * The n-th eligible item goes into the n-th Write chunk. Where that is empty, or there is none, the
 * item stays in the message; where that needs more elements than a Send has, items are copied.
 *
 * ERR_CHUNK goes out instead when an item passes its Write chunk, or the message the Reply chunk
 * or, without one, the inline threshold. Nothing is written then. Where Read chunks are provided,
 * the message goes into one of these when their policy says so. A reply that could go no other way
 * waits while there are not enough memory regions for it (RegionBroker).
 */
class SvcRdmaReplyWriter
{
  public:
    SvcRdmaReplyWriter(Ptr<HostMemory> memory,
                       ChunkRegistrar& registrar,
                       SvcRdmaSendQueue& queue,
                       std::shared_ptr<const SvcRdmaSettings> settings,
                       std::shared_ptr<SvcRdmaStatistics> statistics,
                       const ReplyWriterLimits& limits);
    ~SvcRdmaReplyWriter();
    SvcRdmaReplyWriter(const SvcRdmaReplyWriter&) = delete;
    SvcRdmaReplyWriter& operator=(const SvcRdmaReplyWriter&) = delete;

    /// Lets replies be Read chunks. \p exposer outlives the writer.
    void ProvideReadChunks(SvcRdmaReplyExposer& exposer)
    {
        m_exposer = &exposer;
    }

    void Reply(const SvcRdmaCall& call, RpcPayload&& payload);
    /// \param version the version word of the Call, echoed
    void SendError(uint32_t xid, uint32_t version, uint32_t credits, RpcRdmaErrorCode error);

    /// \return replies that wait for memory regions.
    [[nodiscard]] uint32_t GetWaiting() const
    {
        return m_waiting;
    }

  private:
    using Chain = std::vector<SendWorkRequest>;

    struct Piece
    {
        uint64_t address{0};
        uint32_t length{0};
        bool inBuffer{false}; ///< address is an offset in the buffer of the header.
    };

    static constexpr std::size_t INLINE = SIZE_MAX;

    /// For each item of a reply the Write chunk it goes into, or INLINE.
    using Assignment = std::vector<std::size_t>;

    static Assignment Assign(const RpcPayload& payload, const RpcRdmaChunkLists& offered);
    /// \return octets of the message without reduced items; nothing when one of them passes its
    /// Write chunk.
    static std::optional<uint32_t> Measure(const SvcRdmaCall& call,
                                           const RpcPayload& payload,
                                           const Assignment& assignment);
    [[nodiscard]] ReplyRoom GetRoom(const SvcRdmaCall& call,
                                    const RpcRdmaHeader& header,
                                    uint32_t messageLength) const;
    void SendReply(const SvcRdmaCall& call,
                   RpcRdmaHeader& header,
                   RpcPayload&& payload,
                   const Assignment& assignment);
    /// Sends the reply in parts.
    void SendContinued(const SvcRdmaCall& call,
                       RpcRdmaHeader& header,
                       RpcPayload&& payload,
                       const Assignment& assignment,
                       uint32_t messageLength);
    /// \return the Sends of a message of \p pieces, each but the last full, whose headers are at
    /// the front of \p buffer; none when one of them has too many elements.
    [[nodiscard]] Chain MakeParts(const std::vector<Piece>& pieces,
                                  const std::vector<ByteVector>& headers,
                                  const HostBuffer& buffer) const;
    /// \return whether it was; else nothing is done.
    tl::expected<void, SvcRdmaReplyExposer::Refusal> SendExposed(const SvcRdmaCall& call,
                                                                 RpcRdmaHeader& header,
                                                                 RpcPayload& payload,
                                                                 const Assignment& assignment);
    /// Sends the reply as Read chunk, or ERR_CHUNK, when it is its turn to have memory regions.
    void AwaitRegions(const SvcRdmaCall& call, RpcPayload&& payload);
    void SendTooLarge(const SvcRdmaCall& call);
    void Finish(const SvcRdmaCall& call,
                uint32_t headerLength,
                SendWorkRequest&& send,
                Chain&& chain,
                HostBuffer&& buffer,
                RpcPayload&& payload);
    /// As Finish() at its end, for replies that go through filters.
    void PostFiltered(const SvcRdmaCall& call,
                      uint32_t headerLength,
                      Chain&& chain,
                      HostBuffer&& buffer,
                      RpcPayload&& payload);
    /// Writes the items that have Write chunks, or \return the Writes that go with the Send.
    Chain WriteItems(const SvcRdmaCall& call,
                     RpcRdmaHeader& header,
                     const RpcPayload& payload,
                     const Assignment& assignment);
    /// Puts what goes through a buffer into m_scratch, from \p headerLength on.
    /// \return the message without reduced items: where it is, in buffer offsets when inBuffer.
    std::vector<Piece> LayOut(const RpcPayload& payload,
                              const Assignment& assignment,
                              uint32_t headerLength,
                              bool pullUp = false);
    /// Maps what \p chain sends from elsewhere than \p buffer, if there is an IOMMU. \return it
    std::vector<MemoryPiece> Map(const Chain& chain, const HostBuffer& buffer);
    void AppendWrites(const std::vector<Piece>& pieces,
                      const RpcRdmaWriteChunk& offered,
                      RpcRdmaWriteChunk& returned,
                      Chain& chain);
    /// \return whether a reply can have a Send context; else its connection ends.
    [[nodiscard]] bool HasContext();
    HostBuffer TakeBuffer(uint32_t length);
    void PostSend(Chain&& chain, HostBuffer&& buffer, RpcPayload&& payload);
    /// Posts Writes and the Send behind them, together or not.
    void Post(Chain&& chain, SvcRdmaSendQueue::Done done);

    Ptr<HostMemory> m_memory;
    ChunkRegistrar& m_registrar; ///< Of the connection, which knows what its host work costs.
    SvcRdmaSendQueue& m_queue;
    std::shared_ptr<const SvcRdmaSettings> m_settings;
    std::shared_ptr<SvcRdmaStatistics> m_statistics;
    ReplyWriterLimits m_limits;
    SvcRdmaReplyExposer* m_exposer{nullptr};
    uint32_t m_contexts{0}; ///< Send contexts in use or waiting for their release.
    std::shared_ptr<bool> m_here{std::make_shared<bool>(true)}; ///< As long as this is.
    std::vector<HostBuffer> m_freeBuffers;
    ByteVector m_scratch;
    uint32_t m_waiting{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPCRDMA_SERVER_REPLY_WRITER_H
