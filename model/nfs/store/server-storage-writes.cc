/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/server-storage.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

void
ServerStorage::Write(InodeNumber file, uint64_t offset, uint64_t count, StableHow stable, Done done)
{
    if (!HasCache())
    {
        m_device->Submit(stable == StableHow::UNSTABLE ? StorageWork::WRITE
                                                       : StorageWork::WRITE_SYNC,
                         count,
                         std::move(done),
                         GetPosition(file, offset));
        return;
    }
    if (count == 0)
    {
        Metadata(std::move(done));
        return;
    }
    ++m_statistics.writes;
    const auto barrier = MakeBarrier([self = Ptr<ServerStorage>(this),
                                      file,
                                      offset,
                                      count,
                                      stable,
                                      done = Count(std::move(done))]() mutable {
        self->EndWrite(file, offset, count, stable, std::move(done));
    });
    const uint64_t end = offset + count;
    const uint64_t first = offset / m_pageSize;
    const uint64_t last = (end - 1) / m_pageSize;
    const bool cutsFirst = offset % m_pageSize != 0;
    const bool cutsLast = end < std::min((last + 1) * m_pageSize, GetSize(file));
    if (cutsFirst || (cutsLast && first == last))
    {
        FillPart(file, first, barrier);
    }
    if (cutsLast && first != last)
    {
        FillPart(file, last, barrier);
    }
    MarkDirty(file, offset, count);
    Remember(count, [barrier] { Pass(barrier); });
    WriteBehind();
    ArmFlusher();
}

void
ServerStorage::MarkDirty(InodeNumber file, uint64_t offset, uint64_t count)
{
    PageCache& cache = GetCache();
    File& known = m_files[file];
    if (cache.FindDirty(file, 0, ALL_OCTETS, 1).count == 0)
    {
        known.dirtySince = Simulator::Now();
    }
    if (!known.listed)
    {
        known.listed = true;
        m_dirtyFiles.push_back(file);
    }
    known.unstable.Add(offset, offset + count);
    for (uint64_t index = offset / m_pageSize; index <= (offset + count - 1) / m_pageSize; ++index)
    {
        cache.SetDirty(file, index, true);
        cache.Touch(file, index);
    }
    m_dirtyPages = cache.GetDirty();
    cache.Trim();
}

void
ServerStorage::EndWrite(InodeNumber file,
                        uint64_t offset,
                        uint64_t count,
                        StableHow stable,
                        Done&& done)
{
    if (stable == StableHow::UNSTABLE)
    {
        Throttle(std::move(done));
        return;
    }
    const auto barrier =
        MakeBarrier([self = Ptr<ServerStorage>(this), done = std::move(done)]() mutable {
            self->m_device->Submit(StorageWork::SYNC, 0, std::move(done));
        });
    Flush(file, offset / m_pageSize, (offset + count - 1) / m_pageSize, barrier);
    Pass(barrier);
}

void
ServerStorage::Commit(InodeNumber file, uint64_t offset, uint64_t count, Done done)
{
    if (!HasCache())
    {
        m_device->Submit(StorageWork::SYNC, 0, std::move(done));
        return;
    }
    ++m_statistics.commits;
    const auto barrier =
        MakeBarrier([self = Ptr<ServerStorage>(this), done = Count(std::move(done))]() mutable {
            self->m_device->Submit(StorageWork::SYNC, 0, std::move(done));
        });
    const uint64_t end =
        count == 0 || count > ALL_OCTETS - offset ? ALL_OCTETS : offset + count - 1;
    Flush(file, offset / m_pageSize, end / m_pageSize, barrier);
    Pass(barrier);
}

void
ServerStorage::Flush(InodeNumber file, uint64_t first, uint64_t last, const BarrierPtr& barrier)
{
    GetCache().ForEach(file, first, last, [&](uint64_t /* index */, PageCache::Page& page) {
        if (page.writing != 0)
        {
            Wait(page.writing, barrier);
        }
    });
    const uint64_t most = std::max<uint64_t>(m_writeBackSize / m_pageSize, 1);
    for (auto run = GetCache().FindDirty(file, first, last, most); run.count != 0;
         run = GetCache().FindDirty(file, first, last, most))
    {
        Wait(StartWrite(file, run, false), barrier);
    }
}

