/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/report/run-report.h"

#include <algorithm>
#include <iterator>

namespace ns3::nfsrdma
{

bool
IsConserved(const RunReport& report)
{
    return report.rpcBalance.broken.empty() &&
           std::all_of(report.conservation.begin(),
                       report.conservation.end(),
                       [](const auto& balance) { return balance.broken.empty(); });
}

ProcessorTotals
GetProcessorTotals(const RunReport& report)
{
    ProcessorTotals totals;
    for (std::size_t host = 0; host < report.hosts.size(); ++host)
    {
        const bool isServer = host < report.servers;
        const std::size_t count = isServer ? report.servers : report.hosts.size() - report.servers;
        (isServer ? totals.serverBusy : totals.clientBusy) +=
            report.hosts[host].cpuBusy / static_cast<double>(count);
        (isServer ? totals.serverTime : totals.clientTime) += report.hosts[host].coreTime;
    }
    return totals;
}

std::vector<WorkloadReport>
GetWorkloadTotals(const RunReport& report)
{
    std::vector<WorkloadReport> totals;
    for (const auto& part : report.workloads)
    {
        auto total = std::find_if(totals.begin(), totals.end(), [&part](const auto& other) {
            return other.name == part.name;
        });
        if (total == totals.end())
        {
            totals.push_back({part.name, part.kind, 0, {}});
            total = std::prev(totals.end());
        }
        for (const auto& own : part.results)
        {
            auto& results = total->results;
            auto sum = std::find_if(results.begin(), results.end(), [&own](const auto& other) {
                return other.item == own.item;
            });
            if (sum == results.end())
            {
                results.emplace_back();
                sum = std::prev(results.end());
                sum->item = own.item;
            }
            sum->Add(own);
        }
    }
    return totals;
}

} // namespace ns3::nfsrdma
