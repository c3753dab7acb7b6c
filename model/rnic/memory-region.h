/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_MEMORY_REGION_H
#define NFSRDMA_RNIC_MEMORY_REGION_H

#include "ddp/ddp-header.h"

#include "ns3/object.h"

#include <cstdint>

namespace ns3::nfsrdma
{

class ProtectionDomain;

/// Access rights, numbered as ibv_access_flags.
enum MemoryAccess : uint32_t
{
    ACCESS_LOCAL_WRITE = 0x1,
    ACCESS_REMOTE_WRITE = 0x2, ///< Requires ACCESS_LOCAL_WRITE.
    ACCESS_REMOTE_READ = 0x4,
};

/// What a fast registration (REGISTER_MR) sets.
struct MemoryRegistration
{
    uint8_t key{0};       ///< Low octet of the STag from now on.
    uint64_t address{0};  ///< Host address of the first octet.
    uint32_t length{0};   ///< Octets; pages spanned are bounded by the region's page limit.
    uint64_t iova{0};     ///< Tagged offset that names the first octet.
    uint32_t access{0};   ///< MemoryAccess flags.
};

/**
 * \brief A fast-register memory region (FRMR): allocated once, then registered and invalidated by
 * work requests (protocol: RDMAC verbs, Linux ib_alloc_mr / IB_WR_REG_MR).
 *
 * The STag is index << 8 | key. The region belongs to one protection domain and one device.
 */
class MemoryRegion : public Object
{
  public:
    static TypeId GetTypeId();

    /// \return the STag with the key of the latest registration.
    [[nodiscard]] Stag GetStag() const;
    /// \return true between a completed registration and the invalidation.
    [[nodiscard]] bool IsValid() const;
    [[nodiscard]] uint32_t GetMaxPages() const;
    /// \return the latest registration.
    [[nodiscard]] const MemoryRegistration& GetRegistration() const;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_MEMORY_REGION_H
