/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/topology/topology-routes.h"
#include "helper/topology/topology-shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A topology, and what its ways must be like.
class TopologyRoutesTest : public ::testing::Test
{
  protected:
    /// \return number of links from \p from to \p host when always the first of the next links is
    /// taken, or the last; 0 when that leads nowhere.
    static uint32_t Walk(const Topology& topology,
                         const TopologyRoutes& routes,
                         uint32_t from,
                         uint32_t host,
                         bool last)
    {
        uint32_t node = from;
        uint32_t steps = 0;
        while (node != host && steps <= topology.GetNodeCount())
        {
            const auto& next = routes.GetNextLinks(node, host);
            if (next.empty())
            {
                return 0;
            }
            node = topology.GetLinks()[last ? next.back() : next.front()].GetPeer(node);
            ++steps;
        }
        return node == host ? steps : 0;
    }

    static void ExpectShortestWays(const Topology& topology)
    {
        ASSERT_EQ(topology.Check(), "");
        const TopologyRoutes routes(topology);
        for (uint32_t from = topology.GetHostCount(); from < topology.GetNodeCount(); ++from)
        {
            for (uint32_t host = 0; host < topology.GetHostCount(); ++host)
            {
                const uint32_t distance = routes.GetDistance(from, host);
                EXPECT_EQ(Walk(topology, routes, from, host, false), distance);
                EXPECT_EQ(Walk(topology, routes, from, host, true), distance);
            }
        }
    }

    /// Every host is reached once from every other over the tree.
    static void ExpectTree(const Topology& topology)
    {
        const TopologyRoutes routes(topology);
        uint32_t links = 0;
        for (uint32_t link = 0; link < topology.GetLinks().size(); ++link)
        {
            links += routes.IsInTree(link) ? 1 : 0;
        }
        EXPECT_EQ(links, topology.GetNodeCount() - 1);
        std::vector<uint32_t> part(topology.GetNodeCount());
        for (uint32_t node = 0; node < part.size(); ++node)
        {
            part[node] = node;
        }
        const auto find = [&part](uint32_t node) {
            while (part[node] != node)
            {
                node = part[node];
            }
            return node;
        };
        for (uint32_t link = 0; link < topology.GetLinks().size(); ++link)
        {
            if (routes.IsInTree(link))
            {
                const auto& ends = topology.GetLinks()[link];
                const uint32_t one = find(ends.one);
                const uint32_t other = find(ends.other);
                EXPECT_NE(one, other) << "a loop by link " << link;
                part[one] = other;
            }
        }
    }
};

TEST_F(TopologyRoutesTest, StarHasOneWay)
{
    const auto star = MakeStar({3, 1});
    const TopologyRoutes routes(star);
    EXPECT_THAT(routes.GetNextLinks(4, 0), ElementsAre(0));
    EXPECT_THAT(routes.GetNextLinks(4, 3), ElementsAre(3));
    EXPECT_EQ(routes.GetDistance(4, 3), 1U);
    EXPECT_TRUE(routes.IsInTree(2));
}

TEST_F(TopologyRoutesTest, LeafSpineHasAWayOverEverySpine)
{
    // Servers 0, 1; clients 2 to 5; leaf-0 6, leaf-1 7, spine-0 8, spine-1 9, spine-2 10.
    const auto network = MakeLeafSpine({4, 2}, 2, 3, ServerPlacement::SPREAD);
    EXPECT_EQ(network.GetName(6), "leaf-0");
    EXPECT_EQ(network.GetName(10), "spine-2");
    ASSERT_EQ(network.GetLinks().size(), 6U + 2 * 3);
    const TopologyRoutes routes(network);
    EXPECT_THAT(routes.GetNextLinks(6, 0), ElementsAre(0)); // server-0 is at leaf-0
    EXPECT_THAT(routes.GetNextLinks(6, 1), ElementsAre(6, 8, 10));
    EXPECT_THAT(routes.GetNextLinks(7, 0), ElementsAre(7, 9, 11));
    EXPECT_THAT(routes.GetNextLinks(9, 1), ElementsAre(9));
    EXPECT_EQ(routes.GetDistance(6, 1), 3U);
    ExpectTree(network);
}

