/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_CONNECTION_H
#define NFSRDMA_MPA_CONNECTION_H

#include "mpa/byte-stream.h"
#include "mpa/connection-error.h"
#include "mpa/fpdu-receiver.h"
#include "mpa/fpdu-transmitter.h"
#include "mpa/segment-watch.h"
#include "mpa/settings.h"
#include "mpa/startup-exchange.h"
#include "mpa/ulpdu-stream.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief One MPA connection: startup, then FPDUs (RFC 5044, RFC 6581).
 *
 *     initiator: IDLE -> WAIT_REPLY ----------------------> OPERATIONAL -> CLOSED
 *                        WAIT_REPLY -> OBSTRUCTED | REJECTED ------------> CLOSED
 *     responder: IDLE -> WAIT_REQUEST -> WAIT_DECISION ---> OPERATIONAL -> CLOSED
 *                                        WAIT_DECISION ---> REJECTED ----> CLOSED
 *
 * Startup is that of MpaStartupExchange and MpaStartup. It may begin at once, or after the stream
 * has been used otherwise (streaming mode, RFC 5044 section 7.1.3): octets its user has read too
 * far are then handed over. When startup ends REJECTED the stream still stands, and the owner takes
 * it back with ReleaseStream(), or closes (section 7.1.2 rules 2 and 3).
 *
 * The responder sends no FPDU and no marker before it has received a valid FPDU (rule 4): until
 * then CanSend() is false. In the peer-to-peer model (RFC 6581) the initiator sends the
 * ready-to-receive FPDU itself. At the responder a Send or Write of that kind is not delivered; a
 * Read is, and is to be answered.
 *
 * With OutOfOrderPlacement the receiver is an MPA-aware one (RFC 5044 appendix A.3): an FPDU that
 * is whole and valid behind a gap goes to the PlaceCallback at once, and to the UlpduCallback,
 * marked as placed, when its turn comes; FpduAssembler has the rules. With DropBadSegments TCP is
 * made to repeat a segment that holds an FPDU that is not valid (section 8). An error in an FPDU
 * that comes in order is final either way.
 *
 * An owner whose room is bounded (RoomCallback) gets no FPDU that it has no room for: what it can
 * not take stays in the stream, so that TCP's window closes, until Resume(). What the peer sent
 * before it closed in order is still delivered, and the ClosedCallback comes behind it.
 *
 * MULPDU follows the EMSS, and what is left of a segment that is being filled while that holds a
 * ULPDU of 128 octets (RFC 5044 section 4.5). Whenever the connection leaves OPERATIONAL or startup
 * fails, the stream is closed in order by this object, except after an error in an FPDU and when
 * OBSTRUCTED: then nothing more is placed or delivered, sending goes on, and the owner closes.
 * Callbacks are made last, and the owner may call anything from them, drop its reference included.
 * Dispose() and destruction send nothing: Close() or Abort() first. Private data is at most
 * MpaStartup::MaxConsumerData() octets.
 */
class MpaConnection : public Object, public UlpduStream
{
  public:
    enum class State
    {
        IDLE,
        WAIT_REPLY,
        WAIT_REQUEST,
        WAIT_DECISION,
        OPERATIONAL,
        OBSTRUCTED, ///< A good Reply this side cannot go on with; only a Terminate makes sense.
        REJECTED,   ///< One side has refused; the owner has ReleaseStream() and Close().
        CLOSED
    };

    /// What startup leaves when it is rejected.
    struct Released
    {
        Ptr<ByteStream> stream; ///< Without callbacks; more octets may wait in it.
        ByteVector unread;      ///< Octets of the peer behind its Reply, in order.
    };

    /// What has passed through.
    struct Counters
    {
        uint64_t txFpdus{0};
        uint64_t rxFpdus{0};
        uint64_t txOctets{0}; ///< Of whole FPDUs.
        uint64_t rxOctets{0}; ///< Of whole FPDUs.
        uint64_t crcErrors{0};
        uint64_t markerErrors{0};
        // Kept when segments are looked at as they arrive.
        uint64_t rxFpdusPlacedAhead{0};
        uint64_t duplicateOctets{0};      ///< Arrived before, and ignored.
        uint64_t droppedSegments{0};      ///< With an FPDU that was not valid.
        uint64_t refusedSegments{0};      ///< That the reassembly buffer could not hold.
        uint64_t peakReassemblyOctets{0}; ///< The most that ReassemblyOctets has been.
    };

