/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_SERVER_STORAGE_H
#define NFSRDMA_NFS_STORE_SERVER_STORAGE_H

#include "nfs/store/device-layout.h"
#include "nfs/store/extent-set.h"
#include "nfs/store/files.h"
#include "nfs/store/page-cache.h"
#include "nfs/store/read-ahead.h"
#include "nfs/store/storage-model.h"
#include "nfs/store/storage-task.h"
#include "nfs/v3/results.h"

#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <vector>

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

    void SetDevice(Ptr<StorageModel> device);
    /// For sizes, and to be told when files are cut and removed. Needed with a cache.
    void SetFileStore(Ptr<FileStore> store);
    [[nodiscard]] Ptr<StorageModel> GetDevice() const;

    /// Called once, later or from within.
    using Done = std::function<void()>;

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

    /// Octets of a file that are in memory only.
    struct AtRisk
    {
        InodeNumber file{0};
        Extent extent;
    };

    /// \return what a restart would lose now, by file and offset.
    [[nodiscard]] std::vector<AtRisk> GetAtRisk() const;
    /// The server's machine restarts: the cache is empty. Requests that the device has are carried
    /// out, their completions are told. \return what is lost
    std::vector<AtRisk> Restart();

    /// Memory is short: the cache has \p pages for the time being, if that is less than CacheSize,
    /// and at least one. Dirty pages stay until they are written. Nothing: it is not short any
    /// more.
    void SetPressure(std::optional<uint64_t> pages);

    [[nodiscard]] bool HasCache() const;
    /// \return pages of the cache: all, dirty.
    [[nodiscard]] uint64_t GetCachedPages() const;
    [[nodiscard]] uint64_t GetDirtyPages() const;
    /// \return pages given up for others.
    [[nodiscard]] uint64_t GetEvictedPages() const;
    /// \return requests of callers that are not done; write-back and read-ahead are none.
    [[nodiscard]] uint32_t GetPending() const;
    [[nodiscard]] const ServerStorageStatistics& GetStatistics() const;

    /// Trace source "Read": pages of a READ found, missing.
    typedef void (*ReadTracedCallback)(InodeNumber file, uint64_t found, uint64_t missing);
    /// Trace source "WriteBack": pages that have been written to the device.
    typedef void (*WriteBackTracedCallback)(InodeNumber file, uint64_t first, uint64_t pages);
    /// Trace source "Throttled": a WRITE may go on.
    typedef void (*ThrottledTracedCallback)(Time waited);
    /// Trace source "Lost": octets that a restart has lost.
    typedef void (*LostTracedCallback)(InodeNumber file, uint64_t offset, uint64_t octets);

  private:
    /// Something that waits for several requests.
    struct Barrier
    {
        uint32_t open{1};
        Done done;
    };

    using BarrierPtr = std::shared_ptr<Barrier>;

    /// A request of the device for pages.
    struct Job
    {
        InodeNumber file{0};
        PageRange pages;
        std::vector<Extent> extents; ///< Writes: octets that are not stable until it is done.
        bool behind{false};          ///< By write-back in the background.
        std::vector<BarrierPtr> waiting;
    };

    /// What is known of a file that has been in the cache.
    struct File
    {
        ReadAhead readAhead;
        ExtentSet unstable; ///< Octets of dirty pages that a restart loses.
        /// From here on nothing is on the device.
        uint64_t stored{std::numeric_limits<uint64_t>::max()};
        Time dirtySince;
        bool listed{false}; ///< In m_dirtyFiles.
    };

    struct ThrottledWrite
    {
        Time since;
        Done done;
    };

    void DoDispose() override;

    PageCache& GetCache();
    [[nodiscard]] uint64_t GetPages(uint64_t octets) const;
    [[nodiscard]] uint64_t GetSize(InodeNumber file) const;
    [[nodiscard]] std::optional<uint64_t> GetPosition(InodeNumber file, uint64_t offset);
    [[nodiscard]] uint64_t GetDirtyLimit(double ratio);
    [[nodiscard]] bool IsOverLimit();

    void OnSizeChanged(InodeNumber file, uint64_t before, uint64_t now);
    void OnRemoved(InodeNumber file);

    static BarrierPtr MakeBarrier(Done done);
    /// Makes \p barrier wait for a job, unless that is done.
    void Wait(uint64_t number, const BarrierPtr& barrier);
    static void Pass(const BarrierPtr& barrier);
    /// Counts a request until \p done.
    Done Count(Done&& done);
    /// Calls \p done when the device has looked into memory, and \p octets are copied.
    void Remember(uint64_t octets, Done&& done);

    /// \return whether the page is neither there nor on the device.
    [[nodiscard]] bool IsHole(const File& known, uint64_t index) const;
    /// Makes \p barrier wait for the page, and reads ahead. \return whether it was there.
    bool Want(InodeNumber file,
              File& known,
              uint64_t index,
              uint64_t last,
              const BarrierPtr& barrier);
    /// Reads what of \p range is neither there nor a hole; pages up to \p last were asked for.
    void Load(InodeNumber file, const File& known, PageRange range, uint64_t last);
    uint64_t StartRead(InodeNumber file, PageRange pages);
    void EndRead(uint64_t number);
    /// Makes \p barrier wait for the rest of a page of which a part is written.
    void FillPart(InodeNumber file, uint64_t index, const BarrierPtr& barrier);

    void MarkDirty(InodeNumber file, uint64_t offset, uint64_t count);
    void EndWrite(InodeNumber file, uint64_t offset, uint64_t count, StableHow stable, Done&& done);
    /// Writes the dirty pages of [first, last]; \p barrier waits for them and for those under way.
    void Flush(InodeNumber file, uint64_t first, uint64_t last, const BarrierPtr& barrier);
    uint64_t StartWrite(InodeNumber file, PageRange pages, bool behind);
    void EndWriteJob(uint64_t number);

    void Throttle(Done&& done);
    void ReleaseThrottled();
    void WriteBehind();
    /// \return whether there was something to write.
    bool WriteBehindOnce();
    void ArmFlusher();
    /// \return pages that the cache may hold.
    [[nodiscard]] uint64_t GetCapacity() const;
    void RunFlusher();

    uint64_t m_cacheSize{0};
    std::optional<uint64_t> m_pressure;
    uint32_t m_pageSize{0};
    PageCache::Replacement m_replacement{PageCache::TWO_LIST};
    uint64_t m_readAheadSize{0};
    DataRate m_copyRate;
    double m_dirtyBackgroundRatio{0};
    double m_dirtyRatio{0};
    Time m_writeBackInterval;
    Time m_dirtyExpire;
    uint32_t m_writeBackSize{0};
    uint32_t m_writeBackDepth{0};
    bool m_loseOnRestart{true};

    Ptr<StorageModel> m_device;
    Ptr<FileStore> m_store;
    DeviceLayout m_layout;
    std::unique_ptr<PageCache> m_cache; ///< Made when first needed.
    std::map<InodeNumber, File> m_files;
    std::map<uint64_t, Job> m_jobs; ///< By number, reads and writes.
    uint64_t m_nextJob{1};
    std::list<InodeNumber> m_dirtyFiles; ///< In the order in which they are written back.
    std::deque<ThrottledWrite> m_throttled;
    uint32_t m_behind{0};       ///< Background requests under way.
    uint64_t m_writingPages{0}; ///< Of jobs under way.
    EventId m_flusher;
    uint32_t m_pending{0};
    ServerStorageStatistics m_statistics;
    TracedValue<uint64_t> m_dirtyPages{0};
    TracedCallback<InodeNumber, uint64_t, uint64_t> m_readTrace;
    TracedCallback<InodeNumber, uint64_t, uint64_t> m_writeBackTrace;
    TracedCallback<Time> m_throttledTrace;
    TracedCallback<InodeNumber, uint64_t, uint64_t> m_lostTrace;
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_SERVER_STORAGE_H
