/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/request-log.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

/// Requests, two of which arrive before the window of 100 to 200 us, and two end after it.
class RequestLogTest : public ::testing::Test
{
  protected:
    void SetUp() override
    {
        Add("read", 10, 90, true);    // before
        Add("read", 95, 110, true);   // ends inside
        Add("read", 100, 120, true);  // all inside
        Add("read", 190, 250, true);  // arrives inside
        Add("read", 150, 160, false); // an error
        Add("write", 210, 220, true); // after
    }

    void Add(const char* item, uint32_t arrived, uint32_t ended, bool ok)
    {
        m_log.Add(item, MicroSeconds(arrived), MicroSeconds(ended), 1000, ok);
    }

    RequestLog m_log;
};

TEST_F(RequestLogTest, RatesCountWhatEndsAndLatenciesWhatArrivesInside)
{
    const auto results = m_log.Summarize({MicroSeconds(100), MicroSeconds(200)});
    ASSERT_EQ(results.size(), 1U);
    const auto& read = results[0];
    EXPECT_EQ(read.item, "read");
    EXPECT_EQ(read.attempts, 3U);
    EXPECT_EQ(read.operations, 2U);
    EXPECT_EQ(read.errors, 1U);
    EXPECT_EQ(read.octets, 2000U);
    EXPECT_EQ(read.duration, MicroSeconds(100));
    EXPECT_DOUBLE_EQ(read.GetRate(), 20000);
    EXPECT_EQ(read.latency.GetCount(), 2U);
    EXPECT_EQ(read.latency.GetMinimum(), MicroSeconds(20));
    EXPECT_EQ(read.latency.GetMaximum(), MicroSeconds(60));
}

TEST_F(RequestLogTest, AWindowWithoutEndHasAllThatArrivesFromItsBegin)
{
    const auto results = m_log.Summarize({MicroSeconds(0), MicroSeconds(250)});
    ASSERT_EQ(results.size(), 2U);
    EXPECT_EQ(results[0].attempts, 5U);
    EXPECT_EQ(results[0].latency.GetCount(), 4U);
    EXPECT_EQ(results[1].item, "write");
    EXPECT_EQ(results[1].operations, 1U);
}

TEST_F(RequestLogTest, AnItemMayHaveItsOwnTime)
{
    m_log.SetSpan("read", MicroSeconds(90), MicroSeconds(150));
    const auto results = m_log.Summarize({MicroSeconds(100), MicroSeconds(200)});
    ASSERT_EQ(results.size(), 1U);
    EXPECT_EQ(results[0].duration, MicroSeconds(50));
}

TEST_F(RequestLogTest, NothingIsMeasuredInAWindowThatEndsBeforeItBegins)
{
    EXPECT_TRUE(m_log.Summarize({MicroSeconds(300), MicroSeconds(250)}).empty());
}

} // namespace
} // namespace ns3::nfsrdma
