/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ini-text.h"
#include "keys-fixture.h"
#include "scenarios/simulator/config/scenario-catalogue.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <set>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// What a key depends on: every condition names keys and values that there are.
TEST_F(KeysTest, ConditionsAreAboutKeysAndValuesThatThereAre)
{
    for (std::size_t index = 0; index < m_schema.GetKeyCount(); ++index)
    {
        for (const auto& clause : m_schema.GetCondition(index).GetClauses())
        {
            for (const auto& alternative : clause)
            {
                if (alternative.relation == KeyCondition::Relation::NEVER)
                {
                    continue;
                }
                const auto other = m_schema.Find(alternative.key);
                ASSERT_TRUE(other) << m_schema.GetFullName(index) << ": " << alternative.key;
                for (const auto& value : alternative.values)
                {
                    EXPECT_NO_THROW(m_schema.ParseValue(*other, value, alternative.key))
                        << m_schema.GetFullName(index);
                }
            }
        }
    }
}

/// Each key stands in a situation, unless there is none in which it does anything.
TEST_F(KeysTest, EveryKeyHasASituation)
{
    std::set<std::string> tried;
    for (const auto& situation : ReadSituations(m_schema))
    {
        for (const auto& trial : situation.trials)
        {
            tried.insert(GetPlainKey(m_schema, trial.key));
        }
    }
    for (std::size_t index = 0; index < m_schema.GetKeyCount(); ++index)
    {
        const auto& clauses = m_schema.GetCondition(index).GetClauses();
        const bool isNever =
            std::any_of(clauses.begin(), clauses.end(), [](const KeyCondition::Clause& clause) {
                return clause.front().relation == KeyCondition::Relation::NEVER;
            });
        const auto& name = m_schema.GetFullName(index);
        EXPECT_EQ(tried.count(name) + (isNever ? 1 : 0), 1U) << name;
    }
}

TEST_F(KeysTest, KeysOfOtherTestsAreInThem)
{
    for (const auto& situation : ReadSituations(m_schema))
    {
        for (const auto& trial : situation.trials)
        {
            if (!situation.IsElsewhere())
            {
                continue;
            }
            std::ifstream file(std::string(NFSRDMA_SOURCE_DIR) + "/" + trial.value);
            std::ostringstream text;
            text << file.rdbuf();
            const auto& key = m_schema.GetKey(m_schema.Find(trial.key).value());
            const auto isOf = [&text](const std::string& target) {
                return text.str().find(target.substr(target.find("::") + 2)) != std::string::npos;
            };
            const bool isThere = text.str().find(key.name) != std::string::npos ||
                                 std::any_of(key.targets.begin(), key.targets.end(), isOf);
            EXPECT_TRUE(isThere) << trial.key << " in " << trial.value;
        }
    }
}

/// \return the NFS section and the workload of a version and a kind.
std::string
MakeBase(const std::string& version, const std::string& kind)
{
    const bool needsAcls = version == "2" && kind == "acl";
    return "[nfs]\nversion = " + version + (needsAcls ? "\nnfsacl2 = true" : "") +
           "\n[workload]\nkind = " + kind +
           (kind == "listing" || kind == "acl" || kind == "lock" ? "\nrequests = 5\n" : "\n");
}

