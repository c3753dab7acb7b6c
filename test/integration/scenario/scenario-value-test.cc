/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/keys/key-makers.h"
#include "scenarios/simulator/keys/scenario-value.h"

#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

ScenarioValue
Parse(const ScenarioConstraint& constraint, const std::string& text)
{
    const auto value = ScenarioValue::Parse(constraint, text);
    EXPECT_TRUE(value.has_value()) << text;
    return value.value_or(ScenarioValue());
}

bool
IsRefused(const ScenarioConstraint& constraint, const std::string& text)
{
    return !ScenarioValue::Parse(constraint, text).has_value();
}

TEST(ScenarioValueTest, ReadsTimesExactly)
{
    EXPECT_EQ(Parse(Duration(), "500ns").AsTime(), NanoSeconds(500));
    EXPECT_EQ(Parse(Duration(), "1.5 us").AsTime(), NanoSeconds(1500));
    EXPECT_EQ(Parse(Duration(), "0.1us").AsTime(), NanoSeconds(100));
    EXPECT_EQ(Parse(Duration(), "2min").AsTime(), Seconds(120));
    EXPECT_EQ(Parse(Duration(), "1h").AsTime(), Seconds(3600));
    EXPECT_EQ(Parse(Duration(), "0").AsTime(), Time(0));
}

TEST(ScenarioValueTest, RefusesTimesThatAreNone)
{
    for (const auto* text : {"",
                             "5",
                             "ns",
                             "-1ns",
                             "1.5ns",
                             "1.0005us",
                             "1..5us",
                             ".5us",
                             "5.us",
                             "5 parsecs",
                             "1e3ns",
                             "99999999999h",
                             "5ns ",
                             "0x5ns"})
    {
        EXPECT_TRUE(IsRefused(Duration(), text)) << text;
    }
}

TEST(ScenarioValueTest, ReadsRates)
{
    EXPECT_EQ(Parse(Rate(1), "25Gbps").AsRate(), DataRate(25'000'000'000));
    EXPECT_EQ(Parse(Rate(1), "2.5Gb/s").AsRate(), DataRate(2'500'000'000));
    EXPECT_EQ(Parse(Rate(1), "9600bps").AsRate(), DataRate(9600));
    EXPECT_TRUE(IsRefused(Rate(1), "25"));
    EXPECT_TRUE(IsRefused(Rate(1), "25GBps"));
    EXPECT_TRUE(IsRefused(Rate(1000), "1bps"));
}

TEST(ScenarioValueTest, ReadsSizes)
{
    EXPECT_EQ(Parse(Size(), "4096").AsInteger(), 4096U);
    EXPECT_EQ(Parse(Size(), "4 KiB").AsInteger(), 4096U);
    EXPECT_EQ(Parse(Size(), "1.5MiB").AsInteger(), 1572864U);
    EXPECT_TRUE(IsRefused(Size(), "4kB"));
    EXPECT_TRUE(IsRefused(Size(), "1.5"));
    EXPECT_TRUE(IsRefused(Size(1, 100), "101"));
}

TEST(ScenarioValueTest, ReadsNumbersAndWords)
{
    EXPECT_EQ(Parse(Integer(1, 9), "9").AsInteger(), 9U);
    for (const auto* text : {"0", "10", "-1", "1.0", "one", "", "1 "})
    {
        EXPECT_TRUE(IsRefused(Integer(1, 9), text)) << text;
    }
    EXPECT_DOUBLE_EQ(Parse(Real(0), "0.25").AsReal(), 0.25);
    EXPECT_TRUE(IsRefused(Real(0), "-0.25"));
    EXPECT_TRUE(IsRefused(Real(0), "nan"));
    EXPECT_TRUE(IsRefused(Real(0), "inf"));
    EXPECT_TRUE(Parse(Boolean(), "on").AsBoolean());
    EXPECT_FALSE(Parse(Boolean(), "false").AsBoolean());
    EXPECT_TRUE(IsRefused(Boolean(), "maybe"));
    EXPECT_EQ(Parse(Choice({"mix", "replay"}), "mix").AsText(), "mix");
    EXPECT_TRUE(IsRefused(Choice({"mix", "replay"}), "Mix"));
}

TEST(ScenarioValueTest, PrintsWhatItReads)
{
    const std::vector<std::pair<ScenarioConstraint, std::string>> cases{
        {Duration(), "1500ns"},
        {Duration(), "2us"},
        {Duration(), "3h"},
        {Duration(), "0ns"},
        {Rate(0), "100Gbps"},
        {Rate(0), "0bps"},
        {Rate(0), "1500kbps"},
        {Size(), "65536B"},
        {Integer(0), "12"},
        {Real(0), "0.1"},
        {Boolean(), "true"},
        {Text(), "a, b"},
    };
    for (const auto& [constraint, text] : cases)
    {
        const auto value = Parse(constraint, text);
        EXPECT_EQ(value.ToText(), text);
        EXPECT_EQ(Parse(constraint, value.ToText()), value);
    }
}

TEST(ScenarioValueTest, GivesBaseUnitsForTables)
{
    EXPECT_EQ(Parse(Size(), "4KiB").ToBaseUnits(), "4096");
    EXPECT_EQ(Parse(Rate(0), "100Gbps").ToBaseUnits(), "100000000000");
    EXPECT_EQ(Parse(Duration(), "20us").ToBaseUnits(), "2e-05");
    EXPECT_EQ(Parse(Integer(0), "7").ToBaseUnits(), "7");
}

TEST(ScenarioValueTest, SaysWhatIsExpected)
{
    EXPECT_EQ(Integer(1, 9).Describe(), "a whole number from 1 to 9");
    EXPECT_EQ(Duration(1).Describe(),
              "a time such as 500ns, 10us or 1.5s, in whole ns from 1ns to 1000h");
    EXPECT_EQ(Choice({"a", "b"}).Describe(), "one of a, b");
}

} // namespace

} // namespace ns3::nfsrdma
