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
GetTopologyError(const std::string& text)
{
    try
    {
        (void)TopologyFile::Parse("net.topo", text, HOSTS);
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