    static TypeId GetTypeId();
    /// With settings of its own.
    MpaConnection();
    /// \param settings may be those of many connections
    explicit MpaConnection(Ptr<MpaSettings> settings);
    ~MpaConnection() override;

    /**
     * \brief Starts as initiator.
     * \param stream may still be connecting, or have been in use
     * \param local at most MpaStartup::MaxConsumerData() octets of private data
     * \param unread octets received that its user did not want
     */
    void StartInitiator(Ptr<ByteStream> stream,
                        const MpaStartupParameters& local,
                        ByteSpan unread = {});
    /// Takes the accepted \p stream, fresh or used before, and waits for a Request, which may
    /// begin with \p unread.
    void StartResponder(Ptr<ByteStream> stream, ByteSpan unread = {});
    /// Answers the Request with a good Reply; only after the RequestCallback.
    void Accept(const MpaStartupParameters& local);
    /// Answers the Request with R set. The stream stands; state REJECTED.
    void Reject(ByteSpan privateData);
    /// Gives the stream back, for use without MPA; in state REJECTED only.
    [[nodiscard]] Released ReleaseStream();
    /// Closes in order: what has been committed is sent, then FIN.
    void Close();
    /// Drops the connection at once.
    void Abort();
    /// The owner may have room again. From an event of its own.
    void Resume();

    /// \return what may be set before the start.
    [[nodiscard]] Ptr<MpaSettings> GetSettings() const
    {
        return m_settings;
    }

    /// \return how the byte stream below has ended, when that is what ended this connection.
    [[nodiscard]] std::optional<StreamEnd> GetStreamEnd() const
    {
        return m_streamEnd;
    }

    [[nodiscard]] State GetState() const
    {
        return m_state;
    }

    /// \return whether a startup frame still waits for room in the stream.
    [[nodiscard]] bool HasPendingFrame() const
    {
        return m_startup.HasPending();
    }

    /// \return whether CRCs are in use; negotiated once OPERATIONAL.
    [[nodiscard]] bool IsCrcEnabled() const
    {
        return GetAgreement().crc;
    }

    /// \return what both sides have agreed on; meaningful once OPERATIONAL.
    [[nodiscard]] const MpaStartup::Agreement& GetAgreement() const
    {
        return m_startup.GetHandshake().GetAgreement();
    }

    [[nodiscard]] bool IsInitiator() const
    {
        return m_initiator;
    }

    [[nodiscard]] Address GetPeerAddress() const
    {
        return m_stream ? m_stream->GetPeerAddress() : Address();
    }

    /// \return this end of the TCP connection; an invalid address when there is none any more.
    [[nodiscard]] Address GetLocalAddress() const
    {
        return m_stream ? m_stream->GetLocalAddress() : Address();
    }

    [[nodiscard]] const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// \return octets of private data that the answer to a Request may carry; once it has come.
    [[nodiscard]] std::size_t GetMaxPrivateData() const
    {
        return MpaStartup::MaxConsumerData(m_startup.GetHandshake().GetPeerFrame()->enhanced ? 2
                                                                                             : 1);
    }

    /// \return the stream taken at the start; null once closed.
    [[nodiscard]] Ptr<ByteStream> GetStream() const
    {
        return m_stream;
    }

    /// \return whether SetDeparture() may be later than now.
    [[nodiscard]] bool TakesAhead() const
    {
        return m_stream && m_stream->TakesAhead();
    }

    /// FPDUs committed from now on leave at \p at at the earliest.
    void SetDeparture(Time at)
    {
        m_departure = at;
    }

    // UlpduStream
    [[nodiscard]] uint32_t GetMulpdu() const override;
    [[nodiscard]] bool CanSend() const override;
    [[nodiscard]] MutableByteSpan BeginUlpdu(uint32_t length) override;
    void CommitUlpdu() override;

