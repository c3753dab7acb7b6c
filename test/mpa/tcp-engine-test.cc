/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link/resegmenting-middlebox.h"
#include "link/tcp-segment.h"
#include "mpa/engine-defaults.h"
#include "mpa/tcp-engine.h"
#include "mpa/two-node-fixture.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/enum.h"
#include "ns3/error-model.h"
#include "ns3/global-value.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <tuple>

namespace ns3::nfsrdma
{
namespace
{

enum class Stack
{
    NS3,
    ENGINE
};

/// Two streams connected to each other, each on ns-3's TCP or on the engine, with octets that tell
/// where they belong.
class TcpEngineTest : public TwoNodeTest
{
  protected:
    using AcceptCallback = MpaTransport::AcceptCallback;

    Ptr<TcpEngine> Engine(std::size_t side)
    {
        return TcpEngine::Install(nodes[side]);
    }

    void Connect(Stack initiator, Stack responder)
    {
        const auto accept = MakeCallback(&TcpEngineTest::HandleAccept, this);
        if (responder == Stack::ENGINE)
        {
            ASSERT_TRUE(Engine(1)->Listen(PORT, ReadEngineDefaults(), accept));
        }
        else
        {
            ASSERT_TRUE(transports[1]->Listen(PORT, accept));
        }
        const Address remote = AddressOf(1);
        Use(0,
            initiator == Stack::ENGINE ? Engine(0)->Connect(remote, ReadEngineDefaults())
                                       : transports[0]->Connect(remote));
    }

    void HandleAccept(Ptr<ByteStream> stream)
    {
        Use(1, stream);
        HandleEstablished(1);
    }

    void Use(std::size_t side, Ptr<ByteStream> stream)
    {
        streams[side] = stream;
        auto& callbacks = stream->GetCallbacks();
        callbacks.established = MakeCallback(&TcpEngineTest::HandleEstablished, this, side);
        callbacks.receive = MakeCallback(&TcpEngineTest::HandleReceive, this, side);
        callbacks.space = MakeCallback(&TcpEngineTest::Send, this, side);
        callbacks.ended = MakeCallback(&TcpEngineTest::HandleEnd, this, side);
        callbacks.emss = MakeCallback(&TcpEngineTest::HandleEmss, this, side);
        stream->SetSegmentCallback(MakeCallback(&TcpEngineTest::HandleSegment, this, side));
    }

    void HandleEstablished(std::size_t side)
    {
        established[side] = true;
        Send(side);
    }

    void Send(std::size_t side)
    {
        while (sent[side] < toSend[side])
        {
            const uint32_t size = static_cast<uint32_t>(
                std::min<uint64_t>(1 + (sent[side] * 7 + 13) % 1448, toSend[side] - sent[side]));
            ByteVector octets(size);
            for (uint32_t i = 0; i < size; ++i)
            {
                octets[i] = OctetAt(sent[side] + i);
            }
            if (!streams[side]->SendUnit(Create<Packet>(octets.data(), size)))
            {
                return;
            }
            sent[side] += size;
        }
    }

    void HandleReceive(std::size_t side)
    {
        while (const auto octets = streams[side]->Receive())
        {
            ExpectOctets(received[side], octets);
            received[side] += octets->GetSize();
            finished = Simulator::Now();
        }
    }

    bool HandleSegment(std::size_t side, uint64_t offset, Ptr<const Packet> octets)
    {
        ExpectOctets(offset, octets);
        aheadOfTurn[side] += offset > received[side] ? 1 : 0;
        return true;
    }

    void HandleEmss(std::size_t side)
    {
        narrowest[side] = std::min(narrowest[side], streams[side]->GetEmss());
    }

    void HandleEnd(std::size_t side, StreamEnd end)
    {
        ends[side] = end;
        ended = Simulator::Now();
        streams[side]->Close();
    }

    void OnSegment(std::size_t /* side */, const Segment& segment) override
    {
        EXPECT_LE(segment.length, OverIpv6() ? 1428U : 1448U);
    }

    static uint8_t OctetAt(uint64_t offset)
    {
        return static_cast<uint8_t>((offset * 0x9e3779b97f4a7c15U) >> 56);
    }

