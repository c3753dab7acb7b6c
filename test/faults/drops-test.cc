/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fault-test.h"
#include "helper/drop-watch.h"
#include "helper/ethernet-network-helper.h"
#include "link/arp-queue.h"
#include "link/tcp-segment.h"
#include "mpa/internet-address.h"

#include "ns3/arp-header.h"
#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/ethernet-header.h"
#include "ns3/global-value.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/ipv6-route.h"
#include "ns3/node-container.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"

#include <gmock/gmock.h>
#include <map>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::Gt;
using ::testing::HasSubstr;

/// Every frame and packet that is dropped is counted at its place, by host, and nothing else is.
class DropPlaces : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
        m_hosts.Create(2);
    }

    void TearDown() override
    {
        m_watch.reset();
        m_network = EthernetNetwork();
        m_hosts = NodeContainer();
        Simulator::Destroy();
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
    }

    void Install(const EthernetNetworkHelper& helper)
    {
        m_network = helper.Install(m_hosts);
        m_watch = std::make_unique<DropWatch>(m_network);
    }

    /// \return a segment from host 0 to host 1 that nobody waits for.
    [[nodiscard]] TcpSegment MakeSegment() const
    {
        TcpSegment segment;
        EthernetHeader header(false);
        header.SetSource(Mac48Address::ConvertFrom(m_network.devices[0]->GetAddress()));
        header.SetDestination(Mac48Address::ConvertFrom(m_network.devices[1]->GetAddress()));
        header.SetLengthType(Ipv4L3Protocol::PROT_NUMBER);
        const auto packet = Create<Packet>();
        packet->AddHeader(header);
        packet->CopyData(segment.ethernet.data(), TcpSegment::ETHERNET_SIZE);
        segment.source = m_network.addresses[0];
        segment.destination = m_network.addresses[1];
        segment.sourcePort = 1000;
        segment.destinationPort = 2000;
        segment.flags = TcpSegment::RST;
        segment.payload = ByteVector(100, 7);
        return segment;
    }

    /// Host 1 receives \p octets as a frame.
    void Receive(const ByteVector& octets) const
    {
        m_network.devices[1]->Receive(
            Create<Packet>(octets.data(), static_cast<uint32_t>(octets.size())));
    }

    /// Host 0 sends \p octets to \p address.
    void Send(Ipv4Address address, uint32_t octets) const
    {
        constexpr uint8_t UDP = 17;
        m_hosts.Get(0)->GetObject<Ipv4L3Protocol>()->Send(
            Create<Packet>(octets),
            Ipv4Address(m_network.addresses[0].GetIpv4()),
            address,
            UDP,
            nullptr);
    }

    /// Expects that \p places, and no others, have counted, all of them in \p host or the network.
    void ExpectDrops(const std::map<std::string, uint64_t>& places,
                     std::optional<std::size_t> host) const
    {
        std::map<std::string, uint64_t> found;
        for (const auto& [place, count] : m_watch->GetCounts(m_network))
        {
            if (count > 0)
            {
                found[place] = count;
            }
        }
        EXPECT_EQ(found, places);
        for (std::size_t i = 0; i < m_network.devices.size(); ++i)
        {
            const auto counts = m_watch->GetHostCounts(i);
            const std::map<std::string, uint64_t> own(counts.begin(), counts.end());
            EXPECT_EQ(own, host == i ? places : (std::map<std::string, uint64_t>())) << i;
        }
    }

    static constexpr std::size_t IP_TTL = TcpSegment::ETHERNET_SIZE + 8;
    static constexpr std::size_t IP_FRAGMENT = TcpSegment::ETHERNET_SIZE + 6;

    NodeContainer m_hosts;
    EthernetNetwork m_network;
    std::unique_ptr<DropWatch> m_watch;
};

TEST_F(DropPlaces, ASegmentThatIsRightIsNotDropped)
{
    Install(EthernetNetworkHelper());
    Receive(MakeSegment().Encode(true));
    Simulator::Run();
    ExpectDrops({}, {});
}

TEST_F(DropPlaces, ChecksumsOfTcpAndIpv4)
{
    Install(EthernetNetworkHelper());
    auto frame = MakeSegment().Encode(true);
    frame.back() ^= 1;
    Receive(frame);
    Receive(frame);
    ExpectDrops({{"tcp-checksum", 2}}, 1);
    frame = MakeSegment().Encode(true);
    frame[IP_TTL] ^= 1;
    Receive(frame);
    ExpectDrops({{"ipv4-checksum", 1}, {"tcp-checksum", 2}}, 1);
}

