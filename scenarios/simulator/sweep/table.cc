/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/sweep/table.h"

#include "helper/drop-watch.h"
#include "helper/sha256.h"
#include "nfs/types/cached-requests.h"
#include "scenarios/simulator/report/csv-field.h"
#include "scenarios/simulator/report/text-table.h"
#include "scenarios/simulator/report/workload-documents.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <numeric>
#include <optional>
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

using Pointer = nlohmann::ordered_json::json_pointer;

/// A measure of loss or congestion that the table for the terminal has when it is not zero.
struct Trouble
{
    const char* head;
    const char* measure; ///< In "loss" of summary.json.

    [[nodiscard]] double Get(const SweepResult& result) const
    {
        return result.summary.at(Pointer(std::string("/loss/") + measure)).get<double>();
    }
};

constexpr std::array<Trouble, 7> TROUBLES{{{"lost frames", "frames_lost"},
                                           {"ECN marks", "ecn_marks"},
                                           {"fast retr.", "fast_retransmits"},
                                           {"timer retr.", "timer_retransmits"},
                                           {"no receive", "receive_overruns"},
                                           {"credit stalls", "credit_stalls"},
                                           {"reconnects", "reconnects"}}};

/// \return whether there was a steady state; none: the run did not look for it.
std::optional<bool>
FindSteadiness(const SweepResult& result)
{
    const auto& steady = result.summary.at(Pointer("/window/steady_state/steady"));
    return steady.is_boolean() ? std::optional(steady.get<bool>()) : std::nullopt;
}

/// What the table for the terminal has beside the columns that it always has.
struct MoreColumns
{
    bool steady{false};
    std::vector<Trouble> troubles;

    explicit MoreColumns(const std::vector<SweepResult>& results)
    {
        const auto any = [&results](const auto& test) {
            return std::any_of(results.begin(), results.end(), [&test](const auto& result) {
                return HasEnded(result) && test(result);
            });
        };
        steady = any([](const auto& result) { return FindSteadiness(result).has_value(); });
        for (const auto& trouble : TROUBLES)
        {
            if (any([&trouble](const auto& result) { return trouble.Get(result) > 0; }))
            {
                troubles.push_back(trouble);
            }
        }
    }

    [[nodiscard]] std::size_t GetCount() const
    {
        return troubles.size() + (steady ? 1 : 0);
    }
};

/// Means over the seeds of one point.
struct PointMeans
{
    explicit PointMeans(const MoreColumns& columns)
        : more(&columns),
          troubles(columns.troubles.size())
    {
    }

    const MoreColumns* more;
    const SweepResult* first{nullptr};
    static constexpr std::size_t COLUMNS = 5;

    std::size_t runs{0};
    double rate{0};
    double mean{0};
    std::vector<double> p50; ///< Of the runs that have it.
    std::vector<double> p99; ///< The same.
    double registrations{0};
    std::size_t looked{0};        ///< Runs that looked for a steady state.
    std::size_t steady{0};        ///< And found it.
    std::vector<double> troubles; ///< Sums, as MoreColumns has them.

    void Add(const SweepResult& result)
    {
        if (!HasEnded(result))
        {
            return;
        }
        const auto& summary = result.summary;
        ++runs;
        rate += summary["rpcs_per_second"].get<double>();
        mean += summary["latency_us"]["mean"].get<double>();
        AddIfThere(summary["latency_us"]["p50"], p50);
        AddIfThere(summary["latency_us"]["p99"], p99);
        registrations += summary["registrations_per_rpc"].get<double>();
        const auto found = FindSteadiness(result);
        looked += found ? 1 : 0;
        steady += found.value_or(false) ? 1 : 0;
        for (std::size_t i = 0; i < troubles.size(); ++i)
        {
            troubles[i] += more->troubles[i].Get(result);
        }
    }

    static void AddIfThere(const nlohmann::ordered_json& value, std::vector<double>& values)
    {
        if (value.is_number())
        {
            values.push_back(value.get<double>());
        }
    }

    /// \return of runs that all have it; else it would be of other runs than its neighbours.
    [[nodiscard]] std::string FormatMean(const std::vector<double>& values) const
    {
        if (values.size() != runs)
        {
            return "-";
        }
        std::ostringstream text;
        text << std::fixed << std::setprecision(1)
             << std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(runs);
        return text.str();
    }

