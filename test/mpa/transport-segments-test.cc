/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/aligned-tcp-socket.h"
#include "mpa/every-transport.h"
#include "mpa/stream-pair-fixture.h"

#include "ns3/simulator.h"

#include <tuple>

namespace ns3::nfsrdma
{
namespace
{

using Transport = std::tuple<MpaTransport::Kind, bool, bool>;

/// Node 0 sends units of mixed sizes, up to a segment, as fast as it can; frames are lost as the
/// case says.
class TransportSegmentsTest : public StreamPairTest, public ::testing::WithParamInterface<Transport>
{
  protected:
    void SetUp() override
    {
        StreamPairTest::SetUp();
        const auto [kind, packing, nagle] = GetParam();
        SetTransport(0, kind, packing, nagle);
        SetTransport(1, kind, packing, nagle);
    }

    std::optional<Time> Fate(std::size_t /* receiver */,
                             const Ipv4Header& /* ip */,
                             const TcpHeader& /* tcp */,
                             uint32_t /* payload */) override
    {
        return m_draw(m_random) < lossPerMille ? std::nullopt : std::optional(Time(0));
    }

    void OnRoom(std::size_t side) override
    {
        while (side == 0 && sent[0] < total && SendUnit(0, m_size))
        {
            m_size = 4 * (2 + m_random() % (m_random() % 4 == 0 ? EMSS / 4 - 1 : 60));
        }
    }

    bool IsAware() const
    {
        return std::get<0>(GetParam()) != MpaTransport::LAYERED;
    }

    bool Packs() const
    {
        return std::get<1>(GetParam());
    }

    /// \return first segments that begin or end inside a unit.
    std::size_t CountMisaligned() const
    {
        std::size_t misaligned = 0;
        for (const Cut& cut : cuts[0])
        {
            const bool aligned = IsUnitBoundary(0, cut.begin) && IsUnitBoundary(0, cut.end);
            misaligned += cut.repeated || aligned ? 0 : 1;
        }
        return misaligned;
    }

    std::size_t UnitsIn(const Cut& cut) const
    {
        return std::distance(boundaries[0].upper_bound(cut.begin),
                             boundaries[0].upper_bound(cut.end));
    }

    void ExpectCutsOfTheTransport() const
    {
        std::size_t shared = 0;
        for (const Cut& cut : cuts[0])
        {
            ASSERT_LE(cut.end - cut.begin, EMSS);
            shared += UnitsIn(cut) > 1 ? 1 : 0;
        }
        if (!IsAware())
        {
            EXPECT_GT(CountMisaligned(), cuts[0].size() / 4);
            return;
        }
        EXPECT_EQ(CountMisaligned(), 0U);
        if (Packs())
        {
            EXPECT_GT(shared, cuts[0].size() / 4);
        }
        else
        {
            EXPECT_EQ(shared, 0U);
        }
    }

    uint64_t total{1'500'000};
    uint32_t lossPerMille{0};

  private:
    std::mt19937_64 m_random{42};
    std::uniform_int_distribution<uint32_t> m_draw{0, 999};
    uint32_t m_size{EMSS};
};

TEST_P(TransportSegmentsTest, BeginWhereTheTransportSays)
{
    Open();
    ExpectAllReceived();
    ExpectCutsOfTheTransport();
    EXPECT_EQ(shown[1] > 0, std::get<0>(GetParam()) == MpaTransport::AWARE);
}

TEST_P(TransportSegmentsTest, KeepTheirEndsWhenRepeated)
{
    lossPerMille = 15;
    Open();
    ExpectAllReceived();
    ExpectCutsOfTheTransport();
    if (IsAware())
    {
        ExpectRepeatedAsFirst(0);
    }
    EXPECT_GT(
        std::count_if(cuts[0].begin(), cuts[0].end(), [](const Cut& cut) { return cut.repeated; }),
        5);
}

TEST_P(TransportSegmentsTest, SurviveTheSequenceWrap)
{
    lossPerMille = 15;
    initialSequence = 0xffffffffU - 734'567;
    Open();
    ExpectAllReceived();
    ExpectCutsOfTheTransport();
    if (IsAware())
    {
        ExpectRepeatedAsFirst(0);
    }
}

INSTANTIATE_TEST_SUITE_P(All,
                         TransportSegmentsTest,
                         ::testing::Values(Transport{MpaTransport::LAYERED, false, false},
                                           Transport{MpaTransport::LAYERED, false, true},
                                           Transport{MpaTransport::AWARE_SENDER, false, false},
                                           Transport{MpaTransport::AWARE_SENDER, false, true},
                                           Transport{MpaTransport::AWARE_SENDER, true, false},
                                           Transport{MpaTransport::AWARE_SENDER, true, true},
                                           Transport{MpaTransport::AWARE, false, false},
                                           Transport{MpaTransport::AWARE, true, true}));

/// Cases about single segments.
class TransportAlignmentTest : public StreamPairTest
{
  protected:
    void OnEstablished() override
    {
        m_established = true;
    }

