/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_QP_RECEIVER_H
#define NFSRDMA_RNIC_QUEUE_QP_RECEIVER_H

#include "rdmap/consumer.h"
#include "rnic/hardware/stage-times.h"
#include "rnic/memory/stag-fault.h"
#include "rnic/queue/element-memory.h"
#include "rnic/queue/work-request.h"

#include <vector>

namespace ns3::nfsrdma
{

class MemoryRegion;
class QueuePair;
struct SendQueueEntry;
class RdmapStream;

/**
 * \brief The receiving side of a queue pair: memory and queues as the stream sees them.
 *
 * Rights are checked when a segment arrives; its octets are in host memory, and completions appear,
 * when the receive engine and the bus are through with it.
 */
class QueuePairReceiver final : public RdmapConsumer
{
  public:
    explicit QueuePairReceiver(QueuePair& pair);

    /// Has \p stream place a ULPDU ahead of its turn. \return whether it was placed; if not, it has
    /// cost nothing
    [[nodiscard]] bool PlaceAhead(RdmapStream& stream, ByteSpan ulpdu);

    /// The receive engine takes an FPDU with a ULPDU of \p ulpduLength octets.
    void Receive(std::size_t ulpduLength);

    /// \return how far the latest FPDU has come.
    [[nodiscard]] const ReceiveTimes& GetProgress() const
    {
        return m_progress;
    }

    /// \return where the payload of the latest FPDU has gone; after a Read Request, where that of
    /// the first FPDU of the response is, when it makes a difference (RnicClocks).
    [[nodiscard]] const std::vector<MemoryPiece>& GetPieces() const
    {
        return m_pieces;
    }

    // RdmapConsumer
    tl::expected<void, DdpError> PlaceWrite(Stag stag, uint64_t offset, ByteSpan payload) override
    {
        return PlaceTagged(stag, offset, payload);
    }

    tl::expected<void, DdpError> PlaceReadResponse(Stag stag,
                                                   uint64_t offset,
                                                   ByteSpan payload) override
    {
        return PlaceTagged(stag, offset, payload);
    }

    void DeliverReadResponse() override;
    void SegmentRefused(RdmapOpcode opcode, DdpError error) override;
    tl::expected<void, DdpError> PlaceSend(uint32_t msn,
                                           uint32_t messageOffset,
                                           ByteSpan payload) override;
    tl::expected<void, RdmapError> DeliverSend(const SendDelivery& send) override;
    tl::expected<PayloadSource, RdmapError> OpenReadSource(Stag stag,
                                                           uint64_t offset,
                                                           uint32_t length) override;
    tl::expected<void, DdpError> DeliverImmediate(RdmapOpcode opcode,
                                                  const ImmediateData& data) override;
    tl::expected<uint64_t, RdmapError> ExecuteAtomic(const AtomicRequest& request) override;
    tl::expected<void, RdmapError> DeliverAtomicResponse(uint64_t value) override;
    void SegmentReceived(RdmapOpcode opcode, bool isLast) override;
    void EmissionReady() override;
    void StreamFailed(const TerminateMessage& message) override;
    void TerminateReceived(const TerminateMessage& message) override;

  private:
    [[nodiscard]] tl::expected<void, DdpError> PlaceTagged(Stag stag,
                                                           uint64_t offset,
                                                           ByteSpan payload);
    /// Sets m_pieces. \return false when memory is gone
    [[nodiscard]] bool LocateIn(const MemoryRegion& region, uint64_t offset, uint64_t length);
    void FpduHandled();
    /// The FPDU in hand takes the next work request of the queue pair's receive queue.
    void UseReceiveQueue();
    /// \p payload goes to m_pieces when the bus has written it.
    void PlacePayload(ByteSpan payload);
    [[nodiscard]] tl::expected<void, RdmapError> Invalidate(Stag stag);
    /// The sink of \p read ends with it. \return false when it cannot: the queue pair has failed.
    [[nodiscard]] bool InvalidateSink(SendQueueEntry& read);

    QueuePair& m_pair;
    ReceiveTimes m_progress;
    std::vector<MemoryPiece> m_pieces; ///< Where the payload at hand goes, or comes from.
    std::size_t m_aheadLength{0};      ///< Of the ULPDU within PlaceAhead(), else 0.
    uint32_t m_openedLength{0};        ///< Of the Read Request being handled.
    StagFault m_elementFault{StagFault::UNKNOWN}; ///< Of the latest segment not placed.
    /// What the oldest receive completes with when the stream fails now.
    WorkCompletionStatus m_receiveStatus{WorkCompletionStatus::WR_FLUSH_ERR};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_QP_RECEIVER_H