/// Of every key that depends on others: it is taken, or refused by file, line and name.
TEST_F(KeysTest, AKeyThatDoesNothingIsRefusedForEveryVersionAndKind)
{
    const ScenarioConfig config(m_schema,
                                {{NFSRDMA_SOURCE_DIR "/scenarios"}},
                                std::vector<ScenarioEntry>{});
    const std::set<std::string> given{"nfs.version",
                                      "workload.kind",
                                      "workload.requests",
                                      "nfs.nfsacl2"};
    std::size_t refused = 0;
    for (const std::string version : {"2", "3", "4.0", "4.1", "4.2"})
    {
        for (const std::string kind : {"mix", "fio", "mdtest", "listing", "acl", "lock"})
        {
            const auto base = MakeBase(version, kind);
            ASSERT_EQ(GetRefusal(base, {}), "") << version << " " << kind;
            for (std::size_t index = 0; index < m_schema.GetKeyCount(); ++index)
            {
                const auto& name = m_schema.GetFullName(index);
                const auto section = name.substr(0, name.find('.'));
                if ((section != "workload" && section != "nfs") || given.count(name) != 0 ||
                    m_schema.GetCondition(index).IsEmpty())
                {
                    continue;
                }
                // The default is right as a value, so that the key alone can be refused.
                const ScenarioEntry entry{name,
                                          m_schema.GetKey(index).defaultText,
                                          {"scenario.ini", 42}};
                const auto said = GetRefusal(base, {entry});
                refused += said.empty() ? 0 : 1;
                if (section == "workload" && !config.IsKeyOfKind(index, kind))
                {
                    EXPECT_NE(said, "") << name << " with kind " << kind;
                }
                if (!said.empty())
                {
                    EXPECT_THAT(said, StartsWith("scenario.ini:42: " + name + ": got "))
                        << version << " " << kind;
                }
            }
        }
    }
    EXPECT_GT(refused, 500U);
}

/// Keys of [rnic] and [rpcrdma] that set something of RDMA alone are refused over TCP, and no
/// others.
TEST_F(KeysTest, KeysOfRdmaAreRefusedOverTcp)
{
    const std::set<std::string> ofBoth{"rnic.hosts",
                                       "rnic.profile",
                                       "rnic.port_rate",
                                       "rpcrdma.hosts",
                                       "rpcrdma.client_nconnect",
                                       "rpcrdma.server_duplicate_requests",
                                       "rpcrdma.server_duplicate_entries",
                                       "rpcrdma.server_duplicate_lifetime",
                                       "rpcrdma.server_duplicate_reply_size",
                                       "rpcrdma.server_duplicate_prune"};
    std::size_t refused = 0;
    for (std::size_t index = 0; index < m_schema.GetKeyCount(); ++index)
    {
        const auto& name = m_schema.GetFullName(index);
        const auto section = name.substr(0, name.find('.'));
        if ((section != "rnic" && section != "rpcrdma") || ofBoth.count(name) != 0)
        {
            continue;
        }
        const ScenarioEntry entry{name, m_schema.GetKey(index).defaultText, {"scenario.ini", 42}};
        const auto said = GetRefusal("[cluster]\ntransport = tcp\n", {entry});
        EXPECT_THAT(said, StartsWith("scenario.ini:42: " + name + ": got ")) << name;
        EXPECT_THAT(said, HasSubstr("expected this key only with ")) << name;
        ++refused;
    }
    EXPECT_GT(refused, 150U);
}

/// What they are set to, by a profile, changes no call over TCP.
TEST_F(KeysTest, ProfilesOfRdmaChangeNothingOverTcp)
{
    const std::string base = "[cluster]\nclients = 2\ntransport = tcp\n[link]\nrate = 25Gbps\n"
                             "[workload]\nkind = mix\noperations = 60\nfiles = 2\n"
                             "file_size = 64KiB\n";
    std::string first;
    for (const std::string profile : {"generic-100g", "chelsio-t6-100g", "software-iwarp"})
    {
        ASSERT_EQ(RunText(base + "[rnic]\nprofile = " + profile + "\n").status, 0) << profile;
        const auto calls = m_directory.ReadFile("out/rpc.csv");
        first = first.empty() ? calls : first;
        EXPECT_EQ(calls, first) << profile;
    }
}

