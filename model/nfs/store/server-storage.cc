/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nfs/store/server-storage.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_OBJECT_ENSURE_REGISTERED(ServerStorage);

TypeId
ServerStorage::GetTypeId()
{
    static TypeId tid = AddAttributes(
        TypeId("ns3::nfsrdma::ServerStorage")
            .SetParent<Object>()
            .SetGroupName("NfsRdma")
            .AddConstructor<ServerStorage>()
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
                            "ns3::nfsrdma::ServerStorage::LostTracedCallback"),
        PageCacheSettings::GetRows(),
        &ServerStorage::m_settings);
    return tid;
}

ServerStorage::ServerStorage()
    : m_files(*this, m_settings),
      m_reader(m_files, m_settings, m_statistics),
      m_writeBack(m_files,
                  m_settings,
                  m_statistics,
                  {m_dirtyPages, m_writeBackTrace, m_throttledTrace})
{
}

ServerStorage::~ServerStorage()
{
    SetFileStore(nullptr);
}

void
ServerStorage::DoDispose()
{
    m_writeBack.Dispose();
    SetFileStore(nullptr);
    m_files.ClearJobs();
    m_files.SetDevice(nullptr);
    Object::DoDispose();
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
    m_files.SetFileStore(store);
    if (m_store)
    {
        m_store->TraceConnectWithoutContext("SizeChanged", sizeChanged);
        m_store->TraceConnectWithoutContext("Removed", removed);
    }
}

void
ServerStorage::SetPressure(std::optional<uint64_t> pages)
{
    m_files.SetPressure(pages);
    if (m_files.FindCache())
    {
        m_writeBack.Adapt();
    }
}

void
ServerStorage::OnSizeChanged(InodeNumber file, uint64_t before, uint64_t now)
{
    if (!HasCache())
    {
        return;
    }
    m_files.Resize(file, before, now);
    if (now < before)
    {
        m_writeBack.Drop();
    }
}

void
ServerStorage::OnRemoved(InodeNumber file)
{
    const auto known = m_files.Remove(file);
    if (!known)
    {
        return;
    }
    if (known->listed)
    {
        m_writeBack.Remove(file);
    }
    m_writeBack.Drop();
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
    const Time copy = octets == 0 || m_settings.copyRate.GetBitRate() == 0
                          ? Time(0)
                          : m_settings.copyRate.CalculateBytesTxTime(octets);
    if (copy.IsZero())
    {
        GetDevice()->Submit(StorageWork::METADATA, 0, std::move(done));
        return;
    }
    GetDevice()->Submit(StorageWork::METADATA, 0, [copy, done = std::move(done)] {
        Simulator::Schedule(copy, done);
    });
}

void
ServerStorage::Metadata(Done done)
{
    GetDevice()->Submit(StorageWork::METADATA, 0, std::move(done));
}

void
ServerStorage::MetadataChange(Done done)
{
    GetDevice()->Submit(StorageWork::METADATA_CHANGE, 0, std::move(done));
}

void
ServerStorage::Read(InodeNumber file, uint64_t offset, uint64_t count, Done done)
{
    if (!HasCache())
    {
        const auto position = m_files.GetPosition(file, offset);
        GetDevice()->Submit(StorageWork::READ, count, std::move(done), position);
        return;
    }
    if (count == 0)
    {
        Metadata(std::move(done));
        return;
    }
    const uint64_t first = offset / m_settings.pageSize;
    const uint64_t last = (offset + count - 1) / m_settings.pageSize;
    const uint64_t pages = last - first + 1;
    const auto barrier = std::make_shared<StorageBarrier>(Count(std::move(done)));
    const uint64_t found = m_reader.Read(file, first, last, barrier);
    m_readTrace(file, found, pages - found);
    m_files.GetCache().Trim();
    if (found == pages)
    {
        Metadata([barrier] { barrier->Pass(); });
        return;
    }
    barrier->Pass();
}

void
ServerStorage::Write(InodeNumber file, uint64_t offset, uint64_t count, StableHow stable, Done done)
{
    if (m_settings.writeCost.IsZero())
    {
        Store(file, offset, count, stable, std::move(done));
        return;
    }
    Simulator::Schedule(m_settings.writeCost,
                        [self = Ptr<ServerStorage>(this),
                         file,
                         offset,
                         count,
                         stable,
                         done = Count(std::move(done))]() mutable {
                            self->Store(file, offset, count, stable, std::move(done));
                        });
}

