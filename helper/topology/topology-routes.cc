/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/topology/topology-routes.h"

#include <deque>
#include <limits>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t UNREACHABLE = std::numeric_limits<uint32_t>::max();

} // namespace

TopologyRoutes::TopologyRoutes(const Topology& topology)
    : m_hosts(topology.GetHostCount()),
      m_ways(topology.GetSwitchCount()),
      m_inTree(topology.GetLinks().size(), false)
{
    for (uint32_t host = 0; host < m_hosts; ++host)
    {
        auto& edges = m_edges.emplace_back();
        for (const uint32_t link : topology.GetLinksOf(host))
        {
            edges.push_back({topology.GetLinks()[link].GetPeer(host), {link}});
            m_inTree[link] = true;
            if (m_ways[edges.back().node - m_hosts].next.empty())
            {
                FindWays(topology, edges.back().node);
            }
        }
    }
    FindTree(topology);
}

void
TopologyRoutes::FindWays(const Topology& topology, uint32_t target)
{
    auto& ways = m_ways[target - m_hosts];
    ways.distance.assign(topology.GetSwitchCount(), UNREACHABLE);
    ways.next.resize(topology.GetSwitchCount());
    ways.distance[target - m_hosts] = 0;
    std::deque<uint32_t> open{target};
    while (!open.empty())
    {
        const uint32_t node = open.front();
        open.pop_front();
        const uint32_t distance = ways.distance[node - m_hosts];
        for (const uint32_t link : topology.GetLinksOf(node))
        {
            const uint32_t peer = topology.GetLinks()[link].GetPeer(node);
            if (topology.IsSwitch(peer) && ways.distance[peer - m_hosts] == UNREACHABLE)
            {
                ways.distance[peer - m_hosts] = distance + 1;
                open.push_back(peer);
            }
        }
    }
    for (uint32_t i = 0; i < topology.GetSwitchCount(); ++i)
    {
        for (const uint32_t link : topology.GetLinksOf(m_hosts + i))
        {
            const uint32_t peer = topology.GetLinks()[link].GetPeer(m_hosts + i);
            const bool nearer = topology.IsSwitch(peer) && ways.distance[i] != UNREACHABLE &&
                                ways.distance[peer - m_hosts] + 1 == ways.distance[i];
            if (nearer)
            {
                ways.next[i].push_back(link);
            }
        }
    }
}

void
TopologyRoutes::FindTree(const Topology& topology)
{
    std::vector<bool> reached(topology.GetNodeCount(), false);
    for (uint32_t root = m_hosts; root < topology.GetNodeCount(); ++root)
    {
        if (reached[root])
        {
            continue;
        }
        reached[root] = true;
        std::deque<uint32_t> open{root};
        while (!open.empty())
        {
            const uint32_t node = open.front();
            open.pop_front();
            for (const uint32_t link : topology.GetLinksOf(node))
            {
                const uint32_t peer = topology.GetLinks()[link].GetPeer(node);
                if (topology.IsSwitch(peer) && !reached[peer])
                {
                    reached[peer] = true;
                    m_inTree[link] = true;
                    open.push_back(peer);
                }
            }
        }
    }
}

const std::vector<uint32_t>&
TopologyRoutes::GetNextLinks(uint32_t from, uint32_t host, uint32_t port) const
{
    const auto& edge = m_edges.at(host).at(port);
    return from == edge.node ? edge.link : m_ways[edge.node - m_hosts].next.at(from - m_hosts);
}

uint32_t
TopologyRoutes::GetDistance(uint32_t from, uint32_t host, uint32_t port) const
{
    const auto& edge = m_edges.at(host).at(port);
    const uint32_t distance = m_ways[edge.node - m_hosts].distance.at(from - m_hosts);
    return distance == UNREACHABLE ? 0 : distance + 1;
}

bool
TopologyRoutes::IsInTree(uint32_t link) const
{
    return m_inTree.at(link);
}

} // namespace ns3::nfsrdma
