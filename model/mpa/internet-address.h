/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_INTERNET_ADDRESS_H
#define NFSRDMA_MPA_INTERNET_ADDRESS_H

#include "wire/ip-address.h"

#include "ns3/address.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv6-address.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

// Between IpAddress, which is either, and ns-3's addresses of IPv4 and of IPv6.

/// An address and a port: what InetSocketAddress and Inet6SocketAddress say.
struct InternetEndPoint
{
    IpAddress address;
    uint16_t port{0};
};

[[nodiscard]] IpAddress ToIpAddress(const Ipv4Address& address);
[[nodiscard]] IpAddress ToIpAddress(const Ipv6Address& address);
/// \param address one of IPv6
[[nodiscard]] Ipv6Address ToIpv6Address(const IpAddress& address);

/// \return an Ipv4Address or Ipv6Address.
[[nodiscard]] Address ToHostAddress(const IpAddress& address);

/// \return what \p address says; nothing when it is of neither type.
[[nodiscard]] std::optional<InternetEndPoint> ReadSocketAddress(const Address& address);
/// \return an InetSocketAddress or Inet6SocketAddress.
[[nodiscard]] Address MakeSocketAddress(const IpAddress& address, uint16_t port);

/// \return the address in an InetSocketAddress or Inet6SocketAddress; else that of any host.
[[nodiscard]] IpAddress GetHostOf(const Address& address);
/// \return the port in an InetSocketAddress or Inet6SocketAddress; else 0.
[[nodiscard]] uint16_t GetPortOf(const Address& address);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_INTERNET_ADDRESS_H