    static void ExpectOctets(uint64_t offset, Ptr<const Packet> octets)
    {
        ByteVector copy(octets->GetSize());
        octets->CopyData(copy.data(), octets->GetSize());
        for (std::size_t i = 0; i < copy.size(); ++i)
        {
            ASSERT_EQ(copy[i], OctetAt(offset + i)) << "octet " << offset + i;
        }
    }

    void CloseAndExpectNothingLeft()
    {
        streams[0]->Close();
        RunAll();
        EXPECT_EQ(ends[1], StreamEnd::GRACEFUL);
        for (std::size_t side = 0; side < 2; ++side)
        {
            if (const auto engine = nodes[side]->GetObject<TcpEngine>())
            {
                EXPECT_EQ(engine->CountConnections(), 0U);
            }
        }
    }

    std::array<Ptr<ByteStream>, 2> streams;
    std::array<bool, 2> established{};
    std::array<uint64_t, 2> toSend{};
    std::array<uint64_t, 2> sent{};
    std::array<uint64_t, 2> received{};
    std::array<uint64_t, 2> aheadOfTurn{};
    std::array<std::optional<StreamEnd>, 2> ends;
    std::array<uint32_t, 2> narrowest{UINT32_MAX, UINT32_MAX}; ///< EMSS that it has changed to.
    Time finished;
    Time ended;
};

enum class Family
{
    IPV4,
    IPV6
};

using Stacks = std::tuple<Stack, Stack, Family>;

class TcpEngineInteropTest : public TcpEngineTest, public ::testing::WithParamInterface<Stacks>
{
  protected:
    bool OverIpv6() const override
    {
        return std::get<2>(GetParam()) == Family::IPV6;
    }
};

TEST_P(TcpEngineInteropTest, OctetsArriveBothWays)
{
    toSend = {1'000'000, 700'000};
    Connect(std::get<0>(GetParam()), std::get<1>(GetParam()));
    RunAll();
    EXPECT_EQ(received[1], toSend[0]);
    EXPECT_EQ(received[0], toSend[1]);
    CloseAndExpectNothingLeft();
}

TEST_P(TcpEngineInteropTest, OctetsArriveUnderLoss)
{
    SetLossRate(0.02);
    toSend = {600'000, 300'000};
    Connect(std::get<0>(GetParam()), std::get<1>(GetParam()));
    RunAll();
    EXPECT_EQ(received[1], toSend[0]);
    EXPECT_EQ(received[0], toSend[1]);
    EXPECT_GT(aheadOfTurn[1], 5U);
    CloseAndExpectNothingLeft();
}

TEST_P(TcpEngineInteropTest, AbortIsAReset)
{
    toSend = {10'000, 0};
    Connect(std::get<0>(GetParam()), std::get<1>(GetParam()));
    RunAll();
    streams[0]->Abort();
    RunAll();
    EXPECT_EQ(ends[1], StreamEnd::RESET);
    EXPECT_FALSE(ends[0].has_value());
}

INSTANTIATE_TEST_SUITE_P(Stacks,
                         TcpEngineInteropTest,
                         ::testing::Values(Stacks{Stack::ENGINE, Stack::ENGINE, Family::IPV4},
                                           Stacks{Stack::ENGINE, Stack::NS3, Family::IPV4},
                                           Stacks{Stack::NS3, Stack::ENGINE, Family::IPV4},
                                           Stacks{Stack::ENGINE, Stack::ENGINE, Family::IPV6},
                                           Stacks{Stack::ENGINE, Stack::NS3, Family::IPV6},
                                           Stacks{Stack::NS3, Stack::ENGINE, Family::IPV6},
                                           Stacks{Stack::NS3, Stack::NS3, Family::IPV6}));

TEST_F(TcpEngineTest, RefusedWhereNobodyListens)
{
    Use(0, Engine(0)->Connect(InetSocketAddress("10.0.0.2", PORT), ReadEngineDefaults()));
    RunAll();
    EXPECT_EQ(ends[0], StreamEnd::FAILED);
    EXPECT_FALSE(established[0]);
    EXPECT_EQ(Engine(0)->CountConnections(), 0U);
}

TEST_F(TcpEngineTest, LeavesOtherPortsToTheOtherTcp)
{
    std::ignore = Engine(0);
    std::ignore = Engine(1);
    toSend = {100'000, 0};
    Connect(Stack::NS3, Stack::NS3);
    RunAll();
    EXPECT_EQ(received[1], toSend[0]);
}

TEST_F(TcpEngineTest, ListensOnAPortOnce)
{
    const TcpEngine::AcceptCallback accept;
    EXPECT_TRUE(Engine(1)->Listen(PORT, ReadEngineDefaults(), accept));
    EXPECT_FALSE(Engine(1)->Listen(PORT, ReadEngineDefaults(), accept));
    Engine(1)->StopListening(PORT);
    EXPECT_TRUE(Engine(1)->Listen(PORT, ReadEngineDefaults(), accept));
}

TEST_F(TcpEngineTest, NeitherTcpListensWhereTheOtherDoes)
{
    const TcpEngine::AcceptCallback accept;
    ASSERT_TRUE(transports[1]->Listen(PORT, accept));
    EXPECT_FALSE(Engine(1)->Listen(PORT, ReadEngineDefaults(), accept));
    ASSERT_TRUE(Engine(1)->Listen(PORT + 1, ReadEngineDefaults(), accept));
    EXPECT_FALSE(transports[1]->Listen(PORT + 1, accept));
    Engine(1)->StopListening(PORT + 1);
    EXPECT_TRUE(transports[1]->Listen(PORT + 1, accept));
}

TEST_F(TcpEngineTest, NeitherTcpConnectsFromThePortOfTheOther)
{
    constexpr uint16_t FIRST = 49152;
    const auto make = [this] {
        return Socket::CreateSocket(nodes[0], TypeId::LookupByName("ns3::TcpSocketFactory"));
    };
    const auto portOf = [](const Address& address) {
        return InetSocketAddress::ConvertFrom(address).GetPort();
    };
    const auto bound = make();
    ASSERT_EQ(bound->Bind(InetSocketAddress(Ipv4Address::GetAny(), FIRST)), 0);
    Connect(Stack::ENGINE, Stack::ENGINE);
    EXPECT_EQ(portOf(streams[0]->GetLocalAddress()), FIRST + 1);
    const auto chosen = make();
    ASSERT_EQ(chosen->Bind(), 0);
    Address name;
    chosen->GetSockName(name);
    EXPECT_EQ(portOf(name), FIRST + 2);
    EXPECT_NE(make()->Bind(InetSocketAddress("10.0.0.1", FIRST + 1)), 0);
    RunAll();
    CloseAndExpectNothingLeft();
    EXPECT_EQ(make()->Bind(InetSocketAddress("10.0.0.1", FIRST + 1)), 0);
}

TEST_F(TcpEngineTest, AStrayOfAPortThatIsHeldIsAnsweredByReset)
{
    Connect(Stack::ENGINE, Stack::ENGINE);
    RunAll();
    const auto local = InetSocketAddress::ConvertFrom(streams[0]->GetLocalAddress());
    Use(1, transports[1]->Connect(InetSocketAddress("10.0.0.1", local.GetPort())));
    const Time begun = Simulator::Now();
    RunAll();
    EXPECT_EQ(ends[1], StreamEnd::FAILED);
    EXPECT_LT(ended - begun, MilliSeconds(1)) << "nobody answered";
}

TEST_F(TcpEngineTest, RouterThatDoesNotSayTheMtuIsFoundByPlateaus)
{
    constexpr uint32_t HEADERS = 52; // IP, TCP, timestamps.
    Connect(Stack::ENGINE, Stack::ENGINE);
    const auto refuse = [this] {
        const uint16_t port =
            InetSocketAddress::ConvertFrom(streams[0]->GetLocalAddress()).GetPort();
        const std::array<uint8_t, 8> quoted{static_cast<uint8_t>(port >> 8),
                                            static_cast<uint8_t>(port),
                                            static_cast<uint8_t>(PORT >> 8),
                                            static_cast<uint8_t>(PORT & 0xff)};
        Engine(0)->ReceiveIcmp(Ipv4Address("10.0.0.254"),
                               64,
                               3,
                               4,
                               0,
                               Ipv4Address("10.0.0.1"),
                               Ipv4Address("10.0.0.2"),
                               quoted.data());
        return streams[0]->GetEmss() + HEADERS;
    };
    std::vector<uint32_t> mtus;
    for (int i = 0; i < 4; ++i)
    {
        Simulator::Schedule(Seconds(1 + i), [&] {
            mtus.push_back(refuse());
            EXPECT_EQ(refuse(), mtus.back()) << "of what was sent before";
        });
    }
    Simulator::Schedule(Seconds(5), [&] { streams[0]->Close(); });
    RunAll();
    EXPECT_EQ(mtus, (std::vector<uint32_t>{1492, 1006, 508, 296}));
}

/// A box in the cable that takes 1400 octets, between nodes that take 1500.
class TcpEngineNarrowPathTest : public TcpEngineTest, public ::testing::WithParamInterface<Stack>
{
  protected:
    bool OverIpv6() const override
    {
        return true;
    }

    void Wire() override
    {
        const auto node = CreateObject<Node>();
        middlebox = CreateObjectWithAttributes<ResegmentingMiddlebox>("Mtu", UintegerValue(NARROW));
        node->AggregateObject(middlebox);
        for (const auto& device : devices)
        {
            const auto port = CreateObject<EthernetNetDevice>();
            port->SetAddress(Mac48Address::Allocate());
            port->SetMtu(Mtu());
            node->AddDevice(port);
            middlebox->AddPort(port);
            const auto cable = CreateObject<EthernetChannel>();
            device->Attach(cable);
            port->Attach(cable);
        }
    }

    static constexpr uint32_t NARROW = 1400;
    static constexpr uint32_t HEADERS = 72; ///< IPv6, TCP, timestamps.
    Ptr<ResegmentingMiddlebox> middlebox;
};

TEST_P(TcpEngineNarrowPathTest, PacketTooBigMakesSegmentsSmaller)
{
    toSend = {100'000, 0};
    Connect(GetParam(), Stack::ENGINE);
    RunAll();
    EXPECT_EQ(received[1], toSend[0]);
    EXPECT_EQ(narrowest[0], NARROW - HEADERS);
    EXPECT_EQ(streams[1]->GetEmss(), Mtu() - HEADERS) << "the other direction was not refused";
    EXPECT_GT(middlebox->GetCounters().refused, 0U);
    EXPECT_EQ(middlebox->GetCounters().fragmented, 0U);
    CloseAndExpectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(Stacks,
                         TcpEngineNarrowPathTest,
                         ::testing::Values(Stack::ENGINE, Stack::NS3));

/// The frames of a connection past the host's IPv4, and what its stack sees of them.
class TcpEngineFramesTest : public TcpEngineTest
{
  protected:
    void SetUp() override
    {
        TcpEngineTest::SetUp();
        for (std::size_t side = 0; side < 2; ++side)
        {
            nodes[side]->GetObject<Ipv4L3Protocol>()->TraceConnectWithoutContext(
                "Tx",
                MakeCallback(&TcpEngineFramesTest::HandleStack, this));
            devices[side]->TraceConnectWithoutContext(
                "MacTx",
                MakeCallback(&TcpEngineFramesTest::Take, this));
        }
    }

    void TearDown() override
    {
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(false));
        TcpEngineTest::TearDown();
    }

    AcceptCallback Accepting()
    {
        return MakeCallback(&TcpEngineFramesTest::HandleAccept, this);
    }

    void HandleStack(Ptr<const Packet> /* packet */, Ptr<Ipv4> /* ip */, uint32_t /* interface */)
    {
        ++byStack;
    }

    void Take(Ptr<const Packet> frame)
    {
        ByteVector octets(frame->GetSize());
        frame->CopyData(octets.data(), frame->GetSize());
        if (const auto segment = TcpSegment::Decode(octets))
        {
            checked += segment->Encode(true) == octets ? 1 : 0;
            frames.push_back(segment->Encode(false));
        }
    }

    void Transfer()
    {
        toSend = {100'000, 50'000};
        Connect(Stack::ENGINE, Stack::ENGINE);
        RunAll();
        EXPECT_EQ(received[1], toSend[0]);
        EXPECT_EQ(received[0], toSend[1]);
        CloseAndExpectNothingLeft();
    }

    /// Transfers without checksums, then with them, and in the same frames.
    void ExpectTheSameWithChecksums(bool throughStack)
    {
        Transfer();
        const auto direct = frames;
        const std::size_t directByStack = byStack;
        TcpEngineTest::TearDown();
        frames.clear();
        received = sent = {};
        GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
        SetUp();
        for (std::size_t side = 0; side < 2; ++side)
        {
            Engine(side)->SetAttribute("ThroughHostStack", BooleanValue(throughStack));
        }
        byStack = checked = 0;
        Transfer();
        EXPECT_EQ(byStack, throughStack ? frames.size() : directByStack);
        EXPECT_EQ(checked, frames.size());
        ASSERT_EQ(frames.size(), direct.size());
        for (std::size_t i = 0; i < frames.size(); ++i)
        {
            EXPECT_EQ(frames[i], direct[i]) << "frame " << i;
        }
    }

    std::vector<ByteVector> frames;
    std::size_t checked{0}; ///< Frames whose checksums are right.
    std::size_t byStack{0};
};

/// The same over IPv6.
class TcpEngineIpv6FramesTest : public TcpEngineFramesTest
{
  protected:
    void SetUp() override
    {
        TcpEngineFramesTest::SetUp();
        for (const auto& node : nodes)
        {
            node->GetObject<Ipv6L3Protocol>()->TraceConnectWithoutContext(
                "Tx",
                MakeCallback(&TcpEngineIpv6FramesTest::HandleIpv6Stack, this));
        }
    }

    bool OverIpv6() const override
    {
        return true;
    }

    void HandleIpv6Stack(Ptr<const Packet> packet, Ptr<Ipv6> /* ip */, uint32_t /* interface */)
    {
        Ipv6Header header;
        packet->PeekHeader(header);
        byStack += header.GetNextHeader() == TcpEngine::PROTOCOL ? 1 : 0;
    }
};

TEST_F(TcpEngineIpv6FramesTest, TheStackHasOnlyWhatWaitsForTheNeighbour)
{
    Transfer();
    EXPECT_GT(frames.size(), 100U);
    EXPECT_LE(byStack, 4U) << "SYN and SYN,ACK, and of each side what finds the neighbour stale";
}

TEST_F(TcpEngineIpv6FramesTest, PastTheStackTheyAreTheSameWithChecksums)
{
    ExpectTheSameWithChecksums(false);
}

TEST_F(TcpEngineIpv6FramesTest, ThroughTheStackTheyAreTheSameWithChecksums)
{
    ExpectTheSameWithChecksums(true);
}

TEST_F(TcpEngineIpv6FramesTest, OctetsAreEcnCapableWhereBothAgree)
{
    auto asks = ReadEngineDefaults();
    asks.ecn = TcpEngineSettings::Ecn::ASK;
    toSend = {200'000, 0};
    ASSERT_TRUE(Engine(1)->Listen(PORT, asks, Accepting()));
    Use(0, Engine(0)->Connect(AddressOf(1), asks));
    RunAll();
    EXPECT_EQ(received[1], toSend[0]);
    const auto capable = std::count_if(frames.begin(), frames.end(), [](const auto& frame) {
        const auto segment = TcpSegment::Decode(frame);
        return !segment->payload.empty() && segment->typeOfService == 2;
    });
    EXPECT_GT(capable, 100) << "with ECT(0)";
}

TEST_F(TcpEngineIpv6FramesTest, BbrNeitherAsksForEcnNorAgreesToIt)
{
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpBbr"));
    for (const auto use : {TcpSocketState::On, TcpSocketState::AcceptOnly})
    {
        Config::SetDefault("ns3::TcpSocketBase::UseEcn", EnumValue(use));
        EXPECT_EQ(ReadEngineDefaults().ecn, TcpEngineSettings::Ecn::OFF);
    }
    Config::Reset();
}

TEST_F(TcpEngineFramesTest, TheStackHasOnlyWhatWaitsForTheNeighbour)
{
    Transfer();
    EXPECT_GT(frames.size(), 100U);
    EXPECT_EQ(byStack, 2U) << "SYN and SYN,ACK";
}

TEST_F(TcpEngineFramesTest, PastTheStackTheyAreTheSameWithChecksums)
{
    ExpectTheSameWithChecksums(false);
}

TEST_F(TcpEngineFramesTest, ThroughTheStackTheyAreTheSameWithChecksums)
{
    ExpectTheSameWithChecksums(true);
}

TEST_F(TcpEngineFramesTest, FragmentationIsForbiddenUnlessATransportAllowsIt)
{
    Transfer();
    const auto forbids = [](const ByteVector& frame) {
        return TcpSegment::Decode(frame)->fragmentFlags == TcpSegment::DONT_FRAGMENT;
    };
    EXPECT_TRUE(std::all_of(frames.begin(), frames.end(), forbids));
    frames.clear();
    received = sent = {};
    transports[0]->SetAttribute("Tcp", EnumValue(MpaTransport::OFFLOAD));
    transports[0]->SetAttribute("DontFragment", BooleanValue(false));
    Use(0, transports[0]->Connect(AddressOf(1)));
    toSend = {100'000, 0};
    RunAll();
    const auto octets = std::count_if(frames.begin(), frames.end(), [&](const auto& frame) {
        return TcpSegment::Decode(frame)->payload.size() > 1000 && !forbids(frame);
    });
    EXPECT_GE(octets, 30);
}

TEST_F(TcpEngineFramesTest, UnitsOfOneInstantArePacked)
{
    auto settings = ReadEngineDefaults();
    settings.packing = true;
    ASSERT_TRUE(Engine(1)->Listen(PORT, ReadEngineDefaults(), Accepting()));
    Use(0, Engine(0)->Connect(InetSocketAddress("10.0.0.2", PORT), settings));
    RunAll();
    ASSERT_TRUE(established[0]);
    frames.clear();
    constexpr uint32_t UNIT = 300;
    constexpr uint32_t UNITS = 8; // Four fit a segment of 1448 octets.
    ByteVector octets(UNIT);
    for (uint32_t unit = 0; unit < UNITS; ++unit)
    {
        for (uint32_t i = 0; i < UNIT; ++i)
        {
            octets[i] = OctetAt(uint64_t{unit} * UNIT + i);
        }
        ASSERT_TRUE(streams[0]->SendUnit(Create<Packet>(octets.data(), UNIT)));
    }
    RunAll();
    EXPECT_EQ(received[1], UNIT * UNITS);
    const auto carries = [](const ByteVector& frame) {
        return !TcpSegment::Decode(frame)->payload.empty();
    };
    EXPECT_EQ(std::count_if(frames.begin(), frames.end(), carries), 2);
}

TEST_F(TcpEngineFramesTest, ANeighbourThatIsForgottenIsAskedForAgain)
{
    Config::SetDefault("ns3::ArpCache::AliveTimeout", TimeValue(MilliSeconds(1)));
    TcpEngineTest::TearDown();
    SetUp();
    Transfer();
    byStack = 0;
    received = sent = {};
    Engine(1)->StopListening(PORT);
    Simulator::Stop(MilliSeconds(10));
    Simulator::Run();
    Transfer();
    EXPECT_GE(byStack, 1U);
    Config::Reset();
}

TEST_F(TcpEngineFramesTest, AnotherRouteIsFoundWhenThePeerDoesNotAnswer)
{
    toSend = {1'000'000, 0};
    Connect(Stack::ENGINE, Stack::ENGINE);
    Simulator::Stop(MicroSeconds(60));
    Simulator::Run();
    ASSERT_LT(received[1], toSend[0]);
    const auto ipv4 = nodes[0]->GetObject<Ipv4L3Protocol>();
    const auto before = byStack;
    ipv4->SetDown(1);
    Simulator::Stop(MicroSeconds(100));
    Simulator::Run();
    const auto arrived = received[1];
    EXPECT_LT(arrived, toSend[0]) << "an interface that is down sends nothing";
    ipv4->SetUp(1);
    RunAll();
    EXPECT_EQ(received[1], toSend[0]);
    EXPECT_GE(byStack, before);
}

} // namespace
} // namespace ns3::nfsrdma
