/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-channel.h"
#include "link/ethernet-switch.h"
#include "link/frame-head.h"

#include "ns3/double.h"
#include "ns3/ipv4-header.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <array>
#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t FRAME_PAYLOAD = 1000;
constexpr uint32_t FRAME_SIZE = 14 + 20 + FRAME_PAYLOAD;
constexpr uint32_t FRAMES = 50;

/// Two hosts send to a third one, all at once, through a switch that each case sets up.
class SwitchMarkingTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        center = CreateObject<Node>();
        ethernetSwitch = CreateObject<EthernetSwitch>();
        center->AggregateObject(ethernetSwitch);
        ForwardingTable table;
        for (uint32_t i = 0; i < 3; ++i)
        {
            const auto channel = CreateObject<EthernetChannel>();
            hosts.push_back(AddDevice(CreateObject<Node>(), channel, i + 1));
            ethernetSwitch->AddPort(AddDevice(center, channel, i + 101));
            table.AddDestination(PREFIX + i + 1, table.AddGroup({i}));
            table.AddFloodPort(i);
        }
        ethernetSwitch->SetForwardingTable(std::move(table));
        ethernetSwitch->AssignStreams(1);
        hosts[2]->TraceConnectWithoutContext("PhyRxEnd",
                                             MakeCallback(&SwitchMarkingTest::Take, this));
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    static Ptr<EthernetNetDevice> AddDevice(const Ptr<Node>& node,
                                            const Ptr<EthernetChannel>& channel,
                                            uint32_t number)
    {
        const auto device = CreateObject<EthernetNetDevice>();
        const std::array<uint8_t, 6> octets{2, 0, 0, 0, 0, static_cast<uint8_t>(number)};
        Mac48Address address;
        address.CopyFrom(octets.data());
        device->SetAddress(address);
        device->SetDataRate(DataRate("10Gbps"));
        node->AddDevice(device);
        device->Attach(channel);
        return device;
    }

    void Take(Ptr<const Packet> frame)
    {
        std::array<uint8_t, FRAME_SIZE> octets{};
        ASSERT_EQ(frame->GetSize(), FRAME_SIZE);
        frame->CopyData(octets.data(), FRAME_SIZE);
        ++received;
        ce += FrameHead::GetEcn(octets) == EcnCodepoint::CE ? 1 : 0;
        EXPECT_EQ(octets[FRAME_SIZE - 1], 0);
        const auto copy = frame->Copy();
        copy->RemoveAtStart(14);
        Ipv4Header header;
        header.EnableChecksum();
        copy->RemoveHeader(header);
        EXPECT_TRUE(header.IsChecksumOk());
        EXPECT_EQ(header.GetPayloadSize(), FRAME_PAYLOAD);
    }

    /// Both hosts send FRAMES frames each, back to back.
    void Send(Ipv4Header::EcnType ecn)
    {
        for (uint32_t i = 0; i < FRAMES; ++i)
        {
            for (uint32_t from = 0; from < 2; ++from)
            {
                const auto packet = Create<Packet>(FRAME_PAYLOAD);
                Ipv4Header header;
                header.EnableChecksum();
                header.SetSource(Ipv4Address(0x0a000001 + from));
                header.SetDestination("10.0.0.3");
                header.SetPayloadSize(FRAME_PAYLOAD);
                header.SetTtl(64);
                header.SetProtocol(6);
                header.SetEcn(ecn);
                packet->AddHeader(header);
                hosts[from]->Send(packet, hosts[2]->GetAddress(), 0x0800);
            }
        }
        Simulator::Run();
    }

    [[nodiscard]] const SwitchPort::Counters& Counters() const
    {
        return ethernetSwitch->GetPortCounters(2);
    }

    static constexpr uint64_t PREFIX = uint64_t{2} << 40U;
    Ptr<Node> center;
    Ptr<EthernetSwitch> ethernetSwitch;
    std::vector<Ptr<EthernetNetDevice>> hosts;
    uint32_t received{0};
    uint32_t ce{0};
};

