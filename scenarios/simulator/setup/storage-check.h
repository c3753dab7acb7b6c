/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_STORAGE_CHECK_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_STORAGE_CHECK_H

#include "scenarios/simulator/config/scenario-config.h"

namespace ns3::nfsrdma
{

/// Throws ScenarioError for an array of too few devices, and for chunks that are no whole pages.
void CheckStorage(const ScenarioConfig& config);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_STORAGE_CHECK_H
