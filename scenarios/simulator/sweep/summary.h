/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_SUMMARY_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_SUMMARY_H

#include "scenarios/simulator/sweep/record.h"

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

/**
 * \return sweep-summary.csv: for each point its swept values, how many of its runs came to their
 * end (status 0 or 1: "runs") and how many did not ("lost"), and for each measure M of sweep.csv
 * the columns M, its mean over the former, and M_ci95, half of its 95 % interval. What is not known
 * is empty.
 */
std::string MakeSweepSummaryCsv(const std::vector<std::string>& keys,
                                const std::vector<SweepResult>& results);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_SUMMARY_H
