/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_TEST_LINK_EXPERIMENTAL_ETHERTYPE_H
#define NFSRDMA_TEST_LINK_EXPERIMENTAL_ETHERTYPE_H

#include <cstdint>

namespace ns3::nfsrdma
{

/// Of frames that no protocol of a host takes: IEEE 802 keeps it for local experiments.
inline constexpr uint16_t EXPERIMENTAL_ETHERTYPE = 0x88b5;

} // namespace ns3::nfsrdma

#endif // NFSRDMA_TEST_LINK_EXPERIMENTAL_ETHERTYPE_H
