/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/setup/topology-from-config.h"

#include "link/least-mtu.h"
#include "scenarios/simulator/setup/flow-control-check.h"
#include "scenarios/simulator/setup/host-settings.h"
#include "scenarios/simulator/setup/nfs-check.h"
#include "scenarios/simulator/setup/topology-builder.h"
#include "scenarios/simulator/setup/topology-file.h"
#include "settings/named.h"
#include "wire/ip-address.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint64_t HOST_ADDRESSES = 65534; ///< Of the network of a cluster.

LinkTraits
GetTrunk(const ScenarioConfig& config)
{
    LinkTraits trunk;
    if (const auto rate = config.Get("topology.trunk_rate").AsRate().GetBitRate(); rate > 0)
    {
        trunk.rate = rate;
    }
    if (const auto delay = config.Get("topology.trunk_delay").AsTime(); delay.IsStrictlyPositive())
    {
        trunk.delay = delay.GetNanoSeconds();
    }
    if (const auto queue = config.Get("topology.trunk_queue").AsInteger(); queue > 0)
    {
        trunk.queue = static_cast<uint32_t>(queue);
    }
    return trunk;
}

/// No link of the file is narrower than IPv6 wants.
void
CheckFileMtu(const ScenarioConfig& config, const std::string& file, const Topology& topology)
{
    for (const auto& link : topology.GetLinks())
    {
        if (config.Get("topology.ip").AsText() == "ipv6" &&
            link.traits.mtu.value_or(LEAST_IPV6_MTU) < LEAST_IPV6_MTU)
        {
            throw ScenarioError(file,
                                "link " + topology.GetName(link.one) + " " +
                                    topology.GetName(link.other),
                                Quote("mtu=" + std::to_string(*link.traits.mtu)),
                                "at least " + std::to_string(LEAST_IPV6_MTU) +
                                    ", with topology.ip = ipv6 (RFC 8200 section 5)");
        }
    }
}

/// No link of the file is faster than the port of its host.
void
CheckFilePorts(const ScenarioConfig& config, const std::string& file, const Topology& topology)
{
    const auto settings = ResolveHostSettings(config);
    for (uint32_t host = 0; host < topology.GetHostCount(); ++host)
    {
        const auto& link = topology.GetLinks()[topology.GetLinksOf(host).front()];
        const auto port = settings[host].portRate.GetBitRate();
        if (link.traits.rate.value_or(0) > port)
        {
            throw ScenarioError(file,
                                "link " + topology.GetName(host),
                                Quote("rate=" + std::to_string(*link.traits.rate) + "bps"),
                                "at most rnic.port_rate, " + std::to_string(port) + "bps");
        }
    }
}

void
CheckMarking(const ScenarioConfig& config)
{
    if (config.Get("link.switch_marking").AsText() == "red" &&
        config.Get("link.red_minimum").AsInteger() >= config.Get("link.red_maximum").AsInteger())
    {
        config.Refuse("link.red_minimum",
                      "less than link.red_maximum, " + config.Get("link.red_maximum").ToText());
    }
}

void
CheckTrunk(const ScenarioConfig& config)
{
    const uint64_t frame = GetLargestMtu(ResolveHostSettings(config)) + uint64_t{14};
    const auto queue = config.Get("topology.trunk_queue").AsInteger();
    if (queue > 0 && queue < frame)
    {
        config.Refuse("topology.trunk_queue",
                      "room for a frame of the largest link.mtu, " + std::to_string(frame) +
                          "B, or 0");
    }
    constexpr uint64_t LEAST_RATE = 1000000;
    const auto rate = config.Get("topology.trunk_rate").AsRate().GetBitRate();
    if (rate > 0 && rate < LEAST_RATE)
    {
        config.Refuse("topology.trunk_rate", "1Mbps or more, or 0");
    }
}

/// \return how many ports each host has.
std::vector<uint32_t>
ListPorts(const ScenarioConfig& config)
{
    std::vector<uint32_t> ports;
    for (const auto& host : ResolveHostSettings(config))
    {
        ports.push_back(host.ports);
    }
    return ports;
}