TEST_F(TopologyRoutesTest, ServersApartAreAtTheLastLeaf)
{
    const auto network = MakeLeafSpine({6, 3}, 4, 2, ServerPlacement::APART);
    const uint32_t last = *network.Find("leaf-3");
    for (uint32_t host = 0; host < 9; ++host)
    {
        const auto& link = network.GetLinks()[network.GetLinksOf(host).at(0)];
        EXPECT_EQ(link.other == last, host < 3) << network.GetName(host);
    }
    ExpectShortestWays(network);
}

TEST_F(TopologyRoutesTest, DumbbellHasTheTrunkBetween)
{
    LinkTraits trunk;
    trunk.rate = 10'000'000'000;
    const auto network = MakeDumbbell({2, 2}, trunk);
    const TopologyRoutes routes(network);
    const uint32_t left = *network.Find("left");
    EXPECT_EQ(network.GetLinks()[4].traits.rate, 10'000'000'000U);
    EXPECT_THAT(routes.GetNextLinks(left, 0), ElementsAre(4));
    EXPECT_THAT(routes.GetNextLinks(left, 2), ElementsAre(2));
    ExpectTree(network);
}

TEST_F(TopologyRoutesTest, ParallelLinksAreAllUsed)
{
    Topology network({"server-0", "client-0"});
    const uint32_t one = network.AddSwitch("one");
    const uint32_t other = network.AddSwitch("other");
    network.AddLink(0, one);
    network.AddLink(1, other);
    network.AddLink(one, other);
    network.AddLink(one, other);
    const TopologyRoutes routes(network);
    EXPECT_THAT(routes.GetNextLinks(one, 1), ElementsAre(2, 3));
    EXPECT_TRUE(routes.IsInTree(2));
    EXPECT_FALSE(routes.IsInTree(3));
}

TEST_F(TopologyRoutesTest, LongerWaysAreNotTaken)
{
    // A ring of five switches, a host at the first and the third.
    Topology ring({"server-0", "client-0"});
    std::vector<uint32_t> switches;
    for (int i = 0; i < 5; ++i)
    {
        switches.push_back(ring.AddSwitch("s" + std::to_string(i)));
    }
    ring.AddLink(0, switches[0]);
    ring.AddLink(1, switches[2]);
    for (uint32_t i = 0; i < 5; ++i)
    {
        ring.AddLink(switches[i], switches[(i + 1) % 5]);
    }
    const TopologyRoutes routes(ring);
    EXPECT_THAT(routes.GetNextLinks(switches[0], 1), ElementsAre(2));
    EXPECT_EQ(routes.GetDistance(switches[0], 1), 3U);
    EXPECT_EQ(routes.GetDistance(switches[4], 1), 3U);
    ExpectTree(ring);
}

TEST_F(TopologyRoutesTest, RandomNetworksHaveShortestWaysAndATree)
{
    std::mt19937_64 random(7);
    for (int round = 0; round < 60; ++round)
    {
        const auto draw = [&random](uint32_t bound) {
            return static_cast<uint32_t>(random() % bound);
        };
        const ClusterHosts hosts{1 + draw(20), 1 + draw(4)};
        Topology network(hosts.GetNames());
        std::vector<uint32_t> switches;
        const uint32_t count = 1 + draw(12);
        for (uint32_t i = 0; i < count; ++i)
        {
            switches.push_back(network.AddSwitch("s" + std::to_string(i)));
            if (i > 0)
            {
                network.AddLink(switches[i], switches[draw(i)]);
            }
        }
        for (uint32_t i = 0; i + 1 < count; ++i)
        {
            const uint32_t other = draw(count);
            if (other != i)
            {
                network.AddLink(switches[i], switches[other]);
            }
        }
        for (uint32_t host = 0; host < network.GetHostCount(); ++host)
        {
            network.AddLink(host, switches[draw(count)]);
        }
        ExpectShortestWays(network);
        ExpectTree(network);
    }
}

TEST_F(TopologyRoutesTest, CheckSaysWhatIsWrong)
{
    Topology network({"server-0", "client-0"});
    const uint32_t one = network.AddSwitch("one");
    const uint32_t other = network.AddSwitch("other");
    EXPECT_EQ(network.Check(), "server-0 has no link");
    network.AddLink(0, one);
    EXPECT_EQ(network.Check(), "client-0 has no link");
    network.AddLink(1, other);
    EXPECT_EQ(network.Check(), "client-0 cannot be reached from server-0");
    EXPECT_THAT(TopologyRoutes(network).GetNextLinks(one, 1), IsEmpty());
    EXPECT_EQ(TopologyRoutes(network).GetDistance(one, 1), 0U);
    network.AddLink(one, other);
    EXPECT_EQ(network.Check(), "");
    network.AddLink(1, one);
    EXPECT_EQ(network.Check(), "") << "a bond";
    network.AddLink(one, other);
    EXPECT_EQ(network.Check(), "a host has several links, and switches a loop");
}

TEST_F(TopologyRoutesTest, TraitsOfTheStrongerHold)
{
    LinkTraits weak;
    weak.rate = 1;
    weak.delay = 2;
    LinkTraits strong;
    strong.delay = 3;
    strong.queue = 4;
    weak.Override(strong);
    EXPECT_EQ(weak.rate, 1U);
    EXPECT_EQ(weak.delay, 3);
    EXPECT_EQ(weak.queue, 4U);
    EXPECT_FALSE(weak.hostQueue);
}

TEST_F(TopologyRoutesTest, RailsHaveASwitchForEachPort)
{
    const auto rails = MakeRails({2, 1}, {2, 3, 1});
    EXPECT_EQ(rails.Check(), "");
    ASSERT_EQ(rails.GetSwitchCount(), 3U);
    std::vector<std::vector<std::string>> switches;
    for (uint32_t host = 0; host < rails.GetHostCount(); ++host)
    {
        switches.emplace_back();
        for (const uint32_t link : rails.GetLinksOf(host))
        {
            switches.back().push_back(rails.GetName(rails.GetLinks()[link].other));
        }
    }
    EXPECT_THAT(switches,
                ElementsAre(ElementsAre("rail-0", "rail-1"),
                            ElementsAre("rail-0", "rail-1", "rail-2"),
                            ElementsAre("rail-0")));
}

TEST_F(TopologyRoutesTest, RailsOfSeveralPodsAreNetworksOfTheirOwn)
{
    // A server and three clients of two ports each; two pods, two spines for each rail.
    const auto network = MakeRails({3, 1}, {2, 2, 2, 2}, {2, 2, {}});
    ASSERT_EQ(network.GetSwitchCount(), 2U * (2 + 2));
    EXPECT_TRUE(network.HasLoop());
    EXPECT_FALSE(MakeRails({3, 1}, {2, 2, 2, 2}, {2, 1, {}}).HasLoop());
    const TopologyRoutes routes(network);
    for (uint32_t rail = 0; rail < 2; ++rail)
    {
        const auto name = "rail-" + std::to_string(rail);
        const uint32_t near = *network.Find(name + "-pod-0");
        const uint32_t far = *network.Find(name + "-pod-1");
        EXPECT_EQ(routes.GetDistance(near, 0, rail), 1U);
        EXPECT_EQ(routes.GetDistance(far, 0, rail), 3U);
        EXPECT_EQ(routes.GetNextLinks(far, 0, rail).size(), 2U) << "both spines";
        EXPECT_EQ(routes.GetDistance(near, 2, rail), 3U) << "client-1 is in the other pod";
        EXPECT_EQ(routes.GetDistance(near, 0, 1 - rail), 0U) << "the rails are not connected";
    }
    uint32_t tree = 0;
    for (uint32_t link = 0; link < network.GetLinks().size(); ++link)
    {
        tree += routes.IsInTree(link) ? 1 : 0;
    }
    EXPECT_EQ(tree, 4U * 2 + 2 * 3) << "all links of hosts, and of four switches a rail three";
}

TEST_F(TopologyRoutesTest, FatTreeHasAWayOverEveryCore)
{
    // 4 pods of 2 + 2 switches, 4 cores, 16 hosts.
    const auto network = MakeFatTree({12, 4}, 4, ServerPlacement::SPREAD);
    ASSERT_EQ(network.GetSwitchCount(), 20U);
    ASSERT_EQ(network.GetLinks().size(), 16U + 16 + 16);
    for (uint32_t node = network.GetHostCount(); node < network.GetNodeCount(); ++node)
    {
        EXPECT_EQ(network.GetLinksOf(node).size(), 4U) << network.GetName(node);
    }
    const TopologyRoutes routes(network);
    // server-0 is in pod 0, server-1 in pod 1.
    const uint32_t edge = *network.Find("pod-0-edge-0");
    EXPECT_EQ(routes.GetDistance(edge, 0), 1U);
    EXPECT_EQ(routes.GetDistance(edge, 1), 5U);
    EXPECT_EQ(routes.GetDistance(*network.Find("pod-0-edge-1"), 0), 3U);
    EXPECT_EQ(routes.GetNextLinks(edge, 1).size(), 2U);
    EXPECT_EQ(routes.GetNextLinks(*network.Find("pod-0-aggregation-1"), 1).size(), 2U);
    EXPECT_EQ(routes.GetNextLinks(*network.Find("core-3"), 1).size(), 1U);
    ExpectShortestWays(network);
    ExpectTree(network);
}

TEST_F(TopologyRoutesTest, ServersApartHaveAPodOfAFatTree)
{
    const auto room = GetFatTreeRoom(6, ServerPlacement::APART);
    EXPECT_EQ(room.clients, 45U);
    EXPECT_EQ(room.servers, 9U);
    const auto network = MakeFatTree(room, 6, ServerPlacement::APART);
    for (uint32_t host = 0; host < network.GetHostCount(); ++host)
    {
        const auto edge = network.GetLinks()[network.GetLinksOf(host).at(0)].other;
        EXPECT_EQ(network.GetName(edge).rfind("pod-5-", 0) == 0, host < 9);
        EXPECT_EQ(network.GetLinksOf(edge).size(), 6U);
    }
    ExpectShortestWays(network);
    const auto all = GetFatTreeRoom(6, ServerPlacement::SPREAD);
    EXPECT_EQ(all.clients, 54U);
    const auto full = MakeFatTree({50, 4}, 6, ServerPlacement::SPREAD);
    for (uint32_t node = full.GetHostCount(); node < full.GetNodeCount(); ++node)
    {
        EXPECT_EQ(full.GetLinksOf(node).size(), 6U) << full.GetName(node);
    }
}

TEST_F(TopologyRoutesTest, TorusHasRingsInEachDirection)
{
    const auto network = MakeTorus({12, 2}, {4, 3}, ServerPlacement::SPREAD);
    ASSERT_EQ(network.GetSwitchCount(), 12U);
    EXPECT_EQ(network.GetLinks().size(), 14U + 2 * 12);
    EXPECT_EQ(network.GetName(14), "switch-0-0");
    EXPECT_EQ(network.GetName(14 + 5), "switch-1-1");
    const TopologyRoutes routes(network);
    // server-0 is at switch-0-0: two ways around the ring of four, one around that of three.
    EXPECT_EQ(routes.GetDistance(*network.Find("switch-2-0"), 0), 3U);
    EXPECT_EQ(routes.GetNextLinks(*network.Find("switch-2-0"), 0).size(), 2U);
    EXPECT_EQ(routes.GetDistance(*network.Find("switch-3-0"), 0), 2U);
    EXPECT_EQ(routes.GetDistance(*network.Find("switch-2-2"), 0), 4U);
    EXPECT_EQ(routes.GetNextLinks(*network.Find("switch-2-2"), 0).size(), 3U);
    ExpectShortestWays(network);
    ExpectTree(network);
    const auto cube = MakeTorus({8, 1}, {2, 2, 2}, ServerPlacement::APART);
    EXPECT_EQ(cube.GetLinks().size(), 9U + 12) << "a cube has twelve edges";
    EXPECT_EQ(cube.GetName(cube.GetLinks()[0].other), "switch-1-1-1");
    ExpectShortestWays(cube);
}

} // namespace

} // namespace ns3::nfsrdma
