/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_LEAST_MTU_H
#define NFSRDMA_LINK_LEAST_MTU_H

#include <cstdint>

namespace ns3::nfsrdma
{

/// Octets of the smallest MTU that links, middleboxes and faults may have: what every IPv4 host
/// takes (RFC 791 section 3.1), which leaves TCP its default segment of 536 octets (RFC 9293
/// section 3.7.1) and MPA a MULPDU above 128 (RFC 5044 section 5.1) with every option and markers.
/// With less, FPDUs become larger than segments, down to ten segments for one of the smallest.
constexpr uint32_t LEAST_MTU = 576;
/// The smallest of a link and a path of IPv6 (RFC 8200 section 5).
constexpr uint32_t LEAST_IPV6_MTU = 1280;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_LEAST_MTU_H
