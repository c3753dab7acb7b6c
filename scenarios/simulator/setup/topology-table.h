/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_TOPOLOGY_TABLE_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_TOPOLOGY_TABLE_H

#include "scenarios/simulator/setup/topology-builder.h"

#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief Reads a table of links, as spreadsheets and data frames write it (RFC 4180, without
 * quotes).
 *
 *     from,to,rate,delay
 *     client-0,rack-0,25Gbps,
 *     rack-0,spine,100Gbps,200ns
 *
 * The first line names the columns: from and to, and any of rate, delay, queue and mtu, in any
 * order. A name that is not a host's is a switch, from the first link on that has it. An empty
 * field says nothing. Throws ScenarioError, by line.
 */
void ReadTopologyTable(const std::string& text, TopologyBuilder& builder);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_TOPOLOGY_TABLE_H
