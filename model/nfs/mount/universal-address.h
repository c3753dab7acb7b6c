/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_MOUNT_UNIVERSAL_ADDRESS_H
#define NFSRDMA_NFS_MOUNT_UNIVERSAL_ADDRESS_H

#include "mpa/internet-address.h"

#include "ns3/address.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::nfsrdma
{

/// Netids, RFC 5665 section 5.1.2 and RFC 8166 section 5.
constexpr const char* NETID_TCP = "tcp";
constexpr const char* NETID_TCP6 = "tcp6";
constexpr const char* NETID_RDMA = "rdma";
constexpr const char* NETID_RDMA6 = "rdma6";

/// \return the netid of \p address for TCP.
[[nodiscard]] std::string GetTcpNetid(const Address& address);
/// \return the netid of \p address for RPC-over-RDMA.
[[nodiscard]] std::string GetRdmaNetid(const Address& address);

/**
 * \brief The universal address (RFC 5665 section 5.2.3) of a socket address: "h1.h2.h3.h4.p1.p2"
 * for InetSocketAddress, "x1:x2:...:x8.p1.p2" for Inet6SocketAddress.
 */
[[nodiscard]] std::string ToUniversalAddress(const Address& address);

/// \return the socket address that \p text names; nothing when it names none.
[[nodiscard]] std::optional<Address> ParseUniversalAddress(const std::string& text);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_MOUNT_UNIVERSAL_ADDRESS_H
