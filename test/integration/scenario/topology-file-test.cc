/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/host-range.h"
#include "scenarios/simulator/keys/scenario-error.h"
#include "scenarios/simulator/setup/topology-file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<std::string> HOSTS{"server-0", "client-0", "client-1", "client-2"};

/// \return what is said of \p text, a topology of HOSTS.
std::string
GetTopologyError(const std::string& text, const std::string& name = "net.topo")
{
    try
    {
        (void)TopologyFile::Parse(name, text, HOSTS);
    }
    catch (const ScenarioError& error)
    {
        return error.what();
    }
    return "no error";
}

TEST(TopologyFileTest, ReadsSwitchesAndLinks)
{
    const auto network = TopologyFile::Parse("net.topo",
                                             "# two racks\n"
                                             "switch rack-0   # clients\n"
                                             "switch rack-1\n"
                                             "\n"
                                             "link client-0..2 rack-0 rate=25Gbps\n"
                                             "\tlink server-0 rack-1 delay=200ns queue=1MiB\n"
                                             "link rack-0 rack-1 rate=40Gbps\n"
                                             "link rack-0 rack-1\n",
                                             HOSTS);
    EXPECT_EQ(network.GetSwitchCount(), 2U);
    EXPECT_EQ(network.GetName(4), "rack-0");
    ASSERT_EQ(network.GetLinks().size(), 6U);
    EXPECT_EQ(network.GetLinks()[2].one, 3U);
    EXPECT_EQ(network.GetLinks()[2].other, 4U);
    EXPECT_EQ(network.GetLinks()[2].traits.rate, 25'000'000'000U);
    EXPECT_EQ(network.GetLinks()[3].traits.delay, 200);
    EXPECT_EQ(network.GetLinks()[3].traits.queue, 1048576U);
    EXPECT_FALSE(network.GetLinks()[3].traits.rate);
    EXPECT_FALSE(network.GetLinks()[5].traits.rate);
}

TEST(TopologyFileTest, RefusesByLine)
{
    const std::string start = "switch a\nswitch b\nlink client-0 a\n";
    EXPECT_EQ(GetTopologyError("swich a\n"),
              "net.topo:1: got 'swich', expected 'switch NAME' or 'link NODE SWITCH rate=... "
              "delay=...'");
    EXPECT_EQ(GetTopologyError("\nswitch\n"), "net.topo:2: switch: got 0 words, expected one name");
    EXPECT_EQ(GetTopologyError("switch a b\n"),
              "net.topo:1: switch: got 2 words, expected one name");
    EXPECT_EQ(GetTopologyError("switch a/b\n"),
              "net.topo:1: switch: got 'a/b', expected a name of letters, digits, '-' and '_'");
    EXPECT_EQ(GetTopologyError("switch a\nswitch a\n"),
              "net.topo:2: switch: got 'a', expected a name that no host and no other switch has");
    EXPECT_EQ(GetTopologyError("switch client-1\n"),
              "net.topo:1: switch: got 'client-1', expected a name that no host and no other "
              "switch has");
    EXPECT_EQ(GetTopologyError("switch s-0..65535\n"),
              "net.topo:1: switch: got 's-4096', expected 4096 switches at most");
    EXPECT_EQ(GetTopologyError(start + "link client-1\n"),
              "net.topo:4: link: got 1 words, expected a node and a switch");
    EXPECT_EQ(GetTopologyError(start + "link client-9 a\n"),
              "net.topo:4: link: got 'client-9', expected a host of the cluster or a switch of a "
              "line before");
    EXPECT_EQ(GetTopologyError(start + "link client-1 c\n"),
              "net.topo:4: link: got 'c', expected a host of the cluster or a switch of a line "
              "before");
    EXPECT_EQ(GetTopologyError(start + "link client-1 server-0\n"),
              "net.topo:4: link: got 'server-0', expected a switch as second end");
    EXPECT_EQ(GetTopologyError(start + "link a a\n"),
              "net.topo:4: link: got 'a', expected two different ends");
    EXPECT_EQ(GetTopologyError(start + "link client-0 b\n"),
              "net.topo:4: link: got 'client-0', expected a host that has no link yet");
    EXPECT_EQ(GetTopologyError(start + "link client-1..x a\n"),
              "net.topo:4: link: got 'client-1..x', expected a node, or several such as "
              "client-0..7");
    EXPECT_EQ(GetTopologyError(start + "link client-1 a speed=3\n"),
              "net.topo:4: link: got 'speed=3', expected rate=, delay=, queue= or mtu=");
    EXPECT_EQ(GetTopologyError(start + "link client-1 a rate=1Gbps rate=1Gbps\n"),
              "net.topo:4: link: got 'rate=1Gbps', expected each key once");
    EXPECT_THAT(GetTopologyError(start + "link client-1 a rate=fast\n"),
                ::testing::StartsWith("net.topo:4: link: got 'rate=fast', expected a rate"));
    EXPECT_THAT(GetTopologyError(start + "link client-1 a delay=3\n"),
                ::testing::StartsWith("net.topo:4: link: got 'delay=3', expected a time"));
    EXPECT_THAT(GetTopologyError(start + "link client-1 a queue=12B\n"),
                ::testing::StartsWith("net.topo:4: link: got 'queue=12B', expected"));
    EXPECT_THAT(GetTopologyError(start + "link client-1 a rate\n"),
                ::testing::StartsWith("net.topo:4: link: got 'rate', expected a rate"));
}

TEST(TopologyFileTest, RefusesWhatIsNotWhole)
{
    const std::string whole =
        "expected every host of the cluster with one link, or one for each of its ports, connected";
    EXPECT_EQ(GetTopologyError("switch a\nlink client-0..2 a\n"),
              "net.topo: got server-0 has no link, " + whole);
    EXPECT_EQ(GetTopologyError("switch a\nswitch b\nlink client-0..2 a\nlink server-0 b\n"),
              "net.topo: got client-0 cannot be reached from server-0, " + whole);
    EXPECT_EQ(GetTopologyError(""), "net.topo: got server-0 has no link, " + whole);
}

TEST(TopologyTableTest, ReadsLinksAndMakesSwitchesOfOtherNames)
{
    const auto network = TopologyFile::Parse("net.csv",
                                             "\xEF\xBB\xBF"
                                             "from, to,mtu,rate\r\n"
                                             "client-0,rack-0,9000,25Gbps\r\n"
                                             "rack-0,client-1,,\r\n"
                                             "client-2,rack-1,,\n"
                                             "\n"
                                             "server-0,rack-1,,\n"
                                             "rack-0,rack-1,,100Gbps",
                                             HOSTS);
    ASSERT_EQ(network.GetSwitchCount(), 2U);
    EXPECT_EQ(network.GetName(4), "rack-0");
    ASSERT_EQ(network.GetLinks().size(), 5U);
    EXPECT_EQ(network.GetLinks()[0].traits.mtu, 9000);
    EXPECT_EQ(network.GetLinks()[0].traits.rate, 25'000'000'000U);
    EXPECT_EQ(network.GetLinks()[1].one, 2U) << "the host, although it comes second";
    EXPECT_FALSE(network.GetLinks()[1].traits.rate);
    EXPECT_EQ(network.GetLinks()[4].traits.rate, 100'000'000'000U);
}

TEST(TopologyTableTest, HostsOfNoLinkAreAtAllSwitchesInTurn)
{
    const auto network = TopologyFile::Parse("net.csv", "from,to\na,b\nb,c\n", HOSTS);
    ASSERT_EQ(network.GetLinks().size(), 2U + 4);
    const std::vector<std::string> expected{"a", "b", "c", "a"};
    for (uint32_t host = 0; host < 4; ++host)
    {
        EXPECT_EQ(network.GetName(network.GetLinks()[2 + host].other), expected[host]);
    }
    EXPECT_THAT(GetTopologyError("from,to\na,b\nclient-0,a\n", "net.csv"),
                ::testing::StartsWith("net.csv: got server-0 has no link"))
        << "when a host is named, all are";
}

TEST(TopologyTableTest, RefusesByLine)
{
    const auto error = [](const std::string& text) { return GetTopologyError(text, "net.csv"); };
    EXPECT_EQ(error(""),
              "net.csv: columns: got no line, expected a line that names columns: from, to");
    EXPECT_EQ(error("from,speed\n"),
              "net.csv:1: columns: got 'speed', expected from, to, rate, delay, queue, mtu, each "
              "once");
    EXPECT_EQ(error("from,from\n"),
              "net.csv:1: columns: got 'from', expected from, to, rate, delay, queue, mtu, each "
              "once");
    EXPECT_EQ(error("from,rate\n"), "net.csv:1: columns: got 'from,rate', expected a column to");
    EXPECT_EQ(error("from,to\na,b,c\n"),
              "net.csv:2: link: got 3 fields, expected 2, as the first line has");
    EXPECT_EQ(error("from,to\na b,c\n"),
              "net.csv:2: link: got 'a b', expected a name of letters, digits, '-' and '_'");
    EXPECT_EQ(error("from,to\nclient-0,server-0\n"),
              "net.csv:2: link: got 'server-0', expected a switch as second end");
    EXPECT_EQ(error("from,to\na,a\n"), "net.csv:2: link: got 'a', expected two different ends");
    EXPECT_THAT(error("from,to,rate\na,b,fast\n"),
                ::testing::StartsWith("net.csv:2: link: got 'rate=fast', expected a rate"));
}

TEST(TopologyGraphmlTest, ReadsNodesEdgesAndDefaults)
{
    const auto network = TopologyFile::Parse(
        "net.graphml",
        "<?xml version=\"1.0\"?>\n"
        "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
        "<key id=\"k0\" for=\"edge\" attr.name=\"rate\" attr.type=\"string\">"
        "<default>40Gbps</default></key>\n"
        "<key id=\"k1\" for=\"node\" attr.name=\"label\"/><key id=\"k2\" for=\"edge\" "
        "attr.name=\"delay\"/><key id=\"k3\" for=\"edge\" attr.name=\"weight\"/>\n"
        "<graph id=\"G\" edgedefault=\"undirected\">\n"
        "<node id=\"0\"><data key=\"k1\">New York</data></node>\n"
        "<node id=\"1\"><data key=\"k1\"><![CDATA[Z&]]>\u00fcrich</data></node>\n"
        "<edge source=\"0\" target=\"1\"><data key=\"k2\"> 3ms </data>"
        "<data key=\"k3\">7</data></edge>\n"
        "<edge source=\"1\" target=\"0\"><data key=\"k0\">10Gbps</data></edge>\n"
        "</graph></graphml>\n",
        HOSTS);
    ASSERT_EQ(network.GetSwitchCount(), 2U);
    EXPECT_EQ(network.GetName(4), "New_York");
    EXPECT_EQ(network.GetName(5), "Z___rich");
    ASSERT_EQ(network.GetLinks().size(), 2U + 4);
    EXPECT_EQ(network.GetLinks()[0].traits.rate, 40'000'000'000U);
    EXPECT_EQ(network.GetLinks()[0].traits.delay, 3'000'000);
    EXPECT_EQ(network.GetLinks()[1].traits.rate, 10'000'000'000U);
    EXPECT_FALSE(network.GetLinks()[1].traits.delay);
}

TEST(TopologyGraphmlTest, ADirectedEdgeAndOneBackAreOneLink)
{
    const auto network = TopologyFile::Parse(
        "net.graphml",
        "<graphml><key id=\"r\" for=\"edge\" attr.name=\"rate\"/>\n"
        "<graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/><node id=\"c\"/>\n"
        "<edge source=\"a\" target=\"b\"><data key=\"r\">10Gbps</data></edge>\n"
        "<edge source=\"a\" target=\"b\"><data key=\"r\">40Gbps</data></edge>\n"
        "<edge source=\"b\" target=\"a\"><data key=\"r\">40Gbps</data></edge>\n"
        "<edge source=\"b\" target=\"a\"><data key=\"r\">10Gbps</data></edge>\n"
        "<edge source=\"b\" target=\"c\"/>\n"
        "<edge source=\"c\" target=\"a\" directed=\"false\"/>\n"
        "</graph></graphml>\n",
        HOSTS);
    ASSERT_EQ(network.GetSwitchCount(), 3U);
    ASSERT_EQ(network.GetLinks().size(), 4U + 4) << "two from a to b, b to c, c to a";
    EXPECT_EQ(network.GetLinks()[0].traits.rate, 10'000'000'000U);
    EXPECT_EQ(network.GetLinks()[1].traits.rate, 40'000'000'000U);
    EXPECT_FALSE(network.GetLinks()[2].traits.rate);
}

TEST(TopologyGraphmlTest, ANodeOfYedHasTheLabelThatIsDrawn)
{
    const auto network = TopologyFile::Parse(
        "net.graphml",
        "<graphml xmlns:y=\"http://www.yworks.com/xml/graphml\">"
        "<key id=\"d5\" for=\"node\" attr.name=\"description\"/>"
        "<key id=\"d6\" for=\"node\" yfiles.type=\"nodegraphics\"/>\n"
        "<graph edgedefault=\"directed\">"
        "<node id=\"n0\"><data key=\"d5\"/><data key=\"d6\"><y:ShapeNode><y:Geometry/>"
        "<y:NodeLabel>client-1<y:LabelModel/></y:NodeLabel></y:ShapeNode></data></node>\n"
        "<node id=\"n1\"><data key=\"d6\"><y:ShapeNode><y:NodeLabel>spine 1</y:NodeLabel>"
        "</y:ShapeNode></data></node>\n"
        "<edge source=\"n0\" target=\"n1\"/></graph></graphml>\n",
        {"client-1"});
    ASSERT_EQ(network.GetSwitchCount(), 1U) << "client-1 is a host";
    EXPECT_EQ(network.GetName(1), "spine_1");
}

TEST(TopologyGraphmlTest, RefusesByLine)
{
    const auto error = [](const std::string& inner) {
        return GetTopologyError("<graphml>\n<key id=\"r\" for=\"edge\" attr.name=\"rate\"/>\n" +
                                    inner + "</graphml>\n",
                                "g.graphml");
    };
    EXPECT_THAT(GetTopologyError("no XML", "g.graphml"),
                ::testing::AllOf(::testing::StartsWith("g.graphml:1: got Start tag expected"),
                                 ::testing::HasSubstr("expected well-formed GraphML")));
    EXPECT_THAT(GetTopologyError("", "g.graphml"), ::testing::HasSubstr("well-formed GraphML"));
    EXPECT_THAT(
        error("<graph>\n<node></graph>\n"),
        ::testing::AllOf(::testing::StartsWith("g.graphml:4: got Opening and ending tag mismatch"),
                         ::testing::HasSubstr("expected well-formed GraphML")));
    EXPECT_THAT(
        GetTopologyError("<graphml xmlns=\"relative\">\n<graph>\n<node></graph>\n</graphml>\n",
                         "g.graphml"),
        ::testing::StartsWith("g.graphml:3: got Opening and ending tag mismatch"))
        << "not what the parser only warns of";
    EXPECT_EQ(GetTopologyError("<html/>", "g.graphml"),
              "g.graphml:1: got 'html', expected the element graphml");
    EXPECT_EQ(error(""), "g.graphml:1: got no graph, expected the element graph");
    EXPECT_EQ(error("<graph/>\n<graph/>\n"),
              "g.graphml:4: graph: got another graph, expected one graph");
    EXPECT_EQ(error("<graph>\n<hyperedge/></graph>\n"),
              "g.graphml:4: graph: got a hyperedge, expected edges of two ends");
    EXPECT_EQ(error("<graph>\n<node/></graph>\n"), "g.graphml:4: node: got '', expected an id");
    EXPECT_EQ(error("<graph>\n<node id=\"a\"/>\n<node id=\"a\"/></graph>\n"),
              "g.graphml:5: node: got 'a', expected an id and a name that no other node has");
    EXPECT_EQ(error("<graph>\n<node id=\"a\"><graph/></node></graph>\n"),
              "g.graphml:4: node: got a graph in 'a', expected a node without one");
    EXPECT_EQ(error("<graph>\n<node id=\"a\"/>\n<edge source=\"a\" target=\"b\"/></graph>\n"),
              "g.graphml:5: edge: got 'b', expected the id of a node as target");
    const std::string two =
        "<graph><node id=\"a\"/><node id=\"b\"/>\n<edge source=\"a\" target=\"b\"";
    EXPECT_EQ(error(two + " directed=\"true\"/>\n<edge source=\"b\" target=\"a\" directed=\"true\">"
                          "<data key=\"r\">10Gbps</data></edge></graph>\n"),
              "g.graphml:5: edge: got other data than from 'a' to 'b', expected the same in both "
              "directions of a link");
    EXPECT_EQ(error(two + "><data key=\"x\">1</data></edge></graph>\n"),
              "g.graphml:4: data: got 'x', expected the id of a key that is declared");
    EXPECT_THAT(error(two + ">\n<data key=\"r\">100</data></edge></graph>\n"),
                ::testing::StartsWith("g.graphml:5: link: got 'rate=100', expected a rate"));
}

TEST(TopologyGraphmlTest, EntitiesAreNotExpanded)
{
    const auto told =
        GetTopologyError("<!DOCTYPE g [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">"
                         "<!ENTITY f SYSTEM \"file:///etc/passwd\">]>\n"
                         "<graphml><key id=\"n\" for=\"node\" attr.name=\"name\"/><graph>"
                         "<node id=\"x\"><data key=\"n\">&b;&f;</data></node></graph></graphml>",
                         "g.graphml");
    EXPECT_EQ(told, "no error") << "the node has its id for a name";
}

TEST(TopologyFileTest, RefusesWhatCannotBeRead)
{
    try
    {
        (void)TopologyFile::Load("/no/such/file", HOSTS);
        FAIL();
    }
    catch (const ScenarioError& error)
    {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("No such file"));
    }
    EXPECT_THROW((void)TopologyFile::Load("/", HOSTS), ScenarioError);
}

TEST(HostRangeTest, Expands)
{
    EXPECT_THAT(ExpandHostRange("client-2"), ElementsAre("client-2"));
    EXPECT_THAT(ExpandHostRange("client-2..4"), ElementsAre("client-2", "client-3", "client-4"));
    EXPECT_THAT(ExpandHostRange("client-9..10"), ElementsAre("client-9", "client-10"));
    for (const auto* wrong : {"",
                              "client-4..2",
                              "..3",
                              "7..9",
                              "client-..3",
                              "client-0..",
                              "a b",
                              "client-0..4294967296",
                              "client-0..99999999"})
    {
        EXPECT_THAT(ExpandHostRange(wrong), IsEmpty()) << wrong;
    }
}

} // namespace

} // namespace ns3::nfsrdma
