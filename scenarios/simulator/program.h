/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_PROGRAM_H
#define NFSRDMA_SCENARIOS_SIMULATOR_PROGRAM_H

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// What nfsrdma-sim does. \return its exit status (RunStatus).
int RunProgram(const std::vector<std::string>& arguments);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_PROGRAM_H
