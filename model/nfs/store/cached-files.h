/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_NFS_STORE_CACHED_FILES_H
#define NFSRDMA_NFS_STORE_CACHED_FILES_H

#include "nfs/store/device-layout.h"
#include "nfs/store/extent-set.h"
#include "nfs/store/files.h"
#include "nfs/store/page-cache.h"
#include "nfs/store/read-ahead.h"
#include "nfs/store/storage-barrier.h"
#include "nfs/store/storage-model.h"
#include "settings/setting.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/// How the page cache of a server works: page-cache.def has the fields.
struct PageCacheSettings
{
#define SETTING(type, name, ...) type name{};
#include "nfs/store/page-cache.def"
#undef SETTING

    [[nodiscard]] static const std::vector<Setting<PageCacheSettings>>& GetRows();
};

/// Octets of a file that are in memory only.
struct OctetsAtRisk
{
    InodeNumber file{0};
    Extent extent;
};

/**
 * \brief The files of a server as its page cache knows them: their pages, which octets of them are
 * not stable, and the requests of the device for pages that are under way.
 */
class CachedFiles
{
  public:
    /// What is known of a file that has been in the cache.
    struct File
    {
        ReadAhead readAhead;
        ExtentSet unstable; ///< Octets of dirty pages that a restart loses.
        /// From here on nothing is on the device.
        uint64_t stored{std::numeric_limits<uint64_t>::max()};
        Time dirtySince;
        Time indexFree;     ///< When pages can be put into its index.
        bool listed{false}; ///< Among those that are to be written back.
    };

    /// A request of the device for pages.
    struct Job
    {
        StorageWork work{StorageWork::READ}; ///< Or WRITE.
        InodeNumber file{0};
        PageRange pages;
        std::vector<Extent> extents; ///< Writes: octets that are not stable until it is done.
        std::vector<StorageBarrierPtr> waiting;
    };

    /// \param owner lives as long as a request is under way
    CachedFiles(Object& owner, const PageCacheSettings& settings);

    void SetDevice(Ptr<StorageModel> device)
    {
        m_device = device;
    }

    [[nodiscard]] Ptr<StorageModel> GetDevice() const
    {
        return m_device;
    }

    /// For sizes; null: of no file.
    void SetFileStore(Ptr<FileStore> store)
    {
        m_store = store;
    }

    /// \return octets, as the file store says.
    [[nodiscard]] uint64_t GetSize(InodeNumber file) const
    {
        return m_store->Get(file).attributes.size;
    }

    /// \return where on the device an octet lies, if that matters to it.
    [[nodiscard]] std::optional<uint64_t> GetPosition(InodeNumber file, uint64_t offset);

    /// \return the cache, which is made when first needed.
    [[nodiscard]] PageCache& GetCache();

    /// \return the cache, or null when it has not been needed yet.
    [[nodiscard]] const PageCache* FindCache() const
    {
        return m_cache.get();
    }

    /// The cache has \p pages at most for the time being; nothing: as many as are set.
    void SetPressure(std::optional<uint64_t> pages);

    [[nodiscard]] File& Get(InodeNumber file)
    {
        return m_files[file];
    }

    /// \return whether the page is neither there nor on the device.
    [[nodiscard]] bool IsHole(const File& known, uint64_t index) const
    {
        return index * m_settings.pageSize >= known.stored;
    }

    /// \return pages that \p octets from the start of a file take.
    [[nodiscard]] uint64_t CountPages(uint64_t octets) const
    {
        return (octets + m_settings.pageSize - 1) / m_settings.pageSize;
    }

    /// Marks pages as being read, or dirty ones as being written and clean. \return the number of
    /// the request, which is to be submitted next.
    uint64_t Add(StorageWork work, InodeNumber file, PageRange pages);
    /// Gives the request to the device. \param done calls End()
    void Submit(uint64_t number, StorageDone done);
    /// Has the pages of a READ that are there put into the index of their file, on the first lane
    /// that is free, then \p done called.
    void PutPages(uint64_t number, const StorageDone& done);
    /// Marks the pages of a request as what they are when it is done. \return the request; who
    /// waits for it is still to be told.
    Job End(uint64_t number);
    /// Makes \p barrier wait for a request, unless that is done.
    void Wait(uint64_t number, const StorageBarrierPtr& barrier);
    /// \return whether \p barrier is what the request was started for.
    [[nodiscard]] bool IsFirst(uint64_t number, const StorageBarrierPtr& barrier) const;

    /// Forgets the requests under way and who waits for them.
    void ClearJobs()
    {
        m_jobs.clear();
    }

    /// A file has another size; of pages behind it nothing is left.
    void Resize(InodeNumber file, uint64_t before, uint64_t now);
    /// A file is gone. \return what was known of it.
    std::optional<File> Remove(InodeNumber file);

    /// \return what a restart would lose now, by file and offset.
    [[nodiscard]] std::vector<OctetsAtRisk> GetAtRisk() const;
    /// Memory is lost, of which nothing is at risk any more.
    void Restart();

  private:
    [[nodiscard]] uint64_t GetCapacity() const;

    Object& m_owner;
    const PageCacheSettings& m_settings;
    Ptr<StorageModel> m_device;
    Ptr<FileStore> m_store;
    DeviceLayout m_layout;
    std::optional<uint64_t> m_pressure;
    std::unique_ptr<PageCache> m_cache;
    std::map<InodeNumber, File> m_files;
    std::map<uint64_t, Job> m_jobs; ///< By number, reads and writes.
    uint64_t m_nextJob{1};
    std::vector<Time> m_lanes; ///< When each of pageLanes is free.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_NFS_STORE_CACHED_FILES_H
