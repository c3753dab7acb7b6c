/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_ADVERSARIES_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_ADVERSARIES_H

#include "scenarios/simulator/sweep/table.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// \return adversaries.csv of a sweep: a header row, then for each run (point, seed, swept values
/// as in sweep.csv) a row for each host with a role and each thing that it did: name of the
/// section, role, host, what, how often. Empty when no run had adversaries.
[[nodiscard]] std::string MakeSweepAdversariesCsv(const std::vector<std::string>& keys,
                                                  const std::vector<SweepResult>& results);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SWEEP_ADVERSARIES_H
