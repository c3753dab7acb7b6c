/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A row of ports.csv.
struct PortRow
{
    std::string ethernetSwitch;
    std::string peer;
    bool uplink{false};
    uint64_t frames{0};
    uint64_t marked{0};
    uint64_t dropped{0};
    double queueMost{0};
    double queueMean{0};
};

/// Runs small clusters in networks of every shape.
class TopologyRunTest : public SimulatorTest
{
  protected:
    /// Runs \p scenario, which must be done and verified. \return its summary
    nlohmann::json RunWell(const std::string& scenario, const std::string& out = "out")
    {
        m_directory.WriteFile("a.ini", scenario);
        const auto result = Run({"run", "a.ini", "--out", out});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        auto summary = m_directory.ReadJson(out + "/summary.json");
        for (const auto& [what, count] : summary["leftovers"].items())
        {
            EXPECT_EQ(count, 0) << what;
        }
        return summary;
    }

    [[nodiscard]] std::vector<PortRow> ReadPorts(const std::string& out = "out") const
    {
        std::istringstream lines(m_directory.ReadFile(out + "/ports.csv"));
        std::vector<PortRow> rows;
        std::string line;
        std::getline(lines, line);
        EXPECT_EQ(line,
                  "switch,peer,uplink,frames,octets,marked,dropped,queue_most_octets,"
                  "queue_mean_octets");
        while (std::getline(lines, line))
        {
            std::istringstream fields(line);
            std::vector<std::string> field(9);
            for (auto& one : field)
            {
                std::getline(fields, one, ',');
            }
            rows.push_back({field[0],
                            field[1],
                            field[2] == "1",
                            std::stoull(field[3]),
                            std::stoull(field[5]),
                            std::stoull(field[6]),
                            std::stod(field[7]),
                            std::stod(field[8])});
        }
        return rows;
    }
};

const std::string LEAF_SPINE = "[topology]\nshape = leaf-spine\nleaves = 3\nspines = 2\n";
const std::string DUMBBELL = "[topology]\nshape = dumbbell\ntrunk_rate = 10Gbps\n";
const std::string FAT_TREE = "[topology]\nshape = fat-tree\ntrunk_rate = 40Gbps\n";
const std::string RAILS = "[host]\nports = 2\nbond = none\n"
                          "[topology]\nshape = rails\npods = 2\n";
const std::string FROM_FILE = "[topology]\nshape = file\nfile = net.topo\n";
constexpr const char* NET = "switch a\nswitch b\nswitch c\n"
                            "link client-0..1 a rate=10Gbps\nlink client-2 b delay=1us\n"
                            "link server-0..1 c queue=64KiB\n"
                            "link a b\nlink b c\nlink a c\n";

TEST_F(TopologyRunTest, StarIsTheDefault)
{
    const auto plain = RunWell(SMALL_MIX, "plain");
    const auto star = RunWell(std::string(SMALL_MIX) + "[topology]\nshape = star\n", "star");
    EXPECT_EQ(plain["digest"], star["digest"]);
}

TEST_F(TopologyRunTest, EveryShapeRunsToTheEndTheSameEachTime)
{
    m_directory.WriteFile("net.topo", NET);
    std::set<std::string> digests;
    const auto all = {LEAF_SPINE,
                      DUMBBELL,
                      FROM_FILE,
                      FAT_TREE,
                      FAT_TREE + "paths = spray\n",
                      std::string("[topology]\nshape = torus\ndimensions = 3x2x2\n"),
                      RAILS};
    for (const auto& shape : all)
    {
        const auto first = RunWell(SMALL_MIX + shape, "first");
        const auto second = RunWell(SMALL_MIX + shape, "second");
        EXPECT_EQ(first["rpcs"], 3 * 120);
        EXPECT_EQ(first["digest"], second["digest"]);
        digests.insert(first["digest"].get<std::string>());
    }
    EXPECT_EQ(digests.size(), all.size());
}

