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

const char* const WORK = "[cluster]\nclients = 2\ntransport = tcp\n"
                         "[workload]\nkind = mix\noperations = 100\nfiles = 4\nfile_size = 128KiB\n"
                         "io_sizes = 4096:2,65536:1\nqueue_depth = 4\n";

class TlsRunTest : public SimulatorTest
{
  protected:
    /// Runs two clients. \return summary.json
    nlohmann::json RunWith(const std::string& sections, int status = 0)
    {
        m_directory.WriteFile("tls.ini", WORK + sections);
        const auto result = Run({"run", "tls.ini", "--out", "out"});
        EXPECT_EQ(result.status, status) << result.output << result.errors;
        m_said = result.output;
        return m_directory.ReadJson("out/summary.json");
    }

    /// \return how many frames of the server's capture tshark shows for a filter.
    std::size_t CountFrames(const std::string& filter, const std::string& options = "")
    {
        return test::RunTshark(m_directory.GetPath() + "/out/server-0.pcap",
                               options + " -Y '" + filter + "'")
            .size();
    }

    /// \return what the run has said that tshark needs to be told.
    [[nodiscard]] std::string GetKeyOptions() const
    {
        const std::string out = m_directory.GetPath() + "/out/";
        return "-X lua_script:'" + out + "rpc-with-tls.lua' -o tls.keylog_file:'" + out +
               "sslkeylog.txt'";
    }

    /// \return a counter of a host, of counters.csv.
    uint64_t GetCounter(const std::string& host,
                        const std::string& name,
                        const std::string& source = "tls")
    {
        return ReadCounters().at(host + "/" + source + "/" + name);
    }

    std::string m_said;
};

struct Protection
{
    const char* name;
    const char* sections;
};

class TlsDissectionTest : public TlsRunTest, public ::testing::WithParamInterface<Protection>
{
};

