/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "integration/scenario/checked-scenario.h"
#include "scenarios/simulator/setup/fault-plan.h"
#include "scenarios/simulator/setup/host-settings.h"

#include <gmock/gmock.h>
#include <string>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* FOUR_CLIENTS = "[cluster]\nclients = 4\n";

/// Sections with names: what they say, and which hosts they speak of.
class NamedSectionsTest : public CheckedScenarioTest
{
  protected:
    ScenarioConfig Resolve(const std::string& text) const
    {
        return CheckedScenarioTest::Resolve(FOUR_CLIENTS + text);
    }

    std::string GetError(const std::string& text) const
    {
        return CheckedScenarioTest::GetError(FOUR_CLIENTS + text);
    }
};

TEST_F(NamedSectionsTest, PoliciesOfSomeHosts)
{
    const auto config = Resolve("[rpcrdma]\nclient_slots = 32\n[rpcrdma new]\nhosts = client-1..2\n"
                                "client_read_chunk_extension = true\n");
    EXPECT_THAT(config.GetGroupSections("rpcrdma"), ElementsAre("rpcrdma new"));
    EXPECT_TRUE(config.Get("rpcrdma new.client_read_chunk_extension").AsBoolean());
    EXPECT_FALSE(config.Get("rpcrdma.client_read_chunk_extension").AsBoolean());
    EXPECT_EQ(config.Get("rpcrdma new.client_slots").AsInteger(), 32U) << "as [rpcrdma] says";
    std::vector<std::string> sections;
    for (const auto& host : ResolveHostSettings(config))
    {
        sections.push_back(host.rpcrdmaSection);
    }
    EXPECT_THAT(sections,
                ElementsAre("rpcrdma", "rpcrdma", "rpcrdma new", "rpcrdma new", "rpcrdma"));
}

TEST_F(NamedSectionsTest, AProfileOfSomeHosts)
{
    const std::string text = "[rpcrdma new]\nhosts = client-0\nprofile = read-chunk-replies\n"
                             "client_pull_notice = outstanding-until-reply\n";
    const auto config = Resolve(text);
    EXPECT_TRUE(config.Get("rpcrdma new.client_read_chunk_extension").AsBoolean());
    EXPECT_EQ(config.Get("rpcrdma new.client_pull_notice").AsText(), "outstanding-until-reply");
    EXPECT_FALSE(config.Get("rpcrdma.client_read_chunk_extension").AsBoolean());
    EXPECT_EQ(GetError(text), "no error") << "keys of servers in the profile do not matter";
    EXPECT_THAT(GetError("[rpcrdma new]\nhosts = client-0\nprofile = old\n"),
                StartsWith("a.ini:5: rpcrdma new.profile: got 'old', expected a profile of "
                           "profiles/rpcrdma: "));
}

TEST_F(NamedSectionsTest, PrintedOnesReadBackToTheSame)
{
    const auto config = Resolve("[rpcrdma new]\nhosts = clients\nclient_slots = 7\n"
                                "[link slow]\nhosts = client-3\nrate = 1Gbps\n");
    const auto printed = config.ToIni({}, "");
    EXPECT_THAT(printed, HasSubstr("[rpcrdma new]\nhosts = clients\nclient_slots = 7\n"));
    const ScenarioConfig again(m_schema,
                               {{std::string(NFSRDMA_SOURCE_DIR) + "/scenarios"}},
                               ScenarioFile::Parse("b.ini", printed).GetEntries());
    EXPECT_EQ(again.ToIni({}, ""), printed);
}

TEST_F(NamedSectionsTest, WhatTheyMayNotSayIsRefusedByLine)
{
    EXPECT_THAT(GetError("[rpcrdma new]\nclient_slots = 7\n"),
                StartsWith("a.ini:4: rpcrdma new: got no key hosts, expected "));
    EXPECT_THAT(GetError("[rpcrdma]\nhosts = clients\n"),
                StartsWith("a.ini:4: rpcrdma.hosts: got 'clients', expected this key in sections "
                           "[rpcrdma NAME] alone"));
    EXPECT_THAT(GetError("[rpcrdma a]\nhosts = clients\n[rpcrdma b]\nhosts = client-2\n"),
                StartsWith("a.ini:6: rpcrdma b.hosts: got 'client-2', expected hosts that "
                           "[rpcrdma a] does not name (client-2 is in both)"));
    EXPECT_THAT(
        GetError("[rpcrdma a]\nhosts = client-9\n"),
        StartsWith("a.ini:4: rpcrdma a.hosts: got 'client-9', expected hosts of the cluster"));
    EXPECT_THAT(GetError("[rpcrdma a]\nhosts = servers\nclient_slots = 7\n"),
                StartsWith("a.ini:5: rpcrdma a.client_slots: got '7', expected no key of clients"));
    EXPECT_THAT(
        GetError("[rpcrdma a]\nhosts = clients\nserver_credits = 7\n"),
        StartsWith("a.ini:5: rpcrdma a.server_credits: got '7', expected no key of servers"));
    EXPECT_EQ(GetError("[rpcrdma a]\nhosts = all\nserver_credits = 7\nclient_slots = 7\n"),
              "no error");
    EXPECT_THAT(GetError("[rpcrdma a]\nhosts = clients\nclient_slot = 7\n"),
                HasSubstr("unknown key 'client_slot'"));
}

TEST_F(NamedSectionsTest, LimitsAreThoseOfTheHost)
{
    EXPECT_THAT(GetError("[rnic small]\nhosts = client-1\nmax_queue_depth = 300\n"
                         "[rpcrdma many]\nhosts = client-0..1\nclient_slots = 400\n"),
                StartsWith("a.ini:8: rpcrdma many.client_slots: got '400', expected at most "
                           "rnic.max_queue_depth, 300"));
    EXPECT_EQ(GetError("[rnic small]\nhosts = client-1\nmax_queue_depth = 300\n"
                       "[rpcrdma many]\nhosts = client-2..3\nclient_slots = 400\n"),
              "no error");
    EXPECT_THAT(GetError("[rpcrdma few]\nhosts = client-1\nclient_max_data_pages = 17\n"),
                HasSubstr("expected a multiple of 4096 of at most rpcrdma "
                          "few.client_max_data_pages - 1 pages, 65536B"));
}

TEST_F(NamedSectionsTest, FaultsOfReadChunksNeedAPairThatAgrees)
{
    const auto getScene = [this](const std::string& text) {
        const auto config = Resolve(text);
        return GetFaultScene(config, ResolveHostSettings(config));
    };
    const std::string server = "[rpcrdma]\nserver_read_chunk_extension = true\n"
                               "server_read_chunk_policy = when-needed\n";
    EXPECT_FALSE(getScene(server).readChunks);
    EXPECT_TRUE(getScene(server + "[rpcrdma new]\nhosts = client-3\n"
                                  "client_read_chunk_extension = true\n")
                    .readChunks);
    EXPECT_TRUE(getScene("").remoteInvalidation);
    EXPECT_FALSE(getScene("[rpcrdma old]\nhosts = clients\n"
                          "client_remote_invalidation = false\n")
                     .remoteInvalidation);
}

} // namespace

} // namespace ns3::nfsrdma
