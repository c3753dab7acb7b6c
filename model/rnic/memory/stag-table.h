/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_MEMORY_STAG_TABLE_H
#define NFSRDMA_RNIC_MEMORY_STAG_TABLE_H

#include "rnic/memory/protection-domain.h"
#include "rnic/memory/region.h"
#include "rnic/memory/stag-fault.h"
#include "rnic/memory/stag-index-permutation.h"
#include "rnic/memory/tagged-buffer.h"
#include "rnic/memory/window.h"
#include "wire/ring.h"

#include <cstdint>
#include <optional>
#include <tl/expected.hpp>
#include <vector>

namespace ns3::nfsrdma
{

/// What an STag gives access to, for the checks it has passed.
struct TaggedAccess
{
    TaggedBuffer* buffer{nullptr};       ///< What the STag names.
    const MemoryRegion* region{nullptr}; ///< Itself, or the region the window is bound to.
    uint64_t offset{0};                  ///< Octets from the first one of the region.
};

/**
 * \brief The memory regions and windows of a device by STag index, and the checks of every access.
 *
 * Indices ascend from the first one, or come in the order of a StagIndexPermutation; a freed index
 * waits in a queue of at least REUSE_DISTANCE others before it is handed out again, so that a stale
 * STag meets an empty slot. A regular region then has the key after the last one that the slot has
 * seen; for others the consumer chooses keys, and the one before the first registration or binding
 * is 0, as with Linux siw.
 */
class StagTable
{
  public:
    static constexpr uint32_t REUSE_DISTANCE = 1024;
    static constexpr uint32_t MAX_INDEX = 0xffffff;

    /// \param firstIndex 1 to MAX_INDEX; only while the table is empty
    void SetFirstIndex(uint32_t firstIndex);
    /// Only while the table is empty.
    void Scatter(const StagIndexPermutation& permutation);

    /// Gives \p region or \p window of \p domain a slot, and with it its index and first key.
    /// \return false when all are taken.
    [[nodiscard]] bool Insert(Ptr<MemoryRegion> region, Ptr<ProtectionDomain> domain)
    {
        return Insert(region, domain, m_regions, region->IsRegular());
    }

    [[nodiscard]] bool Insert(Ptr<MemoryWindow> window, Ptr<ProtectionDomain> domain)
    {
        return Insert(window, domain, m_windows, false);
    }

    /// Disposes of \p buffer, which is in the table, and frees its slot.
    void Remove(TaggedBuffer& buffer);
    void Clear();
    /// Makes every window, then every region invalid.
    void InvalidateAll();

    /// \return the region or window of the index in \p stag, or null.
    [[nodiscard]] TaggedBuffer* Find(Stag stag) const;

    /// \return true when \p buffer is in the table.
    [[nodiscard]] bool Holds(const TaggedBuffer& buffer) const
    {
        return Find(buffer.GetStag()) == &buffer;
    }

    /// Checks index, key, state, association, rights (all of \p access), wrap and bounds, of a
    /// window also the state of its region.
    [[nodiscard]] tl::expected<TaggedAccess, StagFault> Check(Stag stag,
                                                              const StagUser& user,
                                                              uint32_t access,
                                                              uint64_t offset,
                                                              uint64_t length) const;
    /// As Check(), for an element with lkey \p stag: a window is UNKNOWN.
    [[nodiscard]] tl::expected<TaggedAccess, StagFault> CheckLocal(Stag stag,
                                                                   const ProtectionDomain& domain,
                                                                   uint32_t access,
                                                                   uint64_t offset,
                                                                   uint64_t length) const;

    /**
     * \brief Checks that \p stag may be invalidated by \p user.
     *
     * The key counts only while the object is valid: one already invalid is no fault.
     * \return the object; UNKNOWN, NOT_ASSOCIATED, CANNOT_INVALIDATE or WINDOWS_BOUND
     */
    [[nodiscard]] tl::expected<TaggedBuffer*, StagFault> CheckInvalidation(
        Stag stag,
        const StagUser& user) const;

    [[nodiscard]] const TaggedBufferCount& GetRegions() const
    {
        return m_regions;
    }

    [[nodiscard]] const TaggedBufferCount& GetWindows() const
    {
        return m_windows;
    }

  private:
    struct Slot
    {
        Ptr<TaggedBuffer> buffer;
        uint8_t key{0}; ///< The last one seen.
    };

    [[nodiscard]] bool Insert(Ptr<TaggedBuffer> buffer,
                              Ptr<ProtectionDomain> domain,
                              TaggedBufferCount& count,
                              bool stepKey);

    [[nodiscard]] uint32_t GetIndex(uint32_t position) const
    {
        return m_permutation ? m_permutation->GetIndex(position) : m_firstIndex + position;
    }

    [[nodiscard]] uint32_t GetPosition(uint32_t index) const;

    std::vector<Slot> m_slots; ///< By position.
    std::optional<StagIndexPermutation> m_permutation;
    Ring<uint32_t> m_freed;
    uint32_t m_firstIndex{1};
    TaggedBufferCount m_regions;
    TaggedBufferCount m_windows;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_MEMORY_STAG_TABLE_H
