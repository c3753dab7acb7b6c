/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/explore/event-order.h"

#include <gtest/gtest.h>
#include <string>

namespace ns3::nfsrdma
{
namespace
{

TEST(EventOrderTest, ATextOfMovesComesBackAsItWas)
{
    const std::string text = "hold at 120 for 3; advance FaultInjector 0 to 150; lose at 160; "
                             "double at 161; delay at 162 for 2";
    const auto order = ParseEventOrder(text);
    ASSERT_TRUE(order);
    ASSERT_EQ(order->size(), 5U);
    EXPECT_EQ(order->at(0), (EventMove{EventMove::Kind::HOLD, 120, 3, ""}));
    EXPECT_EQ(order->at(1), (EventMove{EventMove::Kind::ADVANCE, 150, 0, "FaultInjector"}));
    EXPECT_EQ(order->at(2), (EventMove{EventMove::Kind::LOSE, 160, 0, ""}));
    EXPECT_EQ(order->at(3), (EventMove{EventMove::Kind::DOUBLE, 161, 0, ""}));
    EXPECT_EQ(order->at(4), (EventMove{EventMove::Kind::DELAY, 162, 2, ""}));
    EXPECT_EQ(ToText(*order), text);
}

TEST(EventOrderTest, NoneIsTheOrderOfTimes)
{
    const auto order = ParseEventOrder("none");
    ASSERT_TRUE(order);
    EXPECT_TRUE(order->empty());
    EXPECT_EQ(ToText(*order), "none");
}

class EventOrderErrorTest : public ::testing::TestWithParam<const char*>
{
};

TEST_P(EventOrderErrorTest, IsRefusedWithAnExample)
{
    const auto order = ParseEventOrder(GetParam());
    ASSERT_FALSE(order);
    EXPECT_NE(order.error().find("hold at 120 for 3"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Texts,
                         EventOrderErrorTest,
                         ::testing::Values("",
                                           "hold",
                                           "hold at x for 3",
                                           "hold at 1 for 0",
                                           "hold at 1 for 2 more",
                                           "hold at 1 by 2",
                                           "drop at 1 for 2",
                                           "advance 0 to 1",
                                           "lose at 1 for 2",
                                           "double 1",
                                           "delay at 1",
                                           "delay at 1 for 0",
                                           "advance FaultInjector 0 at 1",
                                           "hold at 9 for 1; hold at 9 for 1",
                                           "hold at 9 for 1; hold at 8 for 1",
                                           "hold at 9999999999999999999 for 1"));

} // namespace
} // namespace ns3::nfsrdma
