/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_FAIRNESS_H
#define NFSRDMA_HELPER_FAIRNESS_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ns3::nfsrdma
{

/// How evenly something was shared.
struct Fairness
{
    std::size_t parties{0};
    /// Jain's index, (sum x)^2 / (n sum x^2): 1 when all had the same, 1/n when one had all. 1
    /// when nobody had anything.
    double jain{1};
    double least{1}; ///< What the one with the least had, in equal shares (max-min share).
    double most{1};  ///< What the one with the most had, in equal shares.

    /// \param shares what each party had, none negative
    [[nodiscard]] static Fairness Of(const std::vector<double>& shares)
    {
        Fairness fairness;
        fairness.parties = shares.size();
        double sum = 0;
        double squares = 0;
        for (const double share : shares)
        {
            sum += share;
            squares += share * share;
        }
        if (sum > 0)
        {
            const auto count = static_cast<double>(shares.size());
            fairness.jain = sum * sum / (count * squares);
            fairness.least = *std::min_element(shares.begin(), shares.end()) * count / sum;
            fairness.most = *std::max_element(shares.begin(), shares.end()) * count / sum;
        }
        return fairness;
    }
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_FAIRNESS_H
