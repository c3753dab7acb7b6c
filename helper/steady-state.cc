/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/steady-state.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t LEAST_MEANS = 20;
constexpr double TAIL_OF_95 = 0.975;
constexpr double NORMAL_OF_99 = 2.5758;

/// \return means of \p size observations each, from \p first on; what is left over is not used.
std::vector<double>
MakeMeans(const std::vector<double>& series, std::size_t first, std::size_t size)
{
    std::vector<double> means;
    for (std::size_t begin = first; begin + size <= series.size(); begin += size)
    {
        const auto from = series.begin() + static_cast<std::ptrdiff_t>(begin);
        means.push_back(std::accumulate(from, from + static_cast<std::ptrdiff_t>(size), 0.0) /
                        static_cast<double>(size));
    }
    return means;
}

/// Mann and Kendall's test of a trend.
bool
HasTrend(const std::vector<double>& values)
{
    int64_t score = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        for (std::size_t j = i + 1; j < values.size(); ++j)
        {
            score += (values[j] > values[i] ? 1 : 0) - (values[j] < values[i] ? 1 : 0);
        }
    }
    const auto n = static_cast<double>(values.size());
    const double deviation = std::sqrt(n * (n - 1) * (2 * n + 5) / 18);
    return std::abs(static_cast<double>(score)) - 1 > NORMAL_OF_99 * deviation;
}

} // namespace

std::optional<std::size_t>
FindTruncation(const std::vector<double>& series)
{
    const auto means = MakeMeans(series, 0, MSER_BATCH);
    if (means.size() < LEAST_MEANS)
    {
        return std::nullopt;
    }
    // Sums over the means that are kept, from the last one back.
    double sum = 0;
    double squares = 0;
    double least = std::numeric_limits<double>::infinity();
    std::size_t best = 0;
    for (std::size_t kept = 1; kept <= means.size(); ++kept)
    {
        const std::size_t first = means.size() - kept;
        // Relative to the last one, so that little is lost where all are nearly equal.
        const double value = means[first] - means.back();
        sum += value;
        squares += value * value;
        const auto n = static_cast<double>(kept);
        const double error = (squares - (sum * sum / n)) / (n * n);
        // The last few means have a small variance by chance.
        if (kept >= MSER_BATCH && error <= least)
        {
            least = error;
            best = first;
        }
    }
    if (best * 2 >= means.size())
    {
        return std::nullopt;
    }
    return best * MSER_BATCH;
}

double
MeanEstimate::GetRelativeHalfWidth() const
{
    return mean == 0 ? std::numeric_limits<double>::infinity() : halfWidth / std::abs(mean);
}

std::optional<MeanEstimate>
EstimateMean(const std::vector<double>& series, std::size_t first)
{
    const std::size_t count = series.size() - std::min(first, series.size());
    const std::size_t size = count / MEAN_BATCHES;
    if (size < 2)
    {
        return std::nullopt;
    }
    const auto means = MakeMeans(series, series.size() - size * MEAN_BATCHES, size);
    MeanEstimate estimate;
    const auto n = static_cast<double>(means.size());
    estimate.mean = std::accumulate(means.begin(), means.end(), 0.0) / n;
    double squares = 0;
    for (const double mean : means)
    {
        squares += (mean - estimate.mean) * (mean - estimate.mean);
    }
    const boost::math::students_t distribution(n - 1);
    estimate.halfWidth =
        boost::math::quantile(distribution, TAIL_OF_95) * std::sqrt(squares / (n - 1) / n);
    estimate.trend = HasTrend(means);
    return estimate;
}

} // namespace ns3::nfsrdma
