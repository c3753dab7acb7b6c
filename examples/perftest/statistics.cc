/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/statistics.h"

#include "perftest/median.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3::nfsrdma
{

namespace
{

/// \return the value that \p share of the sorted values do not pass (nearest rank).
double
TakePercentile(const std::vector<double>& sorted, double share)
{
    const auto rank = static_cast<std::size_t>(std::ceil(share * sorted.size()));
    return sorted[std::max<std::size_t>(rank, 1) - 1];
}

/// \return the least time per message (ns) of all stretches from a post to a completion, warm-up
/// apart. For a guess of that time one pass finds a better stretch or none.
double
FindLeastTimePerMessage(const StreamTimes& times, double guess)
{
    for (;;)
    {
        double best = 0;
        double better = guess;
        double latestStart = -std::numeric_limits<double>::infinity();
        std::size_t bestPost = 0;
        std::size_t post = times.warmUp;
        uint64_t completed = 0;
        for (const auto& completion : times.completions)
        {
            completed += completion.count;
            for (; post < times.posts.size() && post < completed; post++)
            {
                const double start = times.posts[post].GetNanoSeconds() - guess * post;
                if (start > latestStart)
                {
                    latestStart = start;
                    bestPost = post;
                }
            }
            const double gain = completion.time.GetNanoSeconds() - guess * completed - latestStart;
            if (gain < best)
            {
                best = gain;
                better = (completion.time - times.posts[bestPost]).GetNanoSeconds() /
                         static_cast<double>(completed - bestPost);
            }
        }
        if (better >= guess * (1 - 1e-12))
        {
            return guess;
        }
        guess = better;
    }
}

/// \return the time per message (ns) from the first completion behind the warm-up to the last; from
/// the first post that counts when there is one completion only.
double
FindMeanTimePerMessage(const StreamTimes& times)
{
    uint64_t completed = 0;
    for (const auto& completion : times.completions)
    {
        completed += completion.count;
        if (completed >= times.warmUp && completed < times.posts.size())
        {
            return (times.completions.back().time - completion.time).GetNanoSeconds() /
                   static_cast<double>(times.posts.size() - completed);
        }
    }
    return (times.completions.back().time - times.posts[times.warmUp]).GetNanoSeconds() /
           static_cast<double>(times.posts.size() - times.warmUp);
}

} // namespace

LatencyStatistics
LatencyStatistics::Of(std::vector<Time> intervals, double share)
{
    std::sort(intervals.begin(), intervals.end());
    int64_t sum = 0;
    std::vector<double> sorted;
    sorted.reserve(intervals.size());
    for (const Time& interval : intervals)
    {
        sum += interval.GetNanoSeconds();
        sorted.push_back(interval.GetNanoSeconds() * share / 1000);
    }
    LatencyStatistics statistics;
    statistics.minimum = sorted.front();
    statistics.maximum = sorted.back();
    statistics.typical = TakeMedian(sorted);
    statistics.average = sum * share / 1000 / static_cast<double>(sorted.size());
    double squares = 0;
    for (const double value : sorted)
    {
        squares += (value - statistics.average) * (value - statistics.average);
    }
    statistics.deviation = std::sqrt(squares / sorted.size());
    statistics.percentile99 = TakePercentile(sorted, 0.99);
    statistics.percentile999 = TakePercentile(sorted, 0.999);
    return statistics;
}

BandwidthStatistics
BandwidthStatistics::Of(const StreamTimes& times, uint64_t size)
{
    constexpr double NANO = 1e9;
    const double mean = FindMeanTimePerMessage(times);
    const double bits = 8.0 * size * NANO;
    BandwidthStatistics statistics;
    statistics.average = bits / mean;
    statistics.messageRate = NANO / mean;
    statistics.peak = bits / FindLeastTimePerMessage(times, mean);
    return statistics;
}

BandwidthStatistics&
BandwidthStatistics::operator+=(const BandwidthStatistics& other)
{
    peak += other.peak;
    average += other.average;
    messageRate += other.messageRate;
    return *this;
}

} // namespace ns3::nfsrdma