    [[nodiscard]] std::vector<std::string> MakeRow() const
    {
        const auto format = [this](double sum, int digits) {
            std::ostringstream text;
            text << std::fixed << std::setprecision(digits) << sum / static_cast<double>(runs);
            return text.str();
        };
        std::vector<std::string> row{std::to_string(first->point)};
        row.insert(row.end(), first->texts.begin(), first->texts.end());
        row.push_back(std::to_string(runs));
        if (runs == 0)
        {
            row.resize(row.size() + COLUMNS + more->GetCount(), "-");
            return row;
        }
        row.push_back(format(rate, 0));
        row.push_back(format(mean, 1));
        row.push_back(FormatMean(p50));
        row.push_back(FormatMean(p99));
        row.push_back(format(registrations, 3));
        if (more->steady)
        {
            row.push_back(std::to_string(steady) + "/" + std::to_string(looked));
        }
        for (const double trouble : troubles)
        {
            row.push_back(format(trouble, 1));
        }
        return row;
    }
};

bool
HasFaults(const SweepResult& result)
{
    return !result.summary.is_null() && result.summary.contains("faults");
}

/// \return what summary.json says of fault \p name; null when the run did not plan it.
const nlohmann::ordered_json*
FindFault(const SweepResult& result, const std::string& name)
{
    if (!HasFaults(result))
    {
        return nullptr;
    }
    const auto& plan = result.summary["faults"]["plan"];
    const auto found = std::find_if(plan.begin(), plan.end(), [&name](const auto& fault) {
        return fault["name"] == name;
    });
    return found == plan.end() ? nullptr : &*found;
}

/// \return the names of resources that any of the runs measured, as columns have them.
std::vector<std::string>
ListResources(const std::vector<SweepResult>& results)
{
    std::vector<std::string> names;
    for (const auto& result : results)
    {
        if (result.summary.is_null() || !result.summary.contains("resources"))
        {
            continue;
        }
        for (const auto& resource : result.summary["resources"])
        {
            auto name = resource["resource"].get<std::string>();
            if (std::find(names.begin(), names.end(), name) == names.end())
            {
                names.push_back(std::move(name));
            }
        }
    }
    return names;
}

/// What all hosts of a run had of a resource.
struct ResourceSum
{
    ResourceSum(const SweepResult& result, const std::string& name)
    {
        if (result.summary.is_null() || !result.summary.contains("resources"))
        {
            return;
        }
        for (const auto& resource : result.summary["resources"])
        {
            if (resource["resource"] == name)
            {
                const auto leaving = resource["departures"].get<double>();
                measured = true;
                number += resource["number"].get<double>();
                departures += leaving;
                stays += leaving * resource["stay_us"].get<double>();
                longest = std::max(longest, resource["longest_stay_us"].get<double>());
            }
        }
    }

    bool measured{false};
    double number{0};
    double departures{0};
    double stays{0};
    double longest{0};
};

std::string
MakeCell(std::optional<double> value)
{
    return value ? "," + nlohmann::ordered_json(*value).dump() : ",";
}

/// \return the columns of a run whose resources were measured; \p names as ListResources().
std::string
MakeResourceCells(const SweepResult& result, const std::vector<std::string>& names)
{
    std::string cells;
    for (const char* what : {"mean_octets", "peak_octets"})
    {
        const bool has = !result.summary.is_null() && result.summary.contains("transport_memory");
        cells +=
            MakeCell(has ? std::optional(result.summary["transport_memory"][what].get<double>())
                         : std::nullopt);
    }
    for (const auto& name : names)
    {
        const ResourceSum sum(result, name);
        cells += MakeCell(sum.measured ? std::optional(sum.number) : std::nullopt);
        const bool hasLeft = sum.departures > 0;
        cells += MakeCell(hasLeft ? std::optional(sum.stays / sum.departures) : std::nullopt);
        cells += MakeCell(hasLeft ? std::optional(sum.longest) : std::nullopt);
    }
    return cells;
}

std::string
MakeResourceHead(const std::vector<std::string>& names)
{
    std::string head = ",server_memory_mean_octets,server_memory_peak_octets";
    for (auto name : names)
    {
        std::replace(name.begin(), name.end(), '-', '_');
        for (const char* part : {"number", "stay_us", "longest_stay_us"})
        {
            head += ",";
            head += name;
            head += "_";
            head += part;
        }
    }
    return head;
}

} // namespace

std::optional<nlohmann::ordered_json>
SweepMeasure::Find(const nlohmann::ordered_json& summary) const
{
    const auto& value = summary.at(pointer);
    if (value.is_boolean())
    {
        return value.get<bool>() ? 1 : 0;
    }
    return value.is_null() ? std::nullopt : std::optional(value);
}