    void Send(std::initializer_list<uint32_t> sizes)
    {
        for (const uint32_t size : sizes)
        {
            ASSERT_TRUE(SendUnit(0, size));
        }
    }

    /// Sends units of 100 octets faster than they are acknowledged, and runs.
    void SendSmallUnitsWithNagle(bool packing)
    {
        SetTransport(0, MpaTransport::AWARE_SENDER, packing, true);
        channel->SetAttribute("Delay", TimeValue(MicroSeconds(10)));
        Open();
        Send({100});
        for (int i = 1; i <= 20; ++i)
        {
            Simulator::Schedule(NanoSeconds(100 * i), [this] { ASSERT_TRUE(SendUnit(0, 100)); });
        }
        RunAll();
    }

    std::vector<uint32_t> Sizes() const
    {
        std::vector<uint32_t> sizes;
        for (const Cut& cut : cuts[0])
        {
            sizes.push_back(static_cast<uint32_t>(cut.end - cut.begin));
        }
        return sizes;
    }

    using Lengths = std::vector<uint32_t>;

  private:
    bool m_established{false};
};

TEST_F(TransportAlignmentTest, LayeredLosesItAfterAShortUnitAndRegainsItWhenAllIsSent)
{
    SetTransport(0, MpaTransport::LAYERED, false, false);
    Open();
    Send({EMSS, EMSS, 100, EMSS, EMSS});
    RunAll();
    EXPECT_EQ(Sizes(), (Lengths{EMSS, EMSS, EMSS, EMSS, 100}));
    EXPECT_FALSE(IsUnitBoundary(0, cuts[0][3].begin));
    EXPECT_FALSE(IsUnitBoundary(0, cuts[0][4].begin));
    Send({EMSS, EMSS});
    RunAll();
    EXPECT_EQ(Sizes(), (Lengths{EMSS, EMSS, EMSS, EMSS, 100, EMSS, EMSS}));
    EXPECT_TRUE(IsUnitBoundary(0, cuts[0][5].begin));
    EXPECT_TRUE(IsUnitBoundary(0, cuts[0][6].begin));
    ExpectAllReceived();
}

TEST_F(TransportAlignmentTest, AwareSenderSendsEachUnitAlone)
{
    Open();
    Send({EMSS, 100, 200, EMSS, 8});
    EXPECT_EQ(streams[0]->GetUnitRoom(), EMSS);
    RunAll();
    EXPECT_EQ(Sizes(), (Lengths{EMSS, 100, 200, EMSS, 8}));
}

TEST_F(TransportAlignmentTest, PackingFillsSegmentsWithWholeUnits)
{
    SetTransport(0, MpaTransport::AWARE_SENDER, true, false);
    Open();
    Send({1000, 400, 100, 700, 600, EMSS, 8, 4});
    RunAll();
    EXPECT_EQ(Sizes(), (Lengths{1400, 1400, EMSS, 12}));
}

TEST_F(TransportAlignmentTest, RoomIsWhatTheLastSegmentOfTheQueueLacks)
{
    SetTransport(0, MpaTransport::AWARE_SENDER, true, false);
    Open();
    const auto roomAfter = [this](uint32_t size) {
        EXPECT_TRUE(SendUnit(0, size));
        return streams[0]->GetUnitRoom();
    };
    EXPECT_EQ(streams[0]->GetUnitRoom(), EMSS);
    EXPECT_EQ(roomAfter(400), EMSS - 400);
    EXPECT_EQ(roomAfter(1000), EMSS - 1400);
    EXPECT_EQ(roomAfter(48), EMSS);
    EXPECT_EQ(roomAfter(1200), EMSS - 1200);
    EXPECT_EQ(roomAfter(1000), EMSS - 1000);
    EXPECT_EQ(roomAfter(3000), EMSS);
    EXPECT_EQ(roomAfter(8), EMSS - 8);
    RunAll();
    EXPECT_EQ(streams[0]->GetUnitRoom(), EMSS);
    EXPECT_EQ(Sizes(), (Lengths{EMSS, 1200, 1000, EMSS, EMSS, 104, 8}));
    ExpectAllReceived();
}

TEST_F(TransportAlignmentTest, NagleAndPackingLetSmallUnitsWaitForEachOther)
{
    SendSmallUnitsWithNagle(true);
    EXPECT_EQ(Sizes(), (Lengths{100, 1400, 600}));
    ExpectAllReceived();
}

TEST_F(TransportAlignmentTest, NagleWithoutPackingNeverLetsAUnitStraddle)
{
    SendSmallUnitsWithNagle(false);
    EXPECT_EQ(Sizes(), Lengths(21, 100));
    EXPECT_GT(cuts[0][1].at, cuts[0][0].at + NanoSeconds(1400));
    ExpectAllReceived();
}

/// What a host does that has less receive buffer than a segment.
class SmallWindowTest : public TransportAlignmentTest
{
  protected:
    void ConfigureTcp(DataCenterTcpPreset& preset) override
    {
        preset.rcvBufSize = 1000;
    }
};

TEST_F(SmallWindowTest, UnitsAreSplit)
{
    Open();
    EXPECT_EQ(streams[0]->GetEmss(), 500U);
    Send({EMSS, EMSS, 100});
    RunAll();
    EXPECT_EQ(Sizes(), (Lengths{500, 500, 448, 500, 500, 448, 100}));
    ExpectAllReceived();
}

/// Segments of node 0 are looked at as IP packets.
class DontFragmentTest : public TransportAlignmentTest
{
  protected:
    std::optional<Time> Fate(std::size_t /* receiver */,
                             const Ipv4Header& ip,
                             const TcpHeader& /* tcp */,
                             uint32_t /* payload */) override
    {
        ++(ip.IsDontFragment() ? with : without);
        EXPECT_EQ(ip.GetTtl(), 64);
        return Time(0);
    }

