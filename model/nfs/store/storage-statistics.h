/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_STORAGE_STATISTICS_H
#define NFSRDMA_NFS_STORE_STORAGE_STATISTICS_H

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/// What a ServerStorage counts. Pages are those of its cache.
struct ServerStorageStatistics
{
    uint64_t reads{0};         ///< READs with data.
    uint64_t readHits{0};      ///< Of them, all in the cache.
    uint64_t readPartial{0};   ///< Of them, some pages in the cache.
    uint64_t readMisses{0};    ///< Of them, none.
    uint64_t pageHits{0};      ///< Pages of READs that were there.
    uint64_t pageMisses{0};    ///< Pages of READs that were not.
    uint64_t pageJoins{0};     ///< Of the misses, being read for another already.
    uint64_t pagesRead{0};     ///< Pages read from the device.
    uint64_t pagesAhead{0};    ///< Of them, nobody had asked for yet.
    uint64_t pagesFilled{0};   ///< Of them, for a WRITE of a part of a page.
    uint64_t writes{0};        ///< WRITEs with data.
    uint64_t throttled{0};     ///< Of them, had to wait at the dirty limit.
    Time throttledTime;        ///< How long, together.
    uint64_t commits{0};       ///< COMMITs.
    uint64_t pagesWritten{0};  ///< Pages written to the device.
    uint64_t writtenBehind{0}; ///< Of them, by write-back in the background.
    uint64_t pagesLost{0};     ///< Dirty or under way at a restart.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_STORAGE_STATISTICS_H