/// \return whether bonds would be among switches that form loops, by the shape.
bool
HasLoops(const ScenarioConfig& config)
{
    const auto shape = config.Get("topology.shape").AsText();
    return shape == "fat-tree" || shape == "torus" ||
           (shape == "leaf-spine" && config.Get("topology.spines").AsInteger() > 1);
}

ServerPlacement
GetPlacement(const ScenarioConfig& config)
{
    return config.Get("topology.servers_at").AsText() == "apart" ? ServerPlacement::APART
                                                                 : ServerPlacement::SPREAD;
}

/// \return the switches of a torus in each direction; empty: topology.dimensions does not say so.
std::vector<uint32_t>
ParseDimensions(const ScenarioConfig& config)
{
    const auto text = config.Get("topology.dimensions").AsText();
    std::vector<uint32_t> dimensions;
    uint64_t switches = 1;
    std::size_t begin = 0;
    while (begin <= text.size())
    {
        const auto end = std::min(text.find('x', begin), text.size());
        uint32_t size = 0;
        const auto* last = text.data() + end;
        const auto read = std::from_chars(text.data() + begin, last, size);
        switches *= size;
        if (read.ec != std::errc() || read.ptr != last || size < 2 ||
            switches > TopologyBuilder::MOST_SWITCHES)
        {
            return {};
        }
        dimensions.push_back(size);
        begin = end + 1;
    }
    return dimensions;
}

void
CheckTorus(const ScenarioConfig& config)
{
    if (config.Get("topology.shape").AsText() == "torus" && ParseDimensions(config).empty())
    {
        config.Refuse("topology.dimensions",
                      "numbers of switches with x between, as 4x4, each 2 or more, together 4096 "
                      "at most");
    }
}

void
CheckFatTree(const ScenarioConfig& config)
{
    if (config.Get("topology.shape").AsText() != "fat-tree")
    {
        return;
    }
    const auto arity = static_cast<uint32_t>(config.Get("topology.arity").AsInteger());
    if (arity % 2 != 0)
    {
        config.Refuse("topology.arity", "an even number");
    }
    const auto placement = GetPlacement(config);
    const auto room = GetFatTreeRoom(arity, placement);
    const auto hosts = GetClusterHosts(config);
    const bool apart = placement == ServerPlacement::APART;
    if (apart ? hosts.clients > room.clients || hosts.servers > room.servers
              : uint64_t{hosts.clients} + hosts.servers > room.clients)
    {
        std::ostringstream expected;
        expected << "more: with ports for " << room.clients
                 << (apart ? " clients and " + std::to_string(room.servers) + " servers apart"
                           : std::string(" hosts"))
                 << ", not for cluster.clients = " << hosts.clients
                 << " and cluster.servers = " << hosts.servers;
        config.Refuse("topology.arity", expected.str());
    }
}

/// Only links of a file have different rates where ways are equal.
void
CheckPaths(const ScenarioConfig& config)
{
    if (config.Get("topology.paths").AsText() == "weighted" &&
        config.Get("topology.shape").AsText() != "file")
    {
        config.Refuse("topology.paths",
                      "flow or spray, unless topology.shape is file: equal ways have equal rates");
    }
}

/// What hosts of several ports can be with: switches that learn, without loops.
void
CheckBonds(const ScenarioConfig& config)
{
    for (const auto& host : ResolveHostSettings(config))
    {
        const auto key = host.hostSection + ".ports";
        if (host.ports == 1)
        {
            continue;
        }
        if (HasLoops(config))
        {
            config.Refuse(key, "1 where switches form loops (topology.shape)");
        }
        if (config.Get("topology.arp").AsText() == "directed")
        {
            config.Refuse(key, "1 with topology.arp = directed");
        }
        if (config.Get("middlebox.at").AsText() != "none")
        {
            config.Refuse(key, "1 with middleboxes");
        }
        const auto primary = config.Get(host.hostSection + ".bond_primary").AsInteger();
        if (primary > host.ports)
        {
            config.Refuse(host.hostSection + ".bond_primary",
                          "a port, of " + std::to_string(host.ports) + ", or 0");
        }
    }
}