uint64_t
ServerStorage::StartWrite(InodeNumber file, PageRange pages, bool behind)
{
    const uint64_t number = m_nextJob++;
    Job& job = m_jobs[number];
    job.file = file;
    job.pages = pages;
    job.behind = behind;
    const uint64_t begin = pages.first * m_pageSize;
    const uint64_t end = (pages.first + pages.count) * m_pageSize;
    job.extents = m_files[file].unstable.Take(begin, end);
    for (uint64_t index = pages.first; index < pages.first + pages.count; ++index)
    {
        GetCache().SetWriting(file, index, number);
        GetCache().SetDirty(file, index, false);
    }
    m_dirtyPages = GetCache().GetDirty();
    m_writingPages += pages.count;
    m_behind += behind ? 1 : 0;
    m_device->Submit(
        StorageWork::WRITE,
        end - begin,
        [self = Ptr<ServerStorage>(this), number] { self->EndWriteJob(number); },
        GetPosition(file, begin));
    return number;
}

void
ServerStorage::EndWriteJob(uint64_t number)
{
    const auto found = m_jobs.find(number);
    const Job job = std::move(found->second);
    m_jobs.erase(found);
    PageCache& cache = GetCache();
    const uint64_t end = job.pages.first + job.pages.count;
    bool isThere = false;
    for (uint64_t index = job.pages.first; index < end; ++index)
    {
        const PageCache::Page* page = cache.Find(job.file, index);
        if (page != nullptr && page->writing == number)
        {
            cache.SetWriting(job.file, index, 0);
            isThere = true;
        }
    }
    if (isThere)
    {
        File& known = m_files[job.file];
        known.stored = std::max(known.stored, end * m_pageSize);
    }
    m_writingPages -= job.pages.count;
    m_behind -= job.behind ? 1 : 0;
    m_statistics.pagesWritten += job.pages.count;
    m_statistics.writtenBehind += job.behind ? job.pages.count : 0;
    m_writeBackTrace(job.file, job.pages.first, job.pages.count);
    cache.Trim();
    for (const auto& barrier : job.waiting)
    {
        Pass(barrier);
    }
    ReleaseThrottled();
    WriteBehind();
}

bool
ServerStorage::IsOverLimit()
{
    const uint64_t limit = std::max<uint64_t>(GetDirtyLimit(m_dirtyRatio), 1);
    return GetCache().GetDirty() + m_writingPages >= limit;
}

void
ServerStorage::Throttle(Done&& done)
{
    if (m_throttled.empty() && !IsOverLimit())
    {
        done();
        return;
    }
    ++m_statistics.throttled;
    m_throttled.push_back({Simulator::Now(), std::move(done)});
    WriteBehind();
}

void
ServerStorage::ReleaseThrottled()
{
    while (!m_throttled.empty() && !IsOverLimit())
    {
        const ThrottledWrite next = std::move(m_throttled.front());
        m_throttled.pop_front();
        const Time waited = Simulator::Now() - next.since;
        m_statistics.throttledTime += waited;
        m_throttledTrace(waited);
        next.done();
    }
}

void
ServerStorage::WriteBehind()
{
    const double ratio = std::min(m_dirtyBackgroundRatio, m_dirtyRatio);
    const uint64_t background = GetDirtyLimit(ratio);
    while (m_behind < m_writeBackDepth &&
           (GetCache().GetDirty() > background || !m_throttled.empty()) && WriteBehindOnce())
    {
    }
}

bool
ServerStorage::WriteBehindOnce()
{
    const uint64_t most = std::max<uint64_t>(m_writeBackSize / m_pageSize, 1);
    while (!m_dirtyFiles.empty())
    {
        const InodeNumber file = m_dirtyFiles.front();
        m_dirtyFiles.pop_front();
        const PageRange run = GetCache().FindDirty(file, 0, ALL_OCTETS, most);
        if (run.count != 0)
        {
            m_dirtyFiles.push_back(file);
            StartWrite(file, run, true);
            return true;
        }
        m_files[file].listed = false;
    }
    return false;
}

void
ServerStorage::ArmFlusher()
{
    if (!m_flusher.IsRunning() && !m_writeBackInterval.IsZero() && GetCache().GetDirty() != 0)
    {
        m_flusher = Simulator::Schedule(m_writeBackInterval, &ServerStorage::RunFlusher, this);
    }
}

void
ServerStorage::RunFlusher()
{
    const uint64_t most = std::max<uint64_t>(m_writeBackSize / m_pageSize, 1);
    const Time now = Simulator::Now();
    const std::vector<InodeNumber> files(m_dirtyFiles.begin(), m_dirtyFiles.end());
    for (const InodeNumber file : files)
    {
        if (now - m_files[file].dirtySince < m_dirtyExpire)
        {
            continue;
        }
        for (auto run = GetCache().FindDirty(file, 0, ALL_OCTETS, most); run.count != 0;
             run = GetCache().FindDirty(file, 0, ALL_OCTETS, most))
        {
            StartWrite(file, run, true);
        }
    }
    ArmFlusher();
}

} // namespace ns3::nfsrdma
