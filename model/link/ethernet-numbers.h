/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_ETHERNET_NUMBERS_H
#define NFSRDMA_LINK_ETHERNET_NUMBERS_H

#include <cstddef>
#include <cstdint>

namespace ns3::nfsrdma
{

/// Octets of an Ethernet address (IEEE 802.3).
constexpr std::size_t ETHERNET_ADDRESS_SIZE = 6;
/// EtherType of IPv4 (RFC 894).
constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;
/// EtherType of IPv6 (RFC 2464).
constexpr uint16_t ETHERTYPE_IPV6 = 0x86dd;
/// Protocol number of TCP in an IPv4 header, next header in one of IPv6 (RFC 9293 section 3.1).
constexpr uint8_t IP_PROTOCOL_TCP = 6;
/// That of ESP (RFC 4303 section 2).
constexpr uint8_t IP_PROTOCOL_ESP = 50;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_ETHERNET_NUMBERS_H
