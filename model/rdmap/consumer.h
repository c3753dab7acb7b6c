/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RDMAP_CONSUMER_H
#define NFSRDMA_RDMAP_CONSUMER_H

#include "ddp/buffer-error.h"
#include "ddp/segment-header.h"
#include "rdmap/atomic-message.h"
#include "rdmap/control-field.h"
#include "rdmap/terminate-message.h"

#include <functional>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/// Copies out.size() octets of a message, from \p offset of it, into \p out. Called from within
/// RdmapStream::EmitSegment(); must not call the stream.
/// \return false when the octets cannot be had: the segment is not sent, and the owner must fail
/// the stream
using PayloadSource = std::function<bool(uint32_t offset, MutableByteSpan out)>;

/// A Send of any kind, delivered in order.
struct SendDelivery
{
    RdmapOpcode opcode{RdmapOpcode::SEND};
    uint32_t length{0};
    Stag invalidateStag{0}; ///< For the two Invalidate kinds.
};

/**
 * \brief Memory and queues as DDP and RDMAP see them; a queue pair implements it.
 *
 * Placement puts octets into memory and may fail with an error that ends the stream; delivery tells
 * that a message and all before it are complete (RFC 5041 section 5.3). Octets may be placed ahead
 * of their turn (RdmapStream::PlaceUlpdu()): a failure to place them then means nothing yet, so the
 * Place functions change nothing but memory, and what buffer a Send has; SegmentRefused() tells of
 * a failure that counts.
 */
class RdmapConsumer
{
  public:
    virtual ~RdmapConsumer() = default;

    /// Places a segment of an RDMA Write.
    [[nodiscard]] virtual tl::expected<void, DdpError> PlaceWrite(Stag stag,
                                                                  uint64_t offset,
                                                                  ByteSpan payload) = 0;
    /// Places a segment of the Read Response to an outstanding RDMA Read.
    [[nodiscard]] virtual tl::expected<void, DdpError> PlaceReadResponse(Stag stag,
                                                                         uint64_t offset,
                                                                         ByteSpan payload) = 0;
    /// The Read Response that answers the oldest outstanding RDMA Read is complete.
    virtual void DeliverReadResponse() = 0;

    /// Places a segment of a Send in the receive buffer of \p msn (1 is the first posted).
    /// \return UNTAGGED_NO_BUFFER or UNTAGGED_TOO_LONG on failure
    [[nodiscard]] virtual tl::expected<void, DdpError> PlaceSend(uint32_t msn,
                                                                 uint32_t messageOffset,
                                                                 ByteSpan payload) = 0;
    /// A Send is complete; its STag is to be invalidated before the consumer is told.
    [[nodiscard]] virtual tl::expected<void, RdmapError> DeliverSend(const SendDelivery& send) = 0;

    /// The segment just refused by one of the functions above was in its turn: the stream fails.
    virtual void SegmentRefused(RdmapOpcode /* opcode */, DdpError /* error */)
    {
    }

    /// Checks a Read Request's source (not called for length zero).
    /// \return a source that stays valid until the response has been sent
    [[nodiscard]] virtual tl::expected<PayloadSource, RdmapError> OpenReadSource(
        Stag stag,
        uint64_t offset,
        uint32_t length) = 0;

    /// Immediate Data have come, which use up the next receive buffer without placing anything in
    /// it. \return UNTAGGED_NO_BUFFER on failure. For RdmapStreamOptions::extensions.
    [[nodiscard]] virtual tl::expected<void, DdpError> DeliverImmediate(
        RdmapOpcode /* opcode */,
        const ImmediateData& /* data */)
    {
        return tl::make_unexpected(DdpError::UNTAGGED_NO_BUFFER);
    }

    /// Does an atomic operation on memory. For RdmapStreamOptions::extensions.
    /// \return what memory held before
    [[nodiscard]] virtual tl::expected<uint64_t, RdmapError> ExecuteAtomic(
        const AtomicRequest& /* request */)
    {
        return tl::make_unexpected(RdmapError::PROTECTION_ACCESS);
    }

    /// The Atomic Request that is the oldest outstanding request is answered with \p value.
    /// For RdmapStreamOptions::extensions.
    [[nodiscard]] virtual tl::expected<void, RdmapError> DeliverAtomicResponse(uint64_t /* value */)
    {
        return tl::make_unexpected(RdmapError::LOCAL_CATASTROPHIC);
    }

    /// A segment, of any kind, has arrived and has been handled, the last of its message or not:
    /// for counters and timing.
    virtual void SegmentReceived(RdmapOpcode opcode, bool isLast) = 0;
    /// There may be something to emit (a Read Response, a Terminate).
    virtual void EmissionReady() = 0;
    /// This side found an error: it has stopped delivery and will emit \p message, then is done.
    virtual void StreamFailed(const TerminateMessage& message) = 0;
    /// The peer sent a Terminate; the stream is over.
    virtual void TerminateReceived(const TerminateMessage& message) = 0;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RDMAP_CONSUMER_H
