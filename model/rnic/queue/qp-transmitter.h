/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_QUEUE_QP_TRANSMITTER_H
#define NFSRDMA_RNIC_QUEUE_QP_TRANSMITTER_H

#include "host/memory-piece.h"
#include "rdmap/stream.h"
#include "rnic/hardware/transmit-engine.h"
#include "rnic/memory/region.h"
#include "rnic/queue/memory-work.h"
#include "rnic/queue/sq.h"
#include "wire/planned-event.h"
#include "wire/ring.h"

#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

class QueuePair;

/**
 * \brief The sending side of a queue pair: executes the send queue in order, and emits what the
 * stream has to say by itself (Read Responses, the Terminate).
 *
 * The head of the send queue
 *  - waits until it is fetched, and its payload too (RnicClocks::GetStartLatency());
 *  - stalls while it is fenced, or a local invalidation, and Reads or atomics are outstanding, or
 * while it is one and ORD of them are outstanding;
 *  - goes to the memory unit (registration, local invalidation) or to the stream, a segment at each
 *    service of the transmit engine.
 *
 * A Read Response is held until the receive engine and the turnaround are through with its request;
 * when a message of the send queue is under way it may follow sooner.
 */
class QueuePairTransmitter final : public TransmitClient
{
  public:
    explicit QueuePairTransmitter(QueuePair& pair);
    ~QueuePairTransmitter() override;
    QueuePairTransmitter(const QueuePairTransmitter&) = delete;
    QueuePairTransmitter& operator=(const QueuePairTransmitter&) = delete;

    /// Looks for work, and asks the engine, or a timer, for the time to do it.
    void Pump();
    /// The peer asks for a Read Response of \p length octets.
    void ResponseRequested(uint32_t length);
    /// A Read has been answered, which may end a stall.
    void ReadFinished();

    /// A source of octets for the wire has met a fault; the stream fails after the segment.
    void SourceFault()
    {
        m_sourceFault = WorkCompletionStatus::WR_FLUSH_ERR;
    }

    // For MemoryWork only.

    /// \return whether the head \p entry must wait for Reads; counts the first time.
    [[nodiscard]] bool IsStalled(const SendQueueEntry& entry);
    /// \return when \p entry, the head, could start: fetched, and let go by what stalled it.
    [[nodiscard]] Time GetReleased(const SendQueueEntry& entry) const;
    /// The head, memory work, has been executed, and the one behind it is the head.
    void MemoryWorkDone();
    /// Looks for work to be done now.
    void Wake();

    /// Leaves the engine and cancels all events.
    void Stop();

    /// The payload of the segment at hand is \p length octets from \p offset of \p region on.
    void NoteGathered(const MemoryRegion& region, uint64_t offset, uint64_t length);

    // TransmitClient
    std::optional<Service> Transmit(Time begins) override;
    [[nodiscard]] bool CanGoAhead() const override;
    void Served() override;
    [[nodiscard]] uint32_t GetWeight() const override;

  private:
    /// \return until when what is sent is decided: now, or later when the engine has gone ahead.
    [[nodiscard]] Time GetDecided() const;
    [[nodiscard]] Time GetStart(SendQueueEntry& entry);
    [[nodiscard]] FpduSize GetFirstFpdu(const SendQueueEntry& entry) const;
    [[nodiscard]] FpduSize MakeSize(uint32_t payload, uint32_t ulpduLength) const;
    void MarkStart(SendQueueEntry& entry);
    /// \return whether the engine has to wait, and until when
    [[nodiscard]] std::optional<Service> AwaitEngine();
    [[nodiscard]] std::optional<Time> GetNextTransmission();
    /// \return when a segment that the stream has may follow the one before.
    [[nodiscard]] Time GetNextSegment();

    void StartHead(SendQueueEntry& entry);
    void StartMessage(const SendQueueEntry& entry);
    void StartAtomic(const SendWorkRequest& request);
    /// \return why \p request must not be executed; nothing when it may.
    [[nodiscard]] std::optional<WorkCompletionStatus> FindFault(const SendQueueEntry& entry) const;
    /// Sets m_gathered to \p length octets from \p offset of the elements of \p entry on, when it
    /// makes a difference (RnicClocks); else to nothing.
    void LocateGathered(const SendQueueEntry& entry, uint64_t offset, uint64_t length);
    /// \return false on a fault.
    [[nodiscard]] bool GatherHead(uint32_t offset, MutableByteSpan out);
    /// The payload of a segment of \p opcode could not be had.
    void SourceFailed(RdmapOpcode opcode);
    void FinishSegment(const EmittedSegment& emitted);

    QueuePair& m_pair;
    bool m_waiting{false};     ///< In the ring of the engine.
    bool m_midMessage{false};  ///< Segments of the message begun are still to come.
    bool m_headStalled{false}; ///< The head has stalled, so m_released counts for it.
    /// Of the work request whose octets could not be had.
    WorkCompletionStatus m_sourceFault{WorkCompletionStatus::WR_FLUSH_ERR};
    Time m_begins;    ///< The engine, with the latest segment.
    Time m_headSince; ///< When the head became the head, if the queue was not empty.
    Time m_released;  ///< When the latest Read was answered.
    Time m_prepaid;   ///< Of the engine, for the next segment.
    Time m_paced;     ///< Not before then, by the rates of queue pair and device.
    /// When the context for the next segment of the message is at hand, once it was asked for.
    std::optional<Time> m_contextReady;
    std::vector<MemoryPiece> m_gathered; ///< Where the payload of the segment at hand is.
    uint32_t m_nextAtomic{0};            ///< Identifier of the next Atomic Request.
    Ring<Time> m_responseDue;            ///< Of the Read Responses owed.
    PlannedEvent m_wake;
    MemoryWork m_memoryWork;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_QUEUE_QP_TRANSMITTER_H