/// What moves no data leaves alone what is about data on a server's device and in its page cache.
TEST_F(KeysTest, KeysOfStoredDataAreRefusedWhereNoneIsMoved)
{
    std::size_t ofData = 0;
    for (const std::string kind : {"mix", "fio", "mdtest", "listing", "acl", "lock"})
    {
        const bool moves = kind == "mix" || kind == "fio" || kind == "lock";
        const auto base = MakeBase("3", kind) + "[storage]\ncache = 1MiB\nturn_time = 1ms\n";
        for (const auto* key : {"read_latency",
                                "write_latency",
                                "rate",
                                "turn_time",
                                "capacity",
                                "cache",
                                "read_ahead",
                                "copy_rate",
                                "write_back_size"})
        {
            const auto name = std::string("storage.") + key;
            const auto index = m_schema.Find(name).value();
            const ScenarioEntry entry{name,
                                      m_schema.GetKey(index).defaultText,
                                      {"scenario.ini", 42}};
            const auto said = GetRefusal(MakeBase("3", kind), {entry});
            if (!moves)
            {
                EXPECT_THAT(said, StartsWith("scenario.ini:42: " + name + ": got ")) << kind;
                EXPECT_THAT(said, HasSubstr("this key only with workload.kind = mix, fio, "));
                ++ofData;
            }
            else
            {
                EXPECT_EQ(GetRefusal(base, {entry}), "") << kind;
            }
        }
    }
    EXPECT_EQ(ofData, 27U);
    EXPECT_EQ(GetRefusal("[storage]\nwrite_latency = 5us\n[workload]\nkind = mdtest\n"
                         "write_bytes = 100\n",
                         {}),
              "");
}

struct DeadKey
{
    const char* text;
    const char* refusal;
};

TEST_F(KeysTest, TheRefusalSaysWhatTheKeyNeedsAndNothingIsWritten)
{
    const DeadKey dead[]{
        {"[workload]\nkind = mdtest\narrivals = poisson\n",
         "scenario.ini:3: workload.arrivals: got 'poisson', expected this key only with "
         "workload.kind = acl, fio, listing, lock, mix; here workload.kind is mdtest\n"},
        {"[workload]\nkind = fio\noperations = 4\n",
         "scenario.ini:3: workload.operations: got '4', expected this key only with "
         "workload.kind = mix; here workload.kind is fio\n"},
        {"[workload]\niodepth = 4\n", "scenario.ini:2: workload.iodepth: got '4'"},
        {"[workload]\nramp_time = 4us\n", "scenario.ini:2: workload.ramp_time: got '4us'"},
        {"[workload]\nkind = fio\nduration = 4us\n", "scenario.ini:3: workload.duration: got "},
        {"[workload]\nkind = fio\nfile_size = 4\n", "scenario.ini:3: workload.file_size: got "},
        {"[nfs]\nlease_time = 5s\n",
         "scenario.ini:2: nfs.lease_time: got '5s', expected this key only with nfs.version = 4.0, "
         "4.1, 4.2; here nfs.version is 3\n"},
        {"[rpcrdma]\nclient_pool_buffers = 9\n",
         "scenario.ini:2: rpcrdma.client_pool_buffers: got '9', expected this key only with "
         "rpcrdma.client_registration_strategy = preregistered; here "
         "rpcrdma.client_registration_strategy is frwr\n"},
        {"[rpcrdma some]\nhosts = client-0\nclient_pool_buffers = 9\n",
         "scenario.ini:3: rpcrdma some.client_pool_buffers: got '9', expected this key only with "
         "rpcrdma.client_registration_strategy = preregistered; here rpcrdma "
         "some.client_registration_strategy is frwr\n"},
        {"[rnic]\nmax_srqs = 7\n",
         "scenario.ini:2: rnic.max_srqs: got '7', expected no such key in a scenario, but in "
         "profiles: since NFS over RDMA uses no shared receive queue\n"},
        {"[rpcrdma]\nclient_call_form = reduce-as-needed\n",
         "scenario.ini:2: rpcrdma.client_call_form: got 'reduce-as-needed', expected one of linux, "
         "reduce-all, never-reduce, long, long-reduced\n"},
        {"[rnic]\nmpa_place_by_alignment = true\n",
         "scenario.ini:2: rnic.mpa_place_by_alignment: got 'true', expected this key only with "
         "rnic.mpa_transport = aware; here rnic.mpa_transport is aware-sender\n"},
        {"[rnic]\nmpa_transport = aware\nmpa_place_by_alignment = true\nmpa_markers = true\n",
         "scenario.ini:3: rnic.mpa_place_by_alignment: got 'true', expected this key only with "
         "rnic.mpa_markers = false; here rnic.mpa_markers is true\n"},
        {"[rnic]\nmpa_transport = aware\nmpa_place_by_alignment = true\nmpa_crc = false\n",
         "scenario.ini:3: rnic.mpa_place_by_alignment: got 'true', expected this key only with "
         "rnic.mpa_crc = true at either end; here rnic.mpa_crc is false\n"},
        {"[rnic one]\nhosts = clients\nmpa_crc = false\nmpa_responder_crc = false\n",
         "scenario.ini:4: rnic one.mpa_responder_crc: got 'false', expected this key only with "
         "rnic.mpa_crc = true; here rnic one.mpa_crc is false\n"},
        {"[workload]\nkind = lock\nrequests = 5\nlock_call = flock\n",
         "scenario.ini:4: workload.lock_call: got 'flock', expected this key only with "},
        {"[rpcrdma]\nclient_remote_invalidation = true\nserver_remote_invalidation = true\n"
         "client_done_invalidates = false\n",
         "scenario.ini:4: rpcrdma.client_done_invalidates: got 'false', expected this key only "
         "with "},
        {"[rpcrdma]\nclient_remote_invalidation = true\nserver_remote_invalidation = true\n"
         "server_done_invalidates = false\n",
         "scenario.ini:4: rpcrdma.server_done_invalidates: got 'false', expected this key only "
         "with "},
        {"[sweep]\nlink.red_weight = 0.1, 0.2\n", "scenario.ini:2: link.red_weight: got '0.1'"},
        {"[middlebox]\ndrop = 0.5\n", "scenario.ini:2: middlebox.drop: got '0.5'"},
    };
    for (const auto& [text, refusal] : dead)
    {
        const auto done = RunText(text);
        EXPECT_EQ(done.status, 2) << text;
        EXPECT_THAT(done.errors, StartsWith(refusal));
        EXPECT_EQ(done.CountErrorLines(), 1U) << done.errors;
        EXPECT_FALSE(std::filesystem::exists(m_directory.GetPath() + "/out"));
    }
}

