/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_MACHINE_H
#define NFSRDMA_TOE_MACHINE_H

#include "toe/deadlines.h"
#include "toe/engine-counters.h"
#include "toe/engine-settings.h"
#include "toe/receive-side.h"
#include "toe/send-side.h"
#include "toe/sequence-space.h"
#include "toe/wire-header.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/// The states of a connection, RFC 9293 section 3.3.2.
enum class TcpState
{
    CLOSED,
    LISTEN,
    SYN_SENT,
    SYN_RECEIVED,
    ESTABLISHED,
    FIN_WAIT_1,
    FIN_WAIT_2,
    CLOSE_WAIT,
    CLOSING,
    LAST_ACK,
    TIME_WAIT,
};

/// \return the name that RFC 9293 has for \p state.
const char* ToString(TcpState state);

/// How a connection came to be CLOSED.
enum class TcpEnd
{
    CLOSED,    ///< Both directions ended in order, or nobody answered yet and the user closed.
    REFUSED,   ///< RST in answer to the SYN.
    RESET,     ///< RST.
    TIMED_OUT, ///< No answer: to SYN, octets, FIN, probes.
    ABORTED,   ///< By Abort().
};

/// A segment for the network.
struct OutgoingTcpSegment
{
    TcpWireHeader header; ///< Whole; the checksum is for whoever has the addresses.
    uint64_t offset{0};   ///< In the stream, octets from its beginning: of the payload, if any.
    uint32_t length{0};   ///< Of the payload.
    bool capable{false};  ///< ECN-capable: ECT(0) in the IP header.
    bool repeated{false};
};

/**
 * \brief What a connection has done for it. Offsets count octets from the beginning of a stream.
 *
 * The machine may neither be called nor destroyed from within one of these.
 */
class TcpMachineActions
{
  public:
    virtual ~TcpMachineActions() = default;

    /// \p segment leaves.
    virtual void Transmit(const OutgoingTcpSegment& segment) = 0;
    /// The segment being handled has \p length octets that belong at \p offset, in order, behind a
    /// gap or repeated, and the window has room for them. They begin \p from octets behind its
    /// first. \return false to have the segment treated as lost, acknowledgment and all
    [[nodiscard]] virtual bool Offer(uint64_t offset, uint32_t from, uint32_t length) = 0;
    /// \p length octets of the segment being handled, \p from octets behind its first, are new.
    virtual void Keep(uint64_t offset, uint32_t from, uint32_t length) = 0;
    /// All octets below \p end have come: the user can take them.
    virtual void Deliver(uint64_t end) = 0;
    /// All octets below \p end are acknowledged: nobody will ask for them again.
    virtual void Release(uint64_t end) = 0;
    /// ESTABLISHED.
    virtual void Establish() = 0;
    /// The peer's FIN has come, and all before it.
    virtual void EndOfStream() = 0;
    /// CLOSED; the last call.
    virtual void End(TcpEnd end) = 0;
};

/**
 * \brief One TCP connection as events in and actions out, RFC 9293 with RFC 5961, 7323, 2018, 8985
 * and what the two halves, SendSide and ReceiveSide, say. It knows no simulator, no octets and no
 * addresses: time comes with each call, payload is lengths.
 *
 *                              +---------+
 *                              |  CLOSED |<--- RST, timeout, Abort() from every state
 *                              +---------+
 *             Listen()        /           \   Connect(): SYN
 *           +----------------+             +----------------+
 *           v                                               v
 *       +--------+   SYN: SYN,ACK   +--------+  SYN:   +--------+
 *       | LISTEN |----------------->|  SYN_  |<--------|  SYN_  |
 *       +--------+<-----------------|RECEIVED| SYN,ACK |  SENT  |
 *                        RST        +--------+         +--------+
 *                                       | ACK              | SYN,ACK: ACK
 *                                       v                  |
 *             Close(): FIN       +-------------+ <---------+
 *           +--------------------| ESTABLISHED |--------------------+
 *           v                    +-------------+      FIN: ACK      v
 *      +----------+                                           +------------+
 *      |   FIN_   |---------------------+                     | CLOSE_WAIT |
 *      |  WAIT_1  |     FIN: ACK        |                     +------------+
 *      +----------+                     v                       | Close(): FIN
 *           | ACK of FIN          +---------+                   v
 *           v                     | CLOSING |             +----------+
 *      +----------+               +---------+             | LAST_ACK |
 *      |   FIN_   |  FIN: ACK          | ACK of FIN       +----------+
 *      |  WAIT_2  |---------+          |                       | ACK of FIN
 *      +----------+         v          v                       v
 *                         +-------------+   timeWait      +--------+
 *                         |  TIME_WAIT  |---------------->| CLOSED |
 *                         +-------------+                 +--------+
 *
 * What departs from the RFC, each time as Linux does: Close() while the SYN is unanswered by ACK
 * sends the FIN when it is; RST in TIME_WAIT is ignored (RFC 1337). After Close() octets that still
 * come are taken and dropped, not answered with RST, which could destroy what the peer has not read
 * yet.
 */
class TcpMachine
{
  public:
    /// What has become of a segment.
    enum class Verdict
    {
        TAKEN,
        NEW_CONNECTION, ///< A SYN for the addresses and ports of a connection in TIME_WAIT, which
                        ///< is CLOSED now: it is for whoever listens (RFC 9293 section 3.10.7.4).
        LOST,           ///< Offer() refused it.
    };

    struct Ports
    {
        uint16_t local{0};
        uint16_t remote{0}; ///< Of the peer; in LISTEN the SYN tells.
    };

