/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_LINE_GROUPS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_LINE_GROUPS_H

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Makes a long list short: lines that are equal but for their numbers become one, "444 times
 * as: " and the first of them, when there are more than a few. Their order is that of the first
 * ones.
 */
[[nodiscard]] std::vector<std::string> GroupLines(const std::vector<std::string>& lines);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_LINE_GROUPS_H