/// What a profile says, and what is used in some runs of a sweep, is not refused.
/// RFC 5044 section 7.1.1: CRCs are in use when either end asks for them.
TEST_F(KeysTest, WhatOneEndAsksForTheOtherHasUseOf)
{
    const std::string own = "[rnic clients]\nhosts = clients\nmpa_crc = false\n";
    const auto without = RunText(own);
    ASSERT_EQ(without.status, 0) << without.errors;
    const auto slow = RunText(own + "crc_rate = 1Gbps\n");
    ASSERT_EQ(slow.status, 0) << slow.errors;
    EXPECT_NE(without.output, slow.output);
    const auto drops = RunText(own + "mpa_drop_bad_segments = true\n");
    EXPECT_EQ(drops.status, 0) << drops.errors;
    const auto nobody = RunText("[rnic]\nmpa_crc = false\n" + own + "crc_rate = 1Gbps\n");
    EXPECT_EQ(nobody.status, 2);
    EXPECT_THAT(nobody.errors,
                StartsWith("scenario.ini:6: rnic clients.crc_rate: got '1Gbps', expected "
                           "this key only with rnic.mpa_crc = true at either end"));
}

TEST_F(KeysTest, AKeyMayBeUsedInSomeRunsOfASweep)
{
    EXPECT_EQ(GetRefusal("[rnic]\nprofile = chelsio-t6-100g\n", {}), "");
    EXPECT_EQ(GetRefusal("[rpcrdma]\nserver_shared_receives = 64\n[sweep]\n"
                         "rpcrdma.server_credit_grant = fixed, fair-share\n",
                         {}),
              "");
    EXPECT_THAT(GetRefusal("[rpcrdma]\nserver_shared_receives = 64\n[sweep]\n"
                           "rpcrdma.server_credit_grant = fixed, requested\n",
                           {}),
                HasSubstr("scenario.ini:2: rpcrdma.server_shared_receives: got '64'"));
    EXPECT_EQ(GetRefusal("[rpcrdma]\nserver_shared_receives = 64\n[rpcrdma some]\nhosts = servers\n"
                         "server_credit_grant = fair-share\n",
                         {}),
              "");
}

