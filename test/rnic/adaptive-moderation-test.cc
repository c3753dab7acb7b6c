/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rnic/hardware/adaptive-moderation.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{
namespace
{

class AdaptiveModerationTest : public ::testing::Test
{
  protected:
    /// A measurement: events \p interval apart of \p completions each.
    void Measure(Time interval, uint64_t completions)
    {
        for (uint32_t i = 0; i <= AdaptiveModeration::EVENTS; ++i)
        {
            m_now += interval;
            if (m_moderation.Event(m_now, completions))
            {
                return;
            }
        }
    }

    AdaptiveModeration m_moderation;
    Time m_now;
};

TEST_F(AdaptiveModerationTest, BeginsWithoutModeration)
{
    EXPECT_EQ(m_moderation.GetProfile().count, 1U);
}

TEST_F(AdaptiveModerationTest, ASteadyQueueOfOneCompletionAnEventStaysThere)
{
    for (int i = 0; i < 10; ++i)
    {
        Measure(MicroSeconds(50), 1);
    }
    EXPECT_EQ(m_moderation.GetIndex(), 0U);
}

TEST_F(AdaptiveModerationTest, RisingRatesLeadToLongerPeriods)
{
    for (int64_t rate = 1; m_moderation.GetIndex() + 1 < AdaptiveModeration::PROFILES; ++rate)
    {
        ASSERT_LT(rate, 30);
        Measure(MicroSeconds(10), static_cast<uint64_t>(1) << rate);
    }
    EXPECT_EQ(m_moderation.GetProfile().period, MicroSeconds(32));
    EXPECT_EQ(m_moderation.GetProfile().count, 32U);
}

TEST_F(AdaptiveModerationTest, AWorseRateTurnsRound)
{
    Measure(MicroSeconds(10), 4);
    Measure(MicroSeconds(10), 8);
    Measure(MicroSeconds(10), 16);
    ASSERT_EQ(m_moderation.GetIndex(), 2U);
    Measure(MicroSeconds(10), 8);
    EXPECT_EQ(m_moderation.GetIndex(), 1U);
    Measure(MicroSeconds(10), 16);
    EXPECT_EQ(m_moderation.GetIndex(), 0U) << "better, so it goes on that way";
}

TEST_F(AdaptiveModerationTest, FewCompletionsOfAnEventStartAgainWithTheFirstProfile)
{
    Measure(MicroSeconds(10), 2);
    for (uint64_t count : {4, 8, 16, 32})
    {
        Measure(MicroSeconds(10), count);
    }
    ASSERT_EQ(m_moderation.GetIndex(), 4U);
    Measure(MicroSeconds(10), 1);
    Measure(MicroSeconds(10), 1);
    EXPECT_EQ(m_moderation.GetIndex(), 0U) << "one completion of an event is not worth 4 us";
}

} // namespace
} // namespace ns3::nfsrdma
