/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_TOPOLOGY_FILE_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_TOPOLOGY_FILE_H

#include "helper/topology/topology.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief Reads a file of switches and links: a list as below; a table, if its name ends in .csv
 * (ReadTopologyTable()); a graph, if it ends in .graphml (ReadGraphml()).
 *
 *     # two racks                     the rest of a line from '#' on is a comment
 *     switch rack-0
 *     switch rack-1
 *     link client-0..7 rack-0 rate=25Gbps
 *     link server-0 rack-1 rate=100Gbps delay=200ns queue=1MiB
 *     link rack-0 rack-1              several links between two switches share the flows
 *
 * Words are separated by blanks. A switch has its line before the links that name it. The first
 * end of a link is a host or a switch, or a range of either (ExpandHostRange()), the second one a
 * switch. rate, delay, queue (the room at a port of a switch, octets) and mtu have the units of a
 * scenario; what is not said is as in [link]. Every host has as many links as ports, as a rule one.
 * When a table or a graph has no host, hosts are at its switches in turn.
 */
class TopologyFile
{
  public:
    /// \param path of the file
    /// \param hosts names of the cluster's hosts, by number
    /// \param ports how many ports each has; those behind the last have one
    /// \return a topology that has passed its Check(). Throws ScenarioError, by line.
    static Topology Load(const std::string& path,
                         const std::vector<std::string>& hosts,
                         const std::vector<uint32_t>& ports = {});
    /// As Load(), with the text at hand; \p name stands for the file in messages.
    static Topology Parse(const std::string& name,
                          const std::string& text,
                          const std::vector<std::string>& hosts,
                          const std::vector<uint32_t>& ports = {});
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_TOPOLOGY_FILE_H