/// The command line may turn off what keys of the file are about; its own keys have to do
/// something.
TEST_F(KeysTest, WhatTheCommandLineTurnsOffIsNotRefusedInTheFile)
{
    const std::string text = "[tcp]\necn = true\n[link]\nswitch_marking = threshold\n"
                             "mark_threshold = 64KiB\n";
    EXPECT_EQ(GetRefusal(text, {{"link.switch_marking", "none", {"--set", 0}}}), "");
    EXPECT_THAT(
        GetRefusal(text,
                   {{"link.switch_marking", "none", {"--set", 0}},
                    {"link.mark_threshold", "32KiB", {"--set", 0}}}),
        StartsWith("--set: link.mark_threshold: got '32768B', expected this key only with"));
    EXPECT_THAT(GetRefusal(text, {{"link.red_weight", "0.1", {"--set", 0}}}),
                StartsWith("--set: link.red_weight: got '0.1', expected this key only with"));
}

TEST_F(KeysTest, WhatIsPrintedIsReadAgainAndSaysWhatIsNotUsed)
{
    for (const std::string version : {"2", "3", "4.1"})
    {
        for (const std::string kind : {"mix", "fio", "acl"})
        {
            m_directory.WriteFile("a.ini", MakeBase(version, kind));
            const auto printed = Run({"run", "a.ini", "--print-config"});
            ASSERT_EQ(printed.status, 0) << printed.errors;
            EXPECT_THAT(printed.output, HasSubstr("\n# not used: red_weight = 0.002\n"));
            m_directory.WriteFile("a.ini", printed.output);
            const auto again = Run({"run", "a.ini", "--print-config"});
            EXPECT_EQ(again.output, printed.output) << again.errors;
        }
    }
}

/// What the command line turned off is not the user's word any more.
TEST_F(KeysTest, WhatIsPrintedLeavesOutWhatTheCommandLineTurnedOff)
{
    m_directory.WriteFile("a.ini", "[nfs]\nversion = 4.1\ngrace_time = 5ms\n");
    const auto printed = Run({"run", "a.ini", "--print-config", "--set", "nfs.version=2"});
    ASSERT_EQ(printed.status, 0) << printed.errors;
    EXPECT_THAT(printed.output, HasSubstr("\n# not used: grace_time = 5ms\n"));
    EXPECT_THAT(printed.output,
                HasSubstr("\n# the default, of which NFSv2 takes 8KiB: transfer_size = 262144B\n"));
    m_directory.WriteFile("a.ini", printed.output);
    const auto again = Run({"run", "a.ini", "--print-config"});
    EXPECT_EQ(WithoutComments(again.output), WithoutComments(printed.output)) << again.errors;
}

TEST_F(KeysTest, ListsThatTheCommandLineTurnedOffArePrintedAsNotUsed)
{
    m_directory.WriteFile(
        "a.ini",
        "[topology]\nshape = rails\n[host]\nports = 2\nbond = none\n[nfs]\nversion = 4.1\n"
        "[sweep]\nnfs.max_connect = 1, 2\nlink.mtu = 1500, 9000\n");
    const auto printed = Run({"run", "a.ini", "--print-config", "--set", "nfs.version=3"});
    ASSERT_EQ(printed.status, 0) << printed.errors;
    EXPECT_THAT(printed.output, HasSubstr("\n# not used: nfs.max_connect = 1, 2\n"));
    EXPECT_THAT(printed.output, HasSubstr("\nlink.mtu = 1500, 9000\n"));
    m_directory.WriteFile("a.ini", printed.output);
    EXPECT_EQ(Run({"run", "a.ini", "--print-config"}).status, 0);
}