const std::vector<SweepMeasure>&
GetSweepMeasures()
{
    static const std::vector<SweepMeasure> measures = [] {
        std::vector<SweepMeasure> all{
            {"rpcs", Pointer("/rpcs")},
            {"errors", Pointer("/errors")},
            {"simulated_s", Pointer("/simulated_s")},
            {"duration_s", Pointer("/duration_s")},
            {"rpcs_per_second", Pointer("/rpcs_per_second")},
            {"latency_mean_us", Pointer("/latency_us/mean")},
            {"latency_p50_us", Pointer("/latency_us/p50")},
            {"latency_p99_us", Pointer("/latency_us/p99")},
            {"registrations_per_rpc", Pointer("/registrations_per_rpc")},
            {"bytes_inline", Pointer("/bytes/inline")},
            {"bytes_read_chunk", Pointer("/bytes/read_chunk")},
            {"bytes_write_chunk", Pointer("/bytes/write_chunk")},
            {"bytes_reply_chunk", Pointer("/bytes/reply_chunk")},
            {"goodput_bps", Pointer("/goodput_bps")},
            {"reassembly_peak_octets", Pointer("/reassembly/peak_octets")},
            {"reassembly_mean_octets", Pointer("/reassembly/mean_octets")},
            {"fpdus_placed_ahead", Pointer("/reassembly/fpdus_placed_ahead")},
            {"server_cpu_busy", Pointer("/processors/server_busy")},
            {"client_cpu_busy", Pointer("/processors/client_busy")},
            {"server_core_us_per_rpc", Pointer("/processors/server_core_us_per_rpc")},
            {"client_core_us_per_rpc", Pointer("/processors/client_core_us_per_rpc")},
            {"server_receive_octets", Pointer("/server_memory/receive_buffers_peak_octets")},
            {"server_exposed_peak_octets", Pointer("/server_memory/exposed_peak_octets")},
            {"connections_lost", Pointer("/connections_lost")},
            {"client_copied_octets", Pointer("/registration/clients/copied_octets")},
            {"client_cache_hits", Pointer("/registration/clients/cache_hits")},
            {"client_left_valid", Pointer("/registration/clients/left_valid")},
            {"retransmissions", Pointer("/retransmissions")},
            {"frames_marked", Pointer("/network/frames_marked")},
            {"frames_dropped", Pointer("/network/frames_dropped")},
            {"queue_mean_octets", Pointer("/network/queue_mean_octets")},
            {"queue_most_octets", Pointer("/network/queue_most_octets")},
            {"rpc_attempts", Pointer("/rpc_attempts")},
            {"steady", Pointer("/window/steady_state/steady"), true},
            {"steady_half_width", Pointer("/window/steady_state/relative_half_width"), true},
            {"transient_us", Pointer("/window/steady_state/transient_us"), true}};
        for (const auto& loss : GetLossMeasures())
        {
            all.push_back({loss.name, Pointer(std::string("/loss/") + loss.name)});
        }
        for (const auto& place : DropWatch::ListPlaces())
        {
            auto name = "dropped_" + place;
            std::replace(name.begin(), name.end(), '-', '_');
            all.push_back({std::move(name), Pointer("/drops/" + place)});
        }
        for (const auto& [name, counter] : FILE_CACHE_COUNTERS)
        {
            all.push_back(
                {std::string("cache_") + name, Pointer(std::string("/client_caches/all/") + name)});
        }
        for (std::size_t stage = 0; stage < LATENCY_STAGES; ++stage)
        {
            const std::string name = ToString(static_cast<LatencyStage>(stage));
            all.push_back(
                {"stack_" + name + "_us", Pointer("/latency_stack/all/stages_us/" + name)});
        }
        all.push_back({"stack_whole_us", Pointer("/latency_stack/all/mean_us")});
        all.push_back({"jain_clients", Pointer("/fairness/clients/rpcs/jain")});
        return all;
    }();
    return measures;
}

bool
HasEnded(const SweepResult& result)
{
    return !result.summary.is_null() && result.status != RunStatus::STALLED;
}

std::vector<std::string>
ListFaults(const std::vector<SweepResult>& results)
{
    std::vector<std::string> names;
    for (const auto& result : results)
    {
        if (!HasFaults(result))
        {
            continue;
        }
        for (const auto& fault : result.summary["faults"]["plan"])
        {
            auto name = fault["name"].get<std::string>();
            if (std::find(names.begin(), names.end(), name) == names.end())
            {
                names.push_back(std::move(name));
            }
        }
    }
    return names;
}

