/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "run-report.h"

namespace ns3::nfsrdma
{

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
    }
    return totals;
}

} // namespace ns3::nfsrdma
