/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/cached-file-io.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t PAGE = ClientCache::PAGE;

} // namespace

CachedFileIo::CachedFileIo(VerifyingFileClient& client,
                           std::shared_ptr<ClientCache> cache,
                           std::shared_ptr<OpenFile> file,
                           uint64_t size,
                           KeptPages* pages)
    : m_client(client),
      m_cache(std::move(cache)),
      m_file(std::move(file)),
      m_size(size),
      m_pages(pages),
      m_crashes(client.GetCrashes()),
      m_readAhead(m_cache->GetSettings().readAhead / ClientCache::PAGE)
{
    if (m_pages != nullptr)
    {
        m_cached = m_pages->GetPages();
    }
}

uint64_t
CachedFileIo::CountPages(const OctetRange& range)
{
    return range.IsEmpty() ? 0 : ((range.end - 1) / PAGE) - (range.begin / PAGE) + 1;
}

void
CachedFileIo::EndCopy(Done done, uint64_t octets) const
{
    Simulator::Schedule(m_cache->GetCost(octets), [done = std::move(done), octets] {
        done({true, octets});
    });
}

void
CachedFileIo::EndSoon(Done done, bool ok)
{
    Simulator::ScheduleNow([done = std::move(done), ok] { done({ok, 0}); });
}

void
CachedFileIo::NoticeCrash()
{
    if (std::exchange(m_crashes, m_client.GetCrashes()) == m_client.GetCrashes())
    {
        return;
    }
    const OctetSet dirty = std::exchange(m_dirty, {});
    m_cached = {};
    m_marks.clear();
    m_unstable.clear();
    m_failed = true;
    m_cache->RemoveDirty(dirty.GetSize());
    for (const auto& part : dirty.Intersect({0, OctetRange::UNBOUNDED}))
    {
        Settle(part, true);
    }
}

void
CachedFileIo::Read(uint64_t offset, uint32_t count, Done done)
{
    NoticeCrash();
    TryRead({OctetRange::Of(offset, count), std::move(done)});
}

void
CachedFileIo::TryRead(Reader reader)
{
    const auto range = reader.range.Intersect({0, m_size});
    const auto gap = range.IsEmpty() ? OctetRange{} : m_cached.FindGap(range);
    UseMarks({range.begin, gap.IsEmpty() ? range.end : gap.begin});
    if (gap.IsEmpty())
    {
        if (!range.IsEmpty())
        {
            m_readAhead.Used((range.end - 1) / PAGE);
        }
        EndCopy(std::move(reader.done), range.IsEmpty() ? 0 : range.end - range.begin);
        return;
    }
    if (m_reading.FindGap({gap.begin, gap.begin + 1}).IsEmpty())
    {
        m_readers.push_back(std::move(reader));
        return;
    }
    m_readers.push_back(std::move(reader));
    StartWindow(m_readAhead.Miss(gap.begin / PAGE,
                                 static_cast<uint32_t>(CountPages({gap.begin, range.end}))));
    // The window may lie elsewhere than what is wanted.
    StartRead({gap.begin, std::min(gap.end, range.end)});
}

void
CachedFileIo::UseMarks(const OctetRange& range)
{
    if (range.IsEmpty())
    {
        return;
    }
    const auto mark = m_marks.lower_bound(range.begin / PAGE);
    if (mark == m_marks.end() || *mark * PAGE >= range.end)
    {
        return;
    }
    const uint64_t page = *mark;
    m_marks.erase(mark);
    OctetSet known = m_cached;
    for (const auto& part : m_reading.Intersect({0, OctetRange::UNBOUNDED}))
    {
        known.Add(part);
    }
    const auto gap = known.FindGap({page * PAGE, OctetRange::UNBOUNDED});
    StartWindow(m_readAhead.UseMark(page,
                                    static_cast<uint32_t>(CountPages({page * PAGE, range.end})),
                                    gap.begin / PAGE));
}

