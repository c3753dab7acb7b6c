/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_SUMMARY_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_SUMMARY_H

#include "scenarios/simulator/sweep/record.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// A mean over seeds.
struct SampleMean
{
    double mean{0};
    /// Half of the 95 % confidence interval: Student's t with n - 1 degrees of freedom times s /
    /// sqrt(n), for samples of a normal distribution. Nothing for a single sample.
    std::optional<double> halfWidth;
};

/// \param samples at least one
SampleMean GetSampleMean(const std::vector<double>& samples);

/// The latencies of all runs of a point together, by point.
using PointLatencies = std::map<std::size_t, LatencyDistributions>;

/**
 * \return sweep-summary.csv: for each point its swept values, how many of its runs came to their
 * end (status 0 or 1: "runs") and how many did not ("lost"), and for each measure M of sweep.csv
 * the columns M, its mean over the former, and M_ci95, half of its 95 % interval. What is not known
 * is empty. The columns pooled_rpcs and pooled_latency_pN_us are of the RPCs of all runs of the
 * point as one sample, \p latencies, where it carries the quantile; at most 1/64 too large.
 */
std::string MakeSweepSummaryCsv(const std::vector<std::string>& keys,
                                const std::vector<SweepResult>& results,
                                const PointLatencies& latencies);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_SUMMARY_H
