/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_MPA_MTU_PLATEAUS_H
#define NFSRDMA_MPA_MTU_PLATEAUS_H

#include <cstdint>

namespace ns3::nfsrdma
{

/// \return the largest MTU in use below \p mtu octets, 68 or more, for what a router refuses
/// without saying the MTU of the next hop (RFC 1191 table 7-1).
[[nodiscard]] uint32_t GetNextLowerPlateau(uint32_t mtu);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_MPA_MTU_PLATEAUS_H
