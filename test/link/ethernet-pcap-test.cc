/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/ethernet-channel.h"
#include "link/ethernet-net-device.h"
#include "link/ethernet-pcap.h"
#include "temporary-file.h"

#include "ns3/node.h"
#include "ns3/pcap-file.h"
#include "ns3/simulator.h"

#include <array>
#include <gtest/gtest.h>
#include <string>

namespace ns3::nfsrdma
{
namespace
{

class EthernetPcapTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        auto channel = CreateObject<EthernetChannel>();
        for (std::size_t i = 0; i < 2; ++i)
        {
            nodes[i] = CreateObject<Node>();
            devices[i] = CreateObject<EthernetNetDevice>();
            devices[i]->SetAddress(
                Mac48Address(i == 0 ? "02:00:00:00:00:01" : "02:00:00:00:00:02"));
            nodes[i]->AddDevice(devices[i]);
            devices[i]->Attach(channel);
        }
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    std::array<Ptr<Node>, 2> nodes;
    std::array<Ptr<EthernetNetDevice>, 2> devices;
    test::TemporaryFile file;
};

TEST_F(EthernetPcapTest, FramesOfBothDirectionsCanBeReadBack)
{
    auto pcap = CreateObject<EthernetPcap>();
    ASSERT_TRUE(pcap->Open(file.GetPath(), devices[0]));
    const std::array<uint8_t, 3> payload{1, 2, 3};
    devices[0]->Send(Create<Packet>(payload.data(), payload.size()),
                     devices[1]->GetAddress(),
                     0x88b5);
    devices[1]->Send(Create<Packet>(1500), devices[0]->GetAddress(), 0x0800);
    Simulator::Run();
    pcap->Close();

    PcapFile reader;
    reader.Open(file.GetPath(), std::ios::in | std::ios::binary);
    ASSERT_FALSE(reader.Fail());
    EXPECT_EQ(reader.GetDataLinkType(), 1U);
    EXPECT_TRUE(reader.IsNanoSecMode());
    std::array<uint8_t, 2000> frame{};
    uint32_t seconds = 0;
    uint32_t nanoseconds = 0;
    uint32_t included = 0;
    uint32_t original = 0;
    uint32_t read = 0;
    reader.Read(frame.data(), frame.size(), seconds, nanoseconds, included, original, read);
    ASSERT_FALSE(reader.Fail());
    EXPECT_EQ(nanoseconds, 0U);
    EXPECT_EQ(original, 17U);
    const std::array<uint8_t, 17> expected{2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x88, 0xb5, 1, 2, 3};
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), frame.begin()));
    reader.Read(frame.data(), frame.size(), seconds, nanoseconds, included, original, read);
    ASSERT_FALSE(reader.Fail());
    EXPECT_EQ(nanoseconds, 122U + 50U);
    EXPECT_EQ(original, 1514U);
    EXPECT_EQ(frame[12], 0x08);
}

TEST_F(EthernetPcapTest, UnwritableFileIsReported)
{
    auto pcap = CreateObject<EthernetPcap>();
    EXPECT_FALSE(pcap->Open("/nowhere/at/all.pcap", devices[0]));
}

} // namespace
} // namespace ns3::nfsrdma
