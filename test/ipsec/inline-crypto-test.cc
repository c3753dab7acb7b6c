/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ipsec/inline-crypto.h"
#include "link/ethernet-channel.h"
#include "link/ethernet-net-device.h"
#include "link/ipv4-frame-head.h"
#include "link/ipv6-frame-head.h"
#include "wire/internet-checksum.h"

#include "ns3/data-rate.h"
#include "ns3/enum.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <array>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

ByteVector
OctetsOf(const Ptr<const Packet>& packet)
{
    ByteVector octets(packet->GetSize());
    packet->CopyData(octets.data(), packet->GetSize());
    return octets;
}

Ptr<Packet>
ToPacket(const ByteVector& octets)
{
    return Create<Packet>(octets.data(), static_cast<uint32_t>(octets.size()));
}

/// Two hosts on a cable, of which a third address and no key are known: what each host gets, and
/// what is on the cable.
class InlineCryptoTest : public ::testing::TestWithParam<IpsecSettings::Mode>
{
  protected:
    static constexpr uint32_t LEFT = 0x0a4d0001;
    static constexpr uint32_t RIGHT = 0x0a4d0002;
    static constexpr uint32_t STRANGER = 0x0a4d0009;
    static constexpr uint16_t WIRE_MTU = 1500;

    void SetUp() override
    {
        const auto channel = CreateObject<EthernetChannel>();
        auto peers = std::make_shared<IpsecPeers>();
        for (uint32_t host = 0; host < 2; ++host)
        {
            peers->emplace(IpAddress(LEFT + host), host);
            peers->emplace(IpAddress(MakeIpv6(host)), host);
            nodes[host] = CreateObject<Node>();
            devices[host] = CreateObject<EthernetNetDevice>();
            devices[host]->SetAddress(
                Mac48Address(host == 0 ? "02:00:00:00:00:01" : "02:00:00:00:00:02"));
            devices[host]->SetMtu(WIRE_MTU);
            nodes[host]->AddDevice(devices[host]);
            devices[host]->Attach(channel);
            devices[host]->SetSteeringCallback(
                MakeCallback(host == 0 ? &InlineCryptoTest::TakeLeft : &InlineCryptoTest::TakeRight,
                             this));
        }
        devices[0]->SetCableCallbacks(MakeCallback(&InlineCryptoTest::OnCable, this),
                                      EthernetNetDevice::ArrivingCallback());
        for (uint32_t host = 0; host < 2; ++host)
        {
            cryptos[host] = CreateObject<InlineCrypto>();
            cryptos[host]->SetAttribute("Mode", EnumValue(GetParam()));
            cryptos[host]->SetPolicy(host, peers, 1);
            devices[host]->SetFrameStage(cryptos[host]);
            cryptos[host]->TraceConnectWithoutContext(
                "Discarded",
                MakeCallback(&InlineCryptoTest::OnDiscard, this));
        }
    }

    void TearDown() override
    {
        Simulator::Destroy();
    }

    static IpAddress::Octets MakeIpv6(uint32_t host)
    {
        IpAddress::Octets octets{0xfd};
        octets.back() = static_cast<uint8_t>(1 + host);
        return octets;
    }

    /// \return a frame from the left host to the right one, or from \p source.
    static ByteVector MakeFrame(std::size_t payload, uint32_t source = LEFT, uint8_t ecn = 2)
    {
        Ipv4FrameHead head;
        head.hardwareDestination = {2, 0, 0, 0, 0, 2};
        head.hardwareSource = {2, 0, 0, 0, 0, 1};
        head.typeOfService = ecn;
        head.totalLength = static_cast<uint16_t>(Ipv4FrameHead::IPV4_SIZE + payload);
        head.fragmentFlags = Ipv4FrameHead::DONT_FRAGMENT;
        head.timeToLive = 64;
        head.protocol = IP_PROTOCOL_TCP;
        head.source = source;
        head.destination = RIGHT;
        head.checksum = head.ComputeChecksum();
        ByteVector frame(Ipv4FrameHead::SIZE + payload, 0xab);
        head.Encode(frame);
        return frame;
    }