    int with{0};
    int without{0};
};

TEST_F(DontFragmentTest, IsSetOnEverySegment)
{
    Open();
    Send({EMSS, 100});
    RunAll();
    EXPECT_GE(with, 5);
    EXPECT_EQ(without, 0);
}

/// Both sides send, each by its own transport, over a lossy link.
class TransportMixTest
    : public StreamPairTest,
      public ::testing::WithParamInterface<std::tuple<MpaTransport::Kind, MpaTransport::Kind, bool>>
{
  protected:
    std::optional<Time> Fate(std::size_t /* receiver */,
                             const Ipv4Header& /* ip */,
                             const TcpHeader& /* tcp */,
                             uint32_t /* payload */) override
    {
        const uint32_t draw = m_random() % 1000;
        if (draw < 10)
        {
            return std::nullopt;
        }
        return draw < 30 ? MicroSeconds(20) : Time(0);
    }

    void OnRoom(std::size_t side) override
    {
        while (sent[side] < 1'000'000 && SendUnit(side, 4 * (2 + m_random() % (EMSS / 4 - 1))))
        {
        }
    }

  private:
    std::mt19937_64 m_random{7};
};

TEST_P(TransportMixTest, WhatIsSentArrives)
{
    const auto [first, second, packing] = GetParam();
    SetTransport(0, first, packing, false);
    SetTransport(1, second, packing, packing);
    initialSequence = 0xffffffffU - 300'000;
    Open();
    ExpectAllReceived();
    EXPECT_GE(sent[0], 1'000'000U);
    EXPECT_GE(sent[1], 1'000'000U);
    for (std::size_t side = 0; side < 2; ++side)
    {
        const bool aware = transports[side]->GetKind() == MpaTransport::AWARE;
        EXPECT_EQ(shown[side] > 0, aware);
        streams[side]->Close();
    }
    RunAll();
    EXPECT_EQ(CountSockets(0), 0U);
    EXPECT_EQ(CountSockets(1), 1U);
}

INSTANTIATE_TEST_SUITE_P(All,
                         TransportMixTest,
                         ::testing::Combine(EVERY_TRANSPORT, EVERY_TRANSPORT, ::testing::Bool()));

} // namespace
} // namespace ns3::nfsrdma
