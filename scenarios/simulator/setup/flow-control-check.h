/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_FLOW_CONTROL_CHECK_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_FLOW_CONTROL_CHECK_H

#include "helper/topology/topology.h"
#include "scenarios/simulator/config/scenario-config.h"

namespace ns3::nfsrdma
{

/**
 * \brief Checks the shared buffers of switches and the packet buffers of adapters: that there is
 * room for a frame of each port and, with flow control, for what still comes after PAUSE
 * (PauseSender::ComputeHeadRoom()).
 *
 * Throws ScenarioError: too small a buffer, or a threshold that leaves no head room.
 */
void CheckFlowControl(const ScenarioConfig& config, const Topology& topology);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_FLOW_CONTROL_CHECK_H
