/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TOE_ENGINE_COUNTERS_H
#define NFSRDMA_TOE_ENGINE_COUNTERS_H

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// What connections of the engine have counted; behind each the name that Linux's nstat has for it.
struct TcpEngineCounters
{
    uint64_t inSegments{0};          ///< TcpInSegs.
    uint64_t outSegments{0};         ///< TcpOutSegs, repetitions not included.
    uint64_t retransmits{0};         ///< TcpRetransSegs, those of SYN included.
    uint64_t fastRetransmits{0};     ///< TcpExtTCPFastRetrans.
    uint64_t timerRetransmits{0};    ///< TcpExtTCPSlowStartRetrans, and those of loss probes.
    uint64_t outResets{0};           ///< TcpOutRsts.
    uint64_t timeouts{0};            ///< TcpExtTCPTimeouts.
    uint64_t mtuProbings{0};         ///< Segments made smaller since a path seems to swallow them.
    uint64_t mtuProbesPassed{0};     ///< TcpExtTCPMTUPSuccess.
    uint64_t mtuProbesFailed{0};     ///< TcpExtTCPMTUPFail.
    uint64_t recoveries{0};          ///< TcpExtTCPSackRecovery and TcpExtTCPRenoRecovery.
    uint64_t lossProbes{0};          ///< TcpExtTCPLossProbes.
    uint64_t lossProbeRecoveries{0}; ///< TcpExtTCPLossProbeRecovery.
    uint64_t spuriousTimeouts{0};    ///< TcpExtTCPSpuriousRTOs: found by F-RTO.
    uint64_t undone{0};              ///< TcpExtTCPDSACKUndo, TCPFullUndo: reductions taken back.
    uint64_t dsacksReceived{0};      ///< TcpExtTCPDSACKRecv.
    uint64_t dsacksSent{0};          ///< TcpExtTCPDSACKOldSent and TCPDSACKOfoSent.
    uint64_t sackRenegings{0};       ///< TcpExtTCPSACKReneging.
    uint64_t windowProbes{0};        ///< TcpExtTCPWinProbe.
    uint64_t keepAlives{0};          ///< TcpExtTCPKeepAlive.
    uint64_t delayedAcks{0};         ///< TcpExtDelayedACKs.
    uint64_t outOfOrder{0};          ///< TcpExtTCPOFOQueue.
    uint64_t repeatedOctets{0};      ///< That came although they were there already.
    uint64_t challengeAcks{0};       ///< TcpExtTCPChallengeACK.
    uint64_t challengesSkipped{0};   ///< TcpExtTCPACKSkippedChallenge: over the limit.
    uint64_t pawsDropped{0};         ///< TcpExtPAWSEstab.
    uint64_t ecnMarked{0};           ///< IpExtInCEPkts.
    uint64_t ecnEchoes{0};           ///< Acknowledgments with ECE.
    uint64_t ecnReductions{0};       ///< Windows reduced for ECE.
    uint64_t aborted{0};             ///< TcpExtTCPAbortOnTimeout.
    /// Sums of the time in which there was something to send and no room for it in the window of
    /// the peer (tcpi_rwnd_limited), or in that of congestion.
    Time peerWindowLimited;
    Time congestionWindowLimited;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TOE_ENGINE_COUNTERS_H
