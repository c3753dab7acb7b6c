/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/report/run-resources.h"

#include "scenarios/simulator/report/report-time.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{

namespace
{

constexpr double US_PER_S = 1e6;

} // namespace

std::unique_ptr<ResourceWatch>
WatchResources(const Cluster& cluster)
{
    auto watch = std::make_unique<ResourceWatch>();
    const auto& servers = cluster.GetServers();
    for (uint32_t i = 0; i < servers.size(); ++i)
    {
        watch->AddServer(cluster.GetServerName(i), servers[i]);
    }
    const auto& clients = cluster.GetClients();
    for (uint32_t i = 0; i < clients.size(); ++i)
    {
        watch->AddClient(cluster.GetHostName(cluster.GetClientHost(i)), clients[i].stack);
    }
    return watch;
}

void
SumUpResources(const Cluster& cluster, const ResourceWatch& watch, RunReport& report)
{
    for (const auto& resource : watch.GetResources())
    {
        report.resources.push_back(
            {resource.host, resource.name, resource.meter->GetUse(Simulator::Now())});
    }
    const auto& servers = cluster.GetServers();
    for (uint32_t i = 0; i < servers.size(); ++i)
    {
        const auto& cache = *servers[i].pageCache;
        if (cache.HasCache())
        {
            report.caches.push_back({cluster.GetServerName(i),
                                     cache.GetStatistics(),
                                     cache.GetCachedPages(),
                                     cache.GetDirtyPages(),
                                     cache.GetEvictedPages()});
        }
    }
}

nlohmann::ordered_json
DescribeResources(const std::vector<ResourceReport>& resources)
{
    auto list = nlohmann::ordered_json::array();
    for (const auto& [host, name, use] : resources)
    {
        list.push_back({{"host", host},
                        {"resource", name},
                        {"places", use.places},
                        {"arrivals", use.arrivals},
                        {"departures", use.departures},
                        {"number", use.number},
                        {"peak", use.peak},
                        {"arrivals_per_second", use.arrivalRate},
                        {"stay_us", use.stay * US_PER_S},
                        {"longest_stay_us", use.longestStay * US_PER_S},
                        {"throughput_per_second", use.throughput},
                        {"utilisation", use.utilisation}});
    }
    return list;
}

nlohmann::ordered_json
DescribeTransportMemory(const std::vector<MemoryUse>& servers)
{
    double mean = 0;
    uint64_t peak = 0;
    for (const auto& server : servers)
    {
        mean += server.mean;
        peak += server.peak;
    }
    return {{"mean_octets", mean}, {"peak_octets", peak}};
}

nlohmann::ordered_json
DescribeCaches(const std::vector<CacheReport>& caches)
{
    auto list = nlohmann::ordered_json::array();
    for (const auto& cache : caches)
    {
        const auto& counts = cache.statistics;
        list.push_back({{"host", cache.host},
                        {"reads", counts.reads},
                        {"read_hits", counts.readHits},
                        {"read_partial_hits", counts.readPartial},
                        {"read_misses", counts.readMisses},
                        {"page_hits", counts.pageHits},
                        {"page_misses", counts.pageMisses},
                        {"page_misses_joined", counts.pageJoins},
                        {"pages_read", counts.pagesRead},
                        {"pages_read_ahead", counts.pagesAhead},
                        {"pages_read_for_writes", counts.pagesFilled},
                        {"writes", counts.writes},
                        {"writes_throttled", counts.throttled},
                        {"throttled_us",
                         static_cast<double>(counts.throttledTime.GetNanoSeconds()) / NS_PER_US},
                        {"commits", counts.commits},
                        {"pages_written", counts.pagesWritten},
                        {"pages_written_behind", counts.writtenBehind},
                        {"pages_cached", cache.cachedPages},
                        {"pages_dirty", cache.dirtyPages},
                        {"pages_evicted", cache.evictedPages}});
    }
    return list;
}

} // namespace ns3::nfsrdma
