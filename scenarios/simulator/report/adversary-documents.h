/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_ADVERSARY_DOCUMENTS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_ADVERSARY_DOCUMENTS_H

#include "scenarios/simulator/report/run-report.h"

#include <nlohmann/json.hpp>
#include <ostream>

namespace ns3::nfsrdma
{

/// \return the object "adversaries" of summary.json.
[[nodiscard]] nlohmann::ordered_json DescribeAdversaries(const AdversaryReport& report);
/// Prints what the console says of adversaries and their victims; nothing when there were none.
void PrintAdversaries(std::ostream& stream, const AdversaryReport& report);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_ADVERSARY_DOCUMENTS_H
