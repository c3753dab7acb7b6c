/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/topology/topology-shapes.h"

#include <functional>
#include <numeric>

namespace ns3::nfsrdma
{

namespace
{

/// Connects \p spine to each of \p below.
void
ConnectSpine(uint32_t spine,
             const std::vector<uint32_t>& below,
             const LinkTraits& trunk,
             Topology& topology)
{
    for (const uint32_t leaf : below)
    {
        topology.AddLink(leaf, spine, trunk);
    }
}

} // namespace

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
        ConnectSpine(topology.AddSwitch("spine-" + std::to_string(i)), leaf, trunk, topology);
    }
    return topology;
}

ClusterHosts
GetFatTreeRoom(uint32_t arity, ServerPlacement placement)
{
    const uint32_t pod = arity / 2 * (arity / 2);
    return placement == ServerPlacement::APART ? ClusterHosts{(arity - 1) * pod, pod}
                                               : ClusterHosts{arity * pod, arity * pod};
}

Topology
MakeFatTree(const ClusterHosts& hosts,
            uint32_t arity,
            ServerPlacement placement,
            const LinkTraits& trunk)
{
    Topology topology(hosts.GetNames());
    const uint32_t half = arity / 2;
    std::vector<std::vector<uint32_t>> edges(arity); // By pod.
    std::vector<std::vector<uint32_t>> aggregations(arity);
    for (uint32_t pod = 0; pod < arity; ++pod)
    {
        const auto name = "pod-" + std::to_string(pod);
        for (uint32_t i = 0; i < half; ++i)
        {
            edges[pod].push_back(topology.AddSwitch(name + "-edge-" + std::to_string(i)));
        }
        for (uint32_t i = 0; i < half; ++i)
        {
            aggregations[pod].push_back(
                topology.AddSwitch(name + "-aggregation-" + std::to_string(i)));
        }
    }
    const bool apart = placement == ServerPlacement::APART;
    // Pods in turn, and in a pod its edges in turn.
    const auto attach = [&](uint32_t host, uint32_t turn, uint32_t firstPod, uint32_t pods) {
        topology.AddLink(host, edges[firstPod + turn % pods][turn / pods % half]);
    };
    for (uint32_t i = 0; i < hosts.servers; ++i)
    {
        attach(i, i, apart ? arity - 1 : 0, apart ? 1 : arity);
    }
    for (uint32_t i = 0; i < hosts.clients; ++i)
    {
        attach(hosts.servers + i, apart ? i : hosts.servers + i, 0, apart ? arity - 1 : arity);
    }
    for (uint32_t pod = 0; pod < arity; ++pod)
    {
        for (const uint32_t above : aggregations[pod])
        {
            ConnectSpine(above, edges[pod], trunk, topology);
        }
    }
    for (uint32_t i = 0; i < half * half; ++i)
    {
        const uint32_t core = topology.AddSwitch("core-" + std::to_string(i));
        for (uint32_t pod = 0; pod < arity; ++pod)
        {
            topology.AddLink(aggregations[pod][i / half], core, trunk);
        }
    }
    return topology;
}

Topology
MakeTorus(const ClusterHosts& hosts,
          const std::vector<uint32_t>& dimensions,
          ServerPlacement placement,
          const LinkTraits& trunk)
{
    Topology topology(hosts.GetNames());
    const uint32_t count =
        std::accumulate(dimensions.begin(), dimensions.end(), 1U, std::multiplies<>());
    const uint32_t first = topology.GetNodeCount();
    for (uint32_t i = 0; i < count; ++i)
    {
        std::string name = "switch";
        uint32_t rest = i;
        for (const uint32_t size : dimensions)
        {
            name += "-" + std::to_string(rest % size);
            rest /= size;
        }
        topology.AddSwitch(name);
    }
    const bool apart = placement == ServerPlacement::APART;
    for (uint32_t i = 0; i < hosts.servers; ++i)
    {
        topology.AddLink(i, first + (apart ? count - 1 : i % count));
    }
    for (uint32_t i = 0; i < hosts.clients; ++i)
    {
        topology.AddLink(hosts.servers + i, first + i % (apart ? count - 1 : count));
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        uint32_t stride = 1;
        for (const uint32_t size : dimensions)
        {
            const uint32_t place = i / stride % size;
            if (place + 1 < size)
            {
                topology.AddLink(first + i, first + i + stride, trunk);
            }
            else if (size > 2)
            {
                topology.AddLink(first + i, first + i - place * stride, trunk);
            }
            stride *= size;
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
MakeRails(const ClusterHosts& hosts, const std::vector<uint32_t>& ports, const RailPods& pods)
{
    Topology topology(hosts.GetNames());
    std::vector<std::vector<uint32_t>> rails; // By rail, by pod.
    const auto addRail = [&] {
        const auto name = "rail-" + std::to_string(rails.size());
        auto& leaves = rails.emplace_back();
        for (uint32_t pod = 0; pod < pods.count; ++pod)
        {
            leaves.push_back(
                topology.AddSwitch(pods.count == 1 ? name : name + "-pod-" + std::to_string(pod)));
        }
        for (uint32_t i = 0; pods.count > 1 && i < pods.spines; ++i)
        {
            ConnectSpine(topology.AddSwitch(name + "-spine-" + std::to_string(i)),
                         leaves,
                         pods.trunk,
                         topology);
        }
    };
    for (uint32_t host = 0; host < topology.GetHostCount(); ++host)
    {
        const uint32_t pod = (host < hosts.servers ? host : host - hosts.servers) % pods.count;
        for (uint32_t port = 0; port < ports.at(host); ++port)
        {
            if (port == rails.size())
            {
                addRail();
            }
            topology.AddLink(host, rails[port][pod]);
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
