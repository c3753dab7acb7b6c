/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "host/occupancy-meter.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

TEST(OccupancyMeterTest, SumsPartsAndKeepsThePeak)
{
    OccupancyMeter meter;
    meter.Change(NanoSeconds(10), 0, 100);
    meter.Change(NanoSeconds(20), 0, 50);
    meter.Change(NanoSeconds(30), 100, 0);
    EXPECT_EQ(meter.GetCurrent(), 50U);
    EXPECT_EQ(meter.GetPeak(), 150U);
}

TEST(OccupancyMeterTest, MeanIsOverAllTheTime)
{
    OccupancyMeter meter;
    EXPECT_EQ(meter.GetMean(Time(0)), 0);
    meter.Change(NanoSeconds(10), 0, 100);
    meter.Change(NanoSeconds(30), 100, 20);
    EXPECT_DOUBLE_EQ(meter.GetMean(NanoSeconds(30)), 2000.0 / 30);
    EXPECT_DOUBLE_EQ(meter.GetMean(NanoSeconds(50)), 2400.0 / 50);
}

} // namespace
} // namespace ns3::nfsrdma
