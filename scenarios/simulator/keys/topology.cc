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
             "all hosts at one switch; leaves and spines; pods of edge and aggregation switches, "
             "and cores; a grid of switches whose rows are rings; clients, a trunk, servers; two "
             "switches and a trunk, the ports of each host (host.ports) at one and the other in "
             "turn; a network for each port, not connected; or as a file says"},
            {"file",
             Text(),
             "",
             "file: a list of switches and links, a table of links (.csv) or a graph (.graphml), "
             "see helper/TOPOLOGIES.md"},
            {"arity",
             Integer(4, 128),
             "4",
             "fat-tree: ports of each switch, an even number; there are as many pods"},
            {"dimensions", Text(), "4x4", "torus: switches in each direction, as 4x4 or 8x4x4"},
            {"pods",
             Integer(1, 1000),
             "1",
             "rails: switches of each rail that hosts are at; several are connected by spines"},
            {"leaves", Integer(1, 1000), "4", "leaf-spine: switches that hosts are at"},
            {"spines",
             Integer(1, 1000),
             "2",
             "leaf-spine: switches that connect every leaf; rails: those of each rail"},
            {"servers_at",
             Choice({"spread", "apart"}),
             "spread",
             "leaf-spine, fat-tree, torus: servers over all switches as clients are, or alone at "
             "the last leaf, in the last pod, at the last switch"},
            {"paths",
             Choice({"flow", "weighted", "spray"}),
             "flow",
             "which of several equal ways frames take: one for each flow, one for each flow in "
             "proportion to the rates of links, or all in turn"},
            {"trunk_rate",
             Rate(0, 10 * TBPS),
             "0bps",
             "rate of links between switches; 0: as link.rate"},
            {"trunk_delay", Duration(), "0ns", "their delay; 0: as link.delay"},
            {"trunk_queue",
             Size(0, GIB),
             "0B",
             "room in the transmit queues of their ports; 0: as link.switch_queue"},
            {"hash_seed",
             Integer(0, 4'000'000'000),
             "1",
             "seed of the hash of a flow's addresses and ports that chooses among equal ways",
             {"EthernetSwitch::HashSeed"}},
            {"lacp",
             Choice({"active", "passive", "off"}),
             "active",
             "whether switches speak LACP with hosts of bond = 802.3ad: unasked, when the host "
             "does, or not at all, so that their groups are static",
             {"EthernetSwitch::Lacp"}},
            {"lacp_rate",
             Choice({"slow", "fast"}),
             "slow",
             "LACPDUs that switches ask hosts for, each 30 s or each second",
             {"EthernetSwitch::LacpRate"}},
            {"ip",
             Choice({"ipv4", "ipv6"}),
             "ipv4",
             "what hosts have addresses of: 10.77.0.1 or fd00:0:0:77::1 and up, with rails "
             "10.78.0.1 "
             "or fd00:0:0:78::1 and up at the second, static; with ipv6 "
             "arp and arp_queue are of neighbour discovery"},
            {"arp",
             Choice({"flood", "directed"}),
             "flood",
             "requests go to all hosts, or switches send them to the one they ask for"},
            {"arp_queue",
             Integer(1, 1'000'000),
             "101",
             "packets of a host that wait for one ARP answer (Linux unres_qlen); with more the "
             "oldest is lost"},
        }};
}

} // namespace ns3::nfsrdma
