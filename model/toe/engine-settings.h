/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_ENGINE_SETTINGS_H
#define NFSRDMA_TOE_ENGINE_SETTINGS_H

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief What a connection of the engine is set to. Defaults are Linux's, whose names the fields
 * have where Linux has one (Documentation/networking/ip-sysctl.rst).
 */
struct TcpEngineSettings
{
    /// Use of ECN, RFC 3168 section 6.1.1 (tcp_ecn).
    enum class Ecn
    {
        OFF = 0,    ///< Neither asked for nor agreed to.
        ASK = 1,    ///< Asked for, and agreed to.
        ACCEPT = 2, ///< Agreed to when the peer asks.
    };

    /// How the congestion window follows losses and marks.
    enum class Control
    {
        NEW_RENO, ///< RFC 5681.
        CUBIC,    ///< RFC 9438.
        DCTCP,    ///< RFC 8257.
        BBR,      ///< draft-ietf-ccwg-bbr; paces, and takes no part in ECN.
    };

    // Segments
    uint32_t mss{1460};           ///< Octets, offered: MTU less the fixed headers (RFC 6691).
    uint32_t assumedPeerMss{536}; ///< Of a peer that offers none (RFC 9293 section 3.7.1).
    bool aligned{true};           ///< No segment spans the end of a unit (RFC 5044 appendix A).
    bool packing{false};          ///< Several whole units may share a segment.
    bool timestamps{true};        ///< RFC 7323 section 3.
    bool windowScaling{true};     ///< RFC 7323 section 2.
    bool sack{true};              ///< RFC 2018, with D-SACK (RFC 2883).
    Ecn ecn{Ecn::ACCEPT};
    Time timestampTick{MilliSeconds(1)}; ///< Of the clock that TSval counts.

    Time pathMtuRaise{
        Minutes(10)}; ///< After which a narrow path is tried again (mtu_expires); 0: never.
    /// tcp_mtu_probing. 1: after retries1 timeouts segments are made smaller, to baseMss, and by
    /// half with each that follows, down to mtuProbeFloor (RFC 4821 section 7.7); from then on
    /// MtuSearch looks for larger ones. 2: that, and connections begin with baseMss and search. 0:
    /// neither.
    uint32_t mtuProbing{0};
    uint32_t retries1{3};            ///< tcp_retries1.
    uint32_t baseMss{1024};          ///< tcp_base_mss: octets, options included.
    uint32_t mtuProbeFloor{48};      ///< tcp_mtu_probe_floor: octets, options included.
    uint32_t probeThreshold{8};      ///< tcp_probe_threshold: octets, of which none are searched.
    Time probeInterval{Minutes(10)}; ///< tcp_probe_interval: after which the search begins anew.
    bool dontFragment{true};         ///< Of IPv4, in all packets (ip_no_pmtu_disc = 0).

    // Buffers
    uint32_t sendBuffer{262144};    ///< Octets.
    uint32_t receiveBuffer{262144}; ///< Octets.

    // Congestion
    Control control{Control::CUBIC};
    uint32_t initialWindow{10};    ///< Segments (RFC 6928).
    bool slowStartAfterIdle{true}; ///< RFC 5681 section 4.1 (tcp_slow_start_after_idle).
    bool pacing{false};            ///< Segments leave at the rate of the congestion window.
    bool hystart{false};           ///< The first slow start by HyStart++ (RFC 9406).
    /// Bounds of what a round trip must be longer by to make slow start conservative:
    /// MIN_RTT_THRESH and MAX_RTT_THRESH of RFC 9406 section 4.3.
    Time hystartRttMin{MilliSeconds(4)};
    Time hystartRttMax{MilliSeconds(16)};

    // Loss
    bool rack{true};          ///< RFC 8985 section 6 (tcp_recovery = 1); else RFC 6675.
    bool tailLossProbe{true}; ///< RFC 8985 section 7 (tcp_early_retrans = 3).
    /// Beyond two round trips, of a probe for the last of several segments (TCP_TIMEOUT_MIN, two
    /// ticks; RFC 8985 section 7.2 has none): acknowledgments may wait behind octets.
    Time tailProbeMin{0};
    bool frto{true};                ///< RFC 5682 (tcp_frto = 2).
    Time rtoMin{MilliSeconds(200)}; ///< RTO is srtt + max(4 rttvar, this): TCP_RTO_MIN.
    Time rtoMax{Seconds(120)};      ///< TCP_RTO_MAX.
    Time initialRto{Seconds(1)};    ///< Before a round trip was measured (RFC 6298 section 2.1).
    Time worstDelayedAck{MilliSeconds(200)}; ///< WCDelAckT of RFC 8985 section 7.2.

    // Acknowledgments
    Time delayedAck{MilliSeconds(40)}; ///< TCP_DELACK_MIN.
    uint32_t ackEvery{2};              ///< Segments with octets (RFC 5681 section 4.2).
    uint32_t challengeAckLimit{10};    ///< In challengeAckWindow (RFC 5961 section 7).
    Time challengeAckWindow{Seconds(5)};
    /// Between two answers of one connection to what is not acceptable (tcp_invalid_ratelimit).
    Time invalidRatelimit{MilliSeconds(500)};

    // How long to go on
    uint32_t synRetries{6};    ///< tcp_syn_retries.
    uint32_t synackRetries{5}; ///< tcp_synack_retries.
    uint32_t retries2{15}; ///< Repetitions of the same octets, probes of a window: tcp_retries2.
    Time userTimeout{0};   ///< TCP_USER_TIMEOUT (RFC 9293 section 3.8.3); 0 is none.
    bool keepAlive{false}; ///< SO_KEEPALIVE.
    Time keepaliveTime{Seconds(7200)};   ///< tcp_keepalive_time: idle before the first probe.
    Time keepaliveInterval{Seconds(75)}; ///< tcp_keepalive_intvl.
    uint32_t keepaliveProbes{9};         ///< tcp_keepalive_probes.
    Time finTimeout{Seconds(60)};        ///< tcp_fin_timeout: in FIN-WAIT-2 after Close().
    Time timeWait{Seconds(60)};          ///< TCP_TIMEWAIT_LEN: twice the life of a segment.

    /// \return TSval at \p now.
    [[nodiscard]] uint32_t GetTimestamp(Time now) const
    {
        return static_cast<uint32_t>(now.GetInteger() / timestampTick.GetInteger());
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_ENGINE_SETTINGS_H
