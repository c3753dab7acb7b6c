/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_SAMPLE_SIZE_H
#define NFSRDMA_HELPER_SAMPLE_SIZE_H

#include <cstdint>

namespace ns3::nfsrdma
{

/// Values that must lie beyond a quantile for a sample to carry it.
constexpr double VALUES_BEYOND = 10;

/// \return whether a sample of \p count values carries the quantile at \p fraction (0 to 1): at
/// least VALUES_BEYOND of them lie beyond it. So the median takes 20 values, p99 1000.
[[nodiscard]] constexpr bool
CarriesQuantile(uint64_t count, double fraction)
{
    constexpr double ROUNDING = 1e-6; // 100 x (1 - 0.9) is less than 10 as doubles go.
    return static_cast<double>(count) * (1 - fraction) + ROUNDING >= VALUES_BEYOND;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_SAMPLE_SIZE_H
