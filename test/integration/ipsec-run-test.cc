/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simulator-test.h"
#include "tshark.h"

#include <string>
#include <vector>

namespace ns3::nfsrdma
{
namespace
{

const char* const WORK = "[cluster]\nclients = 2\n"
                         "[workload]\nkind = mix\noperations = 100\nfiles = 4\nfile_size = 128KiB\n"
                         "io_sizes = 4096:2,65536:1\nqueue_depth = 4\n";

class IpsecRunTest : public SimulatorTest
{
  protected:
    /// Runs two clients. \return summary.json
    nlohmann::json RunWith(const std::string& sections)
    {
        m_directory.WriteFile("esp.ini", WORK + sections);
        const auto result = Run({"run", "esp.ini", "--out", "out"});
        EXPECT_EQ(result.status, 0) << result.output << result.errors;
        m_said = result.output;
        return m_directory.ReadJson("out/summary.json");
    }

    /// \return how many frames of the server's capture tshark shows for a filter, with the keys.
    std::size_t CountFrames(const std::string& filter, const std::string& options)
    {
        return test::RunTshark(m_directory.GetPath() + "/out/server-0.pcap",
                               options + " -Y '" + filter + "'")
            .size();
    }

    [[nodiscard]] std::string GetKeyOptions() const
    {
        return "-o esp.enable_encryption_decode:TRUE -o esp.enable_authentication_check:TRUE -o "
               "\"uat:esp_sa:$(cat '" +
               m_directory.GetPath() + "/out/esp_sa')\"";
    }

    /// \return a counter of a host, of counters.csv.
    uint64_t GetCounter(const std::string& host, const std::string& name)
    {
        return ReadCounters().at(host + "/ipsec/" + name);
    }