    static ByteVector MakeIpv6Frame(std::size_t payload, uint8_t nextHeader = IP_PROTOCOL_TCP)
    {
        Ipv6FrameHead head;
        head.hardwareDestination = {2, 0, 0, 0, 0, 2};
        head.hardwareSource = {2, 0, 0, 0, 0, 1};
        head.payloadLength = static_cast<uint16_t>(payload);
        head.nextHeader = nextHeader;
        head.hopLimit = 255;
        head.source = IpAddress(MakeIpv6(0));
        head.destination = IpAddress(MakeIpv6(1));
        ByteVector frame(Ipv6FrameHead::SIZE + payload, 135);
        head.Encode(frame);
        return frame;
    }

    void Send(const ByteVector& frame)
    {
        std::ignore = devices[0]->SendFrame(ToPacket(frame));
        Simulator::Run();
    }

    /// What somebody in the cable puts before the right host.
    void Inject(const ByteVector& frame)
    {
        devices[1]->TakeFromCable(ToPacket(frame));
        Simulator::Run();
    }

    bool TakeLeft(Ptr<Packet> frame)
    {
        got[0].push_back(OctetsOf(frame));
        return true;
    }

    bool TakeRight(Ptr<Packet> frame)
    {
        got[1].push_back(OctetsOf(frame));
        arrived = Simulator::Now();
        return true;
    }

    void OnCable(Ptr<Packet> frame, Time lastOctet)
    {
        cable.push_back(OctetsOf(frame));
        if (passes)
        {
            devices[0]->PutOnCable(frame, lastOctet);
        }
    }

    void OnDiscard(IpsecDiscard reason)
    {
        discards.push_back(reason);
    }

    std::array<Ptr<Node>, 2> nodes;
    std::array<Ptr<EthernetNetDevice>, 2> devices;
    std::array<Ptr<InlineCrypto>, 2> cryptos;
    std::array<std::vector<ByteVector>, 2> got;
    std::vector<ByteVector> cable;
    std::vector<IpsecDiscard> discards;
    bool passes{true};
    Time arrived;
};

TEST_P(InlineCryptoTest, WhatIsSentArrivesAndTheCableDoesNotShowIt)
{
    for (const auto& frame : {MakeFrame(8), MakeFrame(9), MakeFrame(1000), MakeIpv6Frame(77)})
    {
        Send(frame);
        ASSERT_FALSE(got[1].empty());
        EXPECT_EQ(got[1].back(), frame);
        const auto& seen = cable.back();
        const auto packet = IpPacket::Read(ByteSpan(seen).subspan(14));
        ASSERT_TRUE(packet.has_value());
        EXPECT_EQ(packet->protocol, IpPacket::ESP);
        const ByteVector payload(frame.end() - 8, frame.end());
        EXPECT_EQ(std::search(seen.begin(), seen.end(), payload.begin(), payload.end()),
                  seen.end());
    }
    EXPECT_EQ(cryptos[0]->GetCounters().protectedPackets, 4U);
    EXPECT_EQ(cryptos[1]->GetCounters().openedPackets, 4U);
    EXPECT_EQ(cryptos[0]->GetCounters().protectedOctets, 28U + 29 + 1020 + 117);
    EXPECT_EQ(cryptos[1]->GetCounters().openedOctets, 28U + 29 + 1020 + 117);
    EXPECT_TRUE(discards.empty());
}

/// Each of the 65,536 identifications, so that each checksum is met, 0 too, on either header.
TEST_P(InlineCryptoTest, ChecksumsAreRightAndThoseThatAreNotMadeStayZero)
{
    const auto isRight = [](ByteSpan frame) {
        InternetChecksum sum;
        sum.Add(frame.subspan(14, 20));
        return sum.Finish() == 0;
    };
    auto frame = MakeFrame(8);
    for (unsigned identification = 0; identification < 65536; ++identification)
    {
        frame[18] = static_cast<uint8_t>(identification >> 8);
        frame[19] = static_cast<uint8_t>(identification);
        frame[24] = 0;
        frame[25] = 0;
        InternetChecksum sum;
        sum.Add(ByteSpan(frame).subspan(14, 20));
        frame[24] = static_cast<uint8_t>(sum.Finish() >> 8);
        frame[25] = static_cast<uint8_t>(sum.Finish());
        Send(frame);
        ASSERT_TRUE(isRight(cable.back())) << identification;
        ASSERT_EQ(got[1].back(), frame) << identification;
        cable.clear();
    }
    frame = MakeFrame(8);
    frame[24] = 0;
    frame[25] = 0;
    Send(frame);
    EXPECT_EQ(cable.back()[24] + cable.back()[25], 0);
    EXPECT_EQ(got[1].back(), frame);
}

