/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/topology-builder.h"

#include "link/least-mtu.h"
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/key-units.h"
#include "scenarios/simulator/keys/scenario-error.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{

TopologyBuilder::TopologyBuilder(std::string file,
                                 const std::vector<std::string>& hosts,
                                 std::vector<uint32_t> ports)
    : m_file(std::move(file)),
      m_topology(hosts),
      m_ports(std::move(ports))
{
    m_ports.resize(hosts.size(), 1);
    for (uint32_t host = 0; host < hosts.size(); ++host)
    {
        m_nodes.emplace(hosts[host], host);
    }
}

void
TopologyBuilder::SetLine(unsigned number)
{
    m_line = number;
}

void
TopologyBuilder::Refuse(const std::string& what,
                        const std::string& got,
                        const std::string& expected) const
{
    throw ScenarioError(ScenarioOrigin{m_file, m_line}.ToText(), what, got, expected);
}

bool
TopologyBuilder::Has(const std::string& name) const
{
    return m_nodes.count(name) > 0;
}

void
TopologyBuilder::AddSwitch(const std::string& name)
{
    if (m_topology.GetSwitchCount() == MOST_SWITCHES)
    {
        Refuse("switch", Quote(name), std::to_string(MOST_SWITCHES) + " switches at most");
    }
    if (!m_nodes.emplace(name, m_topology.GetNodeCount()).second)
    {
        Refuse("switch", Quote(name), "a name that no host and no other switch has");
    }
    m_topology.AddSwitch(name);
}

void
TopologyBuilder::AddLink(const std::string& one, const std::string& other, const LinkTraits& traits)
{
    const uint32_t to = Find(other);
    if (!m_topology.IsSwitch(to))
    {
        Refuse("link", Quote(other), "a switch as second end");
    }
    const uint32_t node = Find(one);
    if (node == to)
    {
        Refuse("link", Quote(one), "two different ends");
    }
    if (!m_topology.IsSwitch(node) && m_topology.GetLinksOf(node).size() >= m_ports[node])
    {
        Refuse("link",
               Quote(one),
               m_ports[node] == 1 ? "a host that has no link yet" : "a host that has a port left");
    }
    m_topology.AddLink(node, to, traits);
}

void
TopologyBuilder::AddEdge(const std::string& one, const std::string& other, const LinkTraits& traits)
{
    const bool isTurned = !m_topology.IsSwitch(Find(other)) && m_topology.IsSwitch(Find(one));
    AddLink(isTurned ? other : one, isTurned ? one : other, traits);
}

bool
TopologyBuilder::TakeTrait(const std::string& key,
                           const std::string& value,
                           const std::string& word,
                           LinkTraits& traits) const
{
    const auto parse = [&](const ScenarioConstraint& constraint, bool isSet) {
        const auto parsed = ScenarioValue::Parse(constraint, value);
        if (!parsed || isSet)
        {
            Refuse("link", Quote(word), isSet ? "each key once" : parsed.error());
        }
        return *parsed;
    };
    if (key == "rate")
    {
        traits.rate = parse(Rate(MBPS, 10 * TBPS), traits.rate.has_value()).AsRate().GetBitRate();
    }
    else if (key == "delay")
    {
        traits.delay = parse(Duration(), traits.delay.has_value()).AsTime().GetNanoSeconds();
    }
    else if (key == "queue")
    {
        traits.queue =
            static_cast<uint32_t>(parse(Size(KIB, GIB), traits.queue.has_value()).AsInteger());
    }
    else if (key == "mtu")
    {
        traits.mtu = static_cast<uint16_t>(
            parse(Size(LEAST_MTU, 65535), traits.mtu.has_value()).AsInteger());
    }
    else
    {
        return false;
    }
    return true;
}

void
TopologyBuilder::SpreadHosts()
{
    const uint32_t hosts = m_topology.GetHostCount();
    const auto& links = m_topology.GetLinks();
    if (m_topology.GetSwitchCount() == 0 ||
        std::any_of(links.begin(), links.end(), [this](const auto& link) {
            return !m_topology.IsSwitch(link.one);
        }))
    {
        return;
    }
    for (uint32_t host = 0; host < hosts; ++host)
    {
        for (uint32_t port = 0; port < m_ports[host]; ++port)
        {
            m_topology.AddLink(host, hosts + host % m_topology.GetSwitchCount());
        }
    }
}

Topology
TopologyBuilder::Finish() const
{
    const auto wrong = FindFlaw();
    if (!wrong.empty())
    {
        throw ScenarioError(m_file,
                            "",
                            wrong,
                            "every host of the cluster with one link, or one for each of its "
                            "ports, connected");
    }
    return m_topology;
}

uint32_t
TopologyBuilder::Find(const std::string& name) const
{
    const auto found = m_nodes.find(name);
    if (found == m_nodes.end())
    {
        Refuse("link", Quote(name), "a host of the cluster or a switch of a line before");
    }
    return found->second;
}

std::string
TopologyBuilder::FindFlaw() const
{
    auto wrong = m_topology.Check();
    for (uint32_t host = 0; wrong.empty() && host < m_ports.size(); ++host)
    {
        if (m_topology.GetLinksOf(host).size() < m_ports[host])
        {
            wrong = m_topology.GetName(host) + " has " + std::to_string(m_ports[host]) +
                    " ports and " + std::to_string(m_topology.GetLinksOf(host).size()) + " links";
        }
    }
    return wrong;
}

} // namespace ns3::nfsrdma
