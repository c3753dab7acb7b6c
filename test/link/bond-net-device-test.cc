/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/bond-net-device.h"
#include "link/ethernet-channel.h"
#include "link/ethernet-switch.h"
#include "link/experimental-ethertype.h"

#include "ns3/data-rate.h"
#include "ns3/enum.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tuple>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint32_t NONE = BondNetDevice::NO_PORT;

/// A host of two bonded ports and one of one port at a switch.
class BondTest : public ::testing::Test
{
  protected:
    using Failover = std::tuple<int64_t, uint32_t, uint32_t>; ///< us, before, now.

    void Build(const std::vector<std::pair<std::string, std::string>>& attributes)
    {
        const auto center = CreateObject<Node>();
        const auto host = CreateObject<Node>();
        ethernetSwitch = CreateObject<EthernetSwitch>();
        center->AggregateObject(ethernetSwitch);
        bond = CreateObject<BondNetDevice>();
        bond->SetAttribute("Miimon", StringValue("1ms"));
        for (const auto& [name, value] : attributes)
        {
            bond->SetAttribute(name, StringValue(value));
        }
        for (std::size_t i = 0; i < 2; ++i)
        {
            ports.push_back(Connect(host, center, 1 + i));
        }
        host->AddDevice(bond);
        for (const auto& port : ports)
        {
            bond->AddPort(port);
        }
        other = Connect(CreateObject<Node>(), center, 9);
        if (bond->GetMode() == BondNetDevice::LACP)
        {
            group = ethernetSwitch->AddLacpGroup({0, 1});
        }
        else if (bond->GetMode() == BondNetDevice::BALANCE_XOR)
        {
            ethernetSwitch->AddGroup({0, 1});
        }
        bond->TraceConnectWithoutContext(
            "Failover",
            Callback<void, uint32_t, uint32_t>([this](uint32_t before, uint32_t now) {
                failovers.emplace_back(Simulator::Now().GetMicroSeconds(), before, now);
            }));
        bond->TraceConnectWithoutContext(
            "AddressChange",
            Callback<void, Mac48Address, Mac48Address>(
                [this](Mac48Address, Mac48Address now) { addresses.push_back(now); }));
        bond->SetReceiveCallback(MakeCallback(&BondTest::TakeAtBond, this));
        other->SetReceiveCallback(MakeCallback(&BondTest::TakeAtOther, this));
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    Ptr<EthernetNetDevice> Connect(const Ptr<Node>& host,
                                   const Ptr<Node>& center,
                                   std::size_t number)
    {
        const auto channel = CreateObject<EthernetChannel>();
        const auto make = [&](const Ptr<Node>& node, std::size_t id) {
            const auto device = CreateObject<EthernetNetDevice>();
            const uint8_t octets[6] = {2, 0, 0, 0, 0, static_cast<uint8_t>(id)};
            Mac48Address address;
            address.CopyFrom(octets);
            device->SetAddress(address);
            node->AddDevice(device);
            device->Attach(channel);
            return device;
        };
        const auto device = make(host, number);
        ethernetSwitch->AddPort(make(center, 100 + number));
        return device;
    }

    bool TakeAtBond(Ptr<NetDevice> device, Ptr<const Packet>, uint16_t, const Address&)
    {
        EXPECT_EQ(device, bond);
        ++atBond;
        return true;
    }

    bool TakeAtOther(Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t, const Address&)
    {
        ++atOther;
        octetsAtOther += packet->GetSize();
        return true;
    }

    void At(int64_t microseconds, std::function<void()> action)
    {
        Simulator::Schedule(MicroSeconds(microseconds), std::move(action));
    }

    void Kill(int64_t microseconds, std::size_t port, bool dead = true)
    {
        At(microseconds, [this, port, dead] { ports[port]->SetDead(dead); });
    }

    void SendToOther(int64_t microseconds)
    {
        At(microseconds, [this] {
            bond->Send(Create<Packet>(100), other->GetAddress(), EXPERIMENTAL_ETHERTYPE);
        });
    }

    void SendToBond(int64_t microseconds)
    {
        At(microseconds, [this] {
            other->Send(Create<Packet>(100), bond->GetAddress(), EXPERIMENTAL_ETHERTYPE);
        });
    }

    /// IPv4 and TCP from \p flow to port 20049, one frame of each of \p flows.
    static Ptr<Packet> MakeFlow(uint16_t flow)
    {
        ByteVector octets{0x45, 0, 0, 40, 0, 0, 0, 0, 64, 6, 0, 0, 10, 77, 0, 3, 10, 77, 0, 9};
        octets.push_back(static_cast<uint8_t>(flow >> 8));
        octets.push_back(static_cast<uint8_t>(flow));
        octets.insert(octets.end(), {0x4e, 0x51});
        octets.resize(60);
        return Create<Packet>(octets.data(), static_cast<uint32_t>(octets.size()));
    }

    [[nodiscard]] std::vector<uint64_t> CountSent() const
    {
        return {ports[0]->GetCounters().framesSent, ports[1]->GetCounters().framesSent};
    }

    void StartLacp()
    {
        bond->Start();
        ethernetSwitch->StartLacp();
    }

    void Settle()
    {
        PortAggregate::Settle(
            {{bond->GetAggregate(), 0, group, 0}, {bond->GetAggregate(), 1, group, 1}});
        StartLacp();
    }

    void RunTo(double seconds)
    {
        Simulator::Stop(Seconds(seconds) - Simulator::Now());
        Simulator::Run();
    }

    /// \return for ports of the bond and of the switch whether they are used: "11 11".
    [[nodiscard]] std::string ListUsed() const
    {
        std::string used;
        for (const auto* const end : {static_cast<const PortAggregate*>(bond->GetAggregate()),
                                      static_cast<const PortAggregate*>(group)})
        {
            used += used.empty() ? "" : " ";
            for (std::size_t port = 0; port < end->GetPortCount(); ++port)
            {
                used += end->Distributes(port) ? "1" : end->Collects(port) ? "c" : "0";
            }
        }
        return used;
    }

    PortAggregate* group{nullptr};
    Ptr<EthernetSwitch> ethernetSwitch;
    Ptr<BondNetDevice> bond;
    std::vector<Ptr<EthernetNetDevice>> ports;
    Ptr<EthernetNetDevice> other;
    std::vector<Failover> failovers;
    std::vector<Mac48Address> addresses;
    uint64_t atBond{0};
    uint64_t atOther{0};
    uint64_t octetsAtOther{0};
};

TEST_F(BondTest, OneActivePortSendsAndReceives)
{
    Build({});
    SendToOther(1);
    SendToBond(10);
    At(20, [this] {
        other->Send(Create<Packet>(100), Mac48Address::GetBroadcast(), EXPERIMENTAL_ETHERTYPE);
    });
    Simulator::Run();
    EXPECT_EQ(bond->GetActive(), 0U);
    EXPECT_EQ(ports[1]->GetAddress(), bond->GetAddress());
    EXPECT_THAT(CountSent(), ElementsAre(1, 0));
    EXPECT_EQ(atOther, 1U);
    EXPECT_EQ(octetsAtOther, 100U);
    EXPECT_EQ(atBond, 2U);
    EXPECT_EQ(bond->GetCounters().backupDiscarded, 1U);
    EXPECT_THAT(failovers, IsEmpty());
}

TEST_F(BondTest, ALossIsSeenAtTheNextLook)
{
    Build({});
    Kill(2200, 0);
    SendToOther(2500);
    SendToOther(3100);
    SendToBond(3500);
    Simulator::Run();
    EXPECT_THAT(failovers, ElementsAre(Failover(3000, 0, 1)));
    EXPECT_EQ(ports[0]->GetCounters().framesDropped, 1U);
    EXPECT_EQ(atOther, 1U);
    EXPECT_EQ(atBond, 1U);
    EXPECT_EQ(bond->GetCounters().failovers, 1U);
    EXPECT_THAT(addresses, IsEmpty());
}

TEST_F(BondTest, DownDelayIsAddedAndAShortLossIsNone)
{
    Build({{"DownDelay", "3ms"}});
    Kill(2200, 0);
    Kill(5900, 0, false);
    Kill(8000, 0);
    Simulator::Run();
    EXPECT_THAT(failovers, ElementsAre(Failover(11000, 0, 1)));
}

TEST_F(BondTest, ThePrimaryComesBackAfterUpDelay)
{
    Build({{"Primary", "2"}, {"UpDelay", "5ms"}});
    EXPECT_EQ(bond->GetActive(), 1U);
    Kill(1500, 1);
    Kill(4500, 1, false);
    Simulator::Run();
    EXPECT_THAT(failovers, ElementsAre(Failover(2000, 1, 0), Failover(10000, 0, 1)));
}

TEST_F(BondTest, WithoutPrimaryNothingComesBack)
{
    Build({});
    Kill(1500, 0);
    Kill(4500, 0, false);
    Simulator::Run();
    EXPECT_THAT(failovers, ElementsAre(Failover(2000, 0, 1)));
}

TEST_F(BondTest, WithoutAnyPortFramesAreDroppedAndTheFirstToReturnIsUsedAtOnce)
{
    Build({{"UpDelay", "50ms"}});
    Kill(1500, 0);
    Kill(1500, 1);
    SendToOther(3000);
    At(3001, [this] { EXPECT_FALSE(bond->IsLinkUp()); });
    Kill(4500, 1, false);
    SendToOther(6000);
    Simulator::Run();
    EXPECT_THAT(
        failovers,
        ElementsAre(Failover(2000, 0, 1), Failover(2000, 1, NONE), Failover(5000, NONE, 1)));
    EXPECT_EQ(bond->GetCounters().withoutPort, 1U);
    EXPECT_EQ(atOther, 1U);
}

TEST_F(BondTest, ActiveAddressFollowsTheActivePort)
{
    Build({{"FailOverMac", "active"}});
    const auto second = Mac48Address::ConvertFrom(ports[1]->GetAddress());
    EXPECT_NE(ports[0]->GetAddress(), ports[1]->GetAddress());
    Kill(1500, 0);
    SendToOther(3000);
    SendToBond(3500);
    Simulator::Run();
    EXPECT_THAT(addresses, ElementsAre(second));
    EXPECT_EQ(bond->GetAddress(), second);
    EXPECT_EQ(atBond, 1U);
    EXPECT_EQ(atOther, 1U);
}

TEST_F(BondTest, AnAggregateSharesFlowsBothWaysAndKeepsTheirOrder)
{
    Build({{"Mode", "balance-xor"}, {"XmitHashPolicy", "layer3+4"}});
    SendToOther(1);
    SendToBond(5);
    constexpr uint16_t FLOWS = 64;
    for (uint16_t flow = 0; flow < FLOWS; ++flow)
    {
        At(10 + flow, [this, flow] {
            bond->Send(MakeFlow(flow), other->GetAddress(), 0x0800);
            other->Send(MakeFlow(flow), bond->GetAddress(), 0x0800);
        });
    }
    Simulator::Run();
    EXPECT_EQ(atOther, 1U + FLOWS);
    EXPECT_EQ(atBond, 1U + FLOWS);
    const auto sent = CountSent();
    EXPECT_EQ(sent[0] + sent[1], 1U + FLOWS);
    EXPECT_GT(std::min(sent[0], sent[1]), FLOWS / 4U);
    for (const auto& port : ports)
    {
        EXPECT_GT(port->GetCounters().framesArrived, FLOWS / 4U);
    }
    EXPECT_EQ(ethernetSwitch->GetCounters().flooded, 1U);
}

TEST_F(BondTest, AnAggregateOfFewerPortsGoesOn)
{
    Build({{"Mode", "balance-xor"}, {"XmitHashPolicy", "layer3+4"}});
    SendToOther(1);
    Kill(500, 1);
    constexpr uint16_t FLOWS = 32;
    for (uint16_t flow = 0; flow < FLOWS; ++flow)
    {
        At(600 + flow, [this, flow] { other->Send(MakeFlow(flow), bond->GetAddress(), 0x0800); });
        At(2000 + flow, [this, flow] { bond->Send(MakeFlow(flow), other->GetAddress(), 0x0800); });
    }
    Simulator::Run();
    // The switch moves flows at once, the host at its next look.
    EXPECT_EQ(atBond, FLOWS);
    EXPECT_EQ(atOther, 1U + FLOWS);
    EXPECT_EQ(ports[1]->GetCounters().framesArrived, 0U);
    EXPECT_EQ(bond->GetCounters().failovers, 1U);
}

TEST_F(BondTest, BroadcastsReachAnAggregateOnce)
{
    Build({{"Mode", "balance-xor"}});
    At(1, [this] {
        other->Send(Create<Packet>(100), Mac48Address::GetBroadcast(), EXPERIMENTAL_ETHERTYPE);
    });
    At(10, [this] {
        bond->Send(Create<Packet>(100), Mac48Address::GetBroadcast(), EXPERIMENTAL_ETHERTYPE);
    });
    Simulator::Run();
    EXPECT_EQ(atBond, 1U);
    EXPECT_EQ(atOther, 1U);
    EXPECT_EQ(ports[0]->GetCounters().framesArrived + ports[1]->GetCounters().framesArrived, 1U);
}

TEST_F(BondTest, LacpMakesAnAggregateInAFewSeconds)
{
    Build({{"Mode", "802.3ad"}, {"LacpRate", "fast"}});
    StartLacp();
    SendToOther(1000);
    RunTo(1.5);
    EXPECT_EQ(ListUsed(), "00 00");
    EXPECT_FALSE(bond->IsLinkUp());
    EXPECT_EQ(bond->GetCounters().withoutPort, 1U);
    RunTo(6);
    EXPECT_EQ(ListUsed(), "11 11");
    EXPECT_TRUE(bond->IsLinkUp());
    EXPECT_GT(bond->GetAggregate()->GetCounters().received, 6U);
    EXPECT_EQ(bond->GetAggregate()->GetCounters().illegal, 0U);
    EXPECT_EQ(atBond, 0U);
    EXPECT_EQ(atOther, 0U);
    EXPECT_EQ(ethernetSwitch->GetCounters().flooded, 0U);
    EXPECT_EQ(ethernetSwitch->GetCounters().control, group->GetCounters().received);
}

TEST_F(BondTest, ASettledAggregateIsUsedFromTheBeginning)
{
    Build({{"Mode", "802.3ad"}, {"XmitHashPolicy", "layer3+4"}});
    Settle();
    EXPECT_EQ(ListUsed(), "11 11");
    EXPECT_TRUE(failovers.empty());
    SendToOther(1);
    constexpr uint16_t FLOWS = 64;
    for (uint16_t flow = 0; flow < FLOWS; ++flow)
    {
        At(10 + flow, [this, flow] {
            bond->Send(MakeFlow(flow), other->GetAddress(), 0x0800);
            other->Send(MakeFlow(flow), bond->GetAddress(), 0x0800);
        });
    }
    At(500, [this] {
        other->Send(Create<Packet>(100), Mac48Address::GetBroadcast(), EXPERIMENTAL_ETHERTYPE);
    });
    RunTo(0.9);
    EXPECT_EQ(atOther, 1U + FLOWS);
    EXPECT_EQ(atBond, 1U + FLOWS);
    const auto sent = CountSent();
    EXPECT_GT(std::min(sent[0], sent[1]), FLOWS / 4U);
    RunTo(400);
    EXPECT_EQ(ListUsed(), "11 11");
    EXPECT_TRUE(failovers.empty());
}

TEST_F(BondTest, ADeafPortLeavesTheAggregateOfBothEnds)
{
    Build({{"Mode", "802.3ad"}, {"LacpRate", "fast"}});
    Settle();
    At(500'000, [this] { ports[1]->SetDeaf(true); });
    RunTo(1.9);
    EXPECT_EQ(ListUsed(), "11 11");
    RunTo(4);
    EXPECT_EQ(ListUsed(), "10 1c"); // The host says that it does not collect any more.
    RunTo(8);
    EXPECT_EQ(ListUsed(), "10 10"); // It has no partner, and is one alone.
    ASSERT_EQ(failovers.size(), 1U);
    At(0, [this] { ports[1]->SetDeaf(false); });
    RunTo(20);
    EXPECT_EQ(ListUsed(), "11 11");
    EXPECT_EQ(failovers.size(), 2U);
}

TEST_F(BondTest, APortWithoutLinkLeavesTheAggregateAtOnce)
{
    Build({{"Mode", "802.3ad"}, {"LacpRate", "fast"}});
    Settle();
    Kill(500'500, 0);
    RunTo(0.502);
    EXPECT_EQ(ListUsed(), "01 01");
    EXPECT_THAT(failovers, ElementsAre(Failover(501'000, 0, 1)));
    EXPECT_EQ(bond->GetCounters().peersNotified, 0U);
    Kill(1'000'000, 0, false);
    RunTo(10);
    EXPECT_EQ(ListUsed(), "11 11");
}

TEST_F(BondTest, PortsOfDifferentRatesAreNotAggregated)
{
    Build({{"Mode", "802.3ad"}});
    const auto slow = CreateObject<BondNetDevice>();
    slow->SetAttribute("Mode", StringValue("802.3ad"));
    ports[1]->GetNode()->AddDevice(slow);
    ports[1]->SetDataRate(DataRate("10Gbps"));
    slow->AddPort(ports[0]);
    slow->AddPort(ports[1]);
    PortAggregate::Settle(
        {{slow->GetAggregate(), 0, group, 0}, {slow->GetAggregate(), 1, group, 1}});
    EXPECT_TRUE(slow->GetAggregate()->Distributes(0));
    EXPECT_FALSE(slow->GetAggregate()->Distributes(1));
    EXPECT_FALSE(group->Distributes(1));
}

TEST_F(BondTest, WithoutAPartnerThereIsOnePort)
{
    Build({{"Mode", "802.3ad"}});
    auto* const aggregate = bond->GetAggregate();
    PortAggregate::Settle({{aggregate, 0, nullptr, 0}, {aggregate, 1, nullptr, 0}});
    bond->Start();
    EXPECT_TRUE(aggregate->Distributes(0));
    EXPECT_FALSE(aggregate->Collects(1));
    EXPECT_EQ(bond->GetActive(), 0U);
}

TEST_F(BondTest, AStoppedAggregateStaysAsItIsAndIsSilent)
{
    Build({{"Mode", "802.3ad"}, {"LacpRate", "fast"}});
    Settle();
    At(1'500'000, [this] {
        bond->GetAggregate()->Stop();
        ethernetSwitch->StopLacp();
    });
    Simulator::Run(); // Nothing is left to happen.
    EXPECT_LT(Simulator::Now(), Seconds(10));
    EXPECT_EQ(ListUsed(), "11 11");
}

TEST(EthernetCarrierTest, BothEndsLoseItWithEither)
{
    const auto channel = CreateObject<EthernetChannel>();
    std::vector<Ptr<EthernetNetDevice>> ends;
    std::vector<std::vector<bool>> heard(2);
    for (std::size_t i = 0; i < 2; ++i)
    {
        ends.push_back(CreateObject<EthernetNetDevice>());
        ends[i]->SetCarrierCallback(
            Callback<void, bool>([&heard, i](bool up) { heard[i].push_back(up); }));
    }
    ends[0]->Attach(channel);
    EXPECT_FALSE(ends[0]->HasCarrier());
    ends[1]->Attach(channel);
    EXPECT_TRUE(ends[0]->HasCarrier());
    ends[0]->SetDead(true);
    ends[1]->SetDead(true);
    EXPECT_FALSE(ends[1]->HasCarrier());
    ends[0]->SetDead(false);
    EXPECT_FALSE(ends[0]->HasCarrier());
    ends[1]->SetDead(false);
    EXPECT_TRUE(ends[1]->HasCarrier());
    EXPECT_THAT(heard[0], ElementsAre(true, false, true));
    EXPECT_THAT(heard[1], ElementsAre(false, true));
    Simulator::Destroy();
}

} // namespace
} // namespace ns3::nfsrdma
