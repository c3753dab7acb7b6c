/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_TCP_COUNTERS_H
#define NFSRDMA_MPA_TCP_COUNTERS_H

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief What TCP of a host has counted of loss, congestion and waiting, all connections together,
 * whichever implementation carries them. Octets are payload.
 *
 * A stream has four edges, from which conservation follows: octets that its user gave, those that
 * the peer has acknowledged, those that the sender still holds or held when its connection ended,
 * and at the other end those that came in order:
 *
 *     given = acknowledged + held + abandoned        and        acknowledged <= delivered <= given
 */
struct TcpCounters
{
    uint64_t segmentsSent{0};     ///< With octets, repeated ones included.
    uint64_t segmentsReceived{0}; ///< With octets, that came undamaged.
    uint64_t octetsSent{0};       ///< For the first time.
    uint64_t octetsRepeated{0};

    uint64_t fastRetransmits{0};  ///< Segments sent again on duplicate or selective ACKs.
    uint64_t timerRetransmits{0}; ///< Segments sent again since a retransmission timer went off, or
                                  ///< to probe for the loss of the last (RFC 8985 section 7).
    uint64_t timeouts{0};         ///< Retransmission timers that went off, SYN and FIN included.
    uint64_t fastRecoveries{0};   ///< Times that fast recovery began (RFC 6675 section 5).
    uint64_t probes{0};           ///< Probes of a closed window.
    uint64_t mtuProbesPassed{0};  ///< Segments sent to find a larger path MTU that came (RFC 4821).
    uint64_t mtuProbesFailed{0};  ///< Those that did not.

    uint64_t outOfOrder{0};     ///< Segments that came behind a gap.
    uint64_t repeatedOctets{0}; ///< That came although they were there already.

    uint64_t marked{0};     ///< Segments that came with CE (RFC 3168).
    uint64_t echoes{0};     ///< Segments that came with ECE.
    uint64_t reductions{0}; ///< Times that the window was reduced for ECE.

    /// Sums over connections of the time in which there were octets to send, and less room than a
    /// segment in the peer's window or in the congestion window, whichever was the smaller (as
    /// tcpi_rwnd_limited of Linux).
    Time peerWindowLimited;
    Time congestionWindowLimited;

    uint64_t given{0};        ///< Octets taken from the users of streams.
    uint64_t acknowledged{0}; ///< Octets acknowledged by peers.
    uint64_t abandoned{0};    ///< Octets neither sent nor acknowledged when their connection ended.
    uint64_t delivered{0};    ///< Octets that came in order.

    uint64_t held{0};    ///< Octets that senders hold, sent or not, until they are acknowledged.
    uint64_t waiting{0}; ///< Octets that receivers hold, for users or behind a gap.

    TcpCounters& operator+=(const TcpCounters& other)
    {
        segmentsSent += other.segmentsSent;
        segmentsReceived += other.segmentsReceived;
        octetsSent += other.octetsSent;
        octetsRepeated += other.octetsRepeated;
        fastRetransmits += other.fastRetransmits;
        timerRetransmits += other.timerRetransmits;
        timeouts += other.timeouts;
        fastRecoveries += other.fastRecoveries;
        probes += other.probes;
        mtuProbesPassed += other.mtuProbesPassed;
        mtuProbesFailed += other.mtuProbesFailed;
        outOfOrder += other.outOfOrder;
        repeatedOctets += other.repeatedOctets;
        marked += other.marked;
        echoes += other.echoes;
        reductions += other.reductions;
        peerWindowLimited += other.peerWindowLimited;
        congestionWindowLimited += other.congestionWindowLimited;
        given += other.given;
        acknowledged += other.acknowledged;
        abandoned += other.abandoned;
        delivered += other.delivered;
        held += other.held;
        waiting += other.waiting;
        return *this;
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_TCP_COUNTERS_H
