/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "adversary-fixture.h"
#include "tshark.h"

namespace ns3::nfsrdma
{

namespace
{

/// Somebody on the path of client-0, whose NFS is over TCP.
class TlsAdversaryTest : public AdversaryTest
{
  protected:
    int RunAgainst(const std::string& mode, const std::string& role)
    {
        m_directory.WriteFile("one.ini",
                              "[cluster]\nclients = 2\ntransport = tcp\n[output]\npcap = all\n"
                              "[workload]\nkind = fio\nreadwrite = randrw\n"
                              "bssplit = 2048:1,16384:2\nsize = 128KiB\ndirect = true\n"
                              "iodepth = 4\nrequests = 100\n[tls]\nmode = " +
                                  mode + "\n[adversary path]\nhosts = client-0\nrole = " + role +
                                  "\n");
        const int status = RunFile("one.ini");
        m_counters = ReadCounters();
        return status;
    }

    [[nodiscard]] uint64_t Did(const std::string& what) const
    {
        return m_summary.at("adversaries").at("roles").at(0).at("broken").value(what, uint64_t{0});
    }

    [[nodiscard]] uint64_t Count(const std::string& counter) const
    {
        const auto found = m_counters.find(counter);
        return found == m_counters.end() ? 0 : found->second;
    }

    [[nodiscard]] uint64_t CountDecryptErrors() const
    {
        return Count("server-0/tls/TlsDecryptError") + Count("client-0/tls/TlsDecryptError");
    }

    [[nodiscard]] std::size_t CountCallsInClear() const
    {
        return test::RunTshark(m_directory.GetPath() + "/out/client-0.pcap",
                               "-Y 'nfs && rpc.msgtyp == 0 && !(rpc.procedure == 0)'")
            .size();
    }

    std::map<std::string, uint64_t> m_counters;
};

TEST_F(TlsAdversaryTest, ReadsNothingButTheFirstCall)
{
    ASSERT_EQ(RunAgainst("none", "on-path-read"), 0) << m_result.errors;
    EXPECT_GT(Did("read rpc-call"), 100U);
    ASSERT_EQ(RunAgainst("tls", "on-path-read"), 0) << m_result.errors;
    EXPECT_EQ(Did("read rpc-call"), 1U) << "the one that asks for TLS";
    EXPECT_EQ(Did("read rpc-reply"), 1U);
    ExpectSound();
}

TEST_F(TlsAdversaryTest, AnAlterationCostsAConnectionAndNoData)
{
    ASSERT_EQ(RunAgainst("tls", "on-path-alter\nprobability = 0.05\nstart = 2200us\ncount = 1"), 0)
        << m_result.errors;
    EXPECT_EQ(Did("altered TLS"), 1U);
    EXPECT_EQ(CountDecryptErrors(), 1U);
    EXPECT_EQ(Count("server-0/tls/TlsAlertsSent") + Count("client-0/tls/TlsAlertsSent"), 1U);
    EXPECT_EQ(Count("client-0/tls/TlsHandshakes"), 2U);
    ExpectSound();
}

TEST_F(TlsAdversaryTest, AForgedRecordCostsAConnectionAndNoData)
{
    ASSERT_EQ(RunAgainst("tls", "on-path-inject\nprobability = 0.05\nstart = 2200us\ncount = 1"), 0)
        << m_result.errors;
    EXPECT_EQ(Did("injected TLS record"), 1U);
    EXPECT_EQ(CountDecryptErrors(), 1U);
    EXPECT_EQ(Count("client-0/tls/TlsHandshakes"), 2U);
    ExpectSound();
}

TEST_F(TlsAdversaryTest, ReplaysAreOldNewsToTcp)
{
    ASSERT_EQ(RunAgainst("tls", "on-path-replay\nprobability = 0.2"), 0) << m_result.errors;
    EXPECT_GT(Did("replayed segment"), 20U);
    EXPECT_EQ(CountDecryptErrors(), 0U);
    ExpectSound();
}

TEST_F(TlsAdversaryTest, WhoStripsTheRequestHasOpportunisticClientsGoOnInClear)
{
    ASSERT_EQ(RunAgainst("opportunistic", "on-path-strip-tls"), 0) << m_result.errors;
    EXPECT_EQ(Did("stripped AUTH_TLS"), 1U);
    EXPECT_GT(CountCallsInClear(), 100U);
    EXPECT_EQ(Count("client-0/tls/TlsRefused"), 1U);
    EXPECT_EQ(Count("client-1/tls/TlsHandshakes"), 1U);
    ExpectSound();
}

TEST_F(TlsAdversaryTest, AReplyInClearIsDroppedOrCostsTheConnection)
{
    ASSERT_EQ(RunAgainst("tls", "on-path-inject-clear"), 0) << m_result.errors;
    EXPECT_EQ(Did("injected reply in clear"), 1U);
    EXPECT_EQ(Count("client-0/tls/TlsSpurious"), 1U);
    EXPECT_EQ(Count("client-0/tls/TlsHandshakes"), 1U);
    ExpectSound();
    ASSERT_EQ(RunAgainst("tls\nspurious_traffic = close", "on-path-inject-clear\nstop = 1s"), 0)
        << m_result.errors;
    EXPECT_EQ(Did("injected reply in clear"), 1U);
    EXPECT_EQ(Count("client-0/tls/TlsSpurious"), 1U);
    EXPECT_EQ(Count("client-0/tls/TlsProbes"), 2U);
    EXPECT_EQ(Count("client-0/tls/TlsHandshakes"), 1U) << "3 s later, when nobody injects";
    ExpectSound();
}

TEST_F(TlsAdversaryTest, VictimsCountTheConnectionsThatTheyHaveLost)
{
    ASSERT_EQ(RunAgainst("none", "on-path-reset\nprobability = 0.2\ncount = 2"), 0)
        << m_result.errors;
    const uint64_t lost = m_summary.at("connections_lost");
    EXPECT_GT(lost, 0U);
    uint64_t ofVictims = 0;
    for (const auto& victim : m_summary.at("adversaries").at("victims"))
    {
        ofVictims += victim.at("connections_lost").get<uint64_t>();
    }
    EXPECT_EQ(ofVictims, lost);
}

TEST_F(TlsAdversaryTest, ClientsThatWantTlsSendNothingInClear)
{
    EXPECT_EQ(RunAgainst("tls", "on-path-strip-tls"), 0) << "calls that fail are results";
    EXPECT_GE(Did("stripped AUTH_TLS"), 1U);
    EXPECT_EQ(CountCallsInClear(), 0U);
    EXPECT_EQ(Count("client-0/tls/TlsHandshakes"), 0U);
    EXPECT_EQ(Count("client-1/tls/TlsHandshakes"), 1U);
}

} // namespace

} // namespace ns3::nfsrdma
