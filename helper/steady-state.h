/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_STEADY_STATE_H
#define NFSRDMA_HELPER_STEADY_STATE_H

#include <cstddef>
#include <optional>
#include <vector>

namespace ns3::nfsrdma
{

/// Observations that MSER-5 takes the mean of before it looks at them.
constexpr std::size_t MSER_BATCH = 5;
/// Batches of batch means: few enough for means that hardly depend on each other, and many enough
/// for Student's t (Schmeiser 1982).
constexpr std::size_t MEAN_BATCHES = 20;

/**
 * \brief Finds the transient at the begin of a series: MSER-5 (White, Cobb and Spratt, "A
 * comparison of five steady-state truncation heuristics for simulation", WSC 2000). Of the means of
 * 5 observations each, as many are left out as give the least variance of the mean of the rest.
 *
 * \return observations to leave out, a multiple of 5; none when the series is too short (fewer than
 * 20 means), or when no less than half of it would go, so that no steady state is seen.
 */
[[nodiscard]] std::optional<std::size_t> FindTruncation(const std::vector<double>& series);

/// The mean of a series in steady state, and how well it is known.
struct MeanEstimate
{
    double mean{0};
    double halfWidth{0}; ///< Of the 95% interval.
    bool trend{false};   ///< Batch means rise or fall (Mann and Kendall's test, 1% two-sided).

    /// \return half the width of the interval as a share of the mean.
    [[nodiscard]] double GetRelativeHalfWidth() const;
};

/// \return what non-overlapping batch means say of \p series from \p first on: MEAN_BATCHES of
/// equal size, of the latest observations; Student's t with MEAN_BATCHES - 1 degrees of freedom.
/// None when there are fewer than two observations for each.
[[nodiscard]] std::optional<MeanEstimate> EstimateMean(const std::vector<double>& series,
                                                       std::size_t first);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_STEADY_STATE_H
