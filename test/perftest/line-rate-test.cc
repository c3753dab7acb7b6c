/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "perftest/line-rate-watch.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

TEST(LineRateTest, FramesBackToBackAreTheLineRate)
{
    constexpr uint32_t FRAMES = 1000;
    constexpr uint32_t OCTETS = 1514;
    LineRateWatch watch(DataRate("100Gbps"));
    for (uint32_t i = 0; i < FRAMES; ++i)
    {
        watch.Note(NanoSeconds(i * uint64_t{OCTETS + 24} * 8 / 100), OCTETS);
    }
    EXPECT_FALSE(watch.GetFault());
    EXPECT_EQ(watch.GetFrames(), FRAMES);
}

TEST(LineRateTest, AFrameThatBeginsANanosecondEarlyIsFound)
{
    LineRateWatch watch(DataRate("8Gbps"));
    watch.Note(NanoSeconds(100), 976);
    watch.Note(NanoSeconds(1100), 976);
    EXPECT_FALSE(watch.GetFault());
    watch.Note(NanoSeconds(2099), 976);
    watch.Note(NanoSeconds(9000), 976);
    EXPECT_EQ(watch.GetFault(), NanoSeconds(2099));
}

TEST(LineRateTest, ALineThatWasIdleLendsNothingToLaterFrames)
{
    LineRateWatch watch(DataRate("8Gbps"));
    watch.Note(NanoSeconds(5000), 976);
    watch.Note(NanoSeconds(5900), 976);
    EXPECT_EQ(watch.GetFault(), NanoSeconds(5900));
}

TEST(LineRateTest, ShortFramesArePadded)
{
    LineRateWatch watch(DataRate("8Gbps"));
    watch.Note(NanoSeconds(0), 54);
    watch.Note(NanoSeconds(83), 54);
    EXPECT_TRUE(watch.GetFault()) << "60 octets and 24 around them";
}

} // namespace ns3::nfsrdma