TEST_P(InlineCryptoTest, TheLargestPacketFillsTheWireAndNoneGoesBeyond)
{
    for (const uint16_t wire : {1280, 1500, 1501, 1502, 1503, 9000})
    {
        devices[0]->SetMtu(wire);
        devices[1]->SetMtu(wire);
        const std::size_t most = devices[0]->GetMtu();
        Send(MakeIpv6Frame(most - 40));
        ASSERT_FALSE(cable.empty());
        EXPECT_LE(cable.back().size(), 14U + wire);
        EXPECT_GT(cable.back().size() + 4, 14U + wire) << "a word more would not fit";
        EXPECT_EQ(got[1].back().size(), most + 14);
        const auto before = cable.size();
        Send(MakeIpv6Frame(most - 39));
        EXPECT_EQ(cable.size(), before) << wire;
    }
}

TEST_P(InlineCryptoTest, WhoHasNoPolicyIsServedInClear)
{
    Inject(MakeFrame(100, STRANGER));
    ASSERT_EQ(got[1].size(), 1U);
    EXPECT_EQ(got[1][0], MakeFrame(100, STRANGER));
    auto arp = MakeFrame(28);
    arp[12] = 0x08;
    arp[13] = 0x06;
    Send(arp);
    EXPECT_EQ(cable.back(), arp);
    const auto discovery = MakeIpv6Frame(24, IpPacket::ICMPV6);
    Send(discovery);
    EXPECT_EQ(cable.back(), discovery);
    EXPECT_EQ(got[1].size(), 3U);
    EXPECT_TRUE(discards.empty());
}

TEST_P(InlineCryptoTest, WhatShouldBeProtectedAndIsNotIsDropped)
{
    Inject(MakeFrame(100));
    EXPECT_TRUE(got[1].empty());
    EXPECT_EQ(discards, (std::vector{IpsecDiscard::UNPROTECTED}));
}

TEST_P(InlineCryptoTest, AnAdversaryInTheCableGetsNothingThrough)
{
    passes = false;
    Send(MakeFrame(200));
    Send(MakeFrame(201));
    const auto genuine = cable.at(0);
    auto changed = cable.at(1);
    changed.back() ^= 1;
    Inject(changed);
    EXPECT_EQ(discards.back(), IpsecDiscard::INTEGRITY);
    Inject(genuine);
    ASSERT_EQ(got[1].size(), 1U);
    Inject(genuine);
    EXPECT_EQ(discards.back(), IpsecDiscard::REPLAYED);
    const std::size_t spiAt = 14 + IpPacket::Read(ByteSpan(genuine).subspan(14))->headerSize;
    auto other = cable.at(1);
    other[spiAt + 1] += 7;
    Inject(other);
    EXPECT_EQ(discards.back(), IpsecDiscard::NO_ASSOCIATION);
    auto cut = MakeFrame(20);
    cut[14 + 9] = IpPacket::ESP;
    Inject(cut);
    EXPECT_EQ(discards.back(), IpsecDiscard::MALFORMED);
    EXPECT_EQ(discards.size(), 4U);
    EXPECT_EQ(got[1].size(), 1U);
    Inject(cable.at(1));
    EXPECT_EQ(got[1].size(), 2U) << "nothing of that has harmed what is genuine";
}

TEST_P(InlineCryptoTest, TheMarkOfCongestionComesThrough)
{
    passes = false;
    Send(MakeFrame(64));
    Send(MakeFrame(64, LEFT, 0));
    for (auto& frame : cable)
    {
        frame[15] |= 3;
        Inject(frame);
    }
    ASSERT_FALSE(got[1].empty());
    EXPECT_EQ(got[1][0][15] & 3, 3);
    const bool isTunnel = GetParam() == IpsecSettings::TUNNEL;
    EXPECT_EQ(got[1].size(), isTunnel ? 1U : 2U)
        << "who knows no ECN gets no mark out of a tunnel (RFC 6040)";
}

