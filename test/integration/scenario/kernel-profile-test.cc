/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "integration/scenario/checked-scenario.h"
#include "scenarios/simulator/setup/host-settings.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <set>
#include <string>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string PROFILES = NFSRDMA_SOURCE_DIR "/scenarios/profiles/";

std::map<std::string, std::string>
Load(const std::string& profile)
{
    std::map<std::string, std::string> values;
    const auto file = ScenarioFile::Load(PROFILES + profile + ".ini");
    for (const auto& entry : file.GetEntries())
    {
        values[entry.key] = entry.value;
    }
    return values;
}

std::set<std::string>
ListKeys(const std::string& profile)
{
    std::set<std::string> keys;
    for (const auto& [key, value] : Load(profile))
    {
        keys.insert(key);
    }
    return keys;
}

/// Kernels, of all hosts and of some.
class KernelProfileTest : public CheckedScenarioTest
{
};

TEST_F(KernelProfileTest, GivesValuesOfSeveralSections)
{
    const auto config = Resolve("[kernel]\nprofile = linux-2026\n");
    EXPECT_EQ(config.Get("rpcrdma.profile").AsText(), "linux-2026");
    EXPECT_EQ(config.Get("rpcrdma.server_credits").AsInteger(), 128U) << "of that profile";
    EXPECT_EQ(config.Get("rpcrdma.client_receive_order").AsText(), "after-completion");
    EXPECT_EQ(config.Get("nfs.call_fetching").AsText(), "staged");
    EXPECT_FALSE(config.Get("host.server_queue_locked").AsBoolean());
    EXPECT_THAT(config.GetOrigin("nfs.call_fetching").ToText(), HasSubstr("linux-2026.ini:"));
    EXPECT_EQ(GetError("[kernel]\nprofile = linux-2026\n"), "no error")
        << "keys of the profile that do nothing here are not refused";
}

TEST_F(KernelProfileTest, IsWeakerThanWhatTheScenarioSays)
{
    const auto config = Resolve("[kernel]\nprofile = linux-6.1\n[nfs]\nsend_wait = false\n"
                                "[rpcrdma]\nprofile = linux-2026\nclient_backlog_delay = 1ms\n");
    EXPECT_FALSE(config.Get("nfs.send_wait").AsBoolean());
    EXPECT_EQ(config.Get("nfs.call_fetching").AsText(), "thread");
    EXPECT_EQ(config.Get("rpcrdma.profile").AsText(), "linux-2026");
    EXPECT_EQ(config.Get("rpcrdma.server_credits").AsInteger(), 128U);
    EXPECT_EQ(config.Get("rpcrdma.client_backlog_delay").AsTime(), MilliSeconds(1));
    EXPECT_EQ(config.Get("rpcrdma.client_receive_refill").AsText(), "awaited-replies");
}

TEST_F(KernelProfileTest, OfSomeClients)
{
    const std::string text = "[cluster]\nclients = 4\n[kernel]\nprofile = linux-2026\n"
                             "[kernel old]\nhosts = client-0..1\nprofile = linux-6.1\n"
                             "[rpcrdma]\nclient_slots = 32\n[rpcrdma old]\nclient_retries = 7\n";
    const auto config = Resolve(text);
    EXPECT_EQ(GetError(text), "no error");
    EXPECT_EQ(config.Get("rpcrdma old.hosts").AsText(), "client-0..1");
    EXPECT_EQ(config.Get("rpcrdma old.client_receive_batch").AsInteger(), 7U);
    EXPECT_EQ(config.Get("rpcrdma.client_receive_batch").AsInteger(), 32U);
    EXPECT_EQ(config.Get("rpcrdma old.client_backlog_delay").AsTime(), MilliSeconds(250));
    EXPECT_EQ(config.Get("rpcrdma old.client_slots").AsInteger(), 32U) << "the scenario's word";
    EXPECT_EQ(config.Get("rpcrdma old.client_retries").AsInteger(), 7U) << "the scenario's word";
    EXPECT_EQ(config.Get("nfs.call_fetching").AsText(), "staged") << "of all servers";
    const auto hosts = ResolveHostSettings(config);
    EXPECT_EQ(hosts.at(1).rpcrdmaSection, "rpcrdma old");
    EXPECT_EQ(hosts.at(3).rpcrdmaSection, "rpcrdma");
}

TEST_F(KernelProfileTest, PrintedIsReadBackToTheSame)
{
    const auto printed = Resolve("[cluster]\nclients = 4\n[kernel]\nprofile = linux-6.12\n"
                                 "[kernel new]\nhosts = client-3\nprofile = linux-2026\n")
                             .ToIni(m_path, "");
    EXPECT_THAT(printed, HasSubstr("[kernel new]\nhosts = client-3\nprofile = linux-2026\n"));
    EXPECT_THAT(printed, HasSubstr("[rpcrdma new]\nhosts = client-3\nprofile = linux-2026\n"));
    EXPECT_EQ(Resolve(printed).ToIni(m_path, ""), printed);
}

