/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_TCP_LOCAL_PORT_H
#define NFSRDMA_RPC_TCP_LOCAL_PORT_H

#include "ns3/address.h"
#include "ns3/node.h"
#include "ns3/socket.h"

#include <cstdint>

namespace ns3::nfsrdma
{

// Local ports of TCP sockets on a node. All choices depend on the node alone, so a run can be
// repeated.

/// The reserved ports that Linux's RPC client takes (xprt_min_resvport, xprt_max_resvport).
constexpr uint16_t MIN_RESERVED_PORT = 665;
constexpr uint16_t MAX_RESERVED_PORT = 1023;

/// \return the local port of \p socket; 0 when it has none.
[[nodiscard]] uint16_t GetLocalPort(Ptr<Socket> socket);
/// Binds \p socket to \p port, or to an ephemeral one (0), in the family of \p remote.
/// \return false when it is taken.
[[nodiscard]] bool BindPort(Ptr<Socket> socket, const Address& remote, uint16_t port);
/// Binds \p socket to the first reserved port that no TCP socket of \p node has, from \p first
/// down, then from the highest down to it. \return false when there is none.
[[nodiscard]] bool BindReservedPort(Ptr<Node> node,
                                    Ptr<Socket> socket,
                                    const Address& remote,
                                    uint16_t first = MAX_RESERVED_PORT);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_TCP_LOCAL_PORT_H