void
CachedFileIo::StartWindow(const ClientReadAhead::Window& window)
{
    if (window.count == 0)
    {
        return;
    }
    if (window.mark)
    {
        m_marks.insert(*window.mark);
    }
    StartRead({window.first * PAGE, std::min((window.first + window.count) * PAGE, m_size)});
}

void
CachedFileIo::StartRead(const OctetRange& range)
{
    uint64_t at = range.begin;
    while (at < range.end)
    {
        auto gap = m_cached.FindGap({at, range.end});
        gap = gap.IsEmpty() ? gap : m_reading.FindGap(gap);
        if (gap.IsEmpty())
        {
            const auto next = m_cached.Contains({at, at + 1}) ? m_cached : m_reading;
            const auto parts = next.Intersect({at, range.end});
            at = parts.empty() ? range.end : parts.front().end;
            continue;
        }
        gap.end = std::min(gap.end, gap.begin + m_client.GetTransferSize());
        at = gap.end;
        m_reading.Add(gap);
        m_client.Run(FileRead{m_file, gap.begin, static_cast<uint32_t>(gap.end - gap.begin)},
                     [this, gap](const FileReadReply& reply) { EndRead(gap, reply); });
    }
}

void
CachedFileIo::EndRead(const OctetRange& range, const FileReadReply& reply)
{
    NoticeCrash();
    m_reading.Remove(range);
    const bool ok = reply.IsOk() && (reply.count != 0 || reply.eof);
    if (ok)
    {
        // Octets past the end that the server has are zeros here.
        m_cached.Add(reply.eof ? range : OctetRange::Of(range.begin, reply.count));
    }
    for (auto& reader : std::exchange(m_readers, {}))
    {
        if (!ok && !reader.range.Intersect(range).IsEmpty())
        {
            EndSoon(std::move(reader.done), false);
            continue;
        }
        TryRead(std::move(reader));
    }
    ContinueClose();
}

void
CachedFileIo::MakeDirty(const OctetRange& range)
{
    const uint64_t before = m_dirty.GetSize();
    m_dirty.Add(range);
    m_cache->AddDirty(m_dirty.GetSize() - before);
}

void
CachedFileIo::Write(uint64_t offset, uint32_t count, Done done, Done settled)
{
    NoticeCrash();
    if (!m_cache->HasRoom(count))
    {
        m_cache->Wait(
            [this, offset, count, done = std::move(done), settled = std::move(settled)]() mutable {
                Write(offset, count, std::move(done), std::move(settled));
            });
        WriteBack();
        return;
    }
    const auto range = OctetRange::Of(offset, count);
    m_written = true;
    MakeDirty(range);
    m_cached.Add(range);
    m_size = std::max(m_size, range.end);
    m_longestWrite = std::max<uint64_t>(m_longestWrite, count);
    m_unsettled.emplace(offset, Unsettled{range.end, false, std::move(settled)});
    EndCopy(std::move(done), count);
    if (m_cache->IsAboveBackground())
    {
        WriteBack();
    }
}

void
CachedFileIo::WriteBack()
{
    const uint32_t most = m_client.GetTransferSize();
    const bool single = !m_syncs.empty() && m_unstable.empty() && m_writing.IsEmpty() &&
                        m_dirty.GetSize() <= most &&
                        m_dirty.GetFirst().end - m_dirty.GetFirst().begin == m_dirty.GetSize();
    for (const auto& part : m_dirty.Intersect({0, OctetRange::UNBOUNDED}))
    {
        for (uint64_t at = part.begin; at < part.end;)
        {
            const OctetRange range{at, std::min<uint64_t>(part.end, at + most)};
            at = range.end;
            if (m_writing.Intersect(range).empty())
            {
                StartWrite(range, single ? StableHow::FILE_SYNC : StableHow::UNSTABLE);
            }
        }
    }
}

