/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_TCP_PRESET_H
#define NFSRDMA_MPA_TCP_PRESET_H

#include "ns3/nstime.h"
#include "ns3/type-id.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief ns-3's TCP, whose defaults are for the Internet, set for a data centre: in one place.
 *
 * Every field may be changed before Apply().
 */
struct DataCenterTcpPreset
{
    static constexpr uint32_t IP_AND_TCP_HEADERS = 40;
    static constexpr uint32_t TIMESTAMP_OPTION = 12; ///< Two NOPs and the option.

    DataCenterTcpPreset();

    /// Congestion control: Linux's own Reno; TcpCubic, TcpDctcp and others are ns-3's.
    TypeId congestionControl;
    /// Loss recovery: proportional rate reduction (RFC 6937), as Linux.
    TypeId recovery;

    /// What the retransmission timer adds at least to the smoothed round trip, as Linux's does
    /// (srtt + max(4 rttvar, rto_min)): on a path of any length it is longer than a delayed
    /// acknowledgment takes. One tick of a 250 Hz kernel: a hundred round trips. (RFC 6298: a
    /// lower bound of 1 s for the whole. Linux: 200 ms, which would let a single tail loss idle a
    /// simulated cluster for ten thousand round trips.) More than delAckTimeout.
    Time minRto{MilliSeconds(4)};
    /// Round trip assumed before the first measurement: so the first timer is not 1 s.
    Time initialRtt{MilliSeconds(1)};
    /// A quarter of minRto, so that the peer's delayed acknowledgment never looks like a loss.
    Time delAckTimeout{MilliSeconds(1)};
    /// Every second segment is acknowledged (RFC 5681).
    uint32_t delAckCount{2};
    /// First wait for an answer to SYN, doubled at each of connCount attempts.
    Time connTimeout{MilliSeconds(20)};
    uint32_t connCount{6};
    /// Retransmissions of the same data before the connection is given up: with minRto and
    /// doubling, half a second without an answer. Linux's 15 take a quarter of an hour at its RTO.
    uint32_t dataRetries{7};
    /// Time between probes of a closed window, doubled each time.
    Time persistTimeout{MilliSeconds(10)};
    /// Segments (RFC 6928, Linux).
    uint32_t initialCwnd{10};
    /// Octets. Bandwidth-delay product of 100 Gbit/s at 20 us, and the receive window of Linux's
    /// cxgb4 driver. ns-3 walks all segments in flight for each one it sends, so larger is slower.
    uint32_t sndBufSize{256 * 1024};
    uint32_t rcvBufSize{256 * 1024};
    bool sack{true};          ///< RFC 2018, Linux.
    bool timestamps{true};    ///< RFC 7323, Linux; costs 12 octets of each segment.
    bool windowScaling{true}; ///< RFC 7323, Linux.
    bool ecn{false};          ///< RFC 3168; Linux asks for it only when told to (tcp_ecn = 1).
    bool noDelay{true};       ///< An FPDU never waits for more (RFC 5044 section 5.1).
    /// TIME_WAIT lasts twice this. Short: ports are never reused within it here.
    Time maxSegmentLifetime{MilliSeconds(5)};
    /// Payload octets of a segment; 0 takes SegmentSizeFor(mtu).
    uint32_t segmentSize{0};

    /// \return EMSS: payload of a segment on links of \p mtu octets.
    [[nodiscard]] uint32_t SegmentSizeFor(uint16_t mtu) const;

    /// Makes these the defaults of every TCP object created from now on (Config::SetDefault).
    /// \param mtu of the links, octets
    void Apply(uint16_t mtu) const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_TCP_PRESET_H
