/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_MPA_CONNECTION_H
#define NFSRDMA_MPA_MPA_CONNECTION_H

#include "mpa/byte-stream.h"
#include "mpa/fpdu-receiver.h"
#include "mpa/fpdu-transmitter.h"
#include "mpa/mpa-error.h"
#include "mpa/mpa-startup.h"
#include "mpa/ulpdu-stream.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

namespace ns3::nfsrdma
{

/**
 * \brief One MPA connection: startup, then FPDUs (RFC 5044, RFC 6581).
 *
 *     initiator: IDLE -> WAIT_REPLY ----------------------> OPERATIONAL -> CLOSED
 *     responder: IDLE -> WAIT_REQUEST -> WAIT_DECISION ---> OPERATIONAL -> CLOSED
 *
 * The responder sends no FPDU before it has received one (RFC 5044 section 7.1.2 rule 4): until
 * then CanSend() is false. Markers are neither asked for nor inserted; a Request that asks for them
 * is rejected (R set, M clear).
 *
 * Negotiation is that of MpaStartup. In peer-to-peer mode (RFC 6581) the initiator's first FPDU is
 * a zero-length RDMA Write that neither side's owner sees.
 *
 * MULPDU follows the EMSS, and what is left of a segment that is being filled while that holds a
 * ULPDU of 128 octets (RFC 5044 section 4.5). Whenever the connection leaves OPERATIONAL or startup
 * fails, the stream is closed in order by this object, except after an error in an FPDU: then
 * nothing more is placed or delivered, sending goes on, and the owner closes. Callbacks are made
 * last, and the owner may call anything from them, drop its reference included. Dispose() and
 * destruction send nothing: Close() or Abort() first. Private data is at most
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
        CLOSED
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
    };

    static TypeId GetTypeId();
    MpaConnection();
    ~MpaConnection() override;

    /// Takes \p stream, which may still be connecting, and starts as initiator.
    void StartInitiator(Ptr<ByteStream> stream, const MpaStartupParameters& local);
    /// Takes the accepted \p stream and waits for a Request.
    void StartResponder(Ptr<ByteStream> stream);
    /// Answers the Request with a good Reply; only after the RequestCallback.
    void Accept(const MpaStartupParameters& local);
    /// Answers the Request with R set; the stream is then closed.
    void Reject(ByteSpan privateData);
    /// Closes in order: what has been committed is sent, then FIN.
    void Close();
    /// Drops the connection at once.
    void Abort();

    [[nodiscard]] State GetState() const
    {
        return m_state;
    }

    /// \return whether CRCs are in use; negotiated once OPERATIONAL.
    [[nodiscard]] bool IsCrcEnabled() const
    {
        return m_agreement.crc;
    }

    /// \return what both sides have agreed on; meaningful once OPERATIONAL.
    [[nodiscard]] const MpaStartup::Agreement& GetAgreement() const
    {
        return m_agreement;
    }

    [[nodiscard]] bool IsInitiator() const
    {
        return m_initiator;
    }

    [[nodiscard]] Address GetPeerAddress() const;

    [[nodiscard]] const Counters& GetCounters() const
    {
        return m_counters;
    }

    /// \return the stream taken at the start; null once closed.
    [[nodiscard]] Ptr<ByteStream> GetStream() const
    {
        return m_stream;
    }

    // UlpduStream
    [[nodiscard]] uint32_t GetMulpdu() const override;
    [[nodiscard]] bool CanSend() const override;
    [[nodiscard]] MutableByteSpan BeginUlpdu(uint32_t length) override;
    void CommitUlpdu() override;

    /// Responder: a valid Request has arrived; answer with Accept() or Reject().
    using RequestCallback = Callback<void, const MpaStartupParameters&>;
    /// Initiator: a good Reply has arrived (parameters of the peer, read depths negotiated:
    /// ird and ord are those of THIS side). Responder: the Reply has been sent.
    using OperationalCallback = Callback<void, const MpaStartupParameters&>;
    /// Initiator: the peer refused; private data of the Reply.
    using RejectedCallback = Callback<void, ByteSpan>;
    /// One ULPDU in order, and whether a PlaceCallback has taken it before. The span is valid
    /// during the call only.
    using UlpduCallback = Callback<void, ByteSpan, bool>;
    /// One ULPDU, valid but behind a gap; \return true when its payload has been placed.
    using PlaceCallback = Callback<bool, ByteSpan>;
    /// CanSend() may have become true.
    using ReadyCallback = Callback<void>;
    /// An error of section 8. For CRC_MISMATCH and MARKER_MISMATCH the stream still stands so that
    /// a Terminate can be sent, but nothing more is delivered; the owner closes it.
    using ErrorCallback = Callback<void, MpaError>;
    /// The peer closed in order.
    using ClosedCallback = Callback<void>;

    void SetRequestCallback(RequestCallback callback)
    {
        m_requested = callback;
    }

    void SetOperationalCallback(OperationalCallback callback)
    {
        m_operational = callback;
    }

    void SetRejectedCallback(RejectedCallback callback)
    {
        m_rejected = callback;
    }

    void SetUlpduCallback(UlpduCallback callback)
    {
        m_ulpdu = callback;
    }

    void SetPlaceCallback(PlaceCallback callback)
    {
        m_place = callback;
    }

    void SetReadyCallback(ReadyCallback callback)
    {
        m_ready = callback;
    }

    void SetErrorCallback(ErrorCallback callback)
    {
        m_error = callback;
    }

    void SetClosedCallback(ClosedCallback callback)
    {
        m_closed = callback;
    }

    /// TracedCallback signature of State.
    using StateTracedCallback = void (*)(State before, State now);
    /// TracedCallback signature of FpduTx and FpduRx: octets of the ULPDU.
    using FpduTracedCallback = void (*)(uint32_t ulpduLength);
    /// TracedCallback signature of StartupFrame.
    using StartupFrameTracedCallback = void (*)(const MpaStartupFrame& frame, bool sent);

  protected:
    void DoDispose() override;

  private:
    void TakeStream(Ptr<ByteStream> stream);
    void SetState(State state);
    MpaStartup::Policy GetPolicy() const;
    void StartTimer(Time timeout);
    void SendStartupFrame(const MpaStartupFrame& frame);
    void HandleEstablished();
    void HandleReceive();
    void HandleSpace();
    void HandleEnd(StreamEnd end);
    void HandleTimeout();
    void ProcessStartup();
    void ProcessRequest(const MpaStartupFrame& request);
    void ProcessReply(const MpaStartupFrame& reply);
    void BecomeOperational(const MpaStartup::Agreement& agreement, MpaStartupParameters heard);
    void SendReadyToReceive();
    void ProcessFpdus();
    void DeliverUlpdu(ByteSpan ulpdu, uint32_t wireSize, bool placed);
    void FailReception(MpaError error);
    void UpdateMulpdu();
    void HandleEmss();
    void FailStartup(MpaError error);
    Ptr<ByteStream> ReleaseStream();
    void CloseStream();

    uint8_t m_revision{2};
    bool m_crcWanted{false};
    bool m_peerToPeer{false};
    uint16_t m_maxIrd{0};
    uint32_t m_emssMultiple{1};
    Time m_replyTimeout;
    Time m_requestTimeout;

    Ptr<ByteStream> m_stream;
    State m_state{State::IDLE};
    EventId m_timer;
    bool m_initiator{false};
    MpaStartupParameters m_local;
    MpaStartupFrame m_request;
    MpaStartup::Agreement m_agreement;

    FpduReceiver m_receiver;
    FpduTransmitter m_transmitter;
    bool m_deliveryStopped{false}; ///< After an error in what was received.
    bool m_fpduReceived{false};
    uint32_t m_emss{0};
    uint32_t m_mulpdu{Fpdu::MIN_MULPDU}; ///< Of an empty segment.
    Counters m_counters;

    RequestCallback m_requested;
    OperationalCallback m_operational;
    RejectedCallback m_rejected;
    UlpduCallback m_ulpdu;
    PlaceCallback m_place;
    ReadyCallback m_ready;
    ErrorCallback m_error;
    ClosedCallback m_closed;

    TracedCallback<State, State> m_stateTrace;
    TracedCallback<uint32_t> m_fpduTx;
    TracedCallback<uint32_t> m_fpduRx;
    TracedCallback<const MpaStartupFrame&, bool> m_startupFrame;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_MPA_CONNECTION_H
