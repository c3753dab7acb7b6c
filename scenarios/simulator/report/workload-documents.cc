/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/report/workload-documents.h"

#include "helper/sample-size.h"
#include "scenarios/simulator/report/report-time.h"
#include "scenarios/simulator/report/text-table.h"

#include <iomanip>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr double OCTETS_PER_MIB = 1048576;

/// Of one item, of a client or of several.
Json
DescribeResult(const WorkloadResult& result)
{
    const auto& latency = result.latency;
    const auto quantile = [&latency](double fraction) {
        return CarriesQuantile(latency.GetCount(), fraction)
                   ? Json(ToMicroseconds(latency.GetQuantile(fraction)))
                   : Json();
    };
    return {{"item", result.item},
            {"operations", result.operations},
            {"attempts", result.attempts},
            {"errors", result.errors},
            {"octets", result.octets},
            {"seconds", result.duration.GetSeconds()},
            {"per_second", result.GetRate()},
            {"octets_per_second", result.GetBandwidth()},
            {"latency_us",
             {{"mean", latency.GetMean() / NS_PER_US},
              {"p50", quantile(0.5)},
              {"p90", quantile(0.9)},
              {"p99", quantile(0.99)},
              {"p999", quantile(0.999)},
              {"max", ToMicroseconds(latency.GetMaximum())}}}};
}

std::string
MakeCsvRow(const Json& workload, const std::string& client, const Json& item)
{
    std::string row = workload["workload"].get<std::string>() + "," +
                      workload["kind"].get<std::string>() + "," + client + "," +
                      item["item"].get<std::string>();
    for (const auto* key : {"operations",
                            "attempts",
                            "errors",
                            "octets",
                            "seconds",
                            "per_second",
                            "octets_per_second"})
    {
        row += "," + item[key].dump();
    }
    for (const auto& [name, value] : item["latency_us"].items())
    {
        row += "," + (value.is_null() ? std::string() : value.dump());
    }
    return row + "\n";
}

std::string
FormatDecimal(double value, int digits)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(digits) << value;
    return text.str();
}

/// How many there are, when they are too few to tell.
std::string
FormatQuantile(const LatencyHistogram& latency, double fraction)
{
    return CarriesQuantile(latency.GetCount(), fraction)
               ? FormatDecimal(ToMicroseconds(latency.GetQuantile(fraction)), 1)
               : "n=" + std::to_string(latency.GetCount());
}

} // namespace

Json
DescribeWorkloads(const RunReport& report)
{
    Json workloads = Json::array();
    for (const auto& total : GetWorkloadTotals(report))
    {
        Json items = Json::array();
        for (const auto& result : total.results)
        {
            items.push_back(DescribeResult(result));
        }
        Json clients = Json::array();
        for (const auto& part : report.workloads)
        {
            if (part.name == total.name)
            {
                Json own = Json::array();
                for (const auto& result : part.results)
                {
                    own.push_back(DescribeResult(result));
                }
                clients.push_back({{"client", part.client}, {"items", own}});
            }
        }
        workloads.push_back({{"workload", total.name},
                             {"kind", total.kind},
                             {"items", items},
                             {"clients", clients}});
    }
    return workloads;
}

std::string
GetWorkloadsCsvHead()
{
    return "workload,kind,client,item,operations,attempts,errors,octets,seconds,per_second,"
           "octets_per_second,latency_mean_us,latency_p50_us,latency_p90_us,latency_p99_us,"
           "latency_p999_us,latency_max_us\n";
}

std::string
MakeWorkloadsCsv(const nlohmann::ordered_json& workloads, const std::string& prefix)
{
    std::string csv;
    for (const auto& workload : workloads)
    {
        for (const auto& item : workload["items"])
        {
            csv += prefix + MakeCsvRow(workload, "all", item);
        }
        for (const auto& part : workload["clients"])
        {
            for (const auto& item : part["items"])
            {
                csv += prefix + MakeCsvRow(workload, part["client"].dump(), item);
            }
        }
    }
    return csv;
}

std::string
MakeWorkloadsTable(const RunReport& report)
{
    if (report.workloads.empty())
    {
        return {};
    }
    TextTable table({"workload",
                     "clients",
                     "item",
                     "attempts",
                     "errors",
                     "done",
                     "per s",
                     "MiB/s",
                     "mean us",
                     "p50 us",
                     "p99 us"});
    for (const auto& total : GetWorkloadTotals(report))
    {
        uint32_t clients = 0;
        for (const auto& part : report.workloads)
        {
            clients += part.name == total.name ? 1 : 0;
        }
        for (const auto& result : total.results)
        {
            table.AddRow({total.name,
                          std::to_string(clients),
                          result.item,
                          std::to_string(result.attempts),
                          std::to_string(result.errors),
                          std::to_string(result.operations),
                          FormatDecimal(result.GetRate(), 0),
                          FormatDecimal(result.GetBandwidth() / OCTETS_PER_MIB, 1),
                          FormatDecimal(result.latency.GetMean() / NS_PER_US, 1),
                          FormatQuantile(result.latency, 0.5),
                          FormatQuantile(result.latency, 0.99)});
        }
    }
    return table.ToText();
}

} // namespace ns3::nfsrdma
