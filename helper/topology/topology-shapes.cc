/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/topology/topology-shapes.h"

namespace ns3::nfsrdma
{

std::vector<std::string>
ClusterHosts::GetNames() const
{
    std::vector<std::string> names;
    for (uint32_t i = 0; i < servers; ++i)
    {
        names.push_back("server-" + std::to_string(i));
    }
    for (uint32_t i = 0; i < clients; ++i)
    {
        names.push_back("client-" + std::to_string(i));
    }
    return names;
}

Topology
MakeStar(const ClusterHosts& hosts)
{
    Topology topology(hosts.GetNames());
    const uint32_t center = topology.AddSwitch("switch");
    for (uint32_t host = 0; host < topology.GetHostCount(); ++host)
    {
        topology.AddLink(host, center);
    }
    return topology;
}

Topology
MakeLeafSpine(const ClusterHosts& hosts,
              uint32_t leaves,
              uint32_t spines,
              ServerPlacement placement,
              const LinkTraits& trunk)
{
    Topology topology(hosts.GetNames());
    std::vector<uint32_t> leaf;
    for (uint32_t i = 0; i < leaves; ++i)
    {
        leaf.push_back(topology.AddSwitch("leaf-" + std::to_string(i)));
    }
    const bool apart = placement == ServerPlacement::APART;
    for (uint32_t i = 0; i < hosts.servers; ++i)
    {
        topology.AddLink(i, apart ? leaf.back() : leaf[i % leaves]);
    }
    const uint32_t clientLeaves = apart ? leaves - 1 : leaves;
    for (uint32_t i = 0; i < hosts.clients; ++i)
    {
        topology.AddLink(hosts.servers + i, leaf[i % clientLeaves]);
    }
    for (uint32_t i = 0; i < spines; ++i)
    {
        const uint32_t spine = topology.AddSwitch("spine-" + std::to_string(i));
        for (const uint32_t below : leaf)
        {
            topology.AddLink(below, spine, trunk);
        }
    }
    return topology;
}

Topology
MakeDumbbell(const ClusterHosts& hosts, const LinkTraits& trunk)
{
    Topology topology(hosts.GetNames());
    const uint32_t left = topology.AddSwitch("left");
    const uint32_t right = topology.AddSwitch("right");
    for (uint32_t host = 0; host < topology.GetHostCount(); ++host)
    {
        topology.AddLink(host, host < hosts.servers ? right : left);
    }
    topology.AddLink(left, right, trunk);
    return topology;
}

Topology
MakePair(const ClusterHosts& hosts, const LinkTraits& trunk)
{
    Topology topology(hosts.GetNames());
    const uint32_t first = topology.AddSwitch("switch-0");
    const uint32_t second = topology.AddSwitch("switch-1");
    for (uint32_t host = 0; host < topology.GetHostCount(); ++host)
    {
        topology.AddLink(host, first);
    }
    topology.AddLink(first, second, trunk);
    return topology;
}

Topology
MakeRails(const ClusterHosts& hosts, const std::vector<uint32_t>& ports)
{
    Topology topology(hosts.GetNames());
    std::vector<uint32_t> rails;
    for (uint32_t host = 0; host < topology.GetHostCount(); ++host)
    {
        for (uint32_t port = 0; port < ports.at(host); ++port)
        {
            if (port == rails.size())
            {
                rails.push_back(topology.AddSwitch("rail-" + std::to_string(port)));
            }
            topology.AddLink(host, rails[port]);
        }
    }
    return topology;
}

void
AddPorts(const std::vector<uint32_t>& ports, Topology& topology)
{
    const uint32_t first = topology.GetHostCount();
    const auto edgeOf = [&](uint32_t host) {
        return topology.GetLinks()[topology.GetLinksOf(host).front()].other;
    };
    bool isPair = topology.GetSwitchCount() == 2;
    for (uint32_t host = 0; host < topology.GetHostCount(); ++host)
    {
        isPair = isPair && edgeOf(host) == first;
    }
    for (uint32_t host = 0; host < topology.GetHostCount(); ++host)
    {
        const TopologyLink link = topology.GetLinks()[topology.GetLinksOf(host).front()];
        for (uint32_t port = 1; port < ports.at(host); ++port)
        {
            topology.AddLink(host, isPair ? first + port % 2 : link.other, link.traits);
        }
    }
}

} // namespace ns3::nfsrdma