/// What is printed of any scenario of scenarios/ is read back, with any version of NFS.
class PrintedConfigTest : public KeysTest, public ::testing::WithParamInterface<const char*>
{
};

TEST_P(PrintedConfigTest, IsReadBackToTheSame)
{
    std::size_t printed = 0;
    const ScenarioCatalogue catalogue;
    for (const auto& [name, file] : catalogue.GetFiles())
    {
        SCOPED_TRACE(name);
        std::vector<std::string> arguments{"run", file, "--print-config"};
        if (*GetParam() != '\0')
        {
            arguments.emplace_back("--set");
            arguments.push_back(std::string("nfs.version=") + GetParam());
        }
        const auto first = Run(arguments);
        if (first.status == 2)
        {
            EXPECT_NE(*GetParam(), '\0') << first.errors;
            EXPECT_EQ(first.CountErrorLines(), 1U) << first.errors;
            continue;
        }
        ++printed;
        m_directory.WriteFile("again.ini", first.output);
        const auto again = Run({"run", "again.ini", "--print-config"});
        EXPECT_EQ(again.status, 0) << again.errors;
        EXPECT_EQ(WithoutComments(again.output), WithoutComments(first.output));
    }
    EXPECT_GT(printed, 20U);
}

INSTANTIATE_TEST_SUITE_P(Nightly,
                         PrintedConfigTest,
                         ::testing::Values("", "2", "3", "4.0", "4.1", "4.2"));

/// Two sentences that differ in a word, which has to make a difference.
struct WordTrial
{
    const char* one;
    const char* other;
};

class FaultWordsTest : public KeysTest, public ::testing::WithParamInterface<WordTrial>
{
};

TEST_P(FaultWordsTest, MakeADifference)
{
    const std::string text = "[cluster]\nclients = 3\nservers = 2\nstall_limit = 1s\n"
                             "stall_connections = 20\n"
                             "[nfs]\nnconnect = 2\n"
                             "[rpcrdma]\nclient_retry_delay = 1ms\nclient_timeout = 50ms\n"
                             "[storage]\nread_latency = 10us\nwrite_latency = 10us\n"
                             "[workload]\noperations = 120\nfiles = 4\nfile_size = 65536\n"
                             "io_sizes = 512:1,16384:1\nstart_spread = 0ns\n"
                             "[rnic]\nmpa_crc = true\n[faults]\none = ";
    const auto one = RunAndRead(text + GetParam().one + "\n", {});
    EXPECT_NE(one, "") << m_refusal;
    const auto other = RunAndRead(text + GetParam().other + "\n", {});
    EXPECT_NE(other, "") << m_refusal;
    // The sentence itself stands in what is written: what happened is rpc.csv and the captures'
    // sum.
    const auto digest = [](const std::string& all) {
        const auto place = all.find("\"digest\"");
        return all.substr(place, all.find(',', place) - place);
    };
    EXPECT_NE(digest(one), digest(other)) << GetParam().one << "\n" << GetParam().other;
}