TEST_F(DropPlaces, FragmentsWhoseOthersNeverCame)
{
    Install(EthernetNetworkHelper());
    auto segment = MakeSegment();
    segment.fragmentFlags = 0x2000;
    Receive(segment.Encode(true));
    Simulator::Run();
    ExpectDrops({{"ipv4-fragments", 1}}, 1);
}

TEST_F(DropPlaces, PacketsWithoutARoute)
{
    Install(EthernetNetworkHelper());
    auto segment = MakeSegment();
    segment.destination = *IpAddress::Parse("192.0.2.1");
    Receive(segment.Encode(true));
    ExpectDrops({{"ipv4", 1}}, 1);
}

TEST_F(DropPlaces, QueueForAnArpAnswerAndItsTimeout)
{
    EthernetNetworkHelper helper;
    helper.SetArpQueue(4);
    Install(helper);
    const Ipv4Address nobody(m_network.addresses[1].GetIpv4() + 7);
    for (int i = 0; i < 6; ++i)
    {
        Send(nobody, 100);
    }
    ExpectDrops({{"arp-queue", 2}}, 0);
    Simulator::Stop(Seconds(30));
    Simulator::Run();
    ExpectDrops({{"arp-queue", 2}, {"arp-timeout", 4}}, 0);
    // It is asked for anew.
    Send(nobody, 100);
    ExpectDrops({{"arp-queue", 2}, {"arp-timeout", 4}}, 0);
    Simulator::Stop(Seconds(30));
    Simulator::Run();
    ExpectDrops({{"arp-queue", 2}, {"arp-timeout", 5}}, 0);
}

TEST_F(DropPlaces, AFullQueueForAnArpAnswerLosesTheOldest)
{
    EthernetNetworkHelper helper;
    helper.SetArpQueue(4);
    Install(helper);
    constexpr uint32_t HEADERS = 34;
    constexpr uint32_t FIRST = 100;
    std::vector<uint32_t> came;
    m_network.devices[1]->TraceConnectWithoutContext(
        "MacRx",
        Callback<void, Ptr<const Packet>>([&came](Ptr<const Packet> frame) {
            if (frame->GetSize() >= HEADERS + FIRST)
            {
                came.push_back(frame->GetSize() - HEADERS - FIRST);
            }
        }));
    for (uint32_t i = 0; i < 7; ++i)
    {
        Send(Ipv4Address(m_network.addresses[1].GetIpv4()), FIRST + i);
    }
    Simulator::Run();
    EXPECT_THAT(came, testing::ElementsAre(3, 4, 5, 6));
    EXPECT_EQ(m_hosts.Get(0)->GetObject<ArpQueue>()->GetDiscarded(), 3U);
    ExpectDrops({{"arp-queue", 3}}, 0);
}

TEST_F(DropPlaces, QueueForANeighbourAdvertisementAndItsTimeout)
{
    EthernetNetworkHelper helper;
    helper.SetIpv6(true);
    helper.SetArpQueue(4);
    Install(helper);
    const auto send = [this] {
        constexpr uint8_t UDP = 17;
        m_hosts.Get(0)->GetObject<Ipv6L3Protocol>()->Send(Create<Packet>(100),
                                                          ToIpv6Address(m_network.addresses[0]),
                                                          Ipv6Address("fd00:0:0:77::9"),
                                                          UDP,
                                                          nullptr);
    };
    for (int i = 0; i < 6; ++i)
    {
        send();
    }
    ExpectDrops({{"arp-queue", 2}}, 0);
    Simulator::Stop(Seconds(30));
    Simulator::Run();
    ExpectDrops({{"arp-queue", 2}, {"arp-timeout", 4}}, 0);
    send();
    ExpectDrops({{"arp-queue", 2}, {"arp-timeout", 4}}, 0);
    Simulator::Stop(Seconds(30));
    Simulator::Run();
    ExpectDrops({{"arp-queue", 2}, {"arp-timeout", 5}}, 0);
}

