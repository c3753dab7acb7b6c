/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <filesystem>
#include <iterator>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A wrong scenario or command line, and how the one line about it begins.
struct UserErrorCase
{
    const char* name;
    const char* scenario;
    std::vector<std::string> options;
    const char* message;
};

void
PrintTo(const UserErrorCase& wrong, std::ostream* stream)
{
    *stream << wrong.name;
}

class UserErrorTest : public SimulatorTest, public ::testing::WithParamInterface<UserErrorCase>
{
  protected:
    [[nodiscard]] std::ptrdiff_t CountEntries() const
    {
        const std::filesystem::recursive_directory_iterator first(m_directory.GetPath());
        return std::distance(begin(first), end(first));
    }
};

TEST_P(UserErrorTest, SaysItInOneLineAndWritesNothing)
{
    const auto& wrong = GetParam();
    m_directory.WriteFile("a.ini", wrong.scenario);
    std::vector<std::string> arguments{"run", "a.ini"};
    arguments.insert(arguments.end(), wrong.options.begin(), wrong.options.end());
    const auto result = Run(arguments);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.CountErrorLines(), 1U);
    EXPECT_THAT(result.errors, StartsWith(wrong.message));
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(CountEntries(), 1) << "of files and directories, a.ini among them";
}

const std::vector<UserErrorCase> CASES{
    {"UnknownKey",
     "[link]\n\nmtuu = 3\n",
     {},
     "a.ini:3: link.mtuu: got unknown key 'mtuu', expected a key of section link (see "
     "--list-keys); "
     "nearest key: link.mtu\n"},
    {"UnknownSection",
     "[lnk]\nmtu = 3\n",
     {},
     "a.ini:2: lnk.mtu: got unknown section 'lnk', expected one of cluster, "},
    {"NoRate",
     "[link]\nrate = fast\n",
     {},
     "a.ini:2: link.rate: got 'fast', expected a rate such as"},
    {"NoTime", "[link]\ndelay = 5\n", {}, "a.ini:2: link.delay: got '5', expected a time such as"},
    {"NoInteger",
     "[cluster]\nclients = two\n",
     {},
     "a.ini:2: cluster.clients: got 'two', expected a whole number from 1 to"},
    {"NoBoolean",
     "[tcp]\nsack = maybe\n",
     {},
     "a.ini:2: tcp.sack: got 'maybe', expected true or false"},
    {"NoChoice",
     "[workload]\nkind = dance\n",
     {},
     "a.ini:2: workload.kind: got 'dance', expected one of mix, replay"},
    {"OutOfRange",
     "[cluster]\nservers = 0\n",
     {},
     "a.ini:2: cluster.servers: got '0', expected a whole number from 1 to"},
    {"MoreSocketsThanCores",
     "[host]\ncores = 2\nsockets = 4\nmigration_cost = 1us\n",
     {},
     "a.ini:3: host.sockets: got '4', expected at most 2, the cores of the host\n"},
    {"FewerThreadsThanPools",
     "[host]\ncores = 4\nserver_pool_mode = percpu\n[nfs]\nthreads = 3\n",
     {},
     "a.ini:5: nfs.threads: got '3', expected at least 4, one for each pool of "
     "host.server_pool_mode\n"},
    {"MoreThreadsAtLeastThanAtMost",
     "[host]\ncores = 4\nserver_pool_mode = percpu\n[nfs]\nmin_threads = 3\n",
     {},
     "a.ini:5: nfs.min_threads: got '3', expected at most 2, what each pool has of nfs.threads\n"},
    {"PoolsOfOneNode",
     "[host]\nserver_pool_mode = pernode\n",
     {},
     "a.ini:2: host.server_pool_mode: got 'pernode', expected global or percpu on a host of one "
     "socket\n"},
    {"ArrayOfTooFewDevices",
     "[storage]\nraid = raid6\nraid_devices = 3\n",
     {},
     "a.ini:3: storage.raid_devices: got '3', expected at least 4, two for data and two for "
     "parity\n"},
    {"ChunksOfHalfAPage",
     "[storage]\nraid = raid0\nraid_chunk = 6KiB\n",
     {},
     "a.ini:3: storage.raid_chunk: got '6144B', expected a multiple of 4KiB\n"},
    {"KeyTwice",
     "[link]\nmtu = 1500\nmtu = 9000\n",
     {},
     "a.ini:3: link.mtu: got '9000', expected each key once (it is also in line 2)"},
    {"NoKeyAtAll",
     "[link]\nmtu\n",
     {},
     "a.ini:2: got 'mtu', expected '[section]' or 'key = value'"},
    {"MtuTooSmall",
     "[link]\nmtu = 150\n",
     {},
     "a.ini:2: link.mtu: got '150', expected a size in octets such as 4096 or 64KiB from 576B to "
     "65535B"},
    {"ThresholdNoMultiple",
     "[rpcrdma]\ninline_threshold = 1500\n",
     {},
     "a.ini:2: rpcrdma.inline_threshold: got '1500B', expected a multiple of 1024"},
    {"ThresholdTooLarge",
     "[rpcrdma]\ninline_threshold = 1MiB\n",
     {},
     "a.ini:2: rpcrdma.inline_threshold: got '1MiB', expected a size"},
    {"NoTrace",
     "[workload]\nkind = replay\ntrace = nowhere\n",
     {},
     "a.ini:3: workload.trace: got 'nowhere', expected a trace NAME"},
    {"NoProfile",
     "[rnic]\nprofile = none\n",
     {},
     "a.ini:2: rnic.profile: got 'none', expected a profile of profiles/rnic: "},
    {"SweepKeyUnknown",
     "[sweep]\nnfs.thread = 1, 2\n",
     {},
     "a.ini:2: nfs.thread: got unknown key 'thread', expected a key of section nfs"},
    {"SweepPointImpossible",
     "[sweep]\nlink.mtu = 1500, 100\n",
     {},
     "a.ini:2: link.mtu: got '100', expected a size in octets such as 4096 or 64KiB from 576B to "
     "65535B"},
    {"CutsReversed",
     "[middlebox]\ncut_min = 500B\ncut_max = 400B\n",
     {},
     "a.ini:3: middlebox.cut_max: got '400B', expected at least middlebox.cut_min, or 0"},
    {"PathTooNarrow",
     "[middlebox]\nat = servers\nmtu = 575\n",
     {},
     "a.ini:3: middlebox.mtu: got '575B', expected at least 576B"},
    {"ReadyToReceiveUnknown",
     "[rnic]\nmpa_ready_to_receive = Write Push\n",
     {},
     "a.ini:2: rnic.mpa_ready_to_receive: got 'Write Push', expected some of Send, Write and Read"},
    {"MarkersNobodySends",
     "[rnic]\nprofile = software-iwarp\nmpa_markers = true\n",
     {},
     "a.ini:3: rnic.mpa_markers: got 'true', expected false"},
    {"LinkFasterThanPort",
     "[rnic]\nprofile = chelsio-t5-40g\n[link]\nrate = 50Gbps\n",
     {},
     "a.ini:4: link.rate: got '50Gbps', expected at most rnic.port_rate of the profile "
     "chelsio-t5-40g, 40Gbps"},
    {"DefaultThatAnotherKeyForbids",
     "[link]\nswitch_marking = red\nred_maximum = 64KiB\n",
     {},
     "a.ini:3: link.red_minimum: got '102400B', the default, expected less than link.red_maximum, "
     "65536B\n"},
    {"PortTakenByDefault",
     "[nfs]\nlocal_lock = none\nstatd_port = 32803\n",
     {},
     "a.ini:3: nfs.lockd_port: got '32803', the default, expected a port other than rpcbind's"},
    {"NoOperations",
     "[workload]\noperations = 0\n",
     {},
     "a.ini:2: workload.operations: got '0', expected workload.operations or workload.duration "
     "above 0\n"},
    {"NoLinksToRead",
     "[workload]\nsymlinks = 0\n",
     {},
     "a.ini:2: workload.symlinks: got '0', expected workload.symlinks above 0, since "
     "workload.operation_mix has readlink\n"},
    {"ControlCharacters",
     "[link]\nm\x0btu = 3\n",
     {},
     "a.ini:2: link.m?tu: got unknown key 'm?tu', expected a key of section link"},
    {"ModerationWithoutPeriod",
     "[rnic]\nmoderation_count = 4\n",
     {},
     "a.ini:2: rnic.moderation_count: got '4', expected 0 or 1, or rnic.moderation_period"},
    {"ModerationWithoutCount",
     "[rnic]\nmoderation_period = 8us\n",
     {},
     "a.ini:2: rnic.moderation_period: got '8us', expected 0ns, or a rnic.moderation_count"},
    {"ModerationOfPolling",
     "[rnic]\npolling = true\nmoderation_period = 8us\nmoderation_count = 4\n",
     {},
     "a.ini:4: rnic.moderation_count: got '4', expected 0 or 1 with rnic.polling"},
    {"ContextCacheWithoutMiss",
     "[rnic]\ncontext_cache_size = 512\ncontext_miss = 0ns\n",
     {},
     "a.ini:2: rnic.context_cache_size: got '512', expected 0, or a rnic.context_miss that takes"},
    {"StagCacheWithoutMiss",
     "[rnic]\ncontext_miss = 0ns\nstag_cache_size = 512\n",
     {},
     "a.ini:3: rnic.stag_cache_size: got '512', expected 0, or a rnic.context_miss that takes"},
    {"NearContextsWithoutLoad",
     "[rnic]\ncontext_near_size = 32\ncontext_load = 0ns\n",
     {},
     "a.ini:2: rnic.context_near_size: got '32', expected 0, or a rnic.context_load that takes"},
    {"WaysThatDoNotDivide",
     "[rnic]\ncontext_cache_size = 512\ncontext_cache_ways = 3\n",
     {},
     "a.ini:3: rnic.context_cache_ways: got '3', expected 0 or a divisor of "
     "rnic.context_cache_size, 512"},
    {"ContextCacheOfTheHost",
     "[rnic]\nprofile = software-iwarp\ncontext_cache_size = 512\n",
     {},
     "a.ini:3: rnic.context_cache_size: got '512', expected 0 with rnic.engine_on_host"},
    {"BusOfTheHost",
     "[rnic]\nprofile = software-iwarp\npcie_latency = 300ns\n",
     {},
     "a.ini:3: rnic.pcie_latency: got '300ns', expected 0ns with rnic.engine_on_host"},
    {"FetchOfTheHost",
     "[rnic]\nengine_on_host = true\npcie_latency = 0ns\nwqe_fetch = 1us\n",
     {},
     "a.ini:4: rnic.wqe_fetch: got '1us', expected 0ns with rnic.engine_on_host"},
    {"InlineBeyondMessage",
     "[rnic]\nmax_inline = 4KiB\nmax_message = 2KiB\n",
     {},
     "a.ini:2: rnic.max_inline: got '4096B', expected at most rnic.max_message, 2048B"},
    {"MoreStagsThanIndices",
     "[rnic]\nmax_mrs = 16000000\nmax_windows = 800000\n",
     {},
     "a.ini:3: rnic.max_windows: got '800000', expected at most 777215: with rnic.max_mrs"},
    {"MoreClientsThanQueuePairs",
     "[cluster]\nclients = 9\nservers = 2\n[rnic]\nmax_qps = 4\n",
     {},
     "a.ini:5: rnic.max_qps: got '4', expected at least 5, 1 for each of a server's 5 clients"},
    {"FewerCompletionQueues",
     "[cluster]\nclients = 9\n[rnic]\nmax_cqs = 17\n",
     {},
     "a.ini:4: rnic.max_cqs: got '17', expected at least 18, 2 for each of a server's 9 clients"},
    {"PeerToPeerOfRevision1",
     "[rnic]\nmpa_revision = 1\nmpa_peer_to_peer = true\n",
     {},
     "a.ini:3: rnic.mpa_peer_to_peer: got 'true', expected false with rnic.mpa_revision = 1"},
    {"PeerToPeerWithoutKinds",
     "[rnic]\nmpa_peer_to_peer = true\nmpa_ready_to_receive =\n",
     {},
     "a.ini:3: rnic.mpa_ready_to_receive: got '', expected one of Send, Write and Read"},
    {"PackingOfLayeredTcp",
     "[rnic]\nmpa_transport = layered\nmpa_packing = true\n",
     {},
     "a.ini:3: rnic.mpa_packing: got 'true', expected false with rnic.mpa_transport = layered"},
    {"NagleOfTheOffloadEngine",
     "[rnic]\ntcp = offload\nmpa_nagle = true\n",
     {},
     "a.ini:3: rnic.mpa_nagle: got 'true', expected false with rnic.tcp = offload"},
    {"KeepAliveOfNs3sTcp",
     "[rnic]\ntcp = ns3\n[tcp]\nkeepalive = true\n",
     {},
     "a.ini:4: tcp.keepalive: "},
    {"CrashOfAClientWithALockManager",
     "[nfs]\nmount = linux\nlocal_lock = none\n"
     "[faults]\ngone = at 1ms: crash for 1ms on client-0\n",
     {},
     "a.ini:5: faults.gone: got 'client-0', expected a client without a lock manager, for crash"},
    {"CrashOfAClientWithoutADuration",
     "[faults]\ngone = at 1ms: crash on client-0\n",
     {},
     "a.ini:2: faults.gone: got 'crash', expected crash needs a duration"},
    {"RestartOfAClient",
     "[faults]\ngone = at 1ms: restart on client-0\n",
     {},
     "a.ini:2: faults.gone: got 'client-0', expected a server, for restart"},
    {"StallOfAClient",
     "[faults]\nslow = at 1ms: thread-stall for 1ms on client-0\n",
     {},
     "a.ini:2: faults.slow: got 'client-0', expected a server, for thread-stall"},
    {"StorageOfAClient",
     "[faults]\nslow = at 1ms: storage-stall for 1ms on client-0\n",
     {},
     "a.ini:2: faults.slow: got 'client-0', expected a server, for storage-stall"},
    {"FaultWithoutItsDuration",
     "[faults]\ngone = at 1ms: crash on server-0\n",
     {},
     "a.ini:2: faults.gone: got 'crash', expected crash needs a duration"},
    {"FaultOfAPeerOfItsKind",
     "[faults]\nlost = at 1ms: qp-error peer client-1 on client-0\n",
     {},
     "a.ini:2: faults.lost: got 'client-1', expected a host that client-0 talks with"},
    {"FaultInASweep",
     "[sweep]\nfaults.gone = none; at 1ms: thread-stall for 1ms on client-0\n",
     {},
     "a.ini:2: faults.gone: got 'client-0', expected a server, for thread-stall"},
    {"ThresholdOfSomeHosts",
     "[rpcrdma odd]\nhosts = client-0\ninline_threshold = 1500\n",
     {},
     "a.ini:3: rpcrdma odd.inline_threshold: got '1500B', expected a multiple of 1024"},
    {"ServerKeyOfClients",
     "[rpcrdma odd]\nhosts = clients\nserver_credits = 8\n",
     {},
     "a.ini:3: rpcrdma odd.server_credits: got '8', expected no key of servers"},
    {"PcapOfNobody",
     "",
     {"--pcap", "client-9"},
     "--pcap: output.pcap: got 'client-9', expected all, none, or hosts"},
    {"SetUnknown",
     "",
     {"--set", "nfs.tread=1"},
     "--set: nfs.tread: got unknown key 'tread', expected"},
    {"SetBad",
     "",
     {"--set", "nfs.threads=x"},
     "--set: nfs.threads: got 'x', expected a whole number"},
    {"SetNoAssignment",
     "",
     {"--set", "nfs.threads"},
     "--set: got 'nfs.threads', expected section.key="},
    {"SeedBad", "", {"--seed", "0"}, "--seed: cluster.seed: got '0', expected a whole number"},
    {"RunsBad", "", {"--runs", "none"}, "--runs: sweep.seeds: got 'none', expected a whole number"},
    {"JobsBad", "", {"--jobs", "0"}, "--jobs: got '0', expected a whole number from 1 to"},
    {"OutIsAFile", "", {"--out", "a.ini"}, "--out: got 'a.ini', expected a directory"},
    {"OutBelowAFile", "", {"--out", "a.ini/b"}, "--out: got 'a.ini/b', expected a directory"},
    {"UnknownOption", "", {"--sede", "1"}, "nfsrdma-sim: got unknown option '--sede', expected"},
};