uint64_t
CountFirings(const SweepResult& result, const std::string& name)
{
    const auto* fault = FindFault(result, name);
    return fault == nullptr ? 0 : fault->at("firings").get<uint64_t>();
}

std::string
DescribeFaultsThatNeverHappened(const std::vector<SweepResult>& results)
{
    std::ostringstream text;
    for (const auto& name : ListFaults(results))
    {
        std::size_t planned = 0;
        std::size_t never = 0;
        double over = 0;
        for (const auto& result : results)
        {
            if (FindFault(result, name) == nullptr)
            {
                continue;
            }
            ++planned;
            if (CountFirings(result, name) == 0)
            {
                ++never;
                over = std::max(over, result.summary["simulated_s"].get<double>());
            }
        }
        if (never != 0)
        {
            text << "faults          " << name << " never happened in " << never << " of "
                 << planned << " runs, which were over after " << over << " s at most\n";
        }
    }
    return text.str();
}

std::string
DescribeSteadyStates(const std::vector<SweepResult>& results)
{
    std::size_t looked = 0;
    std::size_t none = 0;
    std::string points;
    const SweepResult* last = nullptr;
    for (const auto& result : results)
    {
        const auto steady = HasEnded(result) ? FindSteadiness(result) : std::nullopt;
        looked += steady ? 1 : 0;
        if (steady.value_or(true))
        {
            continue;
        }
        ++none;
        if (last == nullptr || last->point != result.point)
        {
            points += (points.empty() ? "" : ", ") + std::to_string(result.point);
            last = &result;
        }
    }
    if (looked == 0)
    {
        return "";
    }
    return "steady state    " +
           (none == 0 ? "found in all of " + std::to_string(looked) + " runs\n"
                      : "none in " + std::to_string(none) + " of " + std::to_string(looked) +
                            " runs, at points " + points + "\n");
}

std::string
MakeSweepCsv(const std::vector<std::string>& keys, const std::vector<SweepResult>& results)
{
    std::string csv = "point,seed";
    for (const auto& key : keys)
    {
        csv += "," + QuoteField(key);
    }
    csv += ",status";
    for (const auto& measure : GetSweepMeasures())
    {
        csv += std::string(",") + measure.name;
    }
    const auto faults = ListFaults(results);
    for (const auto& fault : faults)
    {
        csv += ",firings_" + fault;
    }
    const auto resources = ListResources(results);
    csv += resources.empty() ? "" : MakeResourceHead(resources);
    csv += ",digest\n";
    for (const auto& result : results)
    {
        csv += std::to_string(result.point) + "," + std::to_string(result.seed);
        for (const auto& value : result.values)
        {
            csv += "," + QuoteField(value);
        }
        csv += "," + std::to_string(static_cast<int>(result.status));
        for (const auto& measure : GetSweepMeasures())
        {
            csv += ",";
            const auto value =
                result.summary.is_null() ? std::nullopt : measure.Find(result.summary);
            csv += value ? Dump(*value) : "";
        }
        for (const auto& fault : faults)
        {
            csv += ",";
            if (!result.summary.is_null())
            {
                csv += std::to_string(CountFirings(result, fault));
            }
        }
        csv += resources.empty() ? "" : MakeResourceCells(result, resources);
        csv += "," + (result.summary.is_null() ? "" : Dump(result.summary["digest"])) + "\n";
    }
    return csv;
}

std::string
MakeSweepWorkloadsCsv(const std::vector<SweepResult>& results)
{
    std::string rows;
    for (const auto& result : results)
    {
        if (!result.summary.is_null())
        {
            rows += MakeWorkloadsCsv(result.summary["workloads"],
                                     std::to_string(result.point) + "," +
                                         std::to_string(result.seed) + ",");
        }
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
    const MoreColumns more(results);
    if (more.steady)
    {
        head.emplace_back("steady");
    }
    for (const auto& trouble : more.troubles)
    {
        head.emplace_back(trouble.head);
    }
    TextTable table(head);
    PointMeans means(more);
    for (const auto& result : results)
    {
        if (means.first != nullptr && means.first->point != result.point)
        {
            table.AddRow(means.MakeRow());
            means = PointMeans(more);
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
        const auto text =
            result.summary.is_null() ? "lost" : result.summary["digest"].get<std::string>();
        digest.Update(ByteVector(text.begin(), text.end()));
    }
    return digest.Finish();
}

} // namespace ns3::nfsrdma
