/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_TOPOLOGY_GRAPHML_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_TOPOLOGY_GRAPHML_H

#include "scenarios/simulator/setup/topology-builder.h"

#include <string>

namespace ns3::nfsrdma
{

/**
 * \brief Reads a graph in GraphML (graphml.graphdrawing.org): nodes and edges of one graph.
 *
 * A node has the name of its data "name" or "label" or the label that yEd draws, else its id; other
 * characters than letters, digits and '-' count as '_'. A node with the name of a host is that
 * host, any other one a switch. An edge is a link. Of directed edges, which yEd always writes, one
 * makes a link of both directions too; one back, which has to have the same data, is its other
 * direction. Data "rate", "delay", "queue" and "mtu" of an edge, or their defaults, have the units
 * of a scenario; other data do not count. External entities are not read, and others not expanded.
 * Throws ScenarioError, by line, for what is not well-formed, and for hyperedges and graphs in
 * nodes.
 */
void ReadGraphml(const std::string& text, TopologyBuilder& builder);

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_TOPOLOGY_GRAPHML_H
