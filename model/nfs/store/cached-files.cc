/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/cached-files.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

#define SETTINGS_OF PageCacheSettings
#define SETTINGS_FILE "nfs/store/page-cache.def"
#include "settings/rows.def"

CachedFiles::CachedFiles(Object& owner, const PageCacheSettings& settings)
    : m_owner(owner),
      m_settings(settings)
{
}

std::optional<uint64_t>
CachedFiles::GetPosition(InodeNumber file, uint64_t offset)
{
    if (!m_device->HasPositions())
    {
        return std::nullopt;
    }
    return m_layout.GetPosition(file, offset, m_store ? GetSize(file) : 0);
}

PageCache&
CachedFiles::GetCache()
{
    if (!m_cache)
    {
        m_cache = std::make_unique<PageCache>(GetCapacity(), m_settings.replacement);
    }
    return *m_cache;
}

uint64_t
CachedFiles::GetCapacity() const
{
    const uint64_t pages = m_settings.cacheSize / m_settings.pageSize;
    return std::max<uint64_t>(std::min(pages, m_pressure.value_or(pages)), 1);
}

void
CachedFiles::SetPressure(std::optional<uint64_t> pages)
{
    m_pressure = pages;
    if (m_cache)
    {
        m_cache->SetCapacity(GetCapacity());
        m_cache->Trim();
    }
}

uint64_t
CachedFiles::Add(StorageWork work, InodeNumber file, PageRange pages)
{
    const uint64_t number = m_nextJob++;
    Job& job = m_jobs[number];
    job.work = work;
    job.file = file;
    job.pages = pages;
    const uint64_t end = pages.first + pages.count;
    PageCache& cache = GetCache();
    if (work == StorageWork::READ)
    {
        for (uint64_t index = pages.first; index < end; ++index)
        {
            cache.SetLoading(file, index, number);
        }
        return number;
    }
    job.extents =
        m_files[file].unstable.Take(pages.first * m_settings.pageSize, end * m_settings.pageSize);
    for (uint64_t index = pages.first; index < end; ++index)
    {
        cache.SetWriting(file, index, number);
        cache.SetDirty(file, index, false);
    }
    return number;
}

void
CachedFiles::Submit(uint64_t number, StorageDone done)
{
    const Job& job = m_jobs.at(number);
    m_device->Submit(
        job.work,
        job.pages.count * m_settings.pageSize,
        [this, owner = Ptr<Object>(&m_owner), number, done = std::move(done)] {
            PutPages(number, done);
        },
        GetPosition(job.file, job.pages.first * m_settings.pageSize));
}

void
CachedFiles::PutPages(uint64_t number, const StorageDone& done)
{
    const Job& job = m_jobs.at(number);
    if (job.work != StorageWork::READ || m_settings.pageCost.IsZero())
    {
        done();
        return;
    }
    const Time now = Simulator::Now();
    Time& free = m_files[job.file].indexFree;
    Time begin = std::max(free, now);
    m_lanes.resize(m_settings.pageLanes);
    const auto lane = std::min_element(m_lanes.begin(), m_lanes.end());
    begin = lane == m_lanes.end() ? begin : std::max(begin, *lane);
    free = begin + m_settings.pageCost * static_cast<int64_t>(job.pages.count);
    if (lane != m_lanes.end())
    {
        *lane = free;
    }
    Simulator::Schedule(free - now, [owner = Ptr<Object>(&m_owner), done] { done(); });
}

CachedFiles::Job
CachedFiles::End(uint64_t number)
{
    const auto found = m_jobs.find(number);
    Job job = std::move(found->second);
    m_jobs.erase(found);
    PageCache& cache = GetCache();
    const uint64_t end = job.pages.first + job.pages.count;
    bool wasWritten = false;
    for (uint64_t index = job.pages.first; index < end; ++index)
    {
        const PageCache::Page* page = cache.Find(job.file, index);
        if (page == nullptr)
        {
            continue;
        }
        if (page->loading == number)
        {
            cache.SetLoading(job.file, index, 0);
        }
        if (page->writing == number)
        {
            cache.SetWriting(job.file, index, 0);
            wasWritten = true;
        }
    }
    if (wasWritten)
    {
        File& known = m_files[job.file];
        known.stored = std::max(known.stored, end * m_settings.pageSize);
    }
    return job;
}

void
CachedFiles::Wait(uint64_t number, const StorageBarrierPtr& barrier)
{
    const auto found = m_jobs.find(number);
    if (found == m_jobs.end())
    {
        return;
    }
    auto& waiting = found->second.waiting;
    if (waiting.empty() || waiting.back() != barrier)
    {
        barrier->Hold();
        waiting.push_back(barrier);
    }
}

bool
CachedFiles::IsFirst(uint64_t number, const StorageBarrierPtr& barrier) const
{
    const auto& waiting = m_jobs.at(number).waiting;
    return !waiting.empty() && waiting.front() == barrier;
}

void
CachedFiles::Resize(InodeNumber file, uint64_t before, uint64_t now)
{
    File& known = m_files[file];
    known.stored = std::min({known.stored, before, now});
    if (now >= before)
    {
        return;
    }
    GetCache().Drop(file, CountPages(now));
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
}

std::optional<CachedFiles::File>
CachedFiles::Remove(InodeNumber file)
{
    m_layout.Forget(file);
    auto node = m_files.extract(file);
    if (node.empty())
    {
        return std::nullopt;
    }
    for (auto& [number, job] : m_jobs)
    {
        if (job.file == file)
        {
            job.extents.clear();
        }
    }
    GetCache().Drop(file);
    return std::move(node.mapped());
}

std::vector<OctetsAtRisk>
CachedFiles::GetAtRisk() const
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
    std::vector<OctetsAtRisk> all;
    for (const auto& [file, set] : sets)
    {
        for (const auto& extent : set.List())
        {
            all.push_back({file, extent});
        }
    }
    return all;
}

void
CachedFiles::Restart()
{
    if (m_cache)
    {
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
}

} // namespace ns3::nfsrdma
