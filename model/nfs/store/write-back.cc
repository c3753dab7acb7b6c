/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/write-back.h"

#include "wire/ns3-version.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <vector>

namespace ns3::nfsrdma
{

WriteBack::WriteBack(CachedFiles& files,
                     const PageCacheSettings& settings,
                     ServerStorageStatistics& statistics,
                     const Traces& traces)
    : m_files(files),
      m_settings(settings),
      m_statistics(statistics),
      m_traces(traces)
{
}

void
WriteBack::MarkDirty(InodeNumber file, uint64_t offset, uint64_t count)
{
    PageCache& cache = m_files.GetCache();
    CachedFiles::File& known = m_files.Get(file);
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
    const uint64_t last = (offset + count - 1) / m_settings.pageSize;
    for (uint64_t index = offset / m_settings.pageSize; index <= last; ++index)
    {
        cache.SetDirty(file, index, true);
        cache.Touch(file, index);
    }
    m_traces.dirtyPages = cache.GetDirty();
    cache.Trim();
}

void
WriteBack::Flush(InodeNumber file, uint64_t first, uint64_t last, const StorageBarrierPtr& barrier)
{
    const auto wait = [&](uint64_t /* index */, PageCache::Page& page) {
        if (page.writing != 0)
        {
            m_files.Wait(page.writing, barrier);
        }
    };
    m_files.GetCache().ForEach(file, first, last, wait);
    while (const uint64_t number = WriteNext(file, first, last, false))
    {
        m_files.Wait(number, barrier);
    }
}

uint64_t
WriteBack::WriteNext(InodeNumber file, uint64_t first, uint64_t last, bool behind)
{
    PageCache& cache = m_files.GetCache();
    const uint64_t most = std::max<uint64_t>(m_settings.writeBackSize / m_settings.pageSize, 1);
    const PageRange pages = cache.FindDirty(file, first, last, most);
    if (pages.count == 0)
    {
        return 0;
    }
    const uint64_t number = m_files.Add(StorageWork::WRITE, file, pages);
    m_traces.dirtyPages = cache.GetDirty();
    m_writingPages += pages.count;
    m_behind += behind ? 1 : 0;
    m_files.Submit(number, [this, number, behind] { EndWrite(number, behind); });
    return number;
}

void
WriteBack::EndWrite(uint64_t number, bool behind)
{
    const auto job = m_files.End(number);
    const auto& [first, count] = job.pages;
    m_writingPages -= count;
    m_behind -= behind ? 1 : 0;
    m_statistics.pagesWritten += count;
    m_statistics.writtenBehind += behind ? count : 0;
    m_traces.written(job.file, first, count);
    m_files.GetCache().Trim();
    for (const auto& barrier : job.waiting)
    {
        barrier->Pass();
    }
    Release();
    WriteBehind();
}

bool
WriteBack::IsOverLimit()
{
    const uint64_t limit = std::max<uint64_t>(GetLimit(m_settings.dirtyRatio), 1);
    return m_files.GetCache().GetDirty() + m_writingPages >= limit;
}

void
WriteBack::Throttle(StorageDone&& done)
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
WriteBack::Release()
{
    while (!m_throttled.empty() && !IsOverLimit())
    {
        const ThrottledWrite next = std::move(m_throttled.front());
        m_throttled.pop_front();
        const Time waited = Simulator::Now() - next.since;
        m_statistics.throttledTime += waited;
        m_traces.throttled(waited);
        next.done();
    }
}

void
WriteBack::Start()
{
    WriteBehind();
    ArmFlusher();
}

void
WriteBack::WriteBehind()
{
    const uint64_t background =
        GetLimit(std::min(m_settings.dirtyBackgroundRatio, m_settings.dirtyRatio));
    while (m_behind < m_settings.writeBackDepth &&
           (m_files.GetCache().GetDirty() > background || !m_throttled.empty()) &&
           WriteBehindOnce())
    {
    }
}

bool
WriteBack::WriteBehindOnce()
{
    while (!m_dirtyFiles.empty())
    {
        const InodeNumber file = m_dirtyFiles.front();
        m_dirtyFiles.pop_front();
        m_dirtyFiles.push_back(file);
        if (WriteNext(file, 0, ALL_OCTETS, true) != 0)
        {
            return true;
        }
        m_dirtyFiles.pop_back();
        m_files.Get(file).listed = false;
    }
    return false;
}

void
WriteBack::ArmFlusher()
{
    if (!IsPending(m_flusher) && !m_settings.writeBackInterval.IsZero() &&
        m_files.GetCache().GetDirty() != 0)
    {
        m_flusher = Simulator::Schedule(m_settings.writeBackInterval, &WriteBack::RunFlusher, this);
    }
}

void
WriteBack::RunFlusher()
{
    const Time now = Simulator::Now();
    const std::vector<InodeNumber> files(m_dirtyFiles.begin(), m_dirtyFiles.end());
    for (const InodeNumber file : files)
    {
        if (now - m_files.Get(file).dirtySince < m_settings.dirtyExpire)
        {
            continue;
        }
        while (WriteNext(file, 0, ALL_OCTETS, true) != 0)
        {
        }
    }
    ArmFlusher();
}

void
WriteBack::Drop()
{
    m_traces.dirtyPages = m_files.GetCache().GetDirty();
    Release();
}

void
WriteBack::Adapt()
{
    WriteBehind();
    Release();
}

void
WriteBack::Restart()
{
    m_dirtyFiles.clear();
    m_traces.dirtyPages = 0;
    m_flusher.Cancel();
    Release();
}

void
WriteBack::Dispose()
{
    m_flusher.Cancel();
    m_throttled.clear();
}

} // namespace ns3::nfsrdma
