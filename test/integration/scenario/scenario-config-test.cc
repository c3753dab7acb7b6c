/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenarios/simulator/config/scenario-config.h"
#include "scenarios/simulator/setup/scenario-check.h"
#include "scenarios/simulator/setup/workload-check.h"
#include "scenarios/simulator/setup/workload-input.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ScenarioConfigTest : public ::testing::Test
{
  protected:
    ScenarioConfigTest()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "nfsrdma-XXXXXX").string();
        m_directory = mkdtemp(pattern.data());
        m_path.directories = {m_directory, std::string(NFSRDMA_SOURCE_DIR) + "/scenarios"};
    }

    ~ScenarioConfigTest() override
    {
        std::filesystem::remove_all(m_directory);
    }

    void WriteFile(const std::string& name, const std::string& text) const
    {
        const auto path = std::filesystem::path(m_directory) / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }

    ScenarioConfig Resolve(const std::string& text) const
    {
        return {m_schema, m_path, ScenarioFile::Parse("a.ini", text).GetEntries()};
    }

    /// \return what is said about a scenario that is looked at in every way.
    std::string GetError(const std::string& text) const
    {
        try
        {
            const auto config = Resolve(text);
            CheckCombinations(config);
            CheckWorkload(config);
            WorkloadInput::Load(config, m_path);
        }
        catch (const ScenarioError& error)
        {
            return error.what();
        }
        return "no error";
    }

    std::string m_directory;
    ScenarioSchema m_schema{ScenarioSchema::Standard()};
    ScenarioPath m_path;
};

TEST_F(ScenarioConfigTest, UserBeatsProfileBeatsDefault)
{
    WriteFile("profiles/rnic/odd.ini", "[rnic]\ndoorbell = 7ns\nmax_ord = 3\n");
    const auto config = Resolve("[rnic]\nmax_ord = 5\nprofile = odd\n");
    EXPECT_EQ(config.Get("rnic.doorbell").AsTime(), NanoSeconds(7));
    EXPECT_EQ(config.Get("rnic.max_ord").AsInteger(), 5U);
    EXPECT_EQ(config.GetOrigin("rnic.max_ord").ToText(), "a.ini:2");
    EXPECT_THAT(config.GetOrigin("rnic.doorbell").ToText(), HasSubstr("odd.ini:2"));
    EXPECT_EQ(config.GetOrigin("rnic.max_ird").ToText(), "default");
}

TEST_F(ScenarioConfigTest, ProfilesAreCheckedByTheSchema)
{
    WriteFile("profiles/rnic/odd.ini", "[rnic]\n\ndorbell = 7ns\n");
    EXPECT_THAT(GetError("[rnic]\nprofile = odd\n"),
                HasSubstr("odd.ini:3: rnic.dorbell: got unknown key 'dorbell'"));
    WriteFile("profiles/rnic/odd.ini", "[link]\nmtu = 9000\n");
    EXPECT_THAT(GetError("[rnic]\nprofile = odd\n"),
                HasSubstr("odd.ini:2: link.mtu: got '9000', expected keys of section rnic"));
    EXPECT_THAT(
        GetError("[rnic]\nprofile = od\n"),
        StartsWith("a.ini:2: rnic.profile: got 'od', expected a profile of profiles/rnic: "
                   "chelsio-t5-40g, chelsio-t6-100g, generic-100g, generic-200g, generic-25g, "
                   "generic-400g, odd, rfc5044, software-iwarp"));
}

TEST_F(ScenarioConfigTest, EveryProfileThereIsResolves)
{
    for (const auto* kind : {"rnic", "rpcrdma", "storage"})
    {
        std::size_t count = 0;
        for (const auto& item : std::filesystem::directory_iterator(
                 std::string(NFSRDMA_SOURCE_DIR) + "/scenarios/profiles/" + kind))
        {
            ++count;
            EXPECT_EQ(GetError(std::string("[") + kind +
                               "]\nprofile = " + item.path().stem().string() + "\n"),
                      "no error");
        }
        EXPECT_GE(count, 1U);
    }
}

