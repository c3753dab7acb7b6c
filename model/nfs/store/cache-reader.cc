/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/cache-reader.h"

#include <algorithm>

namespace ns3::nfsrdma
{

CacheReader::CacheReader(CachedFiles& files,
                         const PageCacheSettings& settings,
                         ServerStorageStatistics& statistics)
    : m_files(files),
      m_settings(settings),
      m_statistics(statistics)
{
}

uint64_t
CacheReader::Read(InodeNumber file, uint64_t first, uint64_t last, const StorageBarrierPtr& barrier)
{
    CachedFiles::File& known = m_files.Get(file);
    uint64_t found = 0;
    for (uint64_t index = first; index <= last; ++index)
    {
        found += Want(file, known, index, last, barrier) ? 1 : 0;
    }
    known.readAhead.SetPrevious(last);

    const uint64_t pages = last - first + 1;
    ++m_statistics.reads;
    m_statistics.pageHits += found;
    m_statistics.pageMisses += pages - found;
    m_statistics.readHits += found == pages ? 1 : 0;
    m_statistics.readMisses += found == 0 ? 1 : 0;
    m_statistics.readPartial += found != 0 && found != pages ? 1 : 0;
    return found;
}

bool
CacheReader::Want(InodeNumber file,
                  CachedFiles::File& known,
                  uint64_t index,
                  uint64_t last,
                  const StorageBarrierPtr& barrier)
{
    PageCache& cache = m_files.GetCache();
    const uint64_t wanted = last - index + 1;
    const uint64_t greatest =
        m_settings.readAhead == 0
            ? 0
            : std::max(m_settings.readAhead / m_settings.pageSize,
                       std::min(wanted, MAX_DEVICE_OCTETS / m_settings.pageSize));
    const PageCache::Page* page = cache.Find(file, index);
    if (page == nullptr && !m_files.IsHole(known, index))
    {
        Load(file, known, known.readAhead.OnMiss(index, wanted, greatest), last);
        page = cache.Find(file, index);
        m_files.Wait(page != nullptr ? page->loading : StartRead(file, {index, 1}), barrier);
        cache.Touch(file, index);
        return false;
    }
    cache.Insert(file, index);
    cache.Touch(file, index);
    if (known.readAhead.IsMarker(index))
    {
        Load(file, known, known.readAhead.OnMarker(index, wanted, greatest), last);
    }
    if (page != nullptr && page->loading != 0)
    {
        // The pages behind the first of a run that this READ has started are no joins.
        m_statistics.pageJoins += m_files.IsFirst(page->loading, barrier) ? 0 : 1;
        m_files.Wait(page->loading, barrier);
        return false;
    }
    return true;
}

void
CacheReader::Load(InodeNumber file, const CachedFiles::File& known, PageRange range, uint64_t last)
{
    PageCache& cache = m_files.GetCache();
    const uint64_t end =
        std::min(range.first + range.count, m_files.CountPages(m_files.GetSize(file)));
    PageRange run{range.first, 0};
    for (uint64_t index = range.first; index < end; ++index)
    {
        if (cache.Find(file, index) != nullptr || m_files.IsHole(known, index))
        {
            if (run.count != 0)
            {
                StartRead(file, run);
            }
            run = {index + 1, 0};
            continue;
        }
        ++run.count;
        m_statistics.pagesAhead += index > last ? 1 : 0;
    }
    if (run.count != 0)
    {
        StartRead(file, run);
    }
}

uint64_t
CacheReader::StartRead(InodeNumber file, PageRange pages)
{
    const uint64_t number = m_files.Add(StorageWork::READ, file, pages);
    m_statistics.pagesRead += pages.count;
    m_files.Submit(number, [this, number] { EndRead(number); });
    return number;
}

void
CacheReader::EndRead(uint64_t number)
{
    const auto job = m_files.End(number);
    m_files.GetCache().Trim();
    for (const auto& barrier : job.waiting)
    {
        barrier->Pass();
    }
}

void
CacheReader::FillPart(InodeNumber file, uint64_t index, const StorageBarrierPtr& barrier)
{
    const PageCache::Page* page = m_files.GetCache().Find(file, index);
    if (page != nullptr)
    {
        if (page->loading != 0)
        {
            m_files.Wait(page->loading, barrier);
        }
        return;
    }
    if (!m_files.IsHole(m_files.Get(file), index))
    {
        ++m_statistics.pagesFilled;
        m_files.Wait(StartRead(file, {index, 1}), barrier);
    }
}

} // namespace ns3::nfsrdma
