/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/edit-distance.h"

#include <algorithm>
#include <numeric>

namespace ns3::nfsrdma
{

std::size_t
EditDistance(std::string_view from, std::string_view to)
{
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 0; i < from.size(); ++i)
    {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < to.size(); ++j)
        {
            const std::size_t substituted = diagonal + (from[i] == to[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row[to.size()];
}

std::string
FindNearest(std::string_view word, const std::vector<std::string>& candidates)
{
    const auto nearest = std::min_element(candidates.begin(),
                                          candidates.end(),
                                          [word](const std::string& a, const std::string& b) {
                                              return EditDistance(word, a) < EditDistance(word, b);
                                          });
    return nearest == candidates.end() ? std::string() : *nearest;
}

} // namespace ns3::nfsrdma