INSTANTIATE_TEST_SUITE_P(Each,
                         UserErrorTest,
                         ::testing::ValuesIn(CASES),
                         [](const auto& description) { return description.param.name; });

class CommandTest : public SimulatorTest
{
};

TEST_F(CommandTest, MissingFile)
{
    const auto result = Run({"run", "none.ini"});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.CountErrorLines(), 1U);
    EXPECT_THAT(result.errors, StartsWith("none.ini: got No such file or directory, expected"));
}

TEST_F(CommandTest, BrokenTraceIsNamedByLine)
{
    m_directory.WriteFile("a.ini", "[workload]\nkind = replay\ntrace = t\n");
    m_directory.WriteFile("t.trace.csv", "# nfsrdma-trace 1\nnonsense\n");
    m_directory.WriteFile("t.tree.csv", "nonsense\n");
    const auto result = Run({"run", "a.ini"});
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.CountErrorLines(), 1U);
    EXPECT_THAT(result.errors, HasSubstr("t.trace.csv:2: "));
}

TEST_F(CommandTest, NothingAndNonsense)
{
    EXPECT_EQ(Run({}).status, 2);
    EXPECT_EQ(Run({"walk", "a.ini"}).status, 2);
    EXPECT_EQ(Run({"run"}).status, 2);
    const auto noName = Run({"run", ""});
    EXPECT_EQ(noName.status, 2);
    EXPECT_EQ(noName.errors, "nfsrdma-sim: got '', expected run FILE, a scenario\n");
    EXPECT_FALSE(std::filesystem::exists(m_directory.GetPath() + "/results"));
}

