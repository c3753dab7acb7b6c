/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_EXPLORE_PLAN_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_EXPLORE_PLAN_H

#include "helper/explore/event-order.h"
#include "helper/explore/exploration.h"
#include "scenarios/simulator/config/scenario-config.h"

#include "ns3/nstime.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/// Section [explore]: the order of events of a run, and which orders the command explore tries.
struct ExplorePlan
{
    EventOrder order;
    Exploration::Bounds bounds;
    std::vector<std::string> floating; ///< Classes whose events may happen before their time.
    Time patience;
    bool holds{true};
    uint64_t losses{0};     ///< Of frames, in an order at most.
    uint64_t duplicates{0}; ///< Likewise.
    bool completions{false};
    bool setup{false};
};

/// Throws ScenarioError.
ExplorePlan ResolveExplore(const ScenarioConfig& config);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_EXPLORE_PLAN_H
