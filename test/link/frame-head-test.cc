/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/forwarding-table.h"
#include "link/frame-head.h"
#include "link/tcp-segment.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <random>

namespace ns3::nfsrdma
{

namespace
{

constexpr uint32_t CLIENT = 0x0a4d0002;
constexpr uint32_t SERVER = 0x0a4d0001;

/// Frames of a TCP segment, and what is made of them.
class FrameHeadTest : public ::testing::Test
{
  protected:
    static ByteVector MakeFrame(uint16_t clientPort, uint8_t typeOfService)
    {
        TcpSegment segment;
        segment.ethernet = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x08, 0x00};
        segment.typeOfService = typeOfService;
        segment.source = CLIENT;
        segment.destination = SERVER;
        segment.sourcePort = clientPort;
        segment.destinationPort = 20049;
        segment.payload.assign(100, 0x5a);
        return segment.Encode(true);
    }

    static ByteVector MakeArpRequest(uint32_t target)
    {
        ByteVector frame(42, 0);
        std::fill(frame.begin(), frame.begin() + 6, 0xff);
        frame[12] = 0x08;
        frame[13] = 0x06;
        frame[21] = 1;
        for (int i = 0; i < 4; ++i)
        {
            frame[38 + i] = static_cast<uint8_t>(target >> (24 - 8 * i));
        }
        return frame;
    }

    /// The sum over the IP header, which is 0xffff when its checksum is right.
    static uint32_t SumIpHeader(const ByteVector& frame)
    {
        uint32_t sum = 0;
        for (std::size_t i = 14; i < 34; i += 2)
        {
            sum += static_cast<uint32_t>(frame[i] << 8 | frame[i + 1]);
        }
        return (sum >> 16) + (sum & 0xffff);
    }
};

TEST_F(FrameHeadTest, ReadsAddresses)
{
    const auto frame = MakeFrame(1000, 0);
    EXPECT_EQ(FrameHead::GetDestination(frame), 0x020000000001U);
    EXPECT_EQ(FrameHead::GetSource(frame), 0x020000000002U);
    EXPECT_EQ(FrameHead::GetDestination(ByteVector(11, 1)), 0U);
}

/// As MakeFrame(), over IPv6.
ByteVector
MakeFrameOfIpv6(uint16_t clientPort, uint8_t trafficClass)
{
    TcpSegment segment;
    segment.ethernet = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x86, 0xdd};
    segment.typeOfService = trafficClass;
    segment.flowLabel = 0xfffff;
    segment.source =
        IpAddress(IpAddress::Octets{0xfd, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 1});
    segment.destination =
        IpAddress(IpAddress::Octets{0xfd, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 2});
    segment.sourcePort = clientPort;
    segment.destinationPort = 20049;
    segment.payload.assign(100, 0x5a);
    return segment.Encode(true);
}

TEST_F(FrameHeadTest, ReadsWhoAPacketIsFor)
{
    EXPECT_EQ(FrameHead::GetIpDestination(MakeFrame(1000, 0)), IpAddress(SERVER));
    const auto frame = MakeFrameOfIpv6(1000, 0);
    const auto destination = TcpSegment::Decode(frame)->destination;
    EXPECT_EQ(FrameHead::GetIpDestination(ByteSpan(frame).subspan(0, FrameHead::SIZE)),
              destination);
    EXPECT_FALSE(FrameHead::GetIpDestination(ByteSpan(frame).subspan(0, 53)));
    EXPECT_FALSE(FrameHead::GetIpDestination(MakeArpRequest(SERVER)));
}

TEST_F(FrameHeadTest, MarksIpv6InItsTrafficClassAlone)
{
    for (int octet = 0; octet < 256; ++octet)
    {
        auto frame = MakeFrameOfIpv6(1000, static_cast<uint8_t>(octet));
        EXPECT_EQ(FrameHead::GetEcn(frame), static_cast<EcnCodepoint>(octet & 3));
        ASSERT_TRUE(FrameHead::MarkCongestion(frame));
        EXPECT_EQ(FrameHead::GetEcn(frame), EcnCodepoint::CE);
        EXPECT_EQ(frame, MakeFrameOfIpv6(1000, static_cast<uint8_t>(octet | 3)));
    }
}

