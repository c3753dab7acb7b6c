/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/sweep/summary.h"

#include "helper/sample-size.h"
#include "scenarios/simulator/report/csv-field.h"
#include "scenarios/simulator/report/report-time.h"
#include "scenarios/simulator/sweep/table.h"

#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace ns3::nfsrdma
{

namespace
{

constexpr double UPPER_QUANTILE = 0.975;

/// The shortest text that is the number.
std::string
Print(double value)
{
    return nlohmann::ordered_json(value).dump();
}

/// Of the RPCs of all runs of a point together.
struct PooledQuantile
{
    const char* column;
    double fraction;
};

constexpr std::array<PooledQuantile, 4> POOLED{{{"pooled_latency_p50_us", 0.5},
                                                {"pooled_latency_p90_us", 0.9},
                                                {"pooled_latency_p99_us", 0.99},
                                                {"pooled_latency_p999_us", 0.999}}};

std::string
MakePooledCells(const LatencyHistogram& latencies)
{
    std::string cells = "," + std::to_string(latencies.GetCount());
    for (const auto& quantile : POOLED)
    {
        cells += ",";
        if (CarriesQuantile(latencies.GetCount(), quantile.fraction))
        {
            cells += Print(ToMicroseconds(latencies.GetQuantile(quantile.fraction)));
        }
    }
    return cells;
}

std::string
MakeCells(const std::vector<double>& samples)
{
    if (samples.empty())
    {
        return ",,";
    }
    const auto mean = GetSampleMean(samples);
    return "," + Print(mean.mean) + "," + (mean.halfWidth ? Print(*mean.halfWidth) : "");
}

std::string
MakeRow(const SweepResult& first,
        const std::vector<std::string>& faults,
        const std::vector<const SweepResult*>& ended,
        std::size_t lost,
        const LatencyHistogram& latencies)
{
    std::string row = std::to_string(first.point);
    for (const auto& value : first.values)
    {
        row += "," + QuoteField(value);
    }
    row += "," + std::to_string(ended.size()) + "," + std::to_string(lost);
    for (const auto& measure : GetSweepMeasures())
    {
        std::vector<double> samples;
        samples.reserve(ended.size());
        for (const auto* result : ended)
        {
            if (const auto value = measure.Find(result->summary))
            {
                samples.push_back(value->get<double>());
            }
        }
        row += samples.size() == ended.size() ? MakeCells(samples) : ",,";
    }
    for (const auto& fault : faults)
    {
        std::vector<double> samples;
        samples.reserve(ended.size());
        for (const auto* result : ended)
        {
            samples.push_back(static_cast<double>(CountFirings(*result, fault)));
        }
        row += MakeCells(samples);
    }
    return row + MakePooledCells(latencies) + "\n";
}

} // namespace

SampleMean
GetSampleMean(const std::vector<double>& samples)
{
    const auto count = static_cast<double>(samples.size());
    const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / count;
    if (samples.size() < 2)
    {
        return {mean, std::nullopt};
    }
    double squares = 0;
    for (const double sample : samples)
    {
        squares += (sample - mean) * (sample - mean);
    }
    const boost::math::students_t distribution(count - 1);
    const double deviation = std::sqrt(squares / (count - 1) / count);
    return {mean, boost::math::quantile(distribution, UPPER_QUANTILE) * deviation};
}

std::string
MakeSweepSummaryCsv(const std::vector<std::string>& keys,
                    const std::vector<SweepResult>& results,
                    const PointLatencies& latencies)
{
    std::string csv = "point";
    for (const auto& key : keys)
    {
        csv += "," + QuoteField(key);
    }
    csv += ",runs,lost";
    for (const auto& measure : GetSweepMeasures())
    {
        csv += std::string(",") + measure.name + "," + measure.name + "_ci95";
    }
    const auto faults = ListFaults(results);
    for (const auto& fault : faults)
    {
        csv += ",firings_" + fault;
        csv += ",firings_" + fault + "_ci95";
    }
    csv += ",pooled_rpcs";
    for (const auto& quantile : POOLED)
    {
        csv += std::string(",") + quantile.column;
    }
    csv += "\n";
    std::size_t begin = 0;
    while (begin < results.size())
    {
        std::vector<const SweepResult*> ended;
        std::size_t end = begin;
        for (; end < results.size() && results[end].point == results[begin].point; ++end)
        {
            if (HasEnded(results[end]))
            {
                ended.push_back(&results[end]);
            }
        }
        const auto pooled = latencies.find(results[begin].point);
        csv +=
            MakeRow(results[begin],
                    faults,
                    ended,
                    end - begin - ended.size(),
                    pooled == latencies.end() ? LatencyHistogram()
                                              : pooled->second.GetTotal(LatencyDistributions::RPC));
        begin = end;
    }
    return csv;
}

} // namespace ns3::nfsrdma
