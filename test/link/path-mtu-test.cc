/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/frame-head.h"
#include "link/path-mtu.h"
#include "link/tcp-segment.h"
#include "wire/internet-checksum.h"

#include "ns3/icmpv4.h"
#include "ns3/icmpv6-header.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"
#include "ns3/packet.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

constexpr std::size_t ETHERNET = TcpSegment::ETHERNET_SIZE;

TcpSegment
Segment(std::size_t payload, bool dontFragment)
{
    TcpSegment segment;
    segment.ethernet = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x08, 0x00};
    segment.source = 0x0a000001;
    segment.destination = 0x0a000002;
    segment.sourcePort = 49153;
    segment.destinationPort = 20049;
    segment.sequence = 0x01020304;
    segment.fragmentFlags = dontFragment ? TcpSegment::DONT_FRAGMENT : 0;
    for (std::size_t i = 0; i < payload; ++i)
    {
        segment.payload.push_back(static_cast<uint8_t>(i));
    }
    return segment;
}

Ipv4Header
PeekIp(const ByteVector& frame)
{
    const auto packet = Create<Packet>(frame.data() + ETHERNET, frame.size() - ETHERNET);
    Ipv4Header header;
    header.EnableChecksum();
    packet->PeekHeader(header);
    return header;
}

TEST(PathMtuTest, JudgesBySizeAndDontFragment)
{
    using Verdict = PathMtu::Verdict;
    EXPECT_EQ(PathMtu::Judge(Segment(536, true).Encode(true), 576), Verdict::FITS);
    EXPECT_EQ(PathMtu::Judge(Segment(537, true).Encode(true), 576), Verdict::REFUSE);
    EXPECT_EQ(PathMtu::Judge(Segment(537, false).Encode(true), 576), Verdict::FRAGMENT);
    auto withOptions = Segment(537, false);
    withOptions.ipOptions = {0x94, 4, 0, 0};
    EXPECT_EQ(PathMtu::Judge(withOptions.Encode(true), 576), Verdict::DROP);
    auto arp = Segment(537, true).Encode(true);
    arp[13] = 6;
    EXPECT_EQ(PathMtu::Judge(arp, 576), Verdict::FITS);
    auto icmp = Segment(537, true).Encode(true);
    icmp[23] = 1;
    icmp[34] = 3;
    EXPECT_EQ(PathMtu::Judge(icmp, 576), Verdict::DROP);
    icmp[34] = 8;
    EXPECT_EQ(PathMtu::Judge(icmp, 576), Verdict::REFUSE);
}

TEST(PathMtuTest, TellsTheSenderTheNextHopMtu)
{
    const auto segment = Segment(1000, true);
    const auto frame = segment.Encode(true);
    const auto message = PathMtu::TellTooLarge(frame, 576, true);
    ASSERT_EQ(message.size(), ETHERNET + 56);
    EXPECT_EQ(message[0], frame[6]);
    EXPECT_EQ(message[5], frame[11]);
    EXPECT_EQ(message[11], frame[5]);

    const auto packet = Create<Packet>(message.data() + ETHERNET, message.size() - ETHERNET);
    Ipv4Header ip;
    ip.EnableChecksum();
    packet->RemoveHeader(ip);
    EXPECT_TRUE(ip.IsChecksumOk());
    EXPECT_EQ(ip.GetSource(), Ipv4Address("10.0.0.2"));
    EXPECT_EQ(ip.GetDestination(), Ipv4Address("10.0.0.1"));
    EXPECT_EQ(ip.GetProtocol(), 1);
    Icmpv4Header icmp;
    packet->RemoveHeader(icmp);
    EXPECT_EQ(icmp.GetType(), Icmpv4Header::ICMPV4_DEST_UNREACH);
    EXPECT_EQ(icmp.GetCode(), Icmpv4DestinationUnreachable::ICMPV4_FRAG_NEEDED);
    Icmpv4DestinationUnreachable unreachable;
    packet->RemoveHeader(unreachable);
    EXPECT_EQ(unreachable.GetNextHopMtu(), 576);
    EXPECT_EQ(unreachable.GetHeader().GetSource(), Ipv4Address("10.0.0.1"));
    std::array<uint8_t, 8> quoted{};
    unreachable.GetData(quoted.data());
    EXPECT_TRUE(std::equal(quoted.begin(), quoted.end(), frame.begin() + ETHERNET + 20));
}

