/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_CACHE_READER_H
#define NFSRDMA_NFS_STORE_CACHE_READER_H

#include "nfs/store/cached-files.h"
#include "nfs/store/storage-statistics.h"

#include <cstdint>

namespace ns3::nfsrdma
{

/**
 * \brief How pages come from the device into a page cache: those of READs that miss, those that
 * are read ahead, and those of which a WRITE brings only a part.
 */
class CacheReader
{
  public:
    CacheReader(CachedFiles& files,
                const PageCacheSettings& settings,
                ServerStorageStatistics& statistics);

    /// Makes \p barrier wait for the pages [first, last], and reads ahead. \return pages that were
    /// there.
    uint64_t Read(InodeNumber file,
                  uint64_t first,
                  uint64_t last,
                  const StorageBarrierPtr& barrier);
    /// Makes \p barrier wait for the rest of a page of which a part is written.
    void FillPart(InodeNumber file, uint64_t index, const StorageBarrierPtr& barrier);

  private:
    /// \return whether the page was there.
    bool Want(InodeNumber file,
              CachedFiles::File& known,
              uint64_t index,
              uint64_t last,
              const StorageBarrierPtr& barrier);
    /// Reads what of \p range is neither there nor a hole; pages up to \p last were asked for.
    void Load(InodeNumber file, const CachedFiles::File& known, PageRange range, uint64_t last);
    uint64_t StartRead(InodeNumber file, PageRange pages);
    void EndRead(uint64_t number);

    CachedFiles& m_files;
    const PageCacheSettings& m_settings;
    ServerStorageStatistics& m_statistics;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_CACHE_READER_H