TEST_F(TopologyRunTest, SprayedFramesTakeAllWaysEqually)
{
    const std::string scenario = "[cluster]\nclients = 1\n"
                                 "[topology]\nshape = leaf-spine\nleaves = 2\nspines = 3\n"
                                 "servers_at = apart\n"
                                 "[workload]\nkind = fio\nbs = 64KiB\nsize = 256KiB\n"
                                 "requests = 40\ndirect = true\n"
                                 "[output]\nports = true\npcap = client-0\n";
    const auto count = [this](const std::string& out) {
        std::map<std::string, uint64_t> up;
        for (const auto& port : ReadPorts(out))
        {
            if (port.uplink && port.ethernetSwitch == "leaf-1")
            {
                up[port.peer] = port.frames;
            }
        }
        EXPECT_EQ(up.size(), 3U);
        return up;
    };
    (void)RunWell(scenario, "flow");
    (void)RunWell(scenario + "[topology]\npaths = spray\n", "spray");
    // One flow has one way; what is beside it are an ARP answer and broadcasts.
    const auto flow = count("flow");
    EXPECT_EQ(std::count_if(flow.begin(),
                            flow.end(),
                            [](const auto& spine) { return spine.second > 100; }),
              1);
    const auto spray = count("spray");
    for (const auto& [spine, frames] : spray)
    {
        EXPECT_NEAR(frames, spray.at("spine-0"), 3) << spine;
        EXPECT_GT(frames, 100U);
    }
    const auto capture = Run({"check-capture", "spray/client-0.pcap"});
    EXPECT_EQ(capture.status, 0) << capture.output << capture.errors;
}

TEST_F(TopologyRunTest, SprayingUsesTheLinksThatHashesLeaveIdle)
{
    const auto measure = [this](const std::string& run) {
        const auto summary = m_directory.ReadJson("out/points/" + run + "/summary.json");
        EXPECT_EQ(summary["rpcs"], 400);
        EXPECT_EQ(summary["network"]["frames_dropped"], 0);
        return std::pair(summary["rpcs_per_second"].get<double>(),
                         summary["loss"]["fast_retransmits"].get<uint64_t>());
    };
    const auto result =
        Run({"run", "paths", "--out", "out", "--set", "sweep.topology.hash_seed=1, 2"});
    ASSERT_EQ(result.status, 0) << result.errors;
    // A link of 25 Gbit/s carries 11,000 READs of 256 KiB a second: two or three flows share one.
    EXPECT_NEAR(measure("0-s1").first, 21965, 220);
    EXPECT_NEAR(measure("1-s1").first, 14660, 150);
    const auto [rate, retransmitted] = measure("2-s1");
    EXPECT_NEAR(rate, 42240, 420);
    EXPECT_EQ(retransmitted, 1358U) << "of segments that were overtaken: none was lost";
}

TEST_F(TopologyRunTest, WeightedFlowsFollowTheRates)
{
    // Two ways from a to b: of 10 and of 40 Gbit/s.
    m_directory.WriteFile("net.topo",
                          "switch a\nswitch b\nswitch slow\nswitch fast\n"
                          "link client-0..1 a\nlink server-0 b\n"
                          "link a slow rate=10Gbps\nlink slow b rate=10Gbps\n"
                          "link a fast rate=40Gbps\nlink fast b rate=40Gbps\n");
    const std::string scenario = "[cluster]\nclients = 2\n[nfs]\nnconnect = 16\n" + FROM_FILE +
                                 "[workload]\nkind = mix\noperations = 400\nfiles = 4\n"
                                 "[output]\nports = true\n[topology]\npaths = ";
    const auto share = [this](const std::string& out) {
        double slow = 0;
        double all = 0;
        for (const auto& port : ReadPorts(out))
        {
            if (port.ethernetSwitch == "b" && port.uplink)
            {
                slow += port.peer == "slow" ? static_cast<double>(port.frames) : 0;
                all += static_cast<double>(port.frames);
            }
        }
        return slow / all;
    };
    (void)RunWell(scenario + "flow\n", "flow");
    (void)RunWell(scenario + "weighted\n", "weighted");
    // 32 flows: half of them, or a fifth.
    EXPECT_NEAR(share("flow"), 0.5, 0.2);
    EXPECT_NEAR(share("weighted"), 0.2, 0.15);
    EXPECT_LT(share("weighted"), share("flow"));
}

