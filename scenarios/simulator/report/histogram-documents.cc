/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/report/histogram-documents.h"

#include "scenarios/simulator/keys/scenario-error.h"
#include "scenarios/simulator/report/csv-field.h"

#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t COLUMNS = 6;

/// \return the fields of a line that QuoteField() has made; none: it is no such line.
std::optional<std::vector<std::string>>
SplitHistogramRow(const std::string& line)
{
    std::vector<std::string> fields{""};
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i)
    {
        if (line[i] == '"')
        {
            const bool isDoubled = quoted && i + 1 < line.size() && line[i + 1] == '"';
            if (isDoubled)
            {
                fields.back() += line[++i];
            }
            else
            {
                quoted = !quoted;
            }
        }
        else if (line[i] == ',' && !quoted)
        {
            fields.emplace_back();
        }
        else
        {
            fields.back() += line[i];
        }
    }
    return quoted || fields.size() != COLUMNS ? std::nullopt : std::optional(fields);
}

std::optional<uint64_t>
ParseWhole(std::string_view text)
{
    uint64_t value = 0;
    const auto* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && rest == end ? std::optional(value) : std::nullopt;
}

/// \return whether \p fields are a row.
bool
AddHistogramRow(const std::vector<std::string>& fields, LatencyDistributions& distributions)
{
    // As many as a run of years would have, so that no sum of runs wraps.
    constexpr uint64_t MOST = uint64_t{1} << 48;
    constexpr uint64_t LONGEST = uint64_t{1} << 62;
    const auto low = ParseWhole(fields[3]);
    const auto high = ParseWhole(fields[4]);
    const auto count = ParseWhole(fields[5]);
    const auto& measure = fields[0];
    LatencyHistogram histogram;
    if ((measure != LatencyDistributions::RPC && measure != LatencyDistributions::WORKLOAD) ||
        !low || !high || !count || *high > LONGEST || *count == 0 || *count > MOST ||
        !histogram.Add({*low, *high, *count}))
    {
        return false;
    }
    distributions.Add({measure, fields[1], fields[2]}, histogram);
    return true;
}

} // namespace

std::string
GetHistogramsHead()
{
    return "measure,population,operation,low_ns,high_ns,count\n";
}

std::string
MakeHistogramRows(const LatencyDistributions& distributions, const std::string& prefix)
{
    std::string rows;
    for (const auto& [key, histogram] : distributions.GetHistograms())
    {
        const auto names = prefix + key.measure + "," + QuoteField(key.population) + "," +
                           QuoteField(key.operation) + ",";
        for (const auto& bucket : histogram.ListBuckets())
        {
            rows += names + std::to_string(bucket.low) + "," + std::to_string(bucket.high) + "," +
                    std::to_string(bucket.count) + "\n";
        }
    }
    return rows;
}

LatencyDistributions
ParseHistograms(const std::string& file, const std::string& text)
{
    LatencyDistributions distributions;
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    if (line + "\n" != GetHistogramsHead())
    {
        throw ScenarioError(file,
                            "",
                            Quote(line.substr(0, COLUMNS * 8)),
                            "the histograms of a run");
    }
    for (std::size_t number = 2; std::getline(lines, line); ++number)
    {
        const auto fields = SplitHistogramRow(line);
        if (!fields || !AddHistogramRow(*fields, distributions))
        {
            throw ScenarioError(file + ":" + std::to_string(number),
                                "",
                                Quote(line.substr(0, COLUMNS * 8)),
                                "a bucket of a histogram: measure, names, bounds and count");
        }
    }
    return distributions;
}

} // namespace ns3::nfsrdma
