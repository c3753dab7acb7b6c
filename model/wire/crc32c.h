/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_WIRE_CRC32C_H
#define NFSRDMA_WIRE_CRC32C_H

#include "wire/bytes.h"

namespace ns3::nfsrdma
{

/**
 * \brief CRC32c (Castagnoli, polynomial 0x1EDC6F41), RFC 5044 section 4.4.
 *
 * Check value: "123456789" gives 0xE3069283. On the wire MPA stores the value least significant
 * octet first.
 *
 * \param octets the octets to add
 * \param crc the CRC of the octets before them; 0 to begin
 * \return the CRC of everything so far
 */
[[nodiscard]] uint32_t Crc32c(ByteSpan octets, uint32_t crc = 0);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_WIRE_CRC32C_H
