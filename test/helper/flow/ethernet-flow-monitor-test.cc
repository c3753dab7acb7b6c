/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cluster-helper.h"
#include "helper/flow/ethernet-flow-monitor-helper.h"
#include "link/ipv4-frame-head.h"
#include "workload/generate/mix.h"

#include "ns3/config.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/ipv4-flow-classifier.h"
#include "ns3/ipv6-flow-classifier.h"
#include "ns3/node-container.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/uinteger.h"

#include <array>
#include <gtest/gtest.h>
#include <memory>
#include <string>

namespace ns3::nfsrdma
{
namespace
{

/// A cluster whose hosts have a FlowMonitor.
class EthernetFlowMonitorTest : public ::testing::Test
{
  protected:
    static constexpr uint16_t NFS_RDMA_PORT = 20049;

    void TearDown() override
    {
        m_cluster.reset();
        Simulator::Destroy();
        Config::SetDefault("ns3::nfsrdma::MpaTransport::Tcp", StringValue("offload"));
    }

    void Run(bool hasIpv6 = false)
    {
        ClusterHelper helper;
        helper.SetSize(1, 1);
        helper.GetNetwork().SetIpv6(hasIpv6);
        helper.SetWorkload([](uint32_t) {
            const auto workload = CreateObject<MixWorkload>();
            workload->SetAttribute("Operations", UintegerValue(200));
            return workload;
        });
        m_cluster = helper.Build();
        NodeContainer hosts;
        for (const auto& device : m_cluster->GetNetwork().devices)
        {
            hosts.Add(device->GetNode());
            device->TraceConnectWithoutContext(
                "MacTx",
                MakeCallback(&EthernetFlowMonitorTest::NoteFrame, this));
        }
        m_monitor = EthernetFlowMonitorHelper::Install(m_flows, hosts);
        m_cluster->SetFinishedCallback([] { Simulator::Stop(); });
        m_cluster->Start();
        Simulator::Run();
        ASSERT_TRUE(m_cluster->IsFinished());
        m_cluster->Disconnect();
        Simulator::Stop(Seconds(1));
        Simulator::Run();
    }

    void NoteFrame(Ptr<const Packet> frame)
    {
        std::array<uint8_t, Ipv4FrameHead::SIZE> octets{};
        const auto length = frame->CopyData(octets.data(), octets.size());
        const auto head = Ipv4FrameHead::Decode(ByteSpan(octets.data(), length));
        if (head && head->protocol == TcpL4Protocol::PROT_NUMBER)
        {
            ++m_segments;
            m_octets += head->totalLength;
        }
    }

    /// What the monitor has of all flows that \p isWanted takes.
    template <typename Classifier, typename Wanted>
    FlowMonitor::FlowStats Sum(const Ptr<FlowClassifier>& classifier, Wanted isWanted)
    {
        FlowMonitor::FlowStats sum{};
        const auto tuples = DynamicCast<Classifier>(classifier);
        for (const auto& [flow, stats] : m_monitor->GetFlowStats())
        {
            if (isWanted(tuples->FindFlow(flow)))
            {
                ++m_found;
                sum.txPackets += stats.txPackets;
                sum.rxPackets += stats.rxPackets;
                sum.txBytes += stats.txBytes;
                sum.rxBytes += stats.rxBytes;
                sum.delaySum += stats.delaySum;
            }
        }
        return sum;
    }

    FlowMonitor::FlowStats SumIpv4(bool onlyNfs)
    {
        using Classifier = Ipv4FlowClassifier;
        return Sum<Classifier>(m_flows.GetClassifier(),
                               [onlyNfs](const Classifier::FiveTuple& flow) {
                                   return flow.protocol == TcpL4Protocol::PROT_NUMBER &&
                                          (!onlyNfs || flow.sourcePort == NFS_RDMA_PORT ||
                                           flow.destinationPort == NFS_RDMA_PORT);
                               });
    }

    FlowMonitorHelper m_flows;
    std::unique_ptr<Cluster> m_cluster;
    Ptr<FlowMonitor> m_monitor;
    std::size_t m_found{0};
    uint64_t m_segments{0}; ///< Sent by both hosts, over IPv4.
    uint64_t m_octets{0};   ///< Of their IP packets.
};

TEST_F(EthernetFlowMonitorTest, SeesConnectionsOfTheRnicsTcp)
{
    Run();
    const auto nfs = SumIpv4(true);
    EXPECT_EQ(m_found, 2U) << "one each way";
    EXPECT_GT(nfs.txPackets, 400U);
    EXPECT_EQ(nfs.rxPackets, nfs.txPackets);
    EXPECT_EQ(nfs.rxBytes, nfs.txBytes);
    const Time mean = nfs.delaySum / static_cast<int64_t>(nfs.rxPackets);
    EXPECT_GT(mean, NanoSeconds(500)) << "two cables and a switch";
    EXPECT_LT(mean, MicroSeconds(50));
    const auto all = SumIpv4(false);
    EXPECT_EQ(all.txPackets, m_segments);
    EXPECT_EQ(all.txBytes, m_octets);
}

TEST_F(EthernetFlowMonitorTest, CountsNothingTwiceOfNs3sTcp)
{
    Config::SetDefault("ns3::nfsrdma::MpaTransport::Tcp", StringValue("ns3"));
    Run();
    const auto all = SumIpv4(false);
    EXPECT_GT(all.txPackets, 400U);
    EXPECT_EQ(all.txPackets, m_segments);
    EXPECT_EQ(all.txBytes, m_octets);
    EXPECT_EQ(all.rxPackets, all.txPackets);
}

TEST_F(EthernetFlowMonitorTest, SeesThemOverIpv6)
{
    Run(true);
    using Classifier = Ipv6FlowClassifier;
    const auto nfs =
        Sum<Classifier>(m_flows.GetClassifier6(), [](const Classifier::FiveTuple& flow) {
            return flow.sourcePort == NFS_RDMA_PORT || flow.destinationPort == NFS_RDMA_PORT;
        });
    EXPECT_EQ(m_found, 2U);
    EXPECT_GT(nfs.txPackets, 400U);
    EXPECT_LE(nfs.txPackets - nfs.rxPackets, 1U) << "all but one that waits for the neighbour";
}

TEST_F(EthernetFlowMonitorTest, WritesItsFlowsAsXml)
{
    Run();
    const auto xml = m_monitor->SerializeToXmlString(0, false, true);
    EXPECT_NE(xml.find("destinationPort=\"20049\""), std::string::npos);
    EXPECT_NE(xml.find("<FlowProbe "), std::string::npos);
}

} // namespace
} // namespace ns3::nfsrdma
