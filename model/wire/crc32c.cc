/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wire/crc32c.h"

#include <isa-l/crc.h>

namespace ns3::nfsrdma
{

uint32_t
Crc32c(ByteSpan octets, uint32_t crc)
{
    // The library only reads them, whatever its signature says.
    auto* const from = const_cast<unsigned char*>(octets.data());
    return ~crc32_iscsi(from, static_cast<int>(octets.size()), ~crc);
}

} // namespace ns3::nfsrdma
