/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RDMAP_RECEIVER_H
#define NFSRDMA_RDMAP_RECEIVER_H

#include "ddp/untagged-queue.h"
#include "rdmap/consumer.h"
#include "rdmap/outstanding-reads.h"
#include "rdmap/read-response-queue.h"
#include "rdmap/stream-options.h"

#include <optional>
#include <tl/expected.hpp>

namespace ns3::nfsrdma
{

/**
 * \brief The receiving half of an RDMAP stream: checks each segment, places it and delivers
 * messages.
 *
 * Checks come in this order; the first that fails ends the stream with the Terminate shown
 * (layer/type/code, copies attached):
 *
 *     segment shorter than its DDP header             0/2/07  none
 *     DDP version                                     1/1/04 or 1/2/06 by the T bit  none
 *     queue above 2, above 3 with extensions          1/2/01  M D
 *     RDMAP version                                   0/2/05  none
 *     opcode unknown, wrong for the T bit or queue,
 *       or another than the message began with        0/2/06  none
 *     MSN, MO, message beyond 2^32 - 1 octets         1/2/03, 1/2/04, 1/2/05  M D
 *     TO wrap                                         1/1/03  M D
 *     Read Response against the oldest Read           see OutstandingReads  M D, 0/2/06 none
 *     Read Request longer than 28 octets              1/2/05  M D
 *     Read Request shorter, or in several segments    0/2/ff  M D
 *     Read Request beyond IRD                         1/2/02  M D R
 *     Immediate Data other than 8 octets, Atomic
 *       Request than 52, Atomic Response than 12      as a Read Request
 *     Atomic Request beyond IRD                       1/2/02  M D
 *     atomic operation unknown                        0/2/06  none
 *     atomic operand not at a multiple of 8           0/2/07  M D
 *     Atomic Response against the oldest request      see OutstandingReads  M D, 0/2/06 none
 *     the consumer's own checks                       its error  M D, for Read Requests M D R,
 *                                                       for local errors (type 0) none
 *
 * Linux's siw differs: a Send on queue 1 or 2 is 1/2/01 there, a Send longer than its buffer
 * 1/2/02, a Read Request beyond IRD 0/2/07.
 */
class RdmapReceiver
{
  public:
    /// All references outlive this object.
    RdmapReceiver(RdmapConsumer& consumer,
                  ReadResponseQueue& responses,
                  OutstandingReads& reads,
                  const RdmapStreamOptions& options);

    /**
     * \brief Takes one ULPDU, in its turn.
     * \param placed whether Place() has returned true for it: its payload is not placed again
     * \return its opcode, after placement and delivery; or the Terminate to answer it with. After
     * TERMINATE see GetPeerTerminate().
     */
    [[nodiscard]] tl::expected<RdmapOpcode, TerminateMessage> Receive(ByteSpan ulpdu, bool placed);
    /// Places the payload of a ULPDU that is ahead of its turn. \return whether it did
    [[nodiscard]] bool Place(ByteSpan ulpdu);

    /// \return the Terminate received. One that is cut short or garbled has its reason only.
    [[nodiscard]] const TerminateMessage& GetPeerTerminate() const
    {
        return m_peerTerminate;
    }

  private:
    /// What to attach of the segment at fault.
    enum class Copies
    {
        NONE,
        DDP_HEADER,  ///< M and D.
        READ_REQUEST ///< M, D and R.
    };

    struct Fault
    {
        TerminateReason reason;
        Copies copies{Copies::NONE};
    };

    using Outcome = tl::expected<RdmapOpcode, Fault>;

    [[nodiscard]] static Copies CopiesFor(const TerminateReason& reason);

    [[nodiscard]] Decoded<RdmapOpcode> DecodeControl(uint8_t octet) const;
    [[nodiscard]] bool PlaceTagged(const DdpTaggedHeader& header, ByteSpan payload);
    [[nodiscard]] bool PlaceSend(const DdpUntaggedHeader& header, ByteSpan payload);

    [[nodiscard]] Outcome ReceiveTagged(const DdpTaggedHeader& header,
                                        ByteSpan payload,
                                        bool placed);
    [[nodiscard]] Outcome ReceiveUntagged(const DdpUntaggedHeader& header,
                                          ByteSpan payload,
                                          bool placed);
    [[nodiscard]] Outcome ReceiveWrite(const DdpTaggedHeader& header,
                                       ByteSpan payload,
                                       bool placed);
    [[nodiscard]] Outcome ReceiveReadResponse(const DdpTaggedHeader& header,
                                              ByteSpan payload,
                                              bool placed);
    [[nodiscard]] Outcome ReceiveSend(RdmapOpcode opcode,
                                      const DdpUntaggedHeader& header,
                                      ByteSpan payload,
                                      bool placed);
    [[nodiscard]] Outcome ReceiveReadRequest(const DdpUntaggedHeader& header, ByteSpan payload);
    [[nodiscard]] Outcome ReceiveTerminate(const DdpUntaggedHeader& header, ByteSpan payload);
    [[nodiscard]] Outcome ReceiveImmediate(RdmapOpcode opcode,
                                           const DdpUntaggedHeader& header,
                                           ByteSpan payload);
    [[nodiscard]] Outcome ReceiveAtomicRequest(const DdpUntaggedHeader& header, ByteSpan payload);
    [[nodiscard]] Outcome ReceiveAtomicResponse(const DdpUntaggedHeader& header, ByteSpan payload);
    [[nodiscard]] Outcome Refuse(RdmapOpcode opcode, DdpError error);
    /// Takes a message that is one segment of \p size octets. \return its octets
    [[nodiscard]] static tl::expected<ByteReader, Fault> AcceptWhole(
        DdpUntaggedQueue& queue,
        const DdpUntaggedHeader& header,
        ByteSpan payload,
        uint32_t size);

    [[nodiscard]] static TerminateMessage HeaderTerminate(ByteSpan ulpdu, WireError error);
    [[nodiscard]] TerminateMessage MakeTerminate(const Fault& fault,
                                                 const DdpHeader& header,
                                                 ByteSpan ulpdu) const;

    RdmapConsumer& m_consumer;
    ReadResponseQueue& m_responses;
    OutstandingReads& m_reads;
    uint8_t m_version;
    bool m_extensions;

    DdpUntaggedQueue m_sendQueue;
    DdpUntaggedQueue m_readRequestQueue;
    DdpUntaggedQueue m_terminateQueue;
    DdpUntaggedQueue m_atomicResponseQueue;
    std::optional<RdmapOpcode> m_openSend; ///< Opcode of the Send that is not complete.
    RdmaReadRequest m_readRequest;         ///< The last one received.
    TerminateMessage m_peerTerminate;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RDMAP_RECEIVER_H
