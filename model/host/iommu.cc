/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/iommu.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::nfsrdma
{

#define SETTINGS_OF IommuSettings
#define SETTINGS_FILE "host/iommu.def"
#include "settings/rows.def"

HostIommu::HostIommu(HostCpu& cpu, const IommuSettings& settings)
    : m_cpu(cpu),
      m_settings(settings),
      m_walks(settings.iommuWalks)
{
}

template <typename Function>
void
HostIommu::ForEachPage(const MemoryPiece& piece, Function function) const
{
    if (piece.length == 0)
    {
        return;
    }
    const uint64_t last = (piece.address + piece.length - 1) / m_settings.iommuPage;
    for (uint64_t page = piece.address / m_settings.iommuPage; page <= last; ++page)
    {
        function(page);
    }
}

uint64_t
HostIommu::CountPages(const MemoryPiece& piece) const
{
    uint64_t pages = 0;
    ForEachPage(piece, [&pages](uint64_t /* page */) { ++pages; });
    return pages;
}

bool
HostIommu::Use(uint64_t page)
{
    const bool kept =
        m_iotlb.Use(page,
                    {m_settings.iotlbSize, m_settings.iotlbWays, m_settings.iotlbReplacement});
    ++m_counters.translations;
    m_counters.misses += kept ? 0 : 1;
    return kept;
}

Time
HostIommu::Map(HostThread& thread, const MemoryPiece& piece)
{
    const uint64_t pages = CountPages(piece);
    const Time cost =
        m_settings.iommuMapCost + m_settings.iommuMapPageCost * static_cast<int64_t>(pages);
    ++m_counters.maps;
    m_counters.mappedPages += pages;
    m_counters.mapTime += cost;
    return m_cpu.Run(thread, cost);
}

Time
HostIommu::Unmap(HostThread& thread, const MemoryPiece& piece)
{
    FlushIfDue(Simulator::Now());
    uint64_t pages = 0;
    ForEachPage(piece, [&](uint64_t page) {
        ++pages;
        m_iotlb.Remove(page);
    });
    const Time cost =
        m_settings.iommuUnmapCost + m_settings.iommuUnmapPageCost * static_cast<int64_t>(pages);
    ++m_counters.unmaps;
    m_counters.unmapTime += cost;
    const Time done = m_cpu.Run(thread, cost);
    if (m_settings.iommu == IommuSettings::STRICT)
    {
        Invalidate(thread, done);
        return thread.GetFree();
    }
    m_firstUnmapped = m_unmapped == 0 ? done : m_firstUnmapped;
    if (++m_unmapped >= m_settings.iommuFlushEntries)
    {
        m_unmapped = 0;
        Invalidate(thread, done);
    }
    return std::max(done, thread.GetFree());
}

void
HostIommu::Invalidate(HostThread& thread, Time earliest)
{
    ++m_counters.invalidations;
    if (m_settings.iommu == IommuSettings::LAZY)
    {
        m_iotlb = ContextCache();
    }
    m_cpu.Run(thread,
              earliest,
              HostWork().Under(m_cpu.GetLock("iommu_queue"), m_settings.iommuInvalidation));
}

void
HostIommu::FlushIfDue(Time now)
{
    const Time due = m_firstUnmapped + m_settings.iommuFlushTimeout;
    if (m_unmapped != 0 && due <= now)
    {
        m_unmapped = 0;
        Invalidate(m_timer, due);
    }
}

Time
HostIommu::TranslateRead(const std::vector<MemoryPiece>& pieces, Time asked)
{
    FlushIfDue(Simulator::Now());
    Time known = asked;
    for (const MemoryPiece& piece : pieces)
    {
        ForEachPage(piece, [&](uint64_t page) {
            if (!Use(page))
            {
                Time& place = *std::min_element(m_walks.begin(), m_walks.end());
                place = std::max(place, asked) + m_settings.iommuWalk;
                known = std::max(known, place);
            }
        });
    }
    m_counters.walkTime += known - asked;
    return known;
}

Time
HostIommu::TranslateWrite(const std::vector<MemoryPiece>& pieces, Time arrived)
{
    FlushIfDue(Simulator::Now());
    m_written = std::max(m_written, arrived);
    for (const MemoryPiece& piece : pieces)
    {
        ForEachPage(piece, [&](uint64_t page) {
            m_written += Use(page) ? Time(0) : m_settings.iommuWalk;
        });
    }
    m_counters.walkTime += m_written - arrived;
    return m_written;
}

Time
HostIommu::GetWalkTime(const std::vector<MemoryPiece>& pieces) const
{
    bool kept = true;
    for (const MemoryPiece& piece : pieces)
    {
        ForEachPage(piece, [&](uint64_t page) {
            kept = kept && (m_settings.iotlbSize == 0 || m_iotlb.Contains(page));
        });
    }
    return kept ? Time(0) : m_settings.iommuWalk;
}

} // namespace ns3::nfsrdma