TEST_F(TopologyRunTest, AnyRatesCanBeWeighted)
{
    m_directory.WriteFile("net.topo",
                          "switch a\nswitch b\nswitch slow\nswitch fast\n"
                          "link client-0..2 a\nlink server-0..1 b\n"
                          "link a slow rate=10Mbps\nlink slow b rate=10Mbps\n"
                          "link a fast rate=99999Mbps\nlink fast b rate=99999Mbps\n");
    (void)RunWell(SMALL_MIX + FROM_FILE + "paths = weighted\n[output]\nports = true\n");
    for (const auto& port : ReadPorts())
    {
        EXPECT_LT(port.peer == "slow" ? port.frames : 0, 100U) << "a thousandth of the flows";
    }
}

TEST_F(TopologyRunTest, RailsOfPodsUseTheSpinesOfTheirRail)
{
    (void)RunWell(SMALL_MIX + RAILS +
                  "[output]\nports = true\n[nfs]\nversion = 4.1\nmax_connect = 2\n");
    std::map<std::string, uint64_t> frames;
    for (const auto& port : ReadPorts())
    {
        frames[port.ethernetSwitch] += port.frames;
        if (port.uplink)
        {
            EXPECT_EQ(port.peer.substr(0, 6), port.ethernetSwitch.substr(0, 6));
        }
    }
    ASSERT_EQ(frames.size(), 2U * (2 + 2));
    for (const std::string rail : {"rail-0", "rail-1"})
    {
        EXPECT_GT(frames[rail + "-spine-0"] + frames[rail + "-spine-1"], 0U) << rail;
    }
}

TEST_F(TopologyRunTest, GraphsAndTablesAreTheSameNetworkAsTheList)
{
    m_directory.WriteFile("net.topo", NET);
    m_directory.WriteFile("net.csv",
                          "from,to,rate,delay,queue\n"
                          "client-0,a,10Gbps,,\nclient-1,a,10Gbps,,\nclient-2,b,,1us,\n"
                          "server-0,c,,,64KiB\nserver-1,c,,,64KiB\na,b,,,\nb,c,,,\na,c,,,\n");
    std::string graph = "<graphml><key id=\"r\" for=\"edge\" attr.name=\"rate\"/>"
                        "<key id=\"d\" for=\"edge\" attr.name=\"delay\"/>"
                        "<key id=\"q\" for=\"edge\" attr.name=\"queue\"/>"
                        "<graph edgedefault=\"undirected\">";
    for (const auto* node :
         {"a", "b", "c", "client-0", "client-1", "client-2", "server-0", "server-1"})
    {
        graph += std::string("<node id=\"") + node + "\"/>\n";
    }
    const auto edge =
        [&graph](const std::string& one, const std::string& other, const std::string& data = "") {
            graph.append("<edge source=\"").append(one).append("\" target=\"").append(other);
            graph.append("\">").append(data).append("</edge>\n");
        };
    edge("client-0", "a", "<data key=\"r\">10Gbps</data>");
    edge("a", "client-1", "<data key=\"r\">10Gbps</data>");
    edge("client-2", "b", "<data key=\"d\">1us</data>");
    edge("server-0", "c", "<data key=\"q\">64KiB</data>");
    edge("server-1", "c", "<data key=\"q\">64KiB</data>");
    edge("a", "b");
    edge("b", "c");
    edge("a", "c");
    m_directory.WriteFile("net.graphml", graph + "</graph></graphml>");
    const auto list = RunWell(SMALL_MIX + FROM_FILE, "list");
    for (const std::string name : {"net.csv", "net.graphml"})
    {
        const auto other =
            RunWell(SMALL_MIX + std::string("[topology]\nshape = file\nfile = ") + name + "\n",
                    "out-" + name);
        EXPECT_EQ(other["digest"], list["digest"]) << name;
    }
}