    /// What its owner is told; what is null is not.
    struct Callbacks
    {
        /// Responder: a valid Request has arrived; answer with Accept() or Reject().
        Callback<void, const MpaStartupParameters&> request;
        /// Initiator: a good Reply has arrived (parameters of the peer, read depths negotiated:
        /// ird and ord are those of THIS side). Responder: the Reply has been sent.
        Callback<void, const MpaStartupParameters&> operational;
        /// Initiator: the peer refused; private data of the Reply. The stream stands; state
        /// REJECTED.
        Callback<void, ByteSpan> rejected;
        /// \return octets of FPDUs that the owner can take now. When that is less than those
        /// asked for, nothing more is delivered until Resume(). Without it there is no bound.
        Callback<uint32_t, uint32_t> room;
        /// One ULPDU in order, and whether \c place has taken it before. The span is valid during
        /// the call only.
        Callback<void, ByteSpan, bool> ulpdu;
        /// One ULPDU, valid but behind a gap; \return true when its payload has been placed.
        Callback<bool, ByteSpan> place;
        /// CanSend() may have become true.
        Callback<void> ready;
        /// An error of section 8, or of RFC 6581 section 6. For CRC_MISMATCH and MARKER_MISMATCH,
        /// and in state OBSTRUCTED, the stream still stands so that a Terminate can be sent, but
        /// nothing more is delivered; the owner closes it.
        Callback<void, MpaError> error;
        /// The peer closed in order.
        Callback<void> closed;
    };

    [[nodiscard]] Callbacks& GetCallbacks()
    {
        return m_callbacks;
    }

    /// TracedCallback signature of State.
    using StateTracedCallback = void (*)(State before, State now);
    /// TracedCallback signature of FpduTx and FpduRx: octets of the ULPDU.
    using FpduTracedCallback = void (*)(uint32_t ulpduLength);
    /// TracedCallback signature of StartupFrame.
    using StartupFrameTracedCallback = void (*)(const MpaStartupFrame& frame, bool sent);
    /// TracedCallback signature of StartupFailed.
    using StartupFailedTracedCallback = void (*)(MpaError error);

  protected:
    void DoDispose() override;

  private:
    void TakeStream(Ptr<ByteStream> stream);
    void SetState(State state);
    void HandleEstablished();
    void HandleReceive();
    void HandleSpace();
    void HandleEnd(StreamEnd end);
    void Conclude(StreamEnd end);
    void HandleTimeout();
    [[nodiscard]] bool IsStarting() const;
    void Conclude(MpaHandshake::Outcome outcome);
    void EnterFullOperation();
    void BecomeOperational();
    void BecomeObstructed();
    void BecomeRejected();
    void SendReadyToReceive();
    void ReceiveFpdus();
    void ProcessFpdus();
    [[nodiscard]] bool HasRoomFor(uint32_t octets);
    [[nodiscard]] bool Pull();
    void DeliverUlpdu(const FpduReceiver::Received& fpdu);
    void FailReception(MpaError error);
    void UpdateMulpdu();
    void HandleEmss();
    void WatchSegments();
    bool HandleSegment(uint64_t offset, Ptr<const Packet> segment);
    void UpdateReassembly();
    void FailStartup(MpaError error);
    Ptr<ByteStream> DetachStream();
    void CloseStream();

    Ptr<MpaSettings> m_settings;
    Ptr<ByteStream> m_stream;
    State m_state{State::IDLE};
    bool m_initiator{false};
    MpaStartupExchange m_startup;
    bool m_readyToReceiveDue{false}; ///< There has been no room for it yet.

    FpduReceiver m_receiver;
    FpduTransmitter m_transmitter;
    Time m_departure;
    bool m_deliveryStopped{false}; ///< After an error in what was received.
    bool m_fpduReceived{false};
    bool m_stalled{false};  ///< The owner has no room; see Resume().
    bool m_endWaits{false}; ///< For the owner's room.
    std::optional<StreamEnd> m_streamEnd;
    uint32_t m_emss{0};
    uint32_t m_mulpdu{Fpdu::MIN_MULPDU}; ///< Of an empty segment.
    SegmentWatch m_watch;
    Counters m_counters;

    Callbacks m_callbacks;

    TracedCallback<State, State> m_stateTrace;
    TracedCallback<uint32_t> m_fpduTx;
    TracedCallback<uint32_t> m_fpduRx;
    TracedCallback<const MpaStartupFrame&, bool> m_startupFrame;
    TracedCallback<MpaError> m_startupFailed;
    TracedValue<uint32_t> m_reassemblyOctets{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_CONNECTION_H
