/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RDMAP_STREAM_H
#define NFSRDMA_RDMAP_STREAM_H

#include "mpa/ulpdu-stream.h"
#include "rdmap/consumer.h"
#include "rdmap/emitted-segment.h"
#include "rdmap/outstanding-reads.h"
#include "rdmap/read-request.h"
#include "rdmap/read-response-queue.h"
#include "rdmap/receiver.h"
#include "rdmap/sender.h"
#include "rdmap/stream-options.h"

#include <cstdint>

namespace ns3::nfsrdma
{

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
 *
 * Placement ahead of order (RFC 5041 section 5.3): PlaceUlpdu() puts the payload of a Write, Send
 * or Read Response where it belongs as soon as it comes. ReceiveUlpdu() later makes all checks of
 * sequence and delivers; the memory is not checked a second time, so that a Write placed while its
 * STag was valid stays good when a Send before it invalidates the STag. A segment without payload,
 * and one that cannot be placed, is left for its turn. Where the sender's messages overlap in
 * tagged memory, what was placed first may be overwritten by an older message, as RFC 5040
 * section 5.5 allows; Read sinks that overlap are therefore left for their turn.
 *
 * Ready to receive (RFC 6581): MPA takes the RTR FPDU of kind Send or Write for itself; a Send has
 * used up MSN 1 of queue 0. One of kind Read comes through ReceiveUlpdu() at the responder and is
 * answered like any Read of length zero; the initiator drops the answer, of which the consumer
 * hears by EmissionReady() only, since it counted against ORD.
 *
 * Version 0, of the RDMA Consortium's specifications, differs in DV and RV of every header (RFC
 * 5044 appendix C.1 names no other difference above MPA), and has no atomics or Immediate Data.
 */
class RdmapStream
{
  public:
    /**
     * \param lower where ULPDUs go; outlives this object
     * \param consumer outlives this object
     */
    RdmapStream(UlpduStream& lower, RdmapConsumer& consumer, const RdmapStreamOptions& options);
    ~RdmapStream() = default;
    RdmapStream(const RdmapStream&) = delete;
    RdmapStream& operator=(const RdmapStream&) = delete;

    /// Starts a Send; \p opcode one of the four Send kinds. Requires IsIdle().
    void StartSend(RdmapOpcode opcode, uint32_t length, Stag invalidateStag, PayloadSource source);
    /// Starts an RDMA Write. Requires IsIdle().
    void StartWrite(Stag stag, uint64_t offset, uint32_t length, PayloadSource source);
    /// Starts a Read Request, one segment; the owner keeps to ORD. Requires IsIdle().
    void StartReadRequest(const RdmaReadRequest& request);
    /// Starts Immediate Data; \p opcode one of the two kinds. Requires IsIdle() and extensions.
    void StartImmediate(RdmapOpcode opcode, const ImmediateData& data);
    /// Starts an Atomic Request; counts as a Read. Requires IsIdle() and extensions.
    void StartAtomic(const AtomicRequest& request);
    /// Queues a Terminate for an error found by the owner; the stream fails as if found here.
    void Fail(const TerminateMessage& message);

    /// \return true when no message of the owner is under way.
    [[nodiscard]] bool IsIdle() const
    {
        return m_sender.IsIdle();
    }

    /// \return true when EmitSegment() has something to send.
    [[nodiscard]] bool HasSegment() const
    {
        return m_sender.HasSegment();
    }

    /// Sends one segment. Requires HasSegment() and CanSend() of the lower stream.
    EmittedSegment EmitSegment()
    {
        return m_sender.EmitSegment();
    }

    /// \return true once an error was found here or a Terminate was received.
    [[nodiscard]] bool IsFailed() const
    {
        return m_failed;
    }

    /// \return inbound Read and Atomic Requests whose responses are not all sent.
    [[nodiscard]] uint32_t GetInboundReads() const
    {
        return m_responses.GetCount();
    }

    /// \return Read and Atomic Requests emitted, that of the RTR included, whose responses are not
    /// all received.
    [[nodiscard]] uint32_t GetOutstandingReads() const
    {
        return m_reads.GetCount();
    }

    /// Takes one ULPDU, in order. \param placed whether PlaceUlpdu() has returned true for it
    void ReceiveUlpdu(ByteSpan ulpdu, bool placed = false);

    /**
     * \brief Takes a valid ULPDU that came ahead of its turn: places its payload, delivers nothing.
     * \return false when it was not placed; an error there is, if any, is found by ReceiveUlpdu()
     */
    bool PlaceUlpdu(ByteSpan ulpdu)
    {
        return !m_failed && m_receiver.Place(ulpdu);
    }

  private:
    RdmapConsumer& m_consumer;
    ReadResponseQueue m_responses;
    OutstandingReads m_reads;
    RdmapSender m_sender;
    RdmapReceiver m_receiver;
    bool m_failed{false};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RDMAP_STREAM_H