TEST_F(TopologyRunTest, FlowsShareTheSpines)
{
    const std::string scenario = "[cluster]\nclients = 24\nservers = 2\n"
                                 "[topology]\nshape = leaf-spine\nleaves = 3\nspines = 3\n"
                                 "servers_at = apart\n"
                                 "[workload]\nkind = mix\noperations = 20\nfiles = 2\n"
                                 "[output]\nports = true\n";
    (void)RunWell(scenario, "out");
    std::map<std::string, uint64_t> up;
    uint64_t down = 0;
    uint64_t fromServers = 0;
    for (const auto& port : ReadPorts())
    {
        if (port.uplink && port.ethernetSwitch == "leaf-2")
        {
            up[port.peer] += port.frames;
        }
        down += !port.uplink && port.ethernetSwitch != "leaf-2" ? port.frames : 0;
        fromServers += port.uplink && port.ethernetSwitch == "leaf-2" ? port.frames : 0;
        EXPECT_EQ(port.dropped, 0U);
    }
    ASSERT_EQ(up.size(), 3U);
    for (const auto& [spine, frames] : up)
    {
        // 24 flows over three ways: none is without.
        EXPECT_GT(frames, fromServers / 10) << spine;
    }
    // All that servers send reaches clients, who also get ARP requests of each other.
    EXPECT_GE(down, fromServers);
    (void)RunWell(scenario + "[link]\nmtu = 1500\n", "again");
    EXPECT_EQ(m_directory.ReadFile("out/ports.csv"), m_directory.ReadFile("again/ports.csv"));
    m_directory.WriteFile("a.ini", scenario);
    ASSERT_EQ(Run({"run", "a.ini", "--out", "other", "--set", "topology.hash_seed=7"}).status, 0);
    EXPECT_NE(m_directory.ReadFile("out/ports.csv"), m_directory.ReadFile("other/ports.csv"));
}

TEST_F(TopologyRunTest, DirectedArpSavesTheBroadcasts)
{
    const std::string scenario = "[cluster]\nclients = 24\n"
                                 "[topology]\nshape = leaf-spine\narp = ";
    const std::string work = "\n[workload]\nkind = mix\noperations = 5\nfiles = 1\n";
    const auto flood = RunWell(scenario + "flood" + work);
    const auto directed = RunWell(scenario + "directed" + work);
    // Each client asks for the server, the server for each client, and 23 hosts hear it in vain.
    EXPECT_EQ(flood["frames"].get<uint64_t>() - directed["frames"].get<uint64_t>(), 2 * 24 * 23);
    EXPECT_EQ(flood["rpcs"], directed["rpcs"]);
    const auto star = RunWell("[cluster]\nclients = 24\n[topology]\narp = directed\n" + work);
    EXPECT_EQ(star["rpcs"], directed["rpcs"]);
}

TEST_F(TopologyRunTest, HostsDifferByGroup)
{
    const auto same = RunWell(SMALL_MIX, "same");
    const auto slow =
        RunWell(std::string(SMALL_MIX) + "[link slow]\nhosts = client-0..1\nrate = 1Gbps\n"
                                         "[rnic old]\nhosts = client-2\nprofile = chelsio-t5-40g\n"
                                         "[host small]\nhosts = servers\ncores = 1\n",
                "slow");
    EXPECT_NE(same["digest"], slow["digest"]);
    EXPECT_GT(slow["duration_s"].get<double>(), 2 * same["duration_s"].get<double>());
    EXPECT_EQ(slow["hosts"][0]["cores"], 1);
    EXPECT_EQ(slow["hosts"][2]["cores"], 16);
}