TEST_F(FrameHeadTest, HashTellsFlowsOfIpv6Apart)
{
    const auto frame = MakeFrameOfIpv6(1000, 0);
    const auto hash = FrameHead::HashFlow(frame, 1);
    EXPECT_EQ(FrameHead::HashFlow(ByteSpan(frame).subspan(0, FrameHead::SIZE), 1), hash);
    EXPECT_EQ(FrameHead::HashFlow(MakeFrameOfIpv6(1000, 3), 1), hash);
    EXPECT_NE(FrameHead::HashFlow(MakeFrameOfIpv6(1001, 0), 1), hash);
    EXPECT_NE(FrameHead::HashFlow(frame, 2), hash);
    auto other = frame;
    other[53] ^= 1;
    EXPECT_NE(FrameHead::HashFlow(other, 1), hash) << "another host";
}

TEST_F(FrameHeadTest, MarkSetsBothBitsAndKeepsTheChecksumRight)
{
    for (int octet = 0; octet < 256; ++octet)
    {
        auto frame = MakeFrame(1000, static_cast<uint8_t>(octet));
        ASSERT_EQ(SumIpHeader(frame), 0xffffU);
        const auto before = frame;
        ASSERT_TRUE(FrameHead::MarkCongestion(frame));
        EXPECT_EQ(FrameHead::GetEcn(frame), EcnCodepoint::CE);
        EXPECT_EQ(frame[15], before[15] | 3);
        EXPECT_EQ(SumIpHeader(frame), 0xffffU) << octet;
        frame[15] = before[15];
        frame[24] = before[24];
        frame[25] = before[25];
        EXPECT_EQ(frame, before);
    }
}

/// One header of 65536 has it: the identification makes up for all the rest.
TEST_F(FrameHeadTest, MarkKeepsAChecksumRightThatIsZero)
{
    auto frame = MakeFrame(1000, 2);
    frame[18] = 0;
    frame[19] = 0;
    frame[24] = 0;
    frame[25] = 0;
    const auto rest = static_cast<uint16_t>(~SumIpHeader(frame));
    frame[18] = static_cast<uint8_t>(rest >> 8);
    frame[19] = static_cast<uint8_t>(rest);
    ASSERT_EQ(SumIpHeader(frame), 0xffffU);
    ASSERT_TRUE(FrameHead::MarkCongestion(frame));
    EXPECT_EQ(SumIpHeader(frame), 0xffffU);
    EXPECT_NE(frame[24] | frame[25], 0);
}

TEST_F(FrameHeadTest, MarkLeavesAnAbsentChecksumAbsent)
{
    auto frame = MakeFrame(1000, 2);
    frame[24] = 0;
    frame[25] = 0;
    ASSERT_TRUE(FrameHead::MarkCongestion(frame));
    EXPECT_EQ(frame[24] | frame[25], 0);
}

TEST_F(FrameHeadTest, OtherProtocolsHaveNoEcn)
{
    auto arp = MakeArpRequest(SERVER);
    EXPECT_FALSE(FrameHead::GetEcn(arp));
    EXPECT_FALSE(FrameHead::MarkCongestion(arp));
    auto frame = MakeFrame(1000, 2);
    frame.resize(33);
    EXPECT_FALSE(FrameHead::GetEcn(frame));
}

TEST_F(FrameHeadTest, FindsWhoAnArpRequestIsFor)
{
    EXPECT_EQ(FrameHead::GetArpTarget(MakeArpRequest(SERVER)), SERVER);
    auto reply = MakeArpRequest(SERVER);
    reply[21] = 2;
    EXPECT_FALSE(FrameHead::GetArpTarget(reply));
    auto cut = MakeArpRequest(SERVER);
    cut.resize(41);
    EXPECT_FALSE(FrameHead::GetArpTarget(cut));
    EXPECT_FALSE(FrameHead::GetArpTarget(MakeFrame(1000, 0)));
}

TEST_F(FrameHeadTest, HashIsThatOfTheFlow)
{
    const auto frame = MakeFrame(1000, 0);
    auto later = MakeFrame(1000, 3);
    later[40] = 9; // sequence number
    EXPECT_EQ(FrameHead::HashFlow(frame, 1), FrameHead::HashFlow(later, 1));
    const ByteSpan head(frame.data(), FrameHead::SIZE);
    EXPECT_EQ(FrameHead::HashFlow(frame, 1), FrameHead::HashFlow(head, 1));
    EXPECT_NE(FrameHead::HashFlow(frame, 1), FrameHead::HashFlow(MakeFrame(1001, 0), 1));
    EXPECT_NE(FrameHead::HashFlow(frame, 1), FrameHead::HashFlow(frame, 2));
}

