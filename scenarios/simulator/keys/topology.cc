/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/key-units.h"
#include "scenarios/simulator/keys/scenario-keys.h"

namespace ns3::nfsrdma
{

ScenarioSection
MakeTopologySection()
{
    return {
        "topology",
        "Switches, and which hosts and switches are connected.",
        {
            {"shape",
             Choice(
                 {"star", "leaf-spine", "fat-tree", "torus", "dumbbell", "pair", "rails", "file"}),
             "star",
             "shape of the network: star: one switch; leaf-spine: leaves, each connected to all "
             "spines; fat-tree: pods of edge and aggregation switches, and core switches; torus: a "
             "grid of switches whose rows are rings; dumbbell: clients, a trunk, servers; pair: "
             "two switches and a trunk, with the ports of each host (host.ports) at both in turn; "
             "rails: a separate network for each port; file: what topology.file describes"},
            {"file",
             Text(),
             "",
             "file: a list of switches and links, a table of links (.csv) or a graph (.graphml), "
             "see helper/TOPOLOGIES.md"},
            {"arity",
             Integer(4, 128),
             "4",
             "fat-tree: ports of each switch, an even number; the tree has as many pods"},
            {"dimensions",
             Text(),
             "4x4",
             "torus: number of switches in each dimension, as 4x4 or "
             "8x4x4"},
            {"pods",
             Integer(1, 1000),
             "1",
             "rails: switches that hosts are connected to in each rail; with several, spines "
             "connect them"},
            {"leaves", Integer(1, 1000), "4", "leaf-spine: switches that hosts are connected to"},
            {"spines",
             Integer(1, 1000),
             "2",
             "leaf-spine: switches that connect all leaves; rails: spines of each rail"},
            {"servers_at",
             Choice({"spread", "apart"}),
             "spread",
             "leaf-spine, fat-tree, torus: servers are spread over all switches as clients are, or "
             "are apart from the clients at the last leaf, in the last pod, or at the last switch"},
            {"paths",
             Choice({"flow", "weighted", "spray"}),
             "flow",
             "how frames choose among several paths of equal length: one path for each flow, one "
             "for each flow in proportion to the rates of the links, or all paths in turn"},
            {"trunk_rate",
             Rate(0, 10 * TBPS),
             "0bps",
             "rate of the links between switches; 0bps: link.rate"},
            {"trunk_delay",
             Duration(),
             "0ns",
             "delay of the links between switches; 0ns: "
             "link.delay"},
            {"trunk_queue",
             Size(0, GIB),
             "0B",
             "size of the transmit queues at both ends of the links between switches; 0B: "
             "link.switch_queue"},
            {"hash_seed",
             Integer(0, 4'000'000'000),
             "1",
             "seed of the hash of a flow's addresses and ports that chooses among paths of equal "
             "length",
             {"EthernetSwitch::HashSeed"}},
            {"lacp",
             Choice({"active", "passive", "off"}),
             "active",
             "whether switches send LACPDUs to hosts with bond = 802.3ad: always, only in answer "
             "to the host's, or never, in which case their link aggregation groups are static",
             {"EthernetSwitch::Lacp"}},
            {"lacp_rate",
             Choice({"slow", "fast"}),
             "slow",
             "how often switches ask hosts to send LACPDUs: each 30 s or each second",
             {"EthernetSwitch::LacpRate"}},
            {"ip",
             Choice({"ipv4", "ipv6"}),
             "ipv4",
             "addresses of the hosts: 10.77.0.1 and up, or fd00:0:0:77::1 and up; with rails those "
             "of the second begin at 10.78.0.1 or fd00:0:0:78::1; with ipv6 the keys arp and "
             "arp_queue apply to neighbour discovery"},
            {"arp",
             Choice({"flood", "directed"}),
             "flood",
             "whether switches flood ARP requests to all hosts, or forward each only to the host "
             "that it asks for"},
            {"arp_queue",
             Integer(1, 1'000'000),
             "101",
             "packets that wait at a host for one ARP reply (Linux unres_qlen); when one more "
             "comes the oldest is dropped"},
        }};
}

} // namespace ns3::nfsrdma