TEST_F(SwitchMarkingTest, NoneMarksNothing)
{
    Send(Ipv4Header::ECN_ECT0);
    EXPECT_EQ(received, 2 * FRAMES);
    EXPECT_EQ(ce, 0U);
    EXPECT_EQ(Counters().frames, 2 * FRAMES);
    EXPECT_EQ(Counters().octets, 2 * FRAMES * FRAME_SIZE);
    // Two in and one out: nearly half of what has come waits at the end.
    EXPECT_NEAR(static_cast<double>(Counters().queueMost), FRAMES * FRAME_SIZE, 2 * FRAME_SIZE);
}

TEST_F(SwitchMarkingTest, ThresholdMarksWhatFindsMoreWaiting)
{
    ethernetSwitch->SetAttribute("Marking", StringValue("threshold"));
    ethernetSwitch->SetAttribute("MarkThreshold", UintegerValue(10 * FRAME_SIZE));
    Send(Ipv4Header::ECN_ECT0);
    EXPECT_EQ(received, 2 * FRAMES);
    EXPECT_EQ(Counters().marked, ce);
    // The queue grows by one for two that come: the first 22 or so find ten or less.
    EXPECT_NEAR(ce, 2 * FRAMES - 22, 2);
}

TEST_F(SwitchMarkingTest, ThresholdLeavesOthersAlone)
{
    ethernetSwitch->SetAttribute("Marking", StringValue("threshold"));
    ethernetSwitch->SetAttribute("MarkThreshold", UintegerValue(10 * FRAME_SIZE));
    Send(Ipv4Header::ECN_NotECT);
    EXPECT_EQ(received, 2 * FRAMES);
    EXPECT_EQ(ce, 0U);
    EXPECT_EQ(Counters().dropped, 0U);
}

TEST_F(SwitchMarkingTest, RedMarksSomeAndThenAll)
{
    ethernetSwitch->SetAttribute("Marking", StringValue("red"));
    ethernetSwitch->SetAttribute("RedMinimum", UintegerValue(5 * FRAME_SIZE));
    ethernetSwitch->SetAttribute("RedMaximum", UintegerValue(25 * FRAME_SIZE));
    ethernetSwitch->SetAttribute("RedWeight", DoubleValue(0.5));
    Send(Ipv4Header::ECN_ECT1);
    EXPECT_EQ(received, 2 * FRAMES);
    EXPECT_EQ(Counters().marked, ce);
    EXPECT_GT(ce, 2 * FRAMES - 60U); // the average passes the maximum at about the 53rd
    EXPECT_LT(ce, 2 * FRAMES - 45U);
}

TEST_F(SwitchMarkingTest, RedDropsWhatCannotBeMarked)
{
    ethernetSwitch->SetAttribute("Marking", StringValue("red"));
    ethernetSwitch->SetAttribute("RedMinimum", UintegerValue(5 * FRAME_SIZE));
    ethernetSwitch->SetAttribute("RedMaximum", UintegerValue(25 * FRAME_SIZE));
    ethernetSwitch->SetAttribute("RedWeight", DoubleValue(0.5));
    Send(Ipv4Header::ECN_NotECT);
    EXPECT_EQ(ce, 0U);
    EXPECT_GT(Counters().dropped, 5U);
    EXPECT_EQ(received + Counters().dropped, 2 * FRAMES);
    EXPECT_LT(Counters().queueMost, 30U * FRAME_SIZE);
}

TEST_F(SwitchMarkingTest, FullQueueDrops)
{
    ethernetSwitch->GetPort(2)->SetQueueSize(QueueSize(QueueSizeUnit::BYTES, 8 * FRAME_SIZE));
    Send(Ipv4Header::ECN_ECT0);
    EXPECT_EQ(Counters().queueMost, 8U * FRAME_SIZE);
    EXPECT_EQ(received + Counters().dropped, 2 * FRAMES);
    EXPECT_GT(Counters().dropped, 30U);
}

} // namespace

} // namespace ns3::nfsrdma
