/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mpa/stream-pair-fixture.h"

#include "ns3/simulator.h"

namespace ns3::nfsrdma
{
namespace
{

/// Everything is drawn from the seed: transports, options, buffers, initial sequence number, delay,
/// loss, reordering, refusals, path MTU changes, unit sizes. Both sides send.
class StreamPropertyTest : public StreamPairTest, public ::testing::WithParamInterface<uint64_t>
{
  protected:
    static constexpr uint64_t TOTAL = 400'000;

    void ConfigureTcp(DataCenterTcpPreset& preset) override
    {
        preset.sack = Draw(4) != 0;
        preset.timestamps = Draw(4) != 0;
        if (Draw(3) == 0)
        {
            preset.rcvBufSize = 3'000 + Draw(30'000);
        }
        if (Draw(3) == 0)
        {
            preset.sndBufSize = 6'000 + Draw(30'000);
        }
    }

    void SetUp() override
    {
        StreamPairTest::SetUp();
        for (std::size_t side = 0; side < 2; ++side)
        {
            SetTransport(side,
                         static_cast<MpaTransport::Kind>(Draw(3)),
                         Draw(2) == 1,
                         Draw(2) == 1);
        }
        initialSequence = static_cast<uint32_t>(m_random());
        m_lost = Draw(2) * Draw(40);
        m_late = Draw(2) * Draw(100);
        m_refused = Draw(2) * Draw(20);
        channel->SetAttribute("Delay", TimeValue(NanoSeconds(Draw(2) * Draw(20'000))));
        const uint32_t mtuChanges = Draw(2) * 60;
        for (uint32_t i = 0; i < mtuChanges; ++i)
        {
            Simulator::Schedule(MicroSeconds(Draw(30'000)), [this] { ChangeMtu(Draw(2)); });
        }
    }

    void ChangeMtu(std::size_t side)
    {
        if (streams[side])
        {
            Socket(side)->SetPathMtu(StreamTcpSocket::MIN_MTU + Draw(Draw(2) == 0 ? 200 : 1500));
        }
    }

    std::optional<Time> Fate(std::size_t /* receiver */,
                             const Ipv4Header& /* ip */,
                             const TcpHeader& tcp,
                             uint32_t /* payload */) override
    {
        const uint32_t draw = Draw(1000);
        if ((tcp.GetFlags() & (TcpHeader::SYN | TcpHeader::FIN)) != 0 || draw >= m_lost + m_late)
        {
            return Time(0);
        }
        return draw < m_lost ? std::nullopt : std::optional(NanoSeconds(500 + Draw(30'000)));
    }

    bool OnShown(std::size_t /* side */, uint64_t /* offset */, uint32_t /* size */) override
    {
        return Draw(1000) >= m_refused;
    }

    void OnRoom(std::size_t side) override
    {
        while (sent[side] < TOTAL && SendUnit(side, 4 * (2 + Draw(Draw(3) == 0 ? 700 : 60))))
        {
        }
    }

    uint32_t Draw(uint32_t below)
    {
        return static_cast<uint32_t>(m_random() % below);
    }

  private:
    std::mt19937_64 m_random{GetParam()};
    uint32_t m_lost{0}; ///< Per mille, as the next two.
    uint32_t m_late{0};
    uint32_t m_refused{0};
};

TEST_P(StreamPropertyTest, WhatIsSentIsReceivedOnceInOrder)
{
    Open();
    ExpectAllReceived();
    EXPECT_GE(sent[0], TOTAL);
    EXPECT_GE(sent[1], TOTAL);
    streams[0]->Close();
    streams[1]->Close();
    RunAll();
    EXPECT_EQ(CountSockets(0), 0U);
    EXPECT_EQ(CountSockets(1), 1U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, StreamPropertyTest, ::testing::Range<uint64_t>(1, 31));

} // namespace
} // namespace ns3::nfsrdma
