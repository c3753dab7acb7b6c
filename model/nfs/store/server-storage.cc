/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/server-storage.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ServerStorage);

TypeId
ServerStorage::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::nfsrdma::ServerStorage")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<ServerStorage>()
            .AddAttribute("CacheSize",
                          "Octets of the page cache; 0: none, every request goes to the device. "
                          "Default: none, the default device answers from memory.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ServerStorage::m_cacheSize),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("PageSize",
                          "Octets of a page. Default: x86-64.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&ServerStorage::m_pageSize),
                          MakeUintegerChecker<uint32_t>(512, 1 << 21))
            .AddAttribute("Replacement",
                          "Which clean page is given up: lru, or two-list. Default: Linux.",
                          EnumValue(PageCache::TWO_LIST),
                          MakeEnumAccessor(&ServerStorage::m_replacement),
                          MakeEnumChecker(PageCache::LRU, "lru", PageCache::TWO_LIST, "two-list"))
            .AddAttribute("ReadAhead",
                          "Greatest read-ahead window (octets); 0: none. Default: Linux's "
                          "read_ahead_kb (VM_READAHEAD_PAGES).",
                          UintegerValue(131072),
                          MakeUintegerAccessor(&ServerStorage::m_readAheadSize),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("CopyRate",
                          "Rate at which a WRITE's data are copied into the cache; 0bps: at once. "
                          "Default: one core, 8 to 12 GB/s (estimate).",
                          DataRateValue(DataRate("80Gbps")),
                          MakeDataRateAccessor(&ServerStorage::m_copyRate),
                          MakeDataRateChecker())
            .AddAttribute("DirtyBackgroundRatio",
                          "Share of the cache above which dirty pages are written back. Default: "
                          "Linux's vm.dirty_background_ratio.",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&ServerStorage::m_dirtyBackgroundRatio),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("DirtyRatio",
                          "Share of the cache, dirty or being written, at which WRITEs wait. "
                          "Default: Linux's vm.dirty_ratio.",
                          DoubleValue(0.2),
                          MakeDoubleAccessor(&ServerStorage::m_dirtyRatio),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("WriteBackInterval",
                          "From one look at the age of dirty pages to the next (Time); 0: never. "
                          "Default: Linux's vm.dirty_writeback_centisecs.",
                          TimeValue(Seconds(5)),
                          MakeTimeAccessor(&ServerStorage::m_writeBackInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("DirtyExpire",
                          "Age at which the dirty pages of a file are written back (Time). "
                          "Default: Linux's vm.dirty_expire_centisecs.",
                          TimeValue(Seconds(30)),
                          MakeTimeAccessor(&ServerStorage::m_dirtyExpire),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("WriteBackSize",
                          "Greatest request of write-back (octets). Default: Linux's "
                          "BLK_DEF_MAX_SECTORS.",
                          UintegerValue(MAX_DEVICE_OCTETS),
                          MakeUintegerAccessor(&ServerStorage::m_writeBackSize),
                          MakeUintegerChecker<uint32_t>(512))
            .AddAttribute("WriteBackDepth",
                          "Requests of write-back in the background at once (count). Default: "
                          "half of the tags of a SATA device, as Linux's wbt (estimate).",
                          UintegerValue(16),
                          MakeUintegerAccessor(&ServerStorage::m_writeBackDepth),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("LoseOnRestart",
                          "Whether octets that a restart loses read as zeros then. Default: what "
                          "a client forgets to write again is found.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&ServerStorage::m_loseOnRestart),
                          MakeBooleanChecker())
            .AddTraceSource("DirtyPages",
                            "Dirty pages have changed: before, now.",
                            MakeTraceSourceAccessor(&ServerStorage::m_dirtyPages),
                            "ns3::TracedValueCallback::Uint64")
            .AddTraceSource("Read",
                            "A READ has been looked up: its pages found, and missing.",
                            MakeTraceSourceAccessor(&ServerStorage::m_readTrace),
                            "ns3::nfsrdma::ServerStorage::ReadTracedCallback")
            .AddTraceSource("WriteBack",
                            "Pages have been written to the device.",
                            MakeTraceSourceAccessor(&ServerStorage::m_writeBackTrace),
                            "ns3::nfsrdma::ServerStorage::WriteBackTracedCallback")
            .AddTraceSource("Throttled",
                            "A WRITE that waited at the dirty limit goes on.",
                            MakeTraceSourceAccessor(&ServerStorage::m_throttledTrace),
                            "ns3::nfsrdma::ServerStorage::ThrottledTracedCallback")
            .AddTraceSource("Lost",
                            "A restart has lost octets that were in memory only.",
                            MakeTraceSourceAccessor(&ServerStorage::m_lostTrace),
                            "ns3::nfsrdma::ServerStorage::LostTracedCallback");
    return tid;
}

ServerStorage::ServerStorage() = default;

ServerStorage::~ServerStorage()
{
    SetFileStore(nullptr);
}

void
ServerStorage::DoDispose()
{
    m_flusher.Cancel();
    SetFileStore(nullptr);
    m_throttled.clear();
    m_jobs.clear();
    m_device = nullptr;
    Object::DoDispose();
}

void
ServerStorage::SetDevice(Ptr<StorageModel> device)
{
    m_device = device;
}

void
ServerStorage::SetFileStore(Ptr<FileStore> store)
{
    const auto sizeChanged = MakeCallback(&ServerStorage::OnSizeChanged, this);
    const auto removed = MakeCallback(&ServerStorage::OnRemoved, this);
    if (m_store)
    {
        m_store->TraceDisconnectWithoutContext("SizeChanged", sizeChanged);
        m_store->TraceDisconnectWithoutContext("Removed", removed);
    }
    m_store = store;
    if (m_store)
    {
        m_store->TraceConnectWithoutContext("SizeChanged", sizeChanged);
        m_store->TraceConnectWithoutContext("Removed", removed);
    }
}

Ptr<StorageModel>
ServerStorage::GetDevice() const
{
    return m_device;
}

bool
ServerStorage::HasCache() const
{
    return m_cacheSize != 0;
}

PageCache&
ServerStorage::GetCache()
{
    if (!m_cache)
    {
        m_cache = std::make_unique<PageCache>(GetCapacity(), m_replacement);
    }
    return *m_cache;
}

uint64_t
ServerStorage::GetCapacity() const
{
    const uint64_t pages = m_cacheSize / m_pageSize;
    return std::max<uint64_t>(std::min(pages, m_pressure.value_or(pages)), 1);
}

void
ServerStorage::SetPressure(std::optional<uint64_t> pages)
{
    m_pressure = pages;
    if (!m_cache)
    {
        return;
    }
    m_cache->SetCapacity(GetCapacity());
    m_cache->Trim();
    WriteBehind();
    ReleaseThrottled();
}

uint64_t
ServerStorage::GetPages(uint64_t octets) const
{
    return (octets + m_pageSize - 1) / m_pageSize;
}

uint64_t
ServerStorage::GetSize(InodeNumber file) const
{
    return m_store->Get(file).attributes.size;
}

std::optional<uint64_t>
ServerStorage::GetPosition(InodeNumber file, uint64_t offset)
{
    if (!m_device->HasMechanics())
    {
        return std::nullopt;
    }
    return m_layout.GetPosition(file, offset, m_store ? GetSize(file) : 0);
}

uint64_t
ServerStorage::GetDirtyLimit(double ratio)
{
    return static_cast<uint64_t>(static_cast<double>(GetCache().GetCapacity()) * ratio);
}

void
ServerStorage::OnSizeChanged(InodeNumber file, uint64_t before, uint64_t now)
{
    if (!HasCache())
    {
        return;
    }
    File& known = m_files[file];
    known.stored = std::min({known.stored, before, now});
    if (now < before)
    {
        GetCache().Drop(file, GetPages(now));
        known.unstable.Take(now, ALL_OCTETS);
        for (auto& [number, job] : m_jobs)
        {
            if (job.file == file)
            {
                ExtentSet kept;
                for (const auto& extent : job.extents)
                {
                    kept.Add(extent.begin, std::min(extent.end, now));
                }
                job.extents = kept.List();
            }
        }
        m_dirtyPages = GetCache().GetDirty();
        ReleaseThrottled();
    }
}

void
ServerStorage::OnRemoved(InodeNumber file)
{
    m_layout.Forget(file);
    if (!HasCache())
    {
        return;
    }
    const auto found = m_files.find(file);
    if (found == m_files.end())
    {
        return;
    }
    if (found->second.listed)
    {
        m_dirtyFiles.remove(file);
    }
    m_files.erase(found);
    for (auto& [number, job] : m_jobs)
    {
        if (job.file == file)
        {
            job.extents.clear();
        }
    }
    GetCache().Drop(file);
    m_dirtyPages = GetCache().GetDirty();
    ReleaseThrottled();
}

ServerStorage::BarrierPtr
ServerStorage::MakeBarrier(Done done)
{
    auto barrier = std::make_shared<Barrier>();
    barrier->done = std::move(done);
    return barrier;
}

void
ServerStorage::Wait(uint64_t number, const BarrierPtr& barrier)
{
    const auto found = m_jobs.find(number);
    if (found == m_jobs.end())
    {
        return;
    }
    auto& waiting = found->second.waiting;
    if (waiting.empty() || waiting.back() != barrier)
    {
        ++barrier->open;
        waiting.push_back(barrier);
    }
}

void
ServerStorage::Pass(const BarrierPtr& barrier)
{
    if (--barrier->open == 0)
    {
        const Done done = std::move(barrier->done);
        done();
    }
}

ServerStorage::Done
ServerStorage::Count(Done&& done)
{
    ++m_pending;
    return [self = Ptr<ServerStorage>(this), done = std::move(done)] {
        --self->m_pending;
        done();
    };
}

void
ServerStorage::Remember(uint64_t octets, Done&& done)
{
    const Time copy = octets == 0 || m_copyRate.GetBitRate() == 0
                          ? Time(0)
                          : m_copyRate.CalculateBytesTxTime(octets);
    if (copy.IsZero())
    {
        m_device->Submit(StorageWork::METADATA, 0, std::move(done));
        return;
    }
    m_device->Submit(StorageWork::METADATA, 0, [copy, done = std::move(done)] {
        Simulator::Schedule(copy, done);
    });
}

void
ServerStorage::Metadata(Done done)
{
    m_device->Submit(StorageWork::METADATA, 0, std::move(done));
}

void
ServerStorage::MetadataChange(Done done)
{
    m_device->Submit(StorageWork::METADATA_CHANGE, 0, std::move(done));
}

void
ServerStorage::Do(const StorageTask& task, Done done)
{
    const auto& [work, file, offset, octets] = task;
    switch (work)
    {
    case StorageWork::READ:
        Read(file, offset, octets, std::move(done));
        break;
    case StorageWork::WRITE:
        Write(file, offset, octets, StableHow::UNSTABLE, std::move(done));
        break;
    case StorageWork::WRITE_SYNC:
        Write(file, offset, octets, StableHow::FILE_SYNC, std::move(done));
        break;
    case StorageWork::SYNC:
        Commit(file, offset, octets, std::move(done));
        break;
    case StorageWork::METADATA_CHANGE:
        MetadataChange(std::move(done));
        break;
    case StorageWork::METADATA:
        Metadata(std::move(done));
        break;
    }
}

uint64_t
ServerStorage::GetCachedPages() const
{
    return m_cache ? m_cache->GetCount() : 0;
}

uint64_t
ServerStorage::GetDirtyPages() const
{
    return m_cache ? m_cache->GetDirty() : 0;
}

uint64_t
ServerStorage::GetEvictedPages() const
{
    return m_cache ? m_cache->GetEvicted() : 0;
}

uint32_t
ServerStorage::GetPending() const
{
    return HasCache() ? m_pending : m_device->GetPending();
}

const ServerStorageStatistics&
ServerStorage::GetStatistics() const
{
    return m_statistics;
}

std::vector<ServerStorage::AtRisk>
ServerStorage::GetAtRisk() const
{
    std::map<InodeNumber, ExtentSet> sets;
    for (const auto& [file, known] : m_files)
    {
        for (const auto& extent : known.unstable.List())
        {
            sets[file].Add(extent.begin, extent.end);
        }
    }
    for (const auto& [number, job] : m_jobs)
    {
        for (const auto& extent : job.extents)
        {
            sets[job.file].Add(extent.begin, extent.end);
        }
    }
    std::vector<AtRisk> all;
    for (const auto& [file, set] : sets)
    {
        for (const auto& extent : set.List())
        {
            all.push_back({file, extent});
        }
    }
    return all;
}

std::vector<ServerStorage::AtRisk>
ServerStorage::Restart()
{
    auto lost = GetAtRisk();
    for (const auto& part : lost)
    {
        const uint64_t octets = part.extent.end - part.extent.begin;
        if (m_loseOnRestart && m_store)
        {
            m_store->GetData().Wipe(part.file, part.extent.begin, octets);
        }
        m_lostTrace(part.file, part.extent.begin, octets);
    }
    if (m_cache)
    {
        m_statistics.pagesLost += m_cache->GetDirty() + m_writingPages;
        m_cache->Clear();
    }
    for (auto& [number, job] : m_jobs)
    {
        job.extents.clear();
    }
    for (auto& [file, known] : m_files)
    {
        known.unstable = ExtentSet();
        known.readAhead = ReadAhead();
        known.listed = false;
    }
    m_dirtyFiles.clear();
    m_dirtyPages = 0;
    m_flusher.Cancel();
    ReleaseThrottled();
    return lost;
}

} // namespace ns3::nfsrdma
