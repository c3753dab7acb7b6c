/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"

#include <gmock/gmock.h>
#include <map>
#include <sstream>

namespace ns3::nfsrdma
{

namespace
{

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Runs small clusters whose hosts have several ports.
class BondRunTest : public SimulatorTest
{
  protected:
    nlohmann::json RunWell(const std::string& scenario, const std::string& out = "out")
    {
        m_directory.WriteFile("a.ini", WORK + scenario);
        const auto result = Run({"run", "a.ini", "--out", out});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        auto summary = m_directory.ReadJson(out + "/summary.json");
        for (const auto& [what, count] : summary["leftovers"].items())
        {
            EXPECT_EQ(count, 0) << what;
        }
        return summary;
    }

    static uint64_t CountEnds(const nlohmann::json& summary)
    {
        uint64_t ends = 0;
        for (const auto& host : summary["ends"])
        {
            ends += host.value("connections", 0U);
        }
        return ends;
    }

    std::string GetError(const std::string& scenario)
    {
        m_directory.WriteFile("a.ini", scenario);
        const auto result = Run({"run", "a.ini"});
        EXPECT_EQ(result.status, 2);
        EXPECT_EQ(result.CountErrorLines(), 1U);
        return result.errors;
    }

    const std::string WORK = "[cluster]\nclients = 2\n[workload]\nkind = fio\nbs = 64KiB\n"
                             "size = 1MiB\nreadwrite = randrw\ndirect = true\nrequests = 400\n"
                             "iodepth = 4\n[output]\npcap = all\n";
    const std::string PAIR = "[topology]\nshape = pair\n";
    const std::string BOND = "[host]\nports = 2\nbond_miimon = 1ms\n";
};

TEST_F(BondRunTest, FailoverCostsTimeAndNoConnection)
{
    const auto whole = RunWell(BOND + PAIR, "whole");
    for (const std::string host : {"server-0", "client-1"})
    {
        const auto cut = RunWell(
            BOND + PAIR + "[faults]\ncut = at 2300us: port-down 1 for 50ms on " + host + "\n",
            "cut");
        EXPECT_EQ(cut["rpcs"], whole["rpcs"]);
        EXPECT_EQ(CountEnds(cut), 0U);
        EXPECT_GT(cut["duration_s"].get<double>(), whole["duration_s"].get<double>());
        EXPECT_LT(cut["duration_s"].get<double>(), whole["duration_s"].get<double>() + 0.04);
        auto counters = ReadCounters("cut");
        EXPECT_EQ(counters[host + "/bond/failovers"], 1U);
        EXPECT_EQ(counters[host + "/bond/peers_notified"], 1U);
        EXPECT_GT(counters[host + "/ethtool-1/tx_packets"], 100U);
        EXPECT_GT(counters[host + "/ethtool-2/tx_packets"], 100U);
        EXPECT_EQ(counters["client-0/bond/failovers"], 0U);
        const auto capture = Run({"check-capture", "cut/server-0.pcap", "cut/client-1.pcap"});
        EXPECT_EQ(capture.status, 0) << capture.output << capture.errors;
    }
    auto counters = ReadCounters("whole");
    EXPECT_EQ(counters["server-0/bond/failovers"], 0U);
    EXPECT_EQ(counters["server-0/ethtool-2/tx_packets"], 0U);
}

TEST_F(BondRunTest, TheSameOnOneSwitchAndOverEitherTcp)
{
    for (const std::string tcp : {"offload", "ns3"})
    {
        const auto summary =
            RunWell(BOND + "[rnic]\ntcp = " + tcp +
                    "\n[faults]\ncut = at 500us: port-down 1 for 50ms on server-0\n");
        EXPECT_EQ(CountEnds(summary), 0U);
        EXPECT_EQ(ReadCounters()["server-0/bond/failovers"], 1U);
    }
}

TEST_F(BondRunTest, AggregatesUseAllPortsAndGoOnWithFewer)
{
    const std::string aggregate = "[nfs]\nnconnect = 8\n[link]\nrate = 10Gbps\n" + BOND +
                                  "bond = balance-xor\nbond_xmit_hash_policy = layer3+4\n";
    const std::string traced = "trace_events = true\n";
    const auto whole = RunWell(traced + aggregate, "whole");
    auto counters = ReadCounters("whole");
    for (const std::string port : {"1", "2"})
    {
        EXPECT_GT(counters["server-0/ethtool-" + port + "/tx_packets"], 1000U);
        EXPECT_GT(counters["server-0/ethtool-" + port + "/rx_packets"], 1000U);
    }
    const auto trace = nlohmann::json::parse(m_directory.ReadFile("whole/trace.json"));
    std::map<std::string, int> links;
    std::map<std::pair<int, int>, std::string> names;
    for (const auto& event : trace["traceEvents"])
    {
        if (event["name"] == "thread_name")
        {
            names[{event["pid"], event["tid"]}] = event["args"]["name"];
        }
        else if (event.value("cat", "") == "link")
        {
            links[names[{event["pid"], event["tid"]}]]++;
        }
    }
    EXPECT_GT(links["link 1"], 100);
    EXPECT_GT(links["link 2"], 100);
    EXPECT_EQ(links.size(), 2U);
    const auto cut =
        RunWell(aggregate + "[faults]\ncut = at 3ms: port-down 2 for 1s on server-0\n", "cut");
    EXPECT_EQ(CountEnds(cut), 0U);
    EXPECT_EQ(cut["rpcs"], whole["rpcs"]);
    EXPECT_GT(cut["duration_s"].get<double>(), 1.2 * whole["duration_s"].get<double>());
}

TEST_F(BondRunTest, APortThatIsFloodedLeavesTheOtherItsShareOfThePacketBuffer)
{
    const auto run = [this](const std::string& share, const std::string& more) {
        m_directory.WriteFile(
            "a.ini",
            "[cluster]\nclients = 2\n[host]\nports = 2\nbond = balance-xor\n"
            "bond_xmit_hash_policy = layer3+4\n[rnic slow]\nhosts = servers\n"
            "tcp_per_segment = 500ns\npacket_buffer = 64KiB\npacket_buffer_share = " +
                share +
                "\n[workload flood]\nclients = 0\nkind = fio\nbs = 256KiB\nsize = 4MiB\n"
                "readwrite = write\ndirect = true\nrequests = 100\niodepth = 16\n"
                "[workload few]\nclients = 1\nkind = fio\nbs = 8KiB\nsize = 1MiB\n"
                "readwrite = write\ndirect = true\nrequests = 300\niodepth = 2\n" +
                more);
        const auto result = Run({"run", "a.ini", "--out", "out"});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        return ReadCounters();
    };
    auto common = run("0.99", "");
    EXPECT_GT(common["server-0/ethtool-1/rx_out_of_buffer"], 50U);
    EXPECT_GT(common["server-0/ethtool-2/rx_out_of_buffer"], 10U);
    auto shares = run("0.5", "");
    EXPECT_GT(shares["server-0/ethtool-2/rx_packets"], 1000U);
    EXPECT_GT(shares["server-0/ethtool-1/rx_out_of_buffer"], 50U);
    EXPECT_EQ(shares["server-0/ethtool-2/rx_out_of_buffer"], 0U);
    auto paused = run("0.5", "[link]\nflow_control = pause\n");
    EXPECT_GT(paused["server-0/ethtool-1/tx_pause"], 100U);
    EXPECT_EQ(paused["server-0/ethtool-2/tx_pause"], 0U);
    EXPECT_EQ(paused["server-0/ethtool-1/rx_out_of_buffer"], 0U);
    EXPECT_EQ(paused["server-0/ethtool-2/rx_out_of_buffer"], 0U);
}

TEST_F(BondRunTest, ThePathIsFoundDeadByArpAndNotByLinks)
{
    const std::string server = "[host two]\nhosts = servers\nports = 2\n";
    const std::string cut = "[faults]\ncut = at 2ms: port-mute 1 for 20ms on server-0\n";
    RunWell(server + "bond_miimon = 1ms\n" + cut, "links");
    EXPECT_EQ(ReadCounters("links")["server-0/bond/failovers"], 0U);
    for (const std::string validate : {"true", "false"})
    {
        const auto summary = RunWell(server +
                                         "bond_arp_interval = 500us\n"
                                         "bond_arp_ip_target = 10.77.0.2,10.77.0.3\n"
                                         "bond_arp_validate = " +
                                         validate + "\n" + cut,
                                     "arp-" + validate);
        EXPECT_EQ(CountEnds(summary), 0U);
        auto counters = ReadCounters("arp-" + validate);
        EXPECT_GE(counters["server-0/bond/failovers"], 1U);
        EXPECT_GT(counters["server-0/bond/arp_probes"], 10U);
        EXPECT_GT(counters["server-0/ethtool-2/tx_packets"], 100U);
    }
}

/// Seconds of little work over aggregates that speak LACP.
class LacpRunTest : public BondRunTest
{
  protected:
    /// \return a run of some \p seconds.
    static std::string MakeWork(int seconds, const std::string& more)
    {
        return "[nfs]\nnconnect = 8\n[host]\nports = 2\nbond = 802.3ad\nbond_miimon = 1ms\n"
               "bond_xmit_hash_policy = layer3+4\n" +
               more +
               "[cluster]\nclients = 1\n[workload]\nkind = fio\nbs = 16KiB\nsize = 1MiB\n"
               "readwrite = randrw\ndirect = true\niodepth = 8\nrate_iops = 100\nrequests = " +
               std::to_string(100 * seconds) + "\n";
    }

