/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_MEMORY_REGION_H
#define NFSRDMA_RNIC_MEMORY_REGION_H

#include "ddp/ddp-header.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"

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
    ACCESS_REMOTE_ATOMIC = 0x8, ///< Requires ACCESS_LOCAL_WRITE.
    ACCESS_WINDOW_BIND = 0x10,  ///< Memory windows may be bound over the region.
    ACCESS_ZERO_BASED = 0x20,   ///< Tagged offsets count from 0, whatever the iova.
};

/// What a fast registration (REGISTER_MR) sets. The host range must lie in one allocation, and
/// iova + length must not wrap.
struct MemoryRegistration
{
    uint8_t key{0};      ///< Low octet of the STag from now on.
    uint64_t address{0}; ///< Host address of the first octet.
    uint32_t length{0};  ///< Octets; pages spanned are bounded by the region's page limit.
    uint64_t iova{0};    ///< Tagged offset that names the first octet.
    uint32_t access{0};  ///< MemoryAccess flags.
};

/**
 * \brief A fast-register memory region (FRMR): allocated once, then registered and invalidated by
 * work requests (protocol: RDMAC verbs, Linux ib_alloc_mr / IB_WR_REG_MR).
 *
 * The STag is index << 8 | key. The region belongs to one protection domain and one device. An
 * element with the region's lkey and a remote peer name octets alike: by tagged offsets from iova.
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

    /// \return the upper 24 bits of every STag of this region; 0 once destroyed.
    [[nodiscard]] uint32_t GetIndex() const;
    /// \return the STag this region has when registered with \p key.
    [[nodiscard]] Stag MakeStag(uint8_t key) const;
    /// \return the protection domain; null once destroyed.
    [[nodiscard]] Ptr<ProtectionDomain> GetProtectionDomain() const;
    /// \return a number that changes whenever the region becomes valid or invalid.
    [[nodiscard]] uint64_t GetGeneration() const;
    /// \return true when a range of \p length octets from \p offset lies in the registration.
    [[nodiscard]] bool Covers(uint64_t offset, uint64_t length) const;
    /// \return the host address that tagged offset \p offset names.
    [[nodiscard]] uint64_t ToHostAddress(uint64_t offset) const;

    /// Signature of the Register and Invalidate trace sources.
    using StagTracedCallback = void (*)(Stag stag);

    // For the device only.
    void Bind(uint32_t index, Ptr<ProtectionDomain> domain, uint32_t maxPages);
    void Register(const MemoryRegistration& registration);
    void Invalidate();

  protected:
    void DoDispose() override;

  private:
    Ptr<ProtectionDomain> m_domain;
    MemoryRegistration m_registration;
    uint32_t m_index{0};
    uint32_t m_maxPages{0};
    uint64_t m_generation{0};
    bool m_valid{false};
    TracedCallback<Stag> m_registerTrace;
    TracedCallback<Stag> m_invalidateTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_MEMORY_REGION_H
