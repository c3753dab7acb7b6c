/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_RUN_RESOURCES_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_RUN_RESOURCES_H

#include "helper/cluster.h"
#include "helper/resource-watch.h"
#include "scenarios/simulator/report/run-report.h"

#include <memory>
#include <nlohmann/json.hpp>

namespace ns3::nfsrdma
{

/// \return meters on every server and client of \p cluster, from now on.
std::unique_ptr<ResourceWatch> WatchResources(const Cluster& cluster);

/// Puts what was measured until now into \p report: resources and caches.
void SumUpResources(const Cluster& cluster, const ResourceWatch& watch, RunReport& report);

/// \return "resources" of summary.json: a list, times in microseconds, rates per second.
nlohmann::ordered_json DescribeResources(const std::vector<ResourceReport>& resources);
/// \return "transport_memory" of summary.json: of the servers together, the sum of means and of
/// peaks.
nlohmann::ordered_json DescribeTransportMemory(const std::vector<MemoryUse>& servers);
/// \return "page_caches" of summary.json: a list.
nlohmann::ordered_json DescribeCaches(const std::vector<CacheReport>& caches);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_RUN_RESOURCES_H