TEST_F(TopologyRunTest, HostsHaveTheirOwnMtu)
{
    const std::string work = "[cluster]\nclients = 2\n[workload]\nkind = fio\nbs = 64KiB\n"
                             "size = 256KiB\nrequests = 40\ndirect = true\n"
                             "[output]\npcap = all\nports = true\n";
    const auto jumbo = RunWell(work + "[link]\nmtu = 9000\n", "jumbo");
    const auto standard = RunWell(work, "standard");
    for (const std::string tcp : {"offload", "ns3"})
    {
        const auto mixed = RunWell(work +
                                       "[link]\nmtu = 9000\n[link old]\nhosts = client-0\n"
                                       "mtu = 1500\n[rnic]\ntcp = " +
                                       tcp + "\n",
                                   tcp);
        EXPECT_EQ(mixed["network"]["frames_dropped"], 0);
        EXPECT_GT(mixed["frames"], jumbo["frames"]);
        EXPECT_LT(mixed["frames"], standard["frames"]);
        const auto capture = Run({"check-capture", tcp + "/client-0.pcap", tcp + "/client-1.pcap"});
        EXPECT_EQ(capture.status, 0) << capture.output << capture.errors;
    }
}

TEST_F(TopologyRunTest, TrunksCarryWhatTheLargestHostSends)
{
    const auto summary = RunWell(std::string(SMALL_MIX) + DUMBBELL +
                                 "[link new]\nhosts = servers, client-0\nmtu = 9000\n");
    EXPECT_EQ(summary["network"]["frames_dropped"], 0);
}

TEST_F(TopologyRunTest, NarrowTrunksSwallowWhatIsTooLarge)
{
    const std::string net = "switch a\nswitch b\nlink client-0..2 a\nlink server-0..1 b\n"
                            "link a b mtu=";
    m_directory.WriteFile("net.topo", net + "1200\n");
    m_directory.WriteFile("a.ini", SMALL_MIX + FROM_FILE + "[tcp]\nmtu_probing = 1\n");
    const auto result = Run({"run", "a.ini", "--out", "out"});
    EXPECT_EQ(result.status, 0) << result.output << result.errors;
    EXPECT_GT(m_directory.ReadJson("out/summary.json")["network"]["frames_dropped"], 0);
    m_directory.WriteFile("net.topo", net + "100\n");
    EXPECT_THAT(Run({"run", "a.ini"}).errors,
                HasSubstr("net.topo:5: link: got 'mtu=100', expected "));
}

TEST_F(TopologyRunTest, GroupsAreInThePrintedScenario)
{
    m_directory.WriteFile("a.ini",
                          std::string(SMALL_MIX) + "[rnic old]\nhosts = client-2\n"
                                                   "profile = chelsio-t5-40g\n"
                                                   "[link one]\nhosts = server-1\ndelay = 1us\n");
    const auto printed = Run({"run", "a.ini", "--print-config"});
    ASSERT_EQ(printed.status, 0) << printed.errors;
    EXPECT_THAT(printed.output, HasSubstr("[rnic old]\nhosts = client-2\n"));
    m_directory.WriteFile("b.ini", printed.output);
    const auto again = Run({"run", "b.ini", "--print-config"});
    EXPECT_EQ(again.output, printed.output) << again.errors;
    ASSERT_EQ(Run({"run", "a.ini", "--out", "a"}).status, 0);
    ASSERT_EQ(Run({"run", "b.ini", "--out", "b"}).status, 0);
    EXPECT_EQ(m_directory.ReadJson("a/summary.json")["digest"],
              m_directory.ReadJson("b/summary.json")["digest"]);
}

TEST_F(TopologyRunTest, MiddleboxesAreInHostLinksOfEveryShape)
{
    const auto plain = RunWell(SMALL_MIX + LEAF_SPINE, "plain");
    const auto lossy =
        RunWell(SMALL_MIX + LEAF_SPINE + "[middlebox]\nat = servers\nmode = recut\ndrop = 0.01\n",
                "lossy");
    EXPECT_NE(plain["digest"], lossy["digest"]);
}

