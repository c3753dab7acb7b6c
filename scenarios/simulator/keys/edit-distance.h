/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_KEYS_EDIT_DISTANCE_H
#define NFSRDMA_SCENARIOS_SIMULATOR_KEYS_EDIT_DISTANCE_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::nfsrdma
{

/// \return insertions, deletions and substitutions that make \p from into \p to (Levenshtein).
std::size_t EditDistance(std::string_view from, std::string_view to);

/// \return the candidate with the least distance to \p word, the first of several; empty when there
/// is no candidate.
std::string FindNearest(std::string_view word, const std::vector<std::string>& candidates);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_KEYS_EDIT_DISTANCE_H
