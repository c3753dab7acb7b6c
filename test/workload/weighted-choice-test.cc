/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload/generate/weighted-choice.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma::test
{

TEST(WeightedChoice, EachItemHasItsShare)
{
    const auto choice = WeightedChoice::Parse("a:2,b:0,c:3");
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->GetTotal(), 5U);
    std::string chosen;
    for (uint64_t draw = 0; draw < choice->GetTotal(); ++draw)
    {
        chosen += choice->GetItems()[choice->Choose(draw)].name;
    }
    EXPECT_EQ(chosen, "aaccc");
}

TEST(WeightedChoice, SaysWhatIsWrong)
{
    const auto error = [](const char* text) {
        const auto choice = WeightedChoice::Parse(text);
        return choice ? "no error" : choice.error();
    };
    EXPECT_EQ(error("a:2,b"), "expected NAME:WEIGHT with a whole number, found 'b'");
    EXPECT_EQ(error("a:x"), "expected NAME:WEIGHT with a whole number, found 'a:x'");
    EXPECT_EQ(error(":1"), "expected NAME:WEIGHT with a whole number, found ':1'");
    EXPECT_EQ(error("a:1,"), "expected NAME:WEIGHT with a whole number, found ''");
    EXPECT_EQ(error("a:1,a:2"), "expected each name once, found 'a' twice");
    EXPECT_EQ(error("a:0"), "expected at least one NAME:WEIGHT with a weight above 0");
    EXPECT_EQ(error(""), "expected at least one NAME:WEIGHT with a weight above 0");
}

} // namespace ns3::nfsrdma::test
