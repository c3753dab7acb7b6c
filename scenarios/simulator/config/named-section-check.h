/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_NAMED_SECTION_CHECK_H
#define NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_NAMED_SECTION_CHECK_H

#include "scenarios/simulator/config/scenario-config.h"

namespace ns3::nfsrdma
{

/**
 * \brief Looks for what a section with a name may not say, and for keys that only such a section
 * may have (hosts; all of [adversary]). Throws the ScenarioError that names one of them.
 *
 * A workload is of a kind and has that kind's keys; an adversary has a role, hosts and that role's
 * keys; all others have hosts, and no key that is for the whole cluster. Which hosts there are is
 * not looked at: see ResolveHosts().
 */
void CheckNamedSections(const ScenarioConfig& config);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_CONFIG_NAMED_SECTION_CHECK_H