/// Wireshark decrypts every record with the secrets that the run has written, and dissects RPC and
/// NFS in them; without the secrets it sees no call but the two that ask for TLS.
TEST_P(TlsDissectionTest, TsharkDecryptsItAll)
{
    RunWith(std::string("[output]\npcap = all\n") + GetParam().sections);
    EXPECT_EQ(CountFrames("nfs && !(rpc.procedure == 0)"), 0U) << "without secrets";
    EXPECT_EQ(CountFrames("rpc.auth.flavor == 7"), 2U);
    const auto secrets = GetKeyOptions();
    EXPECT_GT(CountFrames("rpc.msgtyp == 0 && nfs", secrets), 150U);
    EXPECT_GT(CountFrames("rpc.msgtyp == 1 && nfs", secrets), 150U);
    EXPECT_EQ(CountFrames("rpc.auth.flavor == 7", secrets), 2U);
    EXPECT_EQ(CountFrames("_ws.lua.error", secrets), 0U);
    EXPECT_EQ(CountFrames("tls.handshake.type == 20", secrets), 4U) << "Finished";
    EXPECT_EQ(CountFrames("_ws.malformed", secrets), 0U);
    EXPECT_EQ(CountFrames("tcp.analysis.flags && !tcp.analysis.window_update", secrets), 0U);
    EXPECT_NE(m_said.find("TLS secrets     sslkeylog.txt, "), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Modes,
    TlsDissectionTest,
    ::testing::Values(Protection{"Tls", "[tls]\nmode = tls\n"},
                      Protection{"Mutual", "[tls]\nmode = mtls\nsuite = aes-256-gcm\n"},
                      Protection{"Rekeyed", "[tls]\nmode = tls\nrekey_octets = 100KiB\n"},
                      Protection{"SmallRecords", "[tls]\nmode = tls\nrecord_size = 1KiB\n"},
                      Protection{"Chacha",
                                 "[tls]\nmode = opportunistic\nsuite = chacha20-poly1305\n"},
                      Protection{"Ipv6", "[tls]\nmode = tls\n[topology]\nip = ipv6\n"},
                      Protection{"Version41", "[tls]\nmode = tls\n[nfs]\nversion = 4.1\n"}),
    [](const auto& protection) { return std::string(protection.param.name); });

TEST_F(TlsRunTest, WhatIsSentIsReceivedAndNothingIsLost)
{
    RunWith("[nfs]\nversion = 4.1\n[tls]\nmode = mtls\nrekey_octets = 64KiB\n");
    for (const std::string host : {"server-0", "client-0", "client-1"})
    {
        EXPECT_EQ(GetCounter(host, "TlsHandshakes"), host == "server-0" ? 2U : 1U) << host;
        EXPECT_EQ(GetCounter(host, "TlsHandshakesFailed"), 0U) << host;
        EXPECT_EQ(GetCounter(host, "TlsAlertsSent"), 0U) << host;
        EXPECT_EQ(GetCounter(host, "TlsDecryptError"), 0U) << host;
        EXPECT_GT(GetCounter(host, "TlsKeyUpdatesSent"), 3U) << host;
    }
    EXPECT_EQ(GetCounter("client-0", "TlsOctetsSent") + GetCounter("client-1", "TlsOctetsSent"),
              GetCounter("server-0", "TlsOctetsReceived"));
    EXPECT_EQ(GetCounter("server-0", "TlsOctetsSent"),
              GetCounter("client-0", "TlsOctetsReceived") +
                  GetCounter("client-1", "TlsOctetsReceived"));
}

TEST_F(TlsRunTest, ARunIsTheSameEachTime)
{
    const auto first = RunWith("[tls]\nmode = mtls\n");
    const auto second = RunWith("[tls]\nmode = mtls\n");
    EXPECT_EQ(first["digest"], second["digest"]);
    EXPECT_NE(RunWith("[tls]\nmode = mtls\n[cluster]\nseed = 2\n")["digest"], first["digest"]);
}

TEST_F(TlsRunTest, ItCostsWhatItsKeysSay)
{
    const std::string cost = "[tls]\nmode = tls\nhandshake_latency = 0s\n";
    const auto free = RunWith(cost);
    const auto slow = RunWith(cost + "[host]\ntls_send_cost = 20us\ntls_receive_cost = 20us\n");
    EXPECT_GT(slow["simulated_s"].get<double>(), 1.2 * free["simulated_s"].get<double>());
}

TEST_F(TlsRunTest, AnOpportunisticClientGoesOnInClear)
{
    RunWith("[output]\npcap = all\n[tls]\nmode = opportunistic\nserver_offers = false\n");
    EXPECT_GT(CountFrames("nfs && rpc.msgtyp == 0"), 150U);
    EXPECT_EQ(GetCounter("client-0", "TlsRefused"), 1U);
    EXPECT_EQ(GetCounter("client-0", "TlsHandshakes"), 0U);
}

struct Refusal
{
    const char* name;
    const char* sections;
    const char* counter; ///< Of client-0.
};

class TlsRefusalTest : public TlsRunTest, public ::testing::WithParamInterface<Refusal>
{
};

/// A client that wants TLS and does not get it does nothing in clear.
TEST_P(TlsRefusalTest, NothingIsDoneInClear)
{
    RunWith(std::string("[output]\npcap = all\n") + GetParam().sections, 1);
    EXPECT_GT(GetCounter("client-0", GetParam().counter), 0U);
    EXPECT_EQ(GetCounter("client-0", "TlsOctetsSent"), 0U);
    EXPECT_EQ(CountFrames("nfs && !(rpc.procedure == 0)"), 0U);
}

INSTANTIATE_TEST_SUITE_P(
    All,
    TlsRefusalTest,
    ::testing::Values(
        Refusal{"NotOffered", "[tls]\nmode = tls\nserver_offers = false\n", "TlsRefused"},
        Refusal{"Expired",
                "[tls]\nmode = tls\nserver_certificate = expired\n",
                "TlsHandshakesFailed"},
        Refusal{"OtherName",
                "[tls]\nmode = tls\nserver_certificate = other-name\n",
                "TlsHandshakesFailed"},
        Refusal{"UnknownAuthority",
                "[tls]\nmode = opportunistic\nserver_certificate = unknown-authority\n",
                "TlsHandshakesFailed"},
        Refusal{"NotKnown",
                "[tls]\nmode = tls\nserver_offers = false\nserver_refusal = denied\n",
                "TlsRefused"},
        Refusal{"LeftByTheServer",
                "[tls]\nmode = tls\nserver_handshake_timeout = 1ms\n",
                "TlsHandshakesFailed"}),
    [](const auto& refusal) { return std::string(refusal.param.name); });

/// ETIMEDOUT is tried again for ever by hard mounts.
TEST_F(TlsRunTest, AHandshakeThatTakesTooLongIsTriedAgain)
{
    RunWith("[output]\npcap = all\n[tls]\nmode = tls\nhandshake_latency = 2s\n"
            "handshake_timeout = 1s\n",
            3);
    EXPECT_GT(GetCounter("client-0", "TlsTimedOut"), 3U);
    EXPECT_EQ(GetCounter("client-0", "TlsTimedOut"), GetCounter("client-0", "TlsHandshakesFailed"));
    EXPECT_EQ(GetCounter("client-0", "TlsOctetsSent"), 0U);
    EXPECT_EQ(CountFrames("nfs && !(rpc.procedure == 0)"), 0U);
}

TEST_F(TlsRunTest, TheProfileOfTheRfcHasBothSidesProveWhoTheyAre)
{
    RunWith("[tls]\nprofile = rfc9289\n");
    EXPECT_EQ(GetCounter("server-0", "TlsHandshakes"), 2U);
    RunWith("[tls]\nprofile = rfc9289\nmode = tls\n", 1);
    EXPECT_GT(GetCounter("server-0", "xprtsec_refused", "nfsd"), 0U) << "no certificate";
}

struct Requirement
{
    const char* name;
    const char* sections;
    const char* error;   ///< Filter for the answer; null: it is done.
    bool options{false}; ///< The answer comes through TLS.
};

class TlsRequirementTest : public TlsRunTest, public ::testing::WithParamInterface<Requirement>
{
};

/// check_nfsd_access(): what an export requires (option xprtsec).
TEST_P(TlsRequirementTest, ClientsWithLessAreRefused)
{
    const bool isDone = GetParam().error == nullptr;
    RunWith(std::string("[output]\npcap = all\n") + GetParam().sections, isDone ? 0 : 1);
    if (!isDone)
    {
        EXPECT_GT(CountFrames(GetParam().error, GetParam().options ? GetKeyOptions() : ""), 0U);
        EXPECT_GT(GetCounter("server-0", "xprtsec_refused", "nfsd"), 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(
    All,
    TlsRequirementTest,
    ::testing::Values(
        Requirement{"InClear3", "[tls]\nserver_requires = tls\n", "nfs.status == 13"},
        Requirement{"InClear41",
                    "[nfs]\nversion = 4.1\n[tls]\nserver_requires = tls\n",
                    "nfs.nfsstat4 == 10016"},
        Requirement{"WithoutCertificate",
                    "[tls]\nmode = tls\nserver_requires = mtls\n",
                    "nfs.status == 13",
                    true},
        Requirement{"WithTls", "[tls]\nmode = tls\nserver_requires = tls\n", nullptr},
        Requirement{"WithCertificate", "[tls]\nmode = mtls\nserver_requires = mtls\n", nullptr}),
    [](const auto& requirement) { return std::string(requirement.param.name); });

TEST_F(TlsRunTest, AServerThatRestartsIsSecuredAnew)
{
    RunWith("[nfs]\nversion = 4.1\n[tls]\nmode = tls\n"
            "[faults]\nagain = at 3ms: restart on server-0 for 1ms\n");
    EXPECT_EQ(GetCounter("client-0", "TlsHandshakes"), 2U);
    EXPECT_EQ(GetCounter("server-0", "TlsHandshakesFailed"), 0U);
}

TEST_F(TlsRunTest, EachKeyThatIsWrongIsNamed)
{
    const auto refuse = [this](const std::string& sections, const std::string& said) {
        m_directory.WriteFile("bad.ini", sections);
        const auto result = Run({"run", "bad.ini"});
        EXPECT_EQ(result.status, 2) << sections;
        EXPECT_NE(result.errors.find(said), std::string::npos) << result.errors;
    };
    refuse("[tls]\nmode = tls\n", "bad.ini:2: tls.mode: got 'tls', expected");
    refuse("[cluster]\ntransport = tcp\n[tls]\nmode = ssl\n",
           "bad.ini:4: tls.mode: got 'ssl', expected one of none, opportunistic, tls, mtls");
    refuse("[cluster]\ntransport = tcp\n[tls]\nsuite = aes-256-gcm\n",
           "bad.ini:4: tls.suite: got 'aes-256-gcm', expected");
    refuse("[cluster]\ntransport = tcp\n[tls]\nmode = tls\nrecord_size = 32KiB\n",
           "bad.ini:5: tls.record_size: got '32KiB'");
    refuse("[tls]\nserver_requires = tls\n", "bad.ini:2: tls.server_requires: got 'tls'");
    refuse("[cluster]\ntransport = tcp\n[host]\ntls_send_cost = 1us\n",
           "bad.ini:4: host.tls_send_cost: got '1us'");
}

} // namespace
} // namespace ns3::nfsrdma
