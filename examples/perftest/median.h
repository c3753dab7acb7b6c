/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_EXAMPLES_MEDIAN_H
#define NFSRDMA_EXAMPLES_MEDIAN_H

#include <vector>

namespace ns3::nfsrdma
{

/// \param sorted at least one
/// \return the middle one, or the mean of the middle two.
inline double
TakeMedian(const std::vector<double>& sorted)
{
    return (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
}

} // namespace ns3::nfsrdma

#endif // NFSRDMA_EXAMPLES_MEDIAN_H