TEST_F(TopologyRunTest, CapturesAtHostsShowMarks)
{
    const auto summary = RunWell(std::string("[cluster]\nclients = 4\n") + DUMBBELL +
                                 "[link]\nswitch_marking = threshold\nmark_threshold = 20KiB\n"
                                 "[tcp]\ncongestion_control = TcpDctcp\n"
                                 "[workload]\nkind = fio\nbs = 64KiB\nsize = 256KiB\n"
                                 "requests = 40\ndirect = true\niodepth = 4\n"
                                 "[output]\npcap = client-0\nports = true\n");
    EXPECT_GT(summary["network"]["frames_marked"], 100);
    EXPECT_EQ(summary["network"]["frames_dropped"], 0);
    const auto capture = Run({"check-capture", "out/client-0.pcap"});
    EXPECT_EQ(capture.status, 0) << capture.output << capture.errors;
}

/// Wrong networks, each refused in one line.
class TopologyErrorTest : public TopologyRunTest
{
  protected:
    std::string GetError(const std::string& scenario)
    {
        m_directory.WriteFile("a.ini", scenario);
        const auto result = Run({"run", "a.ini"});
        EXPECT_EQ(result.status, 2);
        EXPECT_EQ(result.CountErrorLines(), 1U);
        EXPECT_EQ(result.output, "");
        return result.errors;
    }
};

TEST_F(TopologyErrorTest, RefusesByLine)
{
    EXPECT_THAT(
        GetError("[topology]\nshape = ring\n"),
        StartsWith("a.ini:2: topology.shape: got 'ring', expected one of star, leaf-spine"));
    EXPECT_THAT(
        GetError("[topology]\nshape = file\n"),
        StartsWith("a.ini:2: topology.file: got '', the default, expected the name of a file"));
    EXPECT_THAT(GetError("[topology]\nfile = x\n"),
                StartsWith("a.ini:2: topology.file: got 'x', expected nothing, unless"));
    EXPECT_THAT(GetError(FROM_FILE),
                StartsWith("a.ini:3: topology.file: got 'net.topo', expected a file beside"));
    EXPECT_THAT(GetError("[topology]\nshape = leaf-spine\nservers_at = apart\nleaves = 1\n"),
                StartsWith("a.ini:4: topology.leaves: got '1', expected 2 or more"));
    EXPECT_THAT(GetError("[topology]\nshape = fat-tree\narity = 5\n"),
                StartsWith("a.ini:3: topology.arity: got '5', expected an even number"));
    EXPECT_THAT(GetError("[cluster]\nclients = 16\n[topology]\nshape = fat-tree\n"),
                StartsWith("a.ini:2: topology.arity: got '4', the default, expected more: with "
                           "ports for 16 hosts, not for cluster.clients = 16 and "
                           "cluster.servers = 1"));
    EXPECT_THAT(
        GetError("[cluster]\nclients = 12\nservers = 5\n"
                 "[topology]\nshape = fat-tree\narity = 4\nservers_at = apart\n"),
        StartsWith(
            "a.ini:6: topology.arity: got '4', expected more: with ports for 12 "
            "clients and 4 servers apart, not for cluster.clients = 12 and cluster.servers = 5"));
    for (const std::string wrong : {"4x", "x4", "4x1", "4x4x", "a", "64x65", "4 x 4"})
    {
        EXPECT_THAT(GetError("[topology]\nshape = torus\ndimensions = " + wrong + "\n"),
                    StartsWith("a.ini:3: topology.dimensions: got '" + wrong +
                               "', expected numbers of switches with x between"));
    }
    EXPECT_THAT(GetError("[topology]\nshape = leaf-spine\npaths = weighted\n"),
                StartsWith("a.ini:3: topology.paths: got 'weighted', expected flow or spray"));
    for (const std::string shape : {"fat-tree", "torus", "leaf-spine"})
    {
        EXPECT_THAT(GetError("[host]\nports = 2\n[topology]\nshape = " + shape + "\n"),
                    StartsWith("a.ini:2: host.ports: got '2', expected 1 where switches form"));
    }
    EXPECT_THAT(GetError("[topology]\ntrunk_queue = 100B\n"),
                StartsWith("a.ini:2: topology.trunk_queue: got '100B', expected room for a frame"));
    EXPECT_THAT(GetError("[topology]\ntrunk_rate = 10bps\n"),
                StartsWith("a.ini:2: topology.trunk_rate: got '10b/s', expected 1Mbps or more"));
    EXPECT_THAT(GetError("[link]\nswitch_marking = red\nred_minimum = 1MiB\n"),
                StartsWith("a.ini:3: link.red_minimum: got '1048576B', expected less than"));
}