void
CachedFileIo::StartWrite(const OctetRange& range, StableHow stable)
{
    m_dirty.Remove(range);
    m_writing.Add(range);
    m_client.Run(
        FileWrite{m_file, range.begin, static_cast<uint32_t>(range.end - range.begin), stable},
        [this, range](const FileWriteReply& reply) { EndWrite(range, reply); });
}

void
CachedFileIo::Settle(const OctetRange& range, bool lost)
{
    const uint64_t first = range.begin - std::min(range.begin, m_longestWrite);
    for (auto write = m_unsettled.lower_bound(first);
         write != m_unsettled.end() && write->first < range.end;)
    {
        const OctetRange own{write->first, write->second.end};
        if (own.Intersect(range).IsEmpty())
        {
            ++write;
            continue;
        }
        write->second.lost = write->second.lost || lost;
        if (!m_dirty.Intersect(own).empty() || !m_writing.Intersect(own).empty())
        {
            ++write;
            continue;
        }
        const bool ok = !write->second.lost;
        Simulator::ScheduleNow([settled = std::move(write->second.settled), own, ok] {
            settled({ok, ok ? own.end - own.begin : 0});
        });
        write = m_unsettled.erase(write);
    }
}

void
CachedFileIo::EndWrite(const OctetRange& range, const FileWriteReply& reply)
{
    NoticeCrash();
    m_writing.Remove(range);
    m_cache->RemoveDirty(range.end - range.begin);
    const bool lost = !reply.IsOk() || reply.count == 0;
    if (lost)
    {
        m_failed = true;
    }
    else
    {
        const auto written = range.Intersect(OctetRange::Of(range.begin, reply.count));
        if (reply.committed == StableHow::UNSTABLE)
        {
            m_unstable.push_back({written, reply.verifier});
        }
        if (written.end < range.end)
        {
            MakeDirty({written.end, range.end});
        }
    }
    Settle(range, lost);
    if (!m_syncs.empty() || m_cache->IsAboveBackground())
    {
        WriteBack();
    }
    ContinueSync();
}

void
CachedFileIo::Sync(Done done)
{
    NoticeCrash();
    m_syncs.push_back(std::move(done));
    WriteBack();
    ContinueSync();
}

void
CachedFileIo::ContinueSync()
{
    if (m_syncs.empty() || m_committing || !m_dirty.IsEmpty() || !m_writing.IsEmpty())
    {
        return;
    }
    if (!m_unstable.empty())
    {
        m_committing = true;
        m_client.Run(FileCommit{m_file, 0, 0},
                     [this](const FileCommitReply& reply) { EndCommit(reply); });
        return;
    }
    const bool ok = !std::exchange(m_failed, false);
    for (auto& done : std::exchange(m_syncs, {}))
    {
        EndSoon(std::move(done), ok);
    }
}

void
CachedFileIo::EndCommit(const FileCommitReply& reply)
{
    NoticeCrash();
    m_committing = false;
    m_failed = m_failed || !reply.IsOk();
    for (const auto& unstable : std::exchange(m_unstable, {}))
    {
        if (reply.IsOk() && unstable.verifier != reply.verifier)
        {
            MakeDirty(unstable.range);
        }
    }
    WriteBack();
    ContinueSync();
}

void
CachedFileIo::Close(Done done)
{
    Sync([this, done = std::move(done)](const Result& synced) mutable {
        m_close = [this, done = std::move(done), ok = synced.ok] {
            m_client.Run(FileClose{std::exchange(m_file, nullptr)},
                         [done, ok](const FileReply& reply) {
                             done({ok && reply.IsOk(), 0});
                         });
        };
        ContinueClose();
    });
}

void
CachedFileIo::ContinueClose()
{
    if (m_close && m_reading.IsEmpty())
    {
        if (m_pages != nullptr)
        {
            m_pages->Close(m_cached, m_written);
        }
        std::exchange(m_close, nullptr)();
    }
}

} // namespace ns3::nfsrdma