INSTANTIATE_TEST_SUITE_P(
    All,
    FaultWordsTest,
    ::testing::Values(
        WordTrial{"90th fpdu: drop", "91st fpdu: drop"},
        WordTrial{"every 50th fpdu: drop", "every 60th fpdu: drop"},
        WordTrial{"every 50th fpdu 1 times: drop", "every 50th fpdu 2 times: drop"},
        WordTrial{"fpdu with probability 0.01: drop", "fpdu with probability 0.1: drop"},
        WordTrial{"90th fpdu: drop", "90th fpdu after 1ms: drop"},
        WordTrial{"every 90th fpdu: drop", "every 90th fpdu before 600us: drop"},
        WordTrial{"90th fpdu: drop", "90th fpdu from server-0: drop"},
        WordTrial{"90th fpdu from client-0: drop", "90th fpdu to client-0: drop"},
        WordTrial{"90th fpdu on client-0: drop", "90th fpdu on client-1: drop"},
        WordTrial{"50th fpdu from client-0 to server-0: drop",
                  "50th fpdu between client-0 and server-0: drop"},
        WordTrial{"20th fpdu between client-0 and server-0 connection 1: drop",
                  "20th fpdu between client-0 and server-0 connection 2: drop"},
        WordTrial{"20th data: drop", "20th ack: drop"},
        WordTrial{"20th nfs call: drop", "20th nfs reply: drop"},
        WordTrial{"2nd nfs READ call: drop", "2nd nfs GETATTR call: drop"},
        WordTrial{"20th fpdu: drop", "20th fpdu: drop 3 times"},
        WordTrial{"20th fpdu: duplicate", "20th fpdu: duplicate 2 times"},
        WordTrial{"20th fpdu: delay 10us", "20th fpdu: delay 30us"},
        WordTrial{"20th fpdu: reorder behind 1", "20th fpdu: reorder behind 3"},
        WordTrial{"every rdma-write: resegment 100", "every rdma-write: resegment 1000"},
        WordTrial{"5th rdma-write: corrupt 1 bits", "5th rdma-write: corrupt 9 bits"},
        WordTrial{"5th rdma-write: corrupt", "5th rdma-write: corrupt before crc"},
        WordTrial{"5th rdma-write: corrupt field stag", "5th rdma-write: corrupt field to"},
        WordTrial{"5th rdma-write: corrupt octet 3", "5th rdma-write: corrupt octet 4"},
        WordTrial{"at 600us: link-down for 1ms on client-0",
                  "at 700us: link-down for 1ms on client-0"},
        WordTrial{"at 600us: link-down for 1ms on client-0",
                  "at 600us: link-down for 30ms on client-0"},
        WordTrial{"at 600us: link-down for 1ms on client-0",
                  "at 600us: link-down for 1ms on client-1"},
        WordTrial{"at 300us every 100us 2 times: thread-stall for 50us on server-0",
                  "at 300us every 100us 3 times: thread-stall for 50us on server-0"},
        WordTrial{"at 600us: flap 2 times down 100us up 100us on client-0",
                  "at 600us: flap 9 times down 3ms up 100us on client-0"},
        WordTrial{"at 600us: flap 2 times down 100us up 100us on client-0",
                  "at 600us: flap 2 times down 40ms up 100us on client-0"},
        WordTrial{"at 600us: partition client-0 | server-0 for 1ms",
                  "at 600us: partition client-0, client-2 | server-0 for 1ms"},
        WordTrial{"at 600us: mtu 600 for 1ms on client-0", "at 600us: mtu 900 for 1ms on client-0"},
        WordTrial{"at 600us: mtu 600 for 1ms on client-0",
                  "at 600us: mtu 600 for 1ms silently on client-0"},
        WordTrial{"at 600us: rnic-reset for 1ms on client-0",
                  "at 600us: rnic-reset for 40ms on client-0"},
        WordTrial{"at 700us: qp-error on client-0", "at 700us: cq-overflow on client-0"},
        WordTrial{"at 700us: qp-error on server-0", "at 700us: qp-error peer client-2 on server-0"},
        WordTrial{"at 700us: qp-error on client-0", "at 700us: qp-error connection 2 on client-0"},
        WordTrial{"at 700us: qp-error on client-0 connection 1",
                  "at 700us: qp-error on client-0 connection 2"},
        WordTrial{"at 700us: cq-overflow on server-0 connection 1",
                  "at 700us: cq-overflow on server-0 connection 2"},
        WordTrial{"9th fpdu between client-0 and server-0 connection 1: qp-error on client-0",
                  "9th fpdu between client-0 and server-0 connection 2: qp-error on client-0"},
        WordTrial{"at 500us: registration-failure 1 on client-0",
                  "at 500us: registration-failure 3 on client-0"},
        WordTrial{"at 500us: slow-receiver for 1ms by 10us on client-0",
                  "at 500us: slow-receiver for 1ms by 20us on client-0"},
        WordTrial{"at 500us: slow-receiver for 1ms by 10us on server-0",
                  "at 500us: slow-receiver for 1ms by 10us peer client-2 on server-0"},
        WordTrial{"at 500us: thread-stall for 1ms on server-0",
                  "at 500us: thread-stall 7 for 1ms on server-0"},
        WordTrial{"at 500us: storage-stall for 1ms on server-0",
                  "at 500us: storage-stall for 2ms on server-0"},
        WordTrial{"at 600us: crash for 5ms on server-0", "at 600us: crash for 60ms on server-0"},
        WordTrial{"at 600us: crash for 5ms on client-0", "at 600us: crash for 60ms on client-0"},
        WordTrial{"at 600us: restart on server-0", "at 600us: restart for 5ms on server-0"}));

