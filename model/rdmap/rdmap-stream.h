/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RDMAP_RDMAP_STREAM_H
#define NFSRDMA_RDMAP_RDMAP_STREAM_H

#include "mpa/mpa-startup.h"
#include "mpa/ulpdu-stream.h"
#include "rdmap/emitted-segment.h"
#include "rdmap/outstanding-reads.h"
#include "rdmap/rdmap-consumer.h"
#include "rdmap/rdmap-receiver.h"
#include "rdmap/rdmap-sender.h"
#include "rdmap/read-request.h"
#include "rdmap/read-response-queue.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// What a stream is set to at startup.
struct RdmapStreamOptions
{
    uint32_t ird{0};        ///< Inbound Read Requests that may be queued; one more ends the stream.
    uint8_t version{1};     ///< DDP and RDMAP version of all headers: 0 or 1.
    bool extensions{false}; ///< Atomics and Immediate Data, RFC 7306.
    /// First FPDU of the initiator, which has used up MSN 1 of its queue (RFC 6581 section 4).
    ReadyToReceive rtr{ReadyToReceive::NONE};
    bool initiator{false}; ///< This side has sent the FPDU of rtr.
};

/**
 * \brief One RDMAP stream over DDP (RFC 5040, RFC 5041): segments out on demand, segments in as
 * they come.
 *
 * Emission is pulled: the owner starts at most one message of its own at a time (StartSend() and
 * its like), and asks for one segment when the hardware can send one. Read Responses and the
 * Terminate come from the stream itself and alternate with the owner's messages at message
 * boundaries. Received messages go to the RdmapConsumer. The class holds no timers and no ns-3
 * object.
 *
 * Once the stream has failed nothing more is placed or delivered, messages started are dropped, and
 * the only segment left, if any, is the Terminate. The consumer may start messages and emit
 * segments from within its callbacks; it must not destroy the stream there.
 *
 * Zero-length Writes and Read Responses place nothing, so the consumer hears of them by
 * SegmentReceived() only (and DeliverReadResponse()). A Read Response is checked against the oldest
 * Read requested before it is placed; Terminates sent are listed in RdmapReceiver.
 */
class RdmapStream
{
  public:
    /**
     * \param lower where ULPDUs go; outlives this object
     * \param consumer outlives this object
     */
    RdmapStream(UlpduStream& lower, RdmapConsumer& consumer, const RdmapStreamOptions& options);
    ~RdmapStream();
    RdmapStream(const RdmapStream&) = delete;
    RdmapStream& operator=(const RdmapStream&) = delete;

    /// Starts a Send; \p opcode one of the four Send kinds. Requires IsIdle().
    void StartSend(RdmapOpcode opcode, uint32_t length, Stag invalidateStag, PayloadSource source);
    /// Starts an RDMA Write. Requires IsIdle().
    void StartWrite(Stag stag, uint64_t offset, uint32_t length, PayloadSource source);
    /// Starts a Read Request, one segment; the owner keeps to ORD. Requires IsIdle().
    void StartReadRequest(const RdmaReadRequest& request);
    /// Queues a Terminate for an error found by the owner; the stream fails as if found here.
    void Fail(const TerminateMessage& message);

    /// \return true when no message of the owner is under way.
    [[nodiscard]] bool IsIdle() const;
    /// \return true when EmitSegment() has something to send.
    [[nodiscard]] bool HasSegment() const;
    /// Sends one segment. Requires HasSegment() and CanSend() of the lower stream.
    EmittedSegment EmitSegment();
    /// \return true once an error was found here or a Terminate was received.
    [[nodiscard]] bool IsFailed() const;
    /// \return inbound Read Requests whose responses are not all sent.
    [[nodiscard]] uint32_t GetInboundReads() const;
    /// \return Read Requests emitted whose responses are not all received.
    [[nodiscard]] uint32_t GetOutstandingReads() const;

    /// Takes one ULPDU, in order. \param placed whether PlaceUlpdu() has returned true for it
    void ReceiveUlpdu(ByteSpan ulpdu, bool placed = false);
    /**
     * \brief Takes a valid ULPDU that came ahead of its turn: places its payload, delivers nothing.
     * \return false when it was not placed; an error there is, if any, is found by ReceiveUlpdu()
     */
    bool PlaceUlpdu(ByteSpan ulpdu);

  private:
    RdmapConsumer& m_consumer;
    ReadResponseQueue m_responses;
    OutstandingReads m_reads;
    RdmapSender m_sender;
    RdmapReceiver m_receiver;
    bool m_failed{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RDMAP_RDMAP_STREAM_H