TEST_F(DropPlaces, ArpAnswersThatNobodyWaitsFor)
{
    Install(EthernetNetworkHelper());
    ArpHeader arp;
    arp.SetReply(m_network.devices[0]->GetAddress(),
                 Ipv4Address(m_network.addresses[0].GetIpv4()),
                 m_network.devices[1]->GetAddress(),
                 Ipv4Address(m_network.addresses[1].GetIpv4()));
    const auto packet = Create<Packet>();
    packet->AddHeader(arp);
    m_network.devices[0]->Send(packet, m_network.devices[1]->GetAddress(), 0x0806);
    Simulator::Run();
    ExpectDrops({{"arp-unasked", 1}}, 1);
}

TEST_F(DropPlaces, PortsOfHosts)
{
    Install(EthernetNetworkHelper());
    m_network.devices[1]->SetDead(true);
    Receive(MakeSegment().Encode(true));
    ExpectDrops({{"host-receive", 1}}, 1);
    const auto frame = MakeSegment().Encode(true);
    m_network.devices[1]->SendFrame(
        Create<Packet>(frame.data(), static_cast<uint32_t>(frame.size())));
    ExpectDrops({{"host-receive", 1}, {"host-transmit", 1}}, 1);
}

/// What host 0 sends at once, a queue of a frame or two in the network does not hold.
class DropQueues : public DropPlaces
{
  protected:
    void Burst() const
    {
        const auto frame = MakeSegment().Encode(true);
        for (int i = 0; i < 20; ++i)
        {
            m_network.devices[0]->SendFrame(
                Create<Packet>(frame.data(), static_cast<uint32_t>(frame.size())));
        }
        Simulator::Run();
    }

    [[nodiscard]] uint64_t GetCount(const std::string& place) const
    {
        const auto counts = m_watch->GetCounts(m_network);
        return std::map<std::string, uint64_t>(counts.begin(), counts.end()).at(place);
    }
};

TEST_F(DropQueues, OfAHost)
{
    EthernetNetworkHelper helper;
    helper.SetQueueSizes(1024, 1 << 20);
    Install(helper);
    Burst();
    EXPECT_THAT(GetCount("host-transmit"), Gt(5U));
    ExpectDrops({{"host-transmit", GetCount("host-transmit")}}, 0);
}

TEST_F(DropQueues, OfASwitch)
{
    EthernetNetworkHelper helper;
    helper.SetQueueSizes(1 << 20, 1024);
    LinkTraits slow;
    slow.rate = 1'000'000'000;
    helper.SetHostLink(1, slow);
    Install(helper);
    Burst();
    EXPECT_THAT(GetCount("switch"), Gt(5U));
    ExpectDrops({{"switch", GetCount("switch")}}, {});
}

TEST_F(DropQueues, OfAMiddlebox)
{
    EthernetNetworkHelper helper;
    helper.SetQueueSizes(1 << 20, 1 << 20);
    helper.AddMiddleboxes();
    helper.SetMiddleboxHosts({1});
    Install(helper);
    const auto port = m_network.middleboxes[1]->GetPort(0);
    port->SetDataRate(DataRate("1Gbps"));
    port->SetQueueSize(QueueSize("1024B"));
    Burst();
    EXPECT_THAT(GetCount("middlebox"), Gt(5U));
    ExpectDrops({{"middlebox", GetCount("middlebox")}}, {});
}

class DropReport : public FaultTest
{
};

TEST_F(DropReport, SegmentsWithBadFpdusAreCountedByHost)
{
    const std::string scenario =
        "[cluster]\nclients = 2\nstall_limit = 200s\n[rnic]\nmpa_drop_bad_segments = true\n"
        "[middlebox]\nat = servers\ncorrupt = 0.02\n[workload]\nkind = mix\noperations = 100\n";
    const auto run = RunText(scenario);
    ASSERT_EQ(run.status, 0) << run.errors << run.output;
    EXPECT_THAT(run.output, HasSubstr("tcp-fpdu "));
    const auto summary = Summary();
    uint64_t sum = 0;
    for (const auto& [host, places] : summary["drops_by_host"].items())
    {
        sum += places.value("tcp-fpdu", 0);
    }
    EXPECT_THAT(sum, Gt(0U));
    EXPECT_EQ(summary["drops"]["tcp-fpdu"], sum);
    EXPECT_EQ(summary["drops"]["tcp-checksum"], 0);
}

} // namespace

} // namespace ns3::nfsrdma
