/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/bond-net-device.h"
#include "link/ethernet-channel.h"
#include "link/experimental-ethertype.h"

#include "ns3/error-model.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

/// A bond of two ports and what they are connected to, all trace sources of them connected, in a
/// run where each has a reason to fire.
class LinkTraceSources : public ::testing::Test
{
  protected:
    template <typename... Arguments>
    void Watch(const Ptr<Object>& object, const std::string& source)
    {
        const std::string name = GetName(object->GetInstanceTypeId(), source);
        fired.emplace(name, 0);
        EXPECT_TRUE(object->TraceConnectWithoutContext(
            source,
            Callback<void, Arguments...>([this, name](Arguments...) { fired[name]++; })))
            << name;
    }

    static std::string GetName(TypeId tid, const std::string& source)
    {
        return tid.GetName().substr(tid.GetName().rfind(':') + 1) + "::" + source;
    }

    Ptr<EthernetNetDevice> MakePort(const Ptr<Node>& node, const Ptr<EthernetChannel>& channel)
    {
        const auto port = CreateObject<EthernetNetDevice>();
        port->SetAttribute("FlowControl", StringValue("pause"));
        port->SetAddress(Mac48Address::Allocate());
        node->AddDevice(port);
        port->Attach(channel);
        for (const char* source : {"MacTx",
                                   "MacTxDrop",
                                   "MacPromiscRx",
                                   "MacRx",
                                   "PhyTxBegin",
                                   "PhyTxEnd",
                                   "PhyRxEnd",
                                   "PhyRxDrop",
                                   "Sniffer",
                                   "PromiscSniffer"})
        {
            Watch<Ptr<const Packet>>(port, source);
        }
        Watch<uint32_t, uint32_t>(port, "QueueOctets");
        Watch<uint16_t>(port, "PauseTx");
        Watch<uint16_t>(port, "PauseRx");
        return port;
    }

    void Build()
    {
        const auto host = CreateObject<Node>();
        bond = CreateObject<BondNetDevice>();
        bond->SetAttribute("FailOverMac", StringValue("active"));
        bond->SetAttribute("Miimon", StringValue("1us"));
        for (std::size_t i = 0; i < 2; ++i)
        {
            const auto channel = CreateObject<EthernetChannel>();
            ports.push_back(MakePort(host, channel));
            peers.push_back(MakePort(CreateObject<Node>(), channel));
        }
        host->AddDevice(bond);
        bond->AddPort(ports[0]);
        bond->AddPort(ports[1]);
        Watch<uint32_t, uint32_t>(bond, "Failover");
        Watch<Mac48Address, Mac48Address>(bond, "AddressChange");
        Watch<Ptr<const Packet>>(bond, "MacTxDrop");
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    void Send()
    {
        bond->Send(Create<Packet>(100), peers[0]->GetAddress(), EXPERIMENTAL_ETHERTYPE);
    }

    std::map<std::string, uint32_t> fired;
    Ptr<BondNetDevice> bond;
    std::vector<Ptr<EthernetNetDevice>> ports;
    std::vector<Ptr<EthernetNetDevice>> peers;
};

TEST_F(LinkTraceSources, AllFire)
{
    Build();
    const auto damage = CreateObject<ReceiveListErrorModel>();
    damage->SetList({0});
    peers[0]->SetReceiveErrorModel(damage);
    Send();
    Send();
    Send();
    peers[0]->SendPause(10);
    Simulator::Schedule(MicroSeconds(50), &EthernetNetDevice::SetDead, ports[0], true);
    Simulator::Schedule(MicroSeconds(60), &EthernetNetDevice::SetDead, ports[1], true);
    Simulator::Schedule(MicroSeconds(70), [this] {
        Send();
        ports[0]->Send(Create<Packet>(100), peers[0]->GetAddress(), EXPERIMENTAL_ETHERTYPE);
    });
    Simulator::Run();
    for (const TypeId& tid : {EthernetNetDevice::GetTypeId(), BondNetDevice::GetTypeId()})
    {
        for (std::size_t i = 0; i < tid.GetTraceSourceN(); ++i)
        {
            const auto found = fired.find(GetName(tid, tid.GetTraceSource(i).name));
            ASSERT_NE(found, fired.end()) << tid.GetTraceSource(i).name << " is not watched here";
            EXPECT_GT(found->second, 0U) << found->first;
        }
    }
}

} // namespace
} // namespace ns3::nfsrdma