/// With several connections of a client, the number says which; what has none loses all of them.
TEST_F(KeysTest, AQueuePairErrorIsThatOfTheConnectionWithTheNumber)
{
    const std::string base = "[cluster]\nclients = 2\n[nfs]\nnconnect = 3\n"
                             "[workload]\noperations = 200\nfiles = 4\nstart_spread = 0ns\n"
                             "[faults]\none = ";
    std::string faults;
    const auto lost = [&](const std::string& sentence) {
        const auto done = RunText(base + sentence + "\n");
        EXPECT_EQ(done.status, 0) << sentence << done.errors << done.output;
        std::filesystem::rename(m_directory.GetPath() + "/out", m_directory.GetPath() + "/last");
        const auto count = m_directory.ReadJson("last/summary.json").at("connections_lost");
        faults = m_directory.ReadFile("last/faults.csv");
        std::filesystem::remove_all(m_directory.GetPath() + "/last");
        return count.get<uint64_t>();
    };
    for (const std::string kind : {"qp-error", "cq-overflow"})
    {
        EXPECT_EQ(lost("at 500us: " + kind + " on client-0"), 3U);
        EXPECT_EQ(lost("at 500us: " + kind + " on server-0"), 6U);
        for (const std::string number : {"1", "2", "3"})
        {
            EXPECT_EQ(lost("at 500us: " + kind + " on client-0 connection " + number), 1U);
            EXPECT_EQ(lost("at 500us: " + kind + " on server-0 connection " + number), 2U);
            EXPECT_EQ(lost("at 500us: " + kind + " on server-0 peer client-1 connection " + number),
                      1U);
            EXPECT_EQ(lost("5th fpdu from client-0 to server-0 connection " + number + ": " + kind +
                           " on client-0"),
                      1U);
        }
        EXPECT_EQ(lost("at 500us: " + kind + " on client-0 connection 4"), 0U);
        EXPECT_THAT(faults, HasSubstr("(no such connection)"));
    }
    const auto refused = RunText(base + "at 1ms: slow-receiver for 1ms by 1us connection 2 on "
                                        "client-0\n");
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.errors,
                AllOf(StartsWith("scenario.ini:10: faults.one: "), HasSubstr("has no connection")));
}

/// The memory of a call that was given up stays the transport's until the late reply is there.
TEST_F(KeysTest, SetAsideKeepsTheConnectionThatGivingCallsUpCosts)
{
    for (const std::string operation : {"readdirplus", "read"})
    {
        std::map<std::string, uint64_t> lost;
        for (const std::string policy : {"linux", "invalidate", "set-aside"})
        {
            const auto done = RunText("[rpcrdma]\nclient_cancel = " + policy +
                                      "\n[adversary storm]\nrole = abort-storm\nhosts = client-0\n"
                                      "every = 100us\npatience = 12us\noperation = " +
                                      operation + "\n[workload]\noperations = 200\nfiles = 4\n");
            EXPECT_EQ(done.status, 0) << done.output << done.errors;
            lost[policy] = Summary().at("connections_lost");
            std::filesystem::remove_all(m_directory.GetPath() + "/out");
        }
        EXPECT_GT(lost["linux"], 0U) << operation;
        EXPECT_GT(lost["invalidate"], 0U) << operation;
        EXPECT_EQ(lost["set-aside"], 0U) << operation;
    }
}

} // namespace

} // namespace ns3::nfsrdma
