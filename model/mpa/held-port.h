/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_HELD_PORT_H
#define NFSRDMA_MPA_HELD_PORT_H

#include "wire/ip-address.h"

#include <cstdint>

namespace ns3
{
class Ipv4EndPoint;
class Ipv6EndPoint;
class TcpL4Protocol;
} // namespace ns3

namespace ns3::nfsrdma
{

/**
 * \brief A port of a node that its TcpEngine uses, held in ns-3's TCP: so neither gives out what
 * the other has, as the kernel and an adapter share the ports of a host (Linux's iwpmd).
 *
 * ns-3's TCP has an end point for it, which no socket is behind. What comes for it is the engine's,
 * and never reaches that end point. Nothing is given back on destruction: ns-3's TCP, which owns
 * the end points, may be gone before.
 */
class HeldPort
{
  public:
    /// For a listener: \p port of every address, of IPv4 and where the node has it of IPv6. Holds
    /// nothing when ns-3's TCP has it.
    static HeldPort ToListen(TcpL4Protocol& tcp, uint16_t port);
    /// For a listener: \p port of \p local alone. Holds nothing when ns-3's TCP has it there.
    static HeldPort ToListenAt(TcpL4Protocol& tcp, const IpAddress& local, uint16_t port);
    /// For a connection: \p port of \p local. Holds nothing when a socket of ns-3's TCP is bound to
    /// it, of this or of every address.
    static HeldPort ToConnect(TcpL4Protocol& tcp,
                              const IpAddress& local,
                              uint16_t port,
                              const IpAddress& remote,
                              uint16_t remotePort);

    /// \return whether it holds one.
    [[nodiscard]] bool IsHeld() const
    {
        return m_four != nullptr || m_six != nullptr;
    }

    /// Gives back to \p tcp what it holds.
    void Release(TcpL4Protocol& tcp);

  private:
    Ipv4EndPoint* m_four{nullptr};
    Ipv6EndPoint* m_six{nullptr};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_HELD_PORT_H
