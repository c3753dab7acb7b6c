/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RDMAP_RDMAP_RECEIVER_H
#define NFSRDMA_RDMAP_RDMAP_RECEIVER_H

#include "ddp/ddp-untagged-queue.h"
#include "rdmap/outstanding-reads.h"
#include "rdmap/rdmap-consumer.h"
#include "rdmap/read-response-queue.h"

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
 *     queue above 2                                   1/2/01  M D
 *     RDMAP version                                   0/2/05  none
 *     opcode unknown, wrong for the T bit or queue,
 *       or another than the message began with        0/2/06  none
 *     MSN, MO, message beyond 2^32 - 1 octets         1/2/03, 1/2/04, 1/2/05  M D
 *     TO wrap                                         1/1/03  M D
 *     Read Response against the oldest Read           see OutstandingReads  M D, 0/2/06 none
 *     Read Request longer than 28 octets              1/2/05  M D
 *     Read Request shorter, or in several segments    0/2/ff  M D
 *     Read Request beyond IRD                         1/2/02  M D R
 *     the consumer's own checks                       its error  M D, for Read Requests M D R,
 *                                                       for local errors (type 0) none
 *
 * Linux's siw differs: a Send on queue 1 or 2 is 1/2/01 there, a Send longer than its buffer
 * 1/2/02, a Read Request beyond IRD 0/2/07.
 */
class RdmapReceiver
{
  public:
    /// All arguments outlive this object.
    RdmapReceiver(RdmapConsumer& consumer, ReadResponseQueue& responses, OutstandingReads& reads);

    /**
     * \brief Takes one ULPDU.
     * \return its opcode, after placement and delivery; or the Terminate to answer it with. After
     * TERMINATE see GetPeerTerminate().
     */
    [[nodiscard]] tl::expected<RdmapOpcode, TerminateMessage> Receive(ByteSpan ulpdu);

    /// \return the Terminate received. One that is cut short or garbled has its reason only.
    [[nodiscard]] const TerminateMessage& GetPeerTerminate() const;

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

    [[nodiscard]] Outcome ReceiveTagged(const DdpTaggedHeader& header, ByteSpan payload);
    [[nodiscard]] Outcome ReceiveUntagged(const DdpUntaggedHeader& header, ByteSpan payload);
    [[nodiscard]] Outcome ReceiveWrite(const DdpTaggedHeader& header, ByteSpan payload);
    [[nodiscard]] Outcome ReceiveReadResponse(const DdpTaggedHeader& header, ByteSpan payload);
    [[nodiscard]] Outcome ReceiveSend(RdmapOpcode opcode,
                                      const DdpUntaggedHeader& header,
                                      ByteSpan payload);
    [[nodiscard]] Outcome ReceiveReadRequest(const DdpUntaggedHeader& header, ByteSpan payload);
    [[nodiscard]] Outcome ReceiveTerminate(const DdpUntaggedHeader& header, ByteSpan payload);

    [[nodiscard]] static TerminateMessage HeaderTerminate(ByteSpan ulpdu, WireError error);
    [[nodiscard]] TerminateMessage MakeTerminate(const Fault& fault,
                                                 const DdpHeader& header,
                                                 ByteSpan ulpdu) const;

    RdmapConsumer& m_consumer;
    ReadResponseQueue& m_responses;
    OutstandingReads& m_reads;

    DdpUntaggedQueue m_sendQueue;
    DdpUntaggedQueue m_readRequestQueue;
    DdpUntaggedQueue m_terminateQueue;
    std::optional<RdmapOpcode> m_openSend; ///< Opcode of the Send that is not complete.
    RdmaReadRequest m_readRequest;         ///< The last one received.
    TerminateMessage m_peerTerminate;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RDMAP_RDMAP_RECEIVER_H
