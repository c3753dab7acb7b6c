/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_WORKLOAD_INPUT_H
#define NFSRDMA_SCENARIOS_WORKLOAD_INPUT_H

#include "scenario-config.h"
#include "workload/trace.h"
#include "workload/tree-reader.h"

#include <memory>

namespace ns3::nfsrdma
{

/// What a workload reads from files: a recording and the tree it begins with.
struct WorkloadInput
{
    std::shared_ptr<const Trace> trace; ///< Null unless the workload replays one.
    std::shared_ptr<const Tree> tree;   ///< Null when exports begin empty.

    /// Reads what \p config asks for. Throws ScenarioError.
    static WorkloadInput Load(const ScenarioConfig& config, const ScenarioPath& path);
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_WORKLOAD_INPUT_H
