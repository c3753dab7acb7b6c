/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_CAPTURE_REPLAY_SIDE_H
#define NFSRDMA_HELPER_CAPTURE_REPLAY_SIDE_H

#include "helper/capture/advertised-memory.h"
#include "helper/capture/mpa-conversation.h"
#include "helper/capture/replay-byte-stream.h"
#include "mpa/connection.h"
#include "rdmap/stream.h"

#include <memory>

namespace ns3::nfsrdma
{

/// How a connection ended for one side.
enum class ReplayEnding
{
    OPEN,               ///< Not within the capture.
    REFUSED,            ///< This side did not accept the startup frame, or there was none in time.
    REJECTED,           ///< The peer's Reply has R set.
    TERMINATE_SENT,     ///< This side found an error.
    TERMINATE_RECEIVED, ///< The peer found an error.
    CLOSED,             ///< This side closed or reset the connection.
    PEER_CLOSED,
    PEER_RESET,
};

/// \return \p ending in words.
const char* ToString(ReplayEnding ending);

/// What became of one side of a connection.
struct ReplayOutcome
{
    bool operational{false}; ///< Startup succeeded.
    ReplayEnding ending{ReplayEnding::OPEN};
    std::optional<MpaError> error;          ///< That MPA reported.
    std::optional<TerminateMessage> fault;  ///< What the Terminate sent says.
    std::optional<RdmapOpcode> faultOpcode; ///< Of the segment at fault.
    bool spokeUp{false};                    ///< The Terminate could be sent.
    bool consumerFault{false};              ///< The Terminate was the choice of the consumer.
    std::optional<TerminateMessage> peerTerminate;
    ByteVector startupFrame;         ///< Sent; empty when none was.
    MpaStartup::Agreement agreement; ///< Once operational.
    uint64_t sends{0};               ///< Delivered.
    uint64_t reads{0};               ///< RDMA Reads completed.
};

/**
 * \brief A fresh MpaConnection and RdmapStream in the place of one side of a captured connection.
 *
 * What the peer sent in the capture is fed to it. What the side itself sent steers it as its
 * consumer would have: private data and read depths, when the Reply was given, which RDMA Reads it
 * asked for, when it answered one, when it closed. Attributes are set from its own startup frame.
 *
 * Memory is AdvertisedMemory, receive buffers are always there and long enough; but what a
 * Terminate of this side says of them is believed. The source of a Read Request that it refuses is
 * refused. The Send that it names with "no buffer" gets none; if that is number 1 it is too long
 * instead, for the first receive is posted before a connection is made.
 */
class ReplaySide : public RdmapConsumer
{
  public:
    /// \param conversation outlives this object
    /// \param side which one is played
    ReplaySide(const MpaConversation& conversation, std::size_t side, bool initiator);
    ~ReplaySide() override;
    ReplaySide(const ReplaySide&) = delete;
    ReplaySide& operator=(const ReplaySide&) = delete;

    /// \return why the model cannot take this side's part; null when it can.
    [[nodiscard]] const char* GetObstacle() const;
    /// \param elsewhere whether the host of this side has named an STag on another connection
    void SetElsewhere(AdvertisedMemory::Elsewhere elsewhere);
    void Start();
    /// The side's startup frame was captured.
    void SentStartup();
    /// An FPDU of the side was captured.
    void SentFpdu(const CapturedFpdu& fpdu);
    /// The side's FIN or RST was captured.
    void SentEnd();
    void Receive(ByteSpan octets);
    void ReceiveEnd(StreamEnd end);

    /// \return what has become of the side so far.
    [[nodiscard]] ReplayOutcome GetOutcome() const;

  private:
    [[nodiscard]] ByteSpan GetPrivateData() const;
    [[nodiscard]] MpaStartupParameters MakeParameters() const;
    [[nodiscard]] MpaConformance FindConformance() const;
    void Configure();
    void FindRefusals();
    void SentReadResponse(const CapturedFpdu& fpdu);
    void SetEnding(ReplayEnding ending);
    void Pump();
    void HandleOperational(const MpaStartupParameters& heard);
    void HandleRejected(ByteSpan privateData);
    void HandleUlpdu(ByteSpan ulpdu, bool placed);
    void HandleError(MpaError error);

    // RdmapConsumer
    tl::expected<void, DdpError> PlaceWrite(Stag stag, uint64_t offset, ByteSpan payload) override;
    tl::expected<void, DdpError> PlaceReadResponse(Stag stag,
                                                   uint64_t offset,
                                                   ByteSpan payload) override;
    void DeliverReadResponse() override;
    tl::expected<void, DdpError> PlaceSend(uint32_t msn,
                                           uint32_t messageOffset,
                                           ByteSpan payload) override;
    tl::expected<void, RdmapError> DeliverSend(const SendDelivery& send) override;
    tl::expected<PayloadSource, RdmapError> OpenReadSource(Stag stag,
                                                           uint64_t offset,
                                                           uint32_t length) override;
    void SegmentReceived(RdmapOpcode opcode, bool isLast) override;
    void EmissionReady() override;
    void StreamFailed(const TerminateMessage& message) override;
    void TerminateReceived(const TerminateMessage& message) override;

    const MpaConversation& m_conversation;
    std::size_t m_side;
    bool m_initiator;
    const MpaStartupFrame* m_own; ///< Startup frame of this side; may be null.
    Ptr<ReplayByteStream> m_lower;
    Ptr<MpaConnection> m_connection;
    std::unique_ptr<RdmapStream> m_stream;
    AdvertisedMemory m_memory;
    std::optional<uint32_t> m_refusedMsn;
    std::optional<Stag> m_refusedSource;
    RdmapError m_refusedFor{RdmapError::PROTECTION_INVALID_STAG};
    std::optional<RdmapOpcode> m_arriving; ///< Opcode of the ULPDU being received.
    uint64_t m_sentFpdus{0};               ///< In the capture.
    uint64_t m_owedOctets{
        0}; ///< Of Read Responses that the capture has and the model has not sent.
    ReplayOutcome m_outcome;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_CAPTURE_REPLAY_SIDE_H