TEST_P(InlineCryptoTest, KeysChangeWithoutLoss)
{
    for (const auto& crypto : cryptos)
    {
        crypto->SetAttribute("RekeyPackets", UintegerValue(5));
    }
    for (int i = 0; i < 30; ++i)
    {
        Send(MakeFrame(100));
    }
    EXPECT_EQ(got[1].size(), 30U);
    EXPECT_EQ(cryptos[0]->GetCounters().rekeys, 5U);
    EXPECT_EQ(cryptos[1]->GetCounters().rekeysReceiving, 5U);
    const auto keys = cryptos[0]->ListKeys();
    ASSERT_EQ(keys.size(), 6U);
    EXPECT_EQ(keys[5].spi, keys[0].spi + 5);
    EXPECT_EQ(keys[0].source, IpAddress(LEFT));
    EXPECT_EQ(keys[0].destination, IpAddress(RIGHT));
    EXPECT_NE(keys[0].key.key, keys[1].key.key);
}

TEST_P(InlineCryptoTest, TheWindowAndTheOverlapAreAsSet)
{
    passes = false;
    cryptos[0]->SetAttribute("RekeyPackets", UintegerValue(4));
    cryptos[1]->SetAttribute("ReplayWindow", UintegerValue(2));
    cryptos[1]->SetAttribute("RekeyOverlap", TimeValue(MicroSeconds(10)));
    for (int i = 0; i < 5; ++i)
    {
        Send(MakeFrame(100));
    }
    Inject(cable.at(2));
    Inject(cable.at(1));
    Inject(cable.at(0));
    EXPECT_EQ(discards, (std::vector{IpsecDiscard::REPLAYED}))
        << "the third back, in a window of 2";
    Inject(cable.at(4));
    Simulator::Schedule(MicroSeconds(11),
                        [this] { devices[1]->TakeFromCable(ToPacket(cable.at(3))); });
    Simulator::Run();
    EXPECT_EQ(discards.back(), IpsecDiscard::NO_ASSOCIATION) << "the old association is gone";
    EXPECT_EQ(got[1].size(), 3U);
}

TEST_P(InlineCryptoTest, AnAssociationThatHasEndedProtectsNothing)
{
    cryptos[0]->SetAttribute("HardPackets", UintegerValue(2));
    Send(MakeFrame(100));
    Send(MakeFrame(100));
    Send(MakeFrame(100));
    EXPECT_EQ(got[1].size(), 2U);
    EXPECT_EQ(discards, (std::vector{IpsecDiscard::EXPIRED}));
}

TEST_P(InlineCryptoTest, FragmentsLeaveByATunnelOnly)
{
    auto fragment = MakeFrame(64);
    fragment[20] = 0x20;
    Send(fragment);
    const bool isTunnel = GetParam() == IpsecSettings::TUNNEL;
    EXPECT_EQ(got[1].size(), isTunnel ? 1U : 0U);
    EXPECT_EQ(discards.size(), isTunnel ? 0U : 1U);
}

TEST_P(InlineCryptoTest, TheCryptoEngineTakesItsTime)
{
    const int64_t sealed = GetParam() == IpsecSettings::TUNNEL ? 1056 : 1036;
    Send(MakeFrame(980));
    const Time atOnce = arrived;
    for (const auto& crypto : cryptos)
    {
        crypto->SetAttribute("IpsecRate", DataRateValue(DataRate("8Gbps")));
        crypto->SetAttribute("IpsecLatency", TimeValue(NanoSeconds(30)));
        crypto->SetAttribute("IpsecSaCache", UintegerValue(1));
        crypto->SetAttribute("IpsecSaMiss", TimeValue(NanoSeconds(500)));
    }
    const Time begin = Simulator::Now();
    Send(MakeFrame(980));
    EXPECT_EQ(arrived - begin - atOnce, NanoSeconds(1000 + sealed + 2 * (30 + 500)))
        << "an octet a nanosecond, latency and fetched association, at either end";
    EXPECT_EQ(cryptos[0]->GetEngine().GetMisses(), 1U);
    for (int i = 0; i < 3; ++i)
    {
        std::ignore = devices[0]->SendFrame(ToPacket(MakeFrame(980)));
    }
    const Time second = Simulator::Now();
    Simulator::Run();
    EXPECT_EQ(arrived - second - atOnce, NanoSeconds(1000 + 3 * sealed + 2 * 30))
        << "one after the other; the receiver has the longer packets";
    EXPECT_EQ(cryptos[0]->GetEngine().GetMisses(), 1U);
}

