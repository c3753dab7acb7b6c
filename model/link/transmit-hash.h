/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_LINK_TRANSMIT_HASH_H
#define NFSRDMA_LINK_TRANSMIT_HASH_H

#include "wire/bytes.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// What a bond's choice of a port for a frame depends on: xmit_hash_policy of Linux.
enum class TransmitHashPolicy
{
    LAYER2,   ///< MAC addresses and type.
    LAYER2_3, ///< And IP addresses.
    LAYER3_4, ///< IP addresses, and ports of TCP and UDP but of fragments.
};

/**
 * \brief The number by which Linux's bonding chooses a port for \p frame: bond_xmit_hash() of
 * drivers/net/bonding/bond_main.c, as a little-endian machine reckons it.
 *
 * Frames of other protocols than IP are hashed as LAYER2, as is what ends before its headers do.
 * \param frame its beginning, from the Ethernet header on
 * \return to be divided by the number of ports: the remainder is the port
 */
[[nodiscard]] uint32_t HashTransmit(ByteSpan frame, TransmitHashPolicy policy);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_LINK_TRANSMIT_HASH_H
