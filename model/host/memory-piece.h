/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HOST_MEMORY_PIECE_H
#define NFSRDMA_HOST_MEMORY_PIECE_H

#include <cstdint>

namespace ns3::nfsrdma
{

/// Octets of host memory that lie together.
struct MemoryPiece
{
    uint64_t address{0};
    uint64_t length{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_MEMORY_PIECE_H
