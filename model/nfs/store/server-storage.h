/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_SERVER_STORAGE_H
#define NFSRDMA_NFS_STORE_SERVER_STORAGE_H

#include "nfs/store/cache-reader.h"
#include "nfs/store/cached-files.h"
#include "nfs/store/storage-task.h"
#include "nfs/store/write-back.h"
#include "nfs/v3/results.h"

#include "ns3/object.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The storage of a server as its NFS programs see it: a page cache before a StorageModel,
 * which is the device.
 *
 * With CacheSize 0 there is no cache: every request goes to the device at once as it is, the data
 * are the device's concern, and nothing is ever at risk. This is the default; the default device
 * answers from memory.
 *
 * With a cache:
 *
 * - READ: pages that are there cost the device's MetadataCost together. Missing pages are read,
 * each run of them by one request; pages under way are waited for. Read-ahead as in Linux. Pages
 * that no WRITE has put on the device since they were added to the file are holes: not read.
 * - WRITE: into the cache, at MetadataCost and CopyRate; a page of which only a part is written,
 * and which is on the device, is read first. UNSTABLE is done then; DATA_SYNC and FILE_SYNC when
 * the pages of the WRITE are on the device and SyncLatency is over.
 * - Write-back: above DirtyBackgroundRatio of the cache, and of files whose oldest dirty page is
 *   DirtyExpire old (looked at every WriteBackInterval), the dirty pages are written: file after
 *   file, at most WriteBackSize a request, WriteBackDepth requests at once. At DirtyRatio WRITEs
 * wait until there are fewer. (Linux slows writers down step by step from midway between both.)
 * - COMMIT: writes the dirty pages of the range, waits for those under way, then SyncLatency.
 *
 * Stability: data that were written UNSTABLE and are not on the device are lost by Restart(), all
 * others are kept. GetAtRisk() tells which octets. A server that restarts gets another write
 * verifier, by which clients learn that they have to write again (RFC 1813 section 4.8); with
 * LoseOnRestart the octets read as zeros until they do (so what a client forgets is found).
 * Attributes of files are kept: their journal is taken to be on the device.
 */
class ServerStorage : public Object
{
  public:
    static TypeId GetTypeId();
    ServerStorage();
    ~ServerStorage() override;

    void SetDevice(Ptr<StorageModel> device)
    {
        m_files.SetDevice(device);
    }

    /// For sizes, and to be told when files are cut and removed. Needed with a cache.
    void SetFileStore(Ptr<FileStore> store);

    [[nodiscard]] Ptr<StorageModel> GetDevice() const
    {
        return m_files.GetDevice();
    }

    /// Called once, later or from within.
    using Done = StorageDone;

    // Data methods are to be called when FileStore has carried the operation out; a count of 0
    // costs what Metadata() does.

    /// READ, or the like. \param count octets below the file's end
    void Read(InodeNumber file, uint64_t offset, uint64_t count, Done done);
    /// WRITE, or the like.
    void Write(InodeNumber file, uint64_t offset, uint64_t count, StableHow stable, Done done);
    /// COMMIT. \param count 0: to the end of the file
    void Commit(InodeNumber file, uint64_t offset, uint64_t count, Done done);
    /// Attributes and names, from memory.
    void Metadata(Done done);
    /// A change of them, made stable.
    void MetadataChange(Done done);
    /// Whichever of these \p task is.
    void Do(const StorageTask& task, Done done);
    /// All of \p tasks, each when the one before it is done; none: \p done is called from within.
    void DoAll(std::vector<StorageTask> tasks, Done done);

    /// \return what a restart would lose now, by file and offset.
    [[nodiscard]] std::vector<OctetsAtRisk> GetAtRisk() const
    {
        return m_files.GetAtRisk();
    }

    /// The server's machine restarts: the cache is empty. Requests that the device has are carried
    /// out, their completions are told. \return what is lost
    std::vector<OctetsAtRisk> Restart();

    /// Memory is short: the cache has \p pages for the time being, if that is less than CacheSize,
    /// and at least one. Dirty pages stay until they are written. Nothing: it is not short any
    /// more.
    void SetPressure(std::optional<uint64_t> pages);

    [[nodiscard]] bool HasCache() const
    {
        return m_settings.cacheSize != 0;
    }

    /// \return pages of the cache: all, dirty.
    [[nodiscard]] uint64_t GetCachedPages() const;
    [[nodiscard]] uint64_t GetDirtyPages() const;
    /// \return pages given up for others.
    [[nodiscard]] uint64_t GetEvictedPages() const;

    /// \return requests of callers that are not done; write-back and read-ahead are none.
    [[nodiscard]] uint32_t GetPending() const
    {
        return HasCache() ? m_pending : GetDevice()->GetPending();
    }

    [[nodiscard]] const ServerStorageStatistics& GetStatistics() const
    {
        return m_statistics;
    }

    /// Trace source "Read": pages of a READ found, missing.
    typedef void (*ReadTracedCallback)(InodeNumber file, uint64_t found, uint64_t missing);
    /// Trace source "WriteBack": pages that have been written to the device.
    typedef void (*WriteBackTracedCallback)(InodeNumber file, uint64_t first, uint64_t pages);
    /// Trace source "Throttled": a WRITE may go on.
    typedef void (*ThrottledTracedCallback)(Time waited);
    /// Trace source "Lost": octets that a restart has lost.
    typedef void (*LostTracedCallback)(InodeNumber file, uint64_t offset, uint64_t octets);

  private:
    void DoDispose() override;

    /// Write(), when WriteCost is over.
    void Store(InodeNumber file, uint64_t offset, uint64_t count, StableHow stable, Done done);
    void OnSizeChanged(InodeNumber file, uint64_t before, uint64_t now);
    void OnRemoved(InodeNumber file);

    /// Counts a request until \p done.
    Done Count(Done&& done);
    /// Calls \p done when the device has looked into memory, and \p octets are copied.
    void Remember(uint64_t octets, Done&& done);
    /// The data of a WRITE to the pages [first, last] are in the cache.
    void EndWrite(InodeNumber file, uint64_t first, uint64_t last, StableHow stable, Done&& done);
    /// Calls \p done when the dirty pages of [first, last] are on the device.
    void Sync(InodeNumber file, uint64_t first, uint64_t last, Done&& done);

    PageCacheSettings m_settings;
    Ptr<FileStore> m_store;
    uint32_t m_pending{0};
    ServerStorageStatistics m_statistics;
    TracedValue<uint64_t> m_dirtyPages{0};
    TracedCallback<InodeNumber, uint64_t, uint64_t> m_readTrace;
    TracedCallback<InodeNumber, uint64_t, uint64_t> m_writeBackTrace;
    TracedCallback<Time> m_throttledTrace;
    TracedCallback<InodeNumber, uint64_t, uint64_t> m_lostTrace;
    CachedFiles m_files;
    CacheReader m_reader;
    WriteBack m_writeBack;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_SERVER_STORAGE_H
