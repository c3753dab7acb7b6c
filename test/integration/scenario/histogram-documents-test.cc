/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/scenario-error.h"
#include "scenarios/simulator/report/histogram-documents.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

namespace
{

using Samples = std::vector<uint64_t>;

/// Latencies over many orders of magnitude, the smallest and bounds of buckets among them.
Samples
MakeSamples(std::size_t count, uint32_t seed)
{
    std::mt19937_64 generator(seed);
    std::uniform_real_distribution<double> exponents(0, 40);
    Samples samples{0, 1, 63, 64, 127, 128, 129, (uint64_t{1} << 40) - 1, uint64_t{1} << 40};
    while (samples.size() < count)
    {
        samples.push_back(static_cast<uint64_t>(std::exp2(exponents(generator))));
    }
    return samples;
}

LatencyHistogram
MakeHistogram(const Samples& samples)
{
    LatencyHistogram histogram;
    for (const uint64_t sample : samples)
    {
        histogram.Add(NanoSeconds(sample));
    }
    return histogram;
}

void
ExpectSame(const LatencyHistogram& one, const LatencyHistogram& other)
{
    const auto ones = one.ListBuckets();
    const auto others = other.ListBuckets();
    ASSERT_EQ(ones.size(), others.size());
    for (std::size_t i = 0; i < ones.size(); ++i)
    {
        EXPECT_EQ(ones[i].low, others[i].low);
        EXPECT_EQ(ones[i].high, others[i].high);
        EXPECT_EQ(ones[i].count, others[i].count);
    }
    EXPECT_EQ(one.GetCount(), other.GetCount());
    EXPECT_EQ(one.GetMinimum(), other.GetMinimum());
    EXPECT_EQ(one.GetMaximum(), other.GetMaximum());
    EXPECT_DOUBLE_EQ(one.GetMean(), other.GetMean());
}

TEST(LatencyHistogramTest, ASumIsTheHistogramOfAllInWhateverOrder)
{
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        std::vector<Samples> parts;
        Samples all;
        for (uint32_t part = 0; part < 5; ++part)
        {
            // One of them is empty.
            parts.push_back(part == seed % 5 ? Samples()
                                             : MakeSamples(20 * part + 10, seed + part));
            all.insert(all.end(), parts.back().begin(), parts.back().end());
        }
        const auto whole = MakeHistogram(all);
        std::mt19937 generator(seed);
        for (int order = 0; order < 4; ++order)
        {
            std::shuffle(parts.begin(), parts.end(), generator);
            LatencyHistogram left;
            for (const auto& part : parts)
            {
                left.Add(MakeHistogram(part));
            }
            // And in pairs: (a + b) + (c + (d + e)).
            auto first = MakeHistogram(parts[0]);
            first.Add(MakeHistogram(parts[1]));
            auto last = MakeHistogram(parts[3]);
            last.Add(MakeHistogram(parts[4]));
            auto second = MakeHistogram(parts[2]);
            second.Add(last);
            first.Add(second);
            ExpectSame(left, whole);
            ExpectSame(first, whole);
        }
    }
}

TEST(LatencyHistogramTest, QuantilesAreAtMostA64thTooLarge)
{
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        auto samples = MakeSamples(500, seed);
        const auto histogram = MakeHistogram(samples);
        std::sort(samples.begin(), samples.end());
        for (const double fraction : {0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1.0})
        {
            const auto rank =
                static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(samples.size())));
            const auto exact = static_cast<double>(samples[rank - 1]);
            const auto found =
                static_cast<double>(histogram.GetQuantile(fraction).GetNanoSeconds());
            EXPECT_GE(found, exact) << fraction;
            EXPECT_LE(found, exact + exact / 64) << fraction;
        }
    }
}

TEST(LatencyHistogramTest, EachLatencyLiesBetweenTheBoundsOfItsBucket)
{
    for (const uint64_t sample : MakeSamples(2000, 7))
    {
        const auto buckets = MakeHistogram({sample}).ListBuckets();
        ASSERT_EQ(buckets.size(), 1U);
        EXPECT_LE(buckets[0].low, sample);
        EXPECT_GE(buckets[0].high, sample);
        EXPECT_LE(static_cast<double>(buckets[0].high - buckets[0].low),
                  static_cast<double>(buckets[0].low) / 64);
    }
}

TEST(LatencyHistogramTest, TakesNoBucketThatThereIsNot)
{
    LatencyHistogram histogram;
    EXPECT_TRUE(histogram.Add({128, 129, 3}));
    for (const auto& bucket : {LatencyHistogram::Bucket{128, 130, 1},
                               LatencyHistogram::Bucket{129, 129, 1},
                               LatencyHistogram::Bucket{130, 129, 1},
                               LatencyHistogram::Bucket{127, 129, 1}})
    {
        EXPECT_FALSE(histogram.Add(bucket)) << bucket.low << " to " << bucket.high;
    }
    EXPECT_EQ(histogram.GetCount(), 3U);
}

TEST(HistogramDocumentsTest, WhatWasWrittenIsRead)
{
    LatencyDistributions written;
    written.Add({LatencyDistributions::RPC, "fio", "READ"}, MakeHistogram(MakeSamples(300, 1)));
    written.Add({LatencyDistributions::RPC, "a, \"b\"", "WRITE"}, NanoSeconds(5000));
    written.Add({LatencyDistributions::WORKLOAD, "fio", "read"}, NanoSeconds(7000));
    written.Add({LatencyDistributions::WORKLOAD, "fio", "empty"}, LatencyHistogram());
    const auto text = GetHistogramsHead() + MakeHistogramRows(written, "");
    const auto read = ParseHistograms("histograms.csv", text);
    EXPECT_EQ(GetHistogramsHead() + MakeHistogramRows(read, ""), text);
    EXPECT_EQ(read.GetHistograms().size(), 3U) << "an empty one is none";
    EXPECT_EQ(read.GetTotal(LatencyDistributions::RPC).GetCount(), 301U);
    for (const double fraction : {0.5, 0.99})
    {
        EXPECT_EQ(read.GetTotal(LatencyDistributions::RPC).GetQuantile(fraction),
                  written.GetTotal(LatencyDistributions::RPC).GetQuantile(fraction));
    }
}

TEST(HistogramDocumentsTest, DamagedOnesAreRefusedByLine)
{
    const std::string head = GetHistogramsHead();
    const std::string good = "rpc,fio,READ,128,129,4\n";
    EXPECT_EQ(ParseHistograms("h.csv", head + good).GetHistograms().size(), 1U);
    for (const std::string bad : {"rpc,fio,READ,128,130,4",
                                  "rpc,fio,READ,128,129,0",
                                  "rpc,fio,READ,128,129,-4",
                                  "rpc,fio,READ,128,129",
                                  "rpc,fio,READ,128,129,4,5",
                                  "rpc,\"fio,READ,128,129,4",
                                  "other,fio,READ,128,129,4",
                                  "rpc,fio,READ,1e2,129,4",
                                  ""})
    {
        try
        {
            (void)ParseHistograms("h.csv", head + good + bad + "\n");
            ADD_FAILURE() << bad;
        }
        catch (const ScenarioError& error)
        {
            EXPECT_EQ(std::string(error.what()).find("h.csv:3: "), 0U) << error.what();
        }
    }
    EXPECT_THROW((void)ParseHistograms("h.csv", good), ScenarioError);
    EXPECT_THROW((void)ParseHistograms("h.csv", ""), ScenarioError);
}

} // namespace

} // namespace ns3::nfsrdma