TEST_F(TopologyErrorTest, RefusesWrongGroups)
{
    EXPECT_THAT(GetError("[link]\nhosts = servers\n"),
                StartsWith("a.ini:2: link.hosts: got 'servers', expected this key in sections"));
    EXPECT_THAT(GetError("[link a]\nrate = 1Gbps\n"),
                StartsWith("a.ini:2: link a: got no key hosts, expected hosts = client-0..3"));
    EXPECT_THAT(GetError("[link a]\nhosts = client-0\nswitch_latency = 1us\n"),
                StartsWith("a.ini:3: link a.switch_latency: got '1us', expected this key in"));
    EXPECT_THAT(GetError("[link a]\nhosts = client-0\nmtu = 9000\nhost_queue = 8KiB\n"),
                StartsWith("a.ini:4: link a.host_queue: got '8192B', expected room for a frame"));
    EXPECT_THAT(GetError("[link a]\nhosts = client-0\nmtu = 9000\n[tcp]\nsend_buffer = 16KiB\n"),
                StartsWith("a.ini:5: tcp.send_buffer: got '16384B', expected room for two"));
    EXPECT_THAT(GetError("[host a]\nhosts = client-0\nserver_cores = 3\n"),
                StartsWith("a.ini:3: host a.server_cores: got '3', expected this key in [host]"));
    EXPECT_THAT(GetError("[link a]\nhosts = client-7\n"),
                StartsWith("a.ini:2: link a.hosts: got 'client-7', expected hosts of the cluster"));
    EXPECT_THAT(GetError("[link a]\nhosts = client-0, clients\n"),
                StartsWith("a.ini:2: link a.hosts: got 'client-0, clients', expected each host "
                           "once (client-0 is twice)"));
    EXPECT_THAT(GetError("[link a]\nhosts = client 0\n"),
                StartsWith("a.ini:2: link a.hosts: got 'client 0', expected clients, servers"));
    EXPECT_THAT(GetError("[link a]\nhosts = clients\n[link b]\nhosts = client-1\n"),
                StartsWith("a.ini:4: link b.hosts: got 'client-1', expected hosts that [link a] "
                           "does not name (client-1 is in both)"));
    EXPECT_THAT(GetError("[link a]\nhosts = clients\nrate = 400Gbps\n"),
                StartsWith("a.ini:3: link a.rate: got '400Gbps', expected at most rnic.port_rate"));
    EXPECT_THAT(GetError("[rnic a]\nhosts = clients\nprofile = none\n"),
                StartsWith("a.ini:3: rnic a.profile: got 'none', expected a profile of"));
    EXPECT_THAT(GetError("[rnic a]\nhosts = clients\nmoderation_count = 8\n"),
                StartsWith("a.ini:3: rnic a.moderation_count: got '8', expected 0 or 1"));
    EXPECT_THAT(GetError("[nfs a]\nhosts = clients\n"),
                StartsWith("a.ini:2: nfs a.hosts: got unknown section 'nfs a'"));
}

TEST_F(TopologyErrorTest, RefusesFilesByTheirLine)
{
    m_directory.WriteFile("net.topo", "switch a\nlink client-0..1 a\nlink server-1 a\n");
    EXPECT_THAT(GetError(FROM_FILE),
                HasSubstr("net.topo:3: link: got 'server-1', expected a host of the cluster"));
    m_directory.WriteFile("net.topo", "switch a\nlink client-0..1 a\nlink server-0 a rate=1Tbps\n");
    EXPECT_THAT(GetError(FROM_FILE),
                HasSubstr("link server-0: got 'rate=1000000000000bps', expected at most"));
}

} // namespace

} // namespace ns3::nfsrdma