void
ServerStorage::Store(InodeNumber file, uint64_t offset, uint64_t count, StableHow stable, Done done)
{
    if (!HasCache())
    {
        const bool isStable = stable != StableHow::UNSTABLE;
        const auto position = m_files.GetPosition(file, offset);
        GetDevice()->Submit(isStable ? StorageWork::WRITE_SYNC : StorageWork::WRITE,
                            count,
                            std::move(done),
                            position);
        return;
    }
    if (count == 0)
    {
        Metadata(std::move(done));
        return;
    }
    ++m_statistics.writes;
    const uint64_t end = offset + count;
    const uint64_t first = offset / m_settings.pageSize;
    const uint64_t last = (end - 1) / m_settings.pageSize;
    const auto barrier =
        std::make_shared<StorageBarrier>([self = Ptr<ServerStorage>(this),
                                          file,
                                          first,
                                          last,
                                          stable,
                                          done = Count(std::move(done))]() mutable {
            self->EndWrite(file, first, last, stable, std::move(done));
        });
    const bool cutsFirst = offset % m_settings.pageSize != 0;
    const bool cutsLast = end < std::min((last + 1) * m_settings.pageSize, m_files.GetSize(file));
    if (cutsFirst || (cutsLast && first == last))
    {
        m_reader.FillPart(file, first, barrier);
    }
    if (cutsLast && first != last)
    {
        m_reader.FillPart(file, last, barrier);
    }
    m_writeBack.MarkDirty(file, offset, count);
    Remember(count, [barrier] { barrier->Pass(); });
    m_writeBack.Start();
}

void
ServerStorage::EndWrite(InodeNumber file,
                        uint64_t first,
                        uint64_t last,
                        StableHow stable,
                        Done&& done)
{
    if (stable == StableHow::UNSTABLE)
    {
        m_writeBack.Throttle(std::move(done));
        return;
    }
    Sync(file, first, last, std::move(done));
}

void
ServerStorage::Commit(InodeNumber file, uint64_t offset, uint64_t count, Done done)
{
    if (!HasCache())
    {
        GetDevice()->Submit(StorageWork::SYNC, 0, std::move(done));
        return;
    }
    ++m_statistics.commits;
    const uint64_t end =
        count == 0 || count > ALL_OCTETS - offset ? ALL_OCTETS : offset + count - 1;
    Sync(file, offset / m_settings.pageSize, end / m_settings.pageSize, Count(std::move(done)));
}

void
ServerStorage::Sync(InodeNumber file, uint64_t first, uint64_t last, Done&& done)
{
    const auto barrier = std::make_shared<StorageBarrier>(
        [self = Ptr<ServerStorage>(this), done = std::move(done)]() mutable {
            self->GetDevice()->Submit(StorageWork::SYNC, 0, std::move(done));
        });
    m_writeBack.Flush(file, first, last, barrier);
    barrier->Pass();
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

void
ServerStorage::DoAll(std::vector<StorageTask> tasks, Done done)
{
    if (tasks.empty())
    {
        done();
        return;
    }
    const StorageTask first = tasks.front();
    tasks.erase(tasks.begin());
    Do(first,
       [self = Ptr<ServerStorage>(this),
        tasks = std::move(tasks),
        done = std::move(done)]() mutable { self->DoAll(std::move(tasks), std::move(done)); });
}

uint64_t
ServerStorage::GetCachedPages() const
{
    const PageCache* cache = m_files.FindCache();
    return cache ? cache->GetCount() : 0;
}

uint64_t
ServerStorage::GetDirtyPages() const
{
    const PageCache* cache = m_files.FindCache();
    return cache ? cache->GetDirty() : 0;
}

uint64_t
ServerStorage::GetEvictedPages() const
{
    const PageCache* cache = m_files.FindCache();
    return cache ? cache->GetEvicted() : 0;
}

std::vector<OctetsAtRisk>
ServerStorage::Restart()
{
    auto lost = GetAtRisk();
    for (const auto& part : lost)
    {
        const uint64_t octets = part.extent.end - part.extent.begin;
        if (m_settings.loseOnRestart && m_store)
        {
            m_store->GetData().Wipe(part.file, part.extent.begin, octets);
        }
        m_lostTrace(part.file, part.extent.begin, octets);
    }
    if (m_files.FindCache())
    {
        m_statistics.pagesLost += GetDirtyPages() + m_writeBack.GetWritingPages();
    }
    m_files.Restart();
    m_writeBack.Restart();
    return lost;
}

} // namespace ns3::nfsrdma
