/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_MEMORY_WINDOW_H
#define NFSRDMA_RNIC_MEMORY_WINDOW_H

#include "rnic/memory-region.h"

#include "ns3/object.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// What a binding (BIND_WINDOW) sets.
struct WindowBinding
{
    uint8_t key{0};           ///< Low octet of the window's STag from now on.
    Ptr<MemoryRegion> region; ///< Valid, of the same protection domain, with ACCESS_WINDOW_BIND.
    uint64_t offset{0};       ///< Tagged offset of the region that names the first octet.
    uint64_t length{0};       ///< Octets, inside the region.
    uint32_t access{0};       ///< ACCESS_REMOTE_* and ACCESS_ZERO_BASED.
};

/**
 * \brief A memory window (type 2): narrower rights on a part of a region, bound by a work request
 * and invalidated by another, or by the peer.
 */
class MemoryWindow : public Object
{
  public:
    static TypeId GetTypeId();
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_MEMORY_WINDOW_H