TEST_F(FrameHeadTest, FragmentsOfAPacketStayTogether)
{
    auto first = MakeFrame(1000, 0);
    first[20] |= 0x20; // more fragments
    auto second = first;
    second[20] = 0;
    second[21] = 10;
    second[34] = 0x77; // payload where the ports were
    EXPECT_EQ(FrameHead::HashFlow(first, 1), FrameHead::HashFlow(second, 1));
}

TEST_F(FrameHeadTest, HashSpreadsConsecutivePortsEvenly)
{
    constexpr uint32_t PORTS = 4;
    constexpr uint32_t FLOWS = 4096;
    ForwardingTable table;
    table.AddDestination(1, table.AddGroup({0, 1, 2, 3}));
    std::array<uint32_t, PORTS> counts{};
    std::array<uint32_t, PORTS> afterFirst{};
    for (uint32_t flow = 0; flow < FLOWS; ++flow)
    {
        const auto frame = MakeFrame(static_cast<uint16_t>(49152 + flow), 0);
        const uint32_t port = table.Choose(1, FrameHead::HashFlow(frame, 1));
        ++counts.at(port);
        if (port == 0)
        {
            ++afterFirst.at(table.Choose(1, FrameHead::HashFlow(frame, 2)));
        }
    }
    for (uint32_t port = 0; port < PORTS; ++port)
    {
        EXPECT_NEAR(counts.at(port), FLOWS / PORTS, 120);        // four standard deviations
        EXPECT_NEAR(afterFirst.at(port), counts[0] / PORTS, 60); // a second switch is independent
    }
}

TEST_F(FrameHeadTest, TakesAnyOctets)
{
    std::mt19937_64 random(3);
    for (int round = 0; round < 2000; ++round)
    {
        ByteVector frame(random() % 64);
        for (auto& octet : frame)
        {
            octet = static_cast<uint8_t>(random());
        }
        if (frame.size() > 13 && round % 2 == 0)
        {
            frame[12] = 8;
            frame[13] = round % 4 == 0 ? 0 : 6;
        }
        (void)FrameHead::HashFlow(frame, 1);
        (void)FrameHead::GetArpTarget(frame);
        EXPECT_EQ(FrameHead::GetEcn(frame).has_value(), FrameHead::MarkCongestion(frame));
    }
}

TEST(ForwardingTableTest, ChoosesWithinTheGroup)
{
    ForwardingTable table;
    const auto both = table.AddGroup({3, 5});
    EXPECT_EQ(table.AddGroup({3, 5}), both);
    table.AddDestination(10, both);
    table.AddDestination(11, table.AddGroup({7}));
    EXPECT_EQ(table.GetGroupCount(), 2U);
    EXPECT_EQ(table.Choose(10, 0), 3U);
    EXPECT_EQ(table.Choose(10, 0x7fffffff), 3U);
    EXPECT_EQ(table.Choose(10, 0x80000000), 5U);
    EXPECT_EQ(table.Choose(10, 0xffffffff), 5U);
    EXPECT_EQ(table.Choose(11, 0xffffffff), 7U);
    EXPECT_EQ(table.Choose(12, 0), ForwardingTable::NO_PORT);
}

TEST(ForwardingTableTest, TurnsAreOfTheGroup)
{
    ForwardingTable table;
    table.AddDestination(10, table.AddGroup({3, 5, 5}));
    table.AddDestination(11, table.AddGroup({3, 5, 5}));
    table.AddDestination(12, table.AddGroup({7, 8}));
    EXPECT_EQ(table.TakeTurn(10), 3U);
    EXPECT_EQ(table.TakeTurn(11), 5U) << "they share a group";
    EXPECT_EQ(table.TakeTurn(12), 7U);
    EXPECT_EQ(table.TakeTurn(10), 5U);
    EXPECT_EQ(table.TakeTurn(10), 3U);
    EXPECT_EQ(table.TakeTurn(12), 8U);
    EXPECT_EQ(table.TakeTurn(13), ForwardingTable::NO_PORT);
}

TEST(ForwardingTableTest, KnowsNeighbours)
{
    ForwardingTable table;
    table.AddNeighbour(SERVER, 10);
    EXPECT_EQ(table.FindNeighbour(SERVER), 10U);
    EXPECT_EQ(table.FindNeighbour(CLIENT), 0U);
}

} // namespace

} // namespace ns3::nfsrdma
