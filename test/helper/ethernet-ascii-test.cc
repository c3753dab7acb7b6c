/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/cluster-helper.h"
#include "helper/frame-text.h"
#include "temporary-file.h"
#include "workload/generate/mix.h"

#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/trace-helper.h"
#include "ns3/uinteger.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

/// A client and a server whose frames are written as lines.
class EthernetAsciiTest : public ::testing::Test
{
  protected:
    void TearDown() override
    {
        m_cluster.reset();
        Simulator::Destroy();
    }

    void Build()
    {
        m_helper.SetSize(1, 1);
        m_helper.SetWorkload([](uint32_t) {
            const auto workload = CreateObject<MixWorkload>();
            workload->SetAttribute("Operations", UintegerValue(50));
            return workload;
        });
        m_cluster = m_helper.Build();
    }

    void Run()
    {
        m_cluster->SetFinishedCallback([] { Simulator::Stop(); });
        m_cluster->Start();
        Simulator::Run();
        ASSERT_TRUE(m_cluster->IsFinished());
    }

    static std::vector<std::string> ReadLines(const std::string& text)
    {
        std::istringstream stream(text);
        std::vector<std::string> lines;
        for (std::string line; std::getline(stream, line);)
        {
            lines.push_back(line);
        }
        return lines;
    }

    static std::map<char, uint64_t> CountEvents(const std::vector<std::string>& lines)
    {
        std::map<char, uint64_t> counts;
        for (const auto& line : lines)
        {
            ++counts[line.at(0)];
        }
        return counts;
    }

    ClusterHelper m_helper;
    std::unique_ptr<Cluster> m_cluster;
};

TEST_F(EthernetAsciiTest, AStreamHasALineForEachFrameOfItsDevices)
{
    Build();
    std::ostringstream text;
    const auto stream = Create<OutputStreamWrapper>(&text);
    const auto& devices = m_cluster->GetNetwork().devices;
    for (const auto& device : devices)
    {
        m_helper.GetNetwork().EnableAscii(stream, device);
    }
    Run();
    const auto lines = ReadLines(text.str());
    auto events = CountEvents(lines);
    uint64_t given = 0;
    for (const auto& device : devices)
    {
        given += device->GetCounters().framesGiven;
    }
    EXPECT_EQ(events['+'], given);
    EXPECT_EQ(events['-'], given);
    EXPECT_GT(events['r'], 100U);
    EXPECT_EQ(events['d'], 0U);
    EXPECT_THAT(lines,
                Each(MatchesRegex("[-+r] [0-9]+\\.[0-9]{9} /NodeList/[0-9]+/DeviceList/[0-9]+/"
                                  "\\$ns3::nfsrdma::EthernetNetDevice/(MacTx|PhyTxBegin|MacRx) "
                                  "ns3::EthernetHeader \\(.*")));
    EXPECT_THAT(lines,
                Contains(AllOf(HasSubstr("ns3::Ipv4Header (tos 0x0"),
                               HasSubstr("ns3::TcpHeader ("),
                               HasSubstr(" > 20049 "),
                               HasSubstr("Payload (size="))));
}

TEST_F(EthernetAsciiTest, AFileIsOfOneDevice)
{
    Build();
    const test::TemporaryFile file;
    m_helper.GetNetwork().EnableAscii(file.GetPath(), m_cluster->GetNetwork().devices[0], true);
    Run();
    Simulator::Destroy();
    std::ifstream stream(file.GetPath());
    std::stringstream text;
    text << stream.rdbuf();
    const auto lines = ReadLines(text.str());
    ASSERT_GT(lines.size(), 100U);
    EXPECT_THAT(lines, Each(MatchesRegex("[-+r] [0-9]+\\.[0-9]{9} ns3::EthernetHeader \\(.*")));
}

TEST(FrameText, OctetsThatAreNoHeadersArePayload)
{
    EXPECT_EQ(DescribeFrame(*Create<Packet>(5)), "Payload (size=5)");
    EXPECT_THAT(DescribeFrame(*Create<Packet>(60)),
                AllOf(HasSubstr("ns3::EthernetHeader ("), HasSubstr("Payload (size=46)")));
}

TEST(FrameText, ATcpHeaderThatIsLongerThanItsSegmentIsPayload)
{
    constexpr uint32_t SEGMENT = 24;
    for (const uint8_t words : {5, 6, 7, 15})
    {
        std::vector<uint8_t> segment(SEGMENT, 0);
        segment[12] = words << 4U;
        const auto frame = Create<Packet>(segment.data(), SEGMENT);
        Ipv4Header network;
        network.SetProtocol(TcpL4Protocol::PROT_NUMBER);
        network.SetPayloadSize(SEGMENT);
        frame->AddHeader(network);
        EthernetHeader link(false);
        link.SetLengthType(Ipv4L3Protocol::PROT_NUMBER);
        frame->AddHeader(link);
        const auto text = DescribeFrame(*frame);
        EXPECT_EQ(text.find("ns3::TcpHeader") != std::string::npos, words * 4U <= SEGMENT) << text;
        if (words * 4U > SEGMENT)
        {
            EXPECT_THAT(text, HasSubstr("Payload (size=24)"));
        }
    }
}

} // namespace
} // namespace ns3::nfsrdma