TEST_F(ScenarioConfigTest, IniReadsBackToTheSame)
{
    const auto config = Resolve("[cluster]\nclients = 3\n[link]\nrate = 2.5Gbps\n[rnic]\n"
                                "profile = software-iwarp\n[workload]\nthinktime = 1.5us\n");
    const auto ini = config.ToIni(m_path, "link.mtu = 1500, 9000\n");
    EXPECT_THAT(ini, HasSubstr("link.mtu = 1500, 9000\n"));
    const auto again = Resolve(config.ToIni(m_path, ""));
    for (std::size_t index = 0; index < m_schema.GetKeyCount(); ++index)
    {
        if (m_schema.GetFullName(index) != "workload.trace")
        {
            EXPECT_EQ(again.Get(index), config.Get(index)) << m_schema.GetFullName(index);
        }
    }
    EXPECT_EQ(Resolve(ini.substr(0, ini.find("link.mtu = 1500, 9000"))).Get("link.rate").AsRate(),
              DataRate(2'500'000'000));
}

TEST_F(ScenarioConfigTest, RefusesImpossibleCombinations)
{
    EXPECT_THAT(GetError("[link]\nmtu = 575\n"),
                StartsWith("a.ini:2: link.mtu: got '575', expected a size in octets such as 4096 "
                           "or 64KiB from 576B to 65535B"));
    EXPECT_EQ(GetError("[link]\nmtu = 576\n"), "no error");
    EXPECT_EQ(GetError("[middlebox]\nat = servers\nmtu = 575\n"),
              "a.ini:3: middlebox.mtu: got '575B', expected at least 576B, which every IPv4 host "
              "takes (RFC 791 section 3.1), or 0");
    EXPECT_EQ(GetError("[middlebox]\nat = servers\nmtu = 0\n"), "no error");
    EXPECT_EQ(GetError("[tcp]\nmin_rto = 1ms\n"),
              "a.ini:2: tcp.min_rto: got '1ms', expected longer than tcp.delayed_ack, so that no "
              "acknowledgment that waits looks like a loss");
    EXPECT_THAT(GetError("[rpcrdma]\ninline_threshold = 1500\n"),
                StartsWith("a.ini:2: rpcrdma.inline_threshold: got '1500B', expected a multiple of "
                           "1024 octets"));
    EXPECT_THAT(GetError("[rpcrdma]\ninline_threshold = 512KiB\n"),
                HasSubstr("from 1024B to 262144B"));
    EXPECT_THAT(GetError("[link]\nmtu = 9000\nswitch_queue = 4KiB\n"),
                StartsWith("a.ini:3: link.switch_queue: got '4096B', expected room for a frame"));
    EXPECT_THAT(GetError("[tcp]\nsend_buffer = 4KiB\n[link]\nmtu = 9000\n"),
                StartsWith("a.ini:2: tcp.send_buffer: "));
    EXPECT_THAT(GetError("[nfs]\ntransfer_size = 2MiB\n"),
                StartsWith("a.ini:2: nfs.transfer_size: got '2097152B', expected a multiple of "
                           "4096 of at most"));
    EXPECT_THAT(GetError("[cluster]\nservers = 0\n"), HasSubstr("from 1 to"));
}

TEST_F(ScenarioConfigTest, ResolvesHostsToCaptureAt)
{
    const std::string two = "[cluster]\nclients = 2\nservers = 2\n[output]\npcap = ";
    EXPECT_THAT(ResolvePcapHosts(Resolve(two + "none\n")), ElementsAre());
    EXPECT_THAT(ResolvePcapHosts(Resolve(two + "all\n")), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(ResolvePcapHosts(Resolve(two + "client-1, server-0, client-1\n")),
                ElementsAre(3, 0));
    EXPECT_EQ(GetError(two + "client-2\n"),
              "a.ini:5: output.pcap: got 'client-2', expected all, none, or hosts of the cluster; "
              "nearest host to 'client-2': client-0");
}

TEST_F(ScenarioConfigTest, RefusesTracesThatAreNotWhole)
{
    const std::string replay = "[workload]\nkind = replay\ntrace = t\n";
    EXPECT_THAT(GetError(replay),
                StartsWith("a.ini:3: workload.trace: got 't', expected a trace NAME with"));
    WriteFile("t.trace.csv", "# nfsrdma-trace 1\nnonsense\n");
    EXPECT_THAT(GetError(replay), HasSubstr("(no 't.tree.csv')"));
    WriteFile("t.tree.csv",
              "object,parent,name,type,mode,uid,gid,size,target,nlink,acl,default_acl\n");
    EXPECT_THAT(GetError(replay), HasSubstr("t.trace.csv:2: "));
    EXPECT_EQ(GetError("[workload]\nkind = replay\n"), "no error");
}

TEST_F(ScenarioConfigTest, RefusesMixesThatCannotRun)
{
    EXPECT_THAT(GetError("[workload]\noperation_mix = read:1,fly:2\n"),
                StartsWith("a.ini:2: workload.operation_mix: got 'read:1,fly:2', expected "));
    EXPECT_THAT(GetError("[workload]\nio_sizes = big:1\n"),
                StartsWith("a.ini:2: workload.io_sizes: got 'big:1', expected "));
    EXPECT_NE(GetError("[workload]\nkind = mix\noperations = 0\nduration = 0\n"), "no error");
}

TEST_F(ScenarioConfigTest, LooksForAPlaceToWriteWithoutMakingIt)
{
    EXPECT_NO_THROW(CheckWritable(m_directory + "/a/b", "--out"));
    EXPECT_FALSE(std::filesystem::exists(m_directory + "/a"));
    WriteFile("file", "");
    EXPECT_THROW(CheckWritable(m_directory + "/file", "--out"), ScenarioError);
    EXPECT_THROW(CheckWritable(m_directory + "/file/a", "--out"), ScenarioError);
}

} // namespace

} // namespace ns3::nfsrdma
