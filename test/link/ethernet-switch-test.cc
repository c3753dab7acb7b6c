/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-channel.h"
#include "link/ethernet-net-device.h"
#include "link/ethernet-switch.h"
#include "link/experimental-ethertype.h"

#include "ns3/bridge-net-device.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

constexpr std::size_t HOSTS = 3;

/// Three hosts on a node of three ports, which a case turns into a switch.
class SwitchedHostsTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        center = CreateObject<Node>();
        received.resize(HOSTS);
        for (std::size_t i = 0; i < HOSTS; ++i)
        {
            auto channel = CreateObject<EthernetChannel>();
            auto host = AddDevice(CreateObject<Node>(), channel, 1 + i);
            ports.push_back(AddDevice(center, channel, 101 + i));
            host->SetReceiveCallback(MakeCallback(&SwitchedHostsTest::OnReceive, this));
            hosts.push_back(host);
        }
        BuildSwitch();
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    virtual void BuildSwitch()
    {
        ethernetSwitch = CreateObject<EthernetSwitch>();
        ethernetSwitch->SetAttribute("Latency", TimeValue(NanoSeconds(300)));
        center->AggregateObject(ethernetSwitch);
        for (const auto& port : ports)
        {
            ethernetSwitch->AddPort(port);
        }
    }

    Ptr<EthernetNetDevice> AddDevice(Ptr<Node> node, Ptr<EthernetChannel> channel, std::size_t id)
    {
        auto device = CreateObject<EthernetNetDevice>();
        const uint8_t octets[6] = {2, 0, 0, 0, 0, static_cast<uint8_t>(id)};
        Mac48Address address;
        address.CopyFrom(octets);
        device->SetAddress(address);
        device->SetDataRate(DataRate("10Gbps"));
        node->AddDevice(device);
        device->Attach(channel);
        return device;
    }

    bool OnReceive(Ptr<NetDevice> device,
                   Ptr<const Packet> packet,
                   uint16_t /* protocol */,
                   const Address& source)
    {
        for (std::size_t i = 0; i < HOSTS; ++i)
        {
            if (hosts[i] == device)
            {
                EXPECT_EQ(packet->GetSize(), 100U);
                received[i].emplace_back(Simulator::Now(), Mac48Address::ConvertFrom(source));
            }
        }
        return true;
    }

    void Send(std::size_t from, const Address& to)
    {
        hosts[from]->Send(Create<Packet>(100), to, EXPERIMENTAL_ETHERTYPE);
        Simulator::Run();
    }

    std::vector<std::size_t> Counts() const
    {
        return {received[0].size(), received[1].size(), received[2].size()};
    }

    Ptr<Node> center;
    Ptr<EthernetSwitch> ethernetSwitch;
    std::vector<Ptr<EthernetNetDevice>> hosts;
    std::vector<Ptr<EthernetNetDevice>> ports;
    std::vector<std::vector<std::pair<Time, Mac48Address>>> received;
};

class EthernetSwitchTest : public SwitchedHostsTest
{
};

class BridgeNetDeviceTest : public SwitchedHostsTest
{
  protected:
    void BuildSwitch() override
    {
        auto bridge = CreateObject<BridgeNetDevice>();
        center->AddDevice(bridge);
        for (const auto& port : ports)
        {
            bridge->AddBridgePort(port);
        }
    }
};

TEST_F(EthernetSwitchTest, FloodsUntilItHasLearned)
{
    Send(0, hosts[1]->GetAddress());
    EXPECT_EQ(ethernetSwitch->GetCounters().flooded, 1U);
    EXPECT_EQ(Counts(), (std::vector<std::size_t>{0, 1, 0}));
    Send(1, hosts[0]->GetAddress());
    EXPECT_EQ(ethernetSwitch->GetCounters().forwarded, 1U);
    Send(0, hosts[1]->GetAddress());
    EXPECT_EQ(ethernetSwitch->GetCounters().forwarded, 2U);
    EXPECT_EQ(ethernetSwitch->GetCounters().flooded, 1U);
    EXPECT_EQ(Counts(), (std::vector<std::size_t>{1, 2, 0}));
}

TEST_F(EthernetSwitchTest, BroadcastReachesAllOthers)
{
    Send(2, Mac48Address::GetBroadcast());
    EXPECT_EQ(Counts(), (std::vector<std::size_t>{1, 1, 0}));
    EXPECT_EQ(received[0][0].second, Mac48Address::ConvertFrom(hosts[2]->GetAddress()));
}

TEST_F(EthernetSwitchTest, StoresAndForwards)
{
    Send(0, hosts[1]->GetAddress());
    // Twice 126 octets at 0.8 ns and 50 ns of cable, and the latency between.
    EXPECT_EQ(received[1].at(0).first, NanoSeconds(100 + 50 + 300 + 100 + 50));
}

TEST_F(EthernetSwitchTest, ForgetsAgedAddresses)
{
    ethernetSwitch->SetAttribute("AgingTime", TimeValue(MicroSeconds(10)));
    Send(1, hosts[0]->GetAddress());
    Simulator::Stop(MicroSeconds(20));
    Simulator::Run();
    Send(0, hosts[1]->GetAddress());
    EXPECT_EQ(ethernetSwitch->GetCounters().flooded, 2U);
}

TEST_F(EthernetSwitchTest, FiltersWhatIsBehindTheSamePort)
{
    Send(0, hosts[1]->GetAddress());
    Send(0, hosts[0]->GetAddress());
    EXPECT_EQ(ethernetSwitch->GetCounters().filtered, 1U);
    EXPECT_EQ(received[0].size(), 0U);
}

TEST_F(BridgeNetDeviceTest, WorksAsASwitchToo)
{
    Send(0, hosts[1]->GetAddress());
    Send(1, hosts[0]->GetAddress());
    Send(2, Mac48Address::GetBroadcast());
    EXPECT_EQ(Counts(), (std::vector<std::size_t>{2, 2, 0}));
}

} // namespace
} // namespace ns3::nfsrdma
