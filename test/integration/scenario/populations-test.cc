/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/scenario-config.h"
#include "scenarios/simulator/config/scenario-file.h"
#include "scenarios/simulator/setup/client-list.h"
#include "scenarios/simulator/setup/shared-trees.h"
#include "scenarios/simulator/setup/workload-check.h"

#include <gmock/gmock.h>
#include <map>
#include <string>

namespace ns3::nfsrdma::test
{

namespace
{

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* FIVE_CLIENTS = "[cluster]\nclients = 5\n";

class PopulationsTest : public ::testing::Test
{
  protected:
    ScenarioConfig Resolve(const std::string& text) const
    {
        return {m_schema, m_path, ScenarioFile::Parse("a.ini", text).GetEntries()};
    }

    /// \return what is said about a scenario of five clients.
    std::string GetError(const std::string& text) const
    {
        try
        {
            CheckWorkload(Resolve(FIVE_CLIENTS + text));
        }
        catch (const ScenarioError& error)
        {
            return error.what();
        }
        return "no error";
    }

    ScenarioSchema m_schema{ScenarioSchema::Standard()};
    ScenarioPath m_path{{std::string(NFSRDMA_SOURCE_DIR) + "/scenarios"}};
};

TEST_F(PopulationsTest, OneSectionIsForAllClients)
{
    const auto config = Resolve(FIVE_CLIENTS);
    EXPECT_THAT(config.GetWorkloadSections(), ElementsAre("workload"));
    EXPECT_THAT(ResolveClients(config, "workload"), ElementsAre(0, 1, 2, 3, 4));
}

TEST_F(PopulationsTest, NamedSectionsStandInItsPlace)
{
    const auto config =
        Resolve(std::string(FIVE_CLIENTS) + "[workload b]\nkind = fio\nclients = 0-2,4\nbs = 8KiB\n"
                                            "[workload a]\nkind = mdtest\nclients = 3\n");
    EXPECT_THAT(config.GetWorkloadSections(), ElementsAre("workload b", "workload a"));
    EXPECT_THAT(ResolveClients(config, "workload b"), ElementsAre(0, 1, 2, 4));
    EXPECT_EQ(config.Get("workload b.bs").AsInteger(), 8192U);
    EXPECT_EQ(config.Get("workload a.bs").AsInteger(), 4096U);
    EXPECT_EQ(config.Get("workload.kind").AsText(), "none");
}

TEST_F(PopulationsTest, ASectionForAllRunsBesideWhenItSaysItsKind)
{
    const auto config = Resolve("[workload]\nkind = mix\n[workload a]\nkind = fio\n");
    EXPECT_THAT(config.GetWorkloadSections(), ElementsAre("workload", "workload a"));
}

TEST_F(PopulationsTest, WhatIsPrintedResolvesToTheSame)
{
    const auto config =
        Resolve(std::string(FIVE_CLIENTS) + "[workload b]\nkind = fio\nclients = 0-2\nbs = 8KiB\n"
                                            "[workload a]\nkind = replay\nclients = 3\n");
    const auto printed = config.ToIni(m_path, "");
    EXPECT_EQ(Resolve(printed).ToIni(m_path, ""), printed);
}

TEST_F(PopulationsTest, SeveralWorkloadsMayShareAClient)
{
    EXPECT_EQ(GetError("[workload a]\nkind = fio\n[workload b]\nkind = mdtest\nclients = 2-3\n"),
              "no error");
}

TEST_F(PopulationsTest, ClientsAreChecked)
{
    const auto with = [this](const std::string& clients) {
        return GetError("[workload a]\nkind = fio\nclients = " + clients + "\n");
    };
    EXPECT_THAT(with("0-5"),
                HasSubstr("a.ini:5: workload a.clients: got '0-5', expected clients from 0 to 4"));
    EXPECT_THAT(with("0-2,1"), HasSubstr("expected each client once (1 is twice)"));
    for (const char* wrong : {"2-1", "x", "1,,2", "-1", "none"})
    {
        EXPECT_THAT(with(wrong), HasSubstr("expected all, numbers and ranges such as 0-3,7, or"))
            << wrong;
    }
    for (const char* wrong : {"0%", "101%", "%", "x%", "next", "next 0", "next x"})
    {
        EXPECT_THAT(with(wrong), HasSubstr("expected all, numbers and ranges")) << wrong;
    }
    EXPECT_THAT(with("next 6"), HasSubstr("expected no more than the 5 clients"));
    EXPECT_THAT(with("5%"), HasSubstr("expected a share that is at least one of 5 clients"));
}

TEST_F(PopulationsTest, PopulationsMaySayHowMany)
{
    const auto config = Resolve("[cluster]\nclients = 10\n"
                                "[workload a]\nkind = fio\nclients = 25%\n"
                                "[workload b]\nkind = mdtest\nclients = 4,9\n"
                                "[workload c]\nkind = fio\nclients = 25%\n"
                                "[workload d]\nkind = fio\nclients = next 2\n"
                                "[workload e]\nkind = fio\nclients = rest\n"
                                "[workload f]\nkind = fio\nclients = all\n");
    EXPECT_THAT(ResolveClients(config, "workload a"), ElementsAre(0, 1, 2));
    EXPECT_THAT(ResolveClients(config, "workload b"), ElementsAre(4, 9));
    EXPECT_THAT(ResolveClients(config, "workload c"), ElementsAre(3, 5));
    EXPECT_THAT(ResolveClients(config, "workload d"), ElementsAre(6, 7));
    EXPECT_THAT(ResolveClients(config, "workload e"), ElementsAre(8));
    EXPECT_EQ(ResolveClients(config, "workload f").size(), 10U);
}

TEST_F(PopulationsTest, NoMoreClientsThanThereAre)
{
    EXPECT_THAT(GetError("[workload a]\nkind = fio\nclients = next 4\n"
                         "[workload b]\nkind = fio\nclients = next 2\n"),
                HasSubstr("workload b.clients: got 'next 2', expected no more than the 1 clients "
                          "that no section above has"));
    EXPECT_THAT(GetError("[workload a]\nkind = fio\n[workload b]\nkind = fio\nclients = rest\n"),
                HasSubstr("expected no more than the 0 clients"));
    EXPECT_THAT(GetError("[workload a]\nkind = fio\nclients = 60%\n"
                         "[workload b]\nkind = fio\nclients = 60%\n"),
                HasSubstr("expected shares of 100% in all at most"));
}

TEST_F(PopulationsTest, KindsAndTheirKeysAreChecked)
{
    EXPECT_THAT(GetError("[workload a]\nkind = fish\n"),
                HasSubstr("a.ini:4: workload.kind: got 'fish', expected one of"));
    EXPECT_THAT(GetError("[workload a]\nkind = fio\nbranch = 3\n"),
                HasSubstr("a.ini:5: workload a.branch: got '3', expected keys of kind fio"));
    EXPECT_THAT(GetError("[workload a]\nkind = fio\nstart_spread = 1ms\n"),
                HasSubstr("expected this key in [workload] alone"));
    EXPECT_THAT(GetError("[workload a]\nkind = fio\nbz = 3\n"), HasSubstr("unknown key 'bz'"));
    EXPECT_THAT(GetError("[workload a]\nkind = none\n"), HasSubstr("workload a.kind"));
    EXPECT_THAT(GetError("[workload]\nkind = none\n"), HasSubstr("workload.kind"));
    EXPECT_THAT(GetError("[workload]\nkind = fio\n[workload fio]\nkind = acl\n"),
                HasSubstr("expected another name"));
}

TEST_F(PopulationsTest, KeysMustFitTogether)
{
    EXPECT_THAT(GetError("[workload a]\nkind = acl\n"),
                HasSubstr("a.ini:4: workload a.kind: got 'acl', expected workload a.requests or "
                          "workload a.runtime above 0"));
    EXPECT_THAT(GetError("[workload a]\nkind = fio\narrivals = poisson\n"),
                HasSubstr("expected workload a.arrival_rate above 0"));
    EXPECT_THAT(GetError("[workload a]\nkind = fio\nbssplit = 4k:1\n"),
                HasSubstr("workload a.bssplit: got '4k:1'"));
}

TEST_F(PopulationsTest, AClientReplaysOneRecording)
{
    EXPECT_THAT(GetError("[workload a]\nkind = replay\n[workload b]\nkind = replay\nclients = 4\n"),
                HasSubstr("workload b.clients: got '4', expected one replay of a client"));
    EXPECT_THAT(GetError("[workload a]\nkind = replay\nclients = 0\n"
                         "[workload b]\nkind = replay\nclients = 4\n"),
                "no error");
}

TEST_F(PopulationsTest, ClientsOfAServerShareATreeOrAnAmountOfThemEach)
{
    using Trees = std::map<uint32_t, std::string>;
    const auto find = [this](const std::string& text) {
        return ResolveSharedTrees(Resolve(FIVE_CLIENTS + text));
    };
    EXPECT_EQ(find("[workload]\nkind = mix\n"), Trees());
    EXPECT_EQ(
        find("servers = 2\n[workload a]\nclients = 0-3\nexports = shared\n"
             "[workload b]\nclients = 4\nexports = own\n"),
        (Trees{{0, "shared-tree"}, {1, "shared-tree"}, {2, "shared-tree"}, {3, "shared-tree"}}));
    EXPECT_EQ(find("servers = 2\n[workload]\nexports = shared by 2\n"),
              (Trees{{0, "shared-tree-0-by-2"},
                     {1, "shared-tree-0-by-2"},
                     {2, "shared-tree-0-by-2"},
                     {3, "shared-tree-0-by-2"},
                     {4, "shared-tree-1-by-2"}}))
        << "clients 0, 2 and 4 are those of server 0";
}

TEST_F(PopulationsTest, TreesThatCannotBeSharedAreRefused)
{
    for (const char* wrong : {"both", "shared by 0", "shared by", "shared by two", "shared by -1"})
    {
        EXPECT_THAT(GetError(std::string("[workload]\nexports = ") + wrong + "\n"),
                    HasSubstr(std::string("a.ini:4: workload.exports: got '") + wrong +
                              "', expected own, shared, or shared by N"));
    }
    EXPECT_THAT(
        GetError("[workload]\nkind = replay\nexports = shared\n"),
        HasSubstr("a.ini:5: workload.exports: got 'shared', expected own, since a replay fills"));
    EXPECT_THAT(GetError("[workload a]\nexports = shared\n[workload b]\nexports = shared by 2\n"),
                HasSubstr("a.ini:6: workload b.exports: got 'shared by 2', expected shared, as of "
                          "[workload a]: the "
                          "workloads of client 0 have one mount"));
    EXPECT_THAT(GetError("[workload]\ndirectory = a/b\n"),
                HasSubstr("a.ini:4: workload.directory: got 'a/b', expected a name"));
}

} // namespace

} // namespace ns3::nfsrdma::test
