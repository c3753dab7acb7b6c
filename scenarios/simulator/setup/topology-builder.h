/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_SCENARIOS_SIMULATOR_SETUP_TOPOLOGY_BUILDER_H
#define NFSRDMA_SCENARIOS_SIMULATOR_SETUP_TOPOLOGY_BUILDER_H

#include "helper/topology/topology.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{

/**
 * \brief The network that a file describes, switch by switch and link by link, in whatever format.
 *
 * What is wrong is thrown as ScenarioError, with the name of the file and the line that was read
 * last.
 */
class TopologyBuilder
{
  public:
    static constexpr std::size_t MOST_SWITCHES = 4096;

    /// \param file what stands for it in messages
    /// \param hosts names of the cluster's hosts, by number
    /// \param ports how many ports each has; those behind the last have one
    TopologyBuilder(std::string file,
                    const std::vector<std::string>& hosts,
                    std::vector<uint32_t> ports);

    /// What comes next is of line \p number.
    void SetLine(unsigned number);
    [[noreturn]] void Refuse(const std::string& what,
                             const std::string& got,
                             const std::string& expected) const;

    /// \return whether a host or a switch has \p name.
    [[nodiscard]] bool Has(const std::string& name) const;
    /// Adds a switch; \p name has to be new.
    void AddSwitch(const std::string& name);
    /// Connects \p one, a host with a port left or a switch, to \p other, a switch.
    void AddLink(const std::string& one, const std::string& other, const LinkTraits& traits);
    /// The same with the ends in either order.
    void AddEdge(const std::string& one, const std::string& other, const LinkTraits& traits);
    /// Takes the value of rate, delay, queue or mtu, with the units of a scenario, into \p traits,
    /// which must not have it. \return whether \p key is one of them.
    bool TakeTrait(const std::string& key,
                   const std::string& value,
                   const std::string& word,
                   LinkTraits& traits) const;

    /// Connects each host to a switch, one after the other, if no host has a link.
    void SpreadHosts();
    /// \return the network, which has passed its Check(); every host has a link for each port.
    [[nodiscard]] Topology Finish() const;

  private:
    [[nodiscard]] uint32_t Find(const std::string& name) const;
    [[nodiscard]] std::string FindFlaw() const;

    std::string m_file;
    Topology m_topology;
    std::vector<uint32_t> m_ports; ///< Of each host.
    std::map<std::string, uint32_t> m_nodes;
    unsigned m_line{0};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_SCENARIOS_SIMULATOR_SETUP_TOPOLOGY_BUILDER_H