    /// \param settings live as long as this, as do \p actions and \p counters
    /// \param initialSequence of the SYN (RFC 9293 section 3.4.1)
    TcpMachine(const TcpEngineSettings& settings,
               TcpMachineActions& actions,
               TcpEngineCounters& counters,
               Ports ports,
               uint32_t initialSequence);
    TcpMachine(const TcpMachine&) = delete;
    TcpMachine& operator=(const TcpMachine&) = delete;

    // The user
    void Connect(Time now);
    void Listen();
    /// Sends a unit of \p size octets, at once or when it may, the first after Establish() or
    /// before. \param more others follow now, to share a segment with it: it waits for Push()
    /// \return false when the buffer has no room for it or the user has closed
    [[nodiscard]] bool Send(uint32_t size, Time now, bool more = false);

    /// Sends what Send() has kept, since more was to follow.
    void Push(Time now)
    {
        SendPending(now);
    }

    /// The user has taken \p octets that were delivered.
    void Consume(uint64_t octets, Time now);
    /// Ends the sending direction when all is sent; the other goes on.
    void Shutdown(Time now);
    /// As Shutdown(), and whatever comes is dropped.
    void Close(Time now);
    /// Ends both directions at once, with RST where the peer knows of the connection.
    void Abort(Time now);
    /// The path carries segments of \p mss octets, options included, for pathMtuRaise: then larger
    /// ones are tried again (RFC 1191 section 6.3, RFC 8201 section 4).
    void SetPathMss(uint32_t mss, Time now);

    // The network
    /// \p header came with \p length octets. \param marked with CE
    Verdict HandleSegment(const TcpWireHeader& header, uint32_t length, bool marked, Time now);

    // Time
    /// \return when HandleTimers() is to be called next.
    [[nodiscard]] std::optional<Time> GetDeadline() const
    {
        return m_deadlines.GetNext();
    }

    void HandleTimers(Time now);

    [[nodiscard]] TcpState GetState() const
    {
        return m_state;
    }

    [[nodiscard]] const SendSide& GetSendSide() const
    {
        return m_send;
    }

    [[nodiscard]] const ReceiveSide& GetReceiveSide() const
    {
        return m_receive;
    }

    [[nodiscard]] const Ports& GetPorts() const
    {
        return m_ports;
    }

  private:
    void HandleInListen(const TcpWireHeader& header, uint32_t length, Time now);
    void HandleInSynSent(const TcpWireHeader& header, uint32_t length, bool marked, Time now);
    Verdict HandleSynchronized(const TcpWireHeader& header, uint32_t length, bool marked, Time now);
    [[nodiscard]] bool IsInSequence(const TcpWireHeader& header, uint32_t length, Time now);
    void HandleReset(Position begin, Time now);
    [[nodiscard]] bool IsOfSimultaneousOpen(const TcpWireHeader& header, uint32_t length) const;
    [[nodiscard]] bool TakeAcknowledgment(const TcpWireHeader& header, uint32_t length, Time now);
    void TakeAcknowledgedFin(Time now);
    void TakeOctets(const TcpWireHeader& header, uint32_t length, bool marked, Time now);
    void TakeFin(Time now);
    Verdict HandleInTimeWait(const TcpWireHeader& header, uint32_t length, Time now);

    void LearnFromSyn(const TcpWireHeader& header, Time now);
    void Establish(const TcpWireHeader& header, Time now);
    void SendSyn(Time now);
    void SuspectBlackHole(Time now);
    /// \return payload of the largest segment that both ends take.
    [[nodiscard]] uint32_t GetMostSegment() const;
    void SendPending(Time now);
    void SendSegment(const SegmentToSend& segment, Time now);
    void SendAcknowledgment(Time now);
    void SendProbe(Time now);
    void Challenge(Time now);
    void AnswerInvalid(bool bringsOctets, Time now);
    void SendReset(const TcpWireHeader& cause, uint32_t length);
    [[nodiscard]] OutgoingTcpSegment Begin(uint16_t flags, Position begin, Time now);
    [[nodiscard]] TcpAcknowledgment Read(const TcpWireHeader& header, uint32_t length) const;

    void EnterTimeWait(Time now);
    void Leave(TcpEnd end);
    void HandleSynTimeout(Time now);
    void HandleKeepAlive(Time now);
    [[nodiscard]] bool IsSynchronized() const;

    const TcpEngineSettings& m_settings;
    TcpMachineActions& m_actions;
    TcpEngineCounters& m_counters;
    Ports m_ports;
    TcpState m_state{TcpState::CLOSED};
    TcpDeadlines m_deadlines;
    SendSide m_send;
    ReceiveSide m_receive;
    SequenceSpace m_own;
    SequenceSpace m_peer;

    bool m_passive{false};
    bool m_closing{false};  ///< The user has ended the sending direction.
    bool m_orphan{false};   ///< The user is gone.
    bool m_endTold{false};  ///< Of the peer's stream.
    uint64_t m_released{0}; ///< Octets.

    // Offered in SYNs, and agreed.
    bool m_timestamps{false};
    bool m_sack{false};
    bool m_scaling{false};
    bool m_ecn{false};
    uint8_t m_peerScale{0};
    uint32_t m_peerMss{0};
    uint32_t m_segmentSize{0};

    uint32_t m_synsSent{0};
    Time m_synSentAt;
    Time m_lastHeard;
    uint32_t m_keepAlives{0}; ///< Without an answer.
    std::optional<Time> m_invalidAnsweredAt;
    Time m_stamped; ///< Latest time in a timestamp.
    Time m_challengesSince;
    uint32_t m_challenges{0};
};

/// \return the RST that answers a segment of no connection (RFC 9293 section 3.10.7.1); nothing
/// when it is an RST itself.
[[nodiscard]] std::optional<TcpWireHeader> AnswerStray(const TcpWireHeader& header,
                                                       uint32_t length);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_MACHINE_H
