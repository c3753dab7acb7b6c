/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_WRITE_BACK_H
#define NFSRDMA_NFS_STORE_WRITE_BACK_H

#include "nfs/store/cached-files.h"
#include "nfs/store/storage-statistics.h"

#include "ns3/event-id.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <deque>
#include <list>

namespace ns3::nfsrdma
{

/**
 * \brief How dirty pages of a page cache come to the device: in the background, for a COMMIT, and
 * when they are old; and how writers wait when there are too many (Linux's mm/page-writeback.c, but
 * at one limit instead of slower step by step).
 */
class WriteBack
{
  public:
    /// What is told.
    struct Traces
    {
        TracedValue<uint64_t>& dirtyPages;
        const TracedCallback<InodeNumber, uint64_t, uint64_t>& written; ///< File, first, pages.
        const TracedCallback<Time>& throttled; ///< How long a writer has waited.
    };

    WriteBack(CachedFiles& files,
              const PageCacheSettings& settings,
              ServerStorageStatistics& statistics,
              const Traces& traces);

    /// Octets have been written into the cache, where they are.
    void MarkDirty(InodeNumber file, uint64_t offset, uint64_t count);
    /// Writes the dirty pages of [first, last]; \p barrier waits for them and for those under way.
    void Flush(InodeNumber file, uint64_t first, uint64_t last, const StorageBarrierPtr& barrier);
    /// Calls \p done as soon as there are few enough dirty pages.
    void Throttle(StorageDone&& done);
    /// Writes dirty pages in the background while there are too many, and looks at their age later.
    void Start();
    /// Pages have left the cache, whatever their state.
    void Drop();
    /// The cache is smaller or larger than before.
    void Adapt();

    /// A file is gone that was listed.
    void Remove(InodeNumber file)
    {
        m_dirtyFiles.remove(file);
    }

    /// The pages are lost.
    void Restart();
    /// Forgets who waits.
    void Dispose();

    /// \return pages on their way to the device.
    [[nodiscard]] uint64_t GetWritingPages() const
    {
        return m_writingPages;
    }

  private:
    struct ThrottledWrite
    {
        Time since;
        StorageDone done;
    };

    [[nodiscard]] uint64_t GetLimit(double ratio)
    {
        return static_cast<uint64_t>(static_cast<double>(m_files.GetCache().GetCapacity()) * ratio);
    }

    [[nodiscard]] bool IsOverLimit();
    /// Writes the lowest dirty pages of [first, last] that one request has room for. \return the
    /// number of the request, 0 when there are none.
    uint64_t WriteNext(InodeNumber file, uint64_t first, uint64_t last, bool behind);
    void EndWrite(uint64_t number, bool behind);
    void Release();
    void WriteBehind();
    /// \return whether there was something to write.
    bool WriteBehindOnce();
    void ArmFlusher();
    void RunFlusher();

    CachedFiles& m_files;
    const PageCacheSettings& m_settings;
    ServerStorageStatistics& m_statistics;
    Traces m_traces;
    std::list<InodeNumber> m_dirtyFiles; ///< In the order in which they are written back.
    std::deque<ThrottledWrite> m_throttled;
    uint32_t m_behind{0};       ///< Background requests under way.
    uint64_t m_writingPages{0}; ///< Of requests under way.
    EventId m_flusher;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_WRITE_BACK_H
