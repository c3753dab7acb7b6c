/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep-table.h"

#include "helper/sha256.h"
#include "text-table.h"
#include "workload-documents.h"

#include <iomanip>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

/// A number of summary.json as JSON writes it, which is the shortest exact form.
std::string
Dump(const nlohmann::ordered_json& value)
{
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Swept text may hold commas.
std::string
QuoteField(const std::string& text)
{
    if (text.find_first_of(",\"") == std::string::npos)
    {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text)
    {
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    }
    return quoted + "\"";
}

/// Means over the seeds of one point.
struct PointMeans
{
    const SweepResult* first{nullptr};
    std::size_t runs{0};
    double rate{0};
    double mean{0};
    double p50{0};
    double p99{0};
    double registrations{0};

    void Add(const SweepResult& result)
    {
        const auto& summary = result.summary;
        ++runs;
        rate += summary["rpcs_per_second"].get<double>();
        mean += summary["latency_us"]["mean"].get<double>();
        p50 += summary["latency_us"]["p50"].get<double>();
        p99 += summary["latency_us"]["p99"].get<double>();
        registrations += summary["registrations_per_rpc"].get<double>();
    }

    [[nodiscard]] std::vector<std::string> MakeRow() const
    {
        const auto format = [this](double sum, int digits) {
            std::ostringstream text;
            text << std::fixed << std::setprecision(digits) << sum / static_cast<double>(runs);
            return text.str();
        };
        std::vector<std::string> row{std::to_string(first->run->point)};
        for (const auto& value : first->values)
        {
            row.push_back(value.ToText());
        }
        row.push_back(std::to_string(runs));
        row.push_back(format(rate, 0));
        row.push_back(format(mean, 1));
        row.push_back(format(p50, 1));
        row.push_back(format(p99, 1));
        row.push_back(format(registrations, 3));
        return row;
    }
};

} // namespace

std::string
MakeSweepCsv(const std::vector<std::string>& keys, const std::vector<SweepResult>& results)
{
    std::string csv = "point,seed";
    for (const auto& key : keys)
    {
        csv += "," + key;
    }
    csv += ",rpcs,errors,duration_s,rpcs_per_second,latency_mean_us,latency_p50_us,latency_p99_us,"
           "registrations_per_rpc,bytes_inline,bytes_read_chunk,bytes_write_chunk,"
           "bytes_reply_chunk,goodput_bps,reassembly_peak_octets,reassembly_mean_octets,"
           "fpdus_placed_ahead,server_cpu_busy,client_cpu_busy,server_receive_octets,"
           "server_exposed_peak_octets,retransmissions,frames_marked,frames_dropped,"
           "queue_mean_octets,queue_most_octets,digest\n";
    for (const auto& result : results)
    {
        const auto& summary = result.summary;
        csv += std::to_string(result.run->point) + "," + std::to_string(result.run->seed);
        for (const auto& value : result.values)
        {
            csv += "," + QuoteField(value.ToBaseUnits());
        }
        for (const auto& field : {summary["rpcs"],
                                  summary["errors"],
                                  summary["duration_s"],
                                  summary["rpcs_per_second"],
                                  summary["latency_us"]["mean"],
                                  summary["latency_us"]["p50"],
                                  summary["latency_us"]["p99"],
                                  summary["registrations_per_rpc"],
                                  summary["bytes"]["inline"],
                                  summary["bytes"]["read_chunk"],
                                  summary["bytes"]["write_chunk"],
                                  summary["bytes"]["reply_chunk"],
                                  summary["goodput_bps"],
                                  summary["reassembly"]["peak_octets"],
                                  summary["reassembly"]["mean_octets"],
                                  summary["reassembly"]["fpdus_placed_ahead"],
                                  summary["processors"]["server_busy"],
                                  summary["processors"]["client_busy"],
                                  summary["server_memory"]["receive_buffers_peak_octets"],
                                  summary["server_memory"]["exposed_peak_octets"],
                                  summary["retransmissions"],
                                  summary["network"]["frames_marked"],
                                  summary["network"]["frames_dropped"],
                                  summary["network"]["queue_mean_octets"],
                                  summary["network"]["queue_most_octets"],
                                  summary["digest"]})
        {
            csv += "," + Dump(field);
        }
        csv += "\n";
    }
    return csv;
}

std::string
MakeSweepWorkloadsCsv(const std::vector<SweepResult>& results)
{
    std::string rows;
    for (const auto& result : results)
    {
        rows += MakeWorkloadsCsv(result.summary["workloads"],
                                 std::to_string(result.run->point) + "," +
                                     std::to_string(result.run->seed) + ",");
    }
    return rows.empty() ? rows : "point,seed," + GetWorkloadsCsvHead() + rows;
}

std::string
MakeSweepSummary(const std::vector<std::string>& keys, const std::vector<SweepResult>& results)
{
    std::vector<std::string> head{"point"};
    head.insert(head.end(), keys.begin(), keys.end());
    for (const auto* name : {"seeds", "RPC/s", "mean us", "p50 us", "p99 us", "registrations/RPC"})
    {
        head.emplace_back(name);
    }
    TextTable table(head);
    PointMeans means;
    for (const auto& result : results)
    {
        if (means.first != nullptr && means.first->run->point != result.run->point)
        {
            table.AddRow(means.MakeRow());
            means = {};
        }
        if (means.first == nullptr)
        {
            means.first = &result;
        }
        means.Add(result);
    }
    if (means.first != nullptr)
    {
        table.AddRow(means.MakeRow());
    }
    return table.ToText();
}

std::string
DigestResults(const std::vector<SweepResult>& results)
{
    Sha256 digest;
    for (const auto& result : results)
    {
        const auto text = result.summary["digest"].get<std::string>();
        digest.Update(ByteVector(text.begin(), text.end()));
    }
    return digest.Finish();
}

} // namespace ns3::nfsrdma
