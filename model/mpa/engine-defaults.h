/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_ENGINE_DEFAULTS_H
#define NFSRDMA_MPA_ENGINE_DEFAULTS_H

#include "toe/engine-settings.h"

namespace ns3::nfsrdma
{

/**
 * \param settings what is left of them as it is: all that ns-3's TCP has not
 * \return what a connection of the engine is set to where ns-3's TCP is set by its defaults, which
 * DataCenterTcpPreset::Apply() or Config::SetDefault() have changed: so that one place sets both.
 *
 * Attributes of ns3::TcpSocket, TcpSocketBase and TcpL4Protocol and StreamTcpSocket::CloseTimeout
 * are read. Congestion controls other than TcpCubic, TcpDctcp and TcpBbr are NewReno; TcpDctcp has
 * ECN whatever UseEcn says, TcpBbr has none. A peer that offers no MSS, as ns-3's TCP, is taken to
 * have the same as this node. A probe for the loss of the last segments waits for two round trips
 * and a 25th of MinRto, as two ticks are of Linux's. TIME-WAIT is twice MaxSegLifetime; the first
 * interval of window probes is the retransmission timeout, not PersistTimeout.
 */
[[nodiscard]] TcpEngineSettings ReadEngineDefaults(TcpEngineSettings settings = {});

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_ENGINE_DEFAULTS_H