    nlohmann::json RunFor(int seconds, const std::string& more, const std::string& out = "out")
    {
        m_directory.WriteFile("a.ini", MakeWork(seconds, more) + "[output]\npcap = all\n");
        const auto result = Run({"run", "a.ini", "--out", out});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        return m_directory.ReadJson(out + "/summary.json");
    }
};

TEST_F(LacpRunTest, BothEndsSpeakAndAllPortsAreUsed)
{
    const auto whole = RunFor(3, "bond_lacp_rate = fast\n");
    auto counters = ReadCounters();
    EXPECT_EQ(CountEnds(whole), 0U);
    for (const std::string port : {"1", "2"})
    {
        EXPECT_GT(counters["server-0/ethtool-" + port + "/tx_packets"], 100U);
        EXPECT_GT(counters["server-0/ethtool-" + port + "/rx_packets"], 100U);
    }
    // A host hears two ports each second, and is asked for one LACPDU each 30 s.
    EXPECT_GE(counters["server-0/bond/lacpdu_rx"], 6U);
    EXPECT_LE(counters["server-0/bond/lacpdu_rx"], 8U);
    EXPECT_LE(counters["server-0/bond/lacpdu_tx"], 2U);
    EXPECT_EQ(counters["server-0/bond/lacpdu_illegal_rx"], 0U);
    EXPECT_EQ(counters["server-0/bond/failovers"], 0U);
    const auto capture = Run({"check-capture", "out/server-0.pcap", "out/client-0.pcap"});
    EXPECT_EQ(capture.status, 0) << capture.output << capture.errors;
}

TEST_F(LacpRunTest, ASilentPartnerLeavesTheAggregateAfterThreeSecondsAndComesBack)
{
    const auto cut = RunFor(16,
                            "bond_lacp_rate = fast\n[faults]\n"
                            "cut = at 1s: port-deaf 2 for 8s on server-0\n");
    EXPECT_EQ(cut["verification"]["failed_operations"], 0);
    auto counters = ReadCounters();
    // It leaves, and comes back when it has heard its partner for two seconds.
    EXPECT_EQ(counters["server-0/bond/failovers"], 2U);
    EXPECT_EQ(counters["server-0/bond/peers_notified"], 0U);
    EXPECT_EQ(counters["client-0/bond/failovers"], 0U);
}

TEST_F(LacpRunTest, AMutePortIsFoundByTheSwitch)
{
    const auto cut = RunFor(8,
                            "bond_lacp_rate = fast\n[topology]\nlacp_rate = fast\n[faults]\n"
                            "cut = at 1s: port-mute 2 for 1min on server-0\n");
    EXPECT_EQ(cut["verification"]["failed_operations"], 0);
    // The host hears that the switch does not hear it.
    EXPECT_EQ(ReadCounters()["server-0/bond/failovers"], 1U);
}

TEST_F(LacpRunTest, AHostWhoseSwitchDoesNotSpeakUsesOnePortAndLosesWhatComesByTheOther)
{
    m_directory.WriteFile("a.ini", MakeWork(1, "[topology]\nlacp = off\n"));
    const auto result = Run({"run", "a.ini", "--out", "out"});
    // Whatever the group hashes to the other port gets no answer, requests of ARP among it.
    EXPECT_EQ(result.status, 3) << result.output;
    auto counters = ReadCounters();
    EXPECT_EQ(counters["server-0/bond/lacpdu_rx"], 0U);
    EXPECT_GT(counters["server-0/bond/lacpdu_tx"], 10U);
    EXPECT_GT(counters["server-0/bond/backup_discarded"], 100U);
}

TEST_F(LacpRunTest, PassiveSwitchesAnswer)
{
    RunFor(1, "bond_lacp_rate = fast\n[topology]\nlacp = passive\n");
    auto counters = ReadCounters();
    EXPECT_GT(counters["server-0/bond/lacpdu_rx"], 0U);
    EXPECT_GT(counters["server-0/ethtool-2/tx_packets"], 0U);
}

TEST_F(LacpRunTest, OfTwoSwitchesOneHasTheAggregate)
{
    const auto cut = RunFor(2,
                            "[topology]\nshape = pair\n[faults]\n"
                            "cut = at 500ms: port-down 1 for 1min on server-0\n");
    EXPECT_EQ(CountEnds(cut), 0U);
    auto counters = ReadCounters();
    EXPECT_EQ(counters["server-0/bond/failovers"], 1U);
    EXPECT_EQ(counters["server-0/bond/peers_notified"], 1U);
    EXPECT_GT(counters["server-0/ethtool-2/tx_packets"], 100U);
    EXPECT_LE(counters["client-0/ethtool-2/tx_packets"], 2U);
}

TEST_F(LacpRunTest, TimersKeepNoRunAlive)
{
    const auto summary = RunFor(1, "bond_lacp_rate = fast\n[topology]\nlacp_rate = fast\n");
    EXPECT_LT(summary["duration_s"].get<double>(), 1.2);
    auto counters = ReadCounters();
    EXPECT_LE(counters["server-0/bond/lacpdu_tx"], 4U);
}

TEST_F(BondRunTest, AnotherAddressOfAClientHasItConnectAnew)
{
    const std::string cut = BOND + "bond_fail_over_mac = active\n[faults]\ncut = at 500us: "
                                   "port-down 1 for 50ms on ";
    const auto client = RunWell(cut + "client-0\n", "client");
    EXPECT_THAT(client["ends"].dump(), HasSubstr("the bond has another hardware address"));
    const auto server = RunWell(cut + "server-0\n", "server");
    EXPECT_EQ(CountEnds(server), 0U);
    EXPECT_EQ(ReadCounters("server")["server-0/bond/failovers"], 1U);
}

TEST_F(BondRunTest, LinksThatNoEndSeesDownDoNotFailOver)
{
    const auto summary =
        RunWell(BOND + "[faults]\ncut = at 500us: link-down for 3ms on client-0\n");
    EXPECT_EQ(ReadCounters()["client-0/bond/failovers"], 0U);
    EXPECT_EQ(CountEnds(summary), 0U);
}

TEST_F(BondRunTest, AFileGivesEachPortItsLink)
{
    m_directory.WriteFile("net.topo",
                          "switch a\nswitch b\nlink a b\nlink server-0 a\nlink server-0 b\n"
                          "link client-0..1 b\n");
    const std::string file = "[topology]\nshape = file\nfile = net.topo\n"
                             "[host two]\nhosts = servers\nports = 2\nbond_miimon = 1ms\n";
    const auto summary =
        RunWell(file + "[faults]\ncut = at 500us: port-down 1 for 50ms on server-0\n");
    EXPECT_EQ(CountEnds(summary), 0U);
    EXPECT_EQ(ReadCounters()["server-0/bond/failovers"], 1U);
    EXPECT_THAT(
        GetError(file + "bond = balance-xor\n[cluster]\nclients = 2\n"),
        HasSubstr(
            "host two.bond: got 'balance-xor', expected active-backup or 802.3ad for server-0"));
    m_directory.WriteFile("net.topo", "switch a\nlink server-0 a\nlink client-0..1 a\n");
    EXPECT_THAT(GetError(file + "[cluster]\nclients = 2\n"),
                HasSubstr("got server-0 has 2 ports and 1 links"));
    m_directory.WriteFile("net.topo",
                          "switch a\nswitch b\nlink a b\nlink a b\nlink server-0 a\n"
                          "link server-0 b\nlink client-0..1 b\n");
    EXPECT_THAT(GetError(file + "[cluster]\nclients = 2\n"),
                HasSubstr("got a host has several links, and switches a loop"));
}

TEST_F(BondRunTest, RefusesWhatABondCannotBeWith)
{
    EXPECT_THAT(GetError("[host]\nports = 2\n[topology]\nshape = leaf-spine\n"),
                StartsWith("a.ini:2: host.ports: got '2', expected 1 where switches form loops"));
    EXPECT_THAT(GetError("[host]\nports = 2\n[topology]\narp = directed\n"),
                StartsWith("a.ini:2: host.ports: got '2', expected 1 with topology.arp"));
    EXPECT_THAT(GetError("[host]\nports = 2\n[middlebox]\nat = servers\nmode = recut\n"),
                StartsWith("a.ini:2: host.ports: got '2', expected 1 with middleboxes"));
    EXPECT_THAT(GetError("[host]\nports = 2\nbond_primary = 3\n"),
                StartsWith("a.ini:3: host.bond_primary: got '3', expected a port, of 2, or 0"));
    EXPECT_THAT(GetError("[host]\nbond = balance-xor\n"), StartsWith("a.ini:2: host.bond: got"));
    EXPECT_THAT(
        GetError("[host]\nports = 2\nbond = balance-xor\n[topology]\nshape = pair\n"),
        StartsWith("a.ini:3: host.bond: got 'balance-xor', expected active-backup or 802.3ad for"));
    EXPECT_THAT(GetError("[host]\nports = 2\nbond_arp_interval = 1ms\n"),
                HasSubstr("host.bond_arp_ip_target: got '', the default, expected 1 to 16"));
    EXPECT_THAT(GetError("[host]\nports = 2\nbond_arp_interval = 1ms\n"
                         "bond_arp_ip_target = client-0\n"),
                StartsWith("a.ini:4: host.bond_arp_ip_target: got 'client-0', expected addresses"));
    EXPECT_THAT(GetError("[host]\nports = 2\nbond_arp_interval = 1ms\n"
                         "bond_arp_ip_target = 10.77.0.2\n[topology]\nip = ipv6\n"),
                StartsWith("a.ini:3: host.bond_arp_interval: got '1ms', expected 0 with"));
    EXPECT_THAT(GetError("[host]\nports = 2\n[link]\nflow_control = pause\n[rnic]\n"
                         "tcp_per_segment = 500ns\npacket_buffer_share = 0.6\n"),
                StartsWith("a.ini:7: rnic.packet_buffer_share: got '0.6', expected 1, or at most"));
    EXPECT_THAT(GetError("[faults]\nf = at 1ms: port-down 2 for 1ms on server-0\n"),
                HasSubstr("a port of server-0, which has 1"));
}

} // namespace

} // namespace ns3::nfsrdma