TEST_F(KernelProfileTest, WhatIsWrongIsOneLine)
{
    EXPECT_THAT(GetError("[kernel]\nprofile = linux-5\n"),
                StartsWith("a.ini:2: kernel.profile: got 'linux-5', expected a profile of "
                           "profiles/kernel: linux-2026, linux-6.1, linux-6.12"));
    EXPECT_THAT(GetError("[kernel old]\nprofile = linux-6.1\n"),
                StartsWith("a.ini:2: kernel old: got no key hosts, expected hosts = "));
    EXPECT_THAT(GetError("[kernel old]\nhosts = server-0\nprofile = linux-6.1\n"),
                StartsWith("a.ini:2: kernel old.hosts: got 'server-0', expected clients: servers"));
    EXPECT_THAT(GetError("[kernel old]\nhosts = client-0\nprofile = linux-6.1\n"
                         "[rpcrdma new]\nhosts = client-0\n"),
                HasSubstr("(client-0 is in both)"));
    EXPECT_THAT(GetError("[kernel]\nhosts = clients\n"),
                StartsWith("a.ini:2: kernel.hosts: got 'clients', expected this key in sections"));
}

/// A host of one kernel among those of another has nothing of theirs: what one profile says, each
/// does.
TEST_F(KernelProfileTest, AllSayTheSameKeys)
{
    EXPECT_EQ(ListKeys("kernel/linux-6.1"), ListKeys("kernel/linux-6.12"));
    EXPECT_EQ(ListKeys("kernel/linux-6.12"), ListKeys("kernel/linux-2026"));
    EXPECT_EQ(ListKeys("rpcrdma/linux-6.12"), ListKeys("rpcrdma/linux-2026"));
    const auto old = ListKeys("rpcrdma/linux-6.1");
    for (const auto& key : ListKeys("rpcrdma/linux-2026"))
    {
        EXPECT_EQ(old.count(key), 1U) << key;
    }
}

/// A profile of a user's own, with something wrong.
class WrongKernelTest : public CheckedScenarioTest
{
  protected:
    WrongKernelTest()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "nfsrdma-XXXXXX").string();
        m_directory = mkdtemp(pattern.data());
        std::filesystem::create_directories(m_directory + "/profiles/kernel");
        m_path.directories.insert(m_path.directories.begin(), m_directory);
    }

    ~WrongKernelTest() override
    {
        std::filesystem::remove_all(m_directory);
    }

    std::string GetErrorOf(const std::string& profile, const std::string& group = "") const
    {
        std::ofstream(m_directory + "/profiles/kernel/mine.ini") << profile;
        return GetError("[kernel" + group + "]\nprofile = mine\nhosts = " +
                        (group.empty() ? "all" : "client-0") + "\n");
    }

    std::string m_directory;
};

TEST_F(WrongKernelTest, IsRefusedByItsLine)
{
    EXPECT_THAT(GetErrorOf("[nfs]\n\ncall_fetchin = thread\n"),
                HasSubstr("mine.ini:3: nfs.call_fetchin: got unknown key 'call_fetchin'"));
    EXPECT_THAT(GetErrorOf("[nfs]\ncall_fetching = never\n", " old"),
                HasSubstr("mine.ini:2: nfs.call_fetching: got 'never', expected"));
    EXPECT_THAT(GetErrorOf("[workload]\nkind = fio\n"),
                HasSubstr("mine.ini:2: workload.kind: got 'fio', expected keys of sections tcp, "));
    EXPECT_THAT(GetErrorOf("[host]\nhosts = client-0\n"),
                HasSubstr("mine.ini:2: host.hosts: got 'client-0', expected keys of sections"));
    EXPECT_THAT(GetErrorOf("[rpcrdma]\nprofile = nowhere\n"),
                HasSubstr("mine.ini:2: rpcrdma.profile: got 'nowhere', expected a profile of "));
}

TEST_F(WrongKernelTest, OwnValuesAreStrongerThanThoseOfTheProfileItNames)
{
    const std::string text = "[rpcrdma]\nserver_credits = 9\nprofile = linux-2026\n";
    ASSERT_EQ(GetErrorOf(text), "no error");
    const auto config = Resolve("[kernel]\nprofile = mine\n");
    EXPECT_EQ(config.Get("rpcrdma.server_credits").AsInteger(), 9U);
    EXPECT_EQ(config.Get("rpcrdma.client_receive_batch").AsInteger(), 32U);
}

} // namespace

} // namespace ns3::nfsrdma