/// Ports that are not bonded are in networks of their own, and those that are in one.
void
CheckRails(const ScenarioConfig& config)
{
    const bool hasRails = config.Get("topology.shape").AsText() == "rails";
    const auto hosts = ResolveHostSettings(config);
    for (const auto& host : hosts)
    {
        const auto key = host.hostSection + ".bond";
        const bool isBonded = config.Get(key).AsText() != "none";
        if (host.ports > 1 && isBonded == hasRails)
        {
            config.Refuse(key,
                          hasRails ? "none with topology.shape = rails"
                                   : "a bond, or topology.shape = rails");
        }
    }
    if (hasRails &&
        std::all_of(hosts.begin(), hosts.end(), [](const auto& host) { return host.ports == 1; }))
    {
        config.Refuse("topology.shape", "rails with host.ports of 2 or more, or star");
    }
}

/// Every client and its server have the address that is mounted.
void
CheckServerAddress(const ScenarioConfig& config)
{
    const auto number = config.Get("nfs.server_address").AsInteger();
    if (config.Get("topology.shape").AsText() != "rails" || number == 1)
    {
        return;
    }
    if (config.Get("nfs.mount").AsText() == "linux" || HasLockManagers(config))
    {
        config.Refuse("nfs.server_address",
                      "1 with nfs.mount = linux or lock managers, which are at the first address");
    }
    const auto hosts = ResolveHostSettings(config);
    const auto servers = GetClusterHosts(config).servers;
    for (uint32_t client = 0; servers + client < hosts.size(); ++client)
    {
        const auto ports = std::min(hosts[client % servers].ports, hosts[servers + client].ports);
        if (number > ports)
        {
            std::ostringstream expected;
            expected << "at most " << ports << ", the ports that client-" << client
                     << " and its server both have";
            config.Refuse("nfs.server_address", expected.str());
        }
    }
}

/// The ARP monitor of a bond has targets of IPv4 to ask for.
void
CheckArpMonitor(const ScenarioConfig& config)
{
    for (const auto& host : ResolveHostSettings(config))
    {
        if (host.ports == 1 ||
            config.Get(host.hostSection + ".bond_arp_interval").AsTime().IsZero())
        {
            continue;
        }
        if (config.Get("topology.ip").AsText() == "ipv6")
        {
            config.Refuse(host.hostSection + ".bond_arp_interval",
                          "0 with topology.ip = ipv6, which has no ARP");
        }
        std::istringstream targets(config.Get(host.hostSection + ".bond_arp_ip_target").AsText());
        uint32_t count = 0;
        for (std::string target; std::getline(targets, target, ','); ++count)
        {
            const auto address = IpAddress::Parse(target);
            if (!address || !address->IsIpv4())
            {
                config.Refuse(host.hostSection + ".bond_arp_ip_target",
                              "addresses of IPv4, with commas and without spaces");
            }
        }
        constexpr uint32_t MOST_TARGETS = 16; // BOND_MAX_ARP_TARGETS
        if (count == 0 || count > MOST_TARGETS)
        {
            config.Refuse(host.hostSection + ".bond_arp_ip_target",
                          "1 to 16 addresses with bond_arp_interval");
        }
    }
}

/// All links of a static link aggregation group lead to one switch.
void
CheckAggregation(const ScenarioConfig& config, const Topology& topology)
{
    const auto settings = ResolveHostSettings(config);
    for (uint32_t host = 0; host < topology.GetHostCount(); ++host)
    {
        const auto key = settings[host].hostSection + ".bond";
        const auto& links = topology.GetLinksOf(host);
        const auto leadsElsewhere = [&](uint32_t link) {
            return topology.GetLinks()[link].other != topology.GetLinks()[links.front()].other;
        };
        if (settings[host].ports > 1 && config.Get(key).AsText() == "balance-xor" &&
            std::any_of(links.begin(), links.end(), leadsElsewhere))
        {
            config.Refuse(key,
                          "active-backup or 802.3ad for " + topology.GetName(host) +
                              ", whose links lead to several switches");
        }
    }
}

