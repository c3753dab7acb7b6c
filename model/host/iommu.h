/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HOST_IOMMU_H
#define NFSRDMA_HOST_IOMMU_H

#include "host/context-cache.h"
#include "host/cpu.h"
#include "host/iommu-settings.h"
#include "host/memory-piece.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The IOMMU of a host: threads map and unmap memory for devices, which have their addresses
 * translated.
 *
 *     thread                          IOMMU                            device
 *     Map()    iommuMapCost, a page   page table
 *                                     IOTLB: iotlbSize entries <------ Translate...()
 *                                       miss: iommuWalk, iommuWalks at a time
 *     Unmap()  iommuUnmapCost, a page
 *       strict: iommuInvalidation, under the lock "iommu_queue"
 *       lazy:   when iommuFlushEntries pieces wait, or the first of them has for iommuFlushTimeout
 *
 * As Linux's drivers/iommu/dma-iommu.c: a strict domain waits for an invalidation at each
 * unmapping; a lazy one puts the address on a flush queue, whose entries are given back after one
 * invalidation of the whole domain. (Linux has such a queue for each core; here the host has one.)
 * Memory that stays mapped, as a region that is registered once, costs at registration alone, and
 * misses when the IOTLB has no room for its pages.
 *
 * A page that has been unmapped is not translated from what the IOTLB has kept: mapped again, it
 * has another address (lazy), or its entry is gone (strict). Rings of queues and contexts of the
 * device lie in memory that stays mapped, in large pages, and are not looked up.
 */
class HostIommu
{
  public:
    /// What it has done so far.
    struct Counters
    {
        uint64_t maps{0};        ///< Pieces of memory mapped.
        uint64_t mappedPages{0}; ///< Of IommuPage octets.
        Time mapTime;            ///< Of cores.
        uint64_t unmaps{0};
        Time unmapTime; ///< Of cores, invalidations and waiting for their queue apart.
        uint64_t invalidations{0};
        uint64_t translations{0}; ///< Pages that a device has used.
        uint64_t misses{0};       ///< Of them, those that were looked up in the page table.
        Time walkTime;            ///< How long reads and writes have waited for that.
    };

    /// \param cpu and \param settings outlive this
    HostIommu(HostCpu& cpu, const IommuSettings& settings);

    /// \p thread maps \p piece. \return when it has done so
    Time Map(HostThread& thread, const MemoryPiece& piece);
    /// \p thread unmaps \p piece, which it has mapped. \return when it has done so
    Time Unmap(HostThread& thread, const MemoryPiece& piece);

    /// A device reads \p pieces, and asks for them at \p asked, now, later, or before now when it
    /// has fetched ahead. \return when they are translated
    Time TranslateRead(const std::vector<MemoryPiece>& pieces, Time asked);
    /// A device writes \p pieces, which are at the IOMMU at \p arrived. \return when they and all
    /// that was written before are translated
    Time TranslateWrite(const std::vector<MemoryPiece>& pieces, Time arrived);
    /// \return what a read of \p pieces waits for with nothing else to do.
    [[nodiscard]] Time GetWalkTime(const std::vector<MemoryPiece>& pieces) const;

    [[nodiscard]] const Counters& GetCounters() const
    {
        return m_counters;
    }

  private:
    template <typename Function>
    void ForEachPage(const MemoryPiece& piece, Function function) const;
    [[nodiscard]] uint64_t CountPages(const MemoryPiece& piece) const;
    /// \return whether the translation of \p page is kept; it is from now on.
    [[nodiscard]] bool Use(uint64_t page);
    void Invalidate(HostThread& thread, Time earliest);
    /// The batch of unmapped pieces is invalidated if its time is over by \p now.
    void FlushIfDue(Time now);

    HostCpu& m_cpu;
    const IommuSettings& m_settings;
    ContextCache m_iotlb;
    std::vector<Time> m_walks; ///< When each place for a look-up is free.
    Time m_written;            ///< All writes so far are translated.
    uint32_t m_unmapped{0};    ///< Pieces that wait for an invalidation.
    Time m_firstUnmapped;      ///< Of them.
    HostThread m_timer{HostContext::SOFT_INTERRUPT};
    Counters m_counters;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HOST_IOMMU_H
