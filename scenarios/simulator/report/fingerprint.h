/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_REPORT_FINGERPRINT_H
#define NFSRDMA_SCENARIOS_SIMULATOR_REPORT_FINGERPRINT_H

#include "scenarios/simulator/config/scenario-config.h"

#include <string>

namespace ns3::nfsrdma
{

/// \return SHA-256 of the octets of this program and the project's libraries that it has loaded.
std::string FingerprintProgram();
/// \return SHA-256 of every value of \p config, and of the files that it names and \p path has.
std::string FingerprintConfig(const ScenarioConfig& config, const ScenarioPath& path);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_REPORT_FINGERPRINT_H
