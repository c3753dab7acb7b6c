/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "toe/machine-pair.h"

namespace ns3::nfsrdma
{
namespace
{

/// Everything is drawn from the seed: what both ends are set to, and what the network does.
class MachinePropertyTest : public ::testing::TestWithParam<uint64_t>
{
  protected:
    static constexpr uint64_t TOTAL = 150'000;

    TcpEngineSettings DrawSettings()
    {
        TcpEngineSettings settings;
        settings.mss = 100 + Draw(1361);
        settings.aligned = Draw(3) > 0;
        settings.packing = Draw(2) == 0;
        settings.mtuProbing = Draw(3);
        settings.baseMss = 60 + Draw(600);
        settings.probeThreshold = 1 + Draw(50);
        settings.timestamps = Draw(3) > 0;
        settings.timestampTick = Draw(2) == 0 ? MilliSeconds(1) : MicroSeconds(1);
        settings.windowScaling = Draw(3) > 0;
        settings.sack = Draw(4) > 0;
        settings.ecn = static_cast<TcpEngineSettings::Ecn>(Draw(3));
        settings.sendBuffer = 2'000 + Draw(Draw(2) == 0 ? 10'000 : 200'000);
        settings.receiveBuffer = 200 + Draw(Draw(2) == 0 ? 10'000 : 200'000);
        settings.control = static_cast<TcpEngineSettings::Control>(Draw(4));
        settings.initialWindow = 1 + Draw(10);
        settings.pacing = Draw(4) == 0;
        settings.rack = Draw(3) > 0;
        settings.tailLossProbe = Draw(3) > 0;
        settings.frto = Draw(3) > 0;
        settings.rtoMin = MilliSeconds(4);
        settings.initialRto = MilliSeconds(5);
        settings.worstDelayedAck = MilliSeconds(1);
        settings.delayedAck = MilliSeconds(1);
        settings.ackEvery = 1 + Draw(3);
        settings.synRetries = 20;
        settings.synackRetries = 20;
        settings.retries2 = 25;
        settings.invalidRatelimit = MicroSeconds(Draw(500));
        settings.timeWait = Seconds(200);
        return settings;
    }

    Weather DrawWeather()
    {
        Weather weather;
        weather.lost = Draw(2) * Draw(100);
        weather.late = Draw(2) * Draw(200);
        weather.doubled = Draw(2) * Draw(50);
        weather.marked = Draw(2) * Draw(300);
        weather.refused = Draw(2) * Draw(30);
        weather.delay = NanoSeconds(500 + Draw(20'000));
        weather.jitter = NanoSeconds(1 + Draw(100'000));
        return weather;
    }

    uint32_t Draw(uint32_t below)
    {
        return static_cast<uint32_t>(m_random() % below);
    }

  private:
    std::mt19937_64 m_random{GetParam()};
};

TEST_P(MachinePropertyTest, EveryOctetArrivesOnceInOrderAndBothEndsClose)
{
    const auto first = DrawSettings();
    const auto second = DrawSettings();
    MachinePair pair({first, second}, DrawWeather(), GetParam());
    if (Draw(3) == 0)
    {
        pair.MakeUsersSlow();
    }
    pair.Exchange({TOTAL, Draw(2) * TOTAL}, 1 + Draw(3'000));
    ASSERT_TRUE(pair.Run(3'000'000)) << "it never ends";
    for (std::size_t side = 0; side < 2; ++side)
    {
        EXPECT_TRUE(pair.IsEndOfStream(side)) << "side " << side;
        EXPECT_EQ(pair.GetEnd(side), TcpEnd::CLOSED) << "side " << side;
        EXPECT_FALSE(pair.GetMachine(side).GetDeadline().has_value());
    }
    EXPECT_EQ(pair.GetDelivered(1), TOTAL);
}

INSTANTIATE_TEST_SUITE_P(Seeds, MachinePropertyTest, ::testing::Range<uint64_t>(1, 201));

} // namespace
} // namespace ns3::nfsrdma