TcpSegment
SegmentOfIpv6(std::size_t payload)
{
    auto segment = Segment(payload, false);
    segment.ethernet[12] = 0x86;
    segment.ethernet[13] = 0xdd;
    segment.source =
        IpAddress(IpAddress::Octets{0xfd, 0, 0, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
    segment.destination =
        IpAddress(IpAddress::Octets{0xfd, 0, 0, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2});
    return segment;
}

TEST(PathMtuTest, NoRouterFragmentsIpv6)
{
    using Verdict = PathMtu::Verdict;
    EXPECT_EQ(PathMtu::Judge(SegmentOfIpv6(1220).Encode(true), 1280), Verdict::FITS);
    EXPECT_EQ(PathMtu::Judge(SegmentOfIpv6(1221).Encode(true), 1280), Verdict::REFUSE);
    auto icmp = SegmentOfIpv6(1221).Encode(true);
    icmp[20] = 58;
    icmp[54] = 2;
    EXPECT_EQ(PathMtu::Judge(icmp, 1280), Verdict::DROP);
    icmp[54] = 128;
    EXPECT_EQ(PathMtu::Judge(icmp, 1280), Verdict::REFUSE);
}

TEST(PathMtuTest, TellsTheSenderOfIpv6ThatThePacketIsTooBig)
{
    const auto segment = SegmentOfIpv6(8000);
    const auto frame = segment.Encode(true);
    const auto message = PathMtu::TellTooLarge(frame, 1400, true);
    ASSERT_EQ(message.size(), ETHERNET + 1280);
    EXPECT_EQ(message[5], frame[11]);
    EXPECT_EQ(message[11], frame[5]);
    EXPECT_EQ(FrameHead::GetIpDestination(message), segment.source);

    const auto packet = Create<Packet>(message.data() + ETHERNET, message.size() - ETHERNET);
    Ipv6Header ip;
    packet->RemoveHeader(ip);
    EXPECT_EQ(ip.GetSource(), Ipv6Address("fd00:77::2"));
    EXPECT_EQ(ip.GetNextHeader(), 58);
    EXPECT_EQ(ip.GetPayloadLength(), 1240);
    InternetChecksum sum;
    sum.Add(ByteSpan(message).subspan(ETHERNET + 8, 32));
    sum.AddU16(1240);
    sum.AddU16(58);
    sum.Add(ByteSpan(message).subspan(ETHERNET + 40));
    EXPECT_EQ(sum.Finish(), 0);
    Icmpv6TooBig tooBig;
    packet->RemoveHeader(tooBig);
    EXPECT_EQ(tooBig.GetMtu(), 1400U);
    const auto quoted = ByteSpan(message).subspan(ETHERNET + 48);
    EXPECT_TRUE(std::equal(quoted.begin(), quoted.end(), frame.begin() + ETHERNET));
}

TEST(PathMtuTest, FragmentsPutTogetherAreThePacket)
{
    const auto frame = Segment(1001, false).Encode(true);
    const auto fragments = PathMtu::Fragment(frame, 300, true);
    ASSERT_EQ(fragments.size(), 4U);
    ByteVector together(frame.begin(), frame.begin() + ETHERNET + 20);
    for (std::size_t i = 0; i < fragments.size(); ++i)
    {
        EXPECT_LE(fragments[i].size(), ETHERNET + 300);
        const auto ip = PeekIp(fragments[i]);
        EXPECT_TRUE(ip.IsChecksumOk());
        EXPECT_EQ(ip.IsLastFragment(), i + 1 == fragments.size());
        EXPECT_EQ(ip.GetFragmentOffset(), together.size() - ETHERNET - 20);
        EXPECT_EQ(ip.GetPayloadSize(), fragments[i].size() - ETHERNET - 20);
        together.insert(together.end(), fragments[i].begin() + ETHERNET + 20, fragments[i].end());
    }
    EXPECT_EQ(together, frame);
}

TEST(PathMtuTest, FragmentsOfAFragmentKeepItsPlace)
{
    const auto fragments = PathMtu::Fragment(Segment(1000, false).Encode(true), 600, true);
    ASSERT_EQ(fragments.size(), 2U);
    const auto again = PathMtu::Fragment(fragments[1], 300, true);
    ASSERT_EQ(again.size(), 2U);
    EXPECT_EQ(PeekIp(again[0]).GetFragmentOffset(), 576);
    EXPECT_FALSE(PeekIp(again[0]).IsLastFragment());
    EXPECT_EQ(PeekIp(again[1]).GetFragmentOffset(), 576 + 280);
    EXPECT_TRUE(PeekIp(again[1]).IsLastFragment());
    const auto first = PathMtu::Fragment(fragments[0], 300, true);
    EXPECT_FALSE(PeekIp(first.back()).IsLastFragment());
}

} // namespace
} // namespace ns3::nfsrdma
