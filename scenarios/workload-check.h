/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_WORKLOAD_CHECK_H
#define NFSRDMA_SCENARIOS_WORKLOAD_CHECK_H

#include "scenario-config.h"

namespace ns3::nfsrdma
{

/// Throws ScenarioError when the keys of [workload] do not fit the workload they are for.
void CheckWorkload(const ScenarioConfig& config);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_WORKLOAD_CHECK_H
