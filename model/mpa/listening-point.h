/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_LISTENING_POINT_H
#define NFSRDMA_MPA_LISTENING_POINT_H

#include "wire/ip-address.h"

#include <cstdint>
#include <optional>
#include <tuple>

namespace ns3::nfsrdma
{

/// Where connections are waited for: a port, of one of a node's addresses or of all.
struct ListeningPoint
{
    ListeningPoint(uint16_t ofPort, // NOLINT: a port stands for all addresses
                   const std::optional<IpAddress>& ofAddress = std::nullopt)
        : port(ofPort),
          address(ofAddress)
    {
    }

    uint16_t port;
    std::optional<IpAddress> address; ///< Nothing: all addresses.

    friend bool operator<(const ListeningPoint& a, const ListeningPoint& b)
    {
        return std::tie(a.port, a.address) < std::tie(b.port, b.address);
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_LISTENING_POINT_H
