/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/scenario-file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::ElementsAre;

std::string
GetScenarioError(const std::string& text)
{
    try
    {
        ScenarioFile::Parse("a.ini", text);
    }
    catch (const ScenarioError& error)
    {
        return error.what();
    }
    return "no error";
}

TEST(ScenarioFileTest, KnowsTheLineOfEachEntry)
{
    const auto file = ScenarioFile::Parse("a.ini",
                                          "# a comment\n"
                                          "\n"
                                          "[cluster]\n"
                                          "clients = 4   # four = 4\n"
                                          "\r\n"
                                          "  [ link ]\n"
                                          "rate=25Gbps\n"
                                          "[sweep]\n"
                                          "  link.mtu = 1500, 9000\n");
    ASSERT_EQ(file.GetEntries().size(), 3U);
    EXPECT_EQ(file.GetEntries()[0].key, "cluster.clients");
    EXPECT_EQ(file.GetEntries()[0].value, "4");
    EXPECT_EQ(file.GetEntries()[0].origin.ToText(), "a.ini:4");
    EXPECT_EQ(file.GetEntries()[1].value, "25Gbps");
    EXPECT_EQ(file.GetEntries()[1].origin.line, 7U);
    EXPECT_EQ(file.GetEntries()[2].key, "sweep.link.mtu");
    EXPECT_EQ(file.GetEntries()[2].value, "1500, 9000");
    EXPECT_EQ(file.GetEntries()[2].origin.line, 9U);
}

TEST(ScenarioFileTest, RefusesLinesThatAreNeither)
{
    EXPECT_EQ(GetScenarioError("[cluster]\n\nclients\n"),
              "a.ini:3: got 'clients', expected '[section]' or 'key = value'");
    EXPECT_EQ(GetScenarioError("= 3\n"),
              "a.ini:1: got '= 3', expected '[section]' or 'key = value'");
}

TEST(ScenarioFileTest, RefusesAKeyGivenTwice)
{
    EXPECT_EQ(GetScenarioError("[link]\nmtu = 1\n[nfs]\nthreads = 2\n[link]\nmtu = 3\n"),
              "a.ini:6: link.mtu: got '3', expected each key once (it is also in line 2)");
}

TEST(ScenarioFileTest, RefusesWhatItCannotRead)
{
    EXPECT_THROW(ScenarioFile::Load("/nonexistent/a.ini"), ScenarioError);
    EXPECT_THROW(ScenarioFile::Load("/"), ScenarioError);
}

TEST(ScenarioFileTest, TakesNamesApart)
{
    const auto file = ScenarioFile::Parse("dir/a.b.ini", "");
    EXPECT_EQ(file.GetDirectory(), "dir");
    EXPECT_EQ(file.GetStem(), "a.b");
    EXPECT_EQ(ScenarioFile::Parse("a.ini", "").GetDirectory(), ".");
}

TEST(ScenarioFileTest, ReadsAssignments)
{
    const auto entry = ParseAssignment(" link.mtu = 9000", "--set");
    EXPECT_EQ(entry.key, "link.mtu");
    EXPECT_EQ(entry.value, "9000");
    EXPECT_EQ(entry.origin.ToText(), "--set");
    EXPECT_THROW(ParseAssignment("link.mtu", "--set"), ScenarioError);
    EXPECT_THROW(ParseAssignment("=9000", "--set"), ScenarioError);
}

TEST(ScenarioFileTest, SplitsLists)
{
    EXPECT_THAT(SplitList("a, b ,c"), ElementsAre("a", "b", "c"));
    EXPECT_THAT(SplitList("a"), ElementsAre("a"));
    EXPECT_THAT(SplitList(""), ElementsAre());
    EXPECT_THAT(SplitList("a,,b"), ElementsAre("a", "", "b"));
}

TEST(ScenarioErrorTest, KeepsToOneLine)
{
    const ScenarioError error("a.ini:3", "link.mtu", Quote("x\ny"), "an octet", "link.mtu");
    EXPECT_STREQ(error.what(),
                 "a.ini:3: link.mtu: got 'x?y', expected an octet; nearest key: link.mtu");
}

} // namespace

} // namespace ns3::nfsrdma
