/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/server-storage.h"

#include <algorithm>

namespace ns3::nfsrdma
{

void
ServerStorage::Read(InodeNumber file, uint64_t offset, uint64_t count, Done done)
{
    if (!HasCache())
    {
        m_device->Submit(StorageWork::READ, count, std::move(done), GetPosition(file, offset));
        return;
    }
    if (count == 0)
    {
        Metadata(std::move(done));
        return;
    }
    File& known = m_files[file];
    const uint64_t first = offset / m_pageSize;
    const uint64_t last = (offset + count - 1) / m_pageSize;
    const auto barrier = MakeBarrier(Count(std::move(done)));
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
    m_readTrace(file, found, pages - found);
    GetCache().Trim();
    if (found == pages)
    {
        m_device->Submit(StorageWork::METADATA, 0, [barrier] { Pass(barrier); });
        return;
    }
    Pass(barrier);
}

bool
ServerStorage::IsHole(const File& known, uint64_t index) const
{
    return index * m_pageSize >= known.stored;
}

bool
ServerStorage::Want(InodeNumber file,
                    File& known,
                    uint64_t index,
                    uint64_t last,
                    const BarrierPtr& barrier)
{
    PageCache& cache = GetCache();
    const uint64_t wanted = last - index + 1;
    const uint64_t greatest = m_readAheadSize == 0
                                  ? 0
                                  : std::max(m_readAheadSize / m_pageSize,
                                             std::min(wanted, MAX_DEVICE_OCTETS / m_pageSize));
    const PageCache::Page* page = cache.Find(file, index);
    if (page == nullptr && !IsHole(known, index))
    {
        Load(file, known, known.readAhead.OnMiss(index, wanted, greatest), last);
        page = cache.Find(file, index);
        Wait(page != nullptr ? page->loading : StartRead(file, {index, 1}), barrier);
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
        const Job& job = m_jobs.at(page->loading);
        // The pages behind the first of a run that this READ has started are no joins.
        m_statistics.pageJoins += job.waiting.empty() || job.waiting.front() != barrier ? 1 : 0;
        Wait(page->loading, barrier);
        return false;
    }
    return true;
}

void
ServerStorage::Load(InodeNumber file, const File& known, PageRange range, uint64_t last)
{
    PageCache& cache = GetCache();
    const uint64_t end = std::min(range.first + range.count, GetPages(GetSize(file)));
    PageRange run{range.first, 0};
    for (uint64_t index = range.first; index < end; ++index)
    {
        if (cache.Find(file, index) != nullptr || IsHole(known, index))
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
ServerStorage::StartRead(InodeNumber file, PageRange pages)
{
    const uint64_t number = m_nextJob++;
    Job& job = m_jobs[number];
    job.file = file;
    job.pages = pages;
    for (uint64_t index = pages.first; index < pages.first + pages.count; ++index)
    {
        GetCache().SetLoading(file, index, number);
    }
    m_statistics.pagesRead += pages.count;
    m_device->Submit(
        StorageWork::READ,
        pages.count * m_pageSize,
        [self = Ptr<ServerStorage>(this), number] { self->EndRead(number); },
        GetPosition(file, pages.first * m_pageSize));
    return number;
}

void
ServerStorage::EndRead(uint64_t number)
{
    const auto found = m_jobs.find(number);
    const Job job = std::move(found->second);
    m_jobs.erase(found);
    PageCache& cache = GetCache();
    for (uint64_t index = job.pages.first; index < job.pages.first + job.pages.count; ++index)
    {
        const PageCache::Page* page = cache.Find(job.file, index);
        if (page != nullptr && page->loading == number)
        {
            cache.SetLoading(job.file, index, 0);
        }
    }
    cache.Trim();
    for (const auto& barrier : job.waiting)
    {
        Pass(barrier);
    }
}

void
ServerStorage::FillPart(InodeNumber file, uint64_t index, const BarrierPtr& barrier)
{
    const PageCache::Page* page = GetCache().Find(file, index);
    if (page != nullptr)
    {
        if (page->loading != 0)
        {
            Wait(page->loading, barrier);
        }
        return;
    }
    if (!IsHole(m_files[file], index))
    {
        ++m_statistics.pagesFilled;
        Wait(StartRead(file, {index, 1}), barrier);
    }
}

} // namespace ns3::nfsrdma
