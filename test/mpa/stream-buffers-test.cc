/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/host-tcp.h"
#include "mpa/tcp-engine.h"
#include "mpa/two-node-fixture.h"

#include "ns3/enum.h"
#include "ns3/error-model.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::nfsrdma
{
namespace
{

/// Loses the frames that it is told to lose.
class ChosenLoss : public ErrorModel
{
  public:
    void LoseNext(uint32_t frames)
    {
        m_toLose = frames;
    }

    void LoseAll(bool all)
    {
        m_all = all;
    }

  private:
    bool DoCorrupt(Ptr<Packet> /* frame */) override
    {
        const bool lost = m_all || m_toLose > 0;
        m_toLose -= m_toLose > 0 ? 1 : 0;
        return lost;
    }

    void DoReset() override
    {
    }

    uint32_t m_toLose{0};
    bool m_all{false};
};

/// What streams of either TCP say of their buffers, and what hosts count of them, octet by octet.
class StreamBuffersTest : public TwoNodeTest,
                          public ::testing::WithParamInterface<MpaTransport::Tcp>
{
  protected:
    static constexpr uint32_t UNIT = 1000;

    using Buffers = std::pair<uint64_t, uint64_t>; ///< Held, waiting.

    void Open()
    {
        for (std::size_t side = 0; side < 2; ++side)
        {
            loss[side] = CreateObject<ChosenLoss>();
            devices[side]->SetReceiveErrorModel(loss[side]);
            transports[side]->SetAttribute("Tcp", EnumValue(GetParam()));
        }
        ASSERT_TRUE(
            transports[1]->Listen(PORT, MakeCallback(&StreamBuffersTest::HandleAccept, this)));
        Use(0, transports[0]->Connect(InetSocketAddress("10.0.0.2", PORT)));
        RunAll();
        ASSERT_NE(streams[1], nullptr);
    }

    void HandleAccept(Ptr<ByteStream> stream)
    {
        Use(1, stream);
    }

    void Use(std::size_t side, Ptr<ByteStream> stream)
    {
        streams[side] = stream;
        stream->GetCallbacks().buffers =
            MakeCallback(&StreamBuffersTest::HandleBuffers, this, side);
    }

    void HandleBuffers(std::size_t side, uint64_t held, uint64_t waiting)
    {
        told[side] = {held, waiting};
        mostHeld[side] = std::max(mostHeld[side], held);
        if (side == 1 && stopsAt > 0 && waiting == stopsAt)
        {
            Simulator::Stop();
        }
    }

    void Send(uint32_t units)
    {
        for (uint32_t i = 0; i < units; ++i)
        {
            ASSERT_TRUE(streams[0]->SendUnit(Create<Packet>(UNIT)));
        }
    }

    void ExpectBuffers(std::size_t side, uint64_t held, uint64_t waiting)
    {
        EXPECT_EQ(streams[side]->GetHeldOctets(), held);
        EXPECT_EQ(streams[side]->GetWaitingOctets(), waiting);
        EXPECT_EQ(told[side], Buffers(held, waiting));
        EXPECT_EQ(Count(side).held, held);
        EXPECT_EQ(Count(side).waiting, waiting);
    }

    [[nodiscard]] TcpCounters Count(std::size_t side) const
    {
        return nodes[side]->GetObject<HostTcp>()->GetCounters();
    }

    void TearDown() override
    {
        streams = {};
        TwoNodeTest::TearDown();
    }

    std::array<Ptr<ChosenLoss>, 2> loss;
    std::array<Ptr<ByteStream>, 2> streams;
    std::array<Buffers, 2> told;
    std::array<uint64_t, 2> mostHeld{};
    uint64_t stopsAt{0}; ///< Octets that wait at the receiver; 0: never.
};

TEST_P(StreamBuffersTest, SenderHoldsUntilAcknowledgedAndReceiverUntilTaken)
{
    Open();
    Send(10);
    ExpectBuffers(0, 10 * UNIT, 0);
    RunAll();
    ExpectBuffers(0, 0, 0);
    ExpectBuffers(1, 0, 10 * UNIT);
    EXPECT_EQ(mostHeld[0], 10 * UNIT);
    const auto octets = streams[1]->Receive();
    ASSERT_NE(octets, nullptr);
    EXPECT_EQ(octets->GetSize(), 10 * UNIT);
    ExpectBuffers(1, 0, 0);
}

TEST_P(StreamBuffersTest, OctetsBehindAGapWait)
{
    Open();
    Send(4);
    RunAll();
    std::ignore = streams[1]->Receive();
    loss[1]->LoseNext(1);
    Send(6);
    stopsAt = 5 * UNIT;
    Simulator::Run();
    ExpectBuffers(1, 0, 5 * UNIT);
    EXPECT_EQ(streams[1]->GetOutOfOrderOctets(), 5 * UNIT);
    EXPECT_EQ(streams[0]->GetHeldOctets(), 6 * UNIT);
    stopsAt = 0;
    RunAll();
    ExpectBuffers(1, 0, 6 * UNIT);
    EXPECT_EQ(streams[1]->GetOutOfOrderOctets(), 0U);
    ExpectBuffers(0, 0, 0);
    EXPECT_EQ(Count(1).outOfOrder, 5U);
    const TcpCounters sent = Count(0);
    EXPECT_EQ(sent.octetsSent, 10 * UNIT);
    EXPECT_EQ(sent.octetsRepeated, UNIT);
    EXPECT_EQ(sent.fastRetransmits, 1U);
    EXPECT_EQ(sent.fastRecoveries, 1U);
    EXPECT_EQ(sent.segmentsSent, 11U);
    EXPECT_EQ(sent.timeouts, 0U);
}

TEST_P(StreamBuffersTest, WhatAnEndedConnectionHeldIsAbandoned)
{
    Open();
    loss[0]->LoseAll(true);
    loss[1]->LoseAll(true);
    Send(3);
    RunAll();
    streams = {};
    const TcpCounters sent = Count(0);
    EXPECT_EQ(sent.given, 3 * UNIT);
    EXPECT_EQ(sent.acknowledged, 0U);
    EXPECT_EQ(sent.abandoned, 3 * UNIT);
    EXPECT_EQ(sent.held, 0U);
    EXPECT_GT(sent.timeouts, 3U);
    EXPECT_GE(sent.timerRetransmits, 3U);
}

INSTANTIATE_TEST_SUITE_P(Tcp,
                         StreamBuffersTest,
                         ::testing::Values(MpaTransport::NS3, MpaTransport::OFFLOAD));

} // namespace
} // namespace ns3::nfsrdma
