/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_HOST_RANGE_H
#define NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_HOST_RANGE_H

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// \return the names that "client-0..3" stands for, or \p text itself when it is one name; none
/// when it is neither: letters, digits, '-' and '_', then FIRST..LAST with FIRST not above LAST,
/// 65536 names at most.
std::vector<std::string> ExpandHostRange(const std::string& text);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_HOST_RANGE_H
