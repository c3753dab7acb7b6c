/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RNIC_STAG_TABLE_H
#define NFSRDMA_RNIC_STAG_TABLE_H

#include "ddp/ddp-error.h"
#include "rdmap/terminate-message.h"
#include "rnic/memory-region.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <tl/expected.hpp>
#include <vector>

namespace ns3::nfsrdma
{

/// Why an STag does not give access, in the order of the checks.
enum class StagFault
{
    UNKNOWN,        ///< No region has this index, or its key is another.
    NOT_VALID,      ///< The region is not registered.
    NOT_ASSOCIATED, ///< The region belongs to another protection domain.
    ACCESS,         ///< The registration does not grant the right.
    WRAP,           ///< Offset + length passes 2^64.
    BOUNDS,         ///< Not wholly inside the registration.
};

/// \return the DDP error for a tagged placement that met \p fault (there is none for rights).
[[nodiscard]] DdpError ToDdpError(StagFault fault);
/// \return the RDMAP error for a Read Request that met \p fault.
[[nodiscard]] RdmapError ToRdmapError(StagFault fault);

/**
 * \brief The memory regions of a device by STag index, and the checks of every access.
 *
 * Indices ascend from the first one; a freed index waits in a queue of at least REUSE_DISTANCE
 * others before it is handed out again, so that a stale STag meets an empty slot.
 */
class StagTable
{
  public:
    static constexpr uint32_t REUSE_DISTANCE = 1024;
    static constexpr uint32_t MAX_INDEX = 0xffffff;

    /// \param firstIndex 1 to MAX_INDEX; only while the table is empty
    void SetFirstIndex(uint32_t firstIndex);
    /// \return the index of a new slot for \p region; nothing when all are taken.
    [[nodiscard]] std::optional<uint32_t> Insert(Ptr<MemoryRegion> region);
    void Remove(uint32_t index);
    void Clear();

    /// \return the region of the index in \p stag, or null.
    [[nodiscard]] MemoryRegion* Find(Stag stag) const;
    /// Checks index, key, state, domain, rights (all of \p access), wrap and bounds.
    [[nodiscard]] tl::expected<MemoryRegion*, StagFault> Check(Stag stag,
                                                               const ProtectionDomain& domain,
                                                               uint32_t access,
                                                               uint64_t offset,
                                                               uint64_t length) const;

    /**
     * \brief Checks that \p stag may be invalidated by a queue pair of \p domain.
     *
     * The key counts only while the region is valid: a region already invalid is no fault.
     * \return the region; UNKNOWN or NOT_ASSOCIATED
     */
    [[nodiscard]] tl::expected<MemoryRegion*, StagFault> CheckInvalidation(
        Stag stag,
        const ProtectionDomain& domain) const;

    [[nodiscard]] uint32_t GetCount() const;
    [[nodiscard]] uint32_t GetValidCount() const;

  private:
    std::vector<Ptr<MemoryRegion>> m_regions; ///< By index - m_firstIndex.
    std::deque<uint32_t> m_freed;
    uint32_t m_firstIndex{1};
    uint32_t m_count{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RNIC_STAG_TABLE_H