    std::string m_said;
};

struct Protection
{
    const char* name;
    const char* sections;
};

class IpsecDissectionTest : public IpsecRunTest, public ::testing::WithParamInterface<Protection>
{
};

/// Wireshark decrypts every packet with the keys that the run has written, finds its integrity
/// check value right, and dissects what is in it up to NFS; without the keys it sees ESP.
TEST_P(IpsecDissectionTest, TsharkDecryptsItAll)
{
    RunWith(std::string("[output]\npcap = all\n") + GetParam().sections);
    EXPECT_EQ(CountFrames("tcp || rpc || iwarp_mpa", ""), 0U) << "without keys";
    const auto packets = CountFrames("esp", "");
    EXPECT_GT(packets, 500U);
    const auto keys = GetKeyOptions();
    EXPECT_EQ(CountFrames("esp.icv_good == 1", keys), packets);
    EXPECT_EQ(CountFrames("tcp", keys), packets);
    EXPECT_GT(CountFrames("iwarp_mpa", keys), 200U);
    EXPECT_GT(CountFrames("rpcordma", keys), 200U);
    EXPECT_GT(CountFrames("nfs", keys), 200U);
    EXPECT_EQ(CountFrames("_ws.malformed", keys + " --disable-protocol rpcordma"), 0U);
    EXPECT_EQ(CountFrames("tcp.analysis.flags && !tcp.analysis.window_update", keys), 0U);
    EXPECT_NE(m_said.find("ESP keys        esp_sa, "), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Modes,
    IpsecDissectionTest,
    ::testing::Values(Protection{"Transport", "[ipsec]\nmode = transport\n"},
                      Protection{"Tunnel", "[ipsec]\nmode = tunnel\nsuite = aes-256-gcm\n"},
                      Protection{"Rekeyed", "[ipsec]\nmode = transport\nrekey_packets = 50\n"},
                      Protection{"Ipv6", "[ipsec]\nmode = transport\n[topology]\nip = ipv6\n"},
                      Protection{"Ipv6Tunnel", "[ipsec]\nmode = tunnel\n[topology]\nip = ipv6\n"},
                      Protection{"HostTcp", "[ipsec]\nmode = tunnel\n[rnic]\ntcp = ns3\n"}),
    [](const auto& protection) { return std::string(protection.param.name); });

/// The server has an association to and from each of two clients: four.
TEST_F(IpsecRunTest, ACacheOfTooFewAssociationsMissesAgainAndAgain)
{
    RunWith("[ipsec]\nmode = transport\n[rnic]\nipsec_sa_cache = 4\nipsec_sa_miss = 100ns\n");
    EXPECT_EQ(GetCounter("server-0", "sa_cache_misses"), 4U);
    RunWith("[ipsec]\nmode = transport\n[rnic]\nipsec_sa_cache = 3\nipsec_sa_miss = 100ns\n");
    EXPECT_GT(GetCounter("server-0", "sa_cache_misses"), 100U);
    EXPECT_EQ(GetCounter("client-0", "sa_cache_misses"), 2U);
}

TEST_F(IpsecRunTest, HostsOutsideThePolicyAreServedInClear)
{
    RunWith("[output]\npcap = all\n[ipsec]\nmode = transport\nhosts = server-0, client-1\n");
    EXPECT_GT(CountFrames("ip.addr == 10.77.0.2 && iwarp_mpa && !esp", ""), 100U) << "client-0";
    EXPECT_EQ(CountFrames("ip.addr == 10.77.0.3 && !esp && !arp", ""), 0U) << "client-1";
    EXPECT_EQ(GetCounter("server-0", "XfrmInTmplMismatch"), 0U);
}

TEST_F(IpsecRunTest, KeysChangeAndNothingIsLost)
{
    RunWith("[ipsec]\nmode = tunnel\nesn = true\nrekey_octets = 64KiB\nrekey_delay = 20us\n");
    for (const std::string host : {"server-0", "client-0", "client-1"})
    {
        EXPECT_GT(GetCounter(host, "rekeys"), 3U) << host;
        EXPECT_GT(GetCounter(host, "rekeys_receiving"), 3U) << host;
        for (const char* const bad : {"XfrmInNoStates",
                                      "XfrmInStateSeqError",
                                      "XfrmInStateProtoError",
                                      "XfrmInTmplMismatch",
                                      "XfrmOutStateExpired"})
        {
            EXPECT_EQ(GetCounter(host, bad), 0U) << host << " " << bad;
        }
    }
    EXPECT_EQ(GetCounter("client-0", "protected_packets") +
                  GetCounter("client-1", "protected_packets"),
              GetCounter("server-0", "opened_packets"));
    EXPECT_EQ(GetCounter("client-0", "protected_octets") +
                  GetCounter("client-1", "protected_octets"),
              GetCounter("server-0", "opened_octets"));
}

TEST_F(IpsecRunTest, ASlowCryptoEngineBoundsWhatPasses)
{
    const auto free = RunWith("[ipsec]\nmode = transport\n");
    const auto slow = RunWith("[ipsec]\nmode = transport\n[rnic]\nipsec_rate = 1Gbps\n"
                              "ipsec_buffer = 4MiB\n");
    EXPECT_GT(slow["simulated_s"].get<double>(), 2 * free["simulated_s"].get<double>());
}

TEST_F(IpsecRunTest, EachKeyThatIsWrongIsNamed)
{
    const auto refuse = [this](const std::string& sections, const std::string& said) {
        m_directory.WriteFile("bad.ini", sections);
        const auto result = Run({"run", "bad.ini"});
        EXPECT_EQ(result.status, 2) << sections;
        EXPECT_NE(result.errors.find(said), std::string::npos) << result.errors;
    };
    refuse("[ipsec]\nsuite = aes-256-gcm\n", "bad.ini:2: ipsec.suite: got");
    refuse("[ipsec]\nmode = ah\n",
           "bad.ini:2: ipsec.mode: got 'ah', expected one of none, transport, tunnel");
    refuse("[ipsec]\nmode = tunnel\nhosts = server-0\n",
           "bad.ini:3: ipsec.hosts: got 'server-0', expected two hosts or more");
    refuse("[ipsec]\nmode = tunnel\nhosts = server-7\n", "bad.ini:3: ipsec.hosts: got 'server-7'");
    refuse("[link]\nmtu = 600\n[ipsec]\nmode = tunnel\n",
           "bad.ini:2: link.mtu: got '600B', expected at least 630B: ESP in tunnel mode takes 54");
    refuse("[rnic]\nipsec_sa_miss = 1us\n[ipsec]\nmode = tunnel\n", "rnic.ipsec_sa_miss: got");
}

} // namespace
} // namespace ns3::nfsrdma
