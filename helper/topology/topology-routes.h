/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_HELPER_TOPOLOGY_TOPOLOGY_ROUTES_H
#define NFSRDMA_HELPER_TOPOLOGY_TOPOLOGY_ROUTES_H

#include "helper/topology/topology.h"

namespace ns3::nfsrdma
{

/**
 * \brief The ways through a topology: from every switch to every port of a host all links that
 * begin a shortest path (fewest links), and for broadcasts a tree of each network of switches that
 * are connected, with the links of all hosts. No way leads through a host.
 *
 * Hosts at the same switch share their ways, so that memory grows with the product of switches and
 * switches that have hosts.
 */
class TopologyRoutes
{
  public:
    /// \param topology one that has passed Check()
    explicit TopologyRoutes(const Topology& topology);

    /// \return the links of \p from, a switch, that begin a shortest path to the end of link number
    /// \p port of \p host, ascending; none when there is no path.
    [[nodiscard]] const std::vector<uint32_t>& GetNextLinks(uint32_t from,
                                                            uint32_t host,
                                                            uint32_t port = 0) const;
    /// \return the number of links of a shortest path from \p from, a switch, to that end; 0 when
    /// there is none.
    [[nodiscard]] uint32_t GetDistance(uint32_t from, uint32_t host, uint32_t port = 0) const;
    /// \return whether broadcasts travel over \p link.
    [[nodiscard]] bool IsInTree(uint32_t link) const;

  private:
    /// Where a link of a host ends.
    struct Edge
    {
        uint32_t node;              ///< The switch.
        std::vector<uint32_t> link; ///< That link alone.
    };

    /// The ways to the hosts of one switch; by switch, from the first one on.
    struct Ways
    {
        std::vector<uint32_t> distance; ///< Links to the switch; UNREACHABLE: none.
        std::vector<std::vector<uint32_t>> next;
    };

    void FindWays(const Topology& topology, uint32_t target);
    void FindTree(const Topology& topology);

    uint32_t m_hosts;
    std::vector<std::vector<Edge>> m_edges; ///< By host, by port.
    std::vector<Ways> m_ways;               ///< By target switch; empty when it has no host.
    std::vector<bool> m_inTree;             ///< By link.
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_HELPER_TOPOLOGY_TOPOLOGY_ROUTES_H