TEST_P(InlineCryptoTest, EveryTraceSourceFires)
{
    std::map<std::string, uint32_t> fired;
    const auto watch = [this, &fired](const std::string& source, const CallbackBase& callback) {
        fired.emplace(source, 0);
        for (const auto& crypto : cryptos)
        {
            EXPECT_TRUE(crypto->TraceConnectWithoutContext(source, callback)) << source;
        }
    };
    for (const std::string source : {"Protected", "Opened", "Rekeyed"})
    {
        watch(source, Callback<void, uint32_t, uint32_t>([&fired, source](uint32_t, uint32_t) {
                  ++fired[source];
              }));
    }
    watch("Discarded",
          Callback<void, IpsecDiscard>([&fired](IpsecDiscard) { ++fired["Discarded"]; }));
    watch("AssociationFetched",
          Callback<void, uint32_t>([&fired](uint32_t) { ++fired["AssociationFetched"]; }));
    for (const auto& crypto : cryptos)
    {
        crypto->SetAttribute("RekeyPackets", UintegerValue(1));
        crypto->SetAttribute("IpsecSaCache", UintegerValue(1));
    }
    Send(MakeFrame(100));
    Send(MakeFrame(100));
    Inject(MakeFrame(100));
    const TypeId tid = InlineCrypto::GetTypeId();
    ASSERT_EQ(fired.size(), tid.GetTraceSourceN());
    EXPECT_EQ(fired,
              (std::map<std::string, uint32_t>{{"Protected", 2},
                                               {"Opened", 2},
                                               {"Rekeyed", 1},
                                               {"Discarded", 1},
                                               {"AssociationFetched", 4}}));
}

TEST_P(InlineCryptoTest, ABufferThatIsFullLosesPackets)
{
    cryptos[1]->SetAttribute("IpsecRate", DataRateValue(DataRate("1Mbps")));
    cryptos[1]->SetAttribute("IpsecBuffer", UintegerValue(2500));
    for (int i = 0; i < 5; ++i)
    {
        std::ignore = devices[0]->SendFrame(ToPacket(MakeFrame(980)));
    }
    Simulator::Run();
    EXPECT_EQ(got[1].size(), 3U) << "one in work, two that wait";
    EXPECT_EQ(cryptos[1]->GetCounters().GetDiscarded(IpsecDiscard::OVERFLOWED), 2U);
}

INSTANTIATE_TEST_SUITE_P(Modes,
                         InlineCryptoTest,
                         ::testing::Values(IpsecSettings::TRANSPORT, IpsecSettings::TUNNEL));

/// What an association hides is of its sender, or dropped (RFC 4301 section 5.2).
using InlineCryptoSelectorTest = InlineCryptoTest;

TEST_P(InlineCryptoSelectorTest, APeerDoesNotSpeakForOthers)
{
    passes = false;
    Send(MakeFrame(64));
    auto forged = cable.at(0);
    const std::size_t sourceAt = 14 + 12;
    forged[sourceAt + 3] = 9; // The outer header is not authentic in transport mode.
    forged[24] = 0;
    forged[25] = 0;
    Inject(forged);
    EXPECT_TRUE(got[1].empty());
    EXPECT_EQ(discards, (std::vector{IpsecDiscard::MISMATCH}));
}

INSTANTIATE_TEST_SUITE_P(Transport,
                         InlineCryptoSelectorTest,
                         ::testing::Values(IpsecSettings::TRANSPORT));

} // namespace
} // namespace ns3::nfsrdma
