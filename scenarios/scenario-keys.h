/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SCENARIO_KEYS_H
#define NFSRDMA_SCENARIOS_SCENARIO_KEYS_H

#include "scenario-key.h"

namespace ns3::nfsrdma
{

// One declarative table a section.

ScenarioSection MakeClusterSection();
ScenarioSection MakeLinkSection();
ScenarioSection MakeMiddleboxSection();
ScenarioSection MakeTcpSection();
ScenarioSection MakeRnicSection();
ScenarioSection MakeHostSection();
ScenarioSection MakeRpcRdmaSection();
/// The section rpcrdma without the keys of connections, timeouts and duplicates.
ScenarioSection MakeRpcRdmaTable();
ScenarioSection MakeNfsSection();
ScenarioSection MakeWorkloadSection();
ScenarioSection MakeSweepSection();
ScenarioSection MakeOutputSection();

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SCENARIO_KEYS_H