TEST_F(CommandTest, HelpVersionAndKeys)
{
    const auto help = Run({"--help"});
    EXPECT_EQ(help.status, 0);
    for (const auto* option : {"--set", "--seed", "--runs", "--jobs", "--out", "--pcap"})
    {
        EXPECT_THAT(help.output, HasSubstr(option));
    }
    const auto version = Run({"--version"});
    EXPECT_EQ(version.status, 0);
    EXPECT_THAT(version.output, StartsWith("nfsrdma-sim "));
    const auto keys = Run({"--list-keys"});
    EXPECT_EQ(keys.status, 0);
    EXPECT_THAT(keys.output, HasSubstr("rpcrdma.inline_threshold"));
}

TEST_F(CommandTest, PrintedConfigurationPrintsTheSameAgain)
{
    m_directory.WriteFile("a.ini",
                          "[link]\nrate = 25Gbps\n[sweep]\nseeds = 2\nlink.mtu = 1500, 9000\n");
    const auto first = Run({"run", "a.ini", "--set", "nfs.threads=3", "--print-config"});
    EXPECT_EQ(first.status, 0);
    EXPECT_EQ(first.errors, "");
    EXPECT_THAT(first.output, HasSubstr("threads = 3\n"));
    m_directory.WriteFile("b.ini", first.output);
    const auto second = Run({"run", "b.ini", "--print-config"});
    EXPECT_EQ(second.status, 0);
    EXPECT_EQ(second.output, first.output);
}

} // namespace

} // namespace ns3::nfsrdma
