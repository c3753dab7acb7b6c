/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SCENARIO_KEYS_H
#define NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SCENARIO_KEYS_H

#include "scenarios/simulator/keys/key-condition.h"
#include "scenarios/simulator/keys/scenario-key.h"

namespace ns3::nfsrdma
{

// One declarative table a section.

ScenarioSection MakeClusterSection();
[[nodiscard]] ScenarioSection MakeKernelSection();
ScenarioSection MakeTopologySection();
ScenarioSection MakeLinkSection();
ScenarioSection MakeMiddleboxSection();
ScenarioSection MakeTcpSection();
ScenarioSection MakeRnicSection();
[[nodiscard]] ScenarioSection MakeIpsecSection();
[[nodiscard]] ScenarioSection MakeTlsSection();
ScenarioSection MakeHostSection();
ScenarioSection MakeRpcRdmaSection();
ScenarioSection MakeNfsSection();
ScenarioSection MakeStorageSection();
ScenarioSection MakeWorkloadSection();
ScenarioSection MakeMeasureSection();
ScenarioSection MakeFaultsSection();
ScenarioSection MakeAdversarySection();
ScenarioSection MakeSweepSection();
ScenarioSection MakeExploreSection();
ScenarioSection MakeOutputSection();

/// Keys of [workload] about requests, of fio, listing and acl.
std::vector<ScenarioKey> MakeRequestKeys();
/// Keys of [workload] of kind fio.
std::vector<ScenarioKey> MakeFioKeys();
/// Keys of [workload] of the kinds mdtest, listing, acl and lock.
std::vector<ScenarioKey> MakeMetadataKeys();
/// Keys of [nfs] about the version, and NFSv4's clients.
std::vector<ScenarioKey> MakeNfs4ClientKeys();
/// Keys of [nfs] about ports, and what clients say over TCP to mount.
std::vector<ScenarioKey> MakeMountKeys();
/// Keys of [nfs] about locks of NFSv2 and v3, lock managers and status monitors, and RPC over TCP.
[[nodiscard]] std::vector<ScenarioKey> MakeLockKeys();
/// Keys of section [nfs] about the NFSv4 server.
[[nodiscard]] std::vector<ScenarioKey> MakeNfs4ServerKeys();

/// \return what keys depend on; of several rows of one key all have to hold.
[[nodiscard]] std::vector<KeyConditionRow> GetKeyConditions();

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_KEYS_SCENARIO_KEYS_H
