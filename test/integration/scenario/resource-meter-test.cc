/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/resource-meter.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace ns3::nfsrdma
{

namespace
{

TEST(ResourceMeterTest, MeasuresNumberRateAndStay)
{
    ResourceMeter meter(2);
    meter.SetNumber(Seconds(1), 1);
    meter.Arrive();
    meter.SetNumber(Seconds(2), 2);
    meter.Arrive();
    meter.SetNumber(Seconds(4), 1);
    meter.Depart(Seconds(4), Seconds(3));
    meter.SetNumber(Seconds(5), 0);
    meter.Depart(Seconds(5), Seconds(3));
    const ResourceUse use = meter.GetUse(Seconds(10));
    EXPECT_EQ(use.arrivals, 2U);
    EXPECT_EQ(use.departures, 2U);
    EXPECT_EQ(use.peak, 2U);
    EXPECT_DOUBLE_EQ(use.number, 0.6);
    EXPECT_DOUBLE_EQ(use.arrivalRate, 0.2);
    EXPECT_DOUBLE_EQ(use.stay, 3);
    EXPECT_DOUBLE_EQ(use.utilisation, 0.3);
    EXPECT_EQ(meter.GetArea(Seconds(10)), meter.GetStays());
}

/// A source that tells a wrong number, or forgets who leaves, is found.
TEST(ResourceMeterTest, SourcesDoNotDependOnEachOther)
{
    ResourceMeter meter;
    meter.SetNumber(Seconds(0), 3);
    meter.Arrive();
    meter.SetNumber(Seconds(1), 0);
    meter.Depart(Seconds(1), Seconds(1));
    const ResourceUse use = meter.GetUse(Seconds(1));
    EXPECT_NE(use.number, use.arrivalRate * use.stay);
}

/// Begun anew while some are inside: exact when all have left.
TEST(ResourceMeterTest, LittlesLawHoldsAfterARestart)
{
    std::mt19937_64 random(5);
    for (int round = 0; round < 50; ++round)
    {
        std::multimap<int64_t, int64_t> changes; ///< When; stay of who leaves, or -1.
        for (int i = 0; i < 200; ++i)
        {
            const auto arrival = static_cast<int64_t>(random() % 100000);
            const auto stay = static_cast<int64_t>(random() % 20000);
            changes.emplace(arrival, -1);
            changes.emplace(arrival + stay, stay);
        }
        ResourceMeter meter;
        uint32_t number = 0;
        bool restarted = false;
        for (const auto& [when, stay] : changes)
        {
            const Time now = NanoSeconds(when);
            if (!restarted && when > 50000)
            {
                meter.Restart(NanoSeconds(50000));
                restarted = true;
            }
            if (stay < 0)
            {
                meter.SetNumber(now, ++number);
                meter.Arrive();
            }
            else
            {
                meter.SetNumber(now, --number);
                meter.Depart(now, NanoSeconds(stay));
            }
        }
        const Time end = NanoSeconds(changes.rbegin()->first);
        EXPECT_EQ(meter.GetArea(end), meter.GetStays());
        const ResourceUse use = meter.GetUse(end);
        EXPECT_EQ(use.arrivals, use.departures);
        EXPECT_NEAR(use.number, use.arrivalRate * use.stay, 1e-9);
    }
}

} // namespace

} // namespace ns3::nfsrdma