Topology
LoadTopology(const ScenarioConfig& config, const ScenarioPath& path)
{
    const auto file = path.Find(config.Get("topology.file").AsText());
    if (file.empty())
    {
        config.Refuse("topology.file", "a file beside the scenario");
    }
    auto topology = TopologyFile::Load(file, GetClusterHosts(config).GetNames(), ListPorts(config));
    CheckFilePorts(config, file, topology);
    CheckFileMtu(config, file, topology);
    return topology;
}

/// A value of topology.shape, and what it stands for.
struct Shape
{
    const char* name;
    Topology (*make)(const ScenarioConfig& config, const ScenarioPath& path);
};

const NameTable<Shape>&
GetShapes()
{
    static const NameTable<Shape> shapes{
        {"star",
         [](const ScenarioConfig& config, const ScenarioPath& /* path */) {
             return MakeStar(GetClusterHosts(config));
         }},
        {"leaf-spine",
         [](const ScenarioConfig& config, const ScenarioPath& /* path */) {
             return MakeLeafSpine(GetClusterHosts(config),
                                  static_cast<uint32_t>(config.Get("topology.leaves").AsInteger()),
                                  static_cast<uint32_t>(config.Get("topology.spines").AsInteger()),
                                  GetPlacement(config),
                                  GetTrunk(config));
         }},
        {"fat-tree",
         [](const ScenarioConfig& config, const ScenarioPath& /* path */) {
             return MakeFatTree(GetClusterHosts(config),
                                static_cast<uint32_t>(config.Get("topology.arity").AsInteger()),
                                GetPlacement(config),
                                GetTrunk(config));
         }},
        {"torus",
         [](const ScenarioConfig& config, const ScenarioPath& /* path */) {
             return MakeTorus(GetClusterHosts(config),
                              ParseDimensions(config),
                              GetPlacement(config),
                              GetTrunk(config));
         }},
        {"dumbbell",
         [](const ScenarioConfig& config, const ScenarioPath& /* path */) {
             return MakeDumbbell(GetClusterHosts(config), GetTrunk(config));
         }},
        {"pair",
         [](const ScenarioConfig& config, const ScenarioPath& /* path */) {
             return MakePair(GetClusterHosts(config), GetTrunk(config));
         }},
        {"rails",
         [](const ScenarioConfig& config, const ScenarioPath& /* path */) {
             return MakeRails(GetClusterHosts(config),
                              ListPorts(config),
                              {static_cast<uint32_t>(config.Get("topology.pods").AsInteger()),
                               static_cast<uint32_t>(config.Get("topology.spines").AsInteger()),
                               GetTrunk(config)});
         }},
        {"file", LoadTopology},
    };
    return shapes;
}

} // namespace

void
CheckTopology(const ScenarioConfig& config)
{
    const auto hosts = GetClusterHosts(config);
    if (uint64_t{hosts.clients} + hosts.servers > HOST_ADDRESSES)
    {
        config.Refuse("cluster.clients",
                      "at most " + std::to_string(HOST_ADDRESSES) + " hosts with the servers");
    }
    CheckMarking(config);
    CheckTrunk(config);
    CheckFatTree(config);
    CheckTorus(config);
    CheckPaths(config);
    CheckRails(config);
    CheckServerAddress(config);
    CheckBonds(config);
    CheckArpMonitor(config);
    const auto shape = config.Get("topology.shape").AsText();
    if (shape == "leaf-spine" && config.Get("topology.servers_at").AsText() == "apart" &&
        config.Get("topology.leaves").AsInteger() < 2)
    {
        config.Refuse("topology.leaves", "2 or more with topology.servers_at = apart");
    }
    if ((shape == "file") != !config.Get("topology.file").AsText().empty())
    {
        config.Refuse("topology.file",
                      shape == "file"
                          ? "the name of a file of switches and links, with topology.shape = file"
                          : "nothing, unless topology.shape is file");
    }
}

Topology
MakeTopology(const ScenarioConfig& config, const ScenarioPath& path)
{
    const auto shape = config.Get("topology.shape").AsText();
    auto topology = GetShapes().Find(shape)->make(config, path);
    if (shape != "file" && shape != "rails")
    {
        AddPorts(ListPorts(config), topology);
    }
    CheckAggregation(config, topology);
    CheckFlowControl(config, topology);
    return topology;
}

} // namespace ns3::nfsrdma
